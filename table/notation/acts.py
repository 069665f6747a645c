"""What a player does, as a word or two: `6-4 on 4`, `draws 2`, `passes`, `shows 6-5 3-3`.

Each act prints as it is read; several acts of one line are parted by commas. Nothing here knows whose turn it is or
which ends are open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from table.events.tiles import UNKNOWN, halves, tile_name

from .errors import InvalidMove

Bend = Literal["left", "right"]
Side = Literal["long", "short"]
Lying = Literal["crosswise", "in line"]
_MOST = 99  # more than any set holds; a longer number is a slip


@dataclass(frozen=True, slots=True)
class Play:
    """Lay one tile on the layout. `on` is the number of an open end or a tile lying there; None where it is clear."""

    tile: str
    on: int | str | None = None
    side: Side | None = None  # which side of the double `on`
    bend: Bend | None = None  # seen along the line towards its end; straight on when None
    lying: Lying | None = None  # only for doubles, where it differs from the game's habit

    def __str__(self) -> str:
        on = None if self.on is None else f"on {self.on}"
        return " ".join(word for word in (self.tile, on, self.side, self.bend, self.lying) if word)


@dataclass(frozen=True, slots=True)
class Group:
    """Put a group into a trick, face up."""

    tiles: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.tiles)


@dataclass(frozen=True, slots=True)
class Discard:
    """Put tiles into a trick face down. `tiles` may name them for the reader; the referee does not see them."""

    count: int
    tiles: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"discards {' '.join(self.tiles) or self.count}"


@dataclass(frozen=True, slots=True)
class TurnDown:
    """Turn tiles of a trick that lay face up face down."""

    tiles: tuple[str, ...]

    def __str__(self) -> str:
        return f"turns down {' '.join(self.tiles)}"


@dataclass(frozen=True, slots=True)
class Collect:
    """Take a trick in. `columns`: how many piles then lie in front of the seat, where they were counted."""

    columns: int | None = None

    def __str__(self) -> str:
        return "collects" if self.columns is None else f"collects {self.columns}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Take tiles from the boneyard."""

    count: int = 1

    def __str__(self) -> str:
        return "draws" if self.count == 1 else f"draws {self.count}"


