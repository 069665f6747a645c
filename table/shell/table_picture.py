"""The calibrated table drawn into its picture: play area, millimetre grid, seats, boneyard, markers, glare.

Only figures are written, no words; whoever shows the picture explains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Array, TablePlane
from calibration.table_file import SeatStrip

AREA, GRID, SEAT, YARD, MARKER, GLARE = (
    (60, 220, 60), (130, 130, 130), (230, 160, 40), (40, 180, 240), (220, 60, 220), (60, 60, 240),
)  # fmt: skip
"""BGR."""
GRID_MM = 100.0


def draw_table(
    image: NDArray[np.uint8],
    plane: TablePlane,
    strips: Sequence[SeatStrip] = (),
    boneyard_mm: tuple[float, float, float, float] | None = None,
    markers: dict[int, Array] | None = None,
    glare: Sequence[Array] = (),
) -> NDArray[np.uint8]:
    """A copy of the picture with the table on it; seats are numbered from 1, as people count."""
    drawn = image.copy()
    size = max(1.0, max(image.shape[:2]) / 900)
    width, height = plane.size_mm
    for x in np.arange(GRID_MM, width, GRID_MM):
        _line(drawn, plane, [(float(x), 0.0), (float(x), height)], GRID, 1)
    for y in np.arange(GRID_MM, height, GRID_MM):
        _line(drawn, plane, [(0.0, float(y)), (width, float(y))], GRID, 1)
    for number, strip in enumerate(strips, start=1):
        corners = strip_corners_mm(strip, plane.size_mm)
        _line(drawn, plane, [*corners, corners[0]], SEAT, round(2 * size))
        middle = plane.to_image([np.mean(corners, axis=0)])[0]
        _figure(drawn, str(number), middle, SEAT, size)
    if boneyard_mm is not None:
        x, y, w, h = boneyard_mm
        _line(drawn, plane, [(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)], YARD, round(2 * size))
    outline = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height), (0.0, 0.0)]
    _line(drawn, plane, outline, AREA, round(2 * size))
    for number, corners_px in (markers or {}).items():
        cv2.polylines(drawn, [np.round(corners_px).astype(np.int32)], True, MARKER, round(2 * size), cv2.LINE_AA)
        _figure(drawn, str(number), corners_px.mean(axis=0), MARKER, size)
    for spot in glare:
        cv2.polylines(drawn, [np.round(spot).astype(np.int32)], True, GLARE, round(2 * size), cv2.LINE_AA)
    return drawn


def strip_corners_mm(strip: SeatStrip, area_mm: tuple[float, float]) -> list[tuple[float, float]]:
    """The corners of a seat's strip on the table. Its span runs clockwise as imaged."""
    width, height = area_mm
    depth = float(strip.depth_mm or 0)
    along = height if strip.edge in ("left", "right") else width
    start, end = (share * along for share in strip.span)
    if strip.edge == "top":
        return [(start, 0.0), (end, 0.0), (end, depth), (start, depth)]
    if strip.edge == "right":
        return [(width, start), (width, end), (width - depth, end), (width - depth, start)]
    if strip.edge == "bottom":
        return [(width - start, height), (width - end, height), (width - end, height - depth),
                (width - start, height - depth)]  # fmt: skip
    return [(0.0, height - start), (0.0, height - end), (depth, height - end), (depth, height - start)]


def _line(
    image: NDArray[np.uint8],
    plane: TablePlane,
    points_mm: Sequence[tuple[float, float]],
    colour: tuple[int, int, int],
    thickness: int,
) -> None:
    """A line on the table, which a lens bends: it is drawn in many short pieces."""
    for start, end in pairwise(points_mm):
        pieces = plane.to_image(np.linspace(start, end, 16))
        if np.isfinite(pieces).all():
            near = np.clip(pieces, -4 * image.shape[1], 4 * image.shape[1])
            cv2.polylines(image, [np.round(near).astype(np.int32)], False, colour, max(1, thickness), cv2.LINE_AA)


def _figure(image: NDArray[np.uint8], text: str, middle: Array, colour: tuple[int, int, int], size: float) -> None:
    scale, weight = 0.8 * size, max(1, round(2 * size))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    at = (round(float(middle[0]) - width / 2), round(float(middle[1]) + height / 2))
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 2 * weight, cv2.LINE_AA)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, weight, cv2.LINE_AA)
