"""Whose arm it was: the seat whose part of the edge is nearest to where the arm came in."""

from __future__ import annotations

import pytest

from calibration.table_file import even_seats
from table.tracking.actors import seat_at_rim
from tests.painted import plane

CASES = [
    (2, (300, 440), 0),
    (2, (300, 0), 1),
    (2, (0, 300), 0),
    (2, (600, 100), 1),
    (4, (300, 440), 0),
    (4, (0, 220), 1),
    (4, (300, -20), 2),
    (4, (620, 220), 3),
    (4, (590, 430), 3),
    (8, (500, 445), 0),
    (8, (100, 445), 1),
    (8, (-5, 400), 2),
    (8, (-5, 50), 3),
    (8, (100, -5), 4),
    (8, (500, -5), 5),
    (8, (605, 50), 6),
    (8, (605, 400), 7),
]


@pytest.mark.parametrize(("seats", "point_mm", "seat"), CASES)
def test_seat(seats: int, point_mm: tuple[float, float], seat: int) -> None:
    x, y = plane().to_image([point_mm])[0]
    assert seat_at_rim((float(x), float(y)), plane(), even_seats(seats)) == seat


def test_without_seats_nobody() -> None:
    assert seat_at_rim((100.0, 100.0), plane(), []) is None
