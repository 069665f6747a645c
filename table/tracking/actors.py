"""Which seat an arm belongs to, the one whose edge it came in over, and whose arm it was that reached a place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from calibration.table_file import SeatStrip
from table import events
from vision.arms import ArmWatch
from vision.motion import Mask

LEAST_COVERED = 0.3
"""An arm that covered less of a place only grazed it, where another covered more."""


def actor_at(
    cells: Mask, arms: ArmWatch, same_t: NDArray[np.float64], plane: TablePlane, strips: Sequence[SeatStrip]
) -> tuple[int | None, events.SeatBy | None]:
    """The seat whose arm covered the cells last since they were seen to look as before (`same_t`, s, a cell).

    (None, None) where no arm was seen there, or several that touched so that nobody could tell them apart.
    """
    if not cells.any():
        return None, None
    since = np.median(same_t[cells])
    # An arm that rests beside the place was not in it.
    under = _last_over(cells, arms.under_t, arms.under_by, since)
    beside = _last_over(cells, arms.covered_t, arms.covered_by, since)
    number = next((of[-1] for of in (under[1], beside[1], beside[0]) if of), None)
    if number is None:
        return None, None
    seats = {seat_at_rim(point, plane, strips) for point in arms.entries[number]}
    seat = seats.pop() if len(seats) == 1 else None
    return (seat, "arm") if seat is not None else (None, None)


def _last_over(
    cells: Mask, times: NDArray[np.float64], numbers: NDArray[np.int32], since: float
) -> tuple[list[int], list[int]]:
    """Numbers of the arms that were over any of the cells, and of those over enough of them; the last one last."""
    fresh = cells & (numbers >= 0) & (times >= since)
    over = sorted(np.unique(numbers[fresh]).tolist(), key=lambda k: float(times[fresh & (numbers == k)].max()))
    return over, [k for k in over if (fresh & (numbers == k)).sum() >= LEAST_COVERED * cells.sum()]


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
