"""Positions in one line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.notation import InTrick, Laid, NotationError, Position, read_position

POSITIONS = [
    (
        "block | 2-4 4-4 4-1 | to act 2 | hands 5 6 | yard 14",
        Position("block", Laid(2, 4, (Laid(4, 4, (Laid(4, 1),)),)), to_act=1, hands=(5, 6), yard=14),
    ),
    (
        "doubles | 6-6 [6-3 3-3 [3-1] [3-2]] [6-5] | scores 0 84 12 | round 3",
        Position(
            "doubles",
            Laid(6, 6, (Laid(6, 3, (Laid(3, 3, (Laid(3, 1), Laid(3, 2))),)), Laid(6, 5))),
            scores=(0, 84, 12),
            round=3,
        ),
    ),
    (
        "draw | - | hands 6-4,5-5,? 7 | yard 14",
        Position("draw", None, hands=(("6-4", "5-5", "?"), 7), yard=14),
    ),
    (
        "tien-gow | 1: 6-6 6-3 / 4: ? ? | to act 3 | columns 4 0 1 0 | banker 1",
        Position(
            "tien-gow",
            (InTrick(0, ("6-6", "6-3")), InTrick(3, ("?", "?"))),
            to_act=2,
            columns=(4, 0, 1, 0),
            banker=0,
        ),
    ),
    ("tien-gow | - | scores -6 12 -5 -1", Position("tien-gow", (), scores=(-6, 12, -5, -1))),
    ("block | 6-6 | hands none 3", Position("block", Laid(6, 6), hands=((), 3))),
]


@pytest.mark.parametrize(("text", "position"), POSITIONS, ids=[text for text, _ in POSITIONS])
def test_position(text: str, position: Position) -> None:
    assert read_position(text) == position
    assert str(position) == text


BROKEN = [
    ("chess | -", "begins with the game"),
    ("block", "after the game"),
    ("block | 2-4 x", "no tile"),
    ("block | 2-4 [4-4", "not closed"),
    ("block | 2-4 4-4]", "never opened"),
    ("block | 2-4 []", "bracket is empty"),
    ("block | [4-4]", "a tile is missing"),
    ("block | 2-4 [4-1] 4-4", "'4-4' joins nothing"),
    ("block | - | yard", "lacks a number"),
    ("block | - | yard 3 | yard 4", "twice"),
    ("block | - | mood good", "not understood"),
    ("tien-gow | 5: 6-6", "no play in a trick"),
    ("tien-gow | 1:", "no play in a trick"),
]


@pytest.mark.parametrize(("text", "reason"), BROKEN, ids=[text for text, _ in BROKEN])
def test_what_is_no_position(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        read_position(text)


HALF = st.integers(0, 12)
LAID = st.recursive(
    st.builds(Laid, HALF, HALF),
    lambda arms: st.builds(Laid, HALF, HALF, st.lists(arms, max_size=4).map(tuple)),
    max_leaves=12,
)


@given(LAID)
@settings(max_examples=80, deadline=None)
def test_any_layout_survives_the_round_trip(laid: Laid) -> None:
    position = Position("chicken-foot", laid)
    assert read_position(str(position)) == position


@given(st.text("[]| -0123456789,?abcdehnoprstuvy:/", max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for start in ("block | ", "tien-gow | ", "draw | - | "):
        try:
            position = read_position(start + text)
        except NotationError:
            continue
        assert read_position(str(position)) == position
