"""Room on the table and how a tile must lie, for games that judge it (section 9 of the rules).

An end is its middle `c` and the unit vector `d` that points out of it; `n` is its left normal. With a tile's width as
the unit a tile straight on lies at c + d, turned at c + d/2 +- n/2, a double across at c + d/2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from table.events.place import Pose
from table.events.tiles import is_double

from .contacts import Size, axes, in_frame
from .layout import LONG, SHORT, Joint

TOUCH_MM = 0.5  # less overlap than this is measuring error


class End(NamedTuple):
    """An open end on the table: middle of the side in mm, outward direction."""

    x: float
    y: float
    dx: float
    dy: float


class Footprint(NamedTuple):
    kind: str  # straight | left | right | across
    pose: Pose


class Room(NamedTuple):
    """What limits a place: the play area and the footprints that are taken."""

    size_mm: tuple[float, float]
    taken: Sequence[Pose]


def end_of(pose: Pose, side: str, size: Size) -> End:
    """The end at a side of a tile."""
    ux, uy = axes(pose)
    if side in ("a", "short_n"):
        dx, dy, out = -ux, -uy, size.length / 2
    elif side in ("b", "short_s"):
        dx, dy, out = ux, uy, size.length / 2
    elif side == "long_l":
        dx, dy, out = -uy, ux, size.width / 2
    else:
        dx, dy, out = uy, -ux, size.width / 2
    return End(pose.x_mm + dx * out, pose.y_mm + dy * out, dx, dy)


def footprints(end: End, double: bool, on_double: bool, turns: bool, size: Size) -> Iterator[Footprint]:
    """Where a tile may lie at an end."""
    along = math.degrees(math.atan2(end.dy, end.dx))

    def at(out: float, left: float, angle: float) -> Pose:
        return Pose(end.x + end.dx * out - end.dy * left, end.y + end.dy * out + end.dx * left, angle)

    if double:
        yield Footprint("across", at(size.width / 2, 0.0, along + 90))
        return
    yield Footprint("straight", at(size.length / 2, 0.0, along))
    if turns and not on_double:
        yield Footprint("left", at(size.width / 2, size.length / 4, along + 90))
        yield Footprint("right", at(size.width / 2, -size.length / 4, along + 90))


@lru_cache(maxsize=1024)
def corners(pose: Pose, size: Size) -> list[tuple[float, float]]:
    """The footprint's corners in mm."""
    ux, uy = axes(pose)
    lx, ly, wx, wy = ux * size.length / 2, uy * size.length / 2, -uy * size.width / 2, ux * size.width / 2
    x, y = pose.x_mm, pose.y_mm
    return [
        (x - lx - wx, y - ly - wy),
        (x + lx - wx, y + ly - wy),
        (x + lx + wx, y + ly + wy),
        (x - lx + wx, y - ly + wy),
    ]


@lru_cache(maxsize=8192)  # the same ends are looked at again after every tile
def overlap_mm(a: Pose, b: Pose, size: Size) -> float:
    """How deep two tiles of one size lie in one another; negative: how far apart they are, at least."""
    apart = math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) - math.hypot(size.length, size.width)
    if apart > 0:
        return -apart  # further apart than two half diagonals
    deepest = math.inf
    ca, cb = corners(a, size), corners(b, size)
    for pose in (a, b):
        ux, uy = axes(pose)
        for nx, ny in ((ux, uy), (-uy, ux)):
            pa = [x * nx + y * ny for x, y in ca]
            pb = [x * nx + y * ny for x, y in cb]
            deepest = min(deepest, min(max(pa), max(pb)) - max(min(pa), min(pb)))
    return deepest


def outside_mm(pose: Pose, size: Size, area: tuple[float, float]) -> float:
    """How far a footprint sticks out of the play area; negative: how far it stays inside."""
    return max(max(-x, -y, x - area[0], y - area[1]) for x, y in corners(pose, size))


def fits(pose: Pose, size: Size, room: Room, slack_mm: float = TOUCH_MM, joined: int | None = None) -> bool:
    """Whether a footprint is free, give or take the slack (negative: room to spare). `joined` may touch."""
    if outside_mm(pose, size, room.size_mm) > slack_mm:
        return False
    far = math.hypot(*size) - min(slack_mm, 0.0)  # two half diagonals, and the room to spare
    for index, other in enumerate(room.taken):
        if math.hypot(other.x_mm - pose.x_mm, other.y_mm - pose.y_mm) > far:
            continue
        slack = max(slack_mm, TOUCH_MM) if index == joined else slack_mm
        if overlap_mm(pose, other, size) > slack:
            return False
    return True


def askew_deg(angle_deg: float, axis_deg: float) -> float:
    """How far a direction is from being parallel or perpendicular to an axis, 0 to 45."""
    return abs((angle_deg - axis_deg + 45) % 90 - 45)


def across_deg(angle_deg: float, axis_deg: float) -> float:
    """The angle between two lines, 0 to 90."""
    return abs((angle_deg - axis_deg + 90) % 180 - 90)


def pose_faults(
    tile: str, pose: Pose, on: str, on_pose: Pose, joint: Joint, matching: str, axis_deg: float, size: Size,
    tolerance_deg: float, turns: bool, crosswise: bool,
) -> list[str]:  # fmt: skip
    """What is wrong with how a tile lies at an end. `matching` is its own half that must touch (`a`, `b`)."""
    codes: list[str] = []
    if askew_deg(pose.angle_deg, axis_deg) > tolerance_deg:
        codes.append("OFF_AXIS")
    end = end_of(on_pose, joint.side, size)
    along = math.degrees(math.atan2(end.dy, end.dx))
    to_end = across_deg(pose.angle_deg, along)
    frame = Pose(end.x, end.y, along)
    half_w = size.width / 2
    if is_double(tile) and (crosswise or to_end > 45):
        # A double that lies across, because it must or because it may; its long side is centred on the end.
        out, left = in_frame(frame, pose.x_mm, pose.y_mm)
        if crosswise and (to_end < 45 or abs(left) > half_w or joint.own in SHORT):
            codes.append("DOUBLE_NOT_CROSSWISE")
        if abs(out - half_w) > half_w or (not crosswise and abs(left) > half_w):
            codes.append("SIDES_NOT_ADJACENT")
        return codes
    first, second = pose.halves_mm(size.length)
    hx, hy = first if matching == "a" else second
    out, left = in_frame(frame, hx, hy)
    if is_double(on) and joint.side in (*LONG, *SHORT):
        if to_end > 45 or abs(left) > half_w:
            codes.append("TILE_NOT_PERPENDICULAR")
        elif abs(out - half_w) > half_w:
            codes.append("SIDES_NOT_ADJACENT")
        return codes
    if abs(out - half_w) > half_w or abs(left) > half_w:
        codes.append("SIDES_NOT_ADJACENT")
    elif to_end > 45 and not turns:
        codes.append("OFF_AXIS")
    return codes
