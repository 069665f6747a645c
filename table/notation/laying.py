"""Where the tiles of a written game lie: which end a move means, and a pose for the tile on an endless table.

A written move names a tile and perhaps an end. `Layout` follows the moves of one round, finds the place a move means
under the game's rules, and lays the tile there as a careful player would: straight on where there is room, else turned
away from what is near. Poses may collide in a crowd of branches; the place that was meant is told with them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from table.events import Pose, halves
from table.rules.line.layout import ANY, ENDS, LONG, OPPOSITE, SHORT, Joint, Line, Port
from table.rules.line.rules import LineRules

from .acts import Play
from .errors import AmbiguousMove, IllegalMove

LENGTH_MM, WIDTH_MM = 50.0, 25.0
_TURNS_DEG = (0, 25, -25, 50, -50)  # how far a tile may be turned from straight on to get out of the way
_ROOM_MM = 300.0  # farther neighbours do not matter
_AHEAD_MM = 30.0  # with so much room straight ahead nobody would turn


class _Edge(NamedTuple):
    """The middle of a tile's side, and the direction that points away from the tile."""

    x_mm: float
    y_mm: float
    out_deg: float
    long: bool = False  # the long side of a double


class Spot(NamedTuple):
    """A tile of the layout: where it lies, its number in the line, and the place it joins (None: it was set)."""

    tile: str
    pose: Pose
    at: int
    joint: Joint | None


