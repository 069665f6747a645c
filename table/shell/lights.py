"""What the referee tells the lights goes to a board; what the board itself has to say goes to people."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

from table import events
from table.board import Board, open_board, simulator_available
from table.board.meaning import rim_fraction
from table.shell.faults import complain
from table.shell.settings import BoardSettings


class Lights:
    """A listener that shows `light` records on a board, and points from the rim at a tile that may not lie there."""

    def __init__(self, board: Board, area_mm: tuple[float, float] | None = None) -> None:
        """`area_mm`: width and height of the play area; without it the rim points at nothing."""
        self.board = board
        self._area_mm = area_mm
        self._lies: dict[int, events.Pose] = {}
        """Where the tile of each record lies."""
        self._alarmed: set[int | str] = set()
        """Whose light says that something may not lie there."""

    def __call__(self, records: Sequence[events.Record]) -> None:
        shown = [record for record in records if isinstance(record, events.Light)]
        if shown:
            self.board.show(shown)
        if self._area_mm is not None:
            self._point(records, shown, self._area_mm)

    def _point(
        self, records: Sequence[events.Record], shown: Sequence[events.Light], area_mm: tuple[float, float]
    ) -> None:
        spot = None
        for record in records:
            if isinstance(record, events.OfTile):
                self._lies[record.n] = record.at
            elif isinstance(record, events.Judged) and record.legal is False and record.of in self._lies:
                spot = self._lies[record.of]
        before = bool(self._alarmed)
        for light in shown:
            (self._alarmed.add if light.meaning == "illegal" else self._alarmed.discard)(light.seat)
        if spot is not None and self._alarmed:
            self.board.point(rim_fraction(spot.x_mm, spot.y_mm, *area_mm))
        elif before and not self._alarmed:
            self.board.point(None)

    def poll(self) -> None:
        """Say what became of the board since the last time. Its presses belong to a live game, not to a recording."""
        for event in self.board.events():
            complain(event.message)
        self.board.presses(0.0)

    def __enter__(self) -> Lights:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.board.close()


def open_lights(which: str, match: events.Match, wiring: BoardSettings | None = None) -> Lights:
    """The board called `which` (none, sim, auto or a port) for a match, or none with a word why not.

    `wiring`: the strip, the second button and the buzzer; default what the settings file says. Raises Fault.
    """
    if which == "sim":
        reason = simulator_available()
        if reason is not None:
            complain(f"no simulated board: {reason}; the lights are told in words")
            which = "none"
    if wiring is None:
        from table.shell.settings import load_settings

        wiring = load_settings().board
    seats = max(2, match.seats)  # the smallest board has two; who plays alone sits at the first
    board = open_board(which, seats, rim=wiring.rim, mute=wiring.mute, second_button=wiring.second_button)
    return Lights(board, match.table.size_mm if match.table is not None else None)
