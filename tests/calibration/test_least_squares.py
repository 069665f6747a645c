"""The search for the least squares: unknowns of any size, minima that are hard to reach, points that make no sense."""

import numpy as np
import pytest

from calibration.least_squares import jacobian, minimise, softened


def test_what_is_hardly_told_is_found_beside_what_is_tied_down() -> None:
    def residuals(at: np.ndarray) -> np.ndarray:
        return np.array([1e6 * (at[0] - 1.0), 1e-3 * (at[1] - 5000.0), at[2] - 2.0])

    cost, found = minimise(residuals, np.zeros(3))
    assert found == pytest.approx([1.0, 5000.0, 2.0], rel=1e-4)
    assert cost < 1e-6


def test_a_curved_valley_is_followed_to_its_end() -> None:
    cost, found = minimise(lambda at: np.array([1 - at[0], 10 * (at[1] - at[0] ** 2)]), np.array([-1.2, 1.0]))
    assert found == pytest.approx([1.0, 1.0], abs=1e-3)
    assert cost < 1e-5


def test_no_number_is_no_minimum() -> None:
    cost, found = minimise(lambda at: at * np.nan, np.ones(2))
    assert cost == float("inf")
    assert found == pytest.approx([1.0, 1.0])


def test_far_points_pull_less_and_near_ones_as_ever() -> None:
    near, far = softened(np.array([0.5, -2.0])), softened(np.array([100.0, -100.0]))
    assert near == pytest.approx([0.5, -2.0])
    assert far == pytest.approx([22.2, -22.2], abs=0.1)  # 2 * 2.5 * 100 - 2.5 ** 2, and its root


def test_slopes() -> None:
    assert jacobian(lambda at: np.array([at[0] ** 2, at[0] * at[1]]), np.array([3.0, 4.0])) == pytest.approx(
        np.array([[6.0, 0.0], [4.0, 3.0]]), abs=1e-6
    )
