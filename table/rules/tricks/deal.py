"""One deal of eight tiles each: whose act it is, what may be played, who takes the trick.

A `Deal` is a frozen value; `play` returns the next one. What is wrong with a play is asked with `faults`, which gives
the codes in the order they are called. Hands are never needed; `legal_leads` and `legal_replies` take one when known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from table.events.tiles import UNKNOWN, tiles_of

from .faults import Fault, IllegalPlay
from .groups import CIVIL_RANK, SUPREME, Group, Shape, group, groups_of
from .options import TrickOptions
from .payments import SEATS, Payment, final_payments, immediate_payments, ledger

HAND = 8
_COPIES = tiles_of("chinese")
_NOT_OF_THE_GROUP = {"OUT_OF_TURN", "WRONG_LEADER", "TOO_MANY_COPIES"}  # these leave the play what it is


@dataclass(frozen=True, slots=True)
class Play:
    """What one seat put into a trick. `competes` is None for a discard, also for one that only turned out to be one."""

    seat: int
    tiles: tuple[str, ...]
    up: bool
    competes: Group | None


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick under way. `best` is the play that would take it now; `last` says that it empties the hands."""

    plays: tuple[Play, ...]
    best: Play
    last: bool

    @property
    def led(self) -> Play:
        return self.plays[0]

    @property
    def size(self) -> int:
        return len(self.led.tiles)


