"""How sure a reading is: calibrated probabilities from what the finder, the reader and the pip count say.

The weights of the formulas were fitted on held-out synthetic scenes (vision.training.calibrate), on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.reader import DOWN, NONE, UP, Reading

# Log-odds = sum of weight * feature; the order is that of `features`.
RIGHT = (-2.012, 0.973, 0.682, -0.143, 0.205, 0.413, -0.197, -0.195, 0.053, 0.794, 1.224)
BACK = (-0.584, 0.144, -0.477, 0.978, 0.422, 0.049, -0.006, -0.388, -0.048, 1.85, 1.341)
TILE = (-1.674, 0.493, 0.104, 0.145, -0.401, 0.185, -0.176, -0.145, 0.769, 1.383, 3.142)


@dataclass(frozen=True, slots=True)
class Sureness:
    """Probabilities that differ in what they claim."""

    right: float  # a tile lies here face up and its best reading is right
    back: float  # a tile lies here face down
    tile: float  # a tile lies here at all


def sureness(reading: Reading, probability: float, size_px: float, score: float, inside: float) -> Sureness:
    """probability of the best reading, tile length in px, the finder's score, share of tile surface in the outline."""
    row = features(reading, probability, size_px, score, inside)
    return Sureness(*(float(1 / (1 + np.exp(-np.dot(weights, row)))) for weights in (RIGHT, BACK, TILE)))


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
