"""What every record has, and the facts: all that is folded.

The names and fields are the contract's. Frozen values; a record that has no place in a file yet has n UNNUMBERED.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal, TypeVar

import msgspec

from .place import Pose, Table

UNNUMBERED = -1  # only between the tracker or an input and the referee, which numbers every record

Face = Literal["up", "down", "unclear"]
SeatBy = Literal["arm", "turn", "button", "correction"]
By = Literal["button", "inferred"]
ButtonName = Literal["pass", "done", "challenge"]

R = TypeVar("R", bound="Record")


class Record(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """One line of the journal. `t` in seconds of the source's monotonic clock."""

    optional: ClassVar[frozenset[str]] = frozenset()  # fields left out of the line when null

    t: float
    n: int = UNNUMBERED

    @property
    def type(self) -> str:
        tag = self.__struct_config__.tag
        assert isinstance(tag, str)
        return tag


class Fact(Record, frozen=True, kw_only=True):
    """Something that happened; the referee's state is a fold over these."""


def numbered(record: R, n: int, **changes: Any) -> R:
    """The same record with its place in the file, and any other field replaced."""
    return msgspec.structs.replace(record, n=n, **changes)


class Match(Fact, frozen=True, kw_only=True, tag="match"):
    optional = frozenset({"table", "source"})

    format: int = 1
    game: str
    options: dict[str, str] = {}
    seats: int
    tile_set: str = msgspec.field(name="set")
    names: tuple[str, ...] = ()
    version: str = ""
    started_at: str | None = None
    table: Table | None = None
    source: str | None = None  # `stills`: every picture is a settled table; `moving`: a camera or a video


class RoundStarted(Fact, frozen=True, kw_only=True, tag="round_started"):
    round: int


class OfTile(Fact, frozen=True, kw_only=True):
    """A fact about one physical tile. `seat` is null while nobody is known to have acted."""

    id: int
    tile: str
    face: Face
    at: Pose
    seat: int | None = None
    seat_by: SeatBy | None = None


class Placed(OfTile, frozen=True, kw_only=True, tag="placed"):
    optional = frozenset({"join"})

    confidence: float = 1.0
    alternatives: tuple[tuple[str, float], ...] = ()
    join: tuple[int, str] | None = None  # a written game only: the id and side it joins, instead of a measured pose


class Removed(OfTile, frozen=True, kw_only=True, tag="removed"):
    pass


class Moved(OfTile, frozen=True, kw_only=True, tag="moved"):
    pass


class Turned(OfTile, frozen=True, kw_only=True, tag="turned"):
    pass


class Bumped(Fact, frozen=True, kw_only=True, tag="bumped"):
    """All that lies on the table turned about the table's origin, and then shifted."""

    dx_mm: float
    dy_mm: float
    turn_deg: float

    def moved(self, pose: Pose) -> Pose:
        """Where a tile lies that lay at `pose` before."""
        cos, sin = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        return Pose(
            cos * pose.x_mm - sin * pose.y_mm + self.dx_mm,
            sin * pose.x_mm + cos * pose.y_mm + self.dy_mm,
            (pose.angle_deg + self.turn_deg) % 360,
        )


class Boneyard(Fact, frozen=True, kw_only=True, tag="boneyard"):
    count: int | None


class Shown(Fact, frozen=True, kw_only=True, tag="shown"):
    """Tiles a seat let the table see that are not played: lots, searched doubles, a tile exposed."""

    optional = frozenset({"ids", "seat_by"})

    seat: int | None
    tiles: tuple[str, ...]
    ids: tuple[int, ...] | None = None
    seat_by: SeatBy | None = None


class Taken(Fact, frozen=True, kw_only=True, tag="taken"):
    optional = frozenset({"seat_by"})

    seat: int | None = None
    count: int
    seat_by: SeatBy | None = None


class Returned(Fact, frozen=True, kw_only=True, tag="returned"):
    optional = frozenset({"seat_by"})

    seat: int | None = None
    count: int
    seat_by: SeatBy | None = None


class TrickUp(Fact, frozen=True, kw_only=True, tag="trick_up"):
    optional = frozenset({"ids"})

    seat: int
    tiles: tuple[str, ...]
    ids: tuple[int, ...] | None = None


class TrickDown(Fact, frozen=True, kw_only=True, tag="trick_down"):
    optional = frozenset({"ids"})

    seat: int
    count: int
    ids: tuple[int, ...] | None = None


class TrickCollected(Fact, frozen=True, kw_only=True, tag="trick_collected"):
    optional = frozenset({"count"})

    seat: int
    count: int | None = None  # piles in the seat's strip, where they were counted


class Revealed(Fact, frozen=True, kw_only=True, tag="revealed"):
    optional = frozenset({"ids"})

    seat: int
    tiles: tuple[str, ...]
    backs: int = 0
    ids: tuple[int, ...] | None = None


class Button(Fact, frozen=True, kw_only=True, tag="button"):
    seat: int
    button: ButtonName
    by: str | None = None

    optional = frozenset({"by"})


class Passed(Fact, frozen=True, kw_only=True, tag="passed"):
    seat: int
    by: By = "button"


class Done(Fact, frozen=True, kw_only=True, tag="done"):
    seat: int
    by: By = "button"


class Correction(Fact, frozen=True, kw_only=True, tag="correction"):
    """`change` is the contract's: {"tile": "6-3"}, {"seat": 1}, {"add": {..}}, "remove" or "undo"."""

    optional = frozenset({"by"})

    of: int | None = None
    change: dict[str, Any] | Literal["remove", "undo"]
    by: str | None = None


class Paused(Fact, frozen=True, kw_only=True, tag="paused"):
    optional = frozenset({"by"})

    by: str | None = None


class Resumed(Fact, frozen=True, kw_only=True, tag="resumed"):
    optional = frozenset({"by"})

    by: str | None = None
