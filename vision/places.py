"""Places that may hold a tile: all that both readers say of one, how sure that is, and which of many hold one together.

Outlines that overlap cannot all be tiles: one across the joint of two tiles, or on half of one, looks a little like a
tile too. Of all sets of places of which none lies on another, the surest as a whole is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.confidence import Ranked, Sureness, fused, sureness
from vision.finder import Candidate, Found
from vision.quads import Quad, best_together, length_px
from vision.reader import DOWN, NONE, UP, Reader, Reading
from vision.sets import in_set

NO_TILE = 0.97  # a reading so sure that there is none is not looked at any further
CERTAIN = 0.9  # a reading less sure leaves its place open to others
SHARE_OF_TILE = 0.2  # of a place's weight, for being a tile at all; the rest is for being one face or back
WEIGHT_POWER = 1.2  # above 1, so that two doubtful outlines do not outweigh a sure one
SAME_PLACE = 0.35  # two outlines sharing more of the smaller one's area claim one place
MOST_RANKED = 8


@dataclass(frozen=True, slots=True)
class Place:
    """One outline that the finder or its neighbours led to."""

    score: float  # the finder's, 0..1
    reading: Reading
    second: NDArray[np.float64]  # (13, 13) fits, see vision.second_reader
    inside: float  # share of tile surface in the outline, 0..1
    ranked: Ranked  # faces of the set, best first
    sure: Sureness

    @property
    def quad_px(self) -> Quad:
        """The outline as the reader put it right, (4, 2) px of the part of the picture that is searched."""
        return self.reading.quad_px

    @property
    def is_certain(self) -> bool:
        """Is this clearly a face, or clearly a back, to the first reader alone?"""
        reading = self.reading
        return bool(max(reading.states[UP] * reading.values.max(), reading.states[DOWN]) > CERTAIN)

    @property
    def weight(self) -> float:
        """How much it counts among those that claim the same place."""
        named = max(self.sure.right, self.sure.back)
        return float((self.sure.tile * (SHARE_OF_TILE + (1 - SHARE_OF_TILE) * named)) ** WEIGHT_POWER)


class Judge:
    """Makes places of readings, for one set of tiles."""

    def __init__(self, reader: Reader, set_name: str) -> None:
        """Raises ValueError for an unknown set."""
        self._reader = reader
        self._chinese = None if set_name == "auto" else set_name == "chinese"
        self._allowed = np.array([[in_set(set_name, a, b) for b in range(13)] for a in range(13)])

    def places(
        self,
        image_bgr: NDArray[np.uint8],
        found: Found,
        candidates: Sequence[Candidate],
        readings: Sequence[Reading | None],
    ) -> list[Place]:
        """Those of the candidates that may be tiles; `found` is what the localiser says of the same picture."""
        both = zip(candidates, readings, strict=True)
        kept = [(c, r) for c, r in both if r is not None and r.states[NONE] < NO_TILE]
        quads = [r.quad_px for _, r in kept]
        seconds = self._reader.second_looks(image_bgr, quads, self._chinese)
        out = []
        for (c, r), second, inside in zip(kept, seconds, found.shares_inside(quads), strict=True):
            ranked = self._ranked(fused(r, second))
            sure = sureness(r, ranked, second, length_px(r.quad_px), c.score, inside)
            out.append(Place(c.score, r, second, inside, ranked, sure))
        return out

    def _ranked(self, values: NDArray[np.float64]) -> Ranked:
        """Faces (a, b) of the set by probability; what the set lacks gets none, and its share lowers all."""
        values = np.where(self._allowed, values, 0.0)
        order = np.argsort(-values.ravel())[:MOST_RANKED]
        return [(divmod(int(k), 13), float(values.ravel()[k])) for k in order]


def one_a_place(places: Sequence[Place]) -> list[Place]:
    """The set of places, none on another, that is surest as a whole."""
    kept = best_together([p.quad_px for p in places], [p.weight for p in places], SAME_PLACE)
    return [places[i] for i in kept]
