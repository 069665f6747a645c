"""Corners of an ArUco marker to about a seventh of a pixel: the whole printed pattern is laid over the picture.

A corner detector looks at one corner and is half a pixel off where the paper is bright and the marker small; here all
cells of the pattern pull together. Brightness, its slope, blur, and white bleeding over black are fitted along. All in
linear light: a lens blurs light, and the camera's curve afterwards makes each black square 0.1 px too large.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Array

CELLS = 6
"""Cells along a marker's side, with its black border: 4 of the code and one on either side."""
_FINE = 8  # samples of the drawn pattern a cell
_SAMPLES = 5  # points compared a cell
_QUIET = 0.6  # so many cells of white paper around take part
_ROUNDS = 12
_MOST_STEP_PX = 1.5
_BLUR_PX = 0.8  # of a sharp camera; the difference to the real one is fitted


def refine_marker(grey: NDArray[np.uint8], number: int, corners_px: Array) -> tuple[Array, float]:
    """Better corners (4, 2) px of marker `number`, and how much of the picture there the pattern explains (0 to 1).

    `corners_px` may be two or three pixels off. Corners that run out of the picture come back unchanged with 0.
    """
    corners = np.array(corners_px, np.float64).reshape(4, 2)
    x0, y0, part = _cut(grey, corners)
    if part is None:
        return corners, 0.0
    corners = corners - np.array([x0, y0])
    slope_x = cv2.Sobel(part, cv2.CV_32F, 1, 0, ksize=3) / 8
    slope_y = cv2.Sobel(part, cv2.CV_32F, 0, 1, ksize=3) / 8
    u, v = _grid()
    brightness = _brightness(number, _cell_px(corners))
    weights = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)
    for _ in range(_ROUNDS):
        at = _image_points(corners, u, v)
        if at.min() < 0 or at[:, 0].max() > part.shape[1] - 1 or at[:, 1].max() > part.shape[0] - 1:
            return np.array(corners_px, np.float64).reshape(4, 2), 0.0
        seen, along_x, along_y = (_sample(layer, at) for layer in (part, slope_x, slope_y))
        moves = np.column_stack([weights * along_x[:, None], weights * along_y[:, None]])
        # The gradient of a noisy patch is never flat, so the system has full rank.
        solution, *_ = np.linalg.lstsq(np.column_stack([brightness, -moves]), seen, rcond=None)
        step = np.clip(solution[brightness.shape[1] :], -_MOST_STEP_PX, _MOST_STEP_PX)
        corners = corners + step.reshape(2, 4).T
        if np.abs(step).max() < 0.01:
            break
    left = seen - brightness @ np.linalg.lstsq(brightness, seen, rcond=None)[0]
    explained = 1.0 - float(left.var()) / max(float(seen.var()), 1e-9)
    return np.asarray(corners + np.array([x0, y0]), np.float64), explained


def _cut(grey: NDArray[np.uint8], corners: Array) -> tuple[int, int, NDArray[np.float32] | None]:
    margin = 6 + 2 * _cell_px(corners)
    x0, y0 = (int(k) for k in np.maximum(np.floor(corners.min(axis=0) - margin), 0))
    x1, y1 = (int(k) for k in np.ceil(corners.max(axis=0) + margin))
    part = grey[y0 : y1 + 1, x0 : x1 + 1]
    return (x0, y0, _linear_light()[part]) if min(part.shape) >= 12 else (x0, y0, None)


@cache
def _linear_light() -> NDArray[np.float32]:
    """The light, 0 to 255, that each grey value stands for: the curve of sRGB (IEC 61966-2-1), which cameras follow."""
    value = np.arange(256) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32) * 255


def _cell_px(corners: Array) -> float:
    return float(np.sqrt(abs(cv2.contourArea(corners.astype(np.float32))))) / CELLS


@cache
def _grid() -> tuple[Array, Array]:
    """The compared points in marker units: the marker is the square from 0 to 1."""
    count = round((CELLS + 2 * _QUIET) * _SAMPLES)
    line = ((np.arange(count) + 0.5) / count * (CELLS + 2 * _QUIET) - _QUIET) / CELLS
    u, v = np.meshgrid(line, line)
    return np.asarray(u.ravel(), np.float64), np.asarray(v.ravel(), np.float64)


@cache
def pattern(number: int) -> NDArray[np.uint8]:
    """The marker as printed, one pixel a cell: 0 black, 255 white, (6, 6)."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, number, CELLS, borderBits=1), np.uint8)


def _brightness(number: int, cell_px: float) -> Array:
    """What brightness may be made of, one column each, at the compared points."""
    drawn = np.kron(np.pad(pattern(number), 1, constant_values=255), np.ones((_FINE, _FINE), np.uint8)) / 255.0
    u, v = _grid()
    at = np.column_stack([u, v]) * CELLS * _FINE + _FINE - 0.5
    sigma = max(_BLUR_PX / cell_px * _FINE, 0.5)
    soft, softer = (cv2.GaussianBlur(drawn, (0, 0), s) for s in (sigma, 1.5 * sigma))
    edges = np.hypot(cv2.Sobel(soft, cv2.CV_64F, 1, 0), cv2.Sobel(soft, cv2.CV_64F, 0, 1)) / 8
    shade, blurred, edge = (_sample(layer.astype(np.float32), at) for layer in (soft, softer - soft, edges))
    ones, x, y = np.ones_like(u), u - 0.5, v - 0.5
    return np.column_stack([ones, x, y, shade, x * shade, y * shade, blurred, edge])


def _image_points(corners: Array, u: Array, v: Array) -> Array:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    homography = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    points = np.column_stack([u, v, np.ones_like(u)]) @ homography.T
    return np.asarray(points[:, :2] / points[:, 2:], np.float64)


def _sample(layer: NDArray[np.float32] | Array, at: Array) -> Array:
    x, y = at.astype(np.float32).T
    values = cv2.remap(layer, np.ascontiguousarray(x), np.ascontiguousarray(y), cv2.INTER_LINEAR)
    return np.asarray(values.ravel(), np.float64)
