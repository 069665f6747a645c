"""A whole game as text, the way people write one down: tags, then one line a move, comments after a semicolon.

`read_record` and `str(record)` are inverse to each other: a record in the printed form comes back byte for byte.
The page docs/notation.md shows it. Reading knows the games by name only; refereeing a record is the command `check`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from table.rules.games import GAMES, TRICK_GAMES

from .acts import Act, Show, read_act
from .errors import InvalidMove, NotationError

_TRICKS = {game.key for game in TRICK_GAMES}
_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_-]*)\s+"((?:[^"\\]|\\.)*)"\]')
_ROUND = re.compile(r"[Rr]ound\s+(\d{1,4})")
_NUMBERED = re.compile(r"(\d{1,5})\.\s+(.*)", re.DOTALL)
_SEAT = re.compile(r"seat\s+(\d{1,2})")
_RESERVED = re.compile(r"(?i)(yard|score|round\b.*|seat\b.*)")


@dataclass(frozen=True, slots=True)
class Comment:
    """A line of its own for the reader."""

    text: str

    def __str__(self) -> str:
        return f"; {self.text}".rstrip()


@dataclass(frozen=True, slots=True)
class Tag:
    """A line of the head: `[Game "block"]`. Names that are not known are kept for the reader."""

    name: str
    value: str

    def __str__(self) -> str:
        escaped = self.value.replace("\\", "\\\\").replace('"', '\\"')
        return f'[{self.name} "{escaped}"]'


@dataclass(frozen=True, slots=True)
class Move:
    """What one seat does in one go. `line` is where it stood when it was read; it does not count in comparisons."""

    seat: int
    acts: tuple[Act, ...]
    comment: str | None = None
    line: int = field(default=0, compare=False)

    @property
    def numbered(self) -> bool:
        return not all(isinstance(act, Show) for act in self.acts)


@dataclass(frozen=True, slots=True)
class Yard:
    """How many tiles lie in the boneyard at this moment, where somebody counted."""

    count: int
    comment: str | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Points:
    """What the players wrote down for the round, a number a seat; `check` compares it with its own count."""

    points: tuple[int, ...]
    comment: str | None = None
    line: int = field(default=0, compare=False)


Entry = Move | Yard | Points | Comment


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A written game. `rounds` holds the entries of each round, round 1 first."""

    head: tuple[Tag | Comment, ...]
    rounds: tuple[tuple[Entry, ...], ...] = ()

    def tag(self, name: str) -> str | None:
        return next((tag.value for tag in self.head if isinstance(tag, Tag) and tag.name == name), None)

    @property
    def game(self) -> str:
        return self.tag("Game") or ""

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat, seat 0 first; empty when only their number is given."""
        return _names(self.tag("Players"))

    @property
    def seats(self) -> int:
        return len(self.names) or int(self.tag("Seats") or 0)

    @property
    def options(self) -> dict[str, str]:
        words = (self.tag("Options") or "").split()
        return {key: value for key, _, value in (word.partition("=") for word in words)}

    def label(self, seat: int) -> str:
        """What people call a seat."""
        return self.names[seat] if self.names else f"seat {seat + 1}"

    def __str__(self) -> str:
        blocks = ["\n".join(map(str, self.head))]
        for number, entries in enumerate(self.rounds, start=1):
            blocks.append("\n".join([f"Round {number}", *self._lines(entries)]))
        return "\n\n".join(blocks) + "\n"

    def _lines(self, entries: Iterable[Entry]) -> Iterable[str]:
        number = 0
        for entry in entries:
            match entry:
                case Move(seat, acts):
                    number += entry.numbered
                    text = f"{self.label(seat)}: {', '.join(map(str, acts))}"
                    yield _commented(f"{number}. {text}" if entry.numbered else text, entry.comment)
                case Yard(count):
                    yield _commented(f"Yard: {count}", entry.comment)
                case Points(points):
                    shares = (f"{self.label(seat)} {count}" for seat, count in enumerate(points))
                    yield _commented(f"Score: {', '.join(shares)}", entry.comment)
                case Comment():
                    yield str(entry)


def _commented(text: str, comment: str | None) -> str:
    return text if comment is None else f"{text} ; {comment}".rstrip()


def read_record(text: str) -> GameRecord:
    """Read a written game. Raises NotationError or InvalidMove naming the line."""
    return _Reader().read(text)


class _Reader:
    """One pass over the lines; the head ends at the first line that is neither tag nor comment."""

    def __init__(self) -> None:
        self.head: list[Tag | Comment] = []
        self.rounds: list[list[Entry]] = []
        self.frame: GameRecord | None = None  # the head alone, once it is complete
        self.number = 0

    def read(self, text: str) -> GameRecord:
        line = 0
        for line, whole in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
            body, semicolon, rest = whole.partition(";")
            if self.frame is None and whole.lstrip().startswith("["):
                self._tag(whole.strip(), line)
                continue
            words = body.strip()
            comment = rest.strip() if semicolon else None
            if words:
                self._entry(" ".join(words.split()), comment, line)
            elif comment is not None:
                (self.rounds[-1] if self.rounds else self.head).append(Comment(comment))
        if self.frame is None:
            self._end_head(max(line, 1))
        return GameRecord(tuple(self.head), tuple(map(tuple, self.rounds)))

    def _tag(self, text: str, line: int) -> None:
        found = _TAG.fullmatch(text)
        if not found:
            raise NotationError(f"'{text}' is no tag; write it like [Game \"block\"]", line)
        name, value = found[1], re.sub(r"\\(.)", r"\1", found[2])
        if any(isinstance(tag, Tag) and tag.name == name for tag in self.head):
            raise NotationError(f"the tag {name} stands there twice", line)
        if name == "Game" and value not in GAMES:
            raise NotationError(f"there is no game '{value}'; there are {', '.join(GAMES)}", line)
        if name == "Players":
            _check_names(_names(value), line)
        if name == "Seats" and not (value.isascii() and value.isdigit() and 0 < int(value[:3]) <= 8):
            raise NotationError(f"'{value}' is no number of seats from 1 to 8", line)
        if name == "Options" and not all(re.fullmatch(r"[a-z_]+=\S+", word) for word in value.split()):
            raise NotationError(f"options are written like target=150 direction=ccw, not '{value}'", line)
        self.head.append(Tag(name, value))

    def _end_head(self, line: int) -> GameRecord:
        frame = GameRecord(tuple(self.head))
        if not frame.game:
            raise NotationError('the head lacks [Game "..."]', line)
        if not frame.seats:
            raise NotationError('the head lacks [Players "..."], names with commas between, or [Seats "2"]', line)
        seats = GAMES[frame.game].seats
        if frame.seats not in seats:
            who = f"{seats[0]} to {seats[-1]}" if len(seats) > 1 else f"{seats[0]}"
            raise NotationError(f"{frame.game} is for {who} players, not {frame.seats}", line)
        if frame.names and frame.tag("Seats") not in (None, str(len(frame.names))):
            raise NotationError("the tags Players and Seats disagree", line)
        self.frame = frame
        return frame

    def _entry(self, text: str, comment: str | None, line: int) -> None:
        if text.startswith("["):
            raise NotationError("tags stand before the first round", line)
        frame = self.frame or self._end_head(line)
        heading = _ROUND.fullmatch(text)
        if heading:
            if int(heading[1]) != len(self.rounds) + 1:
                raise NotationError(f"round {len(self.rounds) + 1} comes next, not round {int(heading[1])}", line)
            self.rounds.append([])
            self.number = 0
            if comment is not None:
                self.rounds[-1].append(Comment(comment))
            return
        if not self.rounds:
            self.rounds.append([])
        entries = self.rounds[-1]
        label, colon, rest = text.partition(":")
        label = label.strip()
        if not colon:
            raise InvalidMove(f"'{text}' lacks the colon after who moves, as in {frame.label(0)}: 6-4 on 4", line)
        if label.lower() == "yard":
            entries.append(Yard(_whole(rest.strip(), line), comment, line))
        elif label.lower() == "score":
            entries.append(Points(_points(frame, rest, line), comment, line))
        else:
            entries.append(self._move(frame, label, rest, comment, line))

    def _move(self, frame: GameRecord, label: str, rest: str, comment: str | None, line: int) -> Move:
        given = _NUMBERED.fullmatch(label)
        seat = _seat(frame, given[2] if given else label, line)
        tricks = frame.game in _TRICKS
        move = Move(seat, tuple(read_act(a, tricks=tricks, line=line) for a in rest.split(",")), comment, line)
        self.number += move.numbered
        if given and not move.numbered:
            raise InvalidMove("a line that only shows tiles has no number", line)
        if given and int(given[1]) != self.number:
            raise InvalidMove(f"move {self.number} comes next, not {given[1]}", line)
        return move


def _names(value: str | None) -> tuple[str, ...]:
    return tuple(" ".join(name.split()) for name in value.split(",")) if value else ()


def _check_names(names: tuple[str, ...], line: int) -> None:
    for name in names:
        if not name or re.search(r'[:;\[\]"]', name) or _RESERVED.fullmatch(name) or name[0].isdigit():
            raise NotationError(f"'{name}' can't be a player's name here: it would be read as something else", line)
    if len(set(names)) < len(names):
        raise NotationError("two players have the same name; add a letter to one", line)


def _seat(frame: GameRecord, label: str, line: int) -> int:
    numbered = _SEAT.fullmatch(label)
    if numbered and 0 < int(numbered[1]) <= frame.seats:
        return int(numbered[1]) - 1
    if label in frame.names:
        return frame.names.index(label)
    known = ", ".join(map(frame.label, range(frame.seats)))
    raise InvalidMove(f"nobody here is '{label}'; there are {known}", line)


def _whole(text: str, line: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise InvalidMove(f"'{text}' is no number of tiles", line)
    return int(text)


def _points(frame: GameRecord, text: str, line: int) -> tuple[int, ...]:
    points: dict[int, int] = {}
    for share in text.split(","):
        label, _, count = share.strip().rpartition(" ")
        if not re.fullmatch(r"-?\d{1,6}", count):
            raise InvalidMove(f"'{share.strip()}' is no score; write it like {frame.label(0)} 18", line)
        seat = _seat(frame, label, line)
        if seat in points:
            raise InvalidMove(f"{frame.label(seat)} has two scores", line)
        points[seat] = int(count)
    return tuple(points.get(seat, 0) for seat in range(frame.seats))
