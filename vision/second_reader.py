"""A second, classical reading of a straightened tile: the drawn layouts are laid over it, and the best fit counts.

Knows nothing of the nets. It sees how far each spot is from the colour of the tile's body, and compares that with the
pip layouts there are, by correlation; so it depends on no colour and no polarity. Of hard drawn crops it reads 85 in
100 western and 95 in 100 Chinese halves, and errs on others than the nets do: that is what a witness is for; see
vision.confidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import CROP_SIZE_PX, MARGIN_PX
from vision.pips import PipLayout, pips_of
from vision.sets import CHINESE_PAIRS

GRID = 24  # cells across a tile; a half is GRID x GRID, a whole tile 2 GRID x GRID
RIM = 2  # cells at the edges that do not count: bevels, light along them, the next tile
BAR = 3  # the same beside the middle of a western tile
FARTHEST = 80.0  # a colour farther from the body's than this is as good as any other
NOISE = 40.0  # length of what mere grain and shading add up to over a half
BLANK_FIT = 0.5  # a half on which nothing fits better than this is blank


@dataclass(frozen=True, slots=True)
class _Layout:
    chinese: bool
    spread: float
    turned: bool = False
    mirrored: bool = False
    variant: int = 0
    crowded: float = 0.5
    pitch: float = 1.0


def second_look(crop_bgr: NDArray[np.uint8], chinese: bool | None = None) -> NDArray[np.float64]:
    """How well each face fits, (13, 13) for half a and half b, about -1..1; crop (64, 112, 3) as vision.crops cuts it.

    `chinese` says which layouts there are; None tries both and lets the better speak for its kind.
    """
    far = _away_from_body(crop_bgr)
    fits: NDArray[np.float64] = np.full((13, 13), -1.0)
    if chinese is not True:
        a, b = _half_fits(far[:, :GRID]), _half_fits(far[::-1, : GRID - 1 : -1])
        fits = (a[:, None] + b[None, :]) / 2
    if chinese is not False:
        fits = np.maximum(fits, _whole_fits(far))
    return fits


def _away_from_body(crop_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Distance of each cell's colour from that of the body around it, (GRID, 2 GRID)."""
    w, h = CROP_SIZE_PX
    lab = cv2.cvtColor(crop_bgr, cv2.COLOR_BGR2LAB).astype(np.float32)
    face = lab[MARGIN_PX : h - MARGIN_PX, MARGIN_PX : w - MARGIN_PX]
    small = cv2.resize(face, (2 * GRID, GRID), interpolation=cv2.INTER_AREA)
    out = np.empty((GRID, 2 * GRID), np.float32)
    for half in (slice(0, GRID), slice(GRID, 2 * GRID)):
        body = np.median(small[:, half].reshape(-1, 3), axis=0)
        out[:, half] = np.minimum(np.linalg.norm(small[:, half] - body, axis=2), FARTHEST)
    return out


def _half_fits(far: NDArray[np.float32]) -> NDArray[np.float64]:
    values, patterns, counted = _half_patterns()
    fits = np.full(13, -1.0)
    np.maximum.at(fits, values, _correlation(far[counted], patterns))
    fits[0] = BLANK_FIT
    return fits


def _whole_fits(far: NDArray[np.float32]) -> NDArray[np.float64]:
    faces, patterns, counted = _chinese_patterns()
    fits = np.full(169, -1.0)
    np.maximum.at(fits, faces, _correlation(far[counted], patterns))
    return fits.reshape(13, 13)


def _correlation(seen: NDArray[np.float32], patterns: NDArray[np.float32]) -> NDArray[np.float64]:
    seen = seen - seen.mean()
    return np.asarray(patterns @ seen / (float(np.linalg.norm(seen)) + NOISE), np.float64)


@cache
def _half_patterns() -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.bool_]]:
    """Value and pattern of each western half that may be met, and the cells they are made of."""
    counted = np.zeros((GRID, GRID), np.bool_)
    counted[RIM : GRID - RIM, RIM : GRID - BAR] = True
    values, patterns = [], []
    for value in range(1, 13):
        radii = (0.065, 0.08) if value > 9 else (0.07, 0.1) if value > 6 else (0.075, 0.1, 0.13)
        kinds = product(
            (0.48, 0.54, 0.6, 0.66),
            (False, True) if value >= 6 else (False,),
            (False, True) if value in (2, 3) else (False,),
            (0, 3) if value in (10, 11) else (0,),
        )
        for (spread, turned, mirrored, variant), radius in product(kinds, radii):
            layout = _Layout(False, spread, turned, mirrored, variant)
            values.append(value)
            patterns.append(_pattern(layout, value, 0, radius)[:, :GRID][counted])
    return np.array(values), _unit(patterns), counted


@cache
def _chinese_patterns() -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.bool_]]:
    """The same for whole Chinese tiles; a face is 13 a + b."""
    counted = np.zeros((GRID, 2 * GRID), np.bool_)
    counted[RIM : GRID - RIM, RIM : 2 * GRID - RIM] = True
    faces, patterns = [], []
    for high, low in CHINESE_PAIRS:
        odd = {(4, 4): (0, 4), (3, 3): (0, 8)}.get((high, low), (0,))
        kinds = product((0.6, 0.78), (False, True), odd, (0.0, 1.0), (0.72, 0.86, 1.0), (0.1, 0.14))
        for (spread, mirrored, variant, crowded, pitch, radius), turned in product(kinds, (False, True)):
            a, b = (low, high) if turned else (high, low)
            layout = _Layout(True, spread, False, mirrored, variant, crowded, pitch)
            faces.append(13 * a + b)
            patterns.append(_pattern(layout, a, b, radius)[counted])
    return np.array(faces), _unit(patterns), counted


def _pattern(layout: PipLayout, a: int, b: int, radius: float) -> NDArray[np.float32]:
    """Soft spots where the pips are, (GRID, 2 GRID); radius in parts of the tile's width."""
    ys, xs = np.mgrid[0:GRID, 0 : 2 * GRID].astype(np.float32)
    out = np.zeros((GRID, 2 * GRID), np.float32)
    sigma = 0.75 * radius * GRID
    for u, v, _, _ in pips_of(layout, a, b):
        x, y = u * 2 * GRID - 0.5, v * GRID - 0.5
        np.maximum(out, np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * sigma**2)), out=out)
    return out


def _unit(patterns: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Patterns without their mean, of length 1, (n, cells)."""
    rows = np.stack(patterns)
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)
