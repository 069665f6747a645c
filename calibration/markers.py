"""The play area from four ArUco corner markers (DICT_4X4_50, ids 0 to 3): the outer corner of each is the area's."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.marker_fit import refine_marker
from calibration.plane import Array

DEFAULT_MARKER_MM = 40.0
"""Side of the markers on the printed sheet."""
LEAST_EXPLAINED = 0.85
"""Of the picture's brightness, by a marker whose code was read; less means that something covers part of it."""
MOST_ENLARGED_PX = 3_000_000
"""Pictures of more pixels show markers large enough, and would take seconds when enlarged."""
SURELY_EXPLAINED = 0.93
"""By a marker whose code was not read."""


def marker_corners_mm(area_mm: tuple[float, float], marker_mm: float) -> Array:
    """Where the markers' corners lie on the table, (4, 4, 2) mm: marker 0 to 3, each clockwise from its top left."""
    width, height = area_mm
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * marker_mm
    right, bottom = width - marker_mm, height - marker_mm
    offsets = np.array([[0, 0], [right, 0], [right, bottom], [0, bottom]], np.float64)
    return np.asarray(square[None] + offsets[:, None], np.float64)


def find_markers(image: NDArray[np.uint8], thorough: bool = True) -> dict[int, Array]:
    """The corner markers in a picture (height, width, 3) BGR: number 0 to 3 -> corners (4, 2) px, fitted.

    A number that is seen twice is left out. `thorough` looks again at a larger picture when some are missing.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    found = _detected(grey, 1)
    if thorough and len(found) < 4 and grey.size <= MOST_ENLARGED_PX:
        found = {**_detected(grey, 2), **found}
    fitted: dict[int, Array] = {}
    for number, rough in sorted(found.items()):
        corners, explained = refine_marker(grey, number, rough)
        if explained >= LEAST_EXPLAINED:
            fitted[number] = corners
    return fitted


def look_for_marker(image: NDArray[np.uint8], number: int, expected_px: Array) -> Array | None:
    """Marker `number` near where it is expected, (4, 2) px, though no code was read there (glare, dirt); else None."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    corners, explained = refine_marker(grey, number, expected_px)
    moved = float(np.abs(corners - expected_px).max())
    side = float(np.linalg.norm(expected_px[1] - expected_px[0]))
    return corners if explained >= SURELY_EXPLAINED and moved < side / 4 else None


def _detected(grey: NDArray[np.uint8], scale: int) -> dict[int, Array]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    if scale > 1:
        grey = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
        # Small markers in weak contrast: more thresholds are tried, more of the code's bits may be wrong.
        parameters.adaptiveThreshWinSizeMin, parameters.adaptiveThreshWinSizeMax = 5, 45
        parameters.adaptiveThreshWinSizeStep = 8
        parameters.perspectiveRemovePixelPerCell = 8
        parameters.errorCorrectionRate = 0.8
        parameters.polygonalApproxAccuracyRate = 0.05
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(grey)
    found: dict[int, Array] = {}
    doubled = set()
    for outline, number in zip(corners, [] if ids is None else [int(k) for k in np.asarray(ids).ravel()], strict=True):
        if number in range(4):
            if number in found:
                doubled.add(number)
            found[number] = (np.asarray(outline, np.float64).reshape(4, 2) + 0.5) / scale - 0.5
    return {number: outline for number, outline in found.items() if number not in doubled}
