"""All Fives: what the ends add up to, what that scores, and how a round is rounded."""

from __future__ import annotations

import pytest

from table.rules.games import line_rules
from table.rules.line import Joint, Line

COUNTS = [
    ("a double set counts whole", ["5-5"], 10),
    ("and still does with one side used", ["5-5", "5-0@0.long_l.a"], 10),
    ("but not between two tiles", ["5-5", "5-0@0.long_l.a", "5-3@0.long_r.a"], 3),
    (
        "a crosswise double at an end counts both halves",
        ["5-5", "5-0@0.long_l.a", "5-3@0.long_r.a", "3-3@2.b.long_l"],
        6,
    ),
    (
        "an open short side of the spinner counts nothing",
        ["5-5", "5-0@0.long_l.a", "5-3@0.long_r.a", "5-1@0.short_n.a"],
        4,
    ),
    ("nor does a second double that is passed", ["5-5", "5-0@0.long_l.a", "0-0@1.b.long_l", "4-0@2.long_r.b"], 14),
    ("two plain ends", ["6-4"], 10),
    ("both halves of a spinner at the end of a line", ["6-6", "6-3@0.long_l.a"], 15),
    ("nothing at all", ["0-0"], 0),
]


def laid(plays, **options):
    line = Line(line_rules("all-fives", 2, options))
    for play in plays:
        tile, _, where = play.partition("@")
        at, side, own = where.split(".") if where else ("", "", "")
        joint = Joint(int(at), side, own) if where else None
        assert line.check(tile, joint) == [], play
        line.push(tile, joint)
    return line


@pytest.mark.parametrize(("name", "plays", "total"), COUNTS, ids=[row[0] for row in COUNTS])
def test_ends_add_up(name, plays, total):
    line = laid(plays)
    rules = line.rules
    assert rules.count(line.position, line.played) == total
    assert rules.points(line.position, line.played) == (total if total % 5 == 0 else 0)


def test_points_divided_by_the_count():
    line = laid(["6-6", "6-3@0.long_l.a"], points="divided")
    assert line.rules.points(line.position, line.played) == 3


def test_without_a_spinner_a_set_double_still_counts_whole():
    line = laid(["5-5", "5-0@0.long_l.a"], spinner="none")
    assert line.rules.count(line.position, line.played) == 10


@pytest.mark.parametrize(
    ("options", "left", "scores"),
    [
        ({}, [0, 7], (5, 0)),
        ({}, [0, 8], (10, 0)),
        ({}, [12, 0], (0, 10)),
        ({"points": "divided"}, [0, 8], (2, 0)),
        ({"round_to": "1"}, [0, 7], (7, 0)),
    ],
)
def test_the_others_pips_are_rounded(options, left, scores):
    winner = left.index(0)
    assert line_rules("all-fives", 2, options).out(winner, left) == (winner, scores)


def test_a_block_scores_what_the_others_hold_above_the_lowest():
    rules = line_rules("all-fives", 3, {})
    assert rules.blocked([4, 9, 12], [1, 1, 2]) == (0, (15, 0, 0))
    assert rules.blocked([4, 4, 12], [1, 2, 2]) == (None, (0, 0, 0))


def test_who_starts_and_how_many_are_dealt():
    rules = line_rules("all-fives", 2, {})
    assert rules.outranks("1-1", "6-5")
    assert not rules.outranks("6-5", "1-1")
    assert rules.outranks("6-3", "5-4")
    assert not rules.outranks("6-3", "6-3")
    assert rules.opening_fault("6-5") is None
    assert [line_rules("all-fives", seats, {}).hand_size() for seats in (2, 3, 4)] == [7, 5, 5]
    assert line_rules("all-fives", 2, {"hand": "6"}).hand_size() == 6
