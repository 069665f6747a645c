"""Where tiles next to a known tile could lie: in line, across an end, round a corner, side by side.

In a chain one tile tells a lot about the next: all are of one size and they touch. The eye lets the reader try these
places wherever the localiser sees tile surface that no tile accounts for.
"""

from __future__ import annotations

import numpy as np

from vision.quads import Quad, quad_of

GAP_SHARE = 0.03  # of the short side: tiles that touch leave a little room


def places_beside(quad: Quad, ratio: float) -> list[Quad]:
    """Outlines of the 24 tiles that would touch this one; ratio is a tile's length over its width."""
    centre = quad.mean(0)
    u = (quad[1] - quad[0] + quad[2] - quad[3]) / 4 * (1 + GAP_SHARE / 2)
    v = (quad[3] - quad[0] + quad[2] - quad[1]) / 4 * (1 + GAP_SHARE)
    # perspective shortens the two directions differently; a crosswise tile is as long as this one is in v's measure
    long_v, wide_u = v * ratio, u / ratio
    out = []
    for s in (-1, 1):
        out.append(quad_of(centre + 2 * s * u, u, v))
        out.append(quad_of(centre + 2 * s * v, u, v))
        out.append(quad_of(centre + s * (u + wide_u), long_v, wide_u))
        out.append(quad_of(centre + s * (v + long_v), long_v, wide_u))
        for t in (-1, 1):
            out.append(quad_of(centre + 2 * s * v + t * u, u, v))
            out.append(quad_of(centre + 2 * s * u + t * v, u, v))
            out.append(quad_of(centre + s * (u + wide_u) + t * (long_v - v), long_v, wide_u))
            out.append(quad_of(centre + s * (v + long_v) + t * (u - wide_u), long_v, wide_u))
    return [np.asarray(q) for q in out]


def places_sharing_half(quad: Quad, ratio: float) -> list[Quad]:
    """Outlines that hold one half of this doubtful one and another half beside it: 6 of them."""
    centre = quad.mean(0)
    u = (quad[1] - quad[0] + quad[2] - quad[3]) / 4
    v = (quad[3] - quad[0] + quad[2] - quad[1]) / 4
    out = []
    for s in (-1, 1):
        out.append(quad_of(centre + s * u, u, v))
        half = centre + s * (u - u / ratio)
        for t in (-1, 1):
            out.append(quad_of(half + t * (v * ratio - v), v * ratio, u / ratio))
    return out
