"""Whole random rounds with hidden hands: they end and are scored, and no honest player is accused.

The benchmark `bench_rules` plays the same in great numbers.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path

import pytest

from table.events import Fact, RoundEnded, decode, encode
from table.referee import Referee

_spec = importlib.util.spec_from_file_location("simulated", Path(__file__).with_name("simulated.py"))
assert _spec is not None
assert _spec.loader is not None
simulated = importlib.util.module_from_spec(_spec)
sys.modules["simulated"] = simulated
_spec.loader.exec_module(simulated)

OPTIONS = {"block": {"starter_method": "first"}, "chicken-foot": {"starter_method": "holder"}}
SEATS = {"block": [2], "draw": [2], "doubles": [2, 3, 4], "chicken-foot": [2, 3, 4], "all-fives": [2, 3, 4]}
ROUNDS = {"block": 90, "draw": 60, "doubles": 60, "chicken-foot": 30, "all-fives": 60}


def play(game, rng, **how):
    return simulated.Simulated(game, rng.choice(SEATS[game]), rng, **OPTIONS.get(game, {}), **how)


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "assumed"])
@pytest.mark.parametrize("game", SEATS)
def test_no_honest_player_is_accused(game, seen):
    rng = random.Random(31)
    for i in range(ROUNDS[game] // 2):
        match = play(game, rng, seen=seen, slips=0.1)
        result = match.play()
        assert result.accused() == set()
        assert all(call.status != "open" for call in {c.number: c for c in result.called()}.values())
        ended = [record for record in result.records if isinstance(record, RoundEnded)]
        assert len(ended) == 1
        assert ended[0].reason == match.reason
        if i % 15 == 0:
            check_fold(match, result)


@pytest.mark.parametrize("game", SEATS)
def test_draws_that_nobody_sees_accuse_nobody_and_the_round_ends_all_the_same(game):
    rng = random.Random(34)
    for _ in range(10):
        match = play(game, rng, seen=rng.random() < 0.5, slips=0.1, counted=False)
        result = match.play()
        assert result.called() == [] or {call.status for call in result.called()} <= {"open", "corrected"}
        assert all(call.status != "open" for call in {c.number: c for c in result.called()}.values())
        ended = [record for record in result.records if isinstance(record, RoundEnded)]
        assert [record.reason for record in ended] == [match.reason]
        points = [sum(map(match.rules.counted, hand)) for hand in match.hands]
        if match.reason == "out":
            assert (ended[0].winner, points[ended[0].winner]) == (match.hands.index([]), 0)
        check_fold(match, result)


@pytest.mark.parametrize("game", SEATS)
def test_nobody_is_accused_whoever_opened_unseen(game):
    """Seat 0 is taken to open and mostly did not. One press may be called out of turn, and nothing stands."""
    rng = random.Random(35)
    for i in range(12):
        match = play(game, rng, seen=False, anyone_opens=True, slips=0.05, counted=i % 3 > 0)
        result = match.play()
        last = {call.number: call for call in result.called()}
        out_of_turn = [call for call in last.values() if call.code == "OUT_OF_TURN"]
        assert len(out_of_turn) <= 1  # a press that may have been of the wrong button
        assert all(call.status == "corrected" or call in out_of_turn for call in last.values())
        ended = [record for record in result.records if isinstance(record, RoundEnded)]
        assert [record.reason for record in ended] == [match.reason]
        points = [sum(map(match.rules.counted, hand)) for hand in match.hands]
        counts = [len(hand) for hand in match.hands]
        is_out = match.reason == "out"
        outcome = match.rules.out(counts.index(0), points) if is_out else match.rules.blocked(points, counts)
        assert ended[0].winner == outcome.winner
        check_fold(match, result)


@pytest.mark.parametrize("game", SEATS)
def test_only_cheats_are_accused_and_most_are(game):
    rng = random.Random(32)
    caught = cheated = 0
    for _ in range(12):
        result = play(game, rng, cheat=0.15).play()
        assert result.accused() <= set(result.cheats)
        assert result.ended
        cheated += bool(result.cheats)
        caught += bool(result.accused())
    assert cheated >= 5
    assert caught >= 0.7 * cheated


def check_fold(match, result):
    """The facts alone, fed to a fresh referee, give the same records and state."""
    lines = [encode(record) for record in result.records]
    again = Referee(match.match)
    records = list(again.begin())
    for record in result.records[1:]:
        if isinstance(record, Fact):
            records += again.take(decode(encode(record)))
    assert [encode(record) for record in records] == lines
    assert again.totals == match.referee.totals


def test_scores_are_those_of_the_hands_dealt():
    """The count of the referee against one made from the true hands."""
    rng = random.Random(33)
    for _ in range(20):
        match = play("block", rng)
        result = match.play()
        ended = next(record for record in result.records if isinstance(record, RoundEnded))
        points = [sum(sum(map(int, tile.split("-"))) for tile in hand) for hand in match.hands]
        if match.reason == "out":
            assert sorted(ended.scores) == [0, max(points)]
        else:
            assert sorted(ended.scores) == [0, max(points) - min(points)]
