"""The eye on drawn tables with known truth, through its public face alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.eye import Eye
from vision.training.faces import SetStyle
from vision.training.layouts import TilePose
from vision.training.scenes import Light, PinholeTable, render
from vision.training.styles import random_style

LENGTH_MM = 50.0
LIGHT = Light(direction_deg=60, shadow_mm=0.4, shadow_share=0.3, softness=0.4, contact=0.4)
CHAIN = [
    TilePose(-120, 0, 0, 6, 4, "up"),
    TilePose(-69.5, 0, 0, 4, 2, "up"),
    TilePose(-31.5, 0, 90, 2, 2, "up"),
    TilePose(6.5, 0, 0, 2, 0, "up"),
    TilePose(57, 0, 0, 0, 5, "up"),
    TilePose(107.5, 0, 0, 5, 1, "up"),
]
HAND = [TilePose(-60 + 30 * k, 90, 90, *values, "up") for k, values in enumerate([(6, 6), (3, 1), (5, 4), (1, 0)])]
BACKS = [TilePose(60 + 30 * k, -90, 80 + 10 * k, 1, 1, "down") for k in range(3)]


def plain_style() -> SetStyle:
    """White tiles, black pips and bar, as sold everywhere."""
    return SetStyle(
        chinese=False, most=6, aspect=2.0, thickness=0.35, body=(235, 238, 240), side=(225, 228, 230),
        back=(230, 233, 235),
        pip_colours=[(20, 20, 20)] * 13 + [(30, 30, 180)], pip_radius=0.1, spread=0.54, bar=0.04, bar_length=0.85,
        bar_colour=(25, 25, 25), pin_radius=0.0, corner=0.1, bevel=0.06, engraved=0.4, grain=0.0, film=0.0, back_logo=0,
        turned=False, mirrored=False, variant=0, crowded=0.5, pitch=1.0, ring=False, rim=0.6,
    )  # fmt: skip


def drawn(
    tiles: list[TilePose], style: SetStyle | None = None, seed: int = 0
) -> tuple[NDArray[np.uint8], PinholeTable, list[NDArray[np.float64]]]:
    """A 640 x 480 picture of the tiles on green cloth, seen from 25 degrees off the vertical."""
    rng = np.random.default_rng(seed)
    plane = PinholeTable(900, 700, 25, 0, (0, 0), (320, 250))
    table = np.full((480, 640, 3), (70, 105, 45), np.float32) + rng.normal(0, 5, (480, 640, 1)).astype(np.float32)
    image, _, quads = render(table, plane, style or plain_style(), LENGTH_MM, tiles, LIGHT, rng)
    image = cv2.GaussianBlur(image, (0, 0), 0.6) + rng.normal(0, 2, (480, 640, 3))
    return np.clip(image, 0, 255).astype(np.uint8), plane, quads


def names(tiles: list[TilePose]) -> list[str]:
    return sorted(f"{max(t.a, t.b)}-{min(t.a, t.b)}" for t in tiles if t.face == "up")


def test_a_chain_and_a_hand_are_read_without_calibration() -> None:
    image, _, quads = drawn(CHAIN + HAND)
    seen = Eye("double-six").look(image)
    assert sorted(s.tile for s in seen if s.face == "up") == names(CHAIN + HAND)
    for sighting in seen:
        nearest = min(np.abs(q.mean(0) - sighting.quad_px.mean(0)).max() for q in quads)
        assert nearest < 2.5


def test_the_first_corner_is_at_the_half_named_first() -> None:
    image, _, quads = drawn([CHAIN[0]])
    (sighting,) = Eye("double-six").look(image)
    assert sighting.tile == "6-4"
    six_end, four_end = quads[0][[0, 3]].mean(0), quads[0][[1, 2]].mean(0)
    assert np.linalg.norm(sighting.quad_px[[0, 3]].mean(0) - six_end) < np.linalg.norm(six_end - four_end) / 8


def test_backs_are_backs() -> None:
    image, _, _ = drawn(BACKS)
    seen = Eye("double-six").look(image)
    assert [(s.face, s.tile) for s in seen] == [("down", "?")] * 3


def test_an_empty_table_has_no_tiles() -> None:
    image, _, _ = drawn([])
    assert Eye().look(image) == []


def test_only_what_lies_in_the_region_is_reported() -> None:
    image, _, quads = drawn(CHAIN + HAND)
    x, y = quads[0].mean(0)
    seen = Eye("double-six").look(image, (int(x) - 30, int(y) - 30, int(x) + 30, int(y) + 30))
    assert [s.tile for s in seen] == ["6-4"]


def test_a_set_never_holds_a_face_it_lacks() -> None:
    image, _, _ = drawn(CHAIN + HAND)
    for sighting in Eye("chinese").look(image):
        assert "0" not in sighting.tile


def test_on_a_calibrated_table_a_sighting_has_its_pose_in_millimetres() -> None:
    tiles = CHAIN + HAND
    image, camera, _ = drawn(tiles)
    corners = np.array([[-150, -130], [150, -130], [150, 130], [-150, 130]], float)
    matrix = [[900, 0, 320], [0, 900, 250], [0, 0, 1]]
    plane = TablePlane((640, 480), (300, 260), camera.to_image(corners), matrix)
    style = plain_style()
    eye = Eye("double-six", plane, (LENGTH_MM, LENGTH_MM / 2, style.thickness * LENGTH_MM / 2))
    seen = eye.look(image)
    assert sorted(s.tile for s in seen) == names(tiles)
    for sighting in seen:
        assert sighting.pose is not None
        truth = min(tiles, key=lambda t: np.hypot(t.x_mm + 150 - sighting.pose.x_mm, t.y_mm + 130 - sighting.pose.y_mm))
        assert np.hypot(truth.x_mm + 150 - sighting.pose.x_mm, truth.y_mm + 130 - sighting.pose.y_mm) < 2.0
        turn = (sighting.pose.angle_deg - truth.angle_deg + 90) % 180 - 90
        assert abs(turn) < 3.0


@pytest.mark.parametrize(
    "image",
    [np.zeros((40, 40), np.uint8), np.zeros((40, 40, 4), np.uint8), np.zeros((40, 40, 3), np.uint16)],
    ids=["grey", "alpha", "16 bit"],
)
def test_only_colour_pictures_of_8_bits_are_taken(image: NDArray[np.generic]) -> None:
    with pytest.raises(ValueError, match="uint8"):
        Eye().look(image)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (9, 9)])
def test_a_tiny_picture_has_no_tiles(size: tuple[int, int]) -> None:
    assert Eye().look(np.zeros((*size, 3), np.uint8)) == []


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(ValueError, match="chinese"):
        Eye("mahjong")


def test_a_black_chinese_set_is_read() -> None:
    style = random_style(np.random.default_rng(11), chinese=True)
    tiles = [TilePose(-90 + 60 * k, 0, 90, *v, "up") for k, v in enumerate([(6, 6), (4, 2), (5, 1), (3, 1)])]
    image, _, _ = drawn(tiles, style)
    assert sorted(s.tile for s in Eye("chinese").look(image)) == names(tiles)
