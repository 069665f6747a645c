"""Clean patches of a tile's size, on painted rectangles."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.patches import tile_patches
from vision.quads import area_px, shared_px

LENGTH, WIDTH = 42.0, 21.0


def painted(boxes: list[tuple[float, float, float, float, float]]) -> NDArray[np.uint8]:
    """Dark rectangles (x, y, length, width, angle) on light, speckled cloth."""
    image = np.full((200, 260, 3), 190, np.uint8)
    for x, y, length, width, angle in boxes:
        corners = np.round(cv2.boxPoints(((x, y), (length, width), angle))).astype(np.int32)
        cv2.fillConvexPoly(image, corners, (40, 42, 45))
    noise = np.random.default_rng(0).normal(0, 3, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def is_found(image: NDArray[np.uint8], x: float, y: float, angle: float) -> bool:
    wanted = cv2.boxPoints(((x, y), (LENGTH, WIDTH), angle)).astype(np.float64)
    quads = [quad for quad, _ in tile_patches(image, LENGTH, WIDTH)]
    lies = [q for q in quads if shared_px(q, wanted) > 0.85 * max(area_px(q), area_px(wanted))]
    way = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    return any(abs(float((q[1] - q[0]) @ way)) > 0.9 * LENGTH for q in lies)


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 135.0])
def test_a_plain_back_is_a_patch_with_corners_0_and_1_along_it(angle: float) -> None:
    assert is_found(painted([(130, 100, LENGTH, WIDTH, angle)]), 130, 100, angle)


def test_a_row_of_touching_backs_is_cut_up() -> None:
    image = painted([(130, 100, LENGTH, 3 * WIDTH, 0)])
    assert [is_found(image, 130, 100 + k * WIDTH, 0) for k in (-1, 0, 1)] == [True] * 3


def test_a_line_of_touching_backs_is_cut_up() -> None:
    image = painted([(130, 100, 2 * LENGTH, WIDTH, 0)])
    assert [is_found(image, 130 + k * LENGTH / 2, 100, 0) for k in (-1, 1)] == [True] * 2


@pytest.mark.parametrize("size", [(66.0, 30.0), (30.0, 12.0), (42.0, 42.0 * 0.75), (150.0, 110.0)])
def test_what_has_another_size_is_no_tile(size: tuple[float, float]) -> None:
    assert tile_patches(painted([(130, 100, *size, 20)]), LENGTH, WIDTH) == []


def test_a_bare_table_has_no_patches() -> None:
    assert tile_patches(painted([]), LENGTH, WIDTH) == []
