"""Smaller parts of the line engine: leads by rank, sizes, sides, corners and contacts at odd angles."""

from __future__ import annotations

import math
import random

import pytest

from table.events import Pose
from table.rules.games import line_rules
from table.rules.line import Joint, Line
from table.rules.line.contacts import Laid, Size, contacts, meets, side_of
from table.rules.line.space import (
    End,
    Room,
    across_deg,
    askew_deg,
    corners,
    end_of,
    fits,
    footprints,
    outside_mm,
    overlap_mm,
    pose_faults,
)

TILE = Size(50.0, 25.0)


@pytest.mark.parametrize(
    ("game", "options", "hand", "leads"),
    [
        ("draw", {}, ["5-5", "4-4", "6-5"], ["5-5"]),
        ("draw", {}, ["6-3", "5-4", "2-0"], ["6-3"]),
        ("draw", {"open_with_qualifier": "false"}, ["5-5", "6-5"], ["5-5", "6-5"]),
        ("draw", {"starter_method": "first"}, ["5-5", "6-5"], ["5-5", "6-5"]),
        ("doubles", {}, ["5-5", "4-4", "6-5"], ["5-5"]),
        ("doubles", {"starter_method": "first"}, ["4-4", "6-5"], ["4-4", "6-5"]),
        ("block", {"starter_method": "highest_double"}, ["4-4", "6-5"], ["4-4", "6-5"]),
        ("all-fives", {}, ["1-1", "6-5", "4-4"], ["4-4"]),
        ("all-fives", {}, ["6-3", "5-4", "2-0"], ["6-3"]),
        ("chicken-foot", {"starter_method": "holder"}, ["9-9", "8-8"], ["9-9"]),
    ],
)
def test_leads(game, options, hand, leads):
    assert line_rules(game, 2, options).leads(hand) == leads


def test_hands_of_all_fives():
    assert [line_rules("all-fives", n, {}).hand_size() for n in (2, 3, 4)] == [7, 5, 5]


def test_blocks_of_all_fives():
    rules = line_rules("all-fives", 2, {})
    assert rules.blocked([3, 14], [1, 2]) == (0, (10, 0))
    assert rules.blocked([3, 3], [1, 2]) == (None, (0, 0))


def test_the_short_sides_of_a_joined_double_open_when_the_line_goes_on():
    line = Line(line_rules("doubles", 2, {"spinner_sides": "long_sides_first"}))
    line.push("6-6")
    line.push("6-3", Joint(0, "long_l", "a"))
    assert {port.side for port in line.position.ports if port.at == 0} == {"long_r"}
    line.push("3-3", Joint(1, "b", "long_l"))
    assert {port.side for port in line.position.ports if port.at == 2} == {"long_r"}
    line.push("3-1", Joint(2, "long_r", "a"))
    assert {port.side for port in line.position.ports if port.at == 2} == {"short_n", "short_s"}


def test_a_tile_taken_out_opens_the_end_it_covered():
    line = Line(line_rules("block", 2, {}))
    line.push("6-4")
    line.push("4-1", Joint(0, "b", "a"))
    line.take_out(1)
    assert line.position.values() == [4, 6]
    assert line.check("4-2", Joint(0, "b", "a")) == []
    assert line.check("4-1", Joint(0, "b", "a")) == []  # it is in a hand again
    only = Line(line_rules("block", 2, {}))
    only.push("6-4")
    only.take_out(0)
    assert only.position.ports == ()


def test_nothing_opens_on_a_tile_that_was_taken_out_itself():
    line = Line(line_rules("block", 2, {}))
    line.push("6-4")
    line.push("4-1", Joint(0, "b", "a"))
    line.push("2-1", Joint(1, "b", "b"))
    before = line.copy()
    line.take_out(1)
    assert line.position.values() == [2, 4, 6]
    line.take_out(2)
    assert line.position.values() == [4, 6]
    before.take_out(2)  # where the other still lies, its end is open again
    assert before.position.values() == [1, 6]


