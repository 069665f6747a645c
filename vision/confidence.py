"""How sure a reading is: calibrated probabilities from what the finder, the reader and the pip count say.

The weights of the formulas were fitted on held-out synthetic scenes (vision.training.calibrate), on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reader import DOWN, NONE, UP, Reading

Ranked = list[tuple[tuple[int, int], float]]

SECOND_WEIGHT = 4.0  # of the second reader's fit, in log-probability
# Log-odds = sum of weight * feature; the order is that of `features`.
RIGHT = (-3.936, 0.857, 0.427, -0.29, -0.172, 0.396, -0.296, -0.026, 0.575, 0.565, 0.609, 0.3, 0.0)
BACK = (-0.682, 0.216, -0.035, 0.85, 0.324, 0.146, -0.415, 0.175, -0.413, 1.031, 2.174, 0.0, 0.0)
TILE = (-2.755, 0.282, 0.212, 0.129, -0.472, 0.047, -0.175, 0.088, 0.85, 0.904, 2.978, 0.0, 0.0)


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
