"""The table straightened from a slanted, distorted picture."""

import cv2
import numpy as np

from calibration.plane import TablePlane
from vision.birds_eye import BirdsEye

SIZE_PX = (640, 480)
MATRIX = [[600.0, 0, 320], [0, 600, 240], [0, 0, 1]]
LENS = [-0.18, 0.05, 0.0, 0.0, 0.0]
CORNERS = [(150, 90), (500, 110), (610, 440), (40, 420)]
AREA_MM = (600.0, 400.0)


def plane() -> TablePlane:
    return TablePlane(SIZE_PX, AREA_MM, CORNERS, MATRIX, LENS)


def view_of(image: np.ndarray, corner: tuple[float, float] = (-50.0, -50.0)) -> BirdsEye:
    return BirdsEye(image, plane(), np.array(corner), np.array([700.0, 500.0]), 0.84, 8.0)


def test_a_point_of_the_table_lies_where_its_millimetres_say() -> None:
    spots_mm = np.array([[100.0, 80.0], [300.0, 200.0], [520.0, 60.0], [80.0, 340.0]])
    image = np.zeros((480, 640, 3), np.uint8)
    for x, y in plane().to_image(spots_mm, 8.0):
        cv2.circle(image, (round(x * 16), round(y * 16)), 5 * 16, (255, 255, 255), -1, cv2.LINE_AA, 4)
    view = view_of(image)
    for at in (spots_mm + 50) * 0.84:
        x0, y0 = (int(v) - 12 for v in at)
        part = view.image_bgr[y0 : y0 + 25, x0 : x0 + 25, 0].astype(float)
        ys, xs = np.mgrid[0:25, 0:25]
        centre = np.array([(xs * part).sum(), (ys * part).sum()]) / part.sum() + (x0, y0)
        assert np.abs(centre - at).max() < 0.8


def test_the_way_there_and_back_is_the_same() -> None:
    view = view_of(np.zeros((480, 640, 3), np.uint8))
    points = np.array([[200.0, 150.0], [320.0, 240.0], [410.5, 380.25]])
    assert np.abs(view.to_picture(view.from_picture(points)) - points).max() < 0.05


def test_what_the_picture_does_not_show_has_the_colour_of_its_border() -> None:
    image = np.full((480, 640, 3), 77, np.uint8)
    assert np.all(view_of(image, (-4000.0, -50.0)).image_bgr == 77)