def test_a_tile_that_covered_no_end_opens_none():
    line = Line(line_rules("block", 2, {}))
    line.push("6-4")
    line.push("4-1", Joint(0, "b", "a"))
    line.push("4-2", Joint(0, "b", "a"))  # it was let stand
    line.take_out(2)
    assert line.position.values() == [1, 6]


def test_a_double_whose_sides_were_free_opens_the_side_that_was_covered():
    line = Line(line_rules("draw", 2, {}))
    line.push("6-6")
    line.push("6-1", Joint(0, "long_r", "a"))
    line.take_out(1)
    assert sorted(port.side for port in line.position.ports) == ["long_l", "long_r"]
    assert line.pop().tile == "6-1"
    line.push("6-2", Joint(0, "long_l", "a"))
    line.take_out(1)
    assert line.position.values() == [6, 6]


def test_corners_of_a_slanted_tile():
    angle = math.radians(30)
    expected = {
        (
            round(100 + sl * 25 * math.cos(angle) - sw * 12.5 * math.sin(angle), 3),
            round(50 + sl * 25 * math.sin(angle) + sw * 12.5 * math.cos(angle), 3),
        )
        for sl in (-1, 1)
        for sw in (-1, 1)
    }
    assert {(round(x, 3), round(y, 3)) for x, y in corners(Pose(100.0, 50.0, 30.0), TILE)} == expected


def test_footprints_go_with_the_direction_of_the_end():
    """Straight on, round both corners, across: for an end that points down."""
    end = End(100.0, 200.0, 0.0, 1.0)
    places = {
        kind: (round(p.x_mm, 3), round(p.y_mm, 3), p.angle_deg % 180)
        for kind, p in footprints(end, False, False, True, TILE)
    }
    assert places == {"straight": (100, 225, 90), "left": (87.5, 212.5, 0), "right": (112.5, 212.5, 0)}
    assert [(k, p.x_mm, p.y_mm) for k, p in footprints(end, True, False, True, TILE)] == [("across", 100, 212.5)]
    assert [k for k, _ in footprints(end, False, True, True, TILE)] == ["straight"]


@pytest.mark.parametrize(
    ("side", "end"),
    [
        ("a", (75, 100, -1, 0)),
        ("b", (125, 100, 1, 0)),
        ("long_l", (100, 112.5, 0, 1)),
        ("long_r", (100, 87.5, 0, -1)),
        ("short_n", (75, 100, -1, 0)),
        ("short_s", (125, 100, 1, 0)),
    ],
)
def test_ends(side, end):
    assert end_of(Pose(100.0, 100.0, 0.0), side, TILE) == pytest.approx(end)


def test_overlap_and_edges():
    a = Pose(100.0, 100.0, 0.0)
    assert overlap_mm(a, Pose(145.0, 100.0, 0.0), TILE) == pytest.approx(5)
    assert overlap_mm(a, Pose(155.0, 100.0, 0.0), TILE) == pytest.approx(-5)
    assert overlap_mm(a, Pose(500.0, 100.0, 0.0), TILE) < -300
    assert outside_mm(Pose(20.0, 100.0, 0.0), TILE, (900, 700)) == pytest.approx(5)
    assert outside_mm(Pose(100.0, 695.0, 0.0), TILE, (900, 700)) == pytest.approx(7.5)


def test_sides_of_a_double():
    double = Pose(0.0, 0.0, 90.0)  # its long axis down; long_l is to the left of that, at -x
    assert side_of(double, -25.0, 0.0, TILE) == ("long_l", None)
    assert side_of(double, 25.0, 5.0, TILE) == ("long_r", None)
    assert side_of(double, 0.0, 38.0, TILE) == ("short_s", None)
    assert side_of(double, 0.0, -38.0, TILE) == ("short_n", None)
    assert set(side_of(double, 22.0, 35.0, TILE)) == {"long_r", "short_s"}  # off the corner: either


