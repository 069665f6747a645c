"""Which tile and side a newly laid tile meets, from poses in millimetres.

People lay tiles with gaps of several millimetres and some degrees askew, so the half whose centre lies nearest decides,
and where two readings are about as near the caller may let the rules choose. Nothing here knows what is allowed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from table.events.place import Pose
from table.events.tiles import halves

from .layout import Joint

REACH_W = 0.9  # gap up to which two tiles still meet, in tile widths; further apart a tile lies by itself
ABOUT_AS_NEAR_W = 0.2  # a half turned round a corner is 0.41 widths further away than the one that joins
CORNER_W = 0.3  # a touch at a double's corner may mean either side


class Size(NamedTuple):
    """One tile, mm."""

    length: float
    width: float


class Laid(NamedTuple):
    """A tile on the table: its index in the layout, name and pose."""

    at: int
    tile: str
    pose: Pose


class Contact(NamedTuple):
    joint: Joint
    off_w: float  # how much further than touching half to half, in tile widths; negative where they overlap


@lru_cache(maxsize=1024)
def axes(pose: Pose) -> tuple[float, float]:
    """Unit vector from the first half to the second; (-y, x) of it is the tile's left, towards `long_l`."""
    angle = math.radians(pose.angle_deg)
    return math.cos(angle), math.sin(angle)


def in_frame(pose: Pose, x: float, y: float) -> tuple[float, float]:
    """A point in a tile's own frame, mm: along it (towards the second half) and across (towards `long_l`)."""
    ux, uy = axes(pose)
    dx, dy = x - pose.x_mm, y - pose.y_mm
    return dx * ux + dy * uy, dy * ux - dx * uy


def side_of(pose: Pose, x: float, y: float, size: Size) -> tuple[str, str | None]:
    """The side of a double that a point outside it faces, and the other one when it lies off a corner."""
    u, v = in_frame(pose, x, y)
    over_u, over_v = abs(u) - size.length / 2, abs(v) - size.width / 2
    short = "short_s" if u > 0 else "short_n"
    long = "long_l" if v > 0 else "long_r"
    first, second = (short, long) if over_u > over_v else (long, short)
    corner = min(over_u, over_v) > 0 and abs(over_u - over_v) < CORNER_W * size.width
    return first, second if corner else None


def gap_mm(pose: Pose, x: float, y: float, size: Size) -> float:
    """Distance from a point to a tile's footprint; 0 inside."""
    u, v = in_frame(pose, x, y)
    return math.hypot(max(abs(u) - size.length / 2, 0.0), max(abs(v) - size.width / 2, 0.0))


@lru_cache(maxsize=1024)  # tiles that lie are looked at again with every tile that comes
def _nodes(tile: str, pose: Pose, size: Size) -> tuple[tuple[str, float, float], ...]:
    first, second = pose.halves_mm(size.length)
    nodes = (("a", *first), ("b", *second))
    high, low = halves(tile)
    return nodes if high != low else (*nodes, ("m", pose.x_mm, pose.y_mm))


def meets(tile: str, pose: Pose, laid: Iterable[Laid], size: Size, reach_w: float = REACH_W) -> bool:
    """Whether a tile lying so touches any other: whether `contacts` would find something."""
    width, far = size.width, size.length + 2 * size.width
    nodes = _nodes(tile, pose, size)
    return any(
        gap_mm(other.pose, x, y, size) - width / 2 <= reach_w * width
        for other in laid
        if abs(other.pose.x_mm - pose.x_mm) <= far and abs(other.pose.y_mm - pose.y_mm) <= far
        for _, x, y in nodes
    )


def contacts(tile: str, pose: Pose, laid: Iterable[Laid], size: Size, reach_w: float = REACH_W) -> list[Contact]:
    """Every way in which a tile lying so meets others, the best touch first; empty when it meets nothing."""
    found: list[Contact] = []
    width = size.width
    nodes = _nodes(tile, pose, size)
    high, low = halves(tile)
    double = high == low
    far = size.length + 2 * width
    for other in laid:
        if abs(other.pose.x_mm - pose.x_mm) > far or abs(other.pose.y_mm - pose.y_mm) > far:
            continue
        others = _nodes(other.tile, other.pose, size)
        other_double = len(others) == 3
        best: dict[tuple[str, str], float] = {}
        for own, x, y in nodes:
            if gap_mm(other.pose, x, y, size) - width / 2 > reach_w * width:
                continue
            apart, name, ox, oy = min((math.hypot(ox - x, oy - y), name, ox, oy) for name, ox, oy in others)
            off = apart / width - 1
            if other_double:
                side, second = side_of(other.pose, x, y, size)
                sides = [(side, off)] if second is None else [(side, off), (second, off + 0.1)]
            else:
                sides = [(name, off)]
            if double:
                mx, my = (other.pose.x_mm, other.pose.y_mm) if other_double else (ox, oy)
                own = side_of(pose, mx, my, size)[0]
            for side, distance in sides:
                best[side, own] = min(distance, best.get((side, own), math.inf))
        found += [Contact(Joint(other.at, side, own), off) for (side, own), off in best.items()]
    found.sort(key=lambda contact: (abs(contact.off_w), contact.joint))
    return found
