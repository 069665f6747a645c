"""Tiles of one set have one colour: what is doubtful alone is surer where its colour is that of one that is sure.

A gap between two tiles has a tile's shape, and two cells of a board's grid have its bar, too; but both have the table's
colour. Measured on 700 held-out drawn scenes (logistic fits of what doubtful places turned out to be): of the backs
said to be 0.3 to 0.8 sure, 78 in 100 were backs where a sure back had their colour, 11 where all sure ones had another.
Whether the other tile lies beside the doubtful one told nothing more. Where the outline is exact, as on a calibrated
table, so do a back's edges and what is drawn on it (750 more scenes, 550 doubtful backs).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.confidence import Sureness
from vision.edges import weakest_edge
from vision.likeness import Picture, contrast, likeness, picture_of
from vision.places import Place
from vision.quads import Quad
from vision.reader import DOWN, NONE, UP
from vision.sides import filled

SURE, SURELY_TILE = 0.9, 0.7
"""From there on a place needs no company, and is company to others."""
ALIKE, UNLIKE = 12.0, 25.0
"""Distances in CIELAB (8 bit), up to which two colours are one, and from which they are two."""
UNLIKE_HUE = 10.0  # the same without lightness, for backs: polished as they are, each throws back another light
FEWEST_PX = 8  # of an outline that tell its colour
EDGE_BLUR = 0.1  # added to vision.edges.weakest_edge before its logarithm is taken
USUAL_LIKENESS = 0.3  # of two backs' pictures; light alone makes plain ones a little alike


LogOdds = tuple[float, float]
"""Of what is read (a back, or the face), and of a tile at all."""


@dataclass(frozen=True, slots=True)
class _Weights:
    alike: LogOdds  # to one that is sure
    unlike: LogOdds  # to all that are sure, where there are some


BACK = _Weights((0.4, 0.4), (-3.1, -1.6))
EXACT_BACK = _Weights((0.9, 1.6), (-2.9, -2.2))
EDGE: LogOdds = (0.5, 0.55)  # for each e-fold of an exact back's weakest edge
PICTURE: LogOdds = (3.0, 2.0)  # for bearing what the sure backs bear, times how plainly that shows
FACE = _Weights((0.3, 0.3), (-0.5, -0.7))
PLAIN = _Weights((-0.5, 0.2), (-1.5, -1.3))  # a face without pips; so is one whose pips the glare hides
EXACT_PLAIN = _Weights((0.7, 1.9), (-2.4, -0.9))


def with_company(image_bgr: NDArray[np.uint8], places: list[Place], gain: float, exact: bool) -> list[Place]:
    """The places, the doubtful ones as sure as the colours of the sure ones make them.

    Outlines are px of the picture, and `exact` where the table's plane and the tiles' size made them; `gain` evens out
    the exposure, see vision.normal.
    """
    doubtful = [_named(p) < SURE and _is_read_so(p) for p in places]
    if not any(doubtful):
        return places
    company = [p for p in places if _named(p) >= SURE and p.sure.tile >= SURELY_TILE]
    kinds = {
        back: _Kind(image_bgr, [p.quad_px for p in company if _is_back(p) == back], gain) for back in (False, True)
    }
    return [
        _in_company(image_bgr, p, kinds[_is_back(p)], gain, exact) if doubts else p
        for p, doubts in zip(places, doubtful, strict=True)
    ]


class _Kind:
    """What the sure backs, or the sure faces, of a picture look like."""

    def __init__(self, image_bgr: NDArray[np.uint8], quads: list[Quad], gain: float) -> None:
        shown = [(quad, colour) for quad in quads if (colour := _colour(image_bgr, quad)) is not None]
        self.colours = np.array([colour for _, colour in shown], np.float64).reshape(-1, 3)
        self._image, self._quads, self._gain = image_bgr, [quad for quad, _ in shown], gain

    @cached_property
    def pictures(self) -> list[Picture]:
        """Of those that show a colour."""
        return [picture_of(self._image, quad, self._gain) for quad in self._quads]


def _named(place: Place) -> float:
    return max(place.sure.right, place.sure.back)


def _is_read_so(place: Place) -> bool:
    """Does the reader itself see a back or a face there rather than nothing? A tile's dark side has a back's colour."""
    states = place.reading.states
    return bool(states[DOWN if _is_back(place) else UP] > states[NONE])


def _is_back(place: Place) -> bool:
    return place.sure.back > place.sure.right


def _in_company(image_bgr: NDArray[np.uint8], place: Place, others: _Kind, gain: float, exact: bool) -> Place:
    quad, back = place.quad_px, _is_back(place)
    log_odds = np.zeros(2)
    colour = _colour(image_bgr, quad)
    if colour is not None and len(others.colours):
        log_odds += _by_colour(_weights(place, exact), (others.colours - colour) * gain, back)
        if back and exact:
            plainly = float(np.log1p(np.median([contrast(one) for one in others.pictures])))
            alike = likeness(picture_of(image_bgr, quad, gain), others.pictures)
            log_odds += np.array(PICTURE) * (alike - USUAL_LIKENESS) * plainly
    if back and exact:
        log_odds += np.array(EDGE) * np.log(weakest_edge(image_bgr, quad) + EDGE_BLUR)
    named, tile = (float(one) for one in log_odds)
    sure = place.sure
    if back:
        return replace(place, sure=Sureness(sure.right, _moved(sure.back, named), _moved(sure.tile, tile)))
    return replace(place, sure=Sureness(_moved(sure.right, named), sure.back, _moved(sure.tile, tile)))


def _by_colour(weights: _Weights, apart: NDArray[np.float64], back: bool) -> LogOdds:
    nearest, nearest_hue = np.linalg.norm(apart, axis=1).min(), np.linalg.norm(apart[:, 1:], axis=1).min()
    if nearest < ALIKE:
        return weights.alike
    return weights.unlike if (nearest_hue > UNLIKE_HUE if back else nearest > UNLIKE) else (0.0, 0.0)


def _weights(place: Place, exact: bool) -> _Weights:
    if _is_back(place):
        return EXACT_BACK if exact else BACK
    if place.ranked[0][0] == (0, 0):
        return EXACT_PLAIN if exact else PLAIN
    return FACE


def _colour(image_bgr: NDArray[np.uint8], quad: Quad) -> NDArray[np.float64] | None:
    """Median colour within an outline, CIELAB of 8 bit; None where it shows next to nothing."""
    middle = quad.mean(0)
    inner = middle + 0.8 * (quad - middle)
    low = np.maximum(np.floor(inner.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(inner.max(0)).astype(int) + 1, image_bgr.shape[1::-1])
    part = np.ascontiguousarray(image_bgr[low[1] : high[1], low[0] : high[0]])
    if not part.size:
        return None
    seen = cv2.cvtColor(part, cv2.COLOR_BGR2LAB)[filled(inner - low, part.shape[:2])].astype(np.float64)
    return np.asarray(np.median(seen, axis=0)) if len(seen) >= FEWEST_PX else None


def _moved(probability: float, log_odds: float) -> float:
    if log_odds == 0:
        return probability
    odds = probability / max(1e-9, 1 - probability) * np.exp(log_odds)
    return float(odds / (1 + odds))
