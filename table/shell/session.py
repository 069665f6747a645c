"""One match being watched: frames and presses in, records out. The same core for recordings and for the live table.

Knows no clock and no file: the time comes with the frames, the records go to whoever listens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from table import events
from table.journal.matches import is_over, refold
from table.referee import Referee
from table.tracking import Tracker
from table.tracking.resume import corrected_tile
from vision.sources.frames import Frame

PRESS_WAITS_S = 3.0
"""A press waits for the table to settle, but no longer than this while there are pictures."""

MOVED_MESSAGE = (
    "The camera or the table was moved, and the tiles are not seen as they lay; move it back, or type resume if all "
    "lies as it should."
)

Listener = Callable[[Sequence[events.Record]], None]


class Session:
    """Feeds the tracker's facts and the players' presses to the referee, in order."""

    def __init__(
        self,
        referee: Referee,
        tracker: Tracker,
        listeners: Sequence[Listener],
        show_lights: Listener | None = None,
    ) -> None:
        """`listeners` are told every new record; `show_lights` the lights of a resumed match once more."""
        self._show_lights = show_lights
        self._referee, self._tracker, self._listeners = referee, tracker, listeners
        self._waiting: list[events.Button] = []
        self._t = 0.0
        self._over = False
        self._blind = False
        """The camera was lost, and no picture has come since."""
        self._seen_t = 0.0
        self._ids: dict[int, int] = {}
        """Which physical tile each record of one is about."""

    def begin(self) -> None:
        """Open the match."""
        self._tell(self._referee.begin())

    def resume(self, past: Sequence[events.Record]) -> None:
        """Come to the state after these records, without telling them again; the lights are told as they are."""
        told: list[events.Record] = list(self._referee.begin())
        for record in refold(past[1:]):
            if isinstance(record, events.Attention | events.Advice):
                told += self._referee.note(record)
            else:
                told += self._referee.take(record)
        made = max(record.n for record in told)
        for t in sorted({record.t for record in past if record.n > made}):
            # No fact led to these records, but that the picture of this moment was complete.
            told += self._referee.tick(t)
        self._tracker.resume([record for record in past if isinstance(record, events.Fact)])
        self._t = max(record.t for record in past)
        lights = {record.seat: record for record in told if isinstance(record, events.Light)}
        written = {record.n for record in past}
        # What the crash kept from being written is written now.
        self._tell([record for record in told if record.n not in written])
        if self._show_lights:
            self._show_lights(list(lights.values()))

    @property
    def over(self) -> bool:
        """Has the match ended by its rules?"""
        return self._over

    @property
    def due_t(self) -> float:
        """The time of the next picture that matters; earlier ones need not be taken off the camera."""
        return self._tracker.due_t

    def tick(self, t: float) -> None:
        """Time passes without a new picture."""
        self._t = max(self._t, t)
        self._tell(self._referee.tick(self._t))
        self._release()

    def note(self, code: str, message: str, args: dict[str, Any], t: float) -> None:
        """Something about the gear that people are told: a camera or board lost or back."""
        self._t = max(self._t, t)
        self._blind = self._blind or code == "CAMERA_LOST"
        self._tell(self._referee.note(events.Attention(t=self._t, code=code, message=message, args=args)))

    def frame(self, frame: Frame) -> None:
        """Take the next frame."""
        self._t = max(self._t, frame.t)
        if self._blind:
            self._blind, self._seen_t = False, self._t
        for fact in self._tracker.observe(frame):
            self._take(fact)
        for shift in self._tracker.camera_moves:
            message = f"The camera was bumped by {shift:.0f} mm; the table was found again."
            args = {"shift_mm": round(shift, 1)}
            self._tell(self._referee.note(events.Advice(t=self._t, code="CAMERA_MOVED", message=message, args=args)))
        self._tracker.camera_moves.clear()
        for code in self._tracker.questions:
            note = events.Attention(t=self._t, code=code, message=MOVED_MESSAGE, args={})
            self._tell(self._referee.note(note))
        self._tracker.questions.clear()
        self._tell(self._referee.tick(self._t))
        self._release()

    def input(self, fact: events.Fact) -> None:
        """Take a press, a correction or a pause, made at `fact.t`. Raises ValueError for a correction of nothing."""
        if isinstance(fact, events.Button):
            self._waiting.append(fact)
            self._release(fact.t)
        else:
            if isinstance(fact, events.Resumed) and self._tracker.holds:
                # People say that the table is right as it lies; what lies there is seen before presses count.
                self._tracker.believe()
            elif not isinstance(fact, events.Correction) or fact.change == "undo":
                # What is undone may be the press that waits, and a pause begins after it.
                self._release(at_once=True)
            self._take(events.numbered(fact, events.UNNUMBERED, t=max(self._t, fact.t)))

    def finish(self) -> None:
        """The recording is over."""
        self._release(at_once=True)
        self._tell(self._referee.finish(self._t))

    def _release(self, now: float | None = None, at_once: bool = False) -> None:
        """Presses count once the table has settled, so that a tile laid just before comes first."""
        while self._waiting:
            press = self._waiting[0]
            waited = self._t - max(press.t, self._seen_t)
            # What was laid while the camera was away has to be seen first, and where it is has to be known.
            lost = self._blind or self._tracker.holds
            if not at_once and (lost or not (self._tracker.judgeable or waited > PRESS_WAITS_S)):
                return
            self._waiting.pop(0)
            self._t = max(self._t, now if now is not None else press.t)
            self._take(events.numbered(press, events.UNNUMBERED, t=self._t))

    def _take(self, fact: events.Fact) -> None:
        records = self._referee.take(fact)
        for record in records:
            # The referee may have chosen among readings the picture left open, or been corrected by a person.
            if isinstance(record, events.OfTile):
                self._ids[record.n] = record.id
                self._tracker.rename(record.id, record.tile)
            elif isinstance(record, events.Correction) and record.of in self._ids:
                self._tracker.rename(self._ids[record.of], corrected_tile(record) or events.UNKNOWN)
        self._tell(records)

    def _tell(self, records: Sequence[events.Record]) -> None:
        if records:
            # A correction may open a match again that had ended.
            self._over = is_over(records) or (self._over and not any(isinstance(r, events.Correction) for r in records))
            for listener in self._listeners:
                listener(records)
