"""The fold of a line game: facts in their order, each completed and followed by what it means."""

from __future__ import annotations

from typing import Any

from table.events import (
    Boneyard,
    Bumped,
    Button,
    Done,
    Fact,
    Moved,
    OfTile,
    Passed,
    Placed,
    Record,
    Removed,
    Returned,
    Revealed,
    Taken,
    Turned,
    numbered,
)

from .challenge import answer
from .reveal import Reveal


class LineFold(Reveal):
    """One match of block, draw, doubles, chicken foot or all fives."""

    def take(self, fact: Fact) -> list[Record]:
        self.now = max(self.now, fact.t)
        self.first_t = min(self.first_t, self.now)
        before: list[Record] = []
        if (self.gone or self.loose) and not isinstance(fact, OfTile):
            self.end_picture(self.now)  # a press or a count ends the picture
            before = self.said
            self.said = []
        completed: Fact = fact
        if isinstance(fact, Placed):
            read, (seat, by) = self.placed(fact)
            completed = _by(read, seat, by)
        elif isinstance(fact, Turned):
            _, (seat, by) = self.turned(fact)
            completed = _by(fact, seat, by)
        elif isinstance(fact, Removed):
            completed = _by(fact, *self.removed(fact))
        elif isinstance(fact, Moved):
            completed = _by(fact, *self.moved(fact))
        elif isinstance(fact, Taken):
            completed = _by(fact, *self.take_tiles(fact))
        elif isinstance(fact, Returned):
            completed = _by(fact, *self.return_tiles(fact))
        elif isinstance(fact, Boneyard):
            self.boneyard(fact)
        elif isinstance(fact, Bumped):
            self.bumped(fact)
        elif isinstance(fact, Button):
            self._press(fact)
        elif isinstance(fact, Passed):
            self.press_pass(fact.seat)
            if self.said and isinstance(self.said[0], Passed):
                del self.said[0]
        elif isinstance(fact, Done):
            self._done(fact.seat)
        return [completed, *before, *self.answer()]

    def _press(self, fact: Button) -> None:
        if fact.seat >= self.seats:
            return
        if fact.button == "pass":
            self.press_pass(fact.seat)
        elif fact.button == "challenge":
            self.advise("CHALLENGE", **answer(self.claims, fact.seat, self.hands_lie))
        elif fact.button == "done":
            self.say(Done(t=self.now, seat=fact.seat, by="button"))
            self._done(fact.seat)

    def _done(self, seat: int) -> None:
        if self.phase == "reveal":
            self.look_at_strips(force=True, seats=range(seat, seat + 1))
        elif not self.board.line.played and self.rules.options["starter_method"] == "coin" and self.starter is None:
            self.starter = self.to_act = seat  # the winner of the toss says so

    def close(self, t: float, complete: bool) -> list[Record]:
        if self.paused:
            return self.waiting(t)
        if self.gone or self.loose:
            self.end_picture(t if complete else self.now)
        before = self.answer()
        self.now = max(self.now, t)
        self.end_by_last_tile()
        before += self.answer()
        self.look_at_strips()
        return before + self.answer()

    def finish(self, t: float) -> list[Record]:
        if self.paused:
            return self.waiting(t)
        self.end_picture(t)
        self.now = max(self.now, t)
        self.end_by_last_tile(force=True)
        records = self.answer()
        for seat in range(self.seats):  # one by one, as the facts of the hands will come from a journal
            self.look_at_strips(force=True, seats=range(seat, seat + 1))
            records += self.answer()
        return records

    def force(self, fact: Fact) -> list[Record]:
        self.now = max(self.now, fact.t)
        records: list[Record] = []
        if isinstance(fact, Revealed):
            self.end_by_last_tile(force=True)
            records = self.answer()
            self.look_at_strips(force=True, seats=range(fact.seat, fact.seat + 1))
        return records + self.answer()


def _by(fact: Any, seat: int | None, by: str | None) -> Any:
    """The fact with who did it. A fact of tiles carries both, also when nobody did."""
    if isinstance(fact, OfTile | Taken | Returned) and (fact.seat, fact.seat_by) != (seat, by):
        return numbered(fact, fact.n, seat=seat, seat_by=by)
    return fact
