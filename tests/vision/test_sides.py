"""The near side of a tile and a back beside it, painted on a plain table seen at 45 degrees."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.plane import Pose, TablePlane
from vision.quads import Quad
from vision.sides import show_sides

TILE_MM = (60.0, 25.0, 14.0)
PLANE = TablePlane(
    (640, 480),
    (400.0, 400.0),
    [[170, 60], [470, 60], [560, 420], [80, 420]],
    [[600, 0, 319.5], [0, 600, 239.5], [0, 0, 1]],
)
WOOD, BLACK, LIT = (90, 130, 170), (25, 25, 25), (150, 150, 150)
FIRST = Pose(200, 200, 0)
NEARER = Pose(200, 200 + TILE_MM[1] + 1, 0)


def face(pose: Pose) -> Quad:
    return PLANE.to_image(pose.corners_mm(*TILE_MM[:2]), TILE_MM[2])


def painted(poses: list[Pose], back: tuple[int, int, int] = LIT) -> NDArray[np.uint8]:
    """Tiles with black sides, the farthest first."""
    image = np.full((480, 640, 3), WOOD, np.uint8)
    for pose in poses:
        foot = PLANE.to_image(pose.corners_mm(*TILE_MM[:2]))
        hull = cv2.convexHull(np.vstack([face(pose), foot]).astype(np.float32))
        cv2.fillConvexPoly(image, np.round(hull).astype(np.int32), BLACK)
        cv2.fillConvexPoly(image, np.round(face(pose)).astype(np.int32), back)
    noise = np.random.default_rng(0).normal(0, 3, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def sides(image: NDArray[np.uint8], poses: list[Pose], doubtful: bool = True) -> list[bool]:
    return show_sides(image, [face(p) for p in poses], [doubtful] * len(poses), PLANE, TILE_MM, 1.0)


def test_the_near_side_of_a_tile_is_no_back() -> None:
    assert sides(painted([FIRST]), [FIRST, NEARER]) == [False, True]


def test_it_is_none_either_when_the_back_is_as_dark_as_its_side() -> None:
    assert sides(painted([FIRST], BLACK), [FIRST, NEARER]) == [False, True]


@pytest.mark.parametrize("gap_mm", [0.0, 1.0, 4.0])
def test_a_back_that_hides_the_side_of_the_next_is_one(gap_mm: float) -> None:
    nearer = Pose(200, 200 + TILE_MM[1] + gap_mm, 0)
    assert sides(painted([FIRST, nearer]), [FIRST, nearer]) == [False, False]


def test_what_is_no_doubt_is_not_looked_at() -> None:
    assert sides(painted([FIRST]), [FIRST, NEARER], doubtful=False) == [False, False]


def test_an_outline_half_outside_the_picture_is_bearable() -> None:
    at_the_rim = Pose(-120, 380, 0)
    assert sides(painted([]), [at_the_rim, Pose(-120, 406, 0)]) == [False, False]
