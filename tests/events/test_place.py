"""Zones on the table and where the halves of a tile lie."""

import pytest

from table.events import Pose, Strip, Table, default_strips, default_table, in_boneyard, zone_of

TABLE = default_table(4, boneyard=True)


@pytest.mark.parametrize(
    ("x", "y", "seat"),
    [(450, 690, 0), (10, 350, 1), (450, 10, 2), (890, 350, 3), (450, 350, None), (30, 690, 0), (5, 670, 1)],
)
def test_a_point_belongs_to_the_strip_it_lies_in(x, y, seat):
    assert zone_of(x, y, TABLE) == seat


def test_two_seats_share_an_edge_clockwise():
    table = Table((900, 700), 50, 25, 9, (Strip("bottom", 60, (0.0, 0.5)), Strip("bottom", 60, (0.5, 1.0))))
    assert zone_of(800, 680, table) == 0  # clockwise along the bottom runs from right to left
    assert zone_of(100, 680, table) == 1


@pytest.mark.parametrize("seats", range(1, 9))
def test_default_seats_are_as_many_as_asked(seats):
    assert len(default_strips(seats, 50)) == seats


def test_no_table_has_nine_seats():
    with pytest.raises(ValueError, match="1 to 8"):
        default_strips(9, 50)


def test_boneyard():
    assert in_boneyard(700, 300, TABLE)
    assert not in_boneyard(600, 300, TABLE)
    assert not in_boneyard(700, 300, default_table(2))


def test_halves_lie_along_the_angle_first_half_first():
    first, second = Pose(100, 100, 90).halves_mm(48)
    assert first == pytest.approx((100, 88))
    assert second == pytest.approx((100, 112))
