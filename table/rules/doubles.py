"""Doubles: every double opens four sides and unlocks its number (section 10 of the rules).

A-004-1 A double needs nothing unlocked: it unlocks its own number.
A-004-6 The winner of a block scores the others' pips in full.

Decided here, for the rules have only the redeal: where nobody deals again, and nobody was dealt a double, the heaviest
tile opens, of equal ones the one with the higher half.
"""

from __future__ import annotations

from table.events.tiles import is_double

from .line.layout import LONG, SHORT, Joint, Port, Position
from .line.rules import Fault, LineRules, start_rank

SIDES = (*LONG, *SHORT)


class Doubles(LineRules):
    key = "doubles"

    def hand_size(self) -> int:
        return self._number("hand") or (8 if self.seats == 2 else 6)

    def opening_fault(self, tile: str) -> Fault | None:
        doubles_open = self.options["starter_method"] != "first" and self.options["redeal_without_double"]
        if doubles_open and not is_double(tile):
            return Fault("WRONG_OPENING_TILE", {"tile": "a double"})
        return None

    def outranks(self, tile: str, winner: str) -> bool:
        return start_rank(tile) > start_rank(winner)

    @property
    def _long_first(self) -> bool:
        return self.options["spinner_sides"] == "long_sides_first"

    def ports_of_set(self, index: int, high: int, low: int) -> tuple[Port, ...]:
        if high != low:
            return super().ports_of_set(index, high, low)
        sides = LONG if self._long_first else SIDES
        return tuple(Port(index, side, 0, high) for side in sides)

    def ports_of_double(self, index: int, value: int, own: str) -> tuple[Port, ...]:
        sides = LONG if self._long_first and own in LONG else SIDES
        return tuple(Port(index, side, 0, value) for side in sides if side != own)

    def without(self, position: Position, port: Port, joint: Joint | None) -> tuple[Port, ...]:
        left = super().without(position, port, joint)
        if self._long_first and port.side in LONG and not any(p.at == port.at for p in left):
            # both long sides are used (one by the line itself), so the short ones open
            left += tuple(Port(port.at, side, 0, port.value) for side in SHORT)
        return left

    def gate(self, position: Position, high: int, low: int, port: Port) -> Fault | None:
        if high == low or position.unlocked >> port.value & 1:
            return None
        return Fault("NUMBER_LOCKED", {"v": port.value})
