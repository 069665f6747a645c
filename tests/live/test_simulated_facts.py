"""Whole matches told as facts: no false alarm, no missed fault, right scores; honest players, cheats and troubles."""

from __future__ import annotations

import pytest

from tests.simulated_table.comparing import Comparison
from tests.simulated_table.facts import told_by_facts
from tests.simulated_table.players import LineMatch
from tests.simulated_table.script import Script
from tests.simulated_table.tricks import TrickMatch

MATCHES = {
    "block of two, lots": LineMatch("block", 2, 31, 0.3, 0.2, target="30"),
    "block of four": LineMatch("block", 4, 32, 0.3, 0.2, target="30"),
    "block by the highest double": LineMatch("block", 2, 33, 0.0, 0.2, target="30", starter_method="highest_double"),
    "block, nobody seen": LineMatch("block", 2, 34, 0.3, 0.2, armed=False, target="30"),
    "draw": LineMatch("draw", 2, 35, 0.3, 0.2, target="40"),
    "draw, nobody seen": LineMatch("draw", 2, 36, 0.3, 0.2, armed=False, target="40"),
    "doubles of two": LineMatch("doubles", 2, 37, 0.3, 0.2, target="40"),
    "doubles of four": LineMatch("doubles", 4, 38, 0.3, 0.2, target="40"),
    "all fives": LineMatch("all-fives", 3, 39, 0.3, 0.2, target="40"),
    "chicken foot of three": LineMatch("chicken-foot", 3, 40, 0.3, 0.2, rounds="9"),
    "chicken foot, nobody seen": LineMatch("chicken-foot", 4, 41, 0.2, 0.2, armed=False, rounds="8"),
    "tien gow": TrickMatch(42, 0.2, 0.1),
    "tien gow, nobody seen": TrickMatch(43, 0.2, armed=False),
}


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_is_refereed_without_a_fault_of_the_referee(name: str) -> None:
    match = MATCHES[name]
    script = match.plan()
    found = Comparison(script, told_by_facts(script, match.armed), match.armed).compare()
    assert found.words == []
    assert found.counts["laid"] > 10
    assert found.counts["result"] == len(script.rounds) > 0


def _script() -> Script:
    return LineMatch("block", 2, 44, 0.4, target="20").plan()


def test_a_fault_that_nobody_made_is_a_false_alarm() -> None:
    script = _script()
    told = told_by_facts(script)
    dropped = script.faults.pop()
    words = Comparison(script, told).compare().words
    assert len(words) == 1
    assert f"false {dropped.code}" in words[0]


def test_a_fault_that_was_not_called_is_found() -> None:
    script = _script()
    told = told_by_facts(script)
    missed = next(r for r in told.records if r.type == "violation")
    told.records = [r for r in told.records if not (r.type == "violation" and r.number == missed.number)]  # type: ignore[attr-defined]
    words = Comparison(script, told).compare().words
    assert any("not called" in sentence for sentence in words)


def test_a_wrong_score_and_a_missing_tile_are_found() -> None:
    script = _script()
    told = told_by_facts(script)
    round_due = script.rounds[0]
    round_due.scores = tuple(score + 1 for score in round_due.scores)
    script.laid[3].tile = "6-6" if script.laid[3].tile != "6-6" else "5-5"
    words = " ".join(Comparison(script, told).compare().words)
    assert "not recorded" in words
    assert "told ('" in words


def test_the_same_seed_gives_the_same_match() -> None:
    a, b = _script(), _script()
    assert a.acts == b.acts
    assert a.faults == b.faults
