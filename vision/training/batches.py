"""Reads shards and makes batches: cheap changes of the samples (mirrors, turns, gain) and the targets of the nets."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import cut
from vision.normal import crop_input, picture_input
from vision.training.faces import Rng
from vision.training.nets import AXIS_PX
from vision.training.samples import shard_path

CELL = 4
NONE = 3  # the reader's state for what is no tile
STRADDLES = 0.55  # share of the crops without a tile that are replaced by crops across a joint
LENGTHS_PX = (28.0, 60.0)  # lengths of tiles in the localiser's input


def shards_of(folder: Path, seed: int, count: int, held_out: bool) -> list[Path]:
    """The shards a pool of this seed has, or is going to have; every twentieth is kept for testing."""
    return [shard_path(folder, seed, k) for k in range(count) if (k % 20 == 7) == held_out]


def _passes(paths: list[Path], rng: Rng, change: bool) -> Iterator[Path]:
    """Once in order; when `change`, then for ever in another order each time. Waits for shards still being made."""
    for path in paths:
        while change and not path.exists():
            time.sleep(2)
        yield path
    while change:
        yield from rng.permutation(np.array(paths, object))


def localiser_target(
    tiles: NDArray[np.float32], size_px: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Maps (9, g, g) as vision.training.nets.Localiser answers, weight of the centre and inside maps, of the others.

    Every cell inside a tile tells where its centre is and how it lies, not only the cells at the centre: that teaches
    the borders between touching tiles, and learns many times faster than centres alone.
    """
    grid = size_px // CELL
    maps = np.zeros((9, grid, grid), np.float32)
    heat_weight = np.ones((grid, grid), np.float32)
    weight = np.zeros((grid, grid), np.float32)
    rows, columns = np.mgrid[0:grid, 0:grid].astype(np.float32)
    known = tiles[~np.isnan(tiles[:, 0])]
    for tile in known[np.argsort(known[:, 9])]:  # the best seen last, as they lie on top
        quad, up, visible = tile[:8].reshape(4, 2), tile[8], tile[9]
        cells = (quad + 0.5) / CELL - 0.5
        middle = cells.mean(0)
        low = np.clip(np.floor(cells.min(0)).astype(int) - 1, 0, grid)
        high = np.clip(np.ceil(cells.max(0)).astype(int) + 2, 0, grid)
        if (high <= low).any():
            continue
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        inside = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        shrunk = middle + (cells - middle) * 0.88 - low
        cv2.fillConvexPoly(inside, np.round(shrunk * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        part = inside > 0
        if visible < 0.55:
            heat_weight[window][part] = 0
            continue
        u = (quad[1] - quad[0] + quad[2] - quad[3]) / 4
        v = (quad[3] - quad[0] + quad[2] - quad[1]) / 4
        long, wide = float(np.hypot(*u)), float(np.hypot(*v))
        dx, dy = middle[0] - columns[window], middle[1] - rows[window]
        sigma = float(np.clip(0.32 * wide / CELL, 0.7, 1.6))
        heat = np.exp(-(dx**2 + dy**2) / (2 * sigma**2))
        np.maximum(maps[0][window], heat, out=maps[0][window])
        tu, tv = np.arctan2(u[1], u[0]) * 2, np.arctan2(v[1], v[0]) * 2
        shape = (long * np.cos(tu), long * np.sin(tu), wide * np.cos(tv), wide * np.sin(tv))
        maps[1][window][part] = dx[part] * CELL / AXIS_PX
        maps[2][window][part] = dy[part] * CELL / AXIS_PX
        for k, value in enumerate(shape):
            maps[3 + k][window][part] = value / AXIS_PX
        maps[7][window][part] = up
        maps[8][window][part] = 1.0
        weight[window][part] = 0.4 + heat[part]
    return maps, heat_weight, weight


def turned_picture(
    image: NDArray[np.uint8], tiles: NDArray[np.float32], rng: Rng
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Mirror, quarter turns, and a zoom to the tile sizes the finder works at; the axes are symmetric."""
    size = image.shape[0]
    known = tiles[~np.isnan(tiles[:, 0])]
    zoom = 1.0
    if len(known):
        usual = float(np.median(np.hypot(known[:, 2] - known[:, 0], known[:, 3] - known[:, 1])))
        wanted = float(np.exp(rng.uniform(*np.log(LENGTHS_PX))))
        zoom = float(np.clip(wanted / max(usual, 1.0), 0.6, 2.0))
    quarter = int(rng.integers(0, 4)) * 90
    move = cv2.getRotationMatrix2D((size / 2 - 0.5, size / 2 - 0.5), quarter, zoom)
    if rng.random() < 0.5:
        move[0] *= -1
        move[0, 2] += size - 1
    out = cv2.warpAffine(image, move, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    if zoom < 1.0:  # mirrored borders would show tiles without truth
        out = cv2.warpAffine(image, move, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    moved = tiles.copy()
    corners = moved[:, :8].reshape(-1, 2)
    moved[:, :8] = (corners @ move[:, :2].T + move[:, 2]).reshape(-1, 8)
    return np.asarray(out, np.uint8), moved.astype(np.float32)


def localiser_batches(
    paths: list[Path], batch: int, rng: Rng, change: bool
) -> Iterator[tuple[NDArray[np.float32], ...]]:
    """Endless when `change`, else once: pictures (n, 3, s, s), maps, heat weights, weights."""
    for path in _passes(paths, rng, change):
        with np.load(path) as data:
            images, tiles = data["images"], data["tiles"]
        order = rng.permutation(len(images)) if change else np.arange(len(images))
        for at in range(0, len(order) - batch + 1, batch):
            rows = []
            for i in order[at : at + batch]:
                image, quads = images[i], tiles[i]
                if change:
                    image, quads = turned_picture(image, quads, rng)
                    if rng.random() < 0.3:
                        image = image[..., rng.permutation(3)]
                rows.append((picture_input(image), *localiser_target(quads, image.shape[0])))
            yield tuple(np.stack(part) for part in zip(*rows, strict=True))


def pip_map(pips: NDArray[np.float32]) -> NDArray[np.float32]:
    """(16, 28) map with a soft spot at each pip of a crop."""
    maps = np.zeros((16, 28), np.float32)
    for x, y in pips[~np.isnan(pips[:, 0])]:
        gx, gy = (x + 0.5) / 4 - 0.5, (y + 0.5) / 4 - 0.5
        x0, x1, y0, y1 = max(0, int(gx) - 2), min(28, int(gx) + 4), max(0, int(gy) - 2), min(16, int(gy) + 4)
        if x1 > x0 and y1 > y0:
            ys, xs = np.mgrid[y0:y1, x0:x1]
            spot = np.exp(-((xs - gx) ** 2 + (ys - gy) ** 2) / (2 * 0.75**2))
            np.maximum(maps[y0:y1, x0:x1], spot, out=maps[y0:y1, x0:x1])
    return maps


def straddle(image: NDArray[np.uint8], tiles: NDArray[np.float32], rng: Rng) -> NDArray[np.uint8] | None:
    """A crop across the joint of two touching tiles, which shows half of each and is no tile; None if none touch."""
    quads = tiles[~np.isnan(tiles[:, 0]), :8].reshape(-1, 4, 2).astype(np.float64)
    if len(quads) < 2:
        return None
    first = quads[int(rng.integers(0, len(quads)))]
    u, v = (first[1] - first[0]) / 2, (first[3] - first[0]) / 2
    middles = quads.mean(1)
    away = np.hypot(*(middles - first.mean(0)).T)
    near = np.argsort(away)[1:4]
    second = quads[int(rng.choice(near))]
    across = middles[int(near[0])] - first.mean(0) if rng.random() < 0.3 else second.mean(0) - first.mean(0)
    if np.hypot(*across) > 2.3 * np.hypot(*u):
        return None
    along = across / max(float(np.hypot(*across)), 1e-6)
    size_u, size_v = float(np.hypot(*u)), float(np.hypot(*v))
    turn = np.radians(rng.normal(0, 3))
    along = np.array(
        [along[0] * np.cos(turn) - along[1] * np.sin(turn), along[0] * np.sin(turn) + along[1] * np.cos(turn)]
    )
    middle = first.mean(0) + across * rng.uniform(0.42, 0.58) + rng.normal(0, 0.05, 2) * size_v
    hu = along * size_u * rng.uniform(0.85, 1.15)
    hv = np.array([-along[1], along[0]]) * size_v * rng.uniform(0.85, 1.15)
    quad = np.array([middle - hu - hv, middle + hu - hv, middle + hu + hv, middle - hu + hv])
    if max(_overlap(quad, q) for q in quads) > 0.45:
        return None
    return cut(image, quad)


def _overlap(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    if (a.max(0) < b.min(0)).any() or (b.max(0) < a.min(0)).any():
        return 0.0
    shared, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    whole = cv2.contourArea(a.astype(np.float32)) + cv2.contourArea(b.astype(np.float32)) - shared
    return float(shared / whole) if whole > 0 else 0.0


def reader_batches(paths: list[Path], batch: int, rng: Rng, change: bool) -> Iterator[tuple[NDArray[np.generic], ...]]:
    """Endless when `change`, else once: crops (n, 3, 64, 112), labels (n, 3), corners (n, 4, 2), pip maps."""
    for path in _passes(paths, rng, change):
        with np.load(path) as data:
            crops, labels, corners, pips = data["crops"], data["labels"], data["corners"], data["pips"]
            images, tiles = data["images"], data["tiles"]
        order = rng.permutation(len(crops)) if change else np.arange(len(crops))
        for at in range(0, len(order) - batch + 1, batch):
            rows = []
            for i in order[at : at + batch]:
                crop, label, corner, pip = crops[i], labels[i, :3].astype(np.int64), corners[i], pips[i]
                h, w = crop.shape[:2]
                if change and label[2] == NONE and rng.random() < STRADDLES:
                    scene = int(rng.integers(0, len(images)))
                    joint = straddle(images[scene], tiles[scene], rng)
                    crop = crop if joint is None else joint
                if change:
                    if rng.random() < 0.5:  # mirrored across: every layout has its mirror image in some set
                        crop = crop[::-1]
                        corner = (corner * [1, -1] + [0, h - 1])[[3, 2, 1, 0]]
                        pip = pip * [1, -1] + [0, h - 1]
                    if rng.random() < 0.5:
                        crop = crop[::-1, ::-1]
                        corner = ([w - 1, h - 1] - corner)[[2, 3, 0, 1]]
                        pip = [w - 1, h - 1] - pip
                        label = label[[1, 0, 2]]
                    if rng.random() < 0.35:
                        crop = crop[..., rng.permutation(3)]
                    if rng.random() < 0.1:
                        crop = 255 - crop
                    if rng.random() < 0.35:
                        noise = rng.normal(0, rng.uniform(1, 9), crop.shape)
                        crop = np.clip(crop + noise, 0, 255).astype(np.uint8)
                    if rng.random() < 0.2:
                        crop = cv2.GaussianBlur(np.ascontiguousarray(crop), (0, 0), rng.uniform(0.4, 1.6))
                rows.append((crop_input(crop), label, corner.astype(np.float32), pip_map(pip)))
            yield tuple(np.stack(part) for part in zip(*rows, strict=True))
