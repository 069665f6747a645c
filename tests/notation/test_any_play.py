"""People write down anything: whatever can be laid down is refereed to the end, and written down again."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from table.events import Record, tiles_of
from table.notation import (
    Act,
    Collect,
    Discard,
    Draw,
    GameRecord,
    Group,
    Move,
    NotationError,
    Play,
    Press,
    Return,
    Show,
    Tag,
    TakeBack,
    TurnDown,
    read_record,
)
from table.notation.facts import steps_of
from table.notation.writing import record_of
from table.rules.games import GAMES


def any_act(rng: random.Random, game: str, tiles: list[str]) -> Act:
    some = tuple(rng.choice(tiles) for _ in range(rng.choice([1, 1, 2, 3])))
    if game == "tien-gow":
        return rng.choice(
            [Group(some), Group(some), Discard(len(some)), Collect(), TurnDown(some[:1]), TakeBack(some[:1])]
        )
    on = rng.choice([None, None, rng.randint(0, 6), rng.choice(tiles)])
    plays: list[Act] = [Play(some[0], on), Play(some[0])]
    others: list[Act] = [Draw(len(some)), Return(), Press("pass"), Press("done"), TakeBack(some[:1]), Show(some)]
    return rng.choice(plays * 4 + others)


def wild_game(game: str, seed: int) -> GameRecord:
    """Moves at random, less those that can't be laid down."""
    rng = random.Random(f"{game} {seed}")
    seats = rng.choice(list(GAMES[game].seats))
    tiles = list(tiles_of(GAMES[game].set_name))
    head = (Tag("Game", game), Tag("Seats", str(seats)))
    moves: list[Move] = []
    for _ in range(14):
        move = Move(rng.randrange(seats), (any_act(rng, game, tiles),))
        try:
            list(steps_of(GameRecord(head, ((*moves, move),))))
        except NotationError:
            continue
        moves.append(move)
    return GameRecord(head, (tuple(moves),))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_wild_games(game: str, seed: int, refereed: Callable[[str], list[Record]]) -> None:
    text = str(wild_game(game, seed))
    records = refereed(text)
    assert [record.n for record in records] == list(range(len(records))), text
    again = record_of(records)
    assert read_record(str(again)) == again
