"""Training samples cut from random scenes: pictures for the localiser, straightened crops for the reader.

`python -m vision.training.samples --out DIR --seed S --shards N` writes shard files; the same seed gives the same
files. Crops are cut the way vision.crops cuts them at run time, from quads as wrong as the localiser's.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import CROP_SIZE_PX, MARGIN_PX, canvas_corners, cut
from vision.finder import Finder
from vision.training.faces import Rng
from vision.training.scenes import LENGTH_MM, PRINTED_SHARE, Scene, TileTruth, random_scene

LOCALISER_PX = 256
MOST_TILES = 48
MOST_PIPS = 24
CROPS_A_SCENE = 12
UP, DOWN, UNCLEAR, NONE = range(4)
READABLE = 0.9
FROM_ABOVE_SHARE = 0.45  # of the localiser's pictures are straightened, as on a calibrated table


def overlap(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Intersection over union of two convex quads."""
    ha, hb = (cv2.convexHull(q.astype(np.float32)) for q in (a, b))
    shared, _ = cv2.intersectConvexConvex(ha, hb)
    whole = cv2.contourArea(ha) + cv2.contourArea(hb) - shared
    return float(shared / whole) if whole > 0 else 0.0


def shaken(quad: NDArray[np.float64], rough: bool, rng: Rng) -> NDArray[np.float64]:
    """A quad as a localiser might report it."""
    size = np.linalg.norm(quad[1] - quad[0])
    width = np.linalg.norm(quad[3] - quad[0])
    middle = quad.mean(0)
    level = 1.0 if rough else 0.25
    turn = np.radians(rng.normal(0, 5.0 * level))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    u = (quad[1] - quad[0] + quad[2] - quad[3]) / 4 * (1 + rng.normal(0, 0.06 * level))
    v = (quad[3] - quad[0] + quad[2] - quad[1]) / 4 * (1 + rng.normal(0, 0.08 * level))
    flat = np.array([-u - v, u - v, u + v, -u + v]) if rough and rng.random() < 0.8 else quad - middle
    out = flat @ spin.T + middle + rng.normal(0, 0.045 * level, 2) * np.array([size, size]) * 0.8
    return out + rng.normal(0, 0.012 * level, (4, 2)) * width


def negative_quad(tile: TileTruth, size_px: int, rng: Rng) -> NDArray[np.float64]:
    """A quad that should hold no tile: across a joint, beside, turned, far off, wrong size."""
    q = tile.quad_px
    middle = q.mean(0)
    u, v = (q[1] - q[0] + q[2] - q[3]) / 4, (q[3] - q[0] + q[2] - q[1]) / 4
    kind = rng.choice(
        ["end", "side", "corner", "across", "far", "double", "half"], p=[0.3, 0.12, 0.12, 0.12, 0.18, 0.06, 0.1]
    )
    if kind == "end":
        middle = middle + u * rng.choice([-1, 1]) * rng.uniform(0.8, 1.25)
    elif kind == "side":
        middle = middle + v * rng.choice([-1, 1]) * rng.uniform(0.9, 1.2)
    elif kind == "corner":
        middle = (
            middle + v * rng.choice([-1, 1]) * rng.uniform(0.6, 1.4) + u * rng.choice([-1, 1]) * rng.uniform(0.4, 1.0)
        )
    elif kind == "across":
        middle = middle + u * rng.uniform(-0.5, 0.5) + v * rng.uniform(-0.8, 0.8)
        half_u, half_v = np.linalg.norm(u), np.linalg.norm(v)
        u, v = -v * half_u / (half_v + 1e-6), u * half_v / (half_u + 1e-6)
    elif kind == "far":
        middle = rng.uniform(0.05, 0.95, 2) * size_px
        turn = rng.uniform(0, np.pi)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        u, v = spin @ u, spin @ v
    elif kind == "double":
        middle = middle + v * rng.choice([-1, 1]) + u * rng.choice([-1, 0, 1])
        u, v = u * 1.9, v * 1.9
    else:
        middle = middle + u * rng.choice([-0.5, 0.5])
        u, v = v * 0.95, u * 0.48
    return np.array([middle - u - v, middle + u - v, middle + u + v, middle - u + v])


