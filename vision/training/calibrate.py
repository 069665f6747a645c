"""Fits the weights of vision.confidence on held-out synthetic scenes, and prints how well they hold there.

`python -m vision.training.calibrate --scenes 300 [--seed N]`. The scenes come from seeds no training pool uses. Prints
the tuple to put into vision/confidence.py and the held-out figures of finder and reader together.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.confidence import SECOND_WEIGHT, features, fused
from vision.normal import picture_gain
from vision.places import Place
from vision.quads import length_px
from vision.reader import Reader, Reading
from vision.search import Search
from vision.training.samples import overlap
from vision.training.scenes import Scene, TileTruth, random_scene

CALIBRATION_SEED = 77_000_000
SIZE_PX = 360  # of a scene
TABLE_MM = 160.0  # side of the square of table that is told to be the play area
WEIGHTS_TRIED = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)


def fit(
    rows: NDArray[np.float64],
    right: NDArray[np.float64],
    strength: float = 1.0,
    said: NDArray[np.float64] | float = 0.0,
) -> NDArray[np.float64]:
    """Logistic regression by Newton steps with a weak pull to zero, from log-odds said before."""
    weights = np.zeros(rows.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(rows @ weights + said, -30, 30)))
        slope = rows.T @ (p - right) + strength * weights
        curve = (rows * (p * (1 - p))[:, None]).T @ rows + strength * np.eye(rows.shape[1])
        weights -= np.linalg.solve(curve, slope)
    return weights


@dataclass(frozen=True)
class Look:
    """One reading, what is needed to weigh it, and the truth about it."""

    reading: Reading
    second: NDArray[np.float64]
    size_px: float
    score: float
    inside: float
    tile: bool  # a tile lies there at all
    seen: TileTruth | None  # the tile, if it lies open

    def row(self, weight: float) -> tuple[tuple[float, ...], tuple[bool, bool, bool]]:
        """Features when the second reader counts that much, and the truth: right, back, tile."""
        values = fused(self.reading, self.second, weight)
        a, b = divmod(int(values.argmax()), 13)
        row = features(self.reading, ((a, b), float(values.max())), self.second, self.size_px, self.score, self.inside)
        right = self.seen is not None and self.seen.face == "up" and {a, b} == {self.seen.a, self.seen.b}
        return row, (right, self.seen is not None and self.seen.face == "down", self.tile)


@dataclass(frozen=True)
class Seen:
    """One place that the search found, and what lies there in truth."""

    place: Place
    lying: TileTruth | None  # the tile, however much of it is hidden

    @property
    def half_hidden(self) -> bool:
        """Neither plainly there nor plainly not: nothing to learn from."""
        return self.lying is not None and 0.4 < self.lying.visible < 0.9

    @property
    def clear(self) -> TileTruth | None:
        """The tile, if it lies open."""
        return self.lying if self.lying is not None and self.lying.visible >= 0.9 else None


def drawn_and_searched(seed: int) -> tuple[Scene, list[Seen], float]:
    """One drawn scene, what search and readers say of it, and its gain. Odd ones are calibrated."""
    rng = np.random.default_rng(seed)
    tile_px = float(np.exp(rng.uniform(np.log(34), np.log(90))))
    scene = random_scene(rng, SIZE_PX, tile_px)
    gain = picture_gain(scene.image_bgr)
    search = _search("chinese" if scene.chinese else "double-twelve")
    if seed % 2:
        plane, whole = scene.table_plane(TABLE_MM), (0, 0, SIZE_PX, SIZE_PX)
        places = search.on_table(scene.image_bgr, plane, scene.tile_mm, whole, gain)
    else:
        places = search.in_photo(scene.image_bgr, tile_px * 1.02, gain)
    return scene, [Seen(place, _lying_at(place, scene)) for place in places], gain


def _lying_at(place: Place, scene: Scene) -> TileTruth | None:
    best = max(scene.tiles, key=lambda t: overlap(t.quad_px, place.quad_px), default=None)
    if best is None or best.face == "standing" or overlap(best.quad_px, place.quad_px) < 0.5:
        return None
    return best


def look_at(seed: int) -> tuple[list[Look], int, int]:
    """What search and readers say of one drawn scene; how many open faces and backs it has. Odd ones are calibrated."""
    scene, seen, _ = drawn_and_searched(seed)
    looks = []
    for s in seen:
        if s.half_hidden:
            continue
        p = s.place
        looks.append(Look(p.reading, p.second, length_px(p.quad_px), p.score, p.inside, s.lying is not None, s.clear))
    clear = [t.face for t in scene.tiles if t.visible >= 0.9]
    return looks, clear.count("up"), clear.count("down")


@cache
def _search(set_name: str) -> Search:
    cv2.setNumThreads(1)
    return Search(Reader(), set_name)


def likelihood(weight: float, looks: list[Look]) -> float:
    """Mean log-probability of the true faces when the second reader counts that much."""
    sums = []
    for look in looks:
        if look.seen is not None and look.seen.face == "up":
            values = fused(look.reading, look.second, weight)
            sums.append(np.log(max(values[look.seen.a, look.seen.b], values[look.seen.b, look.seen.a], 1e-4)))
    return float(np.mean(sums))


def right_share(weight: float, looks: list[Look]) -> float:
    """Share of the open faces that both readers together read right."""
    faces = [look for look in looks if look.seen is not None and look.seen.face == "up"]
    return sum(look.row(weight)[1][0] for look in faces) / len(faces)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--second-weight", type=float, default=SECOND_WEIGHT)
    options = parser.parse_args()
    seeds = [CALIBRATION_SEED + options.seed * 100_000 + k for k in range(options.scenes)]
    with get_context("spawn").Pool() as pool:
        scenes = pool.map(look_at, seeds, chunksize=4)
    photos = [scene for seed, scene in zip(seeds, scenes, strict=True) if seed % 2 == 0]
    looks = [look for scene in scenes for look in scene[0]]
    for tried in WEIGHTS_TRIED:
        print(f"second reader's weight {tried}: {likelihood(tried, looks):.4f}, right {right_share(tried, looks):.2%}")
    weight = options.second_weight
    for name, column in (("faces", 0), ("backs", 1)):
        wanted = sum(scene[1 + column] for scene in photos)
        got = sum(look.row(weight)[1][column] for scene in photos for look in scene[0])
        print(f"{name} in uncalibrated scenes: {wanted}, found and right {got} ({got / max(1, wanted):.2%})")
    rows = [look.row(weight) for look in looks]
    matrix, truth = np.array([row for row, _ in rows]), np.array([said for _, said in rows], float)
    for column, name in enumerate(("RIGHT", "BACK", "TILE")):
        weights = fit(matrix, truth[:, column])
        print(f"{name} =", tuple(round(float(w), 3) for w in weights))
        p = 1 / (1 + np.exp(-(matrix @ weights)))
        for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 0.99), (0.99, 1.01)):
            inside_bin = (p >= low) & (p < high)
            if inside_bin.any():
                share = truth[inside_bin, column].mean()
                print(f"  said {low:.2f}-{high:.2f}: {int(inside_bin.sum())} times, true {share:.3f}")


if __name__ == "__main__":
    main()
