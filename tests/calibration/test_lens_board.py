"""The lens from views of the printed board: found to its true values, coverage told, bad material refused."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.lens_board import FEWEST_VIEWS, LensViews
from calibration.sheet import BOARD_SQUARE_MM, BOARD_SQUARES, lens_board
from tests.photographed import Camera, Image

SIZE = (640, 360)
PX_PER_MM = 4


@cache
def board() -> Image:
    size = (
        round(BOARD_SQUARES[0] * BOARD_SQUARE_MM * PX_PER_MM),
        round(BOARD_SQUARES[1] * BOARD_SQUARE_MM * PX_PER_MM),
    )
    flat = np.asarray(lens_board().generateImage(size), np.uint8)
    return np.asarray(cv2.GaussianBlur(flat, (0, 0), 1.5), np.uint8)


def view(turn: tuple[float, float, float], shift_mm: tuple[float, float, float]) -> Image:
    camera = Camera(SIZE, 520.0, (322.0, 178.0), (-0.12, 0.03, 0.0, 0.0, 0.0), turn, shift_mm)
    at = (camera.looks_at() * PX_PER_MM - 0.5).astype(np.float32)
    seen = cv2.remap(board(), at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=200)
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR), np.uint8)


VIEWS = [
    ((0.3, 0.1, 0.1), (-84.0, -60.0, 300.0)), ((-0.3, 0.1, 0.0), (-160.0, -100.0, 300.0)),
    ((0.1, 0.4, 0.0), (0.0, -100.0, 320.0)), ((0.1, -0.4, 0.2), (-160.0, 0.0, 320.0)),
    ((-0.2, -0.2, 0.0), (-10.0, -10.0, 300.0)), ((0.0, 0.5, -0.1), (-84.0, -60.0, 250.0)),
    ((0.5, 0.0, 0.1), (-100.0, -20.0, 280.0)), ((-0.4, 0.3, 0.3), (-30.0, -90.0, 330.0)),
    ((0.2, -0.5, 0.0), (-100.0, -60.0, 260.0)), ((-0.5, -0.1, -0.2), (-140.0, -40.0, 330.0)),
]  # fmt: skip


def test_the_lens_is_measured() -> None:
    views = LensViews(SIZE)
    assert sum(views.add(view(*where)) for where in VIEWS) >= FEWEST_VIEWS
    assert views.complete
    measured = views.solve()
    assert measured.lens.matrix[0, 0] == pytest.approx(520, rel=0.01)
    assert measured.lens.matrix[0, 2] == pytest.approx(322, abs=4)
    assert measured.lens.distortion[0] == pytest.approx(-0.12, abs=0.02)
    assert measured.misfit_px < 0.3
    assert measured.coverage >= 0.7


def test_the_same_view_again_adds_nothing_and_what_is_missing_is_named() -> None:
    views = LensViews(SIZE)
    assert views.add(view((0.0, 0.0, 0.0), (-150.0, -100.0, 400.0)))
    assert not views.add(view((0.0, 0.0, 0.0), (-150.5, -100.0, 400.0)))
    assert len(views) == 1
    assert not views.complete
    assert views.missing() in ("right", "bottom")
    with pytest.raises(ValueError, match="seen in 1 different places"):
        views.solve()


def test_a_picture_without_the_board_and_one_of_another_size() -> None:
    views = LensViews(SIZE)
    assert not views.add(np.full((360, 640, 3), 128, np.uint8))
    with pytest.raises(ValueError, match="640x360"):
        views.add(np.zeros((720, 1280, 3), np.uint8))