class Layout:
    """The tiles of one round as they are written down."""

    def __init__(self, rules: LineRules, middle_mm: tuple[float, float], *, placing_matters: bool = False) -> None:
        self.line = Line(rules)
        self.middle_mm = middle_mm
        self.placing_matters = placing_matters  # two equal ends are then two different places
        self._laid: dict[int, Spot] = {}  # by index in the line

    def open_ends(self) -> list[tuple[int, str]]:
        """Each open end once: its number and the tile it is on."""
        ends = {(port.value, self.line.played[port.at].tile): None for port in self.line.position.ports}
        return list(ends)

    def lay(self, play: Play, line: int = 0) -> Spot:
        """Lay a tile, legal or not, and tell where it lies.

        Raises IllegalMove where the end named does not exist, AmbiguousMove where the move could mean several.
        """
        if not self.line.played:
            if play.on is not None:
                raise IllegalMove(f"{play.tile} on {play.on}: nothing lies on the table yet", line)
            high, low = halves(play.tile)
            pose = Pose(*self.middle_mm, 90.0 if high == low else 0.0)
            return self._put(play.tile, None, pose)
        joints = list(self._joints(play, line))
        if not joints:
            raise IllegalMove(f"no {play.side} side is open for {play.tile}", line)
        joint, pose = max(
            ((joint, pose) for joint in joints for pose in self._poses(play, joint)),
            key=lambda place: self._room(place[1], place[0].at),
        )
        return self._put(play.tile, joint, pose)

    def take_back(self, tile: str, line: int = 0) -> Spot:
        """Take a tile off again; where it lay. Raises IllegalMove when it does not lie there."""
        index = self._index(tile)
        if index is None:
            raise IllegalMove(f"{tile} does not lie on the table, so it can't be taken back", line)
        spot = self._laid.pop(index)
        if index == len(self.line.played) - 1:
            self.line.pop()
        else:
            self.line.take_out(index)
        return spot

    def straighten(self, tile: str, line: int = 0) -> Spot:
        """Lay the tile that was laid last anew, as the game wants it. Raises IllegalMove for another tile."""
        index = self._index(tile)
        if index is None or index != len(self.line.played) - 1:
            raise IllegalMove(f"only the tile laid last can be straightened, and that is not {tile}", line)
        joint = self.line.played[index].joint
        if joint is None:
            return self._laid[index]
        on = self.line.played[joint.at].tile
        self.take_back(tile)
        return self.lay(Play(tile, on), line)

    def _index(self, tile: str) -> int | None:
        return next((index for index, laid in reversed(self._laid.items()) if laid.tile == tile), None)

    def _put(self, tile: str, joint: Joint | None, pose: Pose) -> Spot:
        index = self.line.push(tile, joint)
        spot = self._laid[index] = Spot(tile, pose, index, joint)
        return spot

    def _joints(self, play: Play, line: int) -> Iterator[Joint]:
        """The places the move can mean; all of them are the same move."""
        ports = self._ports(play, line)
        if not ports:
            assert isinstance(play.on, str)
            index = self._index(play.on)
            assert index is not None
            yield from (self._joint(play, Port(index, side, 0, -1)) for side in self._unused(index, play.side))
            return
        for port in ports:
            for side in self._sides(port, play):
                yield self._joint(play, port._replace(side=side))

    def _ports(self, play: Play, line: int) -> list[Port]:
        """The open ends the move can mean; none when it names a tile without one."""
        ports = list(self.line.position.ports)
        high, low = halves(play.tile)
        if isinstance(play.on, str):
            index = self._index(play.on)
            if index is None:
                raise IllegalMove(f"{play.tile} on {play.on}: {play.on} does not lie on the table", line)
            ports = [port for port in ports if port.at == index]
            matching = [port for port in ports if port.value in (high, low)]
            return matching or ports
        if play.on is not None:
            named = [port for port in ports if port.value == play.on]
            if not named:
                raise IllegalMove(f"{play.tile} on {play.on}: no end shows {play.on}; open are {self._said()}", line)
            return self._one_place(play, named, line)
        matching = [port for port in ports if port.value in (high, low)]
        rules, position = self.line.rules, self.line.position
        legal = [port for port in matching if rules.gate(position, high, low, port) is None]
        if not matching:  # somebody laid it all the same; the newest end is as good as any
            if not ports:
                raise IllegalMove(f"no end is open for {play.tile}; write the tile it lies on", line)
            newest = max(port.at for port in ports)
            return [port for port in ports if port.at == newest]
        return self._one_place(play, legal or matching, line)

    def _one_place(self, play: Play, ports: list[Port], line: int) -> list[Port]:
        values = sorted({port.value for port in ports})
        if len(values) > 1:
            choices = tuple(f"{play.tile} on {value}" for value in values)
        elif self.placing_matters and len({port.at for port in ports}) > 1:
            choices = tuple(f"{play.tile} on {self.line.played[at].tile}" for at in sorted({port.at for port in ports}))
        else:
            return ports
        raise AmbiguousMove(f"{play.tile} fits in more than one place; write {' or '.join(choices)}", line, choices)

    def _said(self) -> str:
        values = sorted({port.value for port in self.line.position.ports})
        return " and ".join(map(str, values)) or "none"

    def _unused(self, index: int, side: str | None) -> list[str]:
        """Sides of a tile that nothing touches, for a tile laid where there is no open end."""
        played = self.line.played
        used = {p.joint.side for p in played if p.joint is not None and p.joint.at == index}
        own = played[index].joint
        if own is not None:
            used.add(own.own)
        double = played[index].high == played[index].low
        every = (SHORT + LONG if side is None else SHORT if side == "short" else LONG) if double else ENDS
        return [side for side in every if side not in used] or list(every)

    def _sides(self, port: Port, play: Play) -> list[str]:
        """The sides of the tile that an open end stands for."""
        played = self.line.played[port.at]
        if port.side != ANY:
            return [port.side] if play.side is None or port.side in _named(play.side) else []
        own = None if played.joint is None else played.joint.own
        if own is None:  # the first double, not joined yet: its long sides are the ends
            return list(_named(play.side or "long"))
        return [OPPOSITE[own]] if play.side is None else [s for s in _named(play.side) if s != own]

    def _joint(self, play: Play, port: Port) -> Joint:
        high, low = halves(play.tile)
        if high == low:
            own = SHORT[0] if play.lying == "in line" else LONG[0]
        else:
            own = "b" if low == port.value and high != port.value else "a"
        return Joint(port.at, port.side, own)

    def _edge(self, joint: Joint) -> list[_Edge]:
        """The places on a laid tile that a joint can mean, as far as they are free."""
        laid = self._laid[joint.at]
        x, y, angle = laid.pose.x_mm, laid.pose.y_mm, laid.pose.angle_deg
        played = self.line.played[joint.at]

        def edge(turn_deg: float) -> _Edge:
            out = math.radians(angle + turn_deg)
            long = abs(turn_deg) == 90.0
            reach = WIDTH_MM / 2 if long else LENGTH_MM / 2
            return _Edge(x + reach * math.cos(out), y + reach * math.sin(out), angle + turn_deg, long)

        fixed = {"a": 180.0, "b": 0.0, SHORT[0]: 180.0, SHORT[1]: 0.0, LONG[0]: -90.0, LONG[1]: 90.0}
        if joint.side in fixed:
            return [edge(fixed[joint.side])]
        if played.joint is None:  # rays of the start double
            return [edge(turn) for turn in (-90.0, 90.0, 0.0, 180.0)]
        far = OPPOSITE[played.joint.own]  # toes
        return [edge(fixed[far])]

    def _poses(self, play: Play, joint: Joint) -> Iterator[Pose]:
        """Poses for a tile at a joint, the ones a player would think of first in front."""
        own_deg = 180.0 if joint.own == "b" else 0.0  # the half named second touches: the tile points back
        fanned = joint.side not in (*ENDS, *LONG, *SHORT)
        for edge in self._edge(joint):
            if joint.own in LONG:
                yield _beyond(edge, WIDTH_MM / 2, turn_deg=-90.0)  # its first long side faces back
            elif play.bend is not None and joint.own not in SHORT:
                yield _bent(edge, play.bend, own_deg)
            elif self.placing_matters or play.bend is not None:
                yield _beyond(edge, LENGTH_MM / 2, turn_deg=own_deg)
            elif fanned:
                yield from _fan(edge, own_deg) if edge.long else [_beyond(edge, LENGTH_MM / 2, own_deg)]
            else:
                yield from (_askew(edge, turn, own_deg) for turn in _TURNS_DEG)
                if joint.side in ENDS:  # a tile across the side of a double could be taken for one on its other side
                    yield from (_bent(edge, bend, own_deg) for bend in ("left", "right"))

    def _room(self, pose: Pose, at: int) -> tuple[float, float]:
        """How good a pose is: how far from what it does not join, then how much room is left for what comes next."""
        others = [laid for laid in self._laid.values() if laid.at != at]
        near = min((_gap(pose, laid.pose) for laid in others), default=WIDTH_MM)
        parent = self._laid[at].pose
        away = math.atan2(pose.y_mm - parent.y_mm, pose.x_mm - parent.x_mm)
        x, y = pose.x_mm + LENGTH_MM * 1.5 * math.cos(away), pose.y_mm + LENGTH_MM * 1.5 * math.sin(away)
        ahead = Pose(x, y, math.degrees(away))
        return min(near, WIDTH_MM / 2), min([_AHEAD_MM, *(_gap(ahead, laid.pose) for laid in others)])


