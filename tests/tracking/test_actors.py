"""Whose arm it was: the seat whose part of the edge is nearest to where the arm came in, and which arm was there."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.plane import Pose
from calibration.table_file import even_seats
from table.tracking.actors import actor_at, seat_at_rim
from table.tracking.surface import cells_of
from tests.painted import TILE_MM, Table, plane
from vision.arms import ArmWatch
from vision.motion import Watch

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


LEFT, TOP = (-40.0, 220.0), (300.0, -40.0)
Bar = tuple[tuple[float, float], tuple[float, float]]


def acted(place: Pose, *pictures: tuple[Bar, ...]) -> tuple[int | None, str | None]:
    """Who laid the tile at the place, by four seats, when arms were seen so, a picture each."""
    table = Table()
    watch = Watch(plane(), TILE_MM[1])
    arms = ArmWatch(watch)
    for k, bars in enumerate([(), (), *pictures, ()]):
        table.arms = list(bars)
        arms.observe(watch.observe(0.1 * k, table.picture()))
    corners = watch.to_cells(plane().to_image(place.corners_mm(TILE_MM[0], TILE_MM[1])))
    return actor_at(cells_of(corners, watch.shape), arms, np.zeros(watch.shape), plane(), even_seats(4))


def test_the_arm_that_was_in_the_place_laid_the_tile() -> None:
    assert acted(Pose(300, 220, 0.0), ((LEFT, (310, 220)),)) == (1, "arm")


def test_an_arm_that_rests_beside_the_place_did_not() -> None:
    resting = TOP, (300.0, 176.0)
    assert acted(Pose(300, 220, 0.0), (resting, (LEFT, (290, 222))), (resting,), (resting,)) == (1, "arm")


def test_a_tile_beyond_the_fingertips_is_theirs() -> None:
    assert acted(Pose(300, 240, 90.0), ((TOP, (300, 190)),)) == (2, "arm")


def test_arms_that_lay_on_each_other_name_nobody() -> None:
    assert acted(Pose(320, 225, 0.0), ((LEFT, (380, 220)), (TOP, (320, 300)))) == (None, None)
