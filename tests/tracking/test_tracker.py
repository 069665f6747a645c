"""The tracker on painted tables: what settles becomes a fact, with its seat; what is covered or moving does not."""

from __future__ import annotations

import numpy as np
import pytest

from table import events
from tests.filmed import BOTTOM, LINE, TOP, Film, kinds, seats, started, still


def test_what_lies_there_at_first_is_placed() -> None:
    film = started(*LINE)
    assert sorted(kinds(film.facts)) == [("placed", "4-1"), ("placed", "6-4"), ("placed", "6-6")]
    assert seats(film.facts) == [(None, None)] * 3
    assert sorted(f.id for f in film.facts if isinstance(f, events.OfTile)) == [0, 1, 2]
    assert film.rest(2) == []


def test_a_tile_laid_by_an_arm_belongs_to_its_seat() -> None:
    film = started(*LINE)
    assert film.reach(BOTTOM, (300, 300), "5-2") == []
    left = film.t
    new = film.rest()
    assert kinds(new) == [("placed", "5-2")]
    assert seats(new) == [(0, "arm")]
    assert left <= new[0].t <= left + 0.8
    assert isinstance(new[0], events.Placed)
    assert (new[0].at.x_mm, new[0].at.y_mm) == pytest.approx((300, 300), abs=1.5)


def test_an_arm_from_the_other_side() -> None:
    film = started(*LINE)
    film.reach(TOP, (300, 150), "5-2")
    assert seats(film.rest()) == [(1, "arm")]


def test_nothing_is_judged_under_an_arm() -> None:
    film = started(*LINE)
    film.reach(BOTTOM, (300, 300), "5-2")
    for _ in range(40):
        assert film.show((BOTTOM, (300, 240))) == []
    assert kinds(film.rest()) == [("placed", "5-2")]


def test_an_arm_across_the_whole_table_covers_but_removes_nothing() -> None:
    film = started(*LINE)
    for y in (400, 300, 200, 100, 20):
        film.show((BOTTOM, (300, y)))
    for _ in range(30):
        film.show((BOTTOM, (300, 20)))
    film.rest()
    assert len(film.facts) == len(LINE)


def test_nothing_is_judged_while_it_moves() -> None:
    film = started()
    for k in range(15):
        film.table.lay("5-2", 200 + 10 * k, 220, 0)
        assert film.show() == []
    assert kinds(film.rest()) == [("placed", "5-2")]


def test_two_arms_two_seats() -> None:
    film = started()
    for y in (80, 160, 240):
        film.show(((150, 480), (150, 460 - y / 2)), ((450, -40), (450, y / 2)))
    film.table.lay("5-2", 150, 350)
    film.table.lay("3-1", 450, 110)
    for y in (240, 160, 80):
        film.show(((150, 480), (150, 460 - y / 2)), ((450, -40), (450, y / 2)))
    new = film.rest()
    assert {(f.tile, f.seat) for f in new if isinstance(f, events.OfTile)} == {("5-2", 0), ("3-1", 1)}
    assert len(new) == 2


def test_an_arm_that_rests_does_not_hold_up_the_others() -> None:
    film = started()
    resting = ((80.0, 480.0), (80.0, 400.0))
    for _ in range(20):
        film.show(resting)
    for y in (60, 110, 60):
        film.show(resting, (TOP, (300, y)))
    film.table.lay("5-2", 300, 120)
    for y in (110, 60, 0):
        film.show(resting, (TOP, (300, y)))
    new = [fact for _ in range(25) for fact in film.show(resting)]
    assert kinds(new) == [("placed", "5-2")]
    assert seats(new) == [(1, "arm")]


@pytest.mark.parametrize(("tip", "y"), [(10.0, 75.0), (25.0, 60.0), (40.0, 75.0)])
def test_an_arm_that_had_rested_for_long_leaves_nothing_behind(tip: float, y: float) -> None:
    """It was taken for the table's look; a tile that it laid right beside is not to be taken for the arm."""
    film = started(("6-6", 300.0, 320.0, 90.0))
    for _ in range(80):
        film.show((TOP, (300.0, tip)))
    film.table.lay("6-4", 300.0, y, 90)
    for reach in (y, tip):
        film.show((TOP, (300.0, reach)))
    assert kinds(film.rest(1.3)) == [("placed", "6-4")]


def test_taken_back_and_laid_again_it_is_the_same_tile() -> None:
    film = started(*LINE)
    film.reach(BOTTOM, (300, 320), "5-2")
    first = film.rest()
    film.reach(BOTTOM, (300, 320), "-5-2")
    back = film.rest()
    film.reach(BOTTOM, (400, 300), "5-2")
    again = film.rest()
    assert [kinds(f) for f in (first, back, again)] == [[("placed", "5-2")], [("removed", "5-2")], [("placed", "5-2")]]
    numbers = {f.id for f in (*first, *back, *again) if isinstance(f, events.OfTile)}
    assert len(numbers) == 1
    assert seats(back) == [(0, "arm")]


def test_where_faces_occur_twice_one_that_comes_back_is_a_new_tile() -> None:
    film = Film(once=False)
    film.table.lay("5-2", 300, 220)
    film.rest()
    film.table.take("5-2")
    film.rest()
    film.table.lay("5-2", 300, 220)
    film.rest()
    assert [(f.type, f.id) for f in film.facts if isinstance(f, events.OfTile)] == [
        ("placed", 0),
        ("removed", 0),
        ("placed", 1),
    ]


