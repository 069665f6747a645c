"""The scene generator: what it says it drew is where it drew it."""

import numpy as np
import pytest

from vision.pips import pips_of
from vision.sets import CHINESE_PAIRS
from vision.training.layouts import Ground, TilePose
from vision.training.scenes import Light, PinholeTable, footprint_mm, random_scene, render
from vision.training.styles import random_style

LIGHT = Light(direction_deg=40, shadow_mm=0.3, shadow_share=0.2, softness=0.3, contact=0.2)


def test_the_same_seed_draws_the_same_picture() -> None:
    one = random_scene(np.random.default_rng(3), 128, 40)
    two = random_scene(np.random.default_rng(3), 128, 40)
    assert np.array_equal(one.image_bgr, two.image_bgr)
    assert [(t.a, t.b) for t in one.tiles] == [(t.a, t.b) for t in two.tiles]


@pytest.mark.parametrize("a", range(13))
def test_a_western_half_has_as_many_pips_as_its_value(a: int) -> None:
    style = random_style(np.random.default_rng(1), chinese=False, most=12)
    pips = pips_of(style, a, 12 - a)
    assert sum(u < 0.5 for u, *_ in pips) == a
    assert len({(round(u, 3), round(v, 3)) for u, v, *_ in pips}) == 12


@pytest.mark.parametrize(("a", "b"), CHINESE_PAIRS)
def test_a_chinese_face_has_all_its_pips_in_the_tile_and_none_twice(a: int, b: int) -> None:
    style = random_style(np.random.default_rng(2), chinese=True)
    pips = pips_of(style, a, b)
    places = {(round(u, 3), round(v, 3)) for u, v, *_ in pips}
    assert len(pips) == len(places) == a + b
    assert all(0.03 < u < 0.97 and 0.03 < v < 0.97 for u, v in places)


def test_a_tile_is_painted_inside_its_outline_only() -> None:
    style = random_style(np.random.default_rng(4), chinese=False, most=6)
    plane = PinholeTable(400, 400, 20, 10, (0, 0), (80, 80))
    pose = TilePose(5, -8, 33, 4, 2, "up")
    table = np.full((160, 160, 3), 90, np.float32)
    image, hidden, quads = render(table, plane, style, 50, [pose], LIGHT, np.random.default_rng(0))
    centre = plane.to_image(np.array([[5.0, -8.0]]), style.thickness * 50 / style.aspect)[0]
    assert quads[0].mean(0) == pytest.approx(centre, abs=0.5)
    assert hidden[int(centre[1]), int(centre[0])] == 0
    assert np.abs(image - table).max(2)[:20, :20].max() < 1e-3


def test_the_direction_of_a_pose_runs_from_half_a_to_half_b() -> None:
    corners = footprint_mm(TilePose(0, 0, 90, 6, 1, "up"), 50, 25)
    assert corners[[0, 3]].mean(0) == pytest.approx([0, -25])
    assert corners[[1, 2]].mean(0) == pytest.approx([0, 25])


def test_tiles_may_touch_but_not_overlap() -> None:
    ground = Ground(100, 50, 25)
    assert ground.try_lay(0, 0, 0)
    assert ground.try_lay(50.5, 0, 0)
    assert not ground.try_lay(20, 10, 30)


def test_a_scene_tells_its_table_as_a_calibration_would() -> None:
    scene = random_scene(np.random.default_rng(11), 200, 50)
    plane = scene.table_plane(160.0)
    for height in (0.0, scene.tile_mm[2]):
        seen = plane.to_image(np.array([[80.0, 80.0], [10.0, 30.0]]), height)
        assert seen == pytest.approx(scene.plane.to_image(np.array([[0.0, 0.0], [-70.0, -50.0]]), height), abs=0.05)
