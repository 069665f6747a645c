"""The Tien Gow vectors of the rules by their ids, and every default where the source leaves a choice (A-002-...)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, pairwise

import pytest

from table.events.tiles import CIVIL, MILITARY
from table.rules.tricks import (
    Deal,
    Payment,
    TrickOptions,
    all_groups,
    final_payments,
    group,
    immediate_payments,
    ledger,
    rank_name,
)
from table.rules.tricks.options import OPEN

ORDINARY = ("6-5",)
FOUR_NINES = ("6-6", "6-6", "6-3", "5-4")


def after_lead(*led: str, **changes: object) -> Deal:
    """Seat 0 is banker and has led; seat 3 acts next (counter-clockwise)."""
    return Deal(0, **changes).play(0, led)  # type: ignore[arg-type]


def codes(deal: Deal, tiles: str, up: bool = True) -> list[str]:
    assert deal.to_act is not None
    return [fault.code for fault in deal.faults(deal.to_act, tiles.split(), up)]


LEADS = [
    ("TG-01", "6-6 6-3", []),
    ("TG-02", "6-6 6-2", ["INVALID_GROUP"]),
    ("TG-03", "5-5 5-5 3-3 3-3", ["INVALID_GROUP"]),
    ("TG-04", "4-4 4-4 5-2 4-3", []),
    ("TG-05", "4-2 2-1", []),
]


@pytest.mark.parametrize(("name", "tiles", "expected"), LEADS, ids=[row[0] for row in LEADS])
def test_lead(name: str, tiles: str, expected: list[str]) -> None:
    assert codes(Deal(0), tiles) == expected


REPLIES = [
    ("TG-06", "6-5", "2-2", True, None),
    ("TG-07", "5-4", "6-3", True, "NOT_HIGHER"),
    ("TG-08", "6-3", "6-6", True, "WRONG_COMPOSITION"),
    ("TG-09", "5-5 5-5", "4-4 4-4", True, None),
    ("TG-10", "4-1 3-2", "4-2 2-1", True, "SUPREME_NOT_LED"),
    ("TG-11", "4-2 2-1", "6-3 5-4", True, "SUPREME_LED"),
    ("TG-12", "1-1 1-1 6-2", "6-6 6-3 5-4", True, "WRONG_COMPOSITION"),
    ("TG-13", "1-1 1-1 6-2", "6-6 6-6 5-4", True, None),
    ("TG-14", "3-3 3-3", "1-1", False, "WRONG_TILE_COUNT"),
    ("TG-26", "5-5 5-5", "6-6 4-4", True, "INVALID_GROUP"),
]


@pytest.mark.parametrize(("name", "led", "tiles", "up", "expected"), REPLIES, ids=[row[0] for row in REPLIES])
def test_reply(name: str, led: str, tiles: str, up: bool, expected: str | None) -> None:
    deal = after_lead(*led.split())
    found = codes(deal, tiles, up)
    assert found[:1] == ([expected] if expected else [])
    if expected is None:
        assert deal.to_act is not None
        after = deal.play(deal.to_act, tiles.split())
        assert after.trick is not None
        assert after.trick.best.seat == deal.to_act


def last_single(columns: tuple[int, ...], *led: str, **options: object) -> Deal:
    return after_lead(*led, left=(1, 1, 1, 1), columns=columns, options=TrickOptions(**options))  # type: ignore[arg-type]


def test_tg15_quick_death() -> None:
    deal = last_single((4, 2, 1, 0), "5-5")
    assert codes(deal, "6-6") == ["QUICK_DEATH"]
    assert codes(deal, "6-6", up=False) == []
    with_columns = last_single((4, 2, 0, 1), "5-5")
    assert codes(with_columns, "6-6") == []


def settle(
    columns: tuple[int, ...],
    winner: int,
    banker: int,
    won: Sequence[str] = ORDINARY,
    led: Sequence[str] | None = None,
    leader: int | None = None,
    streak: int = 0,
    **options: object,
) -> tuple[Payment, ...]:
    return final_payments(
        columns,
        winner,
        banker,
        TrickOptions(**options),  # type: ignore[arg-type]
        led=won if led is None else led,
        leader=winner if leader is None else leader,
        won=won,
        streak=streak,
    )


def at_once(
    winner: int, tiles: str, led: bool, banker: int, last: bool = False, **options: object
) -> tuple[Payment, ...]:
    return immediate_payments(winner, tiles.split(), led, banker, TrickOptions(**options), last=last)  # type: ignore[arg-type]


CAPTURE = {"won": ("4-2",), "led": ("2-1",), "leader": 0}
SETTLEMENTS: list[tuple[str, tuple[Payment, ...], tuple[int, ...]]] = [
    ("TG-16", settle((1, 4, 0, 3), winner=1, banker=0), (-6, 12, -5, -1)),
    ("TG-17", settle((2, 6, 0, 0), winner=0, banker=0), (16, 4, -10, -10)),
    (
        "TG-18",
        settle((0, 1, 5, 2), winner=2, banker=3, won=("4-2", "2-1")) + at_once(2, "4-2 2-1", True, 3, last=True),
        (-12, -8, 32, -12),
    ),
    ("TG-19", settle((0, 8, 0, 0), winner=1, banker=0), (-20, 40, -10, -10)),
    (
        "TG-20",
        settle((0, 8, 0, 0), winner=1, banker=0, won=FOUR_NINES) + at_once(1, " ".join(FOUR_NINES), True, 0, last=True),
        (-48, 96, -24, -24),
    ),
    ("TG-21", settle((3, 2, 0, 3), winner=1, banker=3, **CAPTURE), (-8, 8, 0, 0)),  # type: ignore[arg-type]
    ("TG-22", settle((1, 2, 0, 5), winner=1, banker=3, **CAPTURE), (-8, 6, 0, 2)),  # type: ignore[arg-type]
    ("TG-23", at_once(2, "6-6 6-6 6-3 5-4", False, 0), (-8, -4, 16, -4)),
    ("TG-24", settle((0, 3, 2, 3), winner=1, banker=2, won=("2-1",)), (-10, 20, -8, -2)),
]


@pytest.mark.parametrize(("name", "payments", "expected"), SETTLEMENTS, ids=[row[0] for row in SETTLEMENTS])
def test_settlement(name: str, payments: tuple[Payment, ...], expected: tuple[int, ...]) -> None:
    assert ledger(payments) == expected


def test_tg25_sixty_one_leads() -> None:
    by_trying_all = [
        tiles
        for size in range(1, 5)
        for tiles in combinations_with_replacement((*CIVIL, *MILITARY), size)
        if group(tiles) is not None
    ]
    leads = [tuple(sorted(tiles)) for tiles in all_groups()]
    assert sorted(leads) == sorted(tuple(sorted(tiles)) for tiles in by_trying_all)
    assert len(leads) == 61
    shapes = [found.shape for found in map(group, leads) if found is not None]
    counted = {shape: shapes.count(shape) for shape in set(shapes)}
    assert counted == {
        (1, 0, False): 11,
        (0, 1, False): 10,
        (2, 0, False): 11,
        (0, 2, False): 4,
        (1, 1, False): 8,
        (2, 1, False): 8,
        (1, 2, False): 4,
        (2, 2, False): 4,
        (0, 2, True): 1,
    }


def a_002_1() -> None:
    """'Winning four people' is the group of four tiles: it pays at once, led or not, and doubles the settlement."""
    assert ledger(at_once(1, "6-6 6-6 6-3 5-4", True, 0)) == (-8, 16, -4, -4)
    assert at_once(1, "6-6 6-6 6-3 5-4", True, 0, immediate_four=0) == ()
    assert at_once(1, "6-6 6-6 6-3", True, 0) == ()
    assert at_once(1, "6-6 6-6", True, 0) == ()
    assert ledger(settle((2, 4, 1, 1), 1, 3, won=FOUR_NINES)) == (-4, 22, -6, -12)


def a_002_2() -> None:
    """The payment at once is due in the last trick as well; the variant drops it there alone."""
    assert ledger(at_once(2, "4-2 2-1", True, 0, last=True)) == (-4, -2, 8, -2)
    assert at_once(2, "4-2 2-1", True, 0, last=True, immediate_on_last_trick=False) == ()
    assert at_once(2, "4-2 2-1", True, 0, immediate_on_last_trick=False) != ()


def a_002_3() -> None:
    """Multipliers enlarge also what the winner pays out; `winnings_only` leaves that at the plain surplus."""
    columns = (0, 6, 0, 2)
    assert ledger(settle(columns, 3, 0, won=("4-2", "2-1"))) == (-20, 4, -10, 26)
    assert ledger(settle(columns, 3, 0, won=("4-2", "2-1"), multipliers_apply_to="winnings_only")) == (-20, 2, -10, 28)


def a_002_4() -> None:
    """A four in the last trick doubles; other tables multiply by four."""
    assert ledger(settle((3, 4, 1, 0), 1, 0, won=FOUR_NINES)) == (-4, 20, -6, -10)
    assert ledger(
        settle((3, 4, 1, 0), 1, 0, won=FOUR_NINES, last_trick_multiplier="four:4,supreme:2,little_three:2")
    ) == (-8, 40, -12, -20)


def a_002_5() -> None:
    """The banker's factor is two and does not grow; also a losing banker's surplus is doubled."""
    assert ledger(settle((6, 1, 1, 0), 1, 0, streak=3)) == (4, 4, -3, -5)
    assert ledger(settle((6, 1, 1, 0), 1, 0, banker_surplus_doubled=False)) == (2, 6, -3, -5)
    assert ledger(settle((1, 6, 1, 0), 0, 0, banker_surplus_doubled=False)) == (12, 4, -6, -10)
    assert ledger(settle((3, 3, 1, 1), 0, 0, banker_factor="streak")) == (14, -2, -6, -6)
    assert ledger(settle((3, 3, 1, 1), 0, 0, banker_factor="streak", streak=2)) == (28, -4, -12, -12)
    growing = TrickOptions(banker_factor="streak")
    unsaid = final_payments((3, 3, 1, 1), 0, 0, growing, led=ORDINARY, leader=0, won=ORDINARY)
    assert ledger(unsaid) == (14, -2, -6, -6)
    assert ledger(at_once(0, "4-2 2-1", True, 0, banker_factor="streak")) == (12, -4, -4, -4)
    exactly_four = settle((4, 4, 0, 0), 1, 3)
    assert [payment.payer for payment in exactly_four] == [2, 3]


def a_002_6() -> None:
    """Who led the Little Three pays for the two others, not to them, and without a further factor."""
    assert ledger(settle((3, 2, 0, 3), 1, 3, **CAPTURE)) == (-8, 8, 0, 0)  # type: ignore[arg-type]
    assert ledger(settle((3, 2, 0, 3), 1, 3, responsibility=False, **CAPTURE)) == (-1, 8, -5, -2)  # type: ignore[arg-type]
    uncaptured = settle((3, 2, 0, 3), 1, 3, won=("6-3",), led=("2-1",), leader=0)
    assert ledger(uncaptured) == (-1, 8, -5, -2)


def a_002_7() -> None:
    """A covered payment keeps the factor of the seat that owed it."""
    covered = [p for p in settle((3, 2, 0, 3), 1, 3, **CAPTURE) if p.reason == "covered"]  # type: ignore[arg-type]
    assert covered == [Payment(0, 1, 5, "covered", 2), Payment(0, 1, 2, "covered", 3)]
    of_the_banker = [p for p in settle((3, 2, 0, 3), 1, 0, **CAPTURE) if p.reason == "covered"]  # type: ignore[arg-type]
    assert of_the_banker == [Payment(0, 1, 5, "covered", 2), Payment(0, 1, 1, "covered", 3)]


def a_002_8() -> None:
    """The bonus for a last Little Three is for a single one that was led and won."""
    assert ledger(settle((0, 3, 2, 3), 1, 2, won=("2-1",))) == (-10, 20, -8, -2)
    assert ledger(
        settle((0, 3, 2, 3), 1, 2, won=("2-1",), last_trick_multiplier="four:2,supreme:2,little_three:3")
    ) == (-15, 30, -12, -3)
    assert ledger(settle((0, 3, 2, 3), 1, 2, won=("3-2",))) == (-5, 10, -4, -1)


def a_002_9() -> None:
    """Counter-clockwise: after seat 0 comes seat 3."""
    assert after_lead("6-6").to_act == 3
    assert after_lead("6-6", options=TrickOptions(direction="cw")).to_act == 1


def a_002_10() -> None:
    """The tiles that carry the names of the source."""
    assert [rank_name(tile) for tile in ("3-3", "2-2", "6-5", "6-4")] == ["Double Three", "Board", "Axe", "Partition"]
    assert [rank_name(tile) for tile in MILITARY[::2]] == ["Nine", "Eight", "Seven", "Big Six", "Five"]
    assert rank_name("2-1") == "Little Three"
    order = ("6-6", "1-1", "4-4", "3-1", "5-5", "3-3", "2-2", "6-5", "6-4", "6-1", "5-1")
    for high, low in pairwise(order):
        assert codes(after_lead(low), high) == []
        assert codes(after_lead(high), low) == ["NOT_HIGHER"]


def a_002_11() -> None:
    """One deal is a match unless the table says otherwise; the bank goes on with the ledger."""
    assert TrickOptions().deals_per_match == 1
    assert TrickOptions.from_text({"deals_per_match": "0"}).deals_per_match == OPEN
    assert Deal(2, to_act=None, leader=1, left=(0,) * 4).next_deal() == Deal(1)


def a_002_12() -> None:
    """The first banker is drawn by lot."""
    assert TrickOptions().starter_method == "lot"
    assert TrickOptions.from_text({"starter_method": "first"}).starter_method == "first"


def a_002_13() -> None:
    """Quick death strikes singles only: with two tiles in the last trick a seat without columns may compete."""
    assert codes(last_single((6, 1, 1, 0), "5-5"), "6-6") == ["QUICK_DEATH"]
    pair = after_lead("5-5", "5-5", left=(2, 2, 2, 2), columns=(6, 0, 0, 0))
    assert codes(pair, "6-6 6-6") == []
    not_last = after_lead("5-5", left=(2, 2, 2, 2), columns=(6, 0, 0, 0))
    assert codes(not_last, "6-6") == []
    assert codes(last_single((6, 1, 1, 0), "5-5", quick_death=False), "6-6") == []


DEFAULTS = [a_002_1, a_002_2, a_002_3, a_002_4, a_002_5, a_002_6, a_002_7, a_002_8, a_002_9, a_002_10, a_002_11]
DEFAULTS += [a_002_12, a_002_13]


@pytest.mark.parametrize("default", DEFAULTS, ids=[check.__name__.upper().replace("_", "-") for check in DEFAULTS])
def test_default(default: Callable[[], None]) -> None:
    default()
