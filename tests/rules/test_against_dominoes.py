"""Block against the PyPI package dominoes 6.1.0: the same moves, ends, blocks and points, game by game.

That package plays four-handed partnership block: it skips passes, offers a tile once when both ends are equal, and
scores a blocked game by teams. Those three differences are taken into account here; nothing else differs.
"""

import random

import pytest

from table.events import tile_name
from table.rules.games import line_rules
from table.rules.line import LineRound

dominoes = pytest.importorskip("dominoes")


def name(domino: object) -> str:
    return tile_name(domino.first, domino.second)  # type: ignore[attr-defined]


def compare(seed: int) -> str:
    random.seed(seed)
    theirs = dominoes.Game.new(starting_player=seed % 4)
    hands = [[name(domino) for domino in hand] for hand in theirs.hands]
    ours = LineRound(line_rules("block", 4, {"starter_method": "first"}), hands, [], seed % 4)
    while theirs.result is None:
        while [move.kind for move in ours.moves()] == ["pass"]:
            ours.push(next(ours.moves()))
        assert ours.to_act == theirs.turn
        mine = {(move.tile, None if move.port is None else move.port.value) for move in ours.moves()}
        board = theirs.board
        values = {True: None, False: None}
        if ours.line.played:
            values = {True: board.left_end(), False: board.right_end()}
            assert sorted(values.values()) == ours.line.position.values()
        assert mine == {(name(domino), values[left]) for domino, left in theirs.valid_moves}
        domino, left = random.choice(theirs.valid_moves)
        value = values[left]
        theirs.make_move(domino, left)
        ours.push(next(m for m in ours.moves() if m.tile == name(domino) and (m.port is None or m.port.value == value)))
    while not ours.reason:
        assert [move.kind for move in ours.moves()] == ["pass"]
        ours.push(next(ours.moves()))
    points = [sum(domino.first + domino.second for domino in hand) for hand in theirs.hands]
    assert [sum(map(ours.rules.counted, hand)) for hand in ours.hands] == points
    if theirs.result.won:
        assert ours.reason == "out"
        assert ours.outcome().winner == theirs.result.player
        assert max(ours.outcome().scores) == abs(theirs.result.points) == sum(points)
    else:
        assert ours.reason == "blocked"
        lowest = [seat for seat in range(4) if points[seat] == min(points)]
        winner = ours.outcome().winner
        assert winner is None or winner in lowest
        assert sum(ours.outcome().scores) in (0, sum(points) - 4 * min(points))
    return ours.reason


def test_a_hundred_and_fifty_games_agree():
    reasons = [compare(seed) for seed in range(150)]
    assert {"out", "blocked"} == set(reasons)
