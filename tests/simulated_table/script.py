"""What happens at a simulated table, act by act, and what a referee has to say about it.

A `Script` is a whole match planned in advance: acts (what people do) and, beside them, the truth (what was laid, which
faults must be called and by which act, turns, boneyard counts, hands, results). It knows no pixels and no referee;
`facts` tells it to a referee directly, `watching` through pictures; `comparing` holds the records against the truth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from table.events import Pose, Table

NOT_ASKED = -1
"""A turn that the truth leaves open, because a fault is."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One physical tile on the table. `level` 3 is the top of a pile of four."""

    tile: str
    up: bool
    pose: Pose
    level: int = 0


@dataclass(slots=True)
class Act:
    """One thing that happens: somebody reaches in and the table is different, or a press, or something around it.

    `changes` by key of the physical tile: how it lies afterwards, None for gone. `around` is what happens besides:
    `cup` (put over `at`), `uncup`, `lamp` (to `value`), `bump` (by `by` pixels), `rest` (an arm lies on the table).
    """

    what: str
    seat: int | None = None
    changes: dict[str, Piece | None] = field(default_factory=dict)
    press: tuple[int, str] | None = None
    misread: dict[str, str] = field(default_factory=dict)  # tiles by what the eye takes them for, clearly but wrongly
    correction: tuple[str, Any] | None = None  # typed: of the tile recorded so, or of the last `press`; the change
    around: str = ""
    value: float = 1.0
    at: tuple[float, float] = (0.0, 0.0)
    by: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rest_s: float = 0.0
    company: int | None = None  # another seat's arm, lying before it meanwhile
    # the truth once it has settled
    turn: int | None = NOT_ASKED
    yard: int | None = None


@dataclass(slots=True)
class Laid:
    """A tile of the layout or of a trick that must be recorded at an act. `legal` as judged first, None for not asked.

    A misread tile is recorded under its wrong name and must be judged legal once that is corrected.
    """

    act: int
    key: str
    tile: str
    seat: int
    legal: bool | None
    pose: Pose
    misread: str | None = None


@dataclass(slots=True)
class FaultDue:
    """A fault a referee must call. `first` and `last`: the acts at which it may be called; `closed` when it closes.

    `waits` is set for what is proven later: where seats are only assumed it is called up to that act (the reveal).
    """

    code: str
    seat: int | None
    tile: str | None
    first: int
    last: int
    status: Literal["corrected", "stands", "reported"]
    closed: int | None = None
    waits: int | None = None


@dataclass(slots=True)
class RoundDue:
    """A round's result, due at an act."""

    act: int
    reason: str
    winner: int | None
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...] = ()


@dataclass(slots=True)
class TrickDue:
    """A trick complete at an act."""

    act: int
    leader: int
    winner: int
    columns: tuple[int, ...]


@dataclass(slots=True)
class Script:
    """A match and its truth."""

    game: str
    seats: int
    seed: int
    options: dict[str, str]
    table: Table
    acts: list[Act] = field(default_factory=list)
    laid: list[Laid] = field(default_factory=list)
    faults: list[FaultDue] = field(default_factory=list)
    rounds: list[RoundDue] = field(default_factory=list)
    tricks: list[TrickDue] = field(default_factory=list)
    winners: tuple[int, ...] | None = None
    hidden: list[tuple[str, int]] = field(default_factory=list)
    """Codes and seats of false acts that no single tile proves; several of them together may."""
    asked: int = 0
    """Questions that a referee is right to ask."""
