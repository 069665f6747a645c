"""The tables of the games and where people lay things on them: the chain's next place, the boneyard, hands, groups.

Places are as people choose them: small gaps and angles, chains that turn before the edge, room kept for the other ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random

from table.events import EDGES, Pose, Table, default_strips, is_double
from table.rules.line import Joint, Line
from table.rules.line.contacts import Size, side_of
from table.rules.line.layout import ANY, LONG, OPPOSITE, SHORT, Port
from table.rules.line.space import End, end_of, overlap_mm

LENGTH, WIDTH, THICK = 50.0, 25.0, 9.0
SIZE = Size(LENGTH, WIDTH)
RAY, TOE = "ray", "toe"


def table_for(game: str, seats: int) -> Table:
    """A table with room for a whole round."""
    if game == "tien-gow":
        return Table((900.0, 800.0), LENGTH, 21.0, 9.0, default_strips(seats, LENGTH), None)
    if game == "chicken-foot":
        size, yard = (1500.0, 1100.0), (1170.0, 120.0, 250.0, 640.0)
    else:
        size, yard = (1200.0, 850.0), (950.0, 130.0, 140.0, 590.0)
    return Table(size, LENGTH, WIDTH, THICK, default_strips(seats, LENGTH), yard)


def yard_slots(table: Table) -> list[Pose]:
    """Places of boneyard tiles, lying singly."""
    assert table.boneyard is not None
    x, y, w, h = table.boneyard
    columns, rows = int(w // 62), int(h // 34)
    return [
        Pose(x + (i + 0.5) * w / columns, y + (j + 0.5) * h / rows, 0.0) for j in range(rows) for i in range(columns)
    ]


def strip_places(table: Table, seat: int, count: int, in_by: float = 5.0) -> list[Pose]:
    """Places in a seat's strip for `count` tiles side by side, pointing to the middle, `in_by` mm off the edge."""
    strip = table.seats[seat]
    w, h = table.size_mm
    depth = table.length_mm / 2 + in_by
    pitch = table.width_mm + 5.5
    middle = (strip.span[0] + strip.span[1]) / 2
    places = []
    for k in range(count):
        off = (k - (count - 1) / 2) * pitch
        if strip.edge == "bottom":
            places.append(Pose((1 - middle) * w + off, h - depth, 90.0))
        elif strip.edge == "top":
            places.append(Pose(middle * w + off, depth, 90.0))
        elif strip.edge == "left":
            places.append(Pose(depth, (1 - middle) * h + off, 0.0))
        else:
            places.append(Pose(w - depth, middle * h + off, 0.0))
    return places


def shaken(pose: Pose, rng: Random, mm: float = 1.2, deg: float = 2.5) -> Pose:
    """The pose as a hand lays it."""
    return Pose(pose.x_mm + rng.gauss(0, mm), pose.y_mm + rng.gauss(0, mm), (pose.angle_deg + rng.gauss(0, deg)) % 360)


class NoRoom(Exception):
    """No place on the table for a legal tile: the plan is dropped and made anew."""


