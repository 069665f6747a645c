"""A refereed game written down: records in, a game record out.

The other way round from `facts`. What was called stands as a comment after the move. Corrections are heeded where they
name a tile, a seat or a removal; what they add has no line of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from table.events import (
    UNKNOWN,
    Boneyard,
    Button,
    Correction,
    Done,
    Judged,
    Match,
    Moved,
    Passed,
    Placed,
    Pose,
    Record,
    Removed,
    Returned,
    Revealed,
    RoundEnded,
    RoundStarted,
    Shown,
    Taken,
    Trick,
    TrickCollected,
    TrickDown,
    TrickUp,
    Turned,
    Violation,
    is_double,
)
from table.events.records import ButtonName
from table.rules.games import TRICK_GAMES

from .acts import Act, Bend, Collect, Discard, Draw, Group, Play, Press, Return, Show, Straighten, TakeBack, TurnDown
from .record import Comment, Entry, GameRecord, Move, Points, Tag, Yard

POSE_CODES = ("OFF_AXIS", "SIDES_NOT_ADJACENT", "DOUBLE_NOT_CROSSWISE", "TILE_NOT_PERPENDICULAR", "NO_SPACE")


def record_of(records: Iterable[Record]) -> GameRecord:
    """The written form of a game from its records, in their order. Raises ValueError when no match stands first."""
    told = list(records)
    if not told or not isinstance(told[0], Match):
        raise ValueError("these are no records of a match: the first one must tell which")
    return _Scribe(told[0], told).record()


@dataclass
class _Line:
    """A move that may still grow, and the facts it came from."""

    seat: int
    acts: list[Act]
    comments: list[str] = field(default_factory=list)
    growing: bool = False  # the seat goes on in the same breath: it drew and plays now


class _Scribe:
    def __init__(self, match: Match, records: list[Record]) -> None:
        self.match = match
        self.tricks = any(match.game == game.key for game in TRICK_GAMES)
        self.records = records
        self.rounds: list[list[_Line | Entry]] = []
        self.changes = {r.of: r.change for r in records if isinstance(r, Correction) and r.of is not None}
        self.judged = {r.of: r for r in records if isinstance(r, Judged)}  # the last word on each placement
        self.lying: dict[int, str] = {}  # faces by id
        self.poses: dict[int, Pose] = {}
        self.played: set[int] = set()
        self.shown: dict[int, set[int]] = {}
        self.moved: Moved | None = None
        self.pressed: tuple[int, ButtonName, float] | None = None
        self.over = False  # of the round
        self.in_trick: set[int] = set()

    def record(self) -> GameRecord:
        match = self.match
        head = [Tag("Game", match.game)]
        if match.names and all(match.names):
            head.append(Tag("Players", ", ".join(match.names)))
        else:
            head.append(Tag("Seats", str(match.seats)))
        if match.game == "free":
            head.append(Tag("Set", match.tile_set))
        if match.options:
            head.append(Tag("Options", " ".join(f"{key}={value}" for key, value in match.options.items())))
        if match.started_at:
            head.append(Tag("Date", match.started_at[:10]))
        for record in self.records:
            self._take(record)
        return GameRecord(tuple(head), tuple(tuple(map(_entry, lines)) for lines in self.rounds))

    @property
    def lines(self) -> list[_Line | Entry]:
        if not self.rounds:
            self.rounds.append([])
        return self.rounds[-1]

    def _move(self, seat: int | None, act: Act, growing: bool = False) -> None:
        last = self.lines[-1] if self.lines else None
        who = 0 if seat is None else seat
        if isinstance(last, _Line) and last.growing and last.seat == who:
            if isinstance(act, Draw) and isinstance(last.acts[-1], Draw):
                last.acts[-1] = Draw(last.acts[-1].count + act.count)
            else:
                last.acts.append(act)
            last.growing = growing
        else:
            self.lines.append(_Line(who, [act], growing=growing))

    def _take(self, record: Record) -> None:
        change: Any = self.changes.get(record.n)
        if change in ("remove", "undo"):
            return
        changed = change if isinstance(change, dict) else {}
        match record:
            case RoundStarted():
                self.rounds.append([])
                self.over = False
                self.lying, self.played, self.shown, self.in_trick = {}, set(), {}, set()
            case Boneyard(count=int(count)) if not self.lines:
                self.lines.append(Yard(count))
            case Placed():
                self._placed(record, changed.get("tile", record.tile), changed.get("seat", record.seat))
            case Moved():
                self.moved = record
            case Removed():
                self._removed(record)
            case Turned(face="down") if self.tricks and record.id in self.in_trick:
                self._move(record.seat, TurnDown((self.lying.get(record.id, record.tile),)))
            case Taken() if not self.over and self.played:
                self._move(record.seat, Draw(record.count), growing=True)
            case Returned() if not self.over and self.played:
                self.lines.append(_Line(record.seat or 0, [Return(record.count)]))
            case Shown() if not self.over:
                self._show(record)
            case Button():
                self._press(record.seat, record.button, record.t)
            case Passed(by="button"):
                self._press(record.seat, "pass", record.t)
            case Done(by="button"):
                self._press(record.seat, "done", record.t)
            case _ if self.tricks:
                self._trick(record)
            case Revealed():
                self.lines.append(_Line(record.seat, [Show((*record.tiles, *(UNKNOWN,) * record.backs))]))
            case _:
                pass
        self._verdict(record)

    def _placed(self, fact: Placed, tile: str, seat: int | None) -> None:
        self.lying[fact.id], self.poses[fact.id] = tile, fact.at
        self.moved = None
        judged = self.judged.get(fact.n)
        if self.tricks:
            if judged is not None:
                self.in_trick.add(fact.id)
            return
        if judged is None or tile == UNKNOWN:
            return
        joined = judged.joins[0] if judged.joins else None
        on = None if joined is None else self.lying.get(joined)
        bend = None if joined is None or on is None else _bend(tile, fact.at, on, self.poses[joined])
        self.played.add(fact.id)
        self._move(seat, Play(tile, on, bend=bend if self.match.game == "draw" else None))

    def _removed(self, fact: Removed) -> None:
        tile = self.lying.get(fact.id, fact.tile)
        mine = fact.id in self.in_trick if self.tricks else fact.id in self.played
        if mine and not self.over and tile != UNKNOWN:
            self._move(fact.seat, TakeBack((tile,)))
        self.in_trick.discard(fact.id)
        self.played.discard(fact.id)

    def _press(self, seat: int, button: ButtonName, t: float) -> None:
        """A press and what it was taken for are one act."""
        if self.pressed != (seat, button, t):
            self.pressed = (seat, button, t)
            self._move(seat, Press(button))

    def _show(self, fact: Shown) -> None:
        """Tiles shown one by one are one line; again by the same seat, new lots."""
        last = self.lines[-1] if self.lines else None
        if isinstance(last, _Line) and last.seat == fact.seat and isinstance(last.acts[0], Show) and not self.played:
            last.acts[0] = Show((*last.acts[0].tiles, *fact.tiles))
        else:
            self.lines.append(_Line(fact.seat or 0, [Show(fact.tiles)]))

    def _trick(self, record: Record) -> None:
        match record:
            case TrickUp():
                self._move(record.seat, Group(record.tiles))
            case TrickDown():
                self._move(record.seat, Discard(record.count))
            case Trick():
                self.in_trick.clear()
            case TrickCollected():
                self._move(record.seat, Collect())
            case _:
                pass

    def _verdict(self, record: Record) -> None:
        if isinstance(record, Violation):
            self._violation(record)
        elif isinstance(record, RoundEnded):
            self.over = True
            self.lines.append(Points(record.scores))

    def _violation(self, violation: Violation) -> None:
        moved = self.moved
        put_right = violation.status == "corrected" and violation.code in POSE_CODES
        if put_right and moved is not None and moved.id == violation.id:
            self._move(moved.seat, Straighten(self.lying.get(moved.id, moved.tile)))
            self.moved = None
        last = self.lines[-1] if self.lines else None
        if violation.code == "DOUBLE_NOT_CROSSWISE" and violation.status == "open" and isinstance(last, _Line):
            last.acts = [replace(act, lying="in line") if isinstance(act, Play) else act for act in last.acts]
        if violation.status in ("open", "reported"):
            text = violation.message
            if isinstance(last, _Line) and violation.status == "open":
                last.comments.append(text)
            else:
                self.lines.append(Comment(text))


def _bend(tile: str, at: Pose, on: str, on_at: Pose) -> Bend | None:
    """Whether a tile turns off the line, seen along the line; None for doubles, and where it goes straight on."""
    if is_double(tile) or is_double(on) or abs((at.angle_deg - on_at.angle_deg + 90.0) % 180.0 - 90.0) < 45.0:
        return None
    axis = math.radians(on_at.angle_deg)
    ahead, aside = math.cos(axis), math.sin(axis)
    dx, dy = at.x_mm - on_at.x_mm, at.y_mm - on_at.y_mm
    if dx * ahead + dy * aside < 0:
        ahead, aside = -ahead, -aside
    return "left" if ahead * dy - aside * dx < 0 else "right"


def _entry(line: _Line | Entry) -> Entry:
    if not isinstance(line, _Line):
        return line
    return Move(line.seat, tuple(line.acts), " ".join(line.comments).replace(";", ",") or None)
