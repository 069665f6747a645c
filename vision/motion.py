"""Where something moves and what is different from before, on small raw pixels.

A still, unchanged table costs one resize and one difference a frame. Nothing here knows tiles: it says which cells of a
small picture move, which differ from the last accepted look of the table, and since when each cell has been quiet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.sources.pictures import Image

Mask = NDArray[np.bool_]
Floats = NDArray[np.float32]
Steps = NDArray[np.int16]

CELLS_PER_TILE_WIDTH = 7.0
"""Resolution of the small picture: a tile is then about 14 x 7 cells, a pip less than one."""

LOG_OFFSET = 10.0
"""Grey levels added before the logarithm, so that the noise of dark cloth is not a change."""

CHANGED_LOG = 0.16
"""Change of a channel, as a logarithm, that counts: about 17 % brighter or darker than the table around it became."""

WEAKLY_CHANGED_LOG = 0.08
"""Change that counts beside cells that changed more: fingers over wood of nearly their colour."""

LEAST_LEVELS = 6.0
"""Grey levels that a change has at least, half of that where it is weak: in a dark picture a video's blocks drift by
3 to 4."""

MOVING_LEVELS = 9.0
"""Grey levels between two frames that count as motion where the camera is not noisier than usual."""

SPECK_CELLS = 6
"""So few moving cells are a shake of the camera along an edge, not a hand."""

COMPARE_EVERY_S = 1.0
"""A table where nothing moves is compared with its accepted look this often: the sun creeps."""

LOGARITHM = np.log(np.arange(256, dtype=np.float32) + LOG_OFFSET).astype(np.float32)

STEPS = 2048
"""Logarithms are compared as whole numbers, so many to one: twice as fast as floating point."""
LOGARITHM_STEPS = np.round(np.log(np.arange(256) + LOG_OFFSET) * STEPS).astype(np.int16)
DAMPING = np.round(256 * np.minimum(1.0, CHANGED_LOG * (np.arange(256) + LOG_OFFSET) / LEAST_LEVELS)).astype(np.int16)
"""What a logarithm's change is worth at each grey level, 256ths: so little in the dark that it takes `LEAST_LEVELS`."""
COLOURED_LOG, DARKENED_LOG, EDGE_LOG = 0.2, 0.9, 0.12
"""What no shadow or lamp does: channels that differ so much, a change so great, one that sharp."""

MOTION_SPAN_S = 0.1
"""Frames this far apart are compared, so that slow hands move enough between them at any frame rate."""


@dataclass(frozen=True, slots=True)
class Activity:
    """What one frame shows, all masks (rows, columns) of the small picture."""

    t: float
    moving: Mask
    changed: Mask
    """Differs from the accepted look of the table, also by a shadow."""
    textural: Mask
    """Differs by more than a shadow or a lamp can do."""
    any_moving: bool
    any_changed: bool


