"""Outlines of tiles as exact as the reader can tell them, for a table that is still to be calibrated.

On a calibrated table a tile's outline follows from the plane. Before that every corner counts, and the reader's differ
a little with the outline that it starts from: so each tile is read from many, and the middle of what it says is taken.
And they lie where the flat of the face ends, which is not yet where the tile ends: its edges are rounded.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.quads import Quad, half_turned, length_px
from vision.reader import Reader

STARTS = 10
SHIFT, TURN, GROWTH = 0.03, 0.03, 0.05
"""How much the starts differ: in tile lengths, radians and shares of the size (the spread of each)."""
ROUNDED = 0.02
"""So far inside of a tile the outlines run, in tile widths: half a millimetre. Measured 0.35 mm on rendered tables of
eight sets, 0.7 mm against the hand-drawn outlines of real photos of nine sources."""


def exact_outlines(image_bgr: NDArray[np.uint8], quads: list[Quad]) -> list[Quad]:
    """The same tiles, (4, 2) px each and from the same corner on, more exactly; the same picture gives the same."""
    reader, random = Reader(), np.random.default_rng(0)
    starts: list[Quad] = []
    for quad in quads:
        middle = quad.mean(0)
        for k in range(STARTS):
            angle, size = random.normal(0, TURN), 1 + random.normal(0, GROWTH)
            turn = size * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            start = (quad - middle) @ turn.T + middle + random.normal(0, SHIFT, 2) * length_px(quad)
            starts.append(half_turned(start) if k % 2 else start)
    readings = reader.read(image_bgr, starts)
    out = []
    for i, quad in enumerate(quads):
        of_one = readings[i * STARTS : (i + 1) * STARTS]
        found = [half_turned(r.quad_px) if k % 2 else r.quad_px for k, r in enumerate(of_one) if r is not None]
        out.append(_with_edges(np.asarray(np.median(found, axis=0), np.float64) if found else quad))
    return out


def _with_edges(quad: Quad) -> Quad:
    """The whole tile around its flat face."""
    along, across = (quad[[1, 2]] - quad[[0, 3]]).mean(0), (quad[[3, 2]] - quad[[0, 1]]).mean(0)
    out = ROUNDED * np.linalg.norm(across)
    u, v = out * along / np.linalg.norm(along), out * across / np.linalg.norm(across)
    return np.asarray(quad + np.array([-u - v, u - v, u + v, v - u]), np.float64)
