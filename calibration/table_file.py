"""table.toml: the calibrated table as a short file that a person can also write by hand.

Reads, checks and writes; every fault is a `TableFileError` whose text names the file, the key and what to do.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from calibration.plane import TablePlane

Positive = Annotated[float, Meta(gt=0)]
Point = tuple[float, float]
Row = tuple[float, float, float]
Edge = Literal["bottom", "left", "top", "right"]
SetName = Literal["double-six", "double-nine", "double-twelve", "chinese"]

MOST_SEATS = 8
SMALLEST_AREA_MM, LARGEST_AREA_MM = 50.0, 10_000.0
DEFAULT_LENGTH_MM = 50.0
"""Tile length taken where nothing was measured: 48 to 56 mm is what double-six sets are sold in."""


class TableFileError(ValueError):
    """A table.toml that cannot be used; the text says which file, which key, and what to do."""


class Camera(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The lens, for one frame size."""

    size_px: tuple[Annotated[int, Meta(gt=0)], Annotated[int, Meta(gt=0)]]
    matrix: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]] | UnsetType = (
        UNSET
    )
    distortion: tuple[float, float, float, float, float] | UnsetType = UNSET


class PlayArea(Struct, forbid_unknown_fields=True):
    """The rectangle that is watched; corners top left, top right, bottom right, bottom left as imaged."""

    size_mm: tuple[Positive, Positive]
    corners_px: tuple[Point, Point, Point, Point]


class Markers(Struct, forbid_unknown_fields=True):
    """ArUco DICT_4X4_50, ids 0 to 3; the outer corner of each is the area's corner, in that order."""

    size_mm: Positive


