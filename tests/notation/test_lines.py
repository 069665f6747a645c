"""Layouts of the engine as text and back."""

from __future__ import annotations

import random

import pytest

from table.notation import NotationError, Position, read_position
from table.notation.lines import laid_of, line_of, position_of_deal
from table.rules.games import line_rules
from table.rules.line import Line
from table.rules.tricks import Deal


def random_line(game: str, seats: int, seed: int, tiles: int) -> Line:
    rng = random.Random(seed)
    line = Line(line_rules(game, seats, {}))
    faces = sorted(line.rules.faces)
    while len(line) < tiles and (plays := list(line.plays(faces))):
        tile, port = rng.choice(plays)
        line.push(tile, None if port is None else line.joint_for(port, tile), port)
    return line


@pytest.mark.parametrize("game", ["block", "draw", "doubles", "chicken-foot", "all-fives"])
@pytest.mark.parametrize("seed", range(5))
def test_a_layout_survives_as_text(game: str, seed: int) -> None:
    for tiles in (1, 2, 3, 9, 24):
        line = random_line(game, 3 if game in ("doubles", "chicken-foot") else 2, seed, tiles)
        text = str(Position(game, laid_of(line)))
        again = line_of(read_position(text), line.rules)
        assert again.position.values() == line.position.values(), text
        assert again.position.unlocked == line.position.unlocked
        assert again.faces == line.faces
        assert str(Position(game, laid_of(again))) == text


ROWS = [
    ("block", "2-4 4-4 4-1", [1, 2]),
    ("doubles", "6-6 [6-3 3-3 [3-1] [3-2]] [6-5]", [1, 2, 3, 5, 6, 6]),
    ("chicken-foot", "9-9 [9-4 4-4 [4-1] [4-0]] [9-7] [9-1]", [0, 1, 1, 4, 7]),
]


@pytest.mark.parametrize(("game", "row", "ends"), ROWS, ids=[row[1] for row in ROWS])
def test_open_ends_of_a_position(game: str, row: str, ends: list[int]) -> None:
    rules = line_rules(game, 3 if game == "chicken-foot" else 2, {})
    line = line_of(read_position(f"{game} | {row}"), rules)
    assert line.position.values() == ends
    assert str(laid_of(line)) == row


def test_the_same_row_wherever_it_was_begun() -> None:
    line = Line(line_rules("block", 2, {}))
    line.push("4-1")
    for tile, value in (("4-2", 4), ("5-2", 2), ("3-1", 1)):
        port = next(port for port in line.position.ports if port.value == value)
        line.push(tile, line.joint_for(port, tile), port)
    assert str(laid_of(line)) == "5-2 2-4 4-1 1-3"


def test_tiles_that_do_not_meet() -> None:
    rules = line_rules("block", 2, {})
    with pytest.raises(NotationError, match="4-1 can't join 2-2: no 4 is open there"):
        line_of(read_position("block | 2-2 4-1"), rules)
    with pytest.raises(NotationError, match="has no line"):
        line_of(read_position("tien-gow | -"), rules)


def test_a_deal_as_a_position() -> None:
    deal = Deal(0).play(0, ["6-6", "6-3"]).play(3, ["6-5", "2-1"], up=False)
    text = "tien-gow | 1: 6-6 6-3 / 4: ? ? | to act 3 | hands 6 8 8 6 | columns 0 0 0 0 | banker 1"
    assert str(position_of_deal(deal)) == text
    assert read_position(text) == position_of_deal(deal)
    assert str(position_of_deal(Deal(2))).startswith("tien-gow | - | to act 3 | hands 8 8 8 8")