class Shard:
    """Arrays being filled."""

    def __init__(self, scenes: int) -> None:
        self.images = np.zeros((scenes, LOCALISER_PX, LOCALISER_PX, 3), np.uint8)
        self.tiles = np.full((scenes, MOST_TILES, 10), np.nan, np.float32)  # 8 corner numbers, face, visible
        most = scenes * CROPS_A_SCENE
        self.crops = np.zeros((most, CROP_SIZE_PX[1], CROP_SIZE_PX[0], 3), np.uint8)
        self.labels = np.zeros((most, 4), np.int16)  # a, b, state, chinese
        self.corners = np.full((most, 4, 2), np.nan, np.float32)
        self.pips = np.full((most, MOST_PIPS, 2), np.nan, np.float32)
        self.count = 0

    def add_crop(self, scene: Scene, quad: NDArray[np.float64], tile: TileTruth | None, state: int) -> None:
        i = self.count
        self.crops[i] = cut(scene.image_bgr, quad)
        self.labels[i] = (tile.a if tile else 0, tile.b if tile else 0, state, scene.chinese)
        if tile is not None:
            move = cv2.getPerspectiveTransform(quad.astype(np.float32), canvas_corners().astype(np.float32))
            self.corners[i] = cv2.perspectiveTransform(tile.quad_px.reshape(-1, 1, 2).astype(np.float32), move)[:, 0]
            if len(tile.pips) and state == UP:
                unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
                place = move @ cv2.getPerspectiveTransform(unit, tile.quad_px.astype(np.float32))
                points = cv2.perspectiveTransform(tile.pips.reshape(-1, 1, 2).astype(np.float32), place)[:, 0]
                self.pips[i, : len(points)] = points[:MOST_PIPS]
        self.count += 1


def state_of(tile: TileTruth) -> int:
    """What the reader should say of a crop of this tile."""
    if tile.visible < READABLE:
        return UNCLEAR
    return UP if tile.face == "up" else DOWN


def add_scene(
    shard: Shard, number: int, rng: Rng, finder: Finder | None = None, printed: float = PRINTED_SHARE
) -> None:
    """Draw one scene and take its samples; with a finder, the reader learns on what that finder takes for tiles."""
    tile_px = float(np.exp(rng.uniform(np.log(21), np.log(78))))
    finer = 1.0 if rng.random() < 0.5 else float(rng.uniform(1.0, 2.0))
    size = round(LOCALISER_PX * finer)
    scene = random_scene(rng, size, tile_px * finer, printed)
    to_canvas = _from_above(scene, tile_px, rng) if rng.random() < FROM_ABOVE_SHARE else None
    shard.images[number] = _on_canvas(scene.image_bgr, to_canvas)
    row = 0
    for tile in sorted(scene.tiles, key=lambda t: -t.visible):
        if tile.face != "standing" and tile.visible > 0.1 and row < MOST_TILES:
            quad = (tile.quad_px + 0.5) * (LOCALISER_PX / size) - 0.5
            if to_canvas is not None:
                quad = cv2.perspectiveTransform(tile.quad_px.reshape(-1, 1, 2), to_canvas)[:, 0]
            shard.tiles[number, row, :8] = quad.ravel()
            shard.tiles[number, row, 8:] = (tile.face == "up", tile.visible)
            row += 1
    seen = [t for t in scene.tiles if t.face != "standing" and t.visible > 0.35]
    rng.shuffle(seen)  # type: ignore[arg-type]
    last = shard.count + CROPS_A_SCENE
    if finder is not None:
        _add_found(shard, scene, finder, tile_px * finer, rng)
    negatives = 3 if seen else 2
    for tile in (seen + seen[:4])[: max(0, last - shard.count - negatives)]:
        quad = shaken(tile.quad_px, bool(rng.random() < 0.5), rng)
        if rng.random() < 0.5:
            quad = quad[[2, 3, 0, 1]]
            tile = _turned(tile)
        shard.add_crop(scene, quad, tile, state_of(tile))
    plain = TileTruth(
        np.array([[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]]) * tile_px * finer / 2 + size / 2,
        0,
        0,
        "",
        0,
        np.zeros((0, 2)),
        2,
    )
    for _ in range(negatives * 3):
        if shard.count >= last:
            break
        source = seen[int(rng.integers(0, len(seen)))] if seen else plain
        quad = negative_quad(source, size, rng)
        if quad.min() < -tile_px or quad.max() > size + tile_px:
            continue
        if max((overlap(quad, t.quad_px) for t in scene.tiles), default=0.0) < 0.42:
            shard.add_crop(scene, quad, None, NONE)


