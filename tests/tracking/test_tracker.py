"""The tracker on painted tables: what settles becomes a fact, with its seat; what is covered or moving does not."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from calibration.table_file import SeatStrip
from table import events
from table.tracking import Tracker
from tests.painted import CLOTH, STRIPS, TILE_MM, PaintedEye, Table, plane
from vision.sources.frames import Frame
from vision.sources.pictures import Image

Arm = tuple[tuple[float, float], tuple[float, float]]
Tiles = tuple[tuple[str, float, float, float], ...]
RATE = 10.0
BOTTOM, TOP = (300.0, 480.0), (300.0, -40.0)


class Film:
    """A painted table that is filmed at ten frames a second and tracked."""

    def __init__(
        self,
        strips: Sequence[SeatStrip] = STRIPS,
        yard_mm: tuple[float, float, float, float] | None = None,
        once: bool = True,
    ) -> None:
        self.table, self.eye = Table(), PaintedEye("auto", plane(), TILE_MM)
        self.tracker = Tracker(self.eye, plane(), TILE_MM, strips, yard_mm, once)
        self.facts: list[events.Fact] = []
        self._count = 0

    @property
    def t(self) -> float:
        """The time of the next frame."""
        return self._count / RATE

    def show(self, *arms: Arm, noise: float = 1.0) -> list[events.Fact]:
        """One frame; what it made certain."""
        self.table.arms = list(arms)
        new = self.tracker.observe(Frame(self.t, self.table.picture(noise, self._count)))
        self._count += 1
        self.facts += new
        return new

    def rest(self, seconds: float = 1.2) -> list[events.Fact]:
        """Nothing happens for a while."""
        return [fact for _ in range(round(seconds * RATE)) for fact in self.show()]

    def reach(self, start: tuple[float, float], to: tuple[float, float], lay: str | None = None) -> list[events.Fact]:
        """An arm comes in, lays (or, with -, takes) a tile where it gets to, and leaves."""
        new = []
        steps = [start[1] + (to[1] - start[1]) * k / 4 for k in range(1, 5)]
        for y in steps:
            new += self.show((start, (to[0], y)))
        if lay and lay.startswith("-"):
            self.table.take(lay[1:])
        elif lay:
            self.table.lay(lay, to[0], to[1], 0)
        for y in reversed(steps):
            new += self.show((start, (to[0], y)))
        return new


def kinds(facts: Sequence[events.Fact]) -> list[tuple[str, str]]:
    return [(f.type, f.tile if isinstance(f, events.OfTile) else "") for f in facts]


def seats(facts: Sequence[events.Fact]) -> list[tuple[int | None, str | None]]:
    return [(f.seat, f.seat_by) for f in facts if isinstance(f, events.OfTile)]


def started(*tiles: tuple[str, float, float, float], yard_mm: tuple[float, float, float, float] | None = None) -> Film:
    """A film whose first settled picture shows these tiles."""
    film = Film(yard_mm=yard_mm)
    for face, x, y, angle in tiles:
        film.table.lay(face, x, y, angle)
    film.rest()
    return film


LINE = (("6-6", 250.0, 220.0, 90.0), ("6-4", 290.0, 220.0, 0.0), ("4-1", 342.0, 220.0, 0.0))


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


class PatternedTable(Table):
    """Lies on a cloth with flowers, right to the rim."""

    def picture(self, noise: float = 0.0, seed: int = 0) -> Image:
        shift, self.shift_px = self.shift_px, (0.0, 0.0)
        image = super().picture().copy()
        self.shift_px = shift
        bare = (image < 120).all(axis=2)
        flowers = np.zeros(image.shape[:2], np.uint8)
        for x, y, size in np.random.default_rng(8).integers([0, 0, 3], [320, 240, 8], (160, 3)).tolist():
            cv2.circle(flowers, (x, y), size, 90, -1)
        image[bare & (flowers > 0)] = (90, 110, 100)
        move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
        return np.asarray(cv2.warpAffine(image, move, (320, 240), borderMode=cv2.BORDER_REPLICATE), np.uint8)


class BareTable(Table):
    """Lies on a cloth without any mark."""

    def picture(self, noise: float = 0.0, seed: int = 0) -> Image:
        shift, self.shift_px = self.shift_px, (0.0, 0.0)
        image = super().picture().copy()
        self.shift_px = shift
        bare = (image < 120).all(axis=2)
        image[bare] = CLOTH
        move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
        moved = cv2.warpAffine(image, move, (320, 240), borderMode=cv2.BORDER_REPLICATE)
        grain = np.random.default_rng(seed).normal(0, noise, moved.shape)
        return np.asarray(np.clip(moved + grain, 0, 255), np.uint8)


MORE = (*LINE, ("5-2", 150.0, 350.0, 30.0), ("3-0", 450.0, 100.0, 0.0))


def over(table: Table, *tiles: tuple[str, float, float, float]) -> Film:
    """A film of this table, with an eye that knows where the camera is; its first settled picture shows the tiles."""
    film = Film()
    film.table = table
    film.tracker = Tracker(film.eye, plane(), TILE_MM, STRIPS, eye_for=lambda moved: PaintedEye("auto", moved, TILE_MM))
    for face, x, y, angle in tiles:
        film.table.lay(face, x, y, angle)
    film.rest()
    return film


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


def test_a_bumped_camera_is_noticed_although_the_rim_changes_like_under_arms() -> None:
    film = Film()
    film.table = PatternedTable()
    for face, x, y, angle in LINE:
        film.table.lay(face, x, y, angle)
    film.tracker = Tracker(film.eye, plane(), TILE_MM, STRIPS, eye_for=lambda moved: PaintedEye("auto", moved, TILE_MM))
    film.rest()
    film.table.shift_px = (6.0, -4.0)
    film.show()
    film.show()
    film.show()
    assert film.tracker.camera_moves, "before anything of the bumped picture is accepted"
    assert len(film.facts) == len(LINE)
    film.reach(BOTTOM, (300, 320), "5-2")
    assert kinds(film.rest(1.5)) == [("placed", "5-2")]


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


def still(table: Table, t: float) -> Frame:
    return Frame(t, table.picture(), settled=True)


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