def _named(side: str) -> tuple[str, ...]:
    return LONG if side == "long" else SHORT


def _beyond(edge: _Edge, reach_mm: float, turn_deg: float) -> Pose:
    out = math.radians(edge.out_deg)
    x, y = edge.x_mm + reach_mm * math.cos(out), edge.y_mm + reach_mm * math.sin(out)
    return _pose(x, y, edge.out_deg + turn_deg)


def _askew(edge: _Edge, turn_deg: float, own_deg: float) -> Pose:
    """Away from the edge, turned a little, its near corner touching."""
    gap = WIDTH_MM / 2 * abs(math.sin(math.radians(turn_deg)))
    x = edge.x_mm + gap * math.cos(math.radians(edge.out_deg))
    y = edge.y_mm + gap * math.sin(math.radians(edge.out_deg))
    return _beyond(_Edge(x, y, edge.out_deg + turn_deg), LENGTH_MM / 2, own_deg)


def _bent(edge: _Edge, bend: str, own_deg: float) -> Pose:
    """Across the line, the touching half in front of the edge. Left as seen along the line, on the image's axes."""
    out = math.radians(edge.out_deg)
    side_deg = edge.out_deg + (-90.0 if bend == "left" else 90.0)
    side = math.radians(side_deg)
    x = edge.x_mm + WIDTH_MM / 2 * (math.cos(out) + math.cos(side))
    y = edge.y_mm + WIDTH_MM / 2 * (math.sin(out) + math.sin(side))
    return _pose(x, y, side_deg + own_deg)


def _fan(edge: _Edge, own_deg: float) -> Iterator[Pose]:
    """Three tiles side by side on the long side of a double: one straight, two turned out at its corners."""
    yield _beyond(edge, LENGTH_MM / 2, own_deg)
    out = math.radians(edge.out_deg)
    for turn in (45.0, -45.0):
        side = math.radians(edge.out_deg + math.copysign(90.0, turn))
        # clear of the middle toe and of a tile at the short side: worked out for tiles twice as long as wide
        x = edge.x_mm + WIDTH_MM * (0.40 * math.cos(out) + 0.90 * math.cos(side))
        y = edge.y_mm + WIDTH_MM * (0.40 * math.sin(out) + 0.90 * math.sin(side))
        yield _beyond(_Edge(x, y, edge.out_deg + turn), LENGTH_MM / 2, own_deg)


def _pose(x_mm: float, y_mm: float, angle_deg: float) -> Pose:
    return Pose(round(x_mm, 3), round(y_mm, 3), round(angle_deg % 360.0, 3))


def _gap(one: Pose, other: Pose) -> float:
    """The distance between two tiles in mm along the best separating direction; negative when they overlap."""
    if math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > _ROOM_MM:
        return _ROOM_MM
    best = -math.inf
    for axis_deg in (one.angle_deg, one.angle_deg + 90.0, other.angle_deg, other.angle_deg + 90.0):
        axis = math.radians(axis_deg)
        apart = abs((one.x_mm - other.x_mm) * math.cos(axis) + (one.y_mm - other.y_mm) * math.sin(axis))
        best = max(best, apart - _half(one, axis) - _half(other, axis))
    return best


def _half(pose: Pose, axis: float) -> float:
    """Half a tile's extent along a direction."""
    angle = math.radians(pose.angle_deg) - axis
    return LENGTH_MM / 2 * abs(math.cos(angle)) + WIDTH_MM / 2 * abs(math.sin(angle))
