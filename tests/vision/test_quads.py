"""Outline geometry."""

import numpy as np
import pytest

from vision.quads import (
    area_px,
    best_together,
    half_turned,
    is_convex,
    keep_best,
    length_px,
    quad_of,
    shared_px,
    width_px,
)


def box(x: float, y: float, long: float = 40, wide: float = 20, angle_deg: float = 0.0) -> np.ndarray:
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return quad_of(np.array([x, y], float), np.array([c, s]) * long / 2, np.array([-s, c]) * wide / 2)


@pytest.mark.parametrize("angle_deg", [0, 30, 90, 200])
def test_a_box_keeps_its_measures_at_any_angle(angle_deg: float) -> None:
    quad = box(100, 80, angle_deg=angle_deg)
    assert length_px(quad) == pytest.approx(40)
    assert width_px(quad) == pytest.approx(20)
    assert area_px(quad) == pytest.approx(800)
    assert is_convex(quad)


def test_an_outline_named_from_the_other_end_is_the_same_outline() -> None:
    quad = box(10, 10)
    assert shared_px(quad, half_turned(quad)) == pytest.approx(800, rel=1e-4)
    assert half_turned(half_turned(quad)) == pytest.approx(quad)


def test_a_folded_outline_is_not_convex() -> None:
    assert not is_convex(box(0, 0)[[0, 2, 1, 3]])


def test_of_two_in_one_place_the_better_stays_and_touching_ones_both_stay() -> None:
    quads = [box(0, 0), box(6, 2), box(40.5, 0), box(0, 20.2)]
    assert sorted(keep_best(quads, [0.5, 0.9, 0.8, 0.7], 0.35)) == [1, 2, 3]


def test_two_tiles_hold_their_place_against_one_outline_across_their_joint() -> None:
    quads = [box(0, 0), box(41, 0), box(20.5, 0), box(82, 0)]
    assert sorted(best_together(quads, [0.8, 0.8, 0.95, 0.1], 0.35)) == [0, 1, 3]


def test_a_better_outline_still_beats_a_poor_one_in_its_place() -> None:
    assert best_together([box(0, 0), box(3, 1)], [0.3, 0.9], 0.35) == [1]


def test_a_long_row_of_clashes_is_solved_as_well() -> None:
    quads = [box(20 * k, 0, 40, 20) for k in range(60)]
    weights = [1.0 if k % 2 == 0 else 1.05 for k in range(60)]
    kept = best_together(quads, weights, 0.35)
    assert sum(weights[k] for k in kept) >= 30
