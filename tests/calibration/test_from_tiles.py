"""The last resort: a table guessed from the tiles of a picture."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.from_tiles import table_from_quads
from calibration.plane import Array
from calibration.table_file import DEFAULT_LENGTH_MM


def quad(x: float, y: float, length: float, angle_deg: float) -> Array:
    along = np.array([np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))]) * length / 2
    across = np.array([-along[1], along[0]]) / 2
    corners = np.array([-along - across, along - across, along + across, -along + across])
    return np.asarray(corners + np.array([x, y]), np.float64)


def test_no_tiles_no_table() -> None:
    assert table_from_quads([], (800, 600)) is None


def test_the_tiles_are_the_ruler() -> None:
    table = table_from_quads([quad(200, 200, 80, 0), quad(500, 300, 80, 70), quad(400, 400, 82, 10)], (800, 600))
    assert table is not None
    plane = table.plane((800, 600))
    assert plane.size_mm == pytest.approx((500, 375), rel=0.01)
    corners = plane.to_table(quad(300, 300, 80, 33))
    assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(DEFAULT_LENGTH_MM, rel=0.01)


def test_one_wrong_outline_among_many_does_not_decide() -> None:
    quads = [quad(100 + 60 * k, 200, 80, 0) for k in range(5)] + [quad(300, 500, 400, 0)]
    table = table_from_quads(quads, (800, 600))
    assert table is not None
    assert table.play_area.size_mm == pytest.approx((500, 375), rel=0.01)