class Ground:
    """The free part of a table for a layout."""

    def __init__(self, table: Table, rng: Random, square: bool) -> None:
        """`square`: tiles keep to the axes of the first (games that judge it)."""
        self.table, self.rng, self.square = table, rng, square
        self.axis = 0.0
        w, h = table.size_mm
        deep = {edge: max([8.0, *(s.depth_mm + 2 for s in table.seats if s.edge == edge)]) for edge in EDGES}
        self.left, self.top, self.right, self.bottom = deep["left"], deep["top"], w - deep["right"], h - deep["bottom"]
        self.cost = 0.0  # of the best place found last
        self._before: dict[tuple[int, str], int] = {}

    def first_place(self) -> Pose:
        w, h = self.table.size_mm
        right = self.table.boneyard[0] if self.table.boneyard else w
        turned = self.rng.choice((0.0, 90.0))
        spread = 3.0 if self.square else 8.0
        pose = Pose(
            right / 2 + self.rng.uniform(-40, 40), h / 2 + self.rng.uniform(-40, 40), turned + self.rng.gauss(0, spread)
        )
        self.axis = pose.angle_deg
        return pose

    def inside(self, pose: Pose) -> bool:
        """Whole footprint on the table, off the strips and the boneyard."""
        angle = math.radians(pose.angle_deg)
        c, n = abs(math.cos(angle)), abs(math.sin(angle))
        dx, dy = (c * LENGTH + n * WIDTH) / 2, (n * LENGTH + c * WIDTH) / 2
        x, y = pose.x_mm, pose.y_mm
        if not (self.left <= x - dx and x + dx <= self.right and self.top <= y - dy and y + dy <= self.bottom):
            return False
        if self.table.boneyard is None:
            return True
        bx, by, bw, bh = self.table.boneyard
        return x + dx < bx - 22 or x - dx > bx + bw + 22 or y + dy < by - 22 or y - dy > by + bh + 22

    def is_free(self, pose: Pose, poses: Sequence[Pose | None], clear: float, near: dict[int, float]) -> bool:
        """`clear` mm from all tiles; those in `near` may be as near as said there."""
        if not self.inside(pose):
            return False
        reach = math.hypot(LENGTH, WIDTH) + clear
        for i, other in enumerate(poses):
            if other is None or abs(other.x_mm - pose.x_mm) > reach or abs(other.y_mm - pose.y_mm) > reach:
                continue
            if overlap_mm(pose, other, SIZE) > -near.get(i, clear):
                return False
        return True

    def places(self, line: Line, poses: Sequence[Pose | None], tile: str, port: Port) -> list[tuple[Joint, Pose]]:
        """Where a tile can be laid at a port, the most comfortable first."""
        self._before.clear()
        for clear in (20.0, 13.0, 9.5):
            found = []
            for joint, pose, cost in self._shapes(line, poses, tile, port):
                near = {port.at: -0.2}
                for i, played in enumerate(line.played):
                    if played.joint is not None and played.joint.at == port.at:
                        near[i] = 0.6  # a neighbour on the same tile
                parent = line.played[port.at].joint
                if parent is not None:
                    near[parent.at] = min(clear, 3.0)
                if self.is_free(pose, poses, clear, near):
                    found.append((cost + self._crowding(line, poses, tile, pose, joint), joint, pose))
            if found:
                found.sort(key=lambda entry: entry[0])
                if clear > 10 and found[0][0] >= 40:
                    continue
                self.cost = found[0][0]
                return [(joint, pose) for _, joint, pose in found]
        return []

    def _crowding(self, line: Line, poses: Sequence[Pose | None], tile: str, pose: Pose, joint: Joint) -> float:
        """How much a tile here spoils: its own way on, and the ways of the other ends."""
        with_it = [*poses, pose]
        if is_double(tile) and line.rules.key == "chicken-foot":
            # a foot needs room for its three toes, or nobody can go on
            end = end_of(pose, OPPOSITE[joint.own], SIZE)
            toes = self._ways_to_lie(end, Port(len(poses), TOE, 0, 0), False, True, "", line)
            spots = [Pose(x, y, turn) for (x, y), turn, _ in toes]
            lacking = sum(not self.is_free(spot, with_it, 11.0, {len(poses): -2.0}) for spot in spots)
            return 40.0 * lacking
        sides = [*LONG, *SHORT] if is_double(tile) else ["a", "b"]
        best = 0
        for side in sides:
            if side != joint.own:
                best = max(best, self._ways(pose, side, with_it, len(poses), is_double(tile)))
        cost = 3.0 * (3 - min(best, 3))
        for port in line.position.ports:
            other = poses[port.at]
            if other is None or port.at == joint.at:
                continue
            if math.hypot(other.x_mm - pose.x_mm, other.y_mm - pose.y_mm) > 2.6 * LENGTH:
                continue
            double = is_double(line.played[port.at].tile)
            ways = [port.side] if port.side in (*LONG, *SHORT, "a", "b") else list(LONG)
            before = 0
            for side in ways:
                if (port.at, side) not in self._before:
                    self._before[port.at, side] = self._ways(other, side, poses, port.at, double)
                before = max(before, self._before[port.at, side])
            after = max(self._ways(other, side, with_it, port.at, double) for side in ways)
            cost += 4.0 * (before - after) + (30.0 if before and not after else 0.0)
        return cost

    def _ways(self, pose: Pose, side: str, poses: Sequence[Pose | None], at: int, double: bool) -> int:
        """How many of the plain places at an end are free."""
        end = end_of(pose, side, SIZE)
        along = math.degrees(math.atan2(end.dy, end.dx))
        shapes = [(LENGTH, 0.0, along), (LENGTH / 2 + 2, 0.0, along)]
        if not double:
            shapes += [(WIDTH / 2 + 2, LENGTH / 4, along + 90), (WIDTH / 2 + 2, -LENGTH / 4, along + 90)]
        count = 0
        for out, left, angle in shapes:
            spot = Pose(end.x + end.dx * out - end.dy * left, end.y + end.dy * out + end.dx * left, angle)
            count += self.is_free(spot, poses, 8.0, {at: -0.2})
        return count

    def _shapes(
        self, line: Line, poses: Sequence[Pose | None], tile: str, port: Port
    ) -> Iterator[tuple[Joint, Pose, float]]:
        on = poses[port.at]
        assert on is not None
        parent = line.played[port.at]
        on_double = parent.high == parent.low
        double = is_double(tile)
        high = int(tile.split("-")[0])
        own = "a" if high == port.value else "b"
        for side in self._sides(port, parent.joint):
            end = end_of(on, side, SIZE)
            for centre, direction, cost in self._ways_to_lie(end, port, double, on_double, side, line):
                angle = direction if double or own == "a" else direction + 180
                pose = self._as_laid(centre, angle, end, on)
                mine = own
                if double:
                    mx, my = on.x_mm, on.y_mm
                    if not on_double:
                        halves = on.halves_mm(LENGTH)
                        mx, my = halves[0] if side == "a" else halves[1]
                    mine = side_of(pose, mx, my, SIZE)[0]
                yield Joint(port.at, side, mine), pose, cost + self.rng.random()

    def _sides(self, port: Port, joint: Joint | None) -> tuple[str, ...]:
        if port.side == ANY:
            return tuple(s for s in (*LONG, *SHORT) if joint is None or s != joint.own)
        if port.side == RAY:
            return (*LONG, *SHORT)
        if port.side == TOE:
            assert joint is not None
            return (OPPOSITE[joint.own],)
        return (port.side,)

    def _ways_to_lie(
        self, end: End, port: Port, double: bool, on_double: bool, side: str, line: Line
    ) -> Iterator[tuple[tuple[float, float], float, float]]:
        """Centre, direction from the joining half outwards, and how odd it is to lie so."""
        along = math.degrees(math.atan2(end.dy, end.dx))

        def at(out: float, left: float) -> tuple[float, float]:
            return end.x + end.dx * out - end.dy * left, end.y + end.dy * out + end.dx * left

        rules = line.rules
        if port.side == TOE:
            for k, cost in ((0, 0.0), (1, 0.5), (-1, 0.5)):
                turn = along + 42 * k
                x, y = at(1.0, 22.5 * k)
                ux, uy = math.cos(math.radians(turn)), math.sin(math.radians(turn))
                yield (x + ux * LENGTH / 2, y + uy * LENGTH / 2), turn, cost
            return
        if double:
            yield at(WIDTH / 2, 0.0), along + 90, 0.0
            if not rules.crosswise and port.side not in (RAY, TOE) and not on_double:
                yield at(LENGTH / 2, 0.0), along, 1.5
            return
        yield at(LENGTH / 2, 0.0), along, 0.0
        if not on_double and port.side != RAY:
            if rules.options.get("turns", "allowed") == "allowed":
                yield at(WIDTH / 2, LENGTH / 4), along + 90, 1.2
                yield at(WIDTH / 2, -LENGTH / 4), along - 90, 1.2
            if not self.square:
                for bend in (14.0, -14.0):
                    ux, uy = math.cos(math.radians(along + bend)), math.sin(math.radians(along + bend))
                    yield (end.x + ux * LENGTH / 2, end.y + uy * LENGTH / 2), along + bend, 1.0

    def _as_laid(self, centre: tuple[float, float], angle: float, end: End, on: Pose) -> Pose:
        """With the inaccuracy of a hand, and never into the tile it joins."""
        rng = self.rng
        if self.square:
            angle = self.axis + 90 * round((angle - self.axis) / 90) + max(-6.0, min(6.0, rng.gauss(0, 2.2)))
        else:
            angle += max(-8.0, min(8.0, rng.gauss(0, 3.0)))
        gap, slip = abs(rng.gauss(0, 1.3)), max(-3.0, min(3.0, rng.gauss(0, 1.2)))
        x = centre[0] + end.dx * gap - end.dy * slip
        y = centre[1] + end.dy * gap + end.dx * slip
        pose = Pose(x, y, angle % 360)
        for _ in range(12):
            deep = overlap_mm(pose, on, SIZE)
            if deep <= -0.4:
                break
            x, y = x + end.dx * (deep + 0.6), y + end.dy * (deep + 0.6)
            pose = Pose(x, y, angle % 360)
        return pose
