"""Tells a tile from the near side of another one: seen at a slant, a dark side passes for the face of one more tile.

The thickness of the tiles and the table's plane say where each tile's own sides are seen. A face has one colour
throughout; an outline that is of one colour where another tile's side would be, and of another beyond, shows that side.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.quads import Quad, area_px, shared_px

LEAST_ON_SIDE = 0.15  # of an outline must lie where a side would be seen, or there is nothing to compare
LEAST_BEYOND = 0.1  # and so much beyond it
ONE_COLOUR = 12.0  # distance in CIELAB (8 bit); faces measured 0 to 5 within themselves, sides and what is beyond 24 up
FEWEST_PX = 12


def show_sides(
    image_bgr: NDArray[np.uint8],
    quads: list[Quad],
    doubtful: list[bool],
    plane: TablePlane,
    tile_mm: tuple[float, float, float],
    gain: float,
) -> list[bool]:
    """Of which `doubtful` outlines (4, 2) in px the picture shows another tile's side; False for all the others.

    `gain` evens out the exposure, see vision.normal. Pips would have two colours, so a face that is read is no doubt.
    """
    hulls = [_with_sides(quad, plane, tile_mm) for quad in quads]
    out = []
    for i, quad in enumerate(quads):
        beside = [
            k
            for k in range(len(quads))
            if doubtful[i] and k != i and _on_side_px(quad, quads[k], hulls[k]) > LEAST_ON_SIDE * area_px(quad)
        ]
        out.append(any(_two_colours(image_bgr, quad, quads[k], hulls[k], gain) for k in beside))
    return out


def _with_sides(quad: Quad, plane: TablePlane, tile_mm: tuple[float, float, float]) -> Quad:
    """The face together with the sides that the camera sees: the hull of the upper and the lower outline."""
    length, width, thickness = tile_mm
    foot = plane.to_image(plane.pose_of_quad(quad, thickness).corners_mm(length, width))
    return np.asarray(cv2.convexHull(np.vstack([quad, foot]).astype(np.float32))[:, 0], np.float64)


def _on_side_px(quad: Quad, other: Quad, hull: Quad) -> float:
    return shared_px(hull, quad) - shared_px(other, quad)


def _two_colours(image_bgr: NDArray[np.uint8], quad: Quad, other: Quad, hull: Quad, gain: float) -> bool:
    low = np.maximum(np.floor(quad.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + 1, image_bgr.shape[1::-1])
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    if not part.size:
        return False
    lab = cv2.cvtColor(cv2.blur(part, (3, 3)), cv2.COLOR_BGR2LAB).astype(np.float64)
    face, whole, own = (filled(q - low, part.shape[:2]) for q in (other, hull, quad))
    side, beyond = lab[own & whole & ~face], lab[own & ~whole]
    if len(side) < FEWEST_PX or len(beyond) < max(FEWEST_PX, LEAST_BEYOND * own.sum()):
        return False
    apart = np.linalg.norm(np.median(side, 0) - np.median(beyond, 0)) * gain
    return bool(apart > ONE_COLOUR)


def filled(quad: Quad, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """The pixels of a picture of this shape (rows, columns) that lie in a convex outline."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return np.asarray(mask > 0)
