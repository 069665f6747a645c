"""`Watch`: what moves, what is different from before, and what a lamp or a shadow did, on painted tables."""

from __future__ import annotations

import numpy as np
import pytest

from tests.painted import TILE_MM, Table, plane
from vision.motion import Activity, Mask, Watch, components


@pytest.fixture
def watch() -> Watch:
    return Watch(plane(), TILE_MM[1])


def cells_at(watch: Watch, x_mm: float, y_mm: float) -> tuple[int, int]:
    column, row = watch.to_cells(plane().to_image([[x_mm, y_mm]]))[0]
    return int(row), int(column)


def seen(watch: Watch, table: Table, t: float, noise: float = 0.0) -> Activity:
    return watch.observe(t, table.picture(noise, seed=round(100 * t)))


def test_the_watched_part_is_the_play_area_and_its_rim(watch: Watch) -> None:
    assert watch.inside[cells_at(watch, 300, 220)]
    assert not watch.ring[cells_at(watch, 300, 220)]
    assert 0 < watch.ring.sum() < watch.inside.sum() / 4
    points = np.array([[12.0, 34.0], [600.0, 400.0]])
    assert watch.to_px(watch.to_cells(points)) == pytest.approx(points)


def test_a_still_table_does_not_move_whatever_the_noise(watch: Watch) -> None:
    table = Table()
    table.lay("4-2", 300, 220)
    for k in range(8):
        activity = seen(watch, table, k / 15, noise=4)
        assert not activity.any_moving
        assert not activity.any_changed


def test_a_new_tile_is_a_change_where_it_lies_and_then_rests(watch: Watch) -> None:
    table = Table()
    seen(watch, table, 0)
    seen(watch, table, 0.1)
    table.lay("4-2", 300, 220)
    activity = seen(watch, table, 0.2)
    place = cells_at(watch, 300, 220)
    assert activity.moving[place]
    assert activity.changed[place]
    assert activity.textural[place]
    assert not activity.changed[cells_at(watch, 100, 100)]
    for k in (3, 4, 5):
        activity = seen(watch, table, k / 10)
    assert not activity.any_moving
    assert activity.changed[place]
    assert watch.quiet_since[place] < 0.45


def test_what_was_accepted_is_no_change_any_more(watch: Watch) -> None:
    table = Table()
    seen(watch, table, 0)
    table.lay("4-2", 300, 220)
    table.lay("6-5", 100, 100)
    picture = table.picture()
    watch.observe(1, picture, still=True)
    part: Mask = np.zeros(watch.shape, bool)
    part[:, watch.shape[1] // 3 :] = True
    watch.accept(picture, part)
    activity = watch.observe(2, picture, still=True)
    assert not activity.changed[cells_at(watch, 300, 220)]
    assert activity.changed[cells_at(watch, 100, 100)]
    watch.accept(picture)
    assert not watch.observe(3, picture, still=True).any_changed


@pytest.mark.parametrize("light", [0.6, 0.85, 1.2])
def test_the_lamp_is_no_change(watch: Watch, light: float) -> None:
    table = Table()
    table.lay("4-2", 300, 220)
    seen(watch, table, 0)
    table.light = light
    assert not seen(watch, table, 1).any_changed


def test_what_drifts_in_a_dark_picture_is_no_change(watch: Watch) -> None:
    dark = np.full((plane().size_px[1], plane().size_px[0], 3), 6, np.uint8)
    for levels, changes in ((4, False), (12, True)):
        watch.observe(0, dark, still=True)
        drifted = dark.copy()
        drifted[200:248, 280:328] += np.uint8(levels)
        assert watch.observe(1, drifted, still=True).any_changed == changes


def test_a_tile_is_found_although_the_lamp_was_switched(watch: Watch) -> None:
    table = Table()
    seen(watch, table, 0)
    table.light = 0.7
    table.lay("4-2", 300, 220)
    activity = watch.observe(1, table.picture(), still=True)
    assert activity.changed[cells_at(watch, 300, 220)]
    assert not activity.changed[cells_at(watch, 100, 100)]


def test_a_shadow_is_a_change_but_nothing_lies_there(watch: Watch) -> None:
    table = Table()
    seen(watch, table, 0)
    table.shadow_mm = (150, 100, 200, 200)
    activity = watch.observe(1, table.picture(), still=True)
    assert activity.changed[cells_at(watch, 250, 200)]
    assert activity.textural.sum() < 0.1 * activity.changed.sum()


def test_a_still_never_moves(watch: Watch) -> None:
    table = Table()
    watch.observe(0, table.picture(), still=True)
    table.lay("4-2", 300, 220)
    activity = watch.observe(1, table.picture(), still=True)
    assert not activity.any_moving
    assert activity.any_changed


def test_parts_of_a_mask_largest_first() -> None:
    mask = np.zeros((20, 20), bool)
    mask[1:3, 1:3] = True
    mask[10:16, 10:16] = True
    mask[17, 18] = True
    parts = components(mask, least_cells=2, join_cells=0)
    assert [int(p.sum()) for p in parts] == [36, 4]
    assert len(components(mask, join_cells=3)) == 2, "gaps are bridged"
