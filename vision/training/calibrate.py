"""Fits the weights of vision.confidence on held-out synthetic scenes, and prints how well they hold there.

`python -m vision.training.calibrate --scenes 300 [--seed N]`. The scenes come from seeds no training pool uses. Prints
the tuple to put into vision/confidence.py and the held-out figures of finder and reader together.
"""

from __future__ import annotations

import argparse

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.confidence import features
from vision.finder import Finder
from vision.quads import keep_best, length_px
from vision.reader import DOWN, NONE, UNCLEAR, UP, Reader
from vision.training.samples import overlap
from vision.training.scenes import random_scene

CALIBRATION_SEED = 77_000_000


def fit(rows: NDArray[np.float64], right: NDArray[np.float64], strength: float = 1.0) -> NDArray[np.float64]:
    """Logistic regression by Newton steps with a weak pull to zero."""
    weights = np.zeros(rows.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (p - right) + strength * weights
        curve = (rows * (p * (1 - p))[:, None]).T @ rows + strength * np.eye(rows.shape[1])
        weights -= np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    finder, reader = Finder(), Reader()
    rows, right = [], []
    wanted = exact = false = backs = backs_found = backs_false = 0
    for k in range(options.scenes):
        rng = np.random.default_rng(CALIBRATION_SEED + options.seed * 100_000 + k)
        tile_px = float(np.exp(rng.uniform(np.log(30), np.log(90))))
        scene = random_scene(rng, 384, tile_px)
        found = finder.find(scene.image_bgr, tile_px * 1.02)
        readings = reader.read(scene.image_bgr, [c.quad_px for c in found])
        read = [(c, r) for c, r in zip(found, readings, strict=True) if r is not None and r.states[NONE] < 0.5]
        scores = [float((1 - r.states[NONE]) * (0.3 + c.score)) for c, r in read]
        read = [read[i] for i in keep_best([r.quad_px for _, r in read], scores, 0.35)]
        clear = [t for t in scene.tiles if t.visible >= 0.9 and t.face in ("up", "down")]
        wanted += sum(t.face == "up" for t in clear)
        backs += sum(t.face == "down" for t in clear)
        for _, reading in read:
            best = max(scene.tiles, key=lambda t: overlap(t.quad_px, reading.quad_px), default=None)
            if best is not None and overlap(best.quad_px, reading.quad_px) < 0.5:
                best = None
            if best is not None and 0.75 < best.visible < 0.9:
                continue
            if reading.states[UP] <= max(reading.states[DOWN], reading.states[UNCLEAR]):
                if reading.states[DOWN] > reading.states[UNCLEAR]:
                    good = best is not None and best.face == "down" and best.visible >= 0.9
                    backs_found, backs_false = backs_found + good, backs_false + (not good)
                continue
            a, b = divmod(int(reading.values.argmax()), 13)
            good = (
                best is not None
                and best.face == "up"
                and best.visible >= 0.75
                and sorted((a, b)) == sorted((best.a, best.b))
            )
            exact, false = exact + good, false + (not good)
            rows.append(features(reading, float(reading.values.max()), length_px(reading.quad_px)))
            right.append(float(good))
    matrix, truth = np.array(rows), np.array(right)
    weights = fit(matrix, truth)
    p = 1 / (1 + np.exp(-(matrix @ weights)))
    sure = p >= 0.95
    print("WEIGHTS =", tuple(round(float(w), 3) for w in weights))
    print(f"tiles wanted {wanted}, read right {exact} ({exact / wanted:.2%}), wrong or false {false}")
    print(f"backs wanted {backs}, found {backs_found}, false {backs_false}")
    wrong = int((sure & (truth == 0)).sum())
    good_share = sure[truth == 1].mean()
    print(f"confidence >= 0.95: {int((sure & (truth == 1)).sum())} right, {wrong} wrong; {good_share:.1%} of the right")
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 0.99), (0.99, 1.01)):
        inside = (p >= low) & (p < high)
        if inside.any():
            print(f"  said {low:.2f}-{high:.2f}: {int(inside.sum())} readings, right {truth[inside].mean():.3f}")


if __name__ == "__main__":
    main()
