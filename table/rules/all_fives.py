"""All Fives (Muggins): ends that add up to a multiple of five score during play.

The game as commonly played (https://www.dominorules.com/all-fives; section 13 of the rules): the first double is a
spinner, its short sides open once both long sides are used; a crosswise double at an end counts both halves; the
spinner counts both halves as long as it is an end itself. The winner of a round adds the others' pips, rounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from .line.layout import LONG, OPPOSITE, SHORT, Joint, Played, Port, Position
from .line.rules import Fault, LineRules, Outcome, start_rank


class AllFives(LineRules):
    key = "all-fives"
    scores_in_play = True

    def hand_size(self) -> int:
        return self._number("hand") or (7 if self.seats == 2 else 5)

    def opening_fault(self, tile: str) -> Fault | None:
        return None

    def outranks(self, tile: str, winner: str) -> bool:
        """The highest double starts; without doubles the heaviest tile."""
        return start_rank(tile) > start_rank(winner)

    def ports_of_set(self, index: int, high: int, low: int) -> tuple[Port, ...]:
        if high != low:
            return super().ports_of_set(index, high, low)
        return tuple(Port(index, side, 0, high) for side in LONG)

    def ports_of_double(self, index: int, value: int, own: str) -> tuple[Port, ...]:
        far = OPPOSITE[own] if own in LONG else LONG[1]
        return (Port(index, far, 0, value),)

    def without(self, position: Position, port: Port, joint: Joint | None) -> tuple[Port, ...]:
        left = super().without(position, port, joint)
        if port.at == position.spinner and port.side in LONG and not any(p.at == port.at for p in left):
            left += tuple(Port(port.at, side, 0, port.value) for side in SHORT)
        return left

    def after(self, position: Position, played: Sequence[Played], index: int, port: Port | None) -> Position:
        new = super().after(position, played, index, port)
        tile = played[index]
        first = position.spinner is None and tile.high == tile.low and self.options["spinner"] == "first_double"
        return new._replace(spinner=index) if first else new

    def count(self, position: Position, played: Sequence[Played]) -> int:
        """The sum of the open ends: a double that is an end counts whole, and so does a spinner.

        A spinner is an end itself as long as one of its long sides is open; its short ones open after that.
        """
        total = 0
        counted: set[int] = set()
        for port in position.ports:
            tile = played[port.at]
            if tile.high != tile.low:
                total += port.value
            elif port.side in LONG and port.at not in counted:
                counted.add(port.at)
                total += tile.high + tile.low
        return total

    def points(self, position: Position, played: Sequence[Played]) -> int:
        """What the play that led here scores at once."""
        total, step = self.count(position, played), self._number("count")
        if total == 0 or total % step:
            return 0
        return total if self.options["points"] == "pips" else total // step

    def _rounded(self, points: int) -> int:
        """To the nearest multiple; ends of 3 and more of five go up."""
        step = self._number("round_to")
        whole = (points + step // 2) // step
        return whole * step if self.options["points"] == "pips" else whole

    def out(self, winner: int, hands: Sequence[int]) -> Outcome:
        plain = super().out(winner, hands)
        return Outcome(winner, tuple(self._rounded(points) for points in plain.scores))

    def blocked(self, hands: Sequence[int], counts: Sequence[int]) -> Outcome:
        """The lowest hand scores what the others hold above it."""
        lowest = min(hands)
        best = [seat for seat in range(self.seats) if hands[seat] == lowest]
        if len(best) > 1:
            return Outcome(None, (0,) * self.seats)
        over = self._rounded(sum(points - lowest for points in hands))
        return Outcome(best[0], tuple(over if seat == best[0] else 0 for seat in range(self.seats)))
