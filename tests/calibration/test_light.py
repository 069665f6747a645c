"""The light check: each fault made once, and a good picture that has none."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.light import check_picture, glare_spots
from calibration.plane import Pose, TablePlane
from tests.photographed import Camera, Image, Scene, photograph

CAMERA = Camera(size_px=(640, 360), focal_px=500.0, centre_px=(319.5, 179.5))
TILES = tuple(Pose(100.0 + 100 * k, 200.0, 30.0 * k) for k in range(5))


def plane(camera: Camera = CAMERA) -> TablePlane:
    return TablePlane(camera.size_px, camera.area_mm, camera.corners_px(), camera.matrix, camera.bend)


@cache
def good() -> Image:
    return photograph(CAMERA, Scene(tiles=TILES))


def levels(image: Image, before: Image | None = None) -> dict[str, str]:
    return {f.what: f.level for f in check_picture(image, plane(), 50.0, before) if f.level != "ok"}


def test_a_good_picture_has_no_fault() -> None:
    # Half a pixel a millimetre is few, and said to be; all else is well.
    assert set(levels(good(), good())) <= {"size"}


@pytest.mark.parametrize(("share", "level"), [(0.3, "warning"), (0.05, "fault")])
def test_too_dark(share: float, level: str) -> None:
    dark = np.asarray(good() * share, np.uint8)
    assert levels(dark)["light"] == level


def test_a_lamp_mirrored_in_the_table_is_found_and_outlined() -> None:
    glaring = good().copy()
    cv2.ellipse(glaring, (320, 200), (70, 40), 0, 0, 360, (255, 255, 255), -1)
    assert levels(glaring)["glare"] == "fault"
    spots = glare_spots(glaring, plane())
    x, y = spots[0].mean(axis=0)
    assert (x, y) == pytest.approx((320, 200), abs=4)


def test_a_lamp_beside_the_table_is_no_fault() -> None:
    beside = good().copy()
    beside[:30] = 255
    assert "glare" not in levels(beside)


def test_out_of_focus() -> None:
    assert levels(np.asarray(cv2.GaussianBlur(good(), (0, 0), 3.5), np.uint8))["focus"] in ("warning", "fault")
    assert levels(np.asarray(cv2.GaussianBlur(good(), (0, 0), 9), np.uint8))["focus"] == "fault"


def test_mains_light_makes_bands_and_an_arm_does_not() -> None:
    rows = np.arange(360)[:, None, None]
    bands = np.asarray(np.clip(good() * (1 + 0.08 * np.sin(rows / 360 * 2 * np.pi * 3.3)), 0, 255), np.uint8)
    assert levels(bands, good())["flicker"] == "warning"
    arm = good().copy()
    arm[100:260, 200:420] = (120, 150, 210)
    assert "flicker" not in levels(arm, good())


def test_tiles_too_small_to_read() -> None:
    small = Camera(size_px=(320, 180), focal_px=250.0, centre_px=(159.5, 89.5))
    image = np.full((180, 320, 3), 120, np.uint8)
    found = {f.what: f for f in check_picture(image, plane(small), 50.0)}
    assert found["size"].level == "fault"
    assert "nearer" in found["size"].text


def test_without_a_table_the_whole_picture_is_judged() -> None:
    assert {f.what for f in check_picture(good())} == {"light", "glare", "focus"}
