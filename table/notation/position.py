"""A position in one line, for logs, tests and bug reports: `block | 2-4 4-4 4-1 | to act 2 | hands 5 6 | yard 14`.

The first field is the game, the second what lies on the table, then named fields in any number. In a line of tiles each
half stands next to the half it touches; where several tiles join one, each branch has its brackets and reads away from
it: `6-6 [6-3 3-3] [6-5]`. Unknown is `?`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from table.events.tiles import UNKNOWN
from table.rules.games import GAMES, TRICK_GAMES

from .acts import read_tile
from .errors import NotationError


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile on the layout: its halves reading away from what it joins, and what joins it in turn."""

    near: int
    far: int
    arms: tuple[Laid, ...] = ()

    def __str__(self) -> str:
        text = f"{self.near}-{self.far}"
        if len(self.arms) == 1:
            return f"{text} {self.arms[0]}"
        return " ".join([text, *(f"[{arm}]" for arm in self.arms)])


@dataclass(frozen=True, slots=True)
class InTrick:
    """What a seat has in the trick; `?` for each tile face down."""

    seat: int
    tiles: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.seat + 1}: {' '.join(self.tiles)}"


Hand = int | tuple[str, ...]  # how many tiles, or which (`?` for those not known)


@dataclass(frozen=True, slots=True)
class Position:
    """Fields that are None or empty are not known or not part of the game. Seats count from 0, in text from 1."""

    game: str
    table: Laid | tuple[InTrick, ...] | None = None
    to_act: int | None = None
    hands: tuple[Hand, ...] = ()
    yard: int | None = None
    columns: tuple[int, ...] = ()
    banker: int | None = None
    scores: tuple[int, ...] = ()
    round: int | None = None

    def __str__(self) -> str:
        if isinstance(self.table, tuple):
            table = " / ".join(map(str, self.table)) or "-"
        else:
            table = "-" if self.table is None else str(self.table)
        fields = [self.game, table]
        if self.to_act is not None:
            fields.append(f"to act {self.to_act + 1}")
        if self.hands:
            fields.append("hands " + " ".join(map(_hand_text, self.hands)))
        if self.yard is not None:
            fields.append(f"yard {self.yard}")
        if self.columns:
            fields.append("columns " + " ".join(map(str, self.columns)))
        if self.banker is not None:
            fields.append(f"banker {self.banker + 1}")
        if self.scores:
            fields.append("scores " + " ".join(map(str, self.scores)))
        if self.round is not None:
            fields.append(f"round {self.round}")
        return " | ".join(fields)


def _hand_text(hand: Hand) -> str:
    return str(hand) if isinstance(hand, int) else ",".join(hand) or "none"


def read_position(text: str) -> Position:
    """Read a position. Raises NotationError with a sentence."""
    fields = [" ".join(part.split()) for part in text.split("|")]
    if fields[0] not in GAMES:
        raise NotationError(f"a position begins with the game ({', '.join(GAMES)}), not '{fields[0]}'")
    if len(fields) < 2:
        raise NotationError("after the game comes what lies on the table; - for nothing")
    found: dict[str, Any] = {}
    for field in fields[2:]:
        name, _, value = field.replace("to act", "to_act", 1).partition(" ")
        words = value.split()
        if name in found:
            raise NotationError(f"'{field}': the same field stands there twice")
        if name in ("to_act", "banker"):
            found[name] = _number(field, words) - 1
        elif name in ("yard", "round"):
            found[name] = _number(field, words)
        elif name in ("columns", "scores"):
            found[name] = tuple(_number(field, [word]) for word in words)
        elif name == "hands":
            found[name] = tuple(map(_hand, words))
        else:
            raise NotationError(
                f"'{field}' is not understood; fields are to act, hands, yard, columns, banker, scores, round"
            )
    return Position(fields[0], _table(fields[0], fields[1]), **found)


def _number(field: str, words: list[str]) -> int:
    if len(words) != 1 or not re.fullmatch(r"-?\d{1,6}", words[0]):
        raise NotationError(f"'{field}' lacks a number")
    return int(words[0])


def _hand(word: str) -> Hand:
    if word.isascii() and word.isdigit():
        return int(word[:3])
    if word == "none":
        return ()
    return tuple(UNKNOWN if tile == UNKNOWN else read_tile(tile) for tile in word.split(","))


def _table(game: str, text: str) -> Laid | tuple[InTrick, ...] | None:
    if any(game == tricks.key for tricks in TRICK_GAMES):
        return tuple(_in_trick(part.strip()) for part in text.split("/")) if text != "-" else ()
    if text == "-":
        return None
    tokens = re.findall(r"\[|\]|[^\s\[\]]+", text)
    laid, rest = _branch(tokens)
    if rest:
        raise NotationError(
            "a bracket closes that was never opened" if rest[0] == "]" else f"'{rest[0]}' joins nothing"
        )
    return laid


def _in_trick(text: str) -> InTrick:
    seat, colon, tiles = text.partition(":")
    if not colon or seat not in ("1", "2", "3", "4") or not tiles.split():
        raise NotationError(f"'{text}' is no play in a trick; write it like 2: 6-6 6-3 or 2: ? ?")
    return InTrick(int(seat) - 1, tuple(UNKNOWN if t == UNKNOWN else read_tile(t) for t in tiles.split()))


def _branch(tokens: list[str]) -> tuple[Laid, list[str]]:
    """The first tile with all that joins it, and the tokens after that."""
    if not tokens or tokens[0] in "[]":
        raise NotationError("a tile is missing, or a bracket is empty")
    read_tile(tokens[0])
    near, far = map(int, tokens[0].split("-"))
    rest = tokens[1:]
    arms: list[Laid] = []
    while rest[:1] == ["["]:
        arm, rest = _branch(rest[1:])
        if rest[:1] != ["]"]:
            raise NotationError("a bracket is not closed")
        arms.append(arm)
        rest = rest[1:]
    if rest and rest[0] not in "[]" and not arms:
        arm, rest = _branch(rest)
        arms.append(arm)
    return Laid(near, far, tuple(arms)), rest
