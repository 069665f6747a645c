"""The boneyard zone: its tiles are only counted, and what its count says about draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pose, TablePlane
from table import events
from table.tracking.surface import cells_of
from vision.motion import Mask, Watch
from vision.sighting import Sighting

PIECE_CELLS = 14
"""Pieces of the zone by which it is found again are so wide and high: about the length of a tile."""


class BoneyardZone:
    """Where face-down tiles wait, or nowhere on a table without one."""

    def __init__(
        self,
        rect_mm: tuple[float, float, float, float] | None,
        plane: TablePlane,
        watch: Watch,
        count: int | None = None,
    ) -> None:
        """`rect_mm`: x, y, width, height. `count`: as known from before."""
        self._rect_mm = rect_mm
        self.cells: Mask = np.zeros(watch.shape, bool)
        if rect_mm is not None:
            x, y, width, height = rect_mm
            outline = plane.to_image([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
            self.cells = cells_of(watch.to_cells(outline), watch.shape)
        self.touched: Mask = np.zeros(watch.shape, bool)
        """Cells of the zone that changed since it was counted."""
        self.count = count
        """How many tiles lie in it, as last counted; None when unknown."""

    @property
    def is_due(self) -> bool:
        """Has it changed since it was counted?"""
        return bool(self.touched.any())

    def touch(self, place: Mask) -> None:
        """Something changed at `place`."""
        self.touched |= self.cells & place

    def outlines(self, reached: Mask) -> list[NDArray[np.float64]]:
        """Square pieces of the zone, (4, 2) in cells, that nobody reached over."""
        rows, columns = (np.flatnonzero(self.cells.any(axis=axis)) for axis in (1, 0))
        if not rows.size:
            return []
        pieces = []
        for top in range(rows[0], rows[-1] - PIECE_CELLS + 2, PIECE_CELLS):
            for left in range(columns[0], columns[-1] - PIECE_CELLS + 2, PIECE_CELLS):
                part = slice(top, top + PIECE_CELLS), slice(left, left + PIECE_CELLS)
                if self.cells[part].all() and not reached[part].any():
                    low, high = np.array([left, top], float), np.array([left, top], float) + PIECE_CELLS
                    pieces.append(np.array([low, [high[0], low[1]], high, [low[0], high[1]]]))
        return pieces

    def holds(self, pose: Pose) -> bool:
        """Does a tile with this pose lie in it?"""
        if self._rect_mm is None:
            return False
        x, y, width, height = self._rect_mm
        return x <= pose.x_mm <= x + width and y <= pose.y_mm <= y + height

    def counted(
        self, sightings: Sequence[Sighting], t: float, seat: int | None, seat_by: events.SeatBy | None, first: bool
    ) -> list[events.Fact]:
        """Facts that follow when these tiles are seen in and around the zone: what was taken or returned, the count."""
        self.touched[:] = False
        inside = [s for s in sightings if s.pose and self.holds(s.pose)]
        count = None if any(s.face == "unclear" for s in inside) else len(inside)
        before, self.count = self.count, count
        if count == before and not (first and before is None):
            return []
        facts: list[events.Fact] = []
        if before is not None and count is not None and count < before:
            facts.append(events.Taken(t=t, seat=seat, seat_by=seat_by, count=before - count))
        elif before is not None and count is not None and count > before:
            facts.append(events.Returned(t=t, seat=seat, seat_by=seat_by, count=count - before))
        return [*facts, events.Boneyard(t=t, count=count)]
