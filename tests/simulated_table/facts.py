"""A script told as facts, without pictures: what a tracker that sees everything would report."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from table import events
from table.referee import Referee

from .script import Act, Piece, Script

ACT_S = 2.0


@dataclass(slots=True)
class Told:
    """Records of a referee, and the time each act began and was over."""

    records: list[events.Record]
    spans: list[tuple[float, float]]


def match_record(script: Script, source: str | None = None) -> events.Match:
    chinese = script.game == "tien-gow"
    tile_set = "chinese" if chinese else "double-nine" if script.game == "chicken-foot" else "double-six"
    return events.Match(
        t=0.0, game=script.game, options=script.options, seats=script.seats, tile_set=tile_set, table=script.table,
        started_at="2026-01-01T00:00:00+00:00", source=source,
    )  # fmt: skip


class FactTeller:
    """Turns acts into facts. `armed`: the actor is seen."""

    def __init__(self, script: Script, armed: bool = True) -> None:
        self.table, self.armed = script.table, armed
        self.western = script.game != "tien-gow"
        self.lying: dict[str, Piece] = {}
        self.ids: dict[str, int] = {}
        self.left: dict[str, int] = {}
        self.count: int | None = None

    def facts(self, act: Act, t: float) -> Iterator[events.Fact]:
        seat = act.seat if self.armed else None
        by: events.SeatBy | None = "arm" if seat is not None else None
        before = self._yard()
        old = {key: self.lying.get(key) for key in act.changes}
        for key, piece in act.changes.items():
            if piece is None:
                self.lying.pop(key, None)
            else:
                self.lying[key] = piece
        after = self._yard()
        if after != before or self.count is None:
            if self.count is not None and after < before:
                yield events.Taken(t=t, seat=seat, seat_by=by, count=before - after)
            elif self.count is not None and after > before:
                yield events.Returned(t=t, seat=seat, seat_by=by, count=after - before)
            self.count = after
            if self.table.boneyard is not None:
                yield events.Boneyard(t=t, count=after)
        steps: list[tuple[int, events.Fact]] = []
        for key, piece in act.changes.items():
            was = old[key]
            was, now = self._open(was), self._open(piece)
            if was is not None and now is not None and was.level != now.level:
                # turned over and carried off into a pile: nothing tells that it is the same tile
                steps += self._step(key, was, None, t, seat, by)
                was = None
            steps += self._step(key, was, now, t, seat, by, act.misread.get(key))
        yield from (fact for _, fact in sorted(steps, key=lambda step: step[0]))
        if act.press is not None:
            yield events.Button(t=t, seat=act.press[0], button=act.press[1])  # type: ignore[arg-type]

    def _step(
        self,
        key: str,
        was: Piece | None,
        now: Piece | None,
        t: float,
        seat: int | None,
        by: events.SeatBy | None,
        misread: str | None = None,
    ) -> Iterator[tuple[int, events.Fact]]:
        if was is not None and now is not None and was.up == now.up and _too_little(was.pose, now.pose, self.table):
            self.lying[key] = was  # not reported; what follows counts from where it was
            return
        shared = {"t": t, "seat": seat, "seat_by": by}
        if now is None:
            if was is not None:
                name = was.tile if was.up else "?"
                number = self.ids.pop(key)
                if was.up and self.western:
                    self.left[key] = number
                face = "up" if was.up else "down"
                yield 0, events.Removed(id=number, tile=name, face=face, at=was.pose, **shared)
            return
        name, face = (now.tile, "up") if now.up else ("?", "down")
        if was is None:
            number = self.left.pop(key, None) if now.up else None
            self.ids[key] = self._fresh() if number is None else number
            yield 2, events.Placed(id=self.ids[key], tile=misread or name, face=face, at=now.pose, **shared)
        elif was.up != now.up:
            known = now.tile if was.up or now.up else "?"
            yield 1, events.Turned(id=self.ids[key], tile=known, face=face, at=now.pose, **shared)
        else:
            yield 1, events.Moved(id=self.ids[key], tile=name, face=face, at=now.pose, **shared)

    _next = 0

    def _fresh(self) -> int:
        self._next += 1
        return self._next - 1

    def _open(self, piece: Piece | None) -> Piece | None:
        """The piece, if it is seen for itself: outside the boneyard and not under others of a pile."""
        if piece is None or self._in_yard(piece) or (piece.level < 3 and self._under(piece)):
            return None
        return piece

    def _under(self, piece: Piece) -> bool:
        return not self.western and not piece.up and events.zone_of(
            piece.pose.x_mm, piece.pose.y_mm, self.table
        ) is not None  # fmt: skip

    def _in_yard(self, piece: Piece) -> bool:
        return events.in_boneyard(piece.pose.x_mm, piece.pose.y_mm, self.table)

    def _yard(self) -> int:
        return sum(self._in_yard(piece) for piece in self.lying.values())


def _too_little(a: events.Pose, b: events.Pose, table: events.Table) -> bool:
    """Below a quarter of a width and 5 degrees nothing is reported."""
    turn = abs((a.angle_deg - b.angle_deg + 90) % 180 - 90)
    return math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) < table.width_mm / 4 and turn < 5


def correction_of(act: Act, records: list[events.Record], t: float) -> events.Correction:
    """What somebody types: the change, and the number of the record it is about."""
    assert act.correction is not None
    name, change = act.correction
    kind: type[events.Record] = events.Button if name == "press" else events.Placed
    n = next(r.n for r in reversed(records) if isinstance(r, kind) and name in ("press", getattr(r, "tile", None)))
    return events.Correction(t=t, of=n, change=change)


def told_by_facts(script: Script, armed: bool = True) -> Told:
    """The records of a referee that is told the script's facts."""
    referee = Referee(match_record(script))
    records = list(referee.begin())
    teller = FactTeller(script, armed)
    spans = []
    t = 0.0
    for act in script.acts:
        begun = t
        t += ACT_S
        for k in range(1, 4 if armed else 0):  # a camera's pictures come more often than stills
            records += referee.tick(begun + 0.4 * k)
        for fact in teller.facts(act, t - 0.5):
            records += referee.take(fact)
        if act.correction is not None:
            records += referee.take(correction_of(act, records, t - 0.5))
        records += referee.tick(t - 0.5)
        for k in range(1, math.ceil((act.rest_s + 0.5) / 0.5) + 1 if armed else 0):
            records += referee.tick(min(t + act.rest_s, t - 0.5 + 0.5 * k))
        t += act.rest_s
        if act.rest_s:
            records += referee.tick(t - 0.5)
        spans.append((begun, t))
    records += referee.finish(t)
    return Told(records, spans)
