"""Matches that are killed: a journal cut off at any byte, or a process that is really killed, and the match resumed.

The shell's session, referee and journal are the real ones; only the tracker is replaced by a script's facts.

    python -m tests.simulated_table.crashing SEED JOURNAL    plays into a journal, saying after each act how long it is
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from table import events
from table.journal.journal import Journal, read_records
from table.referee import Referee
from table.shell.session import Session

from .facts import ACT_S, FactTeller, match_record
from .players import LineMatch
from .script import Script
from .tricks import TrickMatch

SEEN = (
    events.Placed, events.Removed, events.Moved, events.Turned, events.Taken, events.Returned, events.Boneyard,
    events.Button,
)  # fmt: skip


@dataclass(slots=True)
class Look:
    """Stands for a frame, or a board's report: what is found in it."""

    t: float
    facts: list[events.Fact] = field(default_factory=list)


class _Told:
    """Stands for the tracker."""

    judgeable = True
    holds = False

    def __init__(self) -> None:
        self.camera_moves: list[float] = []
        self.questions: list[str] = []

    def observe(self, look: Look) -> list[events.Fact]:
        return look.facts

    def rename(self, number: int, tile: str) -> None:
        """Names do not matter here."""

    def resume(self, facts: Sequence[events.Fact]) -> None:
        """Nothing is kept here."""


def a_script(seed: int) -> Script:
    """A short match with faults, another game for every seed."""
    kind = seed % 5
    if kind == 4:
        return TrickMatch(seed, 0.2, deals_per_match="1").plan()
    game, seats = (("block", 2), ("draw", 2), ("doubles", 3), ("all-fives", 2))[kind]
    return LineMatch(game, seats, seed, 0.3).plan(1)


def looks_of(script: Script) -> list[Look]:
    """The whole match as frames."""
    teller = FactTeller(script)
    looks = []
    t = 0.0
    for act in script.acts:
        looks += [Look(t + 0.5), Look(t + 1.0)]
        looks.append(Look(t + 1.5, list(teller.facts(act, t + 1.5))))
        t += ACT_S + act.rest_s
        looks.append(Look(t))
    return looks


class Game:
    """A session over a journal."""

    def __init__(self, script: Script, path: Path, durable: bool = False) -> None:
        """Begins a match, or goes on with the one in the file; `durable` as `play` writes it."""
        past = read_records(path) if path.exists() else []
        self.referee = Referee(match_record(script, "moving"))
        self.journal = Journal(path, durable, append=bool(past))
        tracker: Any = _Told()
        self.session = Session(self.referee, tracker, [self.journal.append])
        if past:
            self.session.resume(past)
        else:
            self.session.begin()
        self.seen = sum(isinstance(record, SEEN) for record in past)
        self.last_t = max((record.t for record in past), default=0.0)

    def play(self, looks: Sequence[Look], say: Callable[[int], None] | None = None) -> None:
        """All frames whose facts are not in the journal yet, to the end; `say` is told how many records are kept."""
        known = self.seen
        for look in looks:
            facts = deque(look.facts)
            while facts and known:
                facts.popleft()
                known -= 1
            if known or (look.t < self.last_t and not facts):
                continue
            self.show(Look(look.t, list(facts)))
            if say:
                say(self.referee._n)
        self.session.finish()
        self.journal.close()

    def show(self, look: Look) -> None:
        """One frame, after the presses made until then."""
        for fact in look.facts:
            if isinstance(fact, events.Button):
                self.session.input(fact)
        rest: Any = Look(look.t, [fact for fact in look.facts if not isinstance(fact, events.Button)])
        self.session.frame(rest)


def whole(script: Script, path: Path) -> bytes:
    """The journal of the match played without a break."""
    path.unlink(missing_ok=True)
    Game(script, path).play(looks_of(script))
    return path.read_bytes()


def resumed(script: Script, path: Path, kept: bytes) -> bytes:
    """The journal after a break that left `kept`, and the rest of the match."""
    path.write_bytes(kept)
    Game(script, path).play(looks_of(script))
    return path.read_bytes()


def difference(a: bytes, b: bytes) -> str:
    """The first lines in which two journals differ; empty when they do not."""
    first, second = a.splitlines(), b.splitlines()
    for n, (x, y) in enumerate(zip(first, second, strict=False)):
        if x != y:
            return f"record {n}:\n  {x.decode()}\n  {y.decode()}"
    return "" if len(first) == len(second) else f"{len(first)} records, {len(second)} after the break"


def main() -> None:
    script = a_script(int(sys.argv[1]))
    Game(script, Path(sys.argv[2])).play(looks_of(script), lambda n: print(n, flush=True))


if __name__ == "__main__":
    main()
