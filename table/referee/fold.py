"""What all games' folds share: the facts of a match in order, and what is said about each.

A fold is fed completed facts and answers with records that have no number yet. It reads no clock: `close` tells it that
a picture is complete and how late it is. Violations carry numbers of the fold's own; `referee` makes them public.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec.structs import replace

from table.events import (
    Advice,
    Attention,
    Bumped,
    Button,
    Fact,
    Light,
    Match,
    OfTile,
    Paused,
    Record,
    Resumed,
    RoundStarted,
    SeatBy,
    Table,
    Turn,
    Violation,
    default_table,
)

from .messages import sentence
from .pausing import net

STILL_S = 3.0  # a strip or an unfinished group counts once it has been still for so long

LOOKS = {
    "turn": ("white", "steady"),
    "accepted": ("green", "double"),
    "illegal": ("red", "fast"),
    "ask": ("amber", "slow"),
    "idle": ("off", "off"),
}


@dataclass(slots=True)
class Wrong:
    """A called violation that is still open, and what would put it right."""

    number: int
    code: str
    seat: int | None
    kind: str
    args: dict[str, Any]
    about: float
    tile: str | None = None
    ids: set[int] = field(default_factory=set)
    count: int = 0  # tiles to put back or take again, for draws


class Fold:
    """Base of the games' folds; also all there is to `free`, apart from judging nothing."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.seats = match.seats
        self.table: Table = match.table or default_table(match.seats)
        self.names = match.names
        self.said: list[Record] = []
        self.now = match.t
        self.round = 0
        self.to_act: int | None = None
        self.wrongs: list[Wrong] = []
        self.accepted: int | None = None
        self.asked: set[int | str] = set()  # tile ids, or `boneyard`, that people were asked about
        self.totals = [0] * self.seats
        self.paused = self.resuming = False
        self._held: list[Fact] = []  # what happened during a pause
        self._numbers = 0
        self._told_turn: int | Literal["unsaid"] | None = "unsaid"
        self._told_lights: dict[int | str, str] = {}

    # what the referee calls

    def begin(self) -> list[Record]:
        self.start_round()
        return self.answer()

    def heed(self, fact: Fact) -> list[Record]:
        """The fact, completed, then what follows from it: nothing yet during a pause."""
        if isinstance(fact, Paused) and not self.paused:
            return [fact, *self._pause(fact.t)]
        if isinstance(fact, Resumed) and self.paused:
            return [fact, *self._resume(fact.t)]
        if isinstance(fact, Bumped):  # no act: it only changes where things lie, those too that were told in a pause
            self._held = [replace(f, at=fact.moved(f.at)) if isinstance(f, OfTile) else f for f in self._held]
        question = isinstance(fact, Button) and fact.button == "challenge"
        if not self.paused or question or isinstance(fact, Bumped):
            return self.take(fact)
        self.now = max(self.now, fact.t)
        self._held.append(fact)
        return [fact]

    def take(self, fact: Fact) -> list[Record]:
        """A fact that is heeded at once."""
        raise NotImplementedError

    def _pause(self, t: float) -> list[Record]:
        said = self.close(t, complete=True)
        self.paused = True
        return said + self.answer()

    def _resume(self, t: float) -> list[Record]:
        """Play goes on: what is different on the table counts from now."""
        self.now = max(self.now, t)
        self.paused, self.resuming = False, True
        held, self._held = self._held, []
        self.start_clocks()
        said: list[Record] = []
        for fact in net(held, self.lies, self.in_layout):
            said += self.take(fact)[1:]
        said += self.close(self.now, complete=True)
        self.resuming = False
        return said + self.answer()

    def lies(self, tile_id: int) -> bool:
        """Whether a tile is known to lie on the table."""
        raise NotImplementedError

    def in_layout(self, tile_id: int) -> bool:
        """Whether a tile is part of a layout, and so has to lie where it does."""
        return False

    def start_clocks(self) -> None:
        """What waits for stillness waits anew."""

    def waiting(self, t: float) -> list[Record]:
        """Time passes during a pause."""
        self.now = max(self.now, t)
        return self.answer()

    def picture(self, t: float) -> None:
        """A picture was taken at t, and told in full."""

    def close(self, t: float, complete: bool) -> list[Record]:
        """Time is t. `complete`: no more facts of the picture at t will come."""
        self.now = max(self.now, t)
        return []

    def finish(self, t: float) -> list[Record]:
        """The recording is over; what waits for stillness is decided now."""
        return self.close(t, complete=True)

    def force(self, fact: Fact) -> list[Record]:
        """A derived fact of an earlier run that time alone does not bring about here."""
        return []

    # saying things

    def say(self, record: Record) -> None:
        self.said.append(record)

    def answer(self) -> list[Record]:
        """What was said since the last answer, with turn and lights where they changed."""
        self._say_turn()
        self._say_lights()
        said, self.said = self.said, []
        return said

    def start_round(self) -> None:
        self.round += 1
        self.say(RoundStarted(t=self.now, round=self.round))

    def call(
        self, code: str, seat: int | None, kind: str, args: dict[str, Any], about: float | None = None,
        tile: str | None = None, ids: Sequence[int] = (), count: int = 0,
    ) -> Wrong:  # fmt: skip
        """Call a violation that can still be put right."""
        self._numbers += 1
        wrong = Wrong(
            self._numbers, code, seat, kind, args, self.now if about is None else about, tile, set(ids), count
        )
        self.wrongs.append(wrong)
        self._say_violation(wrong, "open")
        return wrong

    def report(self, code: str, seat: int | None, args: dict[str, Any], about: float, tile: str | None) -> None:
        """Say a violation that nothing can put right any more."""
        self._numbers += 1
        self._say_violation(Wrong(self._numbers, code, seat, "late", args, about, tile), "reported")

    def close_wrong(self, wrong: Wrong, status: Literal["corrected", "stands", "withdrawn"]) -> None:
        if wrong in self.wrongs:
            self.wrongs.remove(wrong)
            self._say_violation(wrong, status)

    def _say_violation(self, wrong: Wrong, status: Any) -> None:
        self.say(
            Violation(
                t=self.now, code=wrong.code, args=wrong.args, message=sentence(wrong.code, wrong.args, self.names),
                seat=wrong.seat, tile=wrong.tile, id=min(wrong.ids, default=None) if len(wrong.ids) == 1 else None,
                number=wrong.number, status=status, about=wrong.about,
            )
        )  # fmt: skip

    def advise(self, code: str, **args: Any) -> None:
        self.say(Advice(t=self.now, code=code, message=sentence(code, args, self.names), args=args))

    def ask(self, code: str, about: int | str, **args: Any) -> None:
        """Ask people about something; the table's light says so until it is clear (`asked`)."""
        self.asked.add(about)
        self.say(Attention(t=self.now, code=code, message=sentence(code, args, self.names), args=args))

    # turn and lights

    def turn_shown(self) -> int | None:
        return None if self.paused else self.to_act

    def _say_turn(self) -> None:
        seat = self.turn_shown()
        if self._told_turn != seat:
            self._told_turn = seat
            self.say(Turn(t=self.now, seat=seat))

    def _meanings(self) -> dict[int | str, str]:
        meanings: dict[int | str, str] = {seat: "idle" for seat in range(self.seats)}
        if self.paused:
            return {**meanings, "table": "idle"}
        if self.accepted is not None:
            meanings[self.accepted] = "accepted"
        turn = self.turn_shown()
        if turn is not None:
            meanings[turn] = "turn"
        for wrong in self.wrongs:
            if wrong.seat is not None:
                meanings[wrong.seat] = "illegal"
        meanings["table"] = "ask" if self.asked else "idle"
        return meanings

    def lights(self, t: float) -> list[Light]:
        """What every light shows now."""
        lights = []
        for place, meaning in self._meanings().items():
            colour, pattern = LOOKS[meaning]
            lights.append(Light(t=t, seat=place, meaning=meaning, colour=colour, pattern=pattern))  # type: ignore[arg-type]
        return lights

    def _say_lights(self) -> None:
        for light in self.lights(self.now):
            if self._told_lights.get(light.seat) != light.meaning:
                self._told_lights[light.seat] = light.meaning
                self.say(light)

    def seated(self, seat: int | None, by: SeatBy | None, assumed: int | None) -> tuple[int | None, SeatBy | None]:
        """Who acted: the seat that was seen, else the one it is assumed to be."""
        if seat is not None and by != "turn":
            return seat, by or "arm"
        return assumed, None if assumed is None else "turn"
