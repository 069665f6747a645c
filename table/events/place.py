"""Where things lie: poses on the table, seats' strips, the boneyard.

Table frame of the contract: millimetres from the play area's top left corner as imaged, x right, y down; angles in
degrees from +x towards +y. Pure geometry, no I/O.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

Edge = Literal["bottom", "left", "top", "right"]
EDGES: tuple[Edge, ...] = ("bottom", "left", "top", "right")
# the seats of a table that nobody described, evenly around the edge, clockwise as imaged from the bottom
DEFAULT_EDGES: dict[int, tuple[Edge, ...]] = {
    1: ("bottom",),
    2: ("bottom", "top"),
    3: ("bottom", "left", "top"),
    4: ("bottom", "left", "top", "right"),
}
STRIP_TILES = 1.25  # default depth of a seat's strip in tile lengths


class Pose(msgspec.Struct, frozen=True, gc=False):
    """Centre of a tile's footprint in mm and the direction, in degrees, from the half named first to the second."""

    x_mm: float
    y_mm: float
    angle_deg: float

    def halves_mm(self, length_mm: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Centres of the half named first and of the second, for a tile this long."""
        angle = math.radians(self.angle_deg)
        dx, dy = math.cos(angle) * length_mm / 4, math.sin(angle) * length_mm / 4
        return (self.x_mm - dx, self.y_mm - dy), (self.x_mm + dx, self.y_mm + dy)


class Strip(msgspec.Struct, frozen=True):
    """One seat's zone: a strip along a part of an edge; `span` runs clockwise as imaged, from 0 to 1."""

    edge: Edge
    depth_mm: float
    span: tuple[float, float] = (0.0, 1.0)


class Table(msgspec.Struct, frozen=True):
    """Sizes in mm that the rules of the place need: the play area, one tile, the seats' strips, the boneyard."""

    size_mm: tuple[float, float]
    length_mm: float
    width_mm: float
    thickness_mm: float
    seats: tuple[Strip, ...]
    boneyard: tuple[float, float, float, float] | None = None  # x, y, w, h


def default_strips(seats: int, length_mm: float) -> tuple[Strip, ...]:
    """Strips for a table whose owner described no seats. Raises ValueError for fewer than 1 seat or more than 8."""
    if not 1 <= seats <= 8:
        raise ValueError(f"{seats} seats; there can be 1 to 8")
    depth = STRIP_TILES * length_mm
    if seats <= 4:
        return tuple(Strip(edge, depth) for edge in DEFAULT_EDGES[seats])
    shared = seats - 4  # the first edges are shared by two seats each
    strips: list[Strip] = []
    for i, edge in enumerate(EDGES):
        spans = ((0.0, 0.5), (0.5, 1.0)) if i < shared else ((0.0, 1.0),)
        strips += [Strip(edge, depth, span) for span in spans]
    return tuple(strips)


def default_table(seats: int, size_mm: tuple[float, float] = (900.0, 700.0), boneyard: bool = False) -> Table:
    """A plain table for tests and typed games: 50 x 25 x 9 mm tiles, the boneyard (if any) down the right side."""
    w, h = size_mm
    zone = (w - 230.0, 100.0, 150.0, h - 200.0) if boneyard else None
    return Table(size_mm, 50.0, 25.0, 9.0, default_strips(seats, 50.0), zone)


def _depth_and_along(x: float, y: float, edge: Edge, size_mm: tuple[float, float]) -> tuple[float, float]:
    """Distance from the edge in mm, and the share of the edge passed, walking clockwise as imaged."""
    w, h = size_mm
    if edge == "top":
        return y, x / w
    if edge == "right":
        return w - x, y / h
    if edge == "bottom":
        return h - y, 1 - x / w
    return x, 1 - y / h


def zone_of(x_mm: float, y_mm: float, table: Table) -> int | None:
    """The seat in whose strip a point lies, or None; in a corner of two strips the one whose edge is nearer."""
    best: tuple[float, int] | None = None
    for seat, strip in enumerate(table.seats):
        depth, along = _depth_and_along(x_mm, y_mm, strip.edge, table.size_mm)
        if depth <= strip.depth_mm and strip.span[0] <= along <= strip.span[1] and (best is None or depth < best[0]):
            best = (depth, seat)
    return None if best is None else best[1]


def in_boneyard(x_mm: float, y_mm: float, table: Table) -> bool:
    """Whether a point lies in the marked boneyard; False where none is marked."""
    if table.boneyard is None:
        return False
    x, y, w, h = table.boneyard
    return x <= x_mm <= x + w and y <= y_mm <= y + h
