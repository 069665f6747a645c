"""Chicken foot: trains from a start double, three toes on every double (section 11 of the rules).

A-000-8 Going out with a double ends the round at once (`out_on_double: foot_first` lets the foot be finished first).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from table.events.tiles import pips

from .line.layout import Joint, Played, Port, Position
from .line.rules import Fault, LineRules, Outcome
from .options import Value

HANDS = {2: 21, 3: 14, 4: 11, 5: 8, 6: 7, 7: 6, 8: 5}
RAY, TOE = "ray", "toe"
MOST_RAYS = 8


class ChickenFoot(LineRules):
    key = "chicken-foot"
    set_name = "double-nine"
    low_wins = True
    fewest, most = 2, 8

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        self.holder = options["starter_method"] != "search"
        super().__init__(seats, options)
        self.trains_due = self._number("opening_trains") or seats
        self.closes = bool(self.options["start_double_closes"])
        rounds = self.options["rounds"]
        assert isinstance(rounds, tuple)
        self.rounds = rounds
        self.start = rounds[0]

    def for_round(self, number: int) -> None:
        self.start = self.rounds[min(number, len(self.rounds) - 1)]

    def hand_size(self) -> int:
        return self._number("hand") or HANDS[self.seats]

    def dealt_from(self) -> int:
        return super().dealt_from() - self.set_aside

    @property
    def set_aside(self) -> bool:
        """A-000-7: a start double that was searched is put aside before the deal."""
        return not self.holder

    def floor(self) -> int:
        return self._number("floor") or (2 if self.seats == 2 else 1)

    def opening_fault(self, tile: str) -> Fault | None:
        if tile == f"{self.start}-{self.start}":
            return None
        return Fault("WRONG_START_DOUBLE", {"n": self.start, "tile": tile})

    def ports_of_set(self, index: int, high: int, low: int) -> tuple[Port, ...]:
        if high != low:
            return super().ports_of_set(index, high, low)
        rays = self.trains_due if self.closes else MOST_RAYS
        return tuple(Port(index, RAY, slot, high) for slot in range(rays))

    def ports_of_double(self, index: int, value: int, own: str) -> tuple[Port, ...]:
        return tuple(Port(index, TOE, slot, value) for slot in range(self._number("toes")))

    def toes_of(self, played: Sequence[Played], index: int) -> bool:
        return played[index].high == played[index].low

    def port_at(self, position: Position, joint: Joint) -> Port | None:
        """Toes and rays lie at angles: any side of the double counts but the one that is in the line."""
        if joint.side in ("a", "b"):
            return super().port_at(position, joint)
        for port in position.ports:
            if port.at == joint.at:
                return port
        return None

    def gate(self, position: Position, high: int, low: int, port: Port) -> Fault | None:
        if position.trains < self.trains_due and port.at != 0:
            return Fault("OPENING_INCOMPLETE", {"k": self.trains_due - position.trains, "n": self.start})
        if position.foot is not None and port.at != position.foot[0]:
            return Fault("FOOT_PENDING", {"d": port_value(position, position.foot[0]), "k": position.foot[1]})
        return None

    def after(self, position: Position, played: Sequence[Played], index: int, port: Port | None) -> Position:
        new = super().after(position, played, index, port)
        tile, foot = played[index], position.foot
        if tile.high == tile.low and tile.joint is not None:
            foot = (index, self._number("toes"))
        elif port is not None and foot is not None and port.at == foot[0]:
            foot = (foot[0], foot[1] - 1) if foot[1] > 1 else None
        return new._replace(foot=foot)

    def no_port(self, position: Position, joint: Joint | None) -> Fault:
        if joint is not None and joint.at == 0 and position.trains >= self.trains_due:
            return Fault("START_DOUBLE_CLOSED", {"n": self.start})
        return super().no_port(position, joint)

    def counted(self, tile: str) -> int:
        return self._blank if tile == "0-0" else pips(tile)

    @property
    def _blank(self) -> int:
        return int(self._word("double_blank"))

    def out(self, winner: int, hands: Sequence[int]) -> Outcome:
        return Outcome(winner, tuple(0 if seat == winner else hands[seat] for seat in range(self.seats)))

    def blocked(self, hands: Sequence[int], counts: Sequence[int]) -> Outcome:
        lowest = min(hands)
        best = [seat for seat in range(self.seats) if hands[seat] == lowest]
        return Outcome(best[0] if len(best) == 1 else None, tuple(hands))

    def match_winners(self, totals: Sequence[int], rounds_won: Sequence[int], rounds: int) -> tuple[int, ...]:
        if rounds < len(self.rounds):
            return ()
        lowest = min(totals)
        best = [seat for seat in range(self.seats) if totals[seat] == lowest]
        if len(best) > 1 and self.options["match_tie"] == "most_rounds_won":
            most = max(rounds_won[seat] for seat in best)
            best = [seat for seat in best if rounds_won[seat] == most]
        return tuple(best)

    def next_starter(self, starter: int, winner: int | None) -> int | None:
        return None


def port_value(position: Position, at: int) -> int:
    """The number of the open ends on a tile."""
    return next(port.value for port in position.ports if port.at == at)
