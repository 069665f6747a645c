"""Geometry of tile outlines in the picture: areas, overlaps, keeping the best of those that claim one place."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.float64]
EXACT_STEPS = 4000  # some 10 ms of search


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


def keep_best(quads: list[Quad], scores: list[float], most_shared: float, most: int | None = None) -> list[int]:
    """Indices, best score first and `most` at the most, of outlines sharing at most that part of the smaller one."""
    if not quads:
        return []
    areas = [area_px(q) for q in quads]
    low, high = np.array([q.min(0) for q in quads]), np.array([q.max(0) for q in quads])
    kept: list[int] = []
    for i in np.argsort(-np.asarray(scores)).tolist():
        if len(kept) == most:
            break
        meet = ((low[kept] < high[i]) & (low[i] < high[kept])).all(1)
        close = [j for j, meets in zip(kept, meet.tolist(), strict=True) if meets]
        if all(shared_px(quads[i], quads[j]) <= most_shared * min(areas[i], areas[j]) for j in close):
            kept.append(i)
    return kept


def best_together(quads: list[Quad], weights: list[float], most_shared: float) -> list[int]:
    """Indices of the outlines that may lie together (see `keep_best`) with the largest sum of weights.

    Taking the best first would let one outline across the joint of two tiles push both out. Groups of
    outlines that claim each other's place are solved exactly, or, when that takes too long, by improving on greed.
    """
    n = len(quads)
    areas = [area_px(q) for q in quads]
    clash: list[set[int]] = [set() for _ in range(n)]
    for i in range(n):
        for j in range(i):
            if shared_px(quads[i], quads[j]) > most_shared * min(areas[i], areas[j]):
                clash[i].add(j)
                clash[j].add(i)
    chosen: list[int] = []
    left = set(range(n))
    while left:
        group, edge = set(), {left.pop()}
        while edge:
            i = edge.pop()
            group.add(i)
            edge |= clash[i] - group
        left -= group
        order = sorted(group, key=lambda k: -weights[k])
        budget = [EXACT_STEPS]
        best = _greedy(order, clash)
        found = _exact(order, clash, weights, budget)
        if found is not None:
            best = found
        else:
            best = _improved(best, order, clash, weights)
        chosen += best
    return sorted(chosen, key=lambda k: -weights[k])


def _greedy(order: list[int], clash: list[set[int]]) -> list[int]:
    kept: list[int] = []
    for i in order:
        if not clash[i] & set(kept):
            kept.append(i)
    return kept


def _exact(order: list[int], clash: list[set[int]], weights: list[float], budget: list[int]) -> list[int] | None:
    """Branch and bound over `order`; None when it takes too many steps."""
    best: tuple[float, list[int]] = (-1.0, [])

    def search(open_: list[int], kept: list[int], total: float) -> bool:
        nonlocal best
        budget[0] -= 1
        if budget[0] < 0:
            return False
        if total > best[0]:
            best = (total, kept)
        if not open_ or total + sum(weights[k] for k in open_) <= best[0]:
            return True
        first, rest = open_[0], open_[1:]
        if not search([k for k in rest if k not in clash[first]], [*kept, first], total + weights[first]):
            return False
        return not clash[first] & set(rest) or search(rest, kept, total)

    return best[1] if search(order, [], 0.0) else None


def _improved(kept: list[int], order: list[int], clash: list[set[int]], weights: list[float]) -> list[int]:
    """Swaps of one or two outlines against those they clash with, as long as the sum grows."""
    now = set(kept)
    for _ in range(20):
        gain, swap = 1e-9, None
        outside = [k for k in order if k not in now]
        for x, i in enumerate(outside):
            for j in [i, *outside[x + 1 :]]:
                if j in clash[i] or (j != i and not clash[i] & clash[j]):
                    continue
                out = (clash[i] | clash[j]) & now
                more = weights[i] + (weights[j] if j != i else 0.0) - sum(weights[k] for k in out)
                if more > gain:
                    gain, swap = more, ({i, j}, out)
        if swap is None:
            break
        now = (now - swap[1]) | swap[0]
    return list(now)