def _from_above(scene: Scene, tile_px: float, rng: Rng) -> NDArray[np.float64]:
    """Homography from the scene's px to the localiser's, as vision.birds_eye makes it: every tile of one size."""
    reach_mm = 100.0
    square_mm = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * reach_mm
    seen = scene.plane.to_image(square_mm, scene.tile_mm[2])
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    canvas = square_mm @ spin.T * (tile_px / LENGTH_MM) + LOCALISER_PX / 2
    return cv2.getPerspectiveTransform(seen.astype(np.float32), canvas.astype(np.float32))


def _on_canvas(image: NDArray[np.uint8], to_canvas: NDArray[np.float64] | None) -> NDArray[np.uint8]:
    whole = (LOCALISER_PX, LOCALISER_PX)
    if to_canvas is None:
        return image if image.shape[:2] == whole else cv2.resize(image, whole, interpolation=cv2.INTER_AREA)
    return cv2.warpPerspective(image, to_canvas, whole, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _add_found(shard: Shard, scene: Scene, finder: Finder, tile_px: float, rng: Rng) -> None:
    """Crops of the finder's own candidates, right and wrong ones."""
    found = finder.find(scene.image_bgr, tile_px * float(rng.uniform(0.8, 1.25)))
    rng.shuffle(found)  # type: ignore[arg-type]
    tiles = wrong = 0
    for candidate in found:
        quad = candidate.quad_px if rng.random() < 0.5 else candidate.quad_px[[2, 3, 0, 1]]
        shares = [overlap(quad, t.quad_px) for t in scene.tiles]
        best = int(np.argmax(shares)) if shares else -1
        share = shares[best] if shares else 0.0
        if share < 0.42 and wrong < 5:
            shard.add_crop(scene, quad, None, NONE)
            wrong += 1
        elif share > 0.58 and tiles < 4 and scene.tiles[best].face != "standing" and scene.tiles[best].visible > 0.35:
            tile = scene.tiles[best]
            ends = [
                float(np.linalg.norm((tile.quad_px[0] + tile.quad_px[3]) / 2 - (quad[k] + quad[3 - k]) / 2))
                for k in (0, 1)
            ]
            sides = abs(float(np.dot(_unit(quad), _unit(tile.quad_px))))
            if sides < 0.8:
                continue
            if ends[1] < ends[0]:
                tile = _turned(tile)
            shard.add_crop(scene, quad, tile, state_of(tile))
            tiles += 1


def _unit(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    along = quad[1] - quad[0]
    return np.asarray(along / (np.linalg.norm(along) + 1e-9), np.float64)


def _turned(tile: TileTruth) -> TileTruth:
    """The same tile named from its other end."""
    return TileTruth(tile.quad_px[[2, 3, 0, 1]], tile.b, tile.a, tile.face, tile.visible, 1 - tile.pips, tile.aspect)


def shard_path(folder: Path, seed: int, number: int) -> Path:
    """Where a shard of a pool is kept."""
    return folder / f"shard_{seed:03d}_{number:04d}.npz"


def write_shard(
    path: Path, seed: int, scenes: int, finder: Finder | None = None, printed: float = PRINTED_SHARE
) -> None:
    """Fill and save one shard; whole or not at all."""
    rng = np.random.default_rng(seed)
    shard = Shard(scenes)
    for number in range(scenes):
        add_scene(shard, number, rng, finder, printed)
    n = shard.count
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(
            file,
            images=shard.images,
            tiles=shard.tiles,
            crops=shard.crops[:n],
            labels=shard.labels[:n],
            corners=shard.corners[:n],
            pips=shard.pips[:n],
        )
    part.rename(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", type=int, default=100)
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--found", action="store_true", help="also crops of what vision/weights takes for tiles")
    parser.add_argument("--printed", type=float, default=PRINTED_SHARE, help="share of scenes with printed squares")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    finder = Finder() if options.found else None
    for k in range(options.shards):
        path = shard_path(options.out, options.seed, k)
        if not path.exists():
            write_shard(path, options.seed * 100_000 + k, options.scenes, finder, options.printed)


if __name__ == "__main__":
    main()


__all__ = ["MARGIN_PX", "Shard", "add_scene", "overlap", "write_shard"]
