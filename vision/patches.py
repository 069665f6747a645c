"""Places where a tile may lie, found without any net: patches of one colour that have a tile's size and shape.

A plain back on a plain table is little to learn from, but it is a clean patch. Works in a view in which every tile has
the same known size; rows of touching backs come out as one patch and are cut up.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import Quad

LEVELS = 10  # brightness levels that are tried; the colour channels get half as many
LEAST_STEP = 4.0  # grey levels between two of them
EXTREMES = (0.1, 99.9)  # per cent of the view that the levels lie between; a tile on a whole table is some 0.2
SIZE_SLACK = 0.16  # a patch may be so much longer or wider than a tile, or shorter or narrower
LEAST_FILLED = 0.8  # of its rectangle
MOST_IN_A_ROW = 8
SAMPLED = 6  # one pixel of so many, each way, tells how bright the picture is


def tile_patches(
    view_bgr: NDArray[np.uint8], length_px: float, width_px: float, whole_bgr: NDArray[np.uint8] | None = None
) -> list[tuple[Quad, float]]:
    """Outlines (4, 2) in px of the view, corners 0 and 3 at one short end, each with the share of it that is filled.

    `whole_bgr` is the picture that the view shows a part of. The levels come from it: those of a small part of a bare
    table would be fine enough to make patches of its grain.
    """
    out: list[tuple[Quad, float]] = []
    lab = cv2.cvtColor(cv2.medianBlur(view_bgr, 3), cv2.COLOR_BGR2LAB)
    sample = cv2.cvtColor(
        np.ascontiguousarray((view_bgr if whole_bgr is None else whole_bgr)[::SAMPLED, ::SAMPLED]), cv2.COLOR_BGR2LAB
    )
    area = length_px * width_px
    for number, (channel, all_of_it) in enumerate(zip(cv2.split(lab), cv2.split(sample), strict=True)):
        for level in _levels(np.asarray(all_of_it, np.uint8), LEVELS if number == 0 else LEVELS // 2):
            mask = (channel > level).astype(np.uint8)
            for patch in (mask, 1 - mask):
                out += _of_size(patch, length_px, width_px, area)
    return out


def _levels(channel: NDArray[np.uint8], count: int) -> list[float]:
    low, high = np.percentile(channel, EXTREMES)
    count = int(min(count, (high - low) / LEAST_STEP))
    return [float(low + (high - low) * (k + 1) / (count + 1)) for k in range(count)]


def _of_size(patch: NDArray[np.uint8], length: float, width: float, area: float) -> list[tuple[Quad, float]]:
    """The connected parts that are a tile, or a row of tiles side by side or end to end."""
    out: list[tuple[Quad, float]] = []
    if not 0.5 * area < cv2.countNonZero(patch) < patch.size:  # a level that this part of the picture does not reach
        return out
    _, labels, stats, _ = cv2.connectedComponentsWithStats(patch, connectivity=4)
    sizes = stats[:, cv2.CC_STAT_AREA]
    for k in (1 + np.flatnonzero((sizes[1:] > 0.5 * area) & (sizes[1:] < 1.2 * MOST_IN_A_ROW * area))).tolist():
        x, y, w, h, _ = stats[k].tolist()
        part = (labels[y : y + h, x : x + w] == k).astype(np.uint8)
        contours, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        outline = max(contours, key=cv2.contourArea)
        box = cv2.minAreaRect(outline)
        sides = np.array(box[1]) + 1.0
        filled = (cv2.contourArea(outline) + cv2.arcLength(outline, True) / 2) / float(sides[0] * sides[1])
        if filled < LEAST_FILLED:
            continue
        corners = cv2.boxPoints((box[0], tuple(sides.tolist()), box[2])).astype(np.float64) + np.array([x, y])
        # boxPoints goes round the rectangle; sides[1] is the one from corner 0 to corner 1
        for quad, along, across in ((corners, sides[1], sides[0]), (np.roll(corners, -1, 0), sides[0], sides[1])):
            out += [(q, min(filled, 1.0)) for q in _cut_up(quad, float(along), float(across), length, width)]
    return out


def _cut_up(quad: Quad, along: float, across: float, length: float, width: float) -> list[Quad]:
    """Tiles whose long sides lie along corner 0 to 1, in a rectangle so long and wide; none if it does not fit."""
    in_line, in_row = max(1, round(along / length)), max(1, round(across / width))
    if (in_line > 1 and in_row > 1) or max(in_line, in_row) > MOST_IN_A_ROW:
        return []
    if abs(along / in_line / length - 1) > SIZE_SLACK or abs(across / in_row / width - 1) > SIZE_SLACK:
        return []
    u, v = (quad[1] - quad[0]) / in_line, (quad[3] - quad[0]) / in_row
    starts = [quad[0] + i * u + j * v for i in range(in_line) for j in range(in_row)]
    return [np.array([s, s + u, s + u + v, s + v]) for s in starts]