def test_a_touch_at_a_corner_may_mean_either_side():
    met = contacts("5-1", Pose(35.0, 48.0, 45.0), [Laid(0, "5-5", Pose(0.0, 0.0, 90.0))], TILE)
    assert {contact.joint.side for contact in met} == {"long_r", "short_s"}
    plain = contacts("5-1", Pose(37.5, 0.0, 0.0), [Laid(0, "5-5", Pose(0.0, 0.0, 90.0))], TILE)
    assert [contact.joint for contact in plain] == [Joint(0, "long_r", "a")]


def test_far_tiles_do_not_meet():
    assert contacts("5-1", Pose(200.0, 0.0, 0.0), [Laid(0, "5-5", Pose(0.0, 0.0, 90.0))], TILE) == []


@pytest.mark.parametrize(
    ("angle", "axis", "askew", "across"),
    [
        (0, 0, 0, 0),
        (30, 0, 30, 30),
        (60, 0, 30, 60),
        (90, 0, 0, 90),
        (100, 0, 10, 80),
        (181, 0, 1, 1),
        (10, 350, 20, 20),
    ],
)
def test_how_far_two_directions_are_apart(angle, axis, askew, across):
    assert askew_deg(angle, axis) == pytest.approx(askew)
    assert across_deg(angle, axis) == pytest.approx(across)


def scattered(rng, count):
    return [Pose(rng.uniform(0, 300), rng.uniform(0, 300), rng.uniform(0, 360)) for _ in range(count)]


def test_what_meets_has_a_contact_and_what_does_not_has_none():
    rng = random.Random(6)
    met = 0
    for _ in range(150):
        pose, *others = scattered(rng, 4)
        laid = [Laid(i, rng.choice(["6-4", "3-3"]), other) for i, other in enumerate(others)]
        tile, reach = rng.choice(["5-1", "2-2"]), rng.choice([0.2, 0.9, 1.6])
        assert meets(tile, pose, laid, TILE, reach) == bool(contacts(tile, pose, laid, TILE, reach))
        met += meets(tile, pose, laid, TILE, reach)
    assert 20 < met < 130


def test_a_place_fits_when_nothing_reaches_into_it_any_deeper_than_the_slack():
    rng = random.Random(8)
    free = 0
    for _ in range(200):
        pose, *others = scattered(rng, 4)
        slack = rng.choice([-30.0, -6.0, 0.5, 6.0])
        room = Room((300.0, 300.0), others)
        deep = [overlap_mm(pose, other, TILE) for other in others]
        inside = outside_mm(pose, TILE, room.size_mm) <= slack
        assert fits(pose, TILE, room, slack) == (inside and max(deep) <= slack)
        assert fits(pose, TILE, room, slack, 0) == (inside and deep[0] <= max(slack, 0.5) and max(deep[1:]) <= slack)
        free += fits(pose, TILE, room, slack)
    assert 10 < free < 190


@pytest.mark.parametrize(
    ("at", "turns", "codes"),
    [
        (Pose(150.0, 100.0, 0.0), True, []),
        (Pose(150.0, 100.0, 0.0), False, []),
        (Pose(137.5, 112.5, 90.0), True, []),
        (Pose(137.5, 112.5, 90.0), False, ["OFF_AXIS"]),
        (Pose(150.0, 100.0, 16.0), True, ["OFF_AXIS"]),
        (Pose(150.0, 100.0, 14.0), True, []),
        (Pose(162.0, 100.0, 0.0), True, []),
        (Pose(163.0, 100.0, 0.0), True, ["SIDES_NOT_ADJACENT"]),
        (Pose(150.0, 112.0, 0.0), True, []),
        (Pose(150.0, 113.0, 0.0), True, ["SIDES_NOT_ADJACENT"]),
    ],
)
def test_how_a_tile_lies_at_an_end(at, turns, codes):
    """4-1 at the b of 6-4, whose middle is at 125 mm; half a tile width is 12.5 mm."""
    joint = Joint(0, "b", "a")
    on = Pose(100.0, 100.0, 0.0)
    assert pose_faults("4-1", at, "6-4", on, joint, "a", 0.0, TILE, 15.0, turns, True) == codes


