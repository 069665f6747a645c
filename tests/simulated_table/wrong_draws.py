"""Draws and passes against the rules of a line game, and what a referee must say to them."""

from __future__ import annotations

import math

from .ground import shaken, yard_slots
from .script import FaultDue, Piece
from .table_state import TableState


class WrongDraws(TableState):
    """Each is called with the seat on turn; True when the turn is over with it."""

    def _allowed_to_pass(self) -> bool:
        if self.rules.draw == "none" or len(self.yard) <= self.rules.floor():
            return True
        return self.rules.draw == "one" and self.draws_this_turn > 0

    def _illegal_pass(self, seat: int) -> bool:
        if not self.legal(seat) or not self._allowed_to_pass():
            return False
        proven, tile = self.proven_at_once(seat)
        if proven and self.drawn and not self.armed:
            return False  # nobody saw who drew, so nothing is proven before the reveal
        if not proven:
            self.script.hidden.append(("ILLEGAL_PASS", seat))
            self.press_pass(seat)
            return True
        self.act("pass", press=(seat, "pass"))
        due = self.fault("ILLEGAL_PASS", seat, tile)
        self.play(seat, "play after all")
        due.closed = self.here
        return True

    def _pass_without_draw(self, seat: int) -> bool:
        if self._allowed_to_pass():
            return False
        self.act("pass", press=(seat, "pass"))
        due = self.fault("PASS_WITHOUT_DRAW", seat, None)
        first = self.here + 1
        self.honest_turn(seat)
        due.closed = first
        return True

    def _needless_draw(self, seat: int) -> bool:
        if self.legal(seat) and self.may_draw() and not self.proven_at_once(seat)[0]:
            self.script.hidden.append(("DRAW_WITH_MOVE", seat))
            self.take(seat)
        return False

    def _put_into_yard(self, seat: int, tiles: list[str], due: FaultDue) -> None:
        free = [
            slot for slot in yard_slots(self.table)
            if all(math.hypot(slot.x_mm - p.pose.x_mm, slot.y_mm - p.pose.y_mm) > 24 for p in self.yard.values())
        ]  # fmt: skip
        changes: dict[str, Piece | None] = {}
        for tile, slot in zip(tiles, self.rng.sample(free, len(tiles)), strict=True):
            self.hands[seat].remove(tile)
            self.yard[tile] = Piece(tile, False, shaken(slot, self.rng, 1.0, 3.0))
            changes[tile] = self.yard[tile]
        self.known[seat].clear()
        self.act("put it back", seat, changes)
        due.closed = self.here
        self.script.acts[-1].turn = self.to_act

    def _wrong_draw(self, seat: int, count: int, code: str) -> tuple[list[str], FaultDue]:
        self.proofs.draw(seat, count)
        keys = self.out_of_yard(seat, count)
        self.act("draw", seat, dict.fromkeys(keys))
        return keys, self.fault(code, seat, None)

    def _extra_draw(self, seat: int) -> bool:
        if self.rules.draw != "one" or self.legal(seat) or not self.may_draw():
            return False
        if len(self.yard) <= self.rules.floor() + 2:
            return False
        self.take(seat)
        if not self.legal(seat):
            keys, due = self._wrong_draw(seat, 1, "EXTRA_DRAW")
            self._put_into_yard(seat, keys, due)
        return False

    def _two_at_once(self, seat: int) -> bool:
        if self.rules.draw != "one" or self.legal(seat) or self.draws_this_turn:
            return False
        if len(self.yard) <= self.rules.floor() + 2:
            return False
        self.proofs.claim("DRAW_WITH_MOVE", seat, self.board.playable(self.board.unseen(), sure=True))  # type: ignore[attr-defined]
        keys, due = self._wrong_draw(seat, 2, "EXTRA_DRAW")
        self.draws_this_turn = 1
        self._put_into_yard(seat, keys[1:], due)
        return False

    def _draw_below_floor(self, seat: int) -> bool:
        if self.rules.draw == "none" or len(self.yard) > self.rules.floor() or not self.yard:
            return False
        keys, due = self._wrong_draw(seat, 1, "DRAW_BELOW_FLOOR")
        self._put_into_yard(seat, keys, due)
        return False

    def _draw_not_allowed(self, seat: int) -> bool:
        if self.rules.draw != "none" or not self.yard:
            return False
        keys, due = self._wrong_draw(seat, 1, "DRAW_NOT_ALLOWED")
        self._put_into_yard(seat, keys, due)
        return False

    def _draw_out_of_turn(self, seat: int) -> bool:
        other = self._other(seat)
        if other is None or not self.yard:
            return False
        keys, due = self._wrong_draw(other, 1, "OUT_OF_TURN")
        self._put_into_yard(other, keys, due)
        return False

    def _pass_out_of_turn(self, seat: int) -> bool:
        other = self._other(seat)
        if other is None:
            return False
        self.act("press pass out of turn", press=(other, "pass"))
        due = self.fault("OUT_OF_TURN", other, None, "stands")
        first = self.here + 1
        self.honest_turn(seat)
        due.closed = first
        return True
