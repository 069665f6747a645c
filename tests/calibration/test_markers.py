"""Corner markers: found, measured, refused when incomplete."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.marker_fit import CELLS, pattern, refine_marker
from calibration.markers import find_markers, marker_corners_mm
from vision.sources.pictures import Image

AREA_MM, MARKER_MM = (600.0, 400.0), 40.0


def sheet(missing: int | None = None, twice: bool = False) -> Image:
    """The play area from above, 1 px a mm, with markers in its corners on white."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    image = np.full((400, 600), 255, np.uint8)
    for number, corners in enumerate(marker_corners_mm(AREA_MM, MARKER_MM)):
        if number != missing:
            x, y = corners[0].astype(int)
            image[y : y + 40, x : x + 40] = cv2.aruco.generateImageMarker(dictionary, number, 40)
    if twice:
        image[180:220, 280:320] = cv2.aruco.generateImageMarker(dictionary, 2, 40)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)


CORNERS = np.array([[200, 120], [1050, 90], [1180, 660], [90, 640]], np.float64)


def photographed(flat: Image) -> Image:
    edges = np.array([[-0.5, -0.5], [599.5, -0.5], [599.5, 399.5], [-0.5, 399.5]], np.float32)
    homography = cv2.getPerspectiveTransform(edges, CORNERS.astype(np.float32))
    warped = cv2.warpPerspective(
        flat, homography, (1280, 720), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=(255, 255, 255)
    )
    return np.asarray(warped, np.uint8)


def test_the_outer_corners_are_the_play_area() -> None:
    found = find_markers(photographed(sheet()))
    assert [found[k][k] for k in range(4)] == pytest.approx(CORNERS, abs=1.5)


def test_one_that_is_missing_or_there_twice_is_left_out() -> None:
    assert sorted(find_markers(photographed(sheet(missing=2)))) == [0, 1, 3]
    assert 2 not in find_markers(photographed(sheet(twice=True)))
    assert find_markers(np.zeros((300, 400, 3), np.uint8)) == {}


def test_a_marker_seen_by_a_camera_is_not_found_too_large() -> None:
    """A lens blurs light, and the camera's curve comes after: grey values alone would make the black square larger."""
    side, fine = 38.4, 10
    drawn = np.kron(np.pad(pattern(1), 2, constant_values=255), np.ones((64, 64))) / 255.0 * 0.8 + 0.02
    scale = side * fine / (CELLS * 64)
    size = (100 * fine, 100 * fine)
    place = np.array([[scale, 0, 203.0 - 128 * scale], [0, scale, 207.0 - 128 * scale]])
    light = cv2.warpAffine(drawn, place, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    light = cv2.resize(cv2.GaussianBlur(light, (0, 0), 0.9 * fine), (100, 100), interpolation=cv2.INTER_AREA)
    grey = np.round(255 * (1.055 * light ** (1 / 2.4) - 0.055)).astype(np.uint8)
    left, top = 203.0 / fine - 0.5, 207.0 / fine - 0.5
    true = np.array([[0, 0], [side, 0], [side, side], [0, side]]) + np.array([left, top])
    rough = true + np.array([[0.8, -0.5], [0.3, 0.6], [-0.7, 0.2], [0.4, 0.4]])
    found, explained = refine_marker(grey, 1, rough)
    assert explained > 0.98
    sides = np.linalg.norm(np.roll(found, -1, axis=0) - found, axis=1)
    assert sides.mean() - side == pytest.approx(0.0, abs=0.04)
