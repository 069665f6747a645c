"""The play area from four ArUco corner markers (DICT_4X4_50, ids 0 to 3): the outer corner of each is the area's."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Array

DEFAULT_MARKER_MM = 40.0
"""Side of the markers on the printed sheet."""


@dataclass(frozen=True, slots=True, eq=False)
class CornerMarkers:
    """All four markers of a play area as one picture shows them."""

    corners_px: Array
    """Each marker's corners, (4, 4, 2): marker 0 to 3; its top left, top right, bottom right, bottom left corner."""

    def area_px(self) -> Array:
        """The play area's corners, (4, 2): top left, top right, bottom right, bottom left."""
        return np.array([self.corners_px[k, k] for k in range(4)])

    def area_mm(self, marker_mm: float = DEFAULT_MARKER_MM) -> tuple[float, float]:
        """Width and height of the play area, measured with the markers' own sides as the ruler.

        Found as the size whose one homography fits all sixteen corners best.
        """
        size = np.array([12.0, 12.0]) * marker_mm
        for _ in range(60):
            residual = self._residual(size, marker_mm)
            columns = [(self._residual(size + d, marker_mm) - residual) / 0.5 for d in ([0.5, 0.0], [0.0, 0.5])]
            step, *_ = np.linalg.lstsq(np.column_stack(columns), -residual, rcond=None)
            size = np.maximum(size + np.clip(step, -size / 3, size / 3), 2.5 * marker_mm)
            if np.abs(step).max() < 0.01:
                break
        return float(size[0]), float(size[1])

    def _residual(self, size_mm: Array, marker_mm: float) -> Array:
        """Misfit of the sixteen corners, (32,) px, for an area of `size_mm` and its best homography."""
        table = marker_corners_mm((float(size_mm[0]), float(size_mm[1])), marker_mm).reshape(-1, 2)
        image = self.corners_px.reshape(-1, 2)
        homography, _ = cv2.findHomography(table, image, 0)
        if homography is None:
            return np.full(len(image) * 2, 1e3)
        fitted = cv2.perspectiveTransform(table.reshape(-1, 1, 2), homography).reshape(-1, 2)
        return np.asarray((fitted - image).ravel(), np.float64)


def marker_corners_mm(area_mm: tuple[float, float], marker_mm: float) -> Array:
    """Where the markers' corners lie on the table, (4, 4, 2) mm, in the order of `CornerMarkers.corners_px`."""
    width, height = area_mm
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * marker_mm
    right, bottom = width - marker_mm, height - marker_mm
    offsets = np.array([[0, 0], [right, 0], [right, bottom], [0, bottom]], np.float64)
    return np.asarray(square[None] + offsets[:, None], np.float64)


def find_corner_markers(image: NDArray[np.uint8]) -> CornerMarkers | None:
    """The four corner markers in a picture (height, width, 3) BGR, or None when not all four are seen once."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), _parameters())
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    if ids is None:
        return None
    found: dict[int, Array] = {}
    for outline, number in zip(corners, [int(k) for k in np.asarray(ids).ravel()], strict=True):
        if number in range(4):
            if number in found:
                return None
            found[number] = np.asarray(outline, np.float64).reshape(4, 2)
    if len(found) < 4:
        return None
    return CornerMarkers(np.array([found[k] for k in range(4)]))


def _parameters() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return parameters
