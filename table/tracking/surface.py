"""What the bare table looks like, so that a tile that is gone can be told from one that is covered."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arms import grown
from vision.motion import LOGARITHM, Floats, Mask, components, logarithm
from vision.sources.pictures import Image

LIKE_BARE_LOG = 0.2
"""Mean difference, as a logarithm over all channels, below which a place looks like the table it was before."""
LIKE_RING_LOG = 0.3
"""The same where only the table around the place is known."""
LIKE_LEVEL_LOG, UNEVEN_LOG = 0.1, 0.02
"""A place this near to the table around it in level, and no more uneven, is bare whatever it was before."""
LIKE_CELL_LOG = 0.2
"""Difference below which a single cell has the colour of the table around."""
NEAR_CELLS, FEWEST_AROUND = 6, 12
"""What lies so near a place tells of the light there, if it is so many cells."""
WIDER = 1, 2, 4
"""So many times as far is looked, in turn, for what has not changed: beyond a cup, at last."""


class Surface:
    """Memory of the bare table, in cells of the small picture (`vision.motion.Watch`)."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._lit, self._last = _Memory(shape), _Memory(shape)

    def learn(self, small: Image, where: Mask, lit: Mask) -> None:
        """`where` nothing lies the table looks like `small`, (rows, columns, 3); at `lit` no tile casts its shadow."""
        self._last.learn(small, where)
        self._lit.learn(small, where & lit)

    def bare_parts(self, small: Image, places: list[Mask], free: Mask, off_tiles: Mask, changed: Mask) -> Mask:
        """What of the places shows the bare table, though something else in them does not."""
        now, bare = logarithm(small), np.zeros(small.shape[:2], bool)
        for place in places:
            # Cell by cell: a tile that was laid right beside an arm hangs together with what the arm left.
            level = np.median(now[_around(place, free, changed)], axis=0)
            alike = place & (np.abs(now - level).max(axis=2) < LIKE_CELL_LOG)
            thick = cv2.morphologyEx(alike.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(bool)
            for part in components(thick, FEWEST_AROUND, join_cells=0):
                if not (part & ~off_tiles).any() and self.is_bare(small, part, free, changed):
                    bare |= part
        return bare

    def is_bare(self, small: Image, place: Mask, free: Mask, changed: Mask) -> bool:
        """Does the `place` show the bare table? `free` are the cells where no tile and no arm lies.

        The light may have changed since: what it did to the free cells around is taken off first. What `changed` around
        the place is not trusted, where enough did not: the cup that covers a tile is as even as a table. Any cell may
        look as it did in the shadow of a tile beside it, or as without.
        """
        ring = _around(place, free, changed)
        now = logarithm(small)
        if _like(now[place], now[ring]):
            return True
        known = place & self._last.known
        if known.sum() < 0.6 * place.sum():
            difference = np.abs(now[place] - np.median(now[ring], axis=0))
            return float(difference.max(axis=1).mean()) < LIKE_RING_LOG
        last, lit = (memory.differences(now, known, free, ring) for memory in (self._last, self._lit))
        return min(float(np.minimum(a, b).mean()) for a in last for b in lit) < LIKE_BARE_LOG


class _Memory:
    """What cells looked like when they were last seen bare."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._bare: Floats = np.zeros((*shape, 3), np.float32)
        self.known: Mask = np.zeros(shape, bool)

    def learn(self, small: Image, where: Mask) -> None:
        self._bare[where] = LOGARITHM[small[where]]
        self.known |= where

    def differences(self, now: Floats, place: Mask, free: Mask, ring: Mask) -> list[Floats]:
        """How far every cell of the place is from what it was, (n,), infinitely where that is not known.

        One each for the light having changed here alone, everywhere, and around the place.
        """
        drift = now - self._bare
        # A shadow that lay beside a tile may have gone with it.
        parts = [part & self.known for part in (free, ring)]
        lights = [np.zeros(3)] + [np.median(drift[part], axis=0) for part in parts if part.any()]
        sure = self.known[place]
        return [np.where(sure, np.abs(drift[place] - light).max(axis=1), np.inf).astype(np.float32) for light in lights]


def _around(place: Mask, free: Mask, changed: Mask) -> Mask:
    """Table around the place, the more trusted the better, if only there is enough of it."""
    beside = grown(place, 2)
    unchanged = free & ~changed
    for reach, telling in (*((k * NEAR_CELLS, unchanged) for k in WIDER), (NEAR_CELLS, free)):
        ring = grown(place, reach) & ~beside & telling
        if np.count_nonzero(ring) >= FEWEST_AROUND:
            return np.asarray(ring)
    return np.asarray(grown(place, NEAR_CELLS) & ~beside)


def _like(place: Floats, ring: Floats) -> bool:
    """Do cells (n, 3) have the level and the unevenness of the ring's (m, 3)?"""
    level = np.abs(np.median(place, axis=0) - np.median(ring, axis=0)).max()
    uneven = (place.std(axis=0) - 1.5 * ring.std(axis=0)).max()
    return bool(level < LIKE_LEVEL_LOG and uneven < UNEVEN_LOG)


def cells_of(corners: NDArray[np.float64], shape: tuple[int, int], shrink: float = 0.0) -> Mask:
    """Cells inside a convex outline (n, 2) in cell coordinates, drawn in by `shrink` cells."""
    filled = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(filled, np.round(corners - 0.5).astype(np.int32), 1)
    if shrink >= 1:
        reach = int(shrink)
        filled = np.asarray(cv2.erode(filled, np.ones((2 * reach + 1,) * 2, np.uint8)), np.uint8)
    return np.asarray(filled.astype(bool))
