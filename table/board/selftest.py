"""The walk through lights and buttons that `dominoref board test` does, and its report. Asks by the functions given."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from table.board.board import Board
from table.board.words import describe

Ask = Callable[[str], bool | None]
Say = Callable[[str], None]


@dataclass
class Report:
    """What was found: lines for the person and for whoever gets the report."""

    lines: list[str] = field(default_factory=list)
    faults: int = 0
    complete: bool = True

    def note(self, what: str, good: bool | None) -> None:
        """One finding; None means not tried."""
        self.lines.append(f"{'ok' if good else 'NOT TRIED' if good is None else 'FAULT'}: {what}")
        self.faults += good is False

    def text(self) -> str:
        """The report as text."""
        end = "everything was right" if self.complete and not self.faults else f"{self.faults} faults"
        return "\n".join([*self.lines, end + ("" if self.complete else ", not finished")])


def run(board: Board, seats: int, ask: Ask, say: Say, *, patience_s: float = 30.0) -> Report:
    """Walk through `seats` seats. `ask` returns yes, no, or None to stop."""
    report = Report()
    link = board.link
    info = link.info if link is not None else None
    if link is None or info is None:
        report.note(f"no board: {board.state}", False)
        report.complete = False
        return report
    report.lines.append(describe(info))
    for seat in range(seats):
        for meaning, looks in (("illegal", "red, blinking fast"), ("accepted", "green, two short blinks")):
            board.show([{"seat": seat, "meaning": meaning}])
            answer = ask(f"Seat {seat + 1}: is its lamp {looks}, and every other lamp dark?")
            board.show([{"seat": seat, "meaning": "idle"}])
            if answer is None:
                report.complete = False
                return report
            report.note(f"lamp of seat {seat + 1} {looks}", answer)
    board.show([{"seat": "table", "meaning": "ask"}])
    answer = ask("Is the table's lamp amber, blinking slowly?")
    board.show([{"seat": "table", "meaning": "idle"}])
    report.note("lamp of the table", answer)
    report.complete = answer is not None
    for seat in range(seats if report.complete else 0):
        for word in ("pass", "done"):
            report.note(f"button {word} of seat {seat + 1}", _button(board, seat, word, say, patience_s))
    here, there = link.bad_frames
    report.note(f"cable: {here} damaged frames from the board, {there} to it", here + there == 0)
    return report


def _button(board: Board, seat: int, word: str, say: Say, patience_s: float) -> bool:
    board.presses(0.0)
    say(f"Press {word} at seat {seat + 1}")
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        for press in board.presses(time.monotonic()):
            if (press.seat, press.button) == (seat, word):
                return True
            say(f"That was {press.button} at seat {press.seat + 1}")
        time.sleep(0.02)
    return False
