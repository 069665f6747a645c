"""Was the camera bumped? Against true movements, noise, and hands that move single things."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.drift import (
    drift_of_markers,
    drift_of_tiles,
    expected_markers,
    registered_again,
    registered_by_markers,
)
from calibration.markers import find_markers, follow_markers
from calibration.plane import Array, Pose
from calibration.table_file import Camera as FileCamera
from calibration.table_file import Markers, PlayArea, TableFile
from tests.photographed import Camera, Scene, photograph

CAMERA = Camera()
MATRIX = tuple(tuple(float(v) for v in row) for row in CAMERA.matrix)
CORNERS = tuple((float(x), float(y)) for x, y in CAMERA.corners_px())
TABLE = TableFile(
    PlayArea(CAMERA.area_mm, CORNERS),  # type: ignore[arg-type]
    FileCamera(CAMERA.size_px, MATRIX, CAMERA.bend),  # type: ignore[arg-type]
    Markers(40.0),
)
PLANE = TABLE.plane(CAMERA.size_px)


def bumped(dx_mm: float, dy_mm: float, turn_deg: float) -> Camera:
    """The camera after the table, in its eyes, moved so about the middle of the area."""
    import cv2

    angle = np.radians(turn_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    middle = np.array([300.0, 200.0, 0.0])
    axes, _ = cv2.Rodrigues(np.array(CAMERA.turn))
    moved, _ = cv2.Rodrigues(axes @ turn)
    shift = axes @ (middle - turn @ middle + [dx_mm, dy_mm, 0.0]) + np.array(CAMERA.shift_mm)
    return Camera(turn=tuple(moved.ravel()), shift_mm=tuple(shift))


def markers_of(camera: Camera, noise_px: float = 0.2, seed: int = 0) -> dict[int, Array]:
    draw = np.random.default_rng(seed)
    return {k: camera.marker_px(k) + draw.normal(0, noise_px, (4, 2)) for k in range(4)}


def tiles(dx: float = 0.0, dy: float = 0.0, turn: float = 0.0, noise_mm: float = 0.5, seed: int = 0) -> list[Pose]:
    draw = np.random.default_rng(seed)
    angle = np.radians(turn)
    poses = []
    for k in range(10):
        x, y = 80.0 + 110 * (k % 5) - 300, 90.0 + 200 * (k // 5) - 200
        moved = [np.cos(angle) * x - np.sin(angle) * y + 300 + dx, np.sin(angle) * x + np.cos(angle) * y + 200 + dy]
        moved = np.array(moved) + draw.normal(0, noise_mm, 2)
        poses.append(Pose(float(moved[0]), float(moved[1]), (30.0 * k + turn) % 360))
    return poses


def test_nothing_moved() -> None:
    for seed in range(20):
        drift = drift_of_markers(expected_markers(PLANE, 40.0), markers_of(CAMERA, seed=seed), PLANE)
        assert not drift.moved
        assert drift.sure > 0.9
        assert not drift_of_tiles(tiles(seed=seed), tiles(seed=seed + 100), CAMERA.area_mm).moved


@pytest.mark.parametrize(("dx", "dy", "turn"), [(3, 0, 0), (-5, 12, 0), (0, 0, 1.0), (20, 4, -2)])
def test_a_bump_is_measured_and_put_right_by_markers(dx: float, dy: float, turn: float) -> None:
    now = markers_of(bumped(dx, dy, turn))
    drift = drift_of_markers(expected_markers(PLANE, 40.0), now, PLANE)
    assert drift.moved
    assert (drift.dx_mm, drift.dy_mm) == pytest.approx((dx, dy), abs=0.5)
    assert drift.turn_deg == pytest.approx(turn, abs=0.1)
    points, pixels = bumped(dx, dy, turn).grid()
    for again in (registered_again(TABLE, PLANE, drift), registered_by_markers(TABLE, PLANE, now)):
        assert again is not None
        found = again.plane(CAMERA.size_px).to_table(pixels)
        assert np.percentile(np.linalg.norm(found - points, axis=1), 95) < 1.5


def test_a_hundred_bumps_of_1_to_20_mm_are_noticed_or_too_small_to_matter() -> None:
    draw = np.random.default_rng(7)
    for seed in range(100):
        size, way = draw.uniform(1, 20), draw.uniform(0, 2 * np.pi)
        dx, dy = size * np.cos(way), size * np.sin(way)
        for drift in (
            drift_of_markers(expected_markers(PLANE, 40.0), markers_of(bumped(dx, dy, 0), seed=seed), PLANE),
            drift_of_tiles(tiles(seed=seed), tiles(dx, dy, seed=seed + 500), CAMERA.area_mm),
        ):
            assert drift.sure >= 0.5
            assert (drift.dx_mm, drift.dy_mm) == pytest.approx((dx, dy), abs=1.5)
            assert drift.moved or size < 3.0


def test_a_tilted_camera_is_noticed_and_followed_by_markers() -> None:
    tilted = Camera(turn=(-0.36, 0.06, 0.03))
    now = markers_of(tilted, 0.1)
    drift = drift_of_markers(expected_markers(PLANE, 40.0), now, PLANE)
    assert drift.moved
    again = registered_by_markers(TABLE, PLANE, now)
    assert again is not None
    points, pixels = tilted.grid()
    found = again.plane(CAMERA.size_px).to_table(pixels)
    assert np.percentile(np.linalg.norm(found - points, axis=1), 95) < 1.5


def test_one_marker_pushed_by_a_hand_is_no_bump() -> None:
    now = markers_of(CAMERA)
    now[2] = now[2] + [30, -12]
    drift = drift_of_markers(expected_markers(PLANE, 40.0), now, PLANE)
    assert not drift.moved
    assert drift.rests_on == 3


def test_markers_that_are_covered_tell_nothing() -> None:
    before = expected_markers(PLANE, 40.0)
    assert drift_of_markers(before, {}, PLANE).sure == 0
    one = {1: markers_of(bumped(8, 0, 0))[1]}
    assert not drift_of_markers(before, one, PLANE).moved
    assert registered_by_markers(TABLE, PLANE, {k: before[k] for k in (0, 1)}) is None


def test_tiles_moved_by_players_are_no_bump() -> None:
    now = tiles(seed=1)
    for k in (0, 3, 6):
        now[k] = Pose(now[k].x_mm + 40, now[k].y_mm - 25, now[k].angle_deg)
    assert not drift_of_tiles(tiles(), now, CAMERA.area_mm).moved


def test_a_bump_is_told_although_players_moved_tiles_as_well() -> None:
    now = tiles(6, -4, seed=1)
    now[4] = Pose(300.0, 300.0, 0.0)
    drift = drift_of_tiles(tiles(), now, CAMERA.area_mm)
    assert drift.moved
    assert (drift.dx_mm, drift.dy_mm) == pytest.approx((6, -4), abs=1.0)


def test_few_tiles_are_no_witness() -> None:
    assert drift_of_tiles(tiles()[:3], tiles(9, 9)[:3], CAMERA.area_mm).sure == 0
    with pytest.raises(ValueError, match="pairs"):
        drift_of_tiles(tiles(), tiles()[:5], CAMERA.area_mm)


@pytest.mark.parametrize(("dx", "dy", "turn"), [(0.0, 0.0, 0.0), (2.5, -1.0, 0.1), (14.0, 9.0, 1.0)])
def test_pictures_of_a_bumped_table(dx: float, dy: float, turn: float) -> None:
    camera = bumped(dx, dy, turn)
    image = photograph(camera, Scene())
    before = expected_markers(PLANE, 40.0)
    near = follow_markers(image, before)
    # A few pixels are followed; farther, the markers are searched for in the whole picture.
    assert len(near) == (4 if abs(dx) < 5 else 0)
    seen = near or find_markers(image)
    drift = drift_of_markers(before, seen, PLANE)
    assert drift.moved == (dx != 0)
    assert (drift.dx_mm, drift.dy_mm) == pytest.approx((dx, dy), abs=0.4)
    again = registered_by_markers(TABLE, PLANE, seen)
    assert again is not None
    points, pixels = camera.grid()
    found = again.plane(CAMERA.size_px).to_table(pixels)
    assert np.percentile(np.linalg.norm(found - points, axis=1), 95) < 0.6
