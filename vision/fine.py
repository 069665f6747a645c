"""Small differences that shrunken pictures hide: a white tile on a white table, seen by its pips, rim and shadow.

Compares with the accepted picture at a fraction of the full resolution, forgiving a pixel of shake and any smooth
change of light. Too slow for every frame; asked when something has reached over a place and left again.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_drift import camera_motion
from vision.motion import Mask, Watch
from vision.sources.pictures import Image

PX_PER_TILE_WIDTH = 22.0
"""Resolution of the comparison: a pip of a double-six is then three pixels."""
LEVELS = 9.0
"""Grey levels outside of what the accepted picture has within a pixel around: more than noise, less than a pip."""
LIGHT_PX = 31
"""What changes smoothly over so many pixels is light."""
LEAST_SHARE = 0.08
"""A cell has changed when so much of it has."""


class FineChange:
    """Remembers the accepted picture and says which cells of the `Watch` differ from it."""

    def __init__(self, watch: Watch, tile_width_px: float) -> None:
        self._watch = watch
        x0, y0, x1, y1 = watch.box_px
        self._scale = min(1.0, PX_PER_TILE_WIDTH / tile_width_px)
        self._size = (max(8, round((x1 - x0) * self._scale)), max(8, round((y1 - y0) * self._scale)))
        self._accepted: NDArray[np.float32] | None = None

    def _shrunk(self, image: Image) -> NDArray[np.float32]:
        x0, y0, x1, y1 = self._watch.box_px
        grey = cv2.cvtColor(image[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, self._size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(small, (3, 3), 0.8), np.float32)

    def camera_motion(self, image: Image, ignore: Mask | None = None) -> NDArray[np.float64] | None:
        """The homography (3, 3), in full image px, of the camera since the accepted picture; None when not to be told.

        `ignore`: cells under arms or reached over.
        """
        if self._accepted is None:
            return None
        hidden = None
        if ignore is not None:
            hidden = cv2.resize(ignore.astype(np.uint8), self._size, interpolation=cv2.INTER_NEAREST).astype(bool)
        motion = camera_motion(self._accepted, self._shrunk(image), hidden)
        if motion is None:
            return None
        x0, y0, x1, y1 = self._watch.box_px
        across, down = self._size[0] / (x1 - x0), self._size[1] / (y1 - y0)
        shrink = np.array([[across, 0, -x0 * across], [0, down, -y0 * down], [0, 0, 1.0]])
        return np.asarray(np.linalg.inv(shrink) @ motion @ shrink, np.float64)

    def accept(self, image: Image, where: Mask | None = None) -> None:
        """Take the picture as the table's own, everywhere or only `where` (cells)."""
        shrunk = self._shrunk(image)
        if self._accepted is None or where is None:
            self._accepted = shrunk
            return
        place = cv2.resize(where.astype(np.uint8), self._size, interpolation=cv2.INTER_NEAREST).astype(bool)
        # The whole picture comes to the new light, or the rim of the accepted place would be a change.
        self._accepted *= float(np.median(shrunk + 8) / np.median(self._accepted + 8))
        self._accepted[place] = shrunk[place]

    def changed(self, image: Image) -> Mask:
        """Cells (rows, columns) that differ from the accepted picture."""
        if self._accepted is None:
            return np.zeros(self._watch.shape, bool)
        now, before = self._shrunk(image), self._accepted
        light = (cv2.blur(now, (LIGHT_PX, LIGHT_PX)) + 8) / (cv2.blur(before, (LIGHT_PX, LIGHT_PX)) + 8)
        kernel = np.ones((3, 3), np.uint8)
        low, high = cv2.erode(before, kernel) * light, cv2.dilate(before, kernel) * light
        mask = ((now - high > LEVELS) | (low - now > LEVELS)).astype(np.float32)
        columns, rows = self._watch.shape[1], self._watch.shape[0]
        share = cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_AREA)
        return np.asarray((share > LEAST_SHARE) & self._watch.inside)
