"""How sure a reading is: calibrated probabilities from what the finder, the reader and the pip count say.

The weights of the formulas were fitted on held-out synthetic scenes (vision.training.calibrate), on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reader import DOWN, NONE, UP, Reading

Ranked = list[tuple[tuple[int, int], float]]

SECOND_WEIGHT = 8.0  # of the second reader's fit, in log-probability
# Log-odds = sum of weight * feature; the order is that of `features`.
RIGHT = (-4.162, 0.768, 0.559, -0.167, -0.091, -0.163, -0.021, -0.155, -0.615, 0.744, 0.484, 0.032, 0.077)
BACK = (-2.008, -0.044, -0.071, 0.989, 0.101, 0.322, 0.215, -0.462, 0.412, 0.709, 3.39, -0.05, -1.679)
TILE = (-3.893, 0.316, 0.023, 0.046, -0.567, 0.028, 0.22, -0.507, 0.146, 0.577, 3.792, -0.148, -0.199)


@dataclass(frozen=True, slots=True)
class Sureness:
    """Probabilities that differ in what they claim."""

    right: float  # a tile lies here face up and its best reading is right
    back: float  # a tile lies here face down
    tile: float  # a tile lies here at all


def fused(reading: Reading, second: NDArray[np.float64], weight: float | None = None) -> NDArray[np.float64]:
    """(13, 13) probability of half a, half b, of both readers together; weight is the second one's."""
    values = reading.values * np.exp((SECOND_WEIGHT if weight is None else weight) * second)
    return np.asarray(values / values.sum(), np.float64)


def sureness(
    reading: Reading, ranked: Ranked, second: NDArray[np.float64], size_px: float, score: float, inside: float
) -> Sureness:
    """ranked: the faces (a, b) that may be, with their probabilities, best first; second: see vision.second_reader.

    size_px is the tile's length, score the finder's, inside the share of tile surface in the outline.
    """
    row = features(reading, ranked[0], second, size_px, score, inside)
    # a set takes away faces it lacks; that says nothing about whether a tile lies there or shows its back
    best = divmod(int(reading.values.argmax()), 13)
    whole = features(reading, (best, float(reading.values.max())), second, size_px, score, inside)
    return Sureness(_probability(RIGHT, row), _probability(BACK, whole), _probability(TILE, whole))


def _probability(weights: tuple[float, ...], row: tuple[float, ...]) -> float:
    return float(1 / (1 + np.exp(-np.dot(weights, row))))


def features(
    reading: Reading,
    best: tuple[tuple[int, int], float],
    second: NDArray[np.float64],
    size_px: float,
    score: float,
    inside: float,
) -> tuple[float, ...]:
    """What the formulas are made of, see `sureness`."""
    (a, b), probability = best
    miscount = float(abs(reading.counted[0] - a) + abs(reading.counted[1] - b))
    return (
        1.0,
        log_odds(probability),
        log_odds(float(reading.states[UP])),
        log_odds(float(reading.states[DOWN])),
        log_odds(float(reading.states[NONE])),
        -min(miscount, 3.0),
        log_odds(reading.agree),
        min(reading.moved_px, 10.0),
        -max(0.0, float(np.log(45.0 / max(size_px, 1.0)))),
        log_odds(score),
        inside,
        second_margin(second, a, b),
        float(second[a, b]),
    )


def second_margin(second: NDArray[np.float64], a: int, b: int) -> float:
    """How much better a-b fits than any other face, negative when one fits better; bounded."""
    others = second.copy()
    others[a, b] = -1.0
    return float(np.clip(second[a, b] - others.max(), -0.15, 0.15)) * 10


def log_odds(probability: float) -> float:
    """Bounded, so that no single witness decides alone."""
    p = float(np.clip(probability, 1e-3, 1 - 1e-3))
    return float(np.log(p / (1 - p)))