class Watch:
    """Compares frames with the frame before and with the accepted look of the table.

    `to_cells` and `to_px` convert between image pixels and cells of the small picture; `inside` is the watched part:
    the play area and a margin, as far as the image shows it.
    """

    def __init__(self, plane: TablePlane, tile_width_mm: float, margin_mm: float = 25.0) -> None:
        width, height = plane.size_px
        outline = plane.corners_px(margin_mm)
        outline[~np.isfinite(outline)] = 0
        low = np.clip(np.floor(outline.min(axis=0)), 0, [width - 2, height - 2]).astype(int)
        high = np.clip(np.ceil(outline.max(axis=0)) + 1, low + 2, [width, height]).astype(int)
        # Whole pixels a cell: the shrinking is then several times faster.
        self.step_px = max(1, round(tile_width_mm * plane.px_per_mm() / CELLS_PER_TILE_WIDTH))
        """Pixels a cell is wide and high."""
        self.scale = 1.0 / self.step_px
        """Cells a pixel."""
        columns, rows = (max(4, int(size) // self.step_px) for size in high - low)
        self.shape = (rows, columns)
        self.box_px = (
            int(low[0]),
            int(low[1]),
            int(low[0]) + columns * self.step_px,
            int(low[1]) + rows * self.step_px,
        )
        """Left, top, right, bottom of what the small picture shows, image px."""
        filled = np.zeros(self.shape, np.uint8)
        cv2.fillConvexPoly(filled, np.round(self.to_cells(outline)).astype(np.int32), 1)
        self.inside: Mask = filled.astype(bool)
        # The ring that an arm has to cross: the outermost cells of what is watched.
        kernel = np.ones((3, 3), np.uint8)
        padded = cv2.copyMakeBorder(filled, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        self.ring: Mask = (self.inside) & ~cv2.erode(padded, kernel, iterations=2)[1:-1, 1:-1].astype(bool)
        self.depth_cells: Floats = np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 3), np.float32)[1:-1, 1:-1]
        """How far each cell lies from the rim of what is watched, in cells."""
        self.tile_cells = 2 * (tile_width_mm * plane.px_per_mm() * self.scale) ** 2
        """Area of a tile in cells, about."""
        # A sample is enough for a median, and sorting all cells would cost more than everything else.
        places = np.flatnonzero(self.inside.ravel())
        self._sample = places[:: max(1, len(places) // 2000)]
        self._shrunk: tuple[Image, Image] | None = None
        self._reference: Steps | None = None
        self._past: list[tuple[float, Image]] = []
        self._compared_t = -np.inf
        self._noise = MOVING_LEVELS / 6
        self.quiet_since: NDArray[np.float64] = np.full(self.shape, -np.inf)
        """For each cell the time of its last motion."""
        self._last: Activity | None = None

    def to_cells(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Cell coordinates (n, 2) (column, row) of image points (n, 2) in px."""
        return np.asarray((points_px - np.array(self.box_px[:2])) * self.scale, np.float64)

    def to_px(self, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        """Image points (n, 2) in px of cell coordinates (n, 2)."""
        return np.asarray(cells / self.scale + np.array(self.box_px[:2]), np.float64)

    def small(self, image: Image) -> Image:
        """The watched box of an image (height, width, 3), shrunk to cells, uint8 BGR. Not to be written to."""
        # One frame is asked for several times.
        if self._shrunk is None or self._shrunk[0] is not image:
            x0, y0, x1, y1 = self.box_px
            shrunk = cv2.resize(image[y0:y1, x0:x1], self.shape[::-1], interpolation=cv2.INTER_AREA)
            self._shrunk = image, np.asarray(cv2.blur(shrunk, (2, 2)), np.uint8)
        return self._shrunk[1]

    def level(self, image: Image) -> float:
        """The median grey level of the watched part."""
        return float(_middle(self.small(image).reshape(-1, 3)[self._sample].mean(axis=1)))

    def observe(self, t: float, image: Image, still: bool = False) -> Activity:
        """Take a frame; `still` says that the source calls it settled, so that nothing in it moves."""
        small = self.small(image)
        if self._reference is None:
            self._reference = _steps(small)
        if still:
            self._past = []
        moving = self._moving(t, small)
        count = int(np.count_nonzero(moving))
        if count:
            self.quiet_since[moving] = t
        last = self._last
        if last and not still and t - self._compared_t < COMPARE_EVERY_S:
            unmoved = count == 0 and not last.any_moving
            if unmoved or (count <= SPECK_CELLS and not last.any_changed):
                self._last = Activity(t, moving, last.changed, last.textural, count > 0, last.any_changed)
                return self._last
        changed, textural = self._compare(small)
        self._compared_t = t
        self._last = Activity(t, moving, changed, textural, count > 0, bool(changed.any()))
        return self._last

    def accept(self, image: Image, where: Mask | None = None) -> None:
        """Take the image's look as the table's own, everywhere or only `where` (cells)."""
        look = _steps(self.small(image))
        if where is None or self._reference is None:
            self._reference = look
        else:
            # The rest of the table is in the same new light, or the accepted cells would differ from it for ever.
            self._reference += self._light(look - self._reference)
            self._reference[where] = look[where]
        self._last = None

    def follow(self, before: Watch, motion: NDArray[np.float64], t: float, image: Image) -> Mask:
        """Take over the accepted look of another watch, moved with the camera, (3, 3) px; return the cells that differ.

        Hair lines along edges do not count: the two are not shrunk alike.
        """
        small = self.small(image)
        self._reference = _steps(small)
        if before._reference is None:
            return np.zeros(self.shape, bool)
        to_here = self._from_px() @ motion @ np.linalg.inv(before._from_px())
        size = self.shape[::-1]
        moved = cv2.warpPerspective(before._reference, to_here, size)
        known = cv2.warpPerspective(np.ones(before.shape, np.float32), to_here, size) > 0.99
        self._reference = np.asarray(np.where(known[..., None], moved, self._reference), np.int16)
        changed, _ = self._compare(small)
        thick = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(bool)
        differs = _reached(thick, changed)
        self.quiet_since = self.carried(before, motion, before.quiet_since, t)
        return differs

    def carried(
        self, before: Watch, motion: NDArray[np.float64], cells: NDArray[np.float64], empty: float
    ) -> NDArray[np.float64]:
        """What another watch has in its cells, moved with the camera, (3, 3) px, into the cells of this one."""
        to_here = self._from_px() @ motion @ np.linalg.inv(before._from_px())
        moved = cv2.warpPerspective(cells, to_here, self.shape[::-1], flags=cv2.INTER_NEAREST, borderValue=empty)
        return np.asarray(moved, np.float64)

    def _from_px(self) -> NDArray[np.float64]:
        """Takes image px to cells as pixels of the small picture, (3, 3)."""
        x0, y0 = self.box_px[0] - 0.5, self.box_px[1] - 0.5
        return np.array([[self.scale, 0, -x0 * self.scale - 0.5], [0, self.scale, -y0 * self.scale - 0.5], [0, 0, 1.0]])

    def _light(self, ratio: Steps) -> Steps:
        """What became of the light over the whole table, in steps a channel, (3,)."""
        return np.asarray(_middle(ratio.reshape(-1, 3)[self._sample]), np.int16)

    def _moving(self, t: float, small: Image) -> Mask:
        while len(self._past) > 1 and self._past[1][0] <= t - MOTION_SPAN_S + 1e-6:
            self._past.pop(0)
        if not self._past:
            moving = np.zeros(self.shape, bool)
        else:
            blue, green, red = cv2.split(cv2.absdiff(small, self._past[0][1]))
            difference = np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
            typical = float(_middle(difference.ravel()[self._sample]))
            self._noise += 0.1 * (min(typical, MOVING_LEVELS) - self._noise)
            moving = (difference > max(MOVING_LEVELS, 5 * self._noise)) & self.inside
            if moving.any():
                moving = _without_specks(moving)
        self._past.append((t, small))
        return moving

    def _compare(self, small: Image) -> tuple[Mask, Mask]:
        assert self._reference is not None
        ratio = np.asarray(cv2.subtract(_steps(small), self._reference), np.int16)
        # What the exposure or the lamp did to the whole table is not a change of it.
        levels = cv2.LUT(small, DAMPING)
        blue, green, red = cv2.split(cv2.multiply(ratio - self._light(ratio), levels, scale=1 / 256))
        high, low = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
        size = np.asarray(cv2.max(high, -low), np.int16)
        strong = _without_specks((size > CHANGED_LOG * STEPS) & self.inside)
        if not strong.any():
            return strong, strong
        changed = _reached(strong, _without_specks((size > WEAKLY_CHANGED_LOG * STEPS) & self.inside) | strong)
        # A shadow darkens all channels alike, smoothly and not to black; a lamp brightens in the same way.
        grey = np.asarray(cv2.addWeighted(high, 0.5, low, 0.5, 0), np.int16)
        edges = np.asarray(cv2.absdiff(grey, cv2.blur(grey, (7, 7))), np.int16)
        coloured = np.asarray(cv2.subtract(high, low), np.int16) > COLOURED_LOG * STEPS
        textural = changed & (coloured | (np.abs(grey) > DARKENED_LOG * STEPS) | (edges > EDGE_LOG * STEPS))
        return changed, _without_specks(textural)


def _middle(values: NDArray[Any]) -> NDArray[Any]:
    """The upper median along the first axis; several times quicker than the exact one of an even number."""
    half = len(values) // 2
    return np.asarray(np.partition(values, half, axis=0)[half])


def _steps(image: Image) -> Steps:
    return np.asarray(cv2.LUT(image, LOGARITHM_STEPS), np.int16)


def logarithm(image: Image) -> Floats:
    """Logarithm of an image's grey levels, float32, so that a change of light is a shift."""
    return np.asarray(cv2.LUT(image, LOGARITHM), np.float32)


def _without_specks(mask: Mask) -> Mask:
    """The mask without single cells and hair lines (a pixel's shake along an edge)."""
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(opened.astype(bool))


def _reached(seeds: Mask, ground: Mask) -> Mask:
    """The connected parts of `ground` that hold a seed."""
    _, labels = cv2.connectedComponents(ground.astype(np.uint8), connectivity=8)
    wanted = np.zeros(int(labels.max()) + 1, bool)
    wanted[labels[seeds]] = True
    wanted[0] = False
    return np.asarray(wanted[labels])


def components(mask: Mask, least_cells: float = 1.0, join_cells: int = 1) -> list[Mask]:
    """The mask's connected parts of at least `least_cells`, gaps of up to `join_cells` bridged, largest first."""
    joined = mask.astype(np.uint8)
    if join_cells:
        joined = np.asarray(cv2.dilate(joined, np.ones((2 * join_cells + 1,) * 2, np.uint8)), np.uint8)
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    sizes = np.bincount(labels[mask], minlength=count)
    order = sorted((k for k in range(1, count) if sizes[k] >= least_cells), key=lambda k: -sizes[k])
    return [np.asarray((labels == k) & mask) for k in order]
