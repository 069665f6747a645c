"""The eye on drawn tables with known truth, through its public face alone."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.plane import TablePlane
from tests.drawn import BACKS, CHAIN, HAND, LENGTH_MM, drawn, plain_style
from vision.eye import Eye
from vision.training.layouts import TilePose
from vision.training.styles import random_style


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
