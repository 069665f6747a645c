"""What a line game decides, and what all line games share.

`LineRules` is the small object a game brings: sizes, what opens where, what bars a play, what a round scores. It holds
no state; positions come in, values go out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from table.events.tiles import halves, pips, tiles_of

from ..options import Value
from .layout import ANY, ENDS, LONG, OPPOSITE, SHORT, Joint, Line, Played, Port, Position

DrawRule = Literal["none", "one", "until_playable"]


class Fault(NamedTuple):
    """What is wrong with an act: the code and what fills its sentence."""

    code: str
    args: dict[str, Any]


class Outcome(NamedTuple):
    """A round's result: the winner (None: nobody) and what each seat scores."""

    winner: int | None
    scores: tuple[int, ...]


def start_rank(tile: str) -> tuple[bool, int, int]:
    """Order of tiles for the start: doubles by number, then the others by pips, then by the higher half (A-003-10)."""
    high, low = halves(tile)
    return high == low, high + low, high


class LineRules:
    """The defaults of a line game; the games override what they do otherwise."""

    key = "line"
    set_name = "double-six"
    low_wins = False
    scores_in_play = False  # `points` are given for every play, and told at once
    start_shown_by_hands = False  # who had to start is known only from all that everybody held
    fewest, most = 2, 4  # players

    def __init__(self, seats: int, options: Mapping[str, Value]) -> None:
        """Raises ValueError when so many cannot play."""
        if not self.fewest <= seats <= self.most:
            span = str(self.fewest) if self.fewest == self.most else f"{self.fewest} to {self.most}"
            raise ValueError(f"{self.key} is for {span} players, not {seats}")
        self.seats = seats
        self.options = dict(options)
        self.faces = tiles_of(self.set_name)
        self.draw: DrawRule = self._word("draw")  # type: ignore[assignment]
        self.crosswise = self.options.get("doubles_orientation") == "crosswise"
        self.enforce_space = self.options.get("space") == "enforce"
        self.step = 1 if self.options["direction"] == "cw" else -1
        if seats * self.hand_size() > self.dealt_from():
            raise ValueError(
                f"{seats} hands of {self.hand_size()} are more than the {self.dealt_from()} tiles dealt from"
            )

    def _word(self, key: str) -> str:
        return str(self.options[key])

    def _number(self, key: str) -> int:
        value = self.options[key]
        assert isinstance(value, int)
        return value

    # sizes

    def hand_size(self) -> int:
        return self._number("hand")

    def dealt_from(self) -> int:
        """Tiles that the hands and the boneyard share."""
        return sum(self.faces.values())

    def yard_after_deal(self) -> int:
        return self.dealt_from() - self.seats * self.hand_size()

    def floor(self) -> int:
        """Boneyard tiles that are never drawn."""
        return self._number("floor")

    def next_seat(self, seat: int) -> int:
        return (seat + self.step) % self.seats

    # opening

    def for_round(self, number: int) -> None:
        """Told when a round begins (counted from 0)."""

    def opening_fault(self, tile: str) -> Fault | None:
        """What is wrong with a tile as the first of a round, as far as the tile alone shows it."""
        return None

    def outranks(self, tile: str, winner: str) -> bool:
        """Whether holding `tile` would have won the start from `winner`."""
        return False

    @property
    def set_aside(self) -> bool:
        """Whether the first tile was put aside before the deal, so that setting it is nobody's turn."""
        return False

    def by_rank(self) -> bool:
        """Whether the first tile of a match is the highest one that anybody holds."""
        highest = self.options["starter_method"] in ("highest", "highest_double")
        return highest and self.options.get("open_with_qualifier", True) is True

    def leads(self, hand: Sequence[str]) -> list[str]:
        """The tiles of a hand that may open a round whose starter was found by the game's method."""
        fitting = [tile for tile in hand if self.opening_fault(tile) is None]
        if not self.by_rank():
            return fitting
        return [tile for tile in fitting if not any(self.outranks(other, tile) for other in hand)]

    # joining

    def ports_of_set(self, index: int, high: int, low: int) -> tuple[Port, ...]:
        """What the first tile of a round opens."""
        if high != low:
            return (Port(index, "a", 0, high), Port(index, "b", 0, low))
        return (Port(index, LONG[0], 0, high), Port(index, LONG[1], 0, high))

    def ports_of_double(self, index: int, value: int, own: str) -> tuple[Port, ...]:
        """What a joined double opens; `own` is its side that touches the line."""
        return (Port(index, OPPOSITE[own], 0, value),)

    def toes_of(self, played: Sequence[Played], index: int) -> bool:
        """Whether several tiles may be joined side by side, at angles, to the tile with that index."""
        return False

    def port_at(self, position: Position, joint: Joint) -> Port | None:
        """The open end that a contact means."""
        for port in position.ports:
            if port.at == joint.at and port.side in (joint.side, ANY):
                return port
        return None

    def gate(self, position: Position, high: int, low: int, port: Port) -> Fault | None:
        """A bar on a play that otherwise matches."""
        return None

    def after(self, position: Position, played: Sequence[Played], index: int, port: Port | None) -> Position:
        """The position once the tile at `index` lies. `port` is the end it covers, None for a set or stray tile."""
        tile = played[index]
        ports = position.ports
        if port is not None:
            ports = self.without(position, port, tile.joint)
        ports = ports + self.opened(played, index)
        unlocked = position.unlocked | 1 << tile.high if tile.high == tile.low else position.unlocked
        trains = position.trains + (port is not None and port.at == 0)
        return Position(ports, unlocked, trains, position.foot, position.spinner)

    def without(self, position: Position, port: Port, joint: Joint | None) -> tuple[Port, ...]:
        """The open ends without one; a double whose sides were not fixed yet is fixed by its first join."""
        at = position.ports.index(port)
        left = position.ports[:at] + position.ports[at + 1 :]
        if port.side != ANY:
            return left
        side = joint.side if joint is not None and joint.side != ANY else LONG[0]
        return tuple(p._replace(side=OPPOSITE[side]) if p.at == port.at and p.side == ANY else p for p in left)

    def opened(self, played: Sequence[Played], index: int) -> tuple[Port, ...]:
        tile = played[index]
        if tile.joint is None:
            return self.ports_of_set(index, tile.high, tile.low)
        own = tile.joint.own
        if tile.high != tile.low:
            far = OPPOSITE[own]
            return (Port(index, far, 0, tile.high if far == "a" else tile.low),)
        return self.ports_of_double(index, tile.high, own)

    # judging

    def check(self, line: Line, tile: str, joint: Joint | None) -> list[Fault]:
        """Section 3.3 of the rules without turn and place, in its order; the first is the primary fault."""
        if tile not in self.faces:
            return [Fault("FOREIGN_TILE", {"tile": tile})]
        if tile in line.faces:
            return [Fault("DUPLICATE_TILE", {"tile": tile})]
        if not line.played:
            fault = self.opening_fault(tile)
            return [] if fault is None else [fault]
        port = None if joint is None else self.port_at(line.position, joint)
        if joint is None or port is None:
            return [self.no_port(line.position, joint)]
        high, low = halves(tile)
        touching = high if joint.own == "a" else low
        faults = []
        if port.value not in (high, low):
            faults.append(Fault("END_MISMATCH", {"tile": tile, "v": port.value}))
        elif touching != port.value and not self.enforce_space:
            # the tile has the number but lies the wrong way round; with placement judged it is a fault of the pose
            faults.append(Fault("END_MISMATCH", {"tile": tile, "v": port.value, "touching": touching}))
        barred = self.gate(line.position, high, low, port)
        if barred is not None:
            faults.append(barred)
        if self.crosswise and (fault := self.orientation_fault(line, tile, joint)) is not None:
            faults.append(fault)
        return faults

    def no_port(self, position: Position, joint: Joint | None) -> Fault:
        return Fault("NOT_AN_OPEN_END", {})

    def orientation_fault(self, line: Line, tile: str, joint: Joint) -> Fault | None:
        """Where doubles lie crosswise: a double that joins with its short side."""
        high, low = halves(tile)
        if high == low and joint.own in SHORT:
            return Fault("DOUBLE_NOT_CROSSWISE", {"tile": tile})
        return None

    # scoring

    def points(self, position: Position, played: Sequence[Played]) -> int:
        """What the play that led here scores at once, in a game that `scores_in_play`."""
        return 0

    def counted(self, tile: str) -> int:
        """What a tile left in hand counts."""
        return pips(tile)

    def out(self, winner: int, hands: Sequence[int]) -> Outcome:
        """The score when a seat went out; `hands` are the points left in each seat's hand."""
        return Outcome(winner, tuple(sum(hands) if seat == winner else 0 for seat in range(self.seats)))

    def blocked(self, hands: Sequence[int], counts: Sequence[int]) -> Outcome:
        """The score of a blocked round; `counts` are the tiles left in each hand."""
        lowest = min(hands)
        best = [seat for seat in range(self.seats) if hands[seat] == lowest]
        if len(best) > 1 and self.options.get("blocked_tie") == "fewest_tiles":
            fewest = min(counts[seat] for seat in best)
            best = [seat for seat in best if counts[seat] == fewest]
        if len(best) > 1:
            return Outcome(None, (0,) * self.seats)
        winner = best[0]
        others = sum(hands) - hands[winner]
        if self.options.get("blocked_score") == "difference":
            others = sum(points - lowest for points in hands)
        return Outcome(winner, tuple(others if seat == winner else 0 for seat in range(self.seats)))

    def match_winners(self, totals: Sequence[int], rounds_won: Sequence[int], rounds: int) -> tuple[int, ...]:
        """Who won the match, after a round; empty while it goes on."""
        best = max(totals)
        if best < self._number("target"):
            return ()
        return tuple(seat for seat in range(self.seats) if totals[seat] == best)

    def next_starter(self, starter: int, winner: int | None) -> int | None:
        """Who starts the next round; None: it is found out anew."""
        how = self.options.get("next_starter", "method")
        if how == "winner":
            return starter if winner is None else winner
        return self.next_seat(starter) if how == "alternate" else None


def sides_of(high: int, low: int) -> tuple[str, ...]:
    """All sides of a tile where another may touch it."""
    return (*LONG, *SHORT) if high == low else ENDS
