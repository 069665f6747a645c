"""Fits the weights of vision.confidence on held-out synthetic scenes, and prints how well they hold there.

`python -m vision.training.calibrate --scenes 300 [--seed N]`. The scenes come from seeds no training pool uses. Prints
the tuple to put into vision/confidence.py and the held-out figures of finder and reader together.
"""

from __future__ import annotations

import argparse

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.confidence import features, fused
from vision.normal import picture_gain
from vision.quads import length_px
from vision.reader import Reader, Reading
from vision.search import Search
from vision.training.samples import overlap
from vision.training.scenes import TileTruth, random_scene

CALIBRATION_SEED = 77_000_000
TABLE_MM = 160.0  # side of the square of table that is told to be the play area
WEIGHTS_TRIED = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)


def fit(rows: NDArray[np.float64], right: NDArray[np.float64], strength: float = 1.0) -> NDArray[np.float64]:
    """Logistic regression by Newton steps with a weak pull to zero."""
    weights = np.zeros(rows.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (p - right) + strength * weights
        curve = (rows * (p * (1 - p))[:, None]).T @ rows + strength * np.eye(rows.shape[1])
        weights -= np.linalg.solve(curve, slope)
    return weights


def likelihood(
    weight: float,
    looks: list[tuple[Reading, NDArray[np.float64], float, float, float]],
    truths: list[TileTruth | None],
) -> float:
    """Mean log-probability of the true faces when the second reader counts that much."""
    sums = []
    for (reading, second, *_), best in zip(looks, truths, strict=True):
        if best is not None and best.face == "up":
            values = fused(reading, second, weight)
            sums.append(np.log(max(values[best.a, best.b], values[best.b, best.a], 1e-4)))
    return float(np.mean(sums))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader()
    search = Search(reader)
    looks: list[tuple[Reading, NDArray[np.float64], float, float, float]] = []
    truths: list[TileTruth | None] = []  # None: no tile, or one that is partly covered
    tiles: list[bool] = []
    wanted = backs = 0
    for k in range(options.scenes):
        rng = np.random.default_rng(CALIBRATION_SEED + options.seed * 100_000 + k)
        tile_px = float(np.exp(rng.uniform(np.log(34), np.log(90))))
        size_px = 360
        scene = random_scene(rng, size_px, tile_px)
        gain = picture_gain(scene.image_bgr)
        if k % 2:
            plane, whole = scene.table_plane(TABLE_MM), (0, 0, size_px, size_px)
            found, read = search.on_table(scene.image_bgr, plane, scene.tile_mm, whole, gain)
        else:
            found, read = search.in_photo(scene.image_bgr, tile_px * 1.02, gain)
        clear = [t for t in scene.tiles if t.visible >= 0.9 and t.face in ("up", "down")]
        wanted += sum(t.face == "up" for t in clear)
        backs += sum(t.face == "down" for t in clear)
        seconds = reader.second_looks(scene.image_bgr, [r.quad_px for _, r in read], scene.chinese)
        for (candidate, reading), second in zip(read, seconds, strict=True):
            best = max(scene.tiles, key=lambda t: overlap(t.quad_px, reading.quad_px), default=None)
            if best is not None and (best.face == "standing" or overlap(best.quad_px, reading.quad_px) < 0.5):
                best = None
            if best is not None and 0.4 < best.visible < 0.9:
                continue
            inside = found.share_inside(reading.quad_px)
            looks.append((reading, second, length_px(reading.quad_px), candidate.score, inside))
            truths.append(best if best is not None and best.visible >= 0.9 else None)
            tiles.append(best is not None)
    weight = max(WEIGHTS_TRIED, key=lambda w: likelihood(w, looks, truths))
    print(f"SECOND_WEIGHT = {weight}")
    rows, truth = [], np.zeros((len(looks), 3))
    for k, ((reading, second, size_px, score, inside), best) in enumerate(zip(looks, truths, strict=True)):
        values = fused(reading, second, weight)
        a, b = divmod(int(values.argmax()), 13)
        rows.append(features(reading, ((a, b), float(values.max())), second, size_px, score, inside))
        right = best is not None and best.face == "up" and sorted((a, b)) == sorted((best.a, best.b))
        truth[k] = right, best is not None and best.face == "down", tiles[k]
    exact, back_hits = int(truth[:, 0].sum()), int(truth[:, 1].sum())
    matrix = np.array(rows)
    print(f"tiles wanted {wanted}, read right {exact} ({exact / wanted:.2%}); backs {backs}, found {back_hits}")
    for name, column in (("RIGHT", 0), ("BACK", 1), ("TILE", 2)):
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
