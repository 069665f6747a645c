"""Properties of the line games over random rounds with open hands, and counts of continuations as an oracle."""

import random

import pytest

from table.rules.games import LINE_GAMES, game_of, line_rules
from table.rules.line import LineRound
from table.rules.line.round import DRAW, PASS, PLAY

GAMES = [game.key for game in LINE_GAMES]


def state(deal: LineRound) -> tuple[object, ...]:
    hands = tuple(tuple(sorted(hand)) for hand in deal.hands)
    line = deal.line
    return (hands, tuple(deal.yard), deal.to_act, deal.passes, deal.drawn, deal.reason, line.position, len(line.played))


def tiles(deal: LineRound) -> list[str]:
    there = [*deal.yard, *(tile for hand in deal.hands for tile in hand), *(played.tile for played in deal.line.played)]
    return sorted(there)


@pytest.mark.parametrize("game", GAMES)
def test_rounds_end_keep_their_tiles_and_can_be_undone(game):
    rng = random.Random(20)
    for _ in range(25):
        rules = line_rules(game, rng.choice(game_of(game).seats), {})
        deal = LineRound.dealt(rules, rng)
        whole = tiles(deal)
        states = [state(deal)]
        while not deal.reason:
            deal.push(rng.choice(list(deal.moves())))
            assert tiles(deal) == whole
            states.append(state(deal))
            assert len(states) < 500
        outcome = deal.outcome()
        assert len(outcome.scores) == rules.seats
        assert min(outcome.scores) >= 0
        for before in reversed(states[:-1]):
            deal.pop()
            assert state(deal) == before


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_leads_a_life_of_its_own(game):
    deal = LineRound.dealt(line_rules(game, 2, {}), random.Random(3))
    for _ in range(4):
        deal.push(next(deal.moves()))
    copy = deal.line.copy()
    before = (copy.position, list(copy.played), set(copy.faces))
    while not deal.reason:
        deal.push(next(deal.moves()))
    assert (copy.position, copy.played, copy.faces) == before


@pytest.mark.parametrize("game", GAMES)
def test_legal_plays_pass_the_check_and_others_do_not(game):
    """The quick way (`plays`) and the one that names the fault (`check`) agree on every tile and end."""
    rng = random.Random(5)
    for _ in range(2):
        deal = LineRound.dealt(line_rules(game, 3 if 3 in game_of(game).seats else 2, {}), rng)
        while not deal.reason:
            line = deal.line
            if line.played and len(line.played) % 3 == 0:
                quick = {(tile, port.at, port.side) for tile, port in line.plays(line.rules.faces) if port is not None}
                for tile in line.rules.faces:
                    for port in line.position.ports:
                        legal = line.check(tile, line.joint_for(port, tile)) == []
                        assert legal == ((tile, port.at, port.side) in quick), (tile, port)
            deal.push(rng.choice(list(deal.moves())))


# summed over deals with seeds 1 to 6 for two players; a change here is a change of the rules
COUNTS = {
    "block": [42, 118, 311],
    "draw": [6, 30, 62],
    "doubles": [6, 56, 240],
    "chicken-foot": [22, 59, 396],
    "all-fives": [6, 30, 62],
}


@pytest.mark.parametrize("game", GAMES)
def test_counts_of_continuations(game):
    deals = [LineRound.dealt(line_rules(game, 2, {}), random.Random(seed)) for seed in range(1, 7)]
    assert [sum(deal.continuations(depth) for deal in deals) for depth in (1, 2, 3)] == COUNTS[game]


@pytest.mark.parametrize("seats", [2, 3])
def test_a_round_is_blocked_by_one_pass_of_each_seat(seats):
    rules = line_rules("block", seats, {"players": str(seats)})
    hands = [["6-6", "5-5"], ["4-4", "3-3"], ["2-2", "1-1"]][:seats]
    deal = LineRound(rules, hands, ["6-1", "6-2"], 0)
    deal.push(next(move for move in deal.moves() if move.tile == "6-6"))
    for _ in range(seats):
        assert deal.reason == ""
        assert [move.kind for move in deal.moves()] == [PASS]
        deal.push(next(deal.moves()))
    assert deal.reason == "blocked"
    assert list(deal.moves()) == []


def test_passes_count_only_where_nothing_may_be_drawn():
    """With one draw a turn, passes before the boneyard is down to its floor block nothing."""
    rules = line_rules("draw", 2, {"draw": "one", "starter_method": "first"})
    deal = LineRound(rules, [["6-6", "5-5"], ["4-4", "3-3"]], ["0-0", "6-1", "2-1", "2-0", "1-0"], 0)
    deal.push(next(move for move in deal.moves() if (move.kind, move.tile) == (PLAY, "6-6")))
    kinds = []
    while not deal.reason:
        move = next(deal.moves())
        kinds.append(move.kind)
        deal.push(move)
    assert kinds == [DRAW, PASS] * 3 + [PASS]
    assert deal.reason == "blocked"


def test_a_start_double_that_was_put_aside_is_no_turn():
    """The first seat has drawn nothing yet, and nobody has passed."""
    deal = LineRound(line_rules("chicken-foot", 2, {}), [["8-7"], ["6-5"]], ["3-2", "4-2", "5-2"], 0)
    deal.line.push("9-9")
    for kind in ("draw", "pass", "pass"):
        assert not deal.reason
        assert [move.kind for move in deal.moves()] == [kind]
        deal.push(next(deal.moves()))
    assert deal.reason == "blocked"
