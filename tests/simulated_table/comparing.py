"""Records of a referee held against the truth of a script."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from table import events

from .facts import Told
from .script import NOT_ASKED, FaultDue, Script

NEAR_MM = 14.0
QUIET_ADVICE = {"DEAD_POSITION", "END_BLOCKED", "OPENING_DOUBLE_CUSTOM", "CAMERA_MOVED"}


@dataclass(slots=True)
class Findings:
    """What a comparison counted, and each difference in words."""

    counts: dict[str, int] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)

    def count(self, name: str, right: bool = True, words: str = "") -> None:
        self.counts[name] = self.counts.get(name, 0) + 1
        self.counts.setdefault(name + " wrong", 0)
        if not right:
            self.counts[name + " wrong"] += 1
            self.words.append(words)

    def bad(self, name: str, words: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1
        self.words.append(words)

    @property
    def clean(self) -> bool:
        return not self.words


class Comparison:
    """One match."""

    def __init__(self, script: Script, told: Told, armed: bool = True) -> None:
        """`armed`: arms were seen, so seats are known and proofs need not wait."""
        self.script, self.told, self.armed = script, told, armed
        self.found = Findings()

    def compare(self) -> Findings:
        self._order()
        self._tiles()
        self._state()
        self._faults()
        self._asked()
        self._results()
        return self.found

    def _span(self, first: int, last: int) -> tuple[float, float]:
        spans = self.told.spans
        return spans[min(first, len(spans) - 1)][0] - 1e-6, spans[min(last, len(spans) - 1)][1] + 1e-6

    def _act_of(self, t: float) -> int:
        for i, (_, end) in enumerate(self.told.spans):
            if t <= end + 1e-6:
                return i
        return len(self.told.spans) - 1

    def _where(self, t: float) -> str:
        i = self._act_of(t)
        return f"{t:.2f} s, act {i} ({self.script.acts[i].what}, seat {self.script.acts[i].seat})"

    def of(self, kind: type[Any]) -> list[Any]:
        return [record for record in self.told.records if isinstance(record, kind)]

    def _order(self) -> None:
        last = -1.0
        for n, record in enumerate(self.told.records):
            if record.n != n:
                self.found.bad("numbers", f"record {n} has n {record.n}")
                return
            if record.t < last - 1e-9:
                self.found.bad("times", f"record {n} at {record.t} after {last}")
            last = max(last, record.t)

    def _tiles(self) -> None:
        placed = [p for p in self.of(events.Placed) if p.face != "down"]
        judged: dict[int, events.Judged] = {}
        for record in self.of(events.Judged):
            judged.setdefault(record.of, record)
        moved = {m.n: m for m in (*self.of(events.Moved), *self.of(events.Turned))}
        used = set()
        for laid in self.script.laid:
            low, high = self._span(laid.act, laid.act)
            match = next(
                (
                    p
                    for p in [*placed, *moved.values()]
                    if p.n not in used
                    and low <= p.t <= high
                    and p.tile == (laid.misread or laid.tile)
                    and _near(p.at, laid.pose)
                ),
                None,
            )
            self.found.count("laid", match is not None, f"act {laid.act}: {laid.tile} by seat {laid.seat} not recorded")
            if match is None:
                continue
            used.add(match.n)
            seat = match.seat
            self.found.count(
                "seat", seat == laid.seat, f"act {laid.act}: {laid.tile} is seat {laid.seat}'s, not {seat}'s"
            )
            if laid.misread is not None:
                last = [r.legal for r in self.of(events.Judged) if r.of == match.n]
                self.found.count("corrected", last[-1:] == [True], f"act {laid.act}: {laid.tile} ends {last}")
            if laid.legal is None:
                continue
            verdict = judged.get(match.n)
            legal = None if verdict is None else verdict.legal
            self.found.count(
                "judged", legal is laid.legal, f"act {laid.act}: {laid.tile} judged {legal}, is {laid.legal}"
            )
        shown = [
            (i, key, piece) for i, act in enumerate(self.script.acts) for key, piece in act.changes.items()
            if piece is not None and piece.up
        ]  # fmt: skip
        for p in placed:
            if p.n in used:
                continue
            i = self._act_of(p.t)
            if not any(j == i and piece.tile == p.tile and _near(p.at, piece.pose) for j, _, piece in shown):
                self.found.bad("tiles that do not lie", f"{self._where(p.t)}: {p.tile} {p.face} recorded")

    def _state(self) -> None:
        turns, yards = self.of(events.Turn), self.of(events.Boneyard)
        for i, act in enumerate(self.script.acts):
            _, end = self._span(i, i)
            if act.turn != NOT_ASKED:
                told = [r.seat for r in turns if r.t <= end]
                got = told[-1] if told else None
                self.found.count(
                    "turn", got == act.turn, f"after act {i} ({act.what}) it is seat {act.turn}'s turn, told {got}"
                )
            if act.yard is not None and self.script.table.boneyard is not None:
                counts = [r.count for r in yards if r.t <= end]
                got = counts[-1] if counts else None
                self.found.count(
                    "boneyard", got == act.yard, f"after act {i} ({act.what}) {act.yard} tiles wait, counted {got}"
                )

    def _faults(self) -> None:
        told: dict[int, list[events.Violation]] = {}
        for record in self.of(events.Violation):
            told.setdefault(record.number, []).append(record)
        left = dict(told)
        for due in self.script.faults:
            number = next((k for k, said in left.items() if self._fits(due, said[0])), None)
            self.found.count("fault", number is not None, f"act {due.first}: {_name(due)} not called")
            if number is None:
                continue
            said = left.pop(number)
            self.found.count(
                "fault's end", self._ends(due, said),
                f"act {due.first}: {_name(due)} is told {[(r.status, round(r.t, 2)) for r in said]}, "
                f"is {due.status} at act {due.closed}",
            )  # fmt: skip
        for said in left.values():
            r = said[0]
            if said[-1].status == "withdrawn" and self.script.acts[self._act_of(r.t)].misread:
                self.found.count("withdrawn")
                continue
            if r.status == "reported" and r.tile is None and (r.code, r.seat) in self.script.hidden:
                self.found.count("proven together")
                continue
            self.found.bad(
                "false alarms",
                f"{self._where(r.t)}: false {r.code} seat {r.seat} tile {r.tile} {[s.status for s in said]}",
            )

    def _fits(self, due: FaultDue, said: events.Violation) -> bool:
        last = due.last if self.armed or due.waits is None else due.waits
        low, high = self._span(due.first, last)
        return (
            said.code == due.code
            and said.seat == due.seat
            and (due.tile is None or said.tile == due.tile)
            and low <= said.t <= high
        )

    def _ends(self, due: FaultDue, said: list[events.Violation]) -> bool:
        if said[-1].status != due.status:
            return False
        if due.closed is None:
            return True
        low, high = self._span(due.closed, due.closed)
        return low <= said[-1].t <= high

    def _asked(self) -> None:
        asked = self.of(events.Attention)
        if len(asked) > self.script.asked:
            for record in asked:
                self.found.bad("asked in vain", f"{self._where(record.t)}: asked {record.code} {record.args}")
        for advice in self.of(events.Advice):
            if advice.code not in QUIET_ADVICE:
                self.found.bad("idle advice", f"{self._where(advice.t)}: {advice.code} {advice.args}")

    def _results(self) -> None:
        ended = self.of(events.RoundEnded)
        for due, got in zip(self.script.rounds, [*ended, *[None] * len(self.script.rounds)], strict=False):
            _, high = self._span(due.act, due.act)
            said = None if got is None else (got.reason, got.winner, got.scores, got.totals)
            right = said == (due.reason, due.winner, due.scores, due.totals)
            self.found.count(
                "result", right,
                f"act {due.act}: round is {due.reason} {due.winner} {due.scores} {due.totals}, told {said}",
            )  # fmt: skip
            if right and got is not None and not got.t <= high:
                self.found.bad("late results", f"round due at act {due.act} told at {self._where(got.t)}")
        if len(ended) > len(self.script.rounds):
            self.found.bad("false rounds", f"{len(ended)} rounds ended, not {len(self.script.rounds)}")
        tricks = self.of(events.Trick)
        for k, trick in enumerate(self.script.tricks):
            told = tricks[k] if k < len(tricks) else None
            said_trick = None if told is None else (told.leader, told.winner, told.columns)
            wanted_trick = (trick.leader, trick.winner, trick.columns)
            self.found.count(
                "trick", said_trick == wanted_trick, f"act {trick.act}: trick {wanted_trick}, {said_trick}"
            )
        matches = [r.winners for r in self.of(events.MatchEnded)]
        wanted = [] if self.script.winners is None else [self.script.winners]
        self.found.count("match", matches == wanted, f"match won by {wanted}, told {matches}")


def _near(a: events.Pose, b: events.Pose) -> bool:
    return math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) <= NEAR_MM


def _name(due: FaultDue) -> str:
    return f"{due.code} seat {due.seat} tile {due.tile}"
