"""A contact sheet of a refereed recording: one small picture an act, the tile outlined, the seats' lights beside it.

A listener for records; it draws only figures, marks and colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.plane import Pose
from table import events
from table.shell.overlay import label, outline
from table.shell.table_setup import TableSetup
from vision.sources.frames import Frame, FrameSource
from vision.sources.pictures import Image

COLUMNS = 4
CELL_PX = (480, 270)
RIGHT, WRONG, GONE, OTHER = (80, 200, 60), (60, 60, 230), (0, 190, 255), (190, 190, 190)
LIGHT_BGR = {
    "green": (80, 200, 60),
    "red": (60, 60, 230),
    "amber": (0, 190, 255),
    "blue": (230, 140, 50),
    "white": (245, 245, 245),
}
OFF_BGR = (70, 70, 70)


class Tapped:
    """Frames as they come, with the latest kept in sight for whoever draws."""

    def __init__(self, frames: FrameSource) -> None:
        self._frames = frames
        self.name, self.size_px, self.length = frames.name, frames.size_px, frames.length
        self.latest: Frame | None = None

    @property
    def fault(self) -> str | None:
        return self._frames.fault

    @fault.setter
    def fault(self, value: str | None) -> None:
        self._frames.fault = value

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._frames:
            self.latest = frame
            yield frame


class ContactSheet:
    """Collects a picture for every act, and writes the sheet at the end."""

    def __init__(self, frames: Tapped) -> None:
        self._frames = frames
        self._setup: TableSetup | None = None
        self._tiles: dict[int, events.OfTile] = {}
        self._wrong: set[int] = set()
        self._lights: dict[int | str, str] = {}
        self._cells: list[Image] = []

    def set_table(self, setup: TableSetup) -> None:
        """The table whose tiles are drawn; known once the recording was opened."""
        self._setup = setup

    def __call__(self, records: Sequence[events.Record]) -> None:
        act: events.OfTile | None = None
        for record in records:
            if isinstance(record, events.OfTile):
                act = record
                self._tiles[record.id] = record
            elif isinstance(record, events.Violation) and record.id is not None:
                if record.status == "open":
                    self._wrong.add(record.id)
                else:
                    self._wrong.discard(record.id)
            elif isinstance(record, events.Light):
                self._lights[record.seat] = record.colour
        if act is not None:
            self._cells.append(self._draw(act))
        if isinstance(act, events.Removed):
            self._tiles.pop(act.id, None)
            self._wrong.discard(act.id)

    def _draw(self, act: events.OfTile) -> Image:
        assert self._setup is not None
        frame = self._frames.latest
        assert frame is not None
        image = frame.image.copy()
        size = image.shape[1] / 640
        for tile in self._tiles.values():
            pose = Pose(tile.at.x_mm, tile.at.y_mm, tile.at.angle_deg)
            length, width, thickness = self._setup.tile_mm
            quad = self._setup.plane.to_image(pose.corners_mm(length, width), thickness)
            latest = tile is act
            colour = WRONG if tile.id in self._wrong else RIGHT if latest else OTHER
            colour = GONE if latest and isinstance(act, events.Removed) else colour
            outline(image, quad, colour, size if latest else size / 2, double=latest)
            if latest:
                name = quad.mean(axis=0) + np.array([0.0, 26.0 * size])
                label(image, tile.tile, name, colour, 1.5 * size)
        cell = np.asarray(cv2.resize(self._play_area(image), CELL_PX, interpolation=cv2.INTER_AREA), np.uint8)
        for seat, strip in enumerate(self._setup.strips):
            width, height = CELL_PX
            along = (strip.span[0] + strip.span[1]) / 2
            place = {
                "bottom": (round(width * (1 - along)), height - 14),
                "top": (round(width * along), 14),
                "left": (14, round(height * (1 - along))),
                "right": (width - 14, round(height * along)),
            }[strip.edge]
            colour = LIGHT_BGR.get(self._lights.get(seat, ""), OFF_BGR)
            cv2.circle(cell, place, 11, (20, 20, 20), -1, cv2.LINE_AA)
            cv2.circle(cell, place, 8, colour, -1, cv2.LINE_AA)
            if act.seat == seat:
                cv2.circle(cell, place, 12, (255, 255, 255), 1, cv2.LINE_AA)
        label(cell, f"{act.t:.1f}", np.array([40.0, 16.0]), (255, 255, 255), 1.2)
        return cell

    def _play_area(self, image: Image) -> Image:
        """The part of the picture around the play area, in the cells' proportions as far as the picture goes."""
        assert self._setup is not None
        corners = self._setup.plane.corners_px()
        middle, half = (corners.min(axis=0) + corners.max(axis=0)) / 2, np.ptp(corners, axis=0) / 2
        wide = max(half[0], half[1] * CELL_PX[0] / CELL_PX[1])
        reach = np.array([wide, wide * CELL_PX[1] / CELL_PX[0]]) * 0.9
        low = np.clip(np.floor(middle - reach), 0, None).astype(int)
        high = np.ceil(middle + reach).astype(int)
        return image[low[1] : high[1], low[0] : high[0]]

    def write(self, path: Path) -> bool:
        """Write the sheet as a picture; False when there was nothing to draw. Raises OSError."""
        if not self._cells:
            return False
        width, height = CELL_PX
        rows = -(-len(self._cells) // COLUMNS)
        gap = 6
        sheet = np.full((rows * (height + gap) + gap, COLUMNS * (width + gap) + gap, 3), 24, np.uint8)
        for number, cell in enumerate(self._cells):
            y = gap + (number // COLUMNS) * (height + gap)
            x = gap + (number % COLUMNS) * (width + gap)
            sheet[y : y + height, x : x + width] = cell
        good, data = cv2.imencode(path.suffix, sheet)
        assert good
        path.write_bytes(data.tobytes())
        return True
