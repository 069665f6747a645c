"""Error of the table plane in mm, on rendered tables whose cameras are known exactly; prints, asserts nothing.

    python tests/benchmarks/bench_calibration.py FOLDER [--every N] [--eye]

FOLDER (or $DOMINOREF_STILLS) holds NAME.jpg + NAME.json; without one there is nothing to measure. A line a way of
calibrating (with `--eye` only those from tiles that the real eye finds): the distance between where a pixel is said to
lie on the table and where it lies, over a grid on the part of the play area that the picture shows, all pictures
together.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.lens import Lens
from calibration.plane import Array
from calibration.registration import FEWEST_TILES, evidence, register, register_evidence
from calibration.solve import Evidence, NotEnough
from vision.sources.pictures import read_picture

TILE_NOISE_PX = 1.0
"""Added to the true corners of tiles, as the eye is not exact either."""


def stills(folder: Path, every: int) -> Iterator[tuple[dict[str, Any], Any]]:
    for path in sorted(folder.glob("*.json"))[::every]:
        truth = json.loads(path.read_text())
        yield truth, read_picture(path.with_suffix(".jpg"))


def true_lens(truth: dict[str, Any]) -> Lens:
    camera = truth["camera"]
    size = (int(camera["width"]), int(camera["height"]))
    return Lens(size, np.array(camera["K"]), np.array(camera["dist_k1k2p1p2k3"]))


def seen_grid(truth: dict[str, Any]) -> tuple[Array, Array]:
    """Table points (n, 2) mm on a grid and the pixels (n, 2) that truly show them."""
    camera, (width, height) = truth["camera"], truth["area_mm"]
    lens = true_lens(truth)
    x, y = np.meshgrid(np.linspace(0, width, 19), np.linspace(0, height, 13))
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    seen, _ = cv2.projectPoints(
        points, np.array(camera["rvec"]), np.array(camera["t_mm"]), lens.matrix, lens.distortion
    )
    pixels = np.asarray(seen, np.float64).reshape(-1, 2)
    inside = np.all((pixels >= 0) & (pixels <= np.array(lens.size_px) - 1), axis=1)
    return points[inside, :2], pixels[inside]


def without_shift_and_turn(found: Array, true: Array) -> Array:
    """`found` moved rigidly to lie best on `true`."""
    middle, goal = found.mean(axis=0), true.mean(axis=0)
    u, _, v = np.linalg.svd((found - middle).T @ (true - goal))
    turn = u @ np.diag([1.0, np.sign(np.linalg.det(u @ v))]) @ v
    return np.asarray((found - middle) @ turn + goal, np.float64)


def ways_by_eye(truth: dict[str, Any], image: Any) -> dict[str, Evidence]:
    """The tiles as the eye finds them, instead of true ones with noise."""
    from table.shell.table_looks import find_tiles

    tiles = find_tiles(image, None)
    length, width, thickness = (float(v) for v in truth["tile_size_mm"])
    if len(tiles) < FEWEST_TILES:
        return {}
    return {
        "tiles alone (found by the eye)": evidence(tiles_px=tiles, tile_mm=(length, width, thickness)),
        "tiles found by the eye, lens given": evidence(
            tiles_px=tiles, tile_mm=(length, width, thickness), lens=true_lens(truth)
        ),
    }


def ways(truth: dict[str, Any]) -> dict[str, Evidence]:
    """What may be known beforehand."""
    lens, area = true_lens(truth), (float(truth["area_mm"][0]), float(truth["area_mm"][1]))
    noise = np.random.default_rng(truth["index"])
    quads = [np.array(t["quad_px"]) for t in truth["tiles"] if t["visible"] > 0.9]
    tiles = tuple(quad + noise.normal(0, TILE_NOISE_PX, (4, 2)) for quad in quads)
    length, width, thickness = (float(v) for v in truth["tile_size_mm"])
    corners = np.array(truth["area_px"]) + noise.normal(0, 1.0, (4, 2))
    found = {
        "markers, size and lens given": evidence(area_mm=area, lens=lens),
        "markers, lens given": evidence(lens=lens),
        "markers, size given": evidence(area_mm=area),
        "markers alone": evidence(),
        "corners by hand (1 px), size given": evidence(area_mm=area, corners_px=corners),
    }
    if len(tiles) >= FEWEST_TILES:
        found["tiles alone (1 px)"] = evidence(tiles_px=tiles, tile_mm=(length, width, thickness))
        found["tiles alone (exact)"] = evidence(tiles_px=tuple(quads), tile_mm=(length, width, thickness))
        found["tiles (1 px), lens given"] = evidence(tiles_px=tiles, tile_mm=(length, width, thickness), lens=lens)
        found["corners by hand and tiles (1 px)"] = evidence(
            area_mm=area, corners_px=corners, tiles_px=tiles, tile_mm=(length, width, thickness)
        )
    return found


def measure(folder: Path, every: int, by_eye: bool = False) -> None:
    errors: dict[str, list[Array]] = {}
    stated: dict[str, list[float]] = {}
    refused: dict[str, int] = {}
    spent: dict[str, float] = {}
    worst: dict[str, tuple[float, str]] = {}
    for truth, image in stills(folder, every):
        true_mm, pixels = seen_grid(truth)
        markers: dict[int, Array] | None = None
        for name, known in (ways_by_eye(truth, image) if by_eye else ways(truth)).items():
            if name.startswith("markers") and not truth["markers"]:
                continue
            begun = time.perf_counter()
            try:
                if name.startswith("markers") and markers is None:
                    made = register(image, known)
                    markers = made.markers
                else:
                    seen = markers if name.startswith("markers") and markers else {}
                    made = register_evidence(
                        Evidence((image.shape[1], image.shape[0]), seen, known.marker_mm, known.corners_px,
                                 known.tiles_px, known.tile_mm, known.area_mm, known.lens)
                    )  # fmt: skip
            except NotEnough:
                refused[name] = refused.get(name, 0) + 1
                continue
            spent[name] = spent.get(name, 0.0) + time.perf_counter() - begun
            found = made.table.plane((image.shape[1], image.shape[0])).to_table(pixels)
            if name.startswith("tiles"):
                found = without_shift_and_turn(found, true_mm)
            error = np.linalg.norm(found - true_mm, axis=1)
            errors.setdefault(name, []).append(error)
            stated.setdefault(name, []).append(made.report.error_mm[1])
            worst[name] = max(worst.get(name, (0.0, "")), (float(np.percentile(error, 95)), truth["image"]))
    print(f"{'way':36s} pictures  median   95 %    stated 95 %   worst picture            refused  s each")
    for name, parts in errors.items():
        every_error = np.concatenate(parts)
        print(
            f"{name:36s} {len(parts):8d} {np.median(every_error):7.2f} {np.percentile(every_error, 95):6.2f} mm "
            f"{np.median(stated[name]):9.2f} mm   {worst[name][0]:6.2f} mm "
            f"{worst[name][1]:14s} {refused.get(name, 0):6d} {spent[name] / len(parts):7.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=os.environ.get("DOMINOREF_STILLS"))
    parser.add_argument("--every", type=int, default=1, help="only every N-th picture")
    parser.add_argument("--eye", action="store_true", help="only from tiles, as the eye finds them")
    options = parser.parse_args()
    if options.folder is None or not Path(options.folder).is_dir():
        print("bench_calibration: no folder of rendered stills was given; nothing measured")
        return
    measure(Path(options.folder), options.every, options.eye)


if __name__ == "__main__":
    main()
