"""Small differences that shrunken pictures hide: a white tile on a white table, seen by its pips, rim and shadow.

Compares with the accepted picture at a few pixels a cell of the `Watch`, forgiving a pixel of shake and any smooth
change of light. Dearer than the watch, so asked only about places: what something reached over, what is to be judged.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_drift import camera_motion
from vision.motion import Mask, Watch
from vision.sources.pictures import Image

PX_PER_CELL = 3
"""Resolution of the comparison: a pip of a double-six is then three pixels."""
LEVELS = 9.0
"""Grey levels outside of what the accepted picture has within a pixel around: more than noise, less than a pip."""
LIGHT_PX = 31
"""What changes smoothly over so many pixels is light."""
EDGE_LEVELS = 5.0
"""The same where something is known to have changed, and the question is whether it has an edge, as no shadow has."""
MOVED_LEVELS = 18.0
"""The same between a picture and one moved to lie on it: that is never quite exact."""
LEAST_SHARE = 0.08
"""A cell has changed when so much of it has."""
RIM_PX = 5
"""So much of the table around a tile helps to find it again."""
LEVEL_OFFSET = 8.0
"""Grey levels added before a ratio, so that the noise of dark cloth does not count."""

Box = tuple[int, int, int, int]


class FineChange:
    """Remembers the accepted picture and says which cells of the `Watch` differ from it."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        # Whole pixels a cell, so that a part of the picture shrinks as it does within the whole.
        self._per_cell = min(PX_PER_CELL, watch.step_px)
        self._accepted: NDArray[np.float32] | None = None
        self._level = 0.0

    def _whole(self) -> Box:
        return 0, 0, self._watch.shape[1], self._watch.shape[0]

    def _box(self, where: Mask, margin_cells: int) -> Box:
        """Left, top, right, bottom cells around a mask that is not empty."""
        rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
        return (
            max(0, int(columns[0]) - margin_cells),
            max(0, int(rows[0]) - margin_cells),
            min(where.shape[1], int(columns[-1]) + 1 + margin_cells),
            min(where.shape[0], int(rows[-1]) + 1 + margin_cells),
        )

    def _shrunk(self, image: Image, box: Box) -> NDArray[np.float32]:
        """The cells of the box in grey, `_per_cell` pixels a cell."""
        left, top, right, bottom = box
        x0, y0, step = self._watch.box_px[0], self._watch.box_px[1], self._watch.step_px
        part = image[y0 + top * step : y0 + bottom * step, x0 + left * step : x0 + right * step]
        grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
        if step != self._per_cell:
            size = ((right - left) * self._per_cell, (bottom - top) * self._per_cell)
            grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0.8), np.float32)

    def _part(self, box: Box) -> tuple[slice, slice]:
        left, top, right, bottom = (side * self._per_cell for side in box)
        return slice(top, bottom), slice(left, right)

    def camera_motion(
        self,
        image: Image,
        ignore: Mask | None = None,
        tiles: Sequence[NDArray[np.float64]] = (),
        others: Sequence[NDArray[np.float64]] = (),
    ) -> NDArray[np.float64] | None:
        """The homography (3, 3), in full image px, of the camera since the accepted picture; None when not to be told.

        `ignore`: cells that do not show the bare table; `tiles` are outlines (n, 2), in cells, of tiles that
        nobody touched, `others` of more that may tell something.
        """
        if self._accepted is None:
            return None
        hidden = None if ignore is None else self._enlarged(ignore)
        boxes = [[self._around(outline) for outline in outlines] for outlines in (tiles, others)]
        motion = camera_motion(self._accepted, self._shrunk(image, self._whole()), hidden, *boxes)
        if motion is None:
            return None
        shrink = self._from_px()
        return np.asarray(np.linalg.inv(shrink) @ motion @ shrink, np.float64)

    def follow(self, before: FineChange, motion: NDArray[np.float64], image: Image) -> Mask:
        """Take over what another one accepted, moved with the camera, (3, 3) px; return the cells that differ now."""
        now = self._shrunk(image, self._whole())
        self._accepted, self._level = now, self._watch.level(image)
        if before._accepted is None:
            return np.zeros(self._watch.shape, bool)
        to_here = self._from_px() @ motion @ np.linalg.inv(before._from_px())
        size = (now.shape[1], now.shape[0])
        moved = np.asarray(cv2.warpPerspective(before._accepted, to_here, size), np.float32)
        known = cv2.warpPerspective(np.ones_like(before._accepted), to_here, size) > 0.99
        self._accepted, self._level = np.where(known, moved, now), before._level
        return self.changed(image, levels=MOVED_LEVELS)

    def _from_px(self) -> NDArray[np.float64]:
        """Takes image px to those of the comparison, (3, 3)."""
        share = self._per_cell / self._watch.step_px
        # The middle of the first pixel here lies between the middles of those it was shrunk from.
        x0, y0 = self._watch.box_px[0] - 0.5, self._watch.box_px[1] - 0.5
        return np.array([[share, 0, -x0 * share - 0.5], [0, share, -y0 * share - 0.5], [0, 0, 1.0]])

    def _around(self, outline: NDArray[np.float64]) -> Box:
        low = np.floor(outline.min(axis=0) * self._per_cell).astype(int) - RIM_PX
        high = np.ceil(outline.max(axis=0) * self._per_cell).astype(int) + RIM_PX
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def _enlarged(self, cells: Mask) -> Mask:
        return np.asarray(cells.repeat(self._per_cell, axis=0).repeat(self._per_cell, axis=1))

    def accept(self, image: Image, where: Mask | None = None) -> None:
        """Take the picture as the table's own, everywhere or only `where` (cells)."""
        level = self._watch.level(image)
        if self._accepted is None or where is None:
            self._accepted = self._shrunk(image, self._whole())
        elif where.any():
            # The whole picture comes to the new light, or the rim of the accepted place would be a change.
            self._accepted *= (level + LEVEL_OFFSET) / (self._level + LEVEL_OFFSET)
            box = self._box(where, 1)
            place = self._enlarged(where[box[1] : box[3], box[0] : box[2]])
            self._accepted[self._part(box)][place] = self._shrunk(image, box)[place]
        else:
            return
        self._level = level

    def changed(self, image: Image, where: Mask | None = None, levels: float = LEVELS) -> Mask:
        """Cells (rows, columns), of those asked about, that differ from the accepted picture by so many grey levels."""
        found = np.zeros(self._watch.shape, bool)
        if self._accepted is None or (where is not None and not where.any()):
            return found
        box = self._whole() if where is None else self._box(where, LIGHT_PX // 2 // self._per_cell + 1)
        now, before = self._shrunk(image, box), self._accepted[self._part(box)]
        light = (cv2.blur(now, (LIGHT_PX, LIGHT_PX)) + LEVEL_OFFSET) / (
            cv2.blur(before, (LIGHT_PX, LIGHT_PX)) + LEVEL_OFFSET
        )
        kernel = np.ones((3, 3), np.uint8)
        low, high = cv2.erode(before, kernel) * light, cv2.dilate(before, kernel) * light
        mask = ((now - high > levels) | (low - now > levels)).astype(np.float32)
        left, top, right, bottom = box
        share = cv2.resize(mask, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        asked = self._watch.inside if where is None else self._watch.inside & where
        found[top:bottom, left:right] = share > LEAST_SHARE
        return np.asarray(found & asked)
