"""Draw dominoes with the place of every tile judged (section 9 of the rules).

A-003-10 Tiles rank by pips, then by the higher half; every double ranks above every other tile.
"""

from __future__ import annotations

from .line.layout import LONG, Port
from .line.rules import LineRules, start_rank


class Draw(LineRules):
    key = "draw"
    fewest, most = 2, 2

    def outranks(self, tile: str, winner: str) -> bool:
        return start_rank(tile) > start_rank(winner)

    def ports_of_double(self, index: int, value: int, own: str) -> tuple[Port, ...]:
        far = LONG[1] if own not in LONG else LONG[1 - LONG.index(own)]
        return (Port(index, far, 0, value),)