@dataclass(frozen=True, slots=True)
class Return:
    """Put tiles back into the boneyard."""

    count: int = 1

    def __str__(self) -> str:
        return "returns" if self.count == 1 else f"returns {self.count}"


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take tiles that were just laid off the table again."""

    tiles: tuple[str, ...]

    def __str__(self) -> str:
        return f"takes back {' '.join(self.tiles)}"


@dataclass(frozen=True, slots=True)
class Straighten:
    """Put the pose of a laid tile right without taking it back."""

    tile: str

    def __str__(self) -> str:
        return f"straightens {self.tile}"


@dataclass(frozen=True, slots=True)
class Show:
    """Show tiles without playing them: a lot, a searched double, the rest of a hand at the end."""

    tiles: tuple[str, ...]  # `?` for a back

    def __str__(self) -> str:
        return f"shows {' '.join(self.tiles) or 'nothing'}"


@dataclass(frozen=True, slots=True)
class Press:
    """Press a button."""

    button: Literal["pass", "done", "challenge"]

    def __str__(self) -> str:
        return {"pass": "passes", "done": "done", "challenge": "challenges"}[self.button]


Act = Play | Group | Discard | TurnDown | Collect | Draw | Return | TakeBack | Straighten | Show | Press


def read_tile(word: str, line: int = 0) -> str:
    """A tile in either order, `4-6` or `6-4`, as its name. Raises InvalidMove."""
    first, dash, second = word.partition("-")
    if not (dash and all(half.isascii() and half.isdigit() and len(half) <= 2 for half in (first, second))):
        raise InvalidMove(f"'{word}' is no tile; write it like 6-4", line)
    tile = tile_name(int(first), int(second))
    if max(halves(tile)) > 12:
        raise InvalidMove(f"'{word}' is no tile: no set goes beyond 12", line)
    return tile


def read_act(text: str, *, tricks: bool = False, line: int = 0) -> Act:
    """One act. In games of tricks several tiles are a group; otherwise one tile is laid. Raises InvalidMove."""
    words = text.split()
    text = " ".join(words)
    match words:
        case []:
            raise InvalidMove("nothing stands here; write what was done, for example 6-4 on 4, draws or passes", line)
        case ["passes"]:
            return Press("pass")
        case ["done"]:
            return Press("done")
        case ["challenges"]:
            return Press("challenge")
        case ["draws", *rest]:
            return Draw(_count(rest, line, default=1))
        case ["returns", *rest]:
            return Return(_count(rest, line, default=1))
        case ["collects"]:
            return Collect()
        case ["collects", *rest]:
            return Collect(_count(rest, line))
        case ["takes", "back", *rest]:
            return TakeBack(_tiles(rest, line, text))
        case ["turns", "down", *rest]:
            return TurnDown(_tiles(rest, line, text))
        case ["straightens", tile]:
            return Straighten(read_tile(tile, line))
        case ["shows", "nothing"]:
            return Show(())
        case ["shows", *rest]:
            return Show(_tiles(rest, line, text, backs=True))
        case ["discards", *rest] if len(rest) == 1 and "-" not in rest[0]:
            return Discard(_count(rest, line))
        case ["discards", *rest]:
            tiles = _tiles(rest, line, text)
            return Discard(len(tiles), tiles)
        case [word, *_] if word[0].isdigit():
            return Group(_tiles(words, line, text)) if tricks else _play(words, line)
    raise InvalidMove(
        f"'{text}' is not understood; write a tile (6-4 on 4), draws, passes, takes back, shows, discards or done", line
    )


def _count(words: list[str], line: int, default: int | None = None) -> int:
    if not words and default is not None:
        return default
    if len(words) != 1 or not (words[0].isascii() and words[0].isdigit()) or not 0 < int(words[0][:4]) <= _MOST:
        raise InvalidMove(f"'{' '.join(words)}' is no number of tiles", line)
    return int(words[0])


def _tiles(words: list[str], line: int, text: str, backs: bool = False) -> tuple[str, ...]:
    if not words:
        raise InvalidMove(f"'{text}' names no tiles", line)
    return tuple(UNKNOWN if backs and word == UNKNOWN else read_tile(word, line) for word in words)


def _play(words: list[str], line: int) -> Play:
    tile = read_tile(words[0], line)
    rest = words[1:]
    on: int | str | None = None
    if rest[:1] == ["on"]:
        if len(rest) < 2:
            raise InvalidMove("after 'on' comes the number of an open end or a tile, for example on 4", line)
        on = int(rest[1]) if rest[1].isascii() and rest[1].isdigit() else read_tile(rest[1], line)
        rest = rest[2:]
    lying: Lying | None = None
    if rest[-1:] == ["crosswise"]:
        lying, rest = "crosswise", rest[:-1]
    elif rest[-2:] == ["in", "line"]:
        lying, rest = "in line", rest[:-2]
    bend: Bend | None = None
    side: Side | None = None
    for word in rest:
        if word in get_args(Bend) and bend is None:
            bend = word  # type: ignore[assignment]  # one of the literals, just checked
        elif word in get_args(Side) and side is None and bend is None:
            side = word  # type: ignore[assignment]
        else:
            raise InvalidMove(
                f"'{word}' is not understood here; after a tile comes on 4 or on 6-6, then long or short, "
                "left or right, crosswise or in line",
                line,
            )
    if lying and len(set(halves(tile))) == 2:
        raise InvalidMove(f"{tile} is no double; only doubles lie {lying}", line)
    return Play(tile, on, side, bend, lying)
