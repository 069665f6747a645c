"""The board as the game sees it: lights in, presses and events out, never any waiting."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from table.board import session
from table.board.link import Link
from table.board.meaning import Lights, button_word
from table.board.ports import PortFault, candidates
from table.board.simulator import Lamps, Simulator, SimulatorFault


@dataclass(frozen=True, slots=True)
class Press:
    """A button: when it was pressed (on the clock of the `now` passed in), seat, `pass`, `done` or `challenge`."""

    t: float
    seat: int
    button: str


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """Something to tell people. `code` is BOARD_LOST, BOARD_BACK, BOARD_PRESSES_LOST, BOARD_TOO_SMALL or
    BOARD_WRONG_VERSION; `args` has what a translation needs."""

    code: str
    message: str
    args: Mapping[str, Any] = field(default_factory=dict)


class Board:
    """A connected board, or the wish for one: works the same whether a board is there or not."""

    def __init__(
        self, seats: int, link: Link | None, *, lights: Lights | None = None, second_button: str = "done"
    ) -> None:
        self.seats = seats
        self.lights = lights or Lights(seats)
        self.simulator: Simulator | None = None
        self._link = link
        self.second_button = second_button
        self._presses: list[session.Pressed] = []
        self._events: list[BoardEvent] = []
        self._was_up = False
        self._told_lost = False

    @property
    def state(self) -> str:
        """One line for people: which board, or why none."""
        return self._link.state if self._link is not None else "no board"

    @property
    def up(self) -> bool:
        """Whether a board answers now."""
        return self._link is not None and self._link.info is not None

    @property
    def lamps(self) -> Lamps | None:
        """With the simulator: what its lamps show."""
        return self.simulator.lamps if self.simulator is not None else None

    @property
    def link(self) -> Link | None:
        """The link below, for the tools."""
        return self._link

    def show(self, lights: Iterable[Any]) -> None:
        """Show light records: values with seat (or `table`), meaning, colour, pattern. Others stay as they are."""
        self.lights.show(lights)
        self._push()

    def point(self, fraction: float | None) -> None:
        """Point from the rim at a spot on the table (`rim_fraction`), or at nothing."""
        self.lights.point(fraction)
        self._push()

    def _push(self) -> None:
        if self._link is not None:
            self._link.show(self.lights.state())

    def presses(self, now: float) -> list[Press]:
        """The presses since the last call, in order; `now` is the present on the caller's clock, in seconds."""
        self._collect()
        pressed, self._presses = self._presses, []
        here = time.monotonic()
        found = []
        for press in pressed:
            word = button_word(press.button, self.second_button)
            if word is not None and press.seat < self.seats:
                found.append(Press(now - max(0.0, here - press.at), press.seat, word))
        return found

    def events(self) -> list[BoardEvent]:
        """What is to be told about the board itself since the last call."""
        self._collect()
        events, self._events = self._events, []
        return events

    def _collect(self) -> None:
        if self._link is None:
            return
        for happening in self._link.take():
            if isinstance(happening, session.Pressed):
                self._presses.append(happening)
            else:
                self._note(happening)

    def _note(self, happening: session.Happening) -> None:
        if isinstance(happening, session.Up):
            if self._told_lost:
                self._events.append(BoardEvent("BOARD_BACK", "The board is back; it shows the present lights."))
            self._was_up, self._told_lost = True, False
            if happening.info.seats < self.seats:
                text = f"The board has {happening.info.seats} seats, the game {self.seats}; the others have no light."
                self._events.append(
                    BoardEvent("BOARD_TOO_SMALL", text, {"board": happening.info.seats, "game": self.seats})
                )
        elif isinstance(happening, session.Down):
            if not self._told_lost:
                text = f"The board is gone ({happening.reason}); the game goes on without it."
                if not self._was_up:
                    text = f"No board: {happening.reason}."
                self._events.append(BoardEvent("BOARD_LOST", text, {"reason": happening.reason}))
            self._told_lost = True
        elif isinstance(happening, session.Lost):
            count = "Presses" if happening.count is None else f"{happening.count} presses"
            text = f"{count} may be lost: {happening.reason}."
            args = {"count": happening.count, "reason": happening.reason}
            self._events.append(BoardEvent("BOARD_PRESSES_LOST", text, args))
        elif isinstance(happening, session.WrongVersion):
            info = happening.info
            text = (
                f"The board speaks protocol {info.major}.{info.minor}, which is not ours; run `dominoref board flash`."
            )
            self._events.append(BoardEvent("BOARD_WRONG_VERSION", text, {"major": info.major, "minor": info.minor}))

    def close(self) -> None:
        """Let the board go; its lights go idle by themselves within two seconds."""
        if self._link is not None:
            self._link.close()
        if self.simulator is not None:
            self.simulator.close()

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_board(
    which: str,
    seats: int,
    *,
    rim: int = 0,
    mute: bool = False,
    second_button: str = "done",
    tap: Callable[[str, bytes], None] | None = None,
) -> Board:
    """The board called `which`: `none`, `sim`, `auto` (the first that answers), or a port's name. Returns at once.

    `rim` is the number of pixels of the LED strip (0 without), `second_button` what the game's second button means
    (`done` or `challenge`). What is up stands in `Board.state` and comes through `Board.events`.
    """
    lights = Lights(seats, rim=rim, mute=mute)
    if which == "none":
        return Board(seats, None, lights=lights, second_button=second_button)
    if which == "sim":
        return _open_simulator(seats, lights, second_button, tap)
    if which == "auto":
        last: list[str] = []

        def find() -> Iterator[str]:
            # The one that answered last comes first, wherever it is plugged in now.
            for candidate in sorted(candidates(), key=lambda candidate: candidate.same not in last):
                yield candidate.device
                if board.up:
                    last[:] = [candidate.same]

        board = Board(seats, None, lights=lights, second_button=second_button)
        board._link = Link(find, probing=True, tap=tap)
        board._push()
        return board
    board = Board(seats, Link(lambda: (which,), tap=tap), lights=lights, second_button=second_button)
    board._push()
    return board


def _open_simulator(seats: int, lights: Lights, second_button: str, tap: Callable[[str, bytes], None] | None) -> Board:
    board = Board(seats, None, lights=lights, second_button=second_button)

    def find() -> Iterator[str]:
        # Here and not in open_board: the first build takes a second, and the game does not wait for it.
        if board.simulator is None:
            try:
                board.simulator = Simulator()
            except SimulatorFault as fault:
                raise PortFault("missing", str(fault)) from fault
        yield board.simulator.port

    board._link = Link(find, tap=tap)
    board._push()
    return board


def wait_for(board: Board, seconds: float) -> bool:
    """For tools, not for the game: wait until the board answers; whether it does."""
    until = time.monotonic() + seconds
    while not board.up and time.monotonic() < until:
        time.sleep(0.02)
    return board.up
