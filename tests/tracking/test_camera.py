"""A camera that was bumped, or a table under it, and tiles that only look as if."""

import numpy as np
import pytest

from calibration.plane import Pose
from table import events
from table.tracking.camera import stay_put
from table.tracking.tracked import TrackedTile
from tests.filmed import BOTTOM, LINE, MORE, BareTable, PatternedTable, Tiles, kinds, over, seats, still
from tests.painted import Table
from vision.sighting import Sighting

WIDTH_MM = 24.0
PLACES = {"6-6": Pose(100, 100, 0), "5-1": Pose(200, 120, 90), "4-2": Pose(300, 80, 30)}
TILES = [TrackedTile(k, name, "up", pose, 0.99) for k, (name, pose) in enumerate(PLACES.items())]


def seen(name: str, dx_mm: float = 0.0) -> Sighting:
    pose = PLACES[name]
    return Sighting(np.zeros((4, 2)), "up", name, 0.99, (), Pose(pose.x_mm + dx_mm, pose.y_mm, pose.angle_deg))


def test_what_is_still_seen_lies_where_it_lay() -> None:
    assert stay_put(TILES, [seen("6-6", 1.0)], WIDTH_MM)


def test_all_were_taken() -> None:
    assert stay_put(TILES, [], WIDTH_MM)


def test_one_that_lies_elsewhere_may_be_a_bump() -> None:
    assert not stay_put(TILES, [seen("6-6", 10.0)], WIDTH_MM)
    assert not stay_put(TILES, [seen("6-6"), seen("5-1", 80.0), seen("4-2", -60.0)], WIDTH_MM)


def test_tiles_pushed_all_together_over_a_table_with_marks_are_one_fact() -> None:
    film = over(PatternedTable(), *MORE)
    for key, (face, pose) in list(film.table.tiles.items()):
        film.table.lay(face, pose.x_mm + 13, pose.y_mm - 6, pose.angle_deg, key)
    new = film.rest(2)
    assert kinds(new) == [("bumped", "")]
    assert isinstance(new[0], events.Bumped)
    assert (new[0].dx_mm, new[0].dy_mm) == pytest.approx((13, -6), abs=1)
    assert not film.tracker.camera_moves
    film.reach(BOTTOM, (300, 320), "5-1")
    assert kinds(film.rest()) == [("placed", "5-1")], "the game goes on from there"


@pytest.mark.parametrize("tiles", [MORE, LINE, LINE[1:2]])
def test_on_a_cloth_without_marks_the_tiles_tell_where_the_camera_is(tiles: Tiles) -> None:
    film = over(BareTable(), *tiles)
    film.table.shift_px = (7.0, -4.0)
    assert film.rest(1) == []
    assert film.tracker.camera_moves == [pytest.approx(16, abs=2)]
    film.reach(BOTTOM, (300, 320), "5-1")
    new = film.rest()
    assert kinds(new) == [("placed", "5-1")]
    assert isinstance(new[0], events.Placed)
    assert (new[0].at.x_mm, new[0].at.y_mm) == pytest.approx((300, 320), abs=2)


def test_a_camera_bumped_under_a_hand_that_lays_a_tile() -> None:
    film = over(BareTable(), *LINE)
    for y in (400, 330):
        film.show((BOTTOM, (300, y)))
    film.table.shift_px = (-6.0, 5.0)
    film.table.lay("5-1", 300, 320)
    for y in (330, 400):
        film.show((BOTTOM, (300, y)))
    new = film.rest(2)
    assert kinds(new) == [("placed", "5-1")]
    assert seats(new) == [(0, "arm")]
    assert len(film.tracker.camera_moves) == 1


def mix(table: Table) -> None:
    """Every tile lies somewhere else, and no two moved alike."""
    away = ((90, -70), (-60, 90), (35, -100), (120, -60), (-80, 110))
    for turns, (key, (x, y)) in enumerate(zip(list(table.tiles), away, strict=True)):
        face, pose = table.tiles[key]
        table.lay(face, pose.x_mm + x, pose.y_mm + y, 20.0 * turns, key)


def test_where_nothing_tells_where_the_camera_is_people_are_asked_and_nothing_is_judged() -> None:
    film = over(BareTable(), *MORE)
    lay = dict(film.table.tiles)
    mix(film.table)
    assert film.rest(5) == []
    assert film.tracker.questions == ["TABLE_DIFFERS"]
    assert not film.tracker.judgeable
    film.table.tiles = lay
    assert film.rest(2) == []
    assert film.tracker.judgeable, "as before: play goes on by itself"


def test_a_camera_bumped_between_two_stills_while_a_tile_was_laid() -> None:
    film = over(PatternedTable())
    film.tracker.observe(still(film.table, 2))
    for face, x, y, angle in LINE:
        film.table.lay(face, x, y, angle)
    film.tracker.observe(still(film.table, 3))
    film.table.shift_px = (6.0, -4.0)
    film.table.lay("5-1", 300, 320)
    assert kinds(film.tracker.observe(still(film.table, 4))) == [("placed", "5-1")]
    assert len(film.tracker.camera_moves) == 1


def test_who_says_that_all_is_right_is_believed() -> None:
    film = over(BareTable(), *MORE)
    mix(film.table)
    assert film.rest(3) == []
    film.tracker.believe()
    assert {fact.type for fact in film.rest(2)} == {"moved"}
    assert film.tracker.judgeable


def test_a_bumped_camera_is_noticed_although_the_rim_changes_like_under_arms() -> None:
    film = over(PatternedTable(), *LINE)
    film.table.shift_px = (6.0, -4.0)
    film.show()
    film.show()
    film.show()
    assert film.tracker.camera_moves, "before anything of the bumped picture is accepted"
    assert len(film.facts) == len(LINE)
    film.reach(BOTTOM, (300, 320), "5-2")
    assert kinds(film.rest(1.5)) == [("placed", "5-2")]
