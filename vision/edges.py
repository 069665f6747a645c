"""How clearly a tile's outline shows in the picture, edge by edge: a gap between two tiles has ends without an edge."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import Quad, width_px

POINTS = 24  # along an edge, where its colours are averaged
CORNERS = 0.12  # of an edge's length at either end, which rounded corners and neighbours have to themselves
STEP = 0.02  # of a tile's width, between two colours of a profile across an edge; half a pixel at least
BESIDE = (-0.3, 0.35)  # from there to there a profile runs, in tile widths: outside, inside
REACH = 0.05  # in tile widths, a pixel at least: how far to either side a change of colour is measured
AT_EDGE, OFF_EDGE = 0.09, 0.14  # in tile widths from the edge: there it must lie; what lies beyond is no edge
NOISE = 1.0  # a change of colour (CIELAB, 8 bit) that says nothing


def weakest_edge(image_bgr: NDArray[np.uint8], quad_px: Quad) -> float:
    """The largest change of colour across an edge of the outline (4, 2), px, over the usual one beside that edge.

    Of the four edges the least: near 0 where one cannot be seen, above 1 where all can.
    """
    margin = (BESIDE[1] + REACH) * width_px(quad_px) + 2
    low = np.maximum(np.floor(quad_px.min(0) - margin).astype(int), 0)
    high = np.minimum(np.ceil(quad_px.max(0) + margin).astype(int) + 1, image_bgr.shape[1::-1])
    part = np.ascontiguousarray(image_bgr[low[1] : high[1], low[0] : high[0]])
    if not part.size:
        return 0.0
    lab = cv2.cvtColor(part, cv2.COLOR_BGR2LAB).astype(np.float32)
    return min(_edge(lab, quad_px - low, k) for k in range(4))


def _edge(lab: NDArray[np.float32], quad: Quad, number: int) -> float:
    width = width_px(quad)
    step = max(0.5, STEP * width)
    reach = max(1, round(max(1.0, REACH * width) / step))
    start, along = quad[number], quad[(number + 1) % 4] - quad[number]
    inward = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-6)
    if inward @ (quad.mean(0) - start) < 0:
        inward = -inward
    offsets = np.arange(BESIDE[0] * width, BESIDE[1] * width + step, step)
    points = start + np.linspace(CORNERS, 1 - CORNERS, POINTS)[:, None] * along
    grid = (points[:, None] + offsets[None, :, None] * inward).astype(np.float32)
    x, y = np.ascontiguousarray(grid[..., 0]), np.ascontiguousarray(grid[..., 1])
    colours = np.asarray(cv2.remap(lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)).mean(0)
    change = np.linalg.norm(colours[2 * reach :] - colours[: -2 * reach], axis=1)
    where = offsets[reach:-reach] / width
    beside = change[where > OFF_EDGE].mean() + change[where < -OFF_EDGE].mean()
    return float(change[np.abs(where) <= AT_EDGE].max() / (beside + NOISE))
