"""What the bare table looks like, so that a tile that is gone can be told from one that is covered."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arms import grown
from vision.motion import LOGARITHM, Floats, Mask, logarithm
from vision.sources.pictures import Image

LIKE_BARE_LOG = 0.2
"""Mean difference, as a logarithm over all channels, below which a place looks like the table it was before."""
LIKE_RING_LOG = 0.3
"""The same where only the table around the place is known."""
LIKE_LEVEL_LOG, UNEVEN_LOG = 0.1, 0.02
"""A place this near to the table around it in level, and no more uneven, is bare whatever it was before."""


class Surface:
    """Memory of the bare table, in cells of the small picture (`vision.motion.Watch`)."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._bare: Floats = np.zeros((*shape, 3), np.float32)
        self._known: Mask = np.zeros(shape, bool)

    def learn(self, small: Image, where: Mask) -> None:
        """`where` nothing lies the table looks like `small`, (rows, columns, 3)."""
        self._bare[where] = LOGARITHM[small[where]]
        self._known |= where

    def is_bare(self, small: Image, place: Mask, free: Mask, changed: Mask) -> bool:
        """Does the `place` show the bare table? `free` are the cells where no tile and no arm lies.

        The light may have changed since: what it did to the free cells around is taken off first. What `changed` around
        the place is not trusted, where anything did not: the cup that covers a tile is as even as a table.
        """
        near = grown(place, 6) & ~grown(place, 2)
        ring = next((part for part in (near & free & ~changed, near & free) if part.any()), near)
        now = logarithm(small)
        if _like(now[place], now[ring]):
            return True
        known = place & self._known
        if known.sum() < 0.6 * place.sum():
            difference = np.abs(now[place] - np.median(now[ring], axis=0))
            return float(difference.max(axis=1).mean()) < LIKE_RING_LOG
        drift = now - self._bare
        # The light may have changed here, or everywhere, or a shadow that lay beside a tile has gone with it.
        everywhere, around = free & self._known, ring & self._known
        lights = [np.zeros(3)] + [np.median(drift[part], axis=0) for part in (everywhere, around) if part.any()]
        return min(float(np.abs(drift[known] - light).max(axis=1).mean()) for light in lights) < LIKE_BARE_LOG


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
