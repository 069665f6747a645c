"""`TablePlane`: pixels to millimetres and back, with a lens and with height, against a camera that is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.plane import ASSUMED_FOCAL_PER_WIDTH, Array, Pose, TablePlane, corner_fault

SIZE_PX, AREA_MM = (1280, 720), (700.0, 500.0)
CORNERS = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], np.float64)
STRAIGHT = [[100, 100], [800, 100], [800, 600], [100, 600]]


class Camera:
    """A camera above the table, projected by OpenCV alone. Heights count towards the camera (-z of the table frame)."""

    def __init__(self, tilt_deg: float, focal: float = 1000.0, distortion: tuple[float, ...] = (0, 0, 0, 0, 0)) -> None:
        self.matrix = np.array([[focal, 0, 639.5], [0, focal, 359.5], [0, 0, 1.0]])
        self.distortion = np.array(distortion, float)
        rotation = cv2.Rodrigues(np.radians([[tilt_deg], [4.0], [7.0]]))[0]
        middle = np.array([350.0, 250.0, 0.0])
        self._rotation, self._shift = rotation, np.array([10.0, -5.0, 1100.0]) - rotation @ middle
        self.position = -rotation.T @ self._shift

    def image(self, points_mm: Array, height_mm: float = 0.0) -> Array:
        points = np.column_stack([points_mm, np.full(len(points_mm), -height_mm)])
        image, _ = cv2.projectPoints(points, self._rotation, self._shift, self.matrix, self.distortion)
        return np.asarray(image.reshape(-1, 2), np.float64)


VIEWS = [
    pytest.param(Camera(0.0), id="nearly straight down"),
    pytest.param(Camera(35.0), id="oblique"),
    pytest.param(Camera(-25.0, 800.0), id="from the other side"),
    pytest.param(Camera(20.0, 900.0, (-0.12, 0.03, 0.001, -0.002, 0.0)), id="with a lens"),
]
POINTS = np.array([[0, 0], [350, 250], [700, 500], [123.4, 456.7], [650, 20]], np.float64)


def plane_of(camera: Camera) -> TablePlane:
    return TablePlane(SIZE_PX, AREA_MM, camera.image(CORNERS), camera.matrix, camera.distortion)


@pytest.mark.parametrize("height", [0.0, 9.0, 40.0])
@pytest.mark.parametrize("camera", VIEWS)
def test_maps_as_the_camera_does(camera: Camera, height: float) -> None:
    plane = plane_of(camera)
    assert plane.to_image(POINTS, height) == pytest.approx(camera.image(POINTS, height), abs=0.15)
    assert plane.to_table(camera.image(POINTS, height), height) == pytest.approx(POINTS, abs=0.2)


@pytest.mark.parametrize("camera", VIEWS)
def test_knows_where_the_camera_is(camera: Camera) -> None:
    x, y, height = plane_of(camera).camera_position_mm()
    assert (x, y) == pytest.approx(tuple(camera.position[:2]), abs=3)
    assert height == pytest.approx(-camera.position[2], abs=3)


def test_height_shifts_the_picture_away_from_the_camera() -> None:
    plane = plane_of(Camera(35.0))
    x, y, _ = plane.camera_position_mm()
    low, high = plane.to_image([[650.0, 450.0]]), plane.to_image([[650.0, 450.0]], 10.0)
    away = plane.to_image([[650.0 + 0.02 * (650 - x), 450.0 + 0.02 * (450 - y)]]) - low
    assert float(((high - low) * away).sum()) > 0


@pytest.mark.parametrize("focal", [700.0, 1300.0])
def test_estimates_the_focal_length_of_an_oblique_view(focal: float) -> None:
    plane = TablePlane(SIZE_PX, AREA_MM, Camera(40.0, focal).image(CORNERS))
    assert plane.focal_source == "estimated"
    assert plane.matrix[0, 0] == pytest.approx(focal, rel=0.03)


def test_assumes_the_focal_length_of_a_straight_view() -> None:
    plane = TablePlane((1000, 700), AREA_MM, STRAIGHT)
    assert plane.focal_source == "assumed"
    assert plane.matrix[0, 0] == pytest.approx(1000 * ASSUMED_FOCAL_PER_WIDTH)
    assert plane.px_per_mm() == pytest.approx(1.0)


@pytest.mark.parametrize("angle", [0.0, 37.0, 90.0, 181.0, 359.0])
@pytest.mark.parametrize("camera", VIEWS)
def test_pose_of_a_tile_that_is_seen_by_its_top_face(camera: Camera, angle: float) -> None:
    pose = Pose(220.0, 310.0, angle)
    seen = plane_of(camera).pose_of_quad(camera.image(pose.corners_mm(50, 25), 9.0), 9.0)
    assert (seen.x_mm, seen.y_mm) == pytest.approx((220.0, 310.0), abs=0.2)
    assert (seen.angle_deg - angle + 180) % 360 - 180 == pytest.approx(0.0, abs=0.2)


def test_corners_of_a_pose_start_at_the_half_named_first() -> None:
    corners = Pose(100, 100, 0).corners_mm(50, 24)
    assert corners[[0, 3], 0] == pytest.approx(75.0)
    assert corners[[1, 2], 0] == pytest.approx(125.0)


def test_nothing_behind_the_camera_has_a_picture() -> None:
    plane = plane_of(Camera(60.0))
    x, y, _ = plane.camera_position_mm()
    behind = np.array([[x, y]]) + 20 * (np.array([[x, y]]) - np.array([[350.0, 250.0]]))
    assert np.isnan(plane.to_image(behind)).all()


def test_no_points_are_no_points() -> None:
    plane = plane_of(Camera(10.0))
    assert plane.to_table(np.zeros((0, 2))).shape == (0, 2)


def test_the_play_area_has_an_edge() -> None:
    plane = plane_of(Camera(10.0))
    assert plane.contains(0, 0)
    assert not plane.contains(-1, 0)
    assert plane.contains(-1, 500.5, margin_mm=1)


FAULTS = [
    ([[100, 100], [100, 600], [800, 600], [800, 100]], "counter-clockwise"),
    ([[100, 100], [800, 600], [800, 100], [100, 600]], ""),
    ([[100, 100], [800, 100], [800, 100], [100, 600]], ""),
    ([[100, 100], [400, 100], [800, 100], [1000, 100]], ""),
    ([[100, 100], [800, float("nan")], [800, 600], [100, 600]], "finite"),
    ([[100, 100], [800, float("inf")], [800, 600], [100, 600]], "finite"),
]


@pytest.mark.parametrize(("corners", "words"), FAULTS)
def test_impossible_corners_are_refused(corners: list[list[float]], words: str) -> None:
    fault = corner_fault(np.array(corners, np.float64))
    assert fault is not None
    assert words in fault
    with pytest.raises(ValueError):
        TablePlane(SIZE_PX, AREA_MM, corners)


def test_good_corners_have_no_fault() -> None:
    assert corner_fault(np.array(STRAIGHT, np.float64)) is None