class Tiles(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The set on the table; what is absent is measured."""

    set: SetName | UnsetType = UNSET
    length_mm: Positive | UnsetType = UNSET
    width_mm: Positive | UnsetType = UNSET
    thickness_mm: Positive | UnsetType = UNSET


class SeatStrip(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A seat's place: part of an edge (clockwise, 0 to 1) and how deep its strip reaches into the area."""

    edge: Edge
    span: tuple[Annotated[float, Meta(ge=0, le=1)], Annotated[float, Meta(ge=0, le=1)]] = (0.0, 1.0)
    depth_mm: Positive | UnsetType = UNSET


class Boneyard(Struct, forbid_unknown_fields=True):
    """Where face-down tiles wait: x, y, width, height in table mm."""

    rect_mm: tuple[float, float, Positive, Positive]


class TableFile(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """All of table.toml, checked."""

    play_area: PlayArea
    camera: Camera | UnsetType = UNSET
    markers: Markers | UnsetType = UNSET
    tiles: Tiles = msgspec.field(default_factory=Tiles)
    seats: list[SeatStrip] = msgspec.field(default_factory=list)
    boneyard: Boneyard | UnsetType = UNSET

    def plane(self, size_px: tuple[int, int]) -> TablePlane:
        """The table plane for frames of `size_px` (width, height). Raises TableFileError for another size."""
        camera = self.camera
        if camera is UNSET:
            return TablePlane(size_px, self.play_area.size_mm, self.play_area.corners_px)
        if tuple(camera.size_px) != tuple(size_px):
            wanted = "x".join(map(str, camera.size_px))
            raise TableFileError(
                f"the table was calibrated for {wanted} pictures, this one is {size_px[0]}x{size_px[1]}: "
                "calibrate again for this size, or use the camera at the old one"
            )
        matrix = None if camera.matrix is UNSET else camera.matrix
        distortion = None if camera.distortion is UNSET else camera.distortion
        return TablePlane(size_px, self.play_area.size_mm, self.play_area.corners_px, matrix, distortion)

    def tile_mm(self) -> tuple[float, float, float]:
        """Length, width, thickness in mm, with usual proportions for what is not given."""
        given = self.tiles
        length = given.length_mm if given.length_mm is not UNSET else DEFAULT_LENGTH_MM
        width = given.width_mm if given.width_mm is not UNSET else length / 2
        thickness = given.thickness_mm if given.thickness_mm is not UNSET else length / 6
        return float(length), float(width), float(thickness)

    def seat_strips(self, seats: int | None = None) -> list[SeatStrip]:
        """The seats' strips with every depth filled in; `seats` even ones where the file names none.

        Raises TableFileError when `seats` disagrees with the file.
        """
        strips = self.seats
        if strips and seats is not None and seats != len(strips):
            raise TableFileError(
                f"the table has {len(strips)} seats, {seats} were asked for: "
                "leave --seats out or put the right [[seats]] into table.toml"
            )
        if not strips:
            strips = even_seats(seats or 2)
        depth = 1.25 * self.tile_mm()[0]
        return [SeatStrip(s.edge, s.span, depth if s.depth_mm is UNSET else s.depth_mm) for s in strips]


EDGES: tuple[Edge, ...] = ("bottom", "left", "top", "right")
"""Clockwise as imaged, from seat 0."""


def even_seats(count: int) -> list[SeatStrip]:
    """`count` seats (1 to 8) evenly around the edge, clockwise as imaged, seat 0 at the bottom."""
    if count == 2:
        return [SeatStrip("bottom"), SeatStrip("top")]
    on_edge = [0, 0, 0, 0]
    # The long sides of a table (bottom, top) take the second seat first.
    for k in range(count):
        on_edge[k if k < 4 else (0, 2, 1, 3)[k % 4]] += 1
    strips = []
    for edge, sharing in zip(EDGES, on_edge, strict=True):
        strips += [SeatStrip(edge, (k / sharing, (k + 1) / sharing)) for k in range(sharing)]
    return strips


def read_table(path: Path) -> TableFile:
    """Read and check a table.toml. Raises TableFileError with one line for people."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise TableFileError(f"{path}: cannot be read ({fault.strerror}); `dominoref calibrate` writes one") from fault
    try:
        return parse_table(data)
    except TableFileError as fault:
        raise TableFileError(f"{path}: {fault}") from fault


def parse_table(data: bytes) -> TableFile:
    """The table of a table.toml's bytes. Raises TableFileError naming the key."""
    try:
        table = msgspec.toml.decode(data, type=TableFile)
    except msgspec.ValidationError as fault:
        raise TableFileError(_with_key(str(fault))) from fault
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise TableFileError(f"is not valid TOML ({fault}); mend that line") from fault
    _check(table)
    return table


def _with_key(message: str) -> str:
    # msgspec says "Expected `float`, got `str` - at `$.play_area.size_mm[0]`"
    what, _, where = message.partition(" - at `$")
    key = where.strip("`").lstrip(".")
    what = what.replace("Object contains unknown field", "unknown key").replace(
        "Object missing required field", "missing key"
    )
    return (
        f"{what} in [{key}]; see the list of keys in the README"
        if key
        else f"{what}; see the list of keys in the README"
    )


def _check(table: TableFile) -> None:
    for key, value in _numbers(msgspec.to_builtins(table), ""):
        if not math.isfinite(value):
            raise TableFileError(f"{key} is {value}, not a finite number; measure it again or leave it out")
    area = table.play_area
    width, height = area.size_mm
    if not all(SMALLEST_AREA_MM <= side <= LARGEST_AREA_MM for side in (width, height)):
        raise TableFileError(
            f"play_area.size_mm: {width:g} x {height:g} mm is no table; measure its width and height in millimetres"
        )
    if table.boneyard is not UNSET:
        x, y, w, h = table.boneyard.rect_mm
        if min(x + w, width) - max(x, 0) < w / 2 or min(y + h, height) - max(y, 0) < h / 2:
            raise TableFileError("boneyard.rect_mm lies outside the play area; it is x, y, width, height in mm")
    size = (10**6, 10**6) if table.camera is UNSET else table.camera.size_px
    for x, y in area.corners_px:
        # A corner may lie a little outside the picture, not a whole picture away.
        if not (-size[0] <= x <= 2 * size[0] and -size[1] <= y <= 2 * size[1]):
            raise TableFileError(f"play_area.corners_px: ({x:g}, {y:g}) is far outside the picture; calibrate again")
    try:
        TablePlane((1280, 720), area.size_mm, area.corners_px)
    except ValueError as fault:
        raise TableFileError(f"play_area.corners_px: {fault}") from fault
    if table.camera is not UNSET and table.camera.matrix is not UNSET:
        (fx, _, _), (_, fy, _), last = table.camera.matrix
        if fx <= 0 or fy <= 0 or tuple(last) != (0, 0, 1):
            raise TableFileError("camera.matrix must be [[fx,0,cx],[0,fy,cy],[0,0,1]] with positive fx, fy")
    if len(table.seats) > MOST_SEATS:
        raise TableFileError(f"seats: {len(table.seats)} are too many, {MOST_SEATS} is the most")
    for k, strip in enumerate(table.seats):
        if strip.span[0] >= strip.span[1]:
            raise TableFileError(f"seats[{k}].span must rise, such as [0.0, 0.5]")
        if strip.depth_mm is not UNSET and strip.depth_mm > max(width, height):
            raise TableFileError(f"seats[{k}].depth_mm: {strip.depth_mm:g} mm is deeper than the play area")
    length, width, thickness = table.tile_mm()
    if not (10 <= length <= 200 and length / 4 <= width <= length and thickness <= width):
        raise TableFileError(
            f"tiles: {length:g} x {width:g} x {thickness:g} mm is no domino; give length, width and thickness in mm"
        )


def _numbers(value: object, key: str) -> list[tuple[str, float]]:
    if isinstance(value, bool):
        return []
    if isinstance(value, int | float):
        return [(key, float(value))]
    if isinstance(value, dict):
        return [
            pair for name, inner in value.items() for pair in _numbers(inner, f"{key}.{name}" if key else str(name))
        ]
    if isinstance(value, list | tuple):
        return [pair for inner in value for pair in _numbers(inner, key)]
    return []


def table_text(table: TableFile) -> str:
    """The file's text; `parse_table` of it gives the same table again."""
    content = msgspec.to_builtins(table)
    lines: list[str] = []
    for name in ("camera", "play_area", "markers", "tiles", "boneyard"):
        if content.get(name):
            lines += [f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in content[name].items()), ""]
    for strip in content.get("seats", []):
        lines += ["[[seats]]", *(f"{key} = {_toml(value)}" for key, value in strip.items()), ""]
    return "\n".join(lines)


def _toml(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(inner) for inner in value) + "]"
    return repr(value)


def write_table(path: Path, table: TableFile) -> None:
    """Write table.toml at once, so that a crash leaves the old file. Raises OSError."""
    scratch = path.with_name(path.name + ".new")
    scratch.write_text(table_text(table), encoding="utf-8")
    scratch.replace(path)
