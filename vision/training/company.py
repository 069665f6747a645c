"""Fits what the company of sure tiles tells of doubtful ones, and prints the log-odds of vision/company.py.

`python -m vision.training.company --scenes 1500 [--seed N]`. The scenes come from seeds that neither the nets nor
vision/confidence.py were fitted on; what stands there is rounded, from several runs. The weight of being alone is used
in full for plain faces only: the eye often looks at a part of the table, and what lies beyond it is no less there.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from multiprocessing import get_context

import numpy as np

from vision import company
from vision.company import Company, Evidence, is_back, is_doubtful, weights_of
from vision.confidence import log_odds, sureness
from vision.places import Place
from vision.quads import length_px
from vision.training.calibrate import CALIBRATION_SEED, drawn_and_searched, fit
from vision.training.scenes import TileTruth

OWN_SEEDS = 900_000  # above the first of vision.training.calibrate
LEAST = 0.05  # what is less likely than that no company makes a tile
PULL = 0.3  # to zero, of each weight
KINDS = ("BACK", "EXACT_BACK", "FACE", "PLAIN", "EXACT_PLAIN")


@dataclass(frozen=True)
class Doubt:
    """One doubtful place: what it was said to be, what its company tells, and the truth."""

    kind: str
    said: tuple[float, float]  # log-odds of what is read, of a tile at all
    evidence: Evidence
    true: tuple[bool, bool]

    def row(self) -> tuple[float, ...]:
        """In the order of vision.company.Weights."""
        e = self.evidence
        return (e.alike, e.unlike, e.edge, e.picture, e.alone)


def doubts_of(seed: int) -> list[Doubt]:
    """The doubtful places of one drawn scene; those of odd seeds are calibrated."""
    scene, seen, gain = drawn_and_searched(seed)
    exact = bool(seed % 2)
    places = [_before_company(s.place) for s in seen]
    all_of_them = Company(scene.image_bgr, places, gain)
    out = []
    for place, s in zip(places, seen, strict=True):
        if s.half_hidden or not is_doubtful(place) or max(place.sure.right, place.sure.back) < LEAST:
            continue
        said = place.sure.back if is_back(place) else place.sure.right
        kind = next(name for name in KINDS if getattr(company, name) is weights_of(place, exact))
        evidence = all_of_them.evidence(place, exact)
        true = (_is_what_is_read(place, s.clear), s.lying is not None)
        out.append(Doubt(kind, (log_odds(said), log_odds(place.sure.tile)), evidence, true))
    return out


def _is_what_is_read(place: Place, tile: TileTruth | None) -> bool:
    if tile is None or (tile.face == "down") != is_back(place):
        return False
    return is_back(place) or set(place.ranked[0][0]) == {tile.a, tile.b}


def _before_company(place: Place) -> Place:
    size_px = length_px(place.quad_px)
    return replace(place, sure=sureness(place.reading, place.ranked, place.second, size_px, place.score, place.inside))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    first = CALIBRATION_SEED + OWN_SEEDS + options.seed * 100_000
    with get_context("spawn").Pool() as pool:
        scenes = pool.map(doubts_of, range(first, first + options.scenes), chunksize=4)
    for kind in KINDS:
        doubts = [doubt for scene in scenes for doubt in scene if doubt.kind == kind]
        if not doubts:
            continue
        rows = np.array([doubt.row() for doubt in doubts], float)
        said, true = np.array([d.said for d in doubts]), np.array([d.true for d in doubts], float)
        named, tile = (fit(rows, true[:, k], PULL, said[:, k]) for k in (0, 1))
        pairs = ", ".join(f"({a:.2f}, {b:.2f})" for a, b in zip(named, tile, strict=True))
        print(f"{kind} of {len(doubts)}, true {true[:, 0].mean():.2f}: {pairs}")


if __name__ == "__main__":
    main()
