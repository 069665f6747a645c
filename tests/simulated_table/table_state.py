"""What the parts of `players.LineMatch` share: the state of a line game's table, and how faults get into the script."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Literal

from table.events import Pose, Table
from table.rules.line import Joint, Line, LineRules
from table.rules.line.layout import Port

from .ground import Ground
from .proofs import Claim, Proofs
from .script import NOT_ASKED, Act, FaultDue, Laid, Piece, Script


class TableState:
    """Filled in by `players.LineMatch`."""

    if TYPE_CHECKING:
        script: Script
        game: str
        rules: LineRules
        rng: Random
        table: Table
        seats: int
        line: Line
        ground: Ground
        proofs: Proofs
        poses: list[Pose | None]
        keys: list[str]
        hands: list[list[str]]
        known: list[set[str]]
        lying: dict[str, Piece]
        yard: dict[str, Piece]
        last_passed: tuple[int, Claim] | None
        to_act: int | None
        over: str
        draws_this_turn: int
        drawn: bool
        passes: int

        def act(self, what: str, seat: int | None = None, changes: dict[str, Piece | None] | None = None,
                press: tuple[int, str] | None = None, rest_s: float = 0.0) -> Act: ...  # fmt: skip
        def legal(self, seat: int) -> list[tuple[str, Port]]: ...
        def play(self, seat: int, what: str = "") -> None: ...
        def honest_turn(self, seat: int) -> None: ...
        def shown(self, seat: int, tile: str) -> None: ...
        def take(self, seat: int, count: int = 1, claim: bool = True) -> None: ...
        def out_of_yard(self, seat: int, count: int) -> list[str]: ...
        def press_pass(self, seat: int) -> None: ...
        def may_draw(self) -> bool: ...
        def proven_at_once(self, seat: int) -> tuple[bool, str | None]: ...
        def show(self, seat: int, tiles: list[str], what: str) -> None: ...
        def next_turn(self, seat: int) -> None: ...
        def _commit(self, seat: int, tile: str, joint: Joint | None, pose: Pose, in_hand: bool = True,
                    what: str = "") -> None: ...  # fmt: skip

        _nudged_once: set[str]

    armed = True

    @property
    def here(self) -> int:
        return len(self.script.acts) - 1

    def fault(
        self, code: str, seat: int | None, tile: str | None,
        status: Literal["corrected", "stands", "reported"] = "corrected",
    ) -> FaultDue:  # fmt: skip
        """The act just made must be called."""
        due = FaultDue(code, seat, tile, self.here, self.here, status)
        self.script.faults.append(due)
        self.script.acts[-1].turn = NOT_ASKED
        return due

    def _bad_tile(self, seat: int, tile: str, joint: Joint | None, pose: Pose, code: str, what: str) -> FaultDue:
        piece = Piece(tile, True, pose)
        self.lying[tile] = piece
        self.act(what, seat, {tile: piece})
        self.script.laid.append(Laid(self.here, tile, tile, seat, False, pose))
        due = self.fault(code, seat, tile)
        self.shown(seat, tile)
        return due

    def _take_back(self, seat: int, tile: str, due: FaultDue) -> None:
        del self.lying[tile]
        self.act("take it back", seat, {tile: None})
        self.known[seat].add(tile)
        due.closed = self.here
        self.script.acts[-1].turn = self.to_act

    def _other(self, seat: int) -> int | None:
        passed = None if self.last_passed is None else self.last_passed[0]
        others = [s for s in range(self.seats) if s not in (seat, passed)]
        return self.rng.choice(others) if others else None
