"""Watches during play whether the camera still sees the table as calibrated, by the corner markers.

Time comes with the pictures. A movement counts once two looks agree on it, so a camera that still swings, or an arm
over a marker, changes nothing; with looks 0.7 s apart that is within 2 s of the bump. Without markers use
`drift.drift_of_tiles` with the tiles that lie still.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.drift import Drift, drift_of_markers, expected_markers, registered_by_markers
from calibration.markers import find_markers, follow_markers
from calibration.plane import Array, TablePlane
from calibration.table_file import TableFile

EVERY_S = 0.7
SAME_MM = 1.0
"""Two looks agree when the table lies where it lay to within this."""
FEWEST_FOLLOWED = 2
"""With fewer markers where they were, all of them are searched for."""


@dataclass(frozen=True, slots=True)
class Bump:
    """The camera or the table was moved."""

    drift: Drift
    """How far, in the table as it was."""
    table: TableFile | None
    """The table as it is seen now, or None when too few markers are seen to tell: somebody has to calibrate."""


class CameraWatch:
    """Keeps the calibration in step with the camera."""

    def __init__(self, table: TableFile, size_px: tuple[int, int]) -> None:
        """For frames of `size_px`. A table without markers is never found to have moved."""
        self.table = table
        self.plane: TablePlane = table.plane(size_px)
        self._size_px = size_px
        self._expected: dict[int, Array] = {}
        if table.markers:
            self._expected = expected_markers(self.plane, table.markers.size_mm)
        self._next_t = 0.0
        self._moved: dict[int, Array] | None = None
        self._told_lost = False

    def look(self, image: NDArray[np.uint8], t: float) -> Bump | None:
        """Look at a frame (height, width, 3) BGR at time `t` in seconds; a bump, once, when there was one.

        Afterwards `table` and `plane` are the new ones, if they could be found. Most frames are not looked at.
        """
        if not self._expected or t < self._next_t:
            return None
        self._next_t = t + EVERY_S
        seen = follow_markers(image, self._expected)
        if len(seen) < FEWEST_FOLLOWED:
            seen = {**find_markers(image, thorough=False), **seen}
        drift = drift_of_markers(self._expected, seen, self.plane)
        if not drift.moved:
            self._moved = None
            self._told_lost = self._told_lost and not seen
            return None
        before, self._moved = self._moved, seen
        if before is None or not self._agree(before, seen):
            return None
        self._moved = None
        return self._bump(drift, seen)

    def _agree(self, before: dict[int, Array], now: dict[int, Array]) -> bool:
        shared = set(before) & set(now)
        if not shared:
            return False
        limit_px = SAME_MM * self.plane.px_per_mm()
        return all(float(np.abs(before[k] - now[k]).max()) <= limit_px for k in shared)

    def _bump(self, drift: Drift, seen: dict[int, Array]) -> Bump | None:
        table = registered_by_markers(self.table, self.plane, seen)
        if table is not None:
            try:
                plane = table.plane(self._size_px)
            except ValueError:
                table = None
        if table is None:
            # Said once; it is said again only after the table was seen in place in between.
            told, self._told_lost = self._told_lost, True
            return None if told else Bump(drift, None)
        self.table, self.plane, self._told_lost = table, plane, False
        assert table.markers
        self._expected = expected_markers(plane, table.markers.size_mm)
        return Bump(drift, table)
