"""The table from straight above, at the height of the tiles' faces: there every tile has one size, near or far.

View frame: pixels, x and y along the table's x and y, the view's first pixel at the corner it was made from.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.quads import Quad

GRID_PX = 8  # between the points whose place is computed; between them the place is interpolated


class BirdsEye:
    """A straightened part of one picture, and the way between the two."""

    def __init__(
        self,
        image_bgr: NDArray[np.uint8],
        plane: TablePlane,
        corner_mm: NDArray[np.float64],
        size_mm: NDArray[np.float64],
        px_per_mm: float,
        height_mm: float,
    ) -> None:
        """image_bgr: the whole picture `plane` belongs to; corner_mm and size_mm (2,) say which part of the table."""
        self._plane = plane
        self._corner_mm = corner_mm
        self._px_per_mm = px_per_mm
        self._height_mm = height_mm
        columns, rows = np.ceil(size_mm * px_per_mm / GRID_PX).astype(int)
        xs, ys = np.meshgrid(np.arange(columns + 1) * GRID_PX, np.arange(rows + 1) * GRID_PX)
        there = self.to_picture(np.stack([xs.ravel(), ys.ravel()], 1).astype(np.float64))
        coarse = np.nan_to_num(there, nan=-1e4).reshape(rows + 1, columns + 1, 2)
        # resize speaks of pixel areas: this affine map puts grid point k exactly at view pixel k * GRID_PX
        place = np.array([[GRID_PX, 0, 0], [0, GRID_PX, 0]], np.float64)
        size = (int(columns * GRID_PX) + 1, int(rows * GRID_PX) + 1)
        fine = cv2.warpAffine(coarse.astype(np.float32), place, size, borderMode=cv2.BORDER_REPLICATE)
        view = cv2.remap(image_bgr, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        self.image_bgr = np.asarray(view, np.uint8)

    def to_picture(self, points: Quad) -> Quad:
        """Pixels (n, 2) of the picture where these points (n, 2) of the view are seen."""
        return self._plane.to_image(self._corner_mm + points / self._px_per_mm, self._height_mm)

    def from_picture(self, points_px: Quad) -> Quad:
        """Points (n, 2) of the view where these pixels (n, 2) of the picture come to lie."""
        return (self._plane.to_table(points_px, self._height_mm) - self._corner_mm) * self._px_per_mm
