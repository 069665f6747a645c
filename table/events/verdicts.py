"""Verdicts: what the referee says about the facts. A correction rewrites them with `replaces`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec

from .records import Record

Status = Literal["open", "corrected", "stands", "reported", "withdrawn"]
Reason = Literal["out", "blocked", "last_trick", "redeal", "abandoned"]
Meaning = Literal["turn", "accepted", "illegal", "ask", "idle"]

_REPLACES: frozenset[str] = frozenset({"replaces"})


class Verdict(Record, frozen=True, kw_only=True):
    optional: ClassVar[frozenset[str]] = _REPLACES

    replaces: int | None = None  # n of the verdict that this one takes the place of


class Judged(Verdict, frozen=True, kw_only=True, tag="judged"):
    of: int
    legal: bool | None
    joins: tuple[int, ...] = ()
    end: int | None = None


class Turn(Verdict, frozen=True, kw_only=True, tag="turn"):
    seat: int | None


class Violation(Verdict, frozen=True, kw_only=True, tag="violation"):
    code: str
    args: dict[str, Any]
    message: str
    seat: int | None
    tile: str | None
    id: int | None
    number: int
    status: Status
    about: float


class Advice(Verdict, frozen=True, kw_only=True, tag="advice"):
    code: str
    message: str
    args: dict[str, Any] = msgspec.field(default_factory=dict)


class Attention(Verdict, frozen=True, kw_only=True, tag="attention"):
    code: str
    message: str
    args: dict[str, Any] = msgspec.field(default_factory=dict)


class Trick(Verdict, frozen=True, kw_only=True, tag="trick"):
    leader: int
    winner: int
    columns: tuple[int, ...]
    payments: tuple[int, ...]


class Hand(Verdict, frozen=True, kw_only=True, tag="hand"):
    seat: int
    tiles: tuple[str, ...]
    pips: int


class Score(Verdict, frozen=True, kw_only=True, tag="score"):
    """Points a seat made during play; `total` is its match score with them."""

    seat: int
    points: int
    total: int


class RoundEnded(Verdict, frozen=True, kw_only=True, tag="round_ended"):
    reason: Reason
    winner: int | None
    scores: tuple[int, ...]
    totals: tuple[int, ...]


class MatchEnded(Verdict, frozen=True, kw_only=True, tag="match_ended"):
    winners: tuple[int, ...]
    totals: tuple[int, ...]


class Light(Verdict, frozen=True, kw_only=True, tag="light"):
    """What one light shows from now on: a seat's, or the table's."""

    seat: int | Literal["table"]
    meaning: Meaning
    colour: str
    pattern: str
