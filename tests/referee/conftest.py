"""A playbook for the referee: lay tiles on an imagined table, press buttons, and read what was said as a transcript."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from table.events import (
    Boneyard,
    Button,
    Correction,
    Fact,
    Match,
    Moved,
    Placed,
    Pose,
    Record,
    Removed,
    Returned,
    Strip,
    Table,
    Taken,
    Turned,
    decode,
    default_strips,
    encode,
    halves,
)
from table.referee import Referee
from table.rules.games import game_of

AWAY = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}
ANGLE = {"right": 0.0, "left": 180.0, "down": 90.0, "up": 270.0}


def told(record: Record) -> str | None:
    """One record as a line of the transcript; None for facts that were only taken down, and for lights."""
    r = record
    kind = r.type
    if kind == "judged":
        return {True: "legal", False: "illegal", None: "open again"}[r.legal]
    if kind == "turn":
        return f"turn {r.seat}"
    if kind == "violation":
        return f"{r.code} {r.seat} {r.status}" + (f" {r.tile}" if r.tile else "")
    if kind in ("advice", "attention"):
        return f"{kind} {r.code}"
    if kind in ("passed", "done"):
        return f"{kind} {r.seat} {r.by}"
    if kind == "hand":
        return f"hand {r.seat}: {' '.join(r.tiles)} = {r.pips}"
    if kind == "round_ended":
        return f"{r.reason} {r.winner} {list(r.scores)} {list(r.totals)}"
    if kind == "match_ended":
        return f"match {list(r.winners)}"
    if kind == "score":
        return f"score {r.seat} +{r.points}"
    if kind == "trick":
        return f"trick {r.winner} {list(r.columns)} {list(r.payments)}"
    if kind == "round_started":
        return f"round {r.round}"
    if kind == "trick_up":
        return f"up {r.seat} {' '.join(r.tiles)}"
    if kind in ("trick_down", "trick_collected"):
        return f"{kind[6:]} {r.seat} {r.count}"
    return None


class Playbook:
    """One match with an imagined table. Every act happens a second after the one before."""

    def __init__(
        self,
        game: str,
        seats: int = 2,
        yard: bool = False,
        size: tuple[float, float] = (6000.0, 6000.0),
        **options: str,
    ) -> None:
        length = 62.0 if game == "tien-gow" else 50.0
        zone = (size[0] - 300.0, 300.0, 200.0, 500.0) if yard else None
        strips = tuple(Strip(s.edge, 74.0, s.span) for s in default_strips(seats, length))
        self.table = Table(size, length, 25.0, 9.0, strips, zone)
        self.match = Match(
            t=0.0, game=game, options=options, seats=seats, tile_set=game_of(game).set_name, table=self.table
        )
        self.referee = Referee(self.match)
        self.t = 0.0
        self.pictures = game == "tien-gow"  # whether a picture comes every half second
        self.between: list[str] = []
        self.records: list[Record] = list(self.referee.begin())
        self.poses: dict[str, Pose] = {}
        self.ids: dict[str, int] = {}
        self.next_id = 0

    # acts; each answers with the transcript of what it led to

    def take(self, fact: Fact, tick: bool = True) -> list[str]:
        records = self.referee.take(fact)
        if tick:
            records += self.referee.tick(fact.t)
        return self._told(records)

    def _told(self, records: list[Record]) -> list[str]:
        self.records += records
        said, self.between = self.between, []
        return said + [line for record in records if (line := told(record)) is not None]

    def later(self, seconds: float = 1.0) -> float:
        """Time goes on; where pictures matter, with some of them in between."""
        end = round(self.t + seconds, 3)
        while self.pictures and self.t + 0.5 < end:
            self.t += 0.5
            records = self.referee.tick(self.t)
            self.records += records
            self.between += [line for record in records if (line := told(record)) is not None]
        self.t = end
        return self.t

    def lay(
        self, tile: str, on: str | None = None, to: str = "right", seat: int | None = None, touch: int | None = None,
        at: Pose | None = None, same_time: bool = False, shift: tuple[float, float] = (0.0, 0.0), turn: float = 0.0,
    ) -> list[str]:  # fmt: skip
        """Lay a tile: `to` a side of another, the half `touch` against it; or at a pose."""
        if at is None:
            at = self.place(tile, on, to, touch)
        at = Pose(at.x_mm + shift[0], at.y_mm + shift[1], at.angle_deg + turn)
        self.poses[tile] = at
        self.ids[tile] = self.next_id
        self.next_id += 1
        t = self.t if same_time else self.later()
        by = None if seat is None else "arm"
        return self.take(Placed(t=t, id=self.ids[tile], tile=tile, face="up", at=at, seat=seat, seat_by=by))

    def place(self, tile: str, on: str | None, to: str, touch: int | None) -> Pose:
        high, low = halves(tile)
        w, h = self.table.size_mm
        if on is None:
            return Pose(w / 2, h / 2, 90.0 if high == low else 0.0)
        base, (dx, dy) = self.poses[on], AWAY[to]
        along = abs(round((base.angle_deg - ANGLE[to]) / 90)) % 2 == 0
        out = (25.0 if along else 12.5) + (12.5 if high == low else 25.0) + 0.5
        if touch is None:
            touch = high if high in halves(on) else low
        angle = ANGLE[to] + 90.0 if high == low else ANGLE[to] if touch == high else ANGLE[to] + 180.0
        return Pose(base.x_mm + dx * out, base.y_mm + dy * out, angle % 360)

    def back(self, tile: str, seat: int | None = None) -> list[str]:
        """Take a tile off the table."""
        by = None if seat is None else "arm"
        fact = Removed(
            t=self.later(), id=self.ids[tile], tile=tile, face="up", at=self.poses[tile], seat=seat, seat_by=by
        )
        return self.take(fact)

    def move(self, tile: str, at: Pose, seat: int | None = None) -> list[str]:
        at = Pose(float(at.x_mm), float(at.y_mm), float(at.angle_deg))
        self.poses[tile] = at
        by = None if seat is None else "arm"
        return self.take(Moved(t=self.later(), id=self.ids[tile], tile=tile, face="up", at=at, seat=seat, seat_by=by))

    def turn(self, tile: str, face: str = "down") -> list[str]:
        return self.take(Turned(t=self.later(), id=self.ids[tile], tile=tile, face=face, at=self.poses[tile]))

    def turn_of(self, key: str, face: str = "down", tile: str = "?") -> list[str]:
        """Turn a tile that the playbook knows by a place."""
        return self.take(Turned(t=self.later(), id=self.ids[key], tile=tile, face=face, at=self.poses[key]))

    def press(self, seat: int, button: str = "pass") -> list[str]:
        return self.take(Button(t=self.later(), seat=seat, button=button))

    def yard(self, count: int | None) -> list[str]:
        return self.take(Boneyard(t=self.t, count=count))

    def draw(self, count: int = 1, left: int | None = None, seat: int | None = None) -> list[str]:
        by = None if seat is None else "arm"
        said = self.take(Taken(t=self.later(), count=count, seat=seat, seat_by=by), tick=left is None)
        return said + (self.yard(left) if left is not None else [])

    def put_back(self, count: int = 1, left: int | None = None, seat: int | None = None) -> list[str]:
        by = None if seat is None else "arm"
        said = self.take(Returned(t=self.later(), count=count, seat=seat, seat_by=by), tick=left is None)
        return said + (self.yard(left) if left is not None else [])

    def show(self, seat: int, *tiles: str) -> list[str]:
        """Lay tiles face up in a seat's strip, side by side."""
        w, h = self.table.size_mm
        said: list[str] = []
        self.later()
        for tile in tiles:
            slot = self.next_id * 30 % 1500
            at = {
                "bottom": Pose(1000 + slot, h - 30, 90.0),
                "top": Pose(1000 + slot, 30, 90.0),
                "left": Pose(30, 1000 + slot, 0.0),
                "right": Pose(w - 30, 1000 + slot, 0.0),
            }[self.table.seats[seat].edge]
            said += self.lay(tile, at=at, same_time=True)
        return said

    def correct(self, of: int | None, change: object) -> list[str]:
        return self.take(Correction(t=self.later(), of=of, change=change))  # type: ignore[arg-type]

    def wait(self, seconds: float = 4.0) -> list[str]:
        return self._told(self.referee.tick(self.later(seconds)))

    def finish(self) -> list[str]:
        return self._told(self.referee.finish(self.t))

    # reading what was said

    def n_of(self, tile: str) -> int:
        """The number of the record that placed a tile."""
        return next(r.n for r in reversed(self.records) if isinstance(r, Placed) and r.id == self.ids[tile])

    def violations(self) -> list[str]:
        last = {r.number: r for r in self.records if r.type == "violation"}
        return [f"{v.code} {v.seat} {v.status}" for v in last.values()]

    def fed_again(self) -> list[bytes]:
        """The records that the facts alone give, from their lines."""
        match, *rest = [decode(encode(record)) for record in self.records]
        referee = Referee(match)
        records = list(referee.begin())
        for record in rest:
            if isinstance(record, Fact):
                records += referee.take(record)
        records += referee.tick(self.t)  # the last picture is over
        return [encode(record) for record in records]


@pytest.fixture
def playbook() -> Callable[..., Playbook]:
    """Playbooks whose facts, fed again from their lines, must give the same records."""
    books: list[Playbook] = []

    def make(*args: object, **options: object) -> Playbook:
        book = Playbook(*args, **options)  # type: ignore[arg-type]
        books.append(book)
        return book

    yield make
    for book in books:
        assert book.fed_again() == [encode(record) for record in book.records]
        assert [record.n for record in book.records] == list(range(len(book.records)))
