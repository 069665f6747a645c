"""The layout: a tree of joined tiles and the open ends they leave.

A `Position` is a frozen value (cheap to keep and to compare); a `Line` is the tiles played and a stack of positions, so
that `push` and `pop` cost no more than the tuples they hand on. What opens where is the game's business (`LineRules`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from table.events.tiles import halves

if TYPE_CHECKING:
    from .rules import Fault, LineRules

ANY = "*"  # a side that the next join picks
ENDS = ("a", "b")  # the higher half of a tile that is no double, and the lower
LONG = ("long_l", "long_r")
SHORT = ("short_n", "short_s")
OPPOSITE = {"a": "b", "b": "a", "long_l": "long_r", "long_r": "long_l", "short_n": "short_s", "short_s": "short_n"}


class Port(NamedTuple):
    """One place on the tile `at` (its index in the layout) where a tile showing `value` may be joined."""

    at: int
    side: str
    slot: int
    value: int


class Joint(NamedTuple):
    """How a tile meets the layout: which of its own sides touches which side of the tile `at`."""

    at: int
    side: str
    own: str


class Played(NamedTuple):
    tile: str
    high: int
    low: int
    joint: Joint | None  # None: the tile that was set


class Position(NamedTuple):
    """Everything about a layout that decides what may be played next."""

    ports: tuple[Port, ...] = ()
    unlocked: int = 0  # bit v: the double v-v lies
    trains: int = 0  # tiles joined to the double that was set
    foot: tuple[int, int] | None = None  # the double that is owed toes, and how many
    spinner: int | None = None  # the double with four sides, in games with one

    def values(self) -> list[int]:
        """The open ends' numbers, sorted."""
        return sorted(port.value for port in self.ports)


class Line:
    """A layout under one game's rules. The tiles' index in `played` is their name here."""

    __slots__ = ("_covered", "_gone", "_stack", "faces", "played", "position", "rules")

    def __init__(self, rules: LineRules) -> None:
        self.rules = rules
        self.played: list[Played] = []
        self.position = Position()
        self.faces: set[str] = set()
        self._stack: list[tuple[Position, bool]] = []
        self._covered: list[Port | None] = []  # the end that each tile was joined to
        self._gone: set[int] = set()  # tiles that were taken out

    def copy(self) -> Line:
        """The same layout, to try things on; nothing in it is shared that could change."""
        other = Line.__new__(Line)
        other.rules, other.position = self.rules, self.position
        other.played, other.faces, other._stack = self.played.copy(), self.faces.copy(), self._stack.copy()
        other._covered, other._gone = self._covered.copy(), self._gone.copy()
        return other

    def __len__(self) -> int:
        return len(self.played)

    def port_at(self, joint: Joint) -> Port | None:
        """The open end at that place, or None."""
        return self.rules.port_at(self.position, joint)

    def joint_for(self, port: Port, tile: str) -> Joint:
        """How a tile joins a port when nothing tells: with the half that matches, a double crosswise."""
        high, low = halves(tile)
        return Joint(port.at, port.side, LONG[0] if high == low else "a" if high == port.value else "b")

    def check(self, tile: str, joint: Joint | None) -> list[Fault]:
        """What is wrong with a tile joined so, the first the most important. Empty: nothing."""
        return self.rules.check(self, tile, joint)

    def push(self, tile: str, joint: Joint | None = None, port: Port | None = None) -> int:
        """Play a tile, legal or standing in spite of a fault; its index. `port` defaults to the one at the joint."""
        high, low = halves(tile)
        index = len(self.played)
        played = Played(tile, high, low, joint)
        if joint is not None and port is None:
            port = self.rules.port_at(self.position, joint)
        self._stack.append((self.position, tile not in self.faces))
        self.played.append(played)
        self._covered.append(port)
        self.faces.add(tile)
        self.position = self.rules.after(self.position, self.played, index, port)
        return index

    def pop(self) -> Played:
        """Take the tile played last off again."""
        self.position, new = self._stack.pop()
        played = self.played.pop()
        self._covered.pop()
        self._gone.discard(len(self.played))
        if new:
            self.faces.discard(played.tile)
        return played

    def take_out(self, index: int) -> None:
        """A tile that lies no more, though play went on: its ends go, the end it covered is open again.

        A double owes no toes any more; one that lost a toe may have another, but is owed none for it.
        """
        gone, covered, position = self.played[index], self._covered[index], self.position
        self._gone.add(index)
        ports = tuple(port for port in position.ports if port.at != index)
        if covered is not None and covered.at not in self._gone:
            side = gone.joint.side if gone.joint is not None and covered.side == ANY else covered.side
            ports = (*ports, covered._replace(side=side))
        foot = None if position.foot is not None and position.foot[0] == index else position.foot
        self.position = position._replace(ports=ports, foot=foot)
        if sum(played.tile == gone.tile for played in self.played) == 1:
            self.faces.discard(gone.tile)

    def plays(self, tiles: Iterable[str]) -> Iterator[tuple[str, Port | None]]:
        """The legal plays among some tiles, one by one: tile and end (None: the first tile)."""
        rules, position = self.rules, self.position
        if not self.played:
            for tile in tiles:
                if rules.opening_fault(tile) is None:
                    yield tile, None
            return
        seen: set[tuple[int, str, int]] = set()
        ports = []
        for port in position.ports:
            if port[:2] + port[3:] not in seen:  # several slots of one side are one place to play
                seen.add(port[:2] + port[3:])
                ports.append(port)
        for tile in tiles:
            if tile in self.faces:
                continue
            high, low = halves(tile)
            for port in ports:
                if port.value in (high, low) and rules.gate(position, high, low, port) is None:
                    yield tile, port

    def playable(self, tiles: Iterable[str]) -> frozenset[str]:
        """Those tiles for which some legal play exists."""
        return frozenset(tile for tile, _ in self.plays(tiles))
