"""Least squares by Levenberg and Marquardt's method, with numerical derivatives: for a dozen unknowns, nothing more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.plane import Array

_ROUNDS = 40
_ROBUST = 2.5
"""Residuals beyond so many sigma count less: a tile that was misplaced must not bend the table."""


def softened(residuals: Array) -> Array:
    """Residuals whose squares are Huber's losses."""
    size = np.abs(residuals)
    with np.errstate(invalid="ignore"):
        large = np.sign(residuals) * np.sqrt(np.maximum(2 * _ROBUST * size - _ROBUST**2, 0))
    return np.asarray(np.where(size <= _ROBUST, residuals, large), np.float64)


def jacobian(function: Callable[[Array], Array], at: Array) -> Array:
    """Derivatives of the function's (m,) values after its (n,) unknowns, (m, n)."""
    columns = []
    for k in range(len(at)):
        step = 1e-5 * max(1.0, abs(float(at[k])))
        ahead, behind = at.copy(), at.copy()
        ahead[k] += step
        behind[k] -= step
        columns.append((function(ahead) - function(behind)) / (2 * step))
    return np.column_stack(columns)


def minimise(function: Callable[[Array], Array], start: Array) -> tuple[float, Array]:
    """Levenberg and Marquardt's method; the cost and the place of a minimum."""
    at, damping = start.copy(), 1e-3
    residuals = function(at)
    cost = float(residuals @ residuals)
    if not np.isfinite(cost):
        return float("inf"), at
    for _ in range(_ROUNDS):
        slopes = jacobian(function, at)
        if not np.isfinite(slopes).all():
            break
        # Unknowns of one size each, or those that are tied down (1e12) would drown those that are hardly told (1e-2).
        size = np.sqrt(np.einsum("ij,ij->j", slopes, slopes)) + 1e-12
        normal, slope = (slopes / size).T @ (slopes / size), slopes.T @ residuals / size
        for _ in range(12):
            step = np.linalg.solve(normal + damping * np.eye(len(at)), -slope) / size
            tried = function(at + step)
            tried_cost = float(tried @ tried)
            if np.isfinite(tried_cost) and tried_cost < cost:
                break
            damping *= 4
        else:
            break
        gained = cost - tried_cost
        at, residuals, cost, damping = at + step, tried, tried_cost, max(damping / 10, 1e-12)
        if gained < 1e-6 * max(cost, 1.0):
            break
    return cost, at