@pytest.mark.parametrize(
    ("at", "own", "crosswise", "codes"),
    [
        (Pose(137.5, 100.0, 90.0), "long_l", True, []),
        (Pose(137.5, 112.0, 90.0), "long_l", True, []),
        (Pose(137.5, 113.0, 90.0), "long_l", True, ["DOUBLE_NOT_CROSSWISE"]),
        (Pose(137.5, 113.0, 90.0), "long_l", False, ["SIDES_NOT_ADJACENT"]),
        (Pose(151.0, 100.0, 90.0), "long_l", True, ["SIDES_NOT_ADJACENT"]),
        (Pose(150.0, 100.0, 0.0), "short_n", True, ["DOUBLE_NOT_CROSSWISE"]),
        (Pose(150.0, 100.0, 0.0), "short_n", False, []),
        (Pose(163.0, 100.0, 0.0), "short_n", False, ["SIDES_NOT_ADJACENT"]),
    ],
)
def test_how_a_double_lies_at_an_end(at, own, crosswise, codes):
    joint = Joint(0, "b", own)
    on = Pose(100.0, 100.0, 0.0)
    found = pose_faults("4-4", at, "6-4", on, joint, "a", 0.0, TILE, 15.0, True, crosswise)
    assert [code for code in found if code in codes or not codes] == codes


@pytest.mark.parametrize(
    ("at", "codes"),
    [
        (Pose(137.5, 100.0, 0.0), []),
        (Pose(137.5, 112.0, 0.0), []),
        (Pose(137.5, 113.0, 0.0), ["TILE_NOT_PERPENDICULAR"]),
        (Pose(125.0, 100.0, 90.0), ["TILE_NOT_PERPENDICULAR"]),
        (Pose(151.0, 100.0, 0.0), ["SIDES_NOT_ADJACENT"]),
        (Pose(137.5, 100.0, 44.5), ["OFF_AXIS"]),
        (Pose(137.5, 100.0, 45.5), ["OFF_AXIS", "TILE_NOT_PERPENDICULAR"]),
    ],
)
def test_how_a_tile_lies_on_a_double(at, codes):
    """4-1 on the long side of 4-4, which stands upright: that side is at 112.5 mm."""
    joint, on = Joint(0, "long_r", "a"), Pose(100.0, 100.0, 90.0)
    assert pose_faults("4-1", at, "4-4", on, joint, "a", 0.0, TILE, 15.0, True, True) == codes


@pytest.mark.parametrize(
    ("x", "y", "sides"),
    [
        (25.5, 13.0, ("long_l", "short_s")),
        (25.5, -13.0, ("long_r", "short_s")),
        (-26.0, 13.0, ("short_n", "long_l")),
        (25.5, 12.4, ("short_s", None)),
        (24.9, 13.0, ("long_l", None)),
        (45.0, 13.0, ("short_s", None)),
    ],
)
def test_only_what_lies_off_a_corner_may_be_at_either_side(x, y, sides):
    assert side_of(Pose(0, 0, 0), x, y, Size(50.0, 25.0)) == sides


def test_a_double_at_the_flank_of_a_half_touches_it_with_the_side_that_faces_the_half():
    """Its long side lies along the last quarter of 6-4; the middle of 6-4 would be off its short side."""
    laid = [Laid(0, "6-4", Pose(0, 0, 0))]
    met = contacts("4-4", Pose(43.75, 25, 0), laid, Size(50.0, 25.0))
    assert [contact.joint for contact in met] == [Joint(0, "b", "long_r")]


@pytest.mark.parametrize(
    ("x", "y", "there"), [(1.0, 0.5, True), (3.0, 1.5, True), (0.99, 0.5, False), (3.0, 1.51, False)]
)
def test_a_tile_flush_with_the_edge_fits(x, y, there):
    assert fits(Pose(x, y, 0), Size(2.0, 1.0), Room((4.0, 2.0), []), 0.0, None) is there
