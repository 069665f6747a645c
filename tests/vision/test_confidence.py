"""What the witnesses say together, and how they are weighed against drawn scenes."""

import numpy as np

from vision.confidence import fused, sureness
from vision.reader import DOWN, NONE, UP, Reading
from vision.training.calibrate import fit


def test_the_fit_finds_the_weights_that_the_truth_was_drawn_with() -> None:
    rng = np.random.default_rng(1)
    rows = np.column_stack([np.ones(6000), rng.normal(0, 1, (6000, 2))])
    weights = np.array([0.5, -1.0, 2.0])
    truth = (rng.random(6000) < 1 / (1 + np.exp(-rows @ weights))).astype(float)
    assert np.abs(fit(rows, truth) - weights).max() < 0.15


def reading(state: int, face: tuple[int, int] = (5, 2), states: float = 0.98, values: float = 0.99) -> Reading:
    all_states = np.full(4, (1 - states) / 3)
    all_states[state] = states
    all_values = np.full((13, 13), (1 - values) / 168)
    all_values[face] = values
    quad = np.array([[0, 0], [60, 0], [60, 30], [0, 30]], float)
    return Reading(quad, all_values, all_states, face, 0.5, values)


def fits(face: tuple[int, int], best: float = 0.85) -> np.ndarray:
    second = np.full((13, 13), 0.4)
    second[face] = best
    return second


def test_all_witnesses_agreeing_on_a_face_make_it_sure() -> None:
    sure = sureness(reading(UP), [((5, 2), 0.99)], fits((5, 2)), 60.0, 0.8, 0.8)
    assert sure.right > 0.95
    assert sure.tile > 0.95
    assert sure.back < 0.05


def test_readers_who_disagree_make_it_less_sure() -> None:
    said = reading(UP, values=0.6)
    said.values[6, 2] = 0.39
    agreed, doubted = (
        sureness(said, [((5, 2), float(fused(said, second)[5, 2]))], second, 60.0, 0.8, 0.8)
        for second in (fits((5, 2)), fits((6, 2)))
    )
    assert doubted.right < agreed.right - 0.1


def test_a_plain_tile_is_a_back() -> None:
    sure = sureness(reading(DOWN, (0, 0), values=0.3), [((0, 0), 0.3)], fits((0, 0), 0.5), 60.0, 0.8, 0.8)
    assert sure.back > 0.9
    assert sure.right < 0.1


def test_bare_table_is_no_tile() -> None:
    sure = sureness(reading(NONE, values=0.2), [((5, 2), 0.2)], fits((5, 2), 0.4), 60.0, 0.2, 0.05)
    assert max(sure.right, sure.back, sure.tile) < 0.2
