"""How sure a reading is: calibrated probabilities from what the finder, the reader and the pip count say.

The weights of the formulas were fitted on held-out synthetic scenes (vision.training.calibrate), on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.reader import DOWN, NONE, UP, Reading

# Log-odds = sum of weight * feature; the order is that of `features`.
RIGHT = (-3.936, 0.857, 0.427, -0.29, -0.172, 0.396, -0.296, -0.026, 0.575, 0.565, 0.609)
BACK = (-0.682, 0.216, -0.035, 0.85, 0.324, 0.146, -0.415, 0.175, -0.413, 1.031, 2.174)
TILE = (-2.755, 0.282, 0.212, 0.129, -0.472, 0.047, -0.175, 0.088, 0.85, 0.904, 2.978)


@dataclass(frozen=True, slots=True)
class Sureness:
    """Probabilities that differ in what they claim."""

    right: float  # a tile lies here face up and its best reading is right
    back: float  # a tile lies here face down
    tile: float  # a tile lies here at all


def sureness(reading: Reading, probability: float, size_px: float, score: float, inside: float) -> Sureness:
    """probability of the best reading, tile length in px, the finder's score, share of tile surface in the outline."""
    row = features(reading, probability, size_px, score, inside)
    # a set takes away faces it lacks; that says nothing about whether a tile lies there or shows its back
    whole = features(reading, float(reading.values.max()), size_px, score, inside)
    return Sureness(_probability(RIGHT, row), _probability(BACK, whole), _probability(TILE, whole))


def _probability(weights: tuple[float, ...], row: tuple[float, ...]) -> float:
    return float(1 / (1 + np.exp(-np.dot(weights, row))))


def features(reading: Reading, probability: float, size_px: float, score: float, inside: float) -> tuple[float, ...]:
    """What the formulas are made of, see `sureness`."""
    a, b = divmod(int(reading.values.argmax()), 13)
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
    )


def log_odds(probability: float) -> float:
    """Bounded, so that no single witness decides alone."""
    p = float(np.clip(probability, 1e-3, 1 - 1e-3))
    return float(np.log(p / (1 - p)))
