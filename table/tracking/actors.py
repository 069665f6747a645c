"""Which seat an arm belongs to: the one whose edge it came in over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from calibration.table_file import SeatStrip


def seat_at_rim(point_px: tuple[float, float], plane: TablePlane, strips: Sequence[SeatStrip]) -> int | None:
    """The seat nearest to where something reached in (image px), or None without seats."""
    if not strips:
        return None
    point = plane.to_table([point_px])[0]
    distances = [_distance_mm(point, strip, plane.size_mm) for strip in strips]
    return int(np.argmin(distances))


def _distance_mm(point: NDArray[np.float64], strip: SeatStrip, size_mm: tuple[float, float]) -> float:
    """From a point in table mm to the seat's part of the edge."""
    width, height = size_mm
    # Each edge from its clockwise start to its end, as imaged.
    start, end = {
        "bottom": ((width, height), (0.0, height)),
        "left": ((0.0, height), (0.0, 0.0)),
        "top": ((0.0, 0.0), (width, 0.0)),
        "right": ((width, 0.0), (width, height)),
    }[strip.edge]
    a = np.array(start) + strip.span[0] * (np.array(end) - start)
    b = np.array(start) + strip.span[1] * (np.array(end) - start)
    share = float(np.clip((point - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-9), 0, 1))
    return float(np.linalg.norm(point - (a + share * (b - a))))
