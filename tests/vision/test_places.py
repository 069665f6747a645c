"""Of outlines that claim one place, the surest set as a whole is taken."""

import numpy as np
import pytest

from vision.confidence import Sureness
from vision.places import Judge, Place, one_a_place
from vision.reader import Reader, Reading


def place(x: float, right: float = 0.0, back: float = 0.0, tile: float | None = None) -> Place:
    """An upright 40 x 20 px outline whose left end is at x."""
    quad = np.array([[x, 0], [x + 40, 0], [x + 40, 20], [x, 20]], float)
    values, states = np.full((13, 13), 1 / 169), np.array([0.25] * 4)
    reading = Reading(quad, values, states, (0, 0), 0.0, 1.0)
    sure = Sureness(right, back, max(right, back) if tile is None else tile)
    return Place(0.5, reading, np.zeros((13, 13)), 0.5, [((0, 0), right)], sure)


def test_a_sure_tile_wins_over_two_doubtful_ones_across_its_ends() -> None:
    sure, left, right = place(100, right=0.97), place(80, right=0.35, tile=0.8), place(120, right=0.3, tile=0.8)
    assert one_a_place([left, right, sure]) == [sure]


def test_two_sure_tiles_win_over_one_across_their_joint() -> None:
    left, right, across = place(80, right=0.9), place(121, back=0.9), place(100, right=0.95)
    assert one_a_place([across, left, right]) == [left, right]


def test_neighbours_that_touch_are_all_kept() -> None:
    row = [place(40.0 * k, right=0.6) for k in range(4)]
    assert len(one_a_place(row)) == 4


def test_nothing_comes_of_nothing() -> None:
    assert one_a_place([]) == []


def test_a_set_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown set 'double-seven'"):
        Judge(Reader(), "double-seven")
