"""Which table a recording or camera shows: table.toml, else corner markers, else the tiles themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from msgspec import UNSET

from calibration.from_tiles import table_from_quads
from calibration.plane import TablePlane
from calibration.registration import register
from calibration.solve import Evidence, NotEnough
from calibration.table_file import SeatStrip, TableFile, TableFileError, read_table
from table import events
from table.shell.faults import WRONG_USAGE, Fault
from vision.eye import Eye
from vision.quads import area_px
from vision.sources.frames import Frame

LOOKED_AT = 40
"""So many frames of a recording are searched for markers or tiles, spread over its first part."""
EVERY = 15
"""Frames from one that is searched to the next."""
LEAST_SURE = 0.8
SURE = 0.95
"""A tile read that surely tells the size of all; a first picture often shows only things that look a bit like one."""
SIZE_SPREAD = 2.0
"""Tiles of one set differ in area by no more than this, near and far."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """A table ready for use."""

    plane: TablePlane
    tile_mm: tuple[float, float, float]
    strips: list[SeatStrip]
    boneyard_mm: tuple[float, float, float, float] | None
    set_name: str | None
    source: str
    """Where it came from, in words."""

    def as_events(self) -> events.Table:
        """The sizes that the referee needs."""
        length, width, thickness = self.tile_mm
        strips = tuple(events.Strip(s.edge, float(s.depth_mm or 0), s.span) for s in self.strips)
        return events.Table(self.plane.size_mm, length, width, thickness, strips, self.boneyard_mm)


def setup_from_file(table: TableFile, size_px: tuple[int, int], seats: int | None, source: str) -> TableSetup:
    """The table of a table.toml for frames of `size_px`. Raises Fault."""
    try:
        plane, strips = table.plane(size_px), table.seat_strips(seats)
    except TableFileError as fault:
        raise Fault(f"{source}: {fault}") from fault
    yard = None if table.boneyard is UNSET else table.boneyard.rect_mm
    set_name = None if table.tiles.set is UNSET else table.tiles.set
    return TableSetup(plane, table.tile_mm(), strips, yard, set_name, source)


def find_setup(
    given: Path | None, beside: Path | None, frames: Iterable[Frame], size_px: tuple[int, int], seats: int | None
) -> TableSetup:
    """The table named by the user or lying beside the recording; else found in the first frames. Raises Fault."""
    return find_table(given, beside, frames, size_px, seats)[1]


def find_table(
    given: Path | None, beside: Path | None, frames: Iterable[Frame], size_px: tuple[int, int], seats: int | None
) -> tuple[TableFile, TableSetup]:
    """As `find_setup`, with the content of the table.toml that says the same. Raises Fault."""
    if seats is not None and not 1 <= seats <= 8:
        raise Fault(f"{seats} seats: there can be 1 to 8", WRONG_USAGE)
    path = given or beside
    if path is not None:
        try:
            table = read_table(path)
        except TableFileError as fault:
            raise Fault(str(fault)) from fault
        return table, setup_from_file(table, size_px, seats, str(path))
    eye: Eye | None = None
    doubtful: TableFile | None = None
    for frame in islice(_spread(frames), LOOKED_AT):
        try:
            made = register(frame.image, Evidence(size_px))
        except NotEnough:
            pass
        else:
            return made.table, setup_from_file(made.table, size_px, seats, "the corner markers")
        eye = eye or Eye("auto")
        seen = [s for s in eye.look(frame.image) if s.face != "unclear" and s.confidence >= LEAST_SURE]
        surest = max((s for s in seen if s.face == "up"), key=lambda s: s.confidence, default=None)
        if surest is not None and surest.confidence >= SURE:
            usual = area_px(surest.quad_px)
            alike = [s.quad_px for s in seen if 1 / SIZE_SPREAD < area_px(s.quad_px) / usual < SIZE_SPREAD]
            guessed = table_from_quads(alike, size_px)
            if guessed is not None:
                return guessed, setup_from_file(guessed, size_px, seats, "the size of the tiles (rough)")
        doubtful = doubtful or table_from_quads([s.quad_px for s in seen], size_px)
    if doubtful is not None:
        return doubtful, setup_from_file(doubtful, size_px, seats, "the size of the tiles (very rough)")
    raise Fault(
        "no table.toml, no corner markers and no tiles in the first pictures: "
        "run `dominoref calibrate` and pass its file with --table"
    )


def _spread(frames: Iterable[Frame]) -> Iterable[Frame]:
    for number, frame in enumerate(frames):
        if frame.settled or number % EVERY == 0:
            yield frame
