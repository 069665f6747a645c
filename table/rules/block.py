"""Block dominoes: one line, two ends, no drawing (section 8 of the rules).

A-001-10 Which sides of a double set first are the ends? Two opposite ones; the first join picks the pair.
A-001-16 The line may turn anywhere, so a joined double takes the next tile at any side that is free, but only one.
"""

from __future__ import annotations

from collections.abc import Mapping

from .line.layout import ANY, LONG, Port
from .line.rules import LineRules
from .options import Value


class Block(LineRules):
    key = "block"
    start_shown_by_hands = True

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        players = options["players"]
        if players not in (2, seats):
            raise ValueError(f"option players is {players}, but there are {seats} seats")
        super().__init__(seats, options)

    def by_rank(self) -> bool:
        """The starter is found by rank at most; it may open with any tile."""
        return False

    def floor(self) -> int:
        return self._number("floor") if self.draw != "none" else 0

    def ports_of_set(self, index: int, high: int, low: int) -> tuple[Port, ...]:
        if high != low:
            return super().ports_of_set(index, high, low)
        if self.crosswise:
            return (Port(index, LONG[0], 0, high), Port(index, LONG[1], 0, high))
        return (Port(index, ANY, 0, high), Port(index, ANY, 1, high))

    def ports_of_double(self, index: int, value: int, own: str) -> tuple[Port, ...]:
        if self.crosswise:
            return super().ports_of_double(index, value, own)
        return (Port(index, ANY, 0, value),)

    def outranks(self, tile: str, winner: str) -> bool:
        """By `highest_double`: a double above the starter's highest."""
        high, _, low = tile.partition("-")
        return high == low and int(high) > int(winner.split("-")[0])
