"""Short matches played out before the camera: stills, a few pictures an act, full motion; read by a perfect eye."""

from __future__ import annotations

import pytest

from tests.simulated_table.comparing import Comparison
from tests.simulated_table.players import LineMatch
from tests.simulated_table.script import Script
from tests.simulated_table.tricks import TrickMatch
from tests.simulated_table.watching import Pace, watched

QUIET = ("small_nudge", "nudge", "cup", "rest", "pass_taken_back")


def short(game: str, seats: int, seed: int, armed: bool = True, **options: str) -> Script:
    match = LineMatch(game, seats, seed, 0.25, 0.15, armed=armed, troubles=QUIET, **options)
    return match.plan(1)


CASES: dict[str, tuple[Script, Pace]] = {
    "block, stills": (short("block", 2, 8, False), "stills"),
    "draw, stills": (short("draw", 2, 7, False), "stills"),
    "block, few pictures": (short("block", 2, 1, starter_method="first"), "sparse"),
    "all fives, few pictures": (short("all-fives", 2, 2), "sparse"),
    "tien gow, few pictures": (TrickMatch(3, 0.1, deals_per_match="1").plan(), "sparse"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_short_match_is_seen_and_refereed(name: str) -> None:
    script, pace = CASES[name]
    found = Comparison(script, watched(script, pace, 3), pace != "stills").compare()
    assert found.words == []
    assert found.counts["result"] == 1


def test_hands_in_motion() -> None:
    """The first acts of a round at fifteen pictures a second."""
    script = short("block", 2, 12, starter_method="first")
    del script.acts[5:]
    script.laid = [laid for laid in script.laid if laid.act < 5]
    script.faults = [due for due in script.faults if due.first < 5 and (due.closed or 0) < 5]
    script.rounds = []
    found = Comparison(script, watched(script, "motion", 3)).compare()
    assert found.words == []
    assert found.counts["laid"] >= 2
