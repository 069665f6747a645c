"""The games by name: their sets, their options, and the rules object of a line game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from . import options
from .all_fives import AllFives
from .block import Block
from .chicken_foot import ChickenFoot
from .doubles import Doubles
from .draw import Draw
from .line.rules import LineRules
from .options import Option, read_options
from .tricks.options import TIEN_GOW


@dataclass(frozen=True, slots=True)
class Game:
    """A game as `--game` names it. `line` is its rules, None where the game is no line game."""

    key: str
    title: str
    set_name: str
    seats: range
    options: tuple[Option, ...]
    line: type[LineRules] | None = None


LINE_GAMES = (
    Game("block", "Block", "double-six", range(2, 5), options.BLOCK, Block),
    Game("draw", "Draw", "double-six", range(2, 3), options.DRAW, Draw),
    Game("doubles", "Doubles", "double-six", range(2, 5), options.DOUBLES, Doubles),
    Game("chicken-foot", "Chicken Foot", "double-nine", range(2, 9), options.CHICKEN_FOOT, ChickenFoot),
    Game("all-fives", "All Fives", "double-six", range(2, 5), options.ALL_FIVES, AllFives),
)
TRICK_GAMES = (Game("tien-gow", "Tien Gow", "chinese", range(4, 5), TIEN_GOW),)
FREE = Game("free", "Free", "double-six", range(1, 9), ())
GAMES = {game.key: game for game in (*LINE_GAMES, *TRICK_GAMES, FREE)}


def game_of(key: str) -> Game:
    """The game of that name. Raises ValueError listing the games there are."""
    if key not in GAMES:
        raise ValueError(f"unknown game '{key}'; there are {', '.join(GAMES)}")
    return GAMES[key]


def line_rules(key: str, seats: int, given: Mapping[str, str]) -> LineRules:
    """The rules object of a line game. Raises ValueError for an unknown game, option, value or seat count."""
    game = game_of(key)
    if game.line is None:
        raise ValueError(f"{key} is no line game")
    return game.line(seats, read_options(key, game.options, given))
