"""Tells a match as people at the table would: who laid what, what is wrong and why, whose turn, the score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from table import events


def seat_name(seat: int | None, names: Sequence[str] = ()) -> str:
    """What people call a seat: its player's name, or "seat 1" onwards."""
    if seat is None:
        return "somebody"
    return names[seat] if seat < len(names) and names[seat] else f"seat {seat + 1}"


class Narrator:
    """Turns records into sentences, one at a time, and hands them to `say`."""

    def __init__(self, say: Callable[[str], None], lights: bool = False) -> None:
        """`lights`: also tell what the lights show."""
        self._say, self._lights = say, lights
        self._names: Sequence[str] = ()
        self._placed: dict[int, events.Placed] = {}
        self._tile_of: dict[int, str] = {}
        self._turn: int | None = None
        self.laid = 0
        self.faults: dict[int, events.Violation] = {}

    def __call__(self, records: Sequence[events.Record]) -> None:
        for record in records:
            for sentence in self._sentences(record):
                self._say(f"{record.t:7.1f} s  {sentence}")

    def summary(self) -> str:
        """One sentence about the whole."""
        called = sum(v.status != "withdrawn" for v in self.faults.values())
        turn = f"; {self._who(self._turn)} is on turn" if self._turn is not None else ""
        tiles, faults = f"{self.laid} tile{'s' * (self.laid != 1)}", f"{called} fault{'s' * (called != 1)}"
        return f"{tiles} laid, {faults} called{turn}"

    def _who(self, seat: int | None) -> str:
        return seat_name(seat, self._names)

    def _sentences(self, record: events.Record) -> Iterator[str]:
        if isinstance(record, events.Match):
            self._names = record.names
            yield f"{record.game}, {record.seats} seats, set {record.tile_set}"
        elif isinstance(record, events.RoundStarted):
            yield f"round {record.round} begins"
        elif isinstance(record, events.Placed):
            self._placed[record.n] = record
            self._tile_of[record.id] = record.tile
        elif isinstance(record, events.Judged):
            yield from self._judged(record)
        elif isinstance(record, events.Removed):
            yield f"{self._who(record.seat)} takes back {record.tile}"
        elif isinstance(record, events.Moved):
            yield f"{record.tile} was moved"
        elif isinstance(record, events.Turned):
            yield f"{record.tile} was turned face {record.face}"
        elif isinstance(record, events.Bumped):
            yield "the table or the camera was bumped"
        elif isinstance(record, events.Taken):
            yield f"{self._who(record.seat)} draws {record.count}"
        elif isinstance(record, events.Returned):
            yield f"{self._who(record.seat)} puts {record.count} back"
        elif isinstance(record, events.Passed):
            yield f"{self._who(record.seat)} passes"
        elif isinstance(record, events.Correction):
            yield "a correction was made"
        elif isinstance(record, events.Paused):
            yield "paused: nothing is judged until play goes on"
        elif isinstance(record, events.Resumed):
            yield "play goes on"
        elif isinstance(record, events.Turn):
            yield from self._turned(record)
        elif isinstance(record, events.Violation):
            yield from self._violated(record)
        elif isinstance(record, events.Advice | events.Attention):
            yield f"note: {record.message}"
        elif isinstance(record, events.Light):
            if self._lights:
                yield f"    [{light_text(record, self._names)}]"
        else:
            yield from self._scored(record)

    def _judged(self, record: events.Judged) -> Iterator[str]:
        placed = self._placed.get(record.of)
        if placed is None or record.replaces is not None:
            return
        self.laid += 1
        what = {"up": placed.tile, "down": "a tile face down", "unclear": "a tile that cannot be read"}[placed.face]
        joins = " and ".join(self._tile_of.get(k, "?") for k in record.joins)
        end = f" on the {record.end}" if record.end is not None else ""
        beside = f" of {joins}" if joins and end else f", joining {joins}" if joins else ""
        yield f"{self._who(placed.seat)} lays {what}{end}{beside}"

    def _turned(self, record: events.Turn) -> Iterator[str]:
        if record.seat is not None and record.seat != self._turn:
            yield f"-> {self._who(record.seat)} to play"
        self._turn = record.seat

    def _violated(self, record: events.Violation) -> Iterator[str]:
        known = self.faults.get(record.number)
        self.faults[record.number] = record
        if record.status == "corrected":
            yield f"put right: {record.tile or 'that'}"
        elif record.status == "stands":
            yield f"the fault stands: {record.message}"
        elif record.status == "withdrawn":
            yield f"withdrawn: {record.message}"
        elif known is None or known.message != record.message:
            yield f"NOT ALLOWED ({self._who(record.seat)}): {record.message}"

    def _scored(self, record: events.Record) -> Iterator[str]:
        if isinstance(record, events.Trick):
            yield f"{self._who(record.winner)} wins the trick; columns {_list(record.columns)}"
        elif isinstance(record, events.Hand):
            held = ", ".join(record.tiles) or "nothing"
            yield f"{self._who(record.seat)} held {held}: {record.pips} pips"
        elif isinstance(record, events.Score):
            yield f"{self._who(record.seat)} scores {record.points}, {record.total} in all"
        elif isinstance(record, events.RoundEnded):
            won = f"{self._who(record.winner)} wins" if record.winner is not None else "nobody wins"
            points = f"scores {_list(record.scores)}, totals {_list(record.totals)}"
            yield f"the round is over ({record.reason}): {won}; {points}"
        elif isinstance(record, events.MatchEnded):
            winners = " and ".join(self._who(seat) for seat in record.winners)
            yield f"the match is over: {winners or 'nobody'} won, totals {_list(record.totals)}"


def light_text(light: events.Light, names: Sequence[str] = ()) -> str:
    """A light in words."""
    where = "table light" if light.seat == "table" else f"light of {seat_name(light.seat, names)}"
    return f"{where}: {light.colour} {light.pattern} ({light.meaning})"


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