@dataclass(frozen=True, slots=True)
class TrickResult:
    """A trick that is complete, and what was paid at once for it."""

    plays: tuple[Play, ...]
    winner: int
    last: bool
    payments: tuple[Payment, ...]

    @property
    def leader(self) -> int:
        return self.plays[0].seat

    @property
    def won_with(self) -> tuple[str, ...]:
        return next(play.tiles for play in self.plays if play.seat == self.winner)


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal in progress. `to_act` is None once all tiles are played."""

    banker: int
    options: TrickOptions = field(default_factory=TrickOptions)
    streak: int = 0
    """How many deals the banker won in a row before this one, as banker; counts only with `banker_factor: streak`."""

    leader: int = -1
    to_act: int | None = -1
    left: tuple[int, ...] = (HAND,) * SEATS
    columns: tuple[int, ...] = (0,) * SEATS
    trick: Trick | None = None
    tricks: tuple[TrickResult, ...] = ()

    def __post_init__(self) -> None:
        if self.leader < 0:
            object.__setattr__(self, "leader", self.banker)
            object.__setattr__(self, "to_act", self.banker)

    @property
    def over(self) -> bool:
        return self.to_act is None

    def next_seat(self, seat: int) -> int:
        return (seat + (1 if self.options.direction == "cw" else -1)) % SEATS

    def faults(self, seat: int, tiles: Sequence[str], up: bool = True) -> tuple[Fault, ...]:
        """Everything wrong with this play, the code that is called first in front; empty when it is legal."""
        if self.to_act is None:
            return (Fault("PLAY_AFTER_END"),)
        found: list[Fault] = []
        if seat != self.to_act:
            code = "OUT_OF_TURN" if self.trick else "WRONG_LEADER"
            found.append(Fault(code, (("s", self.to_act),)))
        found += self._faces(tiles)
        found += self._reply(seat, tiles, up) if self.trick else self._lead(seat, tiles, up)
        return tuple(found)

    def _faces(self, tiles: Sequence[str]) -> Iterator[Fault]:
        """A face outside the set, or more of a face than the set holds, with all that lay face up before."""
        yield from _inventory(tiles, (tile for play in self.plays() for tile in play.tiles))

    def _lead(self, seat: int, tiles: Sequence[str], up: bool) -> Iterator[Fault]:
        if not up:
            yield Fault("LEAD_FACE_DOWN")
        elif group(tiles) is None:
            yield Fault("INVALID_GROUP")
        elif len(tiles) > self.left[seat]:
            # The source has no word for leading more tiles than a hand holds; only a wrong deal brings it about.
            yield Fault("WRONG_TILE_COUNT", (("k", self.left[seat]),))

    def _reply(self, seat: int, tiles: Sequence[str], up: bool) -> Iterator[Fault]:
        trick = self.trick
        assert trick is not None
        if len(tiles) != trick.size:
            yield Fault("WRONG_TILE_COUNT", (("k", trick.size),))
        if not up:
            return
        if self.options.quick_death and trick.last and trick.size == 1 and self.columns[seat] == 0:
            yield Fault("QUICK_DEATH")
        shape = _shape(trick.led)
        if shape == SUPREME:
            yield Fault("SUPREME_LED")
        mine = group(tiles)
        if mine is None:
            yield Fault("INVALID_GROUP")
            return
        if mine.shape == SUPREME:
            yield Fault("SUPREME_NOT_LED")
        elif shape != SUPREME and mine.shape != shape:
            yield Fault("WRONG_COMPOSITION", (("c", shape.civil), ("m", shape.military)))
        elif shape != SUPREME and not _higher(mine, trick.best):
            yield Fault("NOT_HIGHER")

    def play(self, seat: int, tiles: Sequence[str], up: bool = True, *, stands: bool = False) -> Deal:
        """The deal after this play. Unknown faces are `?`.

        Raises IllegalPlay (its `faults` say why) unless the play `stands`, that is, nobody put it right in time. A
        reply that stands is a discard, unless only the seat was wrong. A lead of no group that stands is taken for the
        lowest of its civil and military count, so that the trick can still be played out. A reply out of turn leaves
        the turn where it was; a lead out of turn leads.
        """
        wrong = self.faults(seat, tiles, up)
        if self.to_act is None or (wrong and not stands):
            raise IllegalPlay(wrong)
        tiles = tuple(tiles)
        competes = group(tiles) if up and all(fault.code in _NOT_OF_THE_GROUP for fault in wrong) else None
        played = Play(seat, tiles, up, competes)
        trick = self.trick
        if trick is None:
            trick = Trick((played,), played, len(tiles) >= self.left[seat])
        else:
            trick = Trick((*trick.plays, played), played if competes else trick.best, trick.last)
        left = tuple(max(0, n - len(tiles)) if s == seat else n for s, n in enumerate(self.left))
        acted = {play.seat for play in trick.plays}
        if len(acted) == SEATS:
            return self._complete(trick, left)
        due = seat if self.trick is None else self.to_act
        while due in acted:
            due = self.next_seat(due)
        return replace(self, left=left, trick=trick, to_act=due)

    def _complete(self, trick: Trick, left: tuple[int, ...]) -> Deal:
        best = trick.best
        payments = immediate_payments(
            best.seat,
            best.tiles if best.competes else (),
            best.seat == trick.led.seat,
            self.banker,
            self.options,
            last=trick.last,
            streak=self.streak,
        )
        columns = tuple(n + trick.size if s == best.seat else n for s, n in enumerate(self.columns))
        return replace(
            self,
            left=left,
            columns=columns,
            trick=None,
            tricks=(*self.tricks, TrickResult(trick.plays, best.seat, trick.last, payments)),
            leader=best.seat,
            # A wrong count that stood leaves one seat with more; the deal is over when anybody is out of tiles.
            to_act=None if min(left) == 0 else best.seat,
        )

    def legal_leads(self, hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Every group this hand may lead now, by face; nothing when no lead is due."""
        if self.trick is None and self.to_act is not None:
            yield from (tiles for tiles in groups_of(hand) if not self.faults(self.to_act, tiles))

    def legal_replies(self, hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Every group this hand could beat the trick with, by face. Any tiles face down are legal besides."""
        if self.trick is not None and self.to_act is not None:
            yield from (tiles for tiles in groups_of(hand) if not self.faults(self.to_act, tiles))

    def plays(self) -> Iterator[Play]:
        """Everything played so far, in order."""
        for result in self.tricks:
            yield from result.plays
        if self.trick:
            yield from self.trick.plays

    def immediate(self) -> tuple[Payment, ...]:
        """The payments made at once so far."""
        return tuple(payment for result in self.tricks for payment in result.payments)

    def final(self) -> tuple[Payment, ...]:
        """The settlement for the columns; empty while the deal runs."""
        if not self.over:
            return ()
        last = self.tricks[-1]
        return final_payments(
            self.columns,
            last.winner,
            self.banker,
            self.options,
            led=last.plays[0].tiles,
            leader=last.leader,
            won=last.won_with,
            streak=self.streak,
        )

    def scores(self) -> tuple[int, ...]:
        """What each seat has gained or lost in this deal; sums to 0."""
        return ledger((*self.immediate(), *self.final()))

    def next_deal(self) -> Deal:
        """A fresh deal; the winner of the last trick has the bank (002-34). Raises ValueError before the end."""
        if not self.over:
            raise ValueError("the deal is not over: there is no next banker yet")
        kept = self.leader == self.banker
        return Deal(self.leader, self.options, self.streak + 1 if kept else 0)

    def audit(self, discards: Sequence[str]) -> tuple[Fault, ...]:
        """What turning up all discards after the deal shows: faces outside the set or too often in it."""
        return tuple(_inventory(discards, (tile for play in self.plays() if play.up for tile in play.tiles)))


def _inventory(tiles: Sequence[str], seen: Iterable[str]) -> Iterator[Fault]:
    before = Counter(seen)
    for tile, count in Counter(tiles).items():
        if tile == UNKNOWN:
            continue
        if tile not in _COPIES:
            yield Fault("FOREIGN_TILE", (("tile", tile),))
        elif before[tile] + count > _COPIES[tile]:
            yield Fault("TOO_MANY_COPIES", (("tile", tile),))


def _shape(led: Play) -> Shape:
    if led.competes:
        return led.competes.shape
    civil = sum(tile in CIVIL_RANK for tile in led.tiles)
    return Shape(civil, len(led.tiles) - civil)


def _higher(mine: Group, best: Play) -> bool:
    return best.competes is None or mine.beats(best.competes)
