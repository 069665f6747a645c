"""What the referee tells the lights goes to a board; what the board itself has to say goes to people."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

from table import events
from table.board import Board, open_board, simulator_available
from table.shell.faults import complain


class Lights:
    """A listener that shows `light` records on a board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def __call__(self, records: Sequence[events.Record]) -> None:
        shown = [record for record in records if isinstance(record, events.Light)]
        if shown:
            self.board.show(shown)

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


def open_lights(which: str, seats: int) -> Lights:
    """The board called `which` (none, sim, auto or a port), or none with a word why not."""
    if which == "sim":
        reason = simulator_available()
        if reason is not None:
            complain(f"no simulated board: {reason}; the lights are told in words")
            which = "none"
    return Lights(open_board(which, seats))
