"""Vectors of the rules that ask what the referee says, by their ids: acts, lots, starts, and scores of hands shown.

All other vectors of the line games are in tests/rules, which also has the bare figures of these.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

VECTORS: dict[str, Callable[..., None]] = {}


def vector(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def keep(case: Callable[..., None]) -> Callable[..., None]:
        for name in names:
            assert name not in VECTORS
            VECTORS[name] = case
        return case

    return keep


def of_names(*vectors: str) -> list[str]:
    return [name for vector in vectors for name in vector.split()]


@pytest.mark.parametrize(
    "name",
    NAMES := of_names(
        "BD-01 BD-06 BD-07 BD-08 BD-09 BD-10 BD-11 BD-12 BD-13 BD-15",
        "DR-01 DR-02 DR-12 DR-13 DR-14 DR-15 DR-16 DR-17",
        "DB-02 DB-11 DB-12 DB-13 DB-14 DB-15 CF-04 CF-13 CF-14",
    ),
)
def test_vector(name, playbook):
    VECTORS[name](playbook)


def test_no_vector_is_forgotten():
    assert sorted(VECTORS) == sorted(NAMES)


def blocked(book, *hands):
    """Everybody passes, and the hands are shown; what is said last."""
    while book.referee.to_act is not None:
        book.press(book.referee.to_act)
    return shown(book, *hands)


def shown(book, *hands):
    for seat, hand in enumerate(hands):
        book.show(seat, *hand.split())
    return book.finish()[-1]


def block(playbook, hand, *laid):
    """`laid`: tile, on which one, to which side; or None for a pass."""
    book = playbook("block", starter_method="first", hand=str(hand))
    for seat, act in enumerate(laid):
        if act is None:
            book.press(seat % 2)
        else:
            assert book.lay(*act, seat=seat % 2)[0] == "legal"
    return book


TWO_AND_ONE = [("4-4",), ("4-1", "4-4", "right"), ("4-2", "4-4", "left")]


@vector("BD-01")
def _(playbook):
    book = block(playbook, 2, ("6-4",))
    book.press(1)
    book.press(0)
    book.show(0, "2-2")
    book.show(1, "3-1", "3-0")
    assert "advice OPENING_DOUBLE_CUSTOM" in book.finish()
    assert book.violations() == []


@vector("BD-06")
def _(playbook):
    book = block(playbook, 3, *TWO_AND_ONE)
    blocked(book, "3-3", "6-6 5-3")
    assert book.violations() == []


@vector("BD-07")
def _(playbook):
    book = block(playbook, 3, *TWO_AND_ONE)
    assert book.press(1) == ["passed 1 button", "turn 0"]  # deferred
    blocked(book, "3-3", "6-2 5-3")
    assert book.violations() == ["ILLEGAL_PASS 1 reported"]
    assert next(r for r in book.records if r.type == "violation").tile == "6-2"


@vector("BD-08")
def _(playbook):
    book = playbook("block", yard=True)
    book.yard(14)
    book.lay("6-4", seat=0)
    assert book.draw(1, left=13) == ["DRAW_NOT_ALLOWED 1 open"]


@vector("BD-09")
def _(playbook):
    book = block(playbook, 3, ("4-4",), None, ("4-2", "4-4"), None, ("2-2", "4-2"))
    assert shown(book, "", "6-5 3-3 1-0") == "out 0 [18, 0] [18, 0]"
    assert book.violations() == []


@vector("BD-10")
def _(playbook):
    assert blocked(block(playbook, 3, ("4-0",)), "6-1 2-2", "5-4 3-0 1-1") == "blocked 0 [3, 0] [3, 0]"


@vector("BD-11")
def _(playbook):
    assert blocked(block(playbook, 2, ("3-3",)), "6-4", "5-1 4-0") == "blocked 0 [0, 0] [0, 0]"


@vector("BD-12")
def _(playbook):
    assert blocked(block(playbook, 2, ("3-3",), ("3-2", "3-3")), "6-4", "5-5") == "blocked None [0, 0] [0, 0]"


@vector("BD-13")
def _(playbook):
    book = block(
        playbook, 7, ("3-3",), ("3-1", "3-3", "right"), ("3-2", "3-3", "left"), ("1-0", "3-1", "right"),
        ("3-0", "1-0", "right"), ("4-2", "3-2", "left"), ("4-3", "4-2", "left"), ("5-3", "4-3", "left"),
        ("6-5", "5-3", "left"),
    )  # fmt: skip
    assert book.lay("6-3", on="6-5", to="left", seat=1) == ["legal", "advice DEAD_POSITION", "turn 0"]


@vector("BD-15")
def _(playbook):
    book = playbook("block", starter_method="lot")
    book.show(0, "6-3")
    assert book.show(1, "5-4") == []
    assert book.referee.to_act is None


def starts(playbook, first, second, shows):
    """Seat 0 or 1 opens with a tile, and the other seat shows one."""
    book = playbook("draw", yard=True, space="ignore")
    book.yard(14)
    seat, tile = first
    book.lay(tile, seat=seat)
    book.lay(*second, seat=1 - seat)
    book.lay(*shows, seat=seat)
    return book.violations()


@vector("DR-01")
def _(playbook):
    assert starts(playbook, (0, "5-5"), ("5-4", "5-5"), ("4-4", "5-4")) == []
    assert starts(playbook, (1, "4-4"), ("5-4", "4-4"), ("4-0", "4-4", "left")) == []
    assert starts(playbook, (1, "4-4"), ("5-4", "4-4"), ("5-5", "5-4")) == ["WRONG_OPENING_TILE 1 reported"]
    book = playbook("draw", yard=True, space="ignore")
    book.yard(14)
    book.lay("4-4", seat=1)
    book.lay("5-4", on="4-4", seat=0)
    book.lay("5-1", on="5-4", seat=1)
    book.lay("4-2", on="4-4", to="left", seat=0)
    book.lay("2-0", on="4-2", to="left", seat=1)
    assert book.violations() == []
    assert book.show(0, "5-5") == ["WRONG_STARTER 0 reported 5-5", "advice TILE_EXPOSED"]


@vector("DR-02")
def _(playbook):
    assert starts(playbook, (0, "6-3"), ("5-3", "6-3"), ("5-4", "5-3")) == []
    assert starts(playbook, (1, "5-4"), ("6-4", "5-4"), ("6-2", "6-4")) == ["WRONG_STARTER 0 reported"]
    book = playbook("draw", yard=True, space="ignore")
    book.yard(14)
    book.lay("5-4", seat=1)
    assert book.show(0, "6-3") == ["WRONG_STARTER 0 reported 6-3", "advice TILE_EXPOSED"]


def with_stock(playbook, left):
    """Seat 1 is on turn in draw, with so many tiles left in the boneyard."""
    book = playbook("draw", yard=True, starter_method="first")
    book.yard(14)
    book.lay("6-6", seat=0)
    if left < 14:
        assert book.draw(14 - left, left=left, seat=1) == []
    return book


@vector("DR-12", "DR-13")
def _(playbook):
    assert with_stock(playbook, 3).draw(1, left=2, seat=1) == []
    assert with_stock(playbook, 2).draw(1, left=1, seat=1) == ["DRAW_BELOW_FLOOR 1 open"]


@vector("DR-14")
def _(playbook):
    assert with_stock(playbook, 5).press(1) == ["passed 1 button", "PASS_WITHOUT_DRAW 1 open"]
    assert with_stock(playbook, 2).press(1) == ["passed 1 button", "turn 0"]


def draw_at_floor(playbook, hand):
    book = playbook("draw", yard=True, starter_method="first", hand=str(hand), floor=str(28 - 2 * hand))
    book.yard(28 - 2 * hand)
    return book


@vector("DR-15")
def _(playbook):
    book = draw_at_floor(playbook, 3)
    book.lay("3-3", seat=0)
    book.press(1)
    book.lay("3-1", on="3-3", seat=0)
    book.press(1)
    book.lay("1-1", on="3-1", seat=0)
    assert shown(book, "", "6-5 4-4 2-0") == "out 0 [21, 0] [21, 0]"
    assert book.violations() == []


@vector("DR-16", "DR-17")
def _(playbook):
    for hands, said in ((("5-4", "6-5 2-1"), "0 [5, 0] [5, 0]"), (("6-6", "5-4 2-1"), "None [0, 0] [0, 0]")):
        book = draw_at_floor(playbook, 2)
        book.lay("3-3", seat=0)
        assert blocked(book, *hands) == f"blocked {said}"
        assert book.violations() == []


@vector("DB-02")
def _(playbook):
    book = playbook("doubles", 3)
    book.show(0, "6-5", "6-4", "6-3", "6-2", "6-1", "6-0")
    book.show(1, "5-4", "5-3", "5-2", "5-1", "5-0", "4-3")
    assert book.show(2, "4-2", "4-1", "4-0", "3-2", "3-1", "3-0")[-1] == "redeal None [0, 0, 0] [0, 0, 0]"


def doubles_down_to(playbook, left):
    """The two draw one each and pass until so many tiles are left, and seat 0 or 1 is on turn."""
    book = playbook("doubles", yard=True, starter_method="first")
    book.yard(12)
    book.lay("6-6", seat=0)
    for count in range(11, left - 1, -1):
        assert book.draw(1, left=count) == []
        if count > left:
            book.press(book.referee.to_act)
    return book


@vector("DB-11")
def _(playbook):
    book = doubles_down_to(playbook, 7)
    assert book.draw(1, left=6) == ["EXTRA_DRAW 1 open"]


@vector("DB-12")
def _(playbook):
    book = doubles_down_to(playbook, 2)
    book.press(0)
    assert book.press(1) == ["passed 1 button", "turn None"]  # both passed with nothing to draw


def three(playbook, *laid):
    """Doubles of three with two tiles each and nothing to draw."""
    book = playbook("doubles", 3, yard=True, starter_method="first", hand="2", floor="22")
    book.yard(22)
    for seat, act in enumerate(laid):
        if act is None:
            book.press(seat % 3)
        else:
            assert book.lay(*act, seat=seat % 3)[0] == "legal"
    return book


@vector("DB-13")
def _(playbook):
    book = three(playbook, ("3-3",), None, ("3-0", "3-3"), ("4-3", "3-3", "left"))
    assert shown(book, "", "5-2 1-1", "6-6") == "out 0 [21, 0, 0] [21, 0, 0]"
    assert book.violations() == []


@vector("DB-14")
def _(playbook):
    book = three(playbook, ("2-2",), ("2-0", "2-2"), ("4-2", "2-2", "left"))
    assert blocked(book, "3-1", "5-4", "6-6") == "blocked 0 [21, 0, 0] [21, 0, 0]"
    assert book.violations() == []


@vector("DB-15")
def _(playbook):
    book = three(playbook, ("0-0",), ("6-0", "0-0"), ("5-0", "0-0", "left"))
    assert blocked(book, "3-2", "4-1", "5-4") == "blocked None [0, 0, 0] [0, 0, 0]"


def train(playbook, seats, yard):
    book = playbook("chicken-foot", seats, yard=True, starter_method="holder")
    book.yard(yard)
    assert book.lay("9-9", seat=0) == ["legal", "turn 1"]
    return book


@vector("CF-04")
def _(playbook):
    book = train(playbook, 4, 11)
    book.lay("9-4", on="9-9", seat=1)
    assert book.draw(1, left=10) == []
    assert book.press(2) == ["passed 2 button", "turn 3"]
    assert book.press(3) == ["passed 3 button", "PASS_WITHOUT_DRAW 3 open"]


@vector("CF-13")
def _(playbook):
    for seats, floor in ((2, 2), (3, 1)):
        book = train(playbook, seats, 13)
        for left in range(12, floor - 1, -1):
            assert book.draw(1, left=left) == []
            book.press(book.referee.to_act)
        said = book.draw(1, left=floor - 1)
        assert said == [f"DRAW_BELOW_FLOOR {book.referee.to_act} open"]


@vector("CF-14")
def _(playbook):
    book = playbook("chicken-foot", 4, yard=True, starter_method="holder", rounds="6", hand="2", floor="47")
    book.yard(47)
    book.lay("6-6", seat=0)
    book.press(1)
    book.lay("6-3", on="6-6", seat=2)
    book.press(3)
    assert book.lay("6-4", on="6-6", to="left", seat=0)[-1] == "turn None"
    book.show(1, "9-8", "0-0")
    book.show(2, "5-5")
    book.show(3, "1-0", "2-1")
    assert "out 0 [0, 17, 10, 4] [0, 17, 10, 4]" in book.finish()
