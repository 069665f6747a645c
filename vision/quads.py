"""Geometry of tile outlines in the picture: areas, overlaps, keeping the best of those that claim one place."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.float64]


def quad_of(centre: NDArray[np.float64], half_long: NDArray[np.float64], half_wide: NDArray[np.float64]) -> Quad:
    """(4, 2) corners round the tile; corners 0 and 3 at the end the long axis points away from."""
    u, v = half_long, half_wide
    if u[0] * v[1] - u[1] * v[0] < 0:  # keep all quads clockwise in the picture
        v = -v
    return np.asarray(centre + np.array([-u - v, u - v, u + v, -u + v]), np.float64)


def length_px(quad: Quad) -> float:
    """Mean length of the two long sides."""
    return float((np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2)


def width_px(quad: Quad) -> float:
    """Mean length of the two short sides."""
    return float((np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2)


def area_px(quad: Quad) -> float:
    """Area inside the outline."""
    x, y = quad[:, 0], quad[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def half_turned(quad: Quad) -> Quad:
    """The same outline named from the other end."""
    return quad[[2, 3, 0, 1]]


def is_convex(quad: Quad) -> bool:
    """Do the corners go round without folding?"""
    edges = np.roll(quad, -1, axis=0) - quad
    turns = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    return bool(np.all(turns > 0) or np.all(turns < 0))


def shared_px(a: Quad, b: Quad) -> float:
    """Area common to two convex outlines."""
    if (a.max(0) < b.min(0)).any() or (b.max(0) < a.min(0)).any():
        return 0.0
    shared, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return float(shared)


def keep_best(quads: list[Quad], scores: list[float], most_shared: float) -> list[int]:
    """Indices, best score first, of outlines that share at most that part of the smaller outline."""
    areas = [area_px(q) for q in quads]
    kept: list[int] = []
    for i in np.argsort(-np.asarray(scores)).tolist():
        if all(shared_px(quads[i], quads[j]) <= most_shared * min(areas[i], areas[j]) for j in kept):
            kept.append(i)
    return kept