def test_carried_across_the_table_is_one_move() -> None:
    film = started(*LINE, ("5-2", 120.0, 120.0, 0.0))
    for y in (300, 200, 120):
        film.show((BOTTOM, (120, y)))
    film.table.take("5-2")
    for x in (200, 300, 400):
        film.show((BOTTOM, (x, 120)))
    film.table.lay("5-2", 400, 120, 90)
    for y in (200, 300, 400):
        film.show((BOTTOM, (400, y)))
    new = film.rest()
    assert kinds(new) == [("moved", "5-2")]
    assert isinstance(new[0], events.Moved)
    assert (new[0].at.x_mm, new[0].at.angle_deg) == pytest.approx((400, 90), abs=2)


def test_a_nudge_is_not_reported() -> None:
    film = started(*LINE)
    film.table.lay("4-1", 345, 221, 1.5)
    assert film.rest() == []


def test_turned_over_and_back_keeps_its_name() -> None:
    film = started(*LINE)
    film.table.lay("back", 342, 220, 0, key="4-1")
    down = film.rest()
    film.table.lay("4-1", 342, 220, 0)
    up = film.rest()
    assert kinds([*down, *up]) == [("turned", "4-1"), ("turned", "4-1")]
    assert [f.face for f in (*down, *up) if isinstance(f, events.OfTile)] == ["down", "up"]


def test_a_misread_neighbour_is_ignored() -> None:
    film = started(*LINE)
    film.eye.misread["4-1"] = "4-0"
    film.reach(BOTTOM, (394, 220), "1-1")
    assert kinds(film.rest()) == [("placed", "1-1")]


@pytest.mark.parametrize("light", [0.7, 0.85, 1.15])
def test_the_lamp_is_no_move(light: float) -> None:
    film = started(*LINE)
    film.table.light = light
    assert film.rest(2) == []
    film.reach(BOTTOM, (300, 320), "5-2")
    assert kinds(film.rest(1.5)) == [("placed", "5-2")]


def test_the_sun_goes_slowly() -> None:
    film = started(*LINE)
    for k in range(40):
        film.table.light = 1 - 0.008 * k
        film.show()
    film.rest()
    assert len(film.facts) == len(LINE)


def test_a_shadow_is_no_move() -> None:
    film = started(*LINE)
    for x in (0, 60, 120, 180):
        film.table.shadow_mm = (float(x), 100, 250, 250)
        film.show()
    film.rest(2)
    film.table.shadow_mm = None
    film.rest(2)
    assert len(film.facts) == len(LINE)


def test_noise_is_no_move() -> None:
    film = started(*LINE)
    for _ in range(20):
        film.show(noise=5)
    assert len(film.facts) == len(LINE)


def test_a_shaking_camera_is_no_move() -> None:
    film = started(*LINE)
    rng = np.random.default_rng(5)
    for _ in range(20):
        film.table.shift_px = (float(rng.integers(-1, 2)), float(rng.integers(-1, 2)))
        film.show()
    film.table.shift_px = (0.0, 0.0)
    film.rest()
    assert len(film.facts) == len(LINE)


def test_an_idle_table_is_not_looked_at() -> None:
    film = started(*LINE)
    before = film.eye.looks
    film.rest(3)
    assert film.eye.looks == before


YARD = (20.0, 20.0, 120.0, 400.0)


def with_yard(count: int) -> Film:
    film = Film(yard_mm=YARD)
    film.table.lay("6-6", 350, 220, 90)
    for k in range(count):
        film.table.lay("back", 80, 70 + 40 * k, 0, key=f"y{k}")
    film.rest()
    return film


def test_the_boneyard_is_counted_not_placed() -> None:
    film = with_yard(5)
    assert sorted(kinds(film.facts)) == [("boneyard", ""), ("placed", "6-6")]
    assert [f.count for f in film.facts if isinstance(f, events.Boneyard)] == [5]


def drawn() -> list[events.Fact]:
    """An arm from the bottom takes one of four tiles out of the yard."""
    film = with_yard(4)
    for y in (300, 200, 190):
        film.show((BOTTOM, (80, y)))
    film.table.take("y3")
    for y in (200, 300, 400):
        film.show((BOTTOM, (80, y)))
    return film.rest(1.5)


def test_a_tile_drawn() -> None:
    assert [(f.type, getattr(f, "count", None)) for f in drawn()] == [("taken", 1), ("boneyard", 3)]


def test_whose_arm_drew() -> None:
    assert [(f.seat, f.seat_by) for f in drawn() if isinstance(f, events.Taken)] == [(0, "arm")]


def test_a_tile_put_back_into_the_yard() -> None:
    film = with_yard(3)
    film.table.lay("back", 80, 350, 0, key="new")
    assert [(f.type, getattr(f, "count", None)) for f in film.rest(1.5)] == [("returned", 1), ("boneyard", 4)]


def test_stills_are_settled_tables() -> None:
    film = Film()
    table = film.table
    facts = film.tracker.observe(still(table, 0))
    table.lay("6-6", 300, 220, 90)
    facts += film.tracker.observe(still(table, 1))
    table.lay("6-4", 340, 220)
    facts += film.tracker.observe(still(table, 2))
    assert [(f.t, *k) for f, k in zip(facts, kinds(facts), strict=True)] == [
        (1.0, "placed", "6-6"),
        (2.0, "placed", "6-4"),
    ]
    assert film.tracker.judgeable


def test_a_corrected_name_is_kept() -> None:
    film = started(*LINE)
    number = next(f.id for f in film.facts if isinstance(f, events.OfTile) and f.tile == "4-1")
    film.tracker.rename(number, "4-2")
    film.table.take("4-1")
    assert kinds(film.rest()) == [("removed", "4-2")]


def test_a_tile_that_is_laid_costs_one_look() -> None:
    film = started(*LINE)
    before = film.eye.looks
    film.reach(BOTTOM, (394, 220), "1-1")
    assert kinds(film.rest()) == [("placed", "1-1")]
    assert film.eye.looks == before + 1
