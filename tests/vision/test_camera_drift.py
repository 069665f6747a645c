"""Where the camera is now: told by the table's marks, or by tiles nobody touched, or not at all."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera_drift import Box, Grey, camera_motion

SIZE = (480, 360)
CORNERS = np.array([[0.0, 0.0], [479, 0], [479, 359], [0, 359]])
TILES = ((100, 90), (144, 92), (260, 250))


def bare(level: float = 80.0) -> Grey:
    """A cloth that shows nothing but noise of the camera."""
    return np.full(SIZE[::-1], level, np.float32)


def marked() -> Grey:
    """A cloth with flowers."""
    cloth = bare()
    for x, y, size in np.random.default_rng(3).integers([0, 0, 2], [480, 360, 7], (220, 3)).tolist():
        cv2.circle(cloth, (x, y), size, 100, -1)
    return cloth


def with_tiles(cloth: Grey, by: tuple[int, int] = (0, 0)) -> Grey:
    """Three white tiles with some pips lie on it."""
    image = cloth.copy()
    for number, (x, y) in enumerate(TILES):
        x, y = x + by[0], y + by[1]
        cv2.rectangle(image, (x, y), (x + 40, y + 20), 220, -1)
        for k in range(number + 2):
            cv2.circle(image, (x + 6 + 7 * k, y + 6 + 8 * (k % 2)), 2, 30, -1)
    return image


def boxes() -> list[Box]:
    return [(x - 5, y - 5, x + 46, y + 26) for x, y in TILES]


def hidden() -> NDArray[np.bool_]:
    """The pixels where tiles lie."""
    mask = np.zeros(SIZE[::-1], bool)
    for left, top, right, bottom in boxes():
        mask[top - 5 : bottom + 5, left - 5 : right + 5] = True
    return mask


def bumped(image: Grey, dx: float, dy: float, turn_deg: float = 0.0) -> tuple[Grey, NDArray[np.float64]]:
    """What the moved camera shows, with its noise, and the motion."""
    motion = np.vstack([cv2.getRotationMatrix2D((240, 180), turn_deg, 1.0), [0, 0, 1]])
    motion[:2, 2] += dx, dy
    return seen(cv2.warpPerspective(image, motion, SIZE, borderMode=cv2.BORDER_REPLICATE), 2), motion


def seen(image: Any, seed: int = 1) -> Grey:
    """With the noise of a camera."""
    return np.asarray(image + np.random.default_rng(seed).normal(0, 0.7, image.shape), np.float32)


def error_px(found: NDArray[np.float64] | None, true: NDArray[np.float64]) -> float:
    """The greatest error at the picture's corners."""
    assert found is not None
    a, b = (cv2.perspectiveTransform(CORNERS[None], motion)[0] for motion in (found, true))
    return float(np.linalg.norm(a - b, axis=1).max())


BUMPS = [(0.0, 0.0, 0.0), (3.0, -2.0, 0.0), (-14.5, 9.0, 0.0), (30.0, 40.0, 0.0), (8.0, 5.0, 3.0), (-6.0, -9.0, -6.0)]


@pytest.mark.parametrize("bump", BUMPS)
def test_a_table_with_marks(bump: tuple[float, float, float]) -> None:
    now, true = bumped(marked(), *bump)
    assert error_px(camera_motion(seen(marked()), now), true) < 1.5


@pytest.mark.parametrize("bump", BUMPS[:5])
def test_a_bare_table_with_tiles_that_nobody_touched(bump: tuple[float, float, float]) -> None:
    now, true = bumped(with_tiles(bare()), *bump)
    assert error_px(camera_motion(seen(with_tiles(bare())), now, hidden(), boxes()), true) < 2.5


def test_one_tile_alone() -> None:
    now, true = bumped(with_tiles(bare()), 12, -7)
    assert error_px(camera_motion(seen(with_tiles(bare())), now, hidden(), boxes()[:1]), true) < 4


def test_tiles_pushed_together_over_a_table_with_marks_say_nothing_of_the_camera() -> None:
    before, now = with_tiles(marked()), with_tiles(marked(), (9, -6))
    assert error_px(camera_motion(seen(before), seen(now, 2), hidden(), boxes()), np.eye(3)) < 1


def test_a_lamp_is_no_motion() -> None:
    now = np.asarray(0.6 * with_tiles(marked()), np.float32)
    assert error_px(camera_motion(seen(with_tiles(marked())), seen(now, 2), hidden(), boxes()), np.eye(3)) < 1


def test_one_of_the_tiles_moved_alone() -> None:
    before, now = with_tiles(bare()), with_tiles(bare())
    now[240:280, 250:310] = 80
    assert error_px(camera_motion(seen(before), seen(now, 2), hidden(), boxes()), np.eye(3)) < 1.5


def test_a_bare_table_tells_nothing() -> None:
    assert camera_motion(seen(bare()), seen(bare(), 2)) is None


def test_a_pattern_that_repeats_tells_nothing() -> None:
    checks = (np.indices(SIZE[::-1]).sum(axis=0) // 6 % 2 * 60 + 60).astype(np.float32)
    assert camera_motion(seen(checks), seen(np.roll(checks, 4, axis=1), 2)) is None


def test_tiles_that_went_different_ways_tell_nothing() -> None:
    now = bare()
    for (x, y), (dx, dy) in zip(TILES, ((20, 5), (-15, 30), (8, -25)), strict=True):
        part = with_tiles(bare())[y - 2 : y + 23, x - 2 : x + 43]
        now[y + dy - 2 : y + dy + 23, x + dx - 2 : x + dx + 43] = part
    assert camera_motion(seen(with_tiles(bare())), seen(now, 2), hidden(), boxes()) is None
