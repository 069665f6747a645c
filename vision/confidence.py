"""How sure a reading is: one calibrated probability from what the reader, the pip count and the outline say.

The weights of the formula were fitted on held-out synthetic scenes (vision.training.calibrate), on nothing else.
"""

from __future__ import annotations

import numpy as np

from vision.reader import DOWN, NONE, UNCLEAR, UP, Reading

# log-odds = sum of weight * feature; the order is that of `features`
WEIGHTS = (-1.0, 0.9, 0.3, 0.8, 0.8, -0.05, 0.0)


def features(reading: Reading, probability: float, size_px: float) -> tuple[float, ...]:
    """Constant; log-odds of the reading and of a readable face; count and ways agree; movement; size."""
    up = float(reading.states[UP])
    a, b = divmod(int(reading.values.argmax()), 13)
    agrees = -float(abs(reading.counted[0] - a) + abs(reading.counted[1] - b))
    return (
        1.0,
        log_odds(probability),
        log_odds(up),
        max(agrees, -3.0),
        log_odds(reading.agree),
        min(reading.moved_px, 10.0),
        -max(0.0, np.log(45.0 / max(size_px, 1.0))),
    )


def log_odds(probability: float) -> float:
    """Bounded, so that no single witness decides alone."""
    p = float(np.clip(probability, 1e-4, 1 - 1e-4))
    return float(np.log(p / (1 - p)))


def sure_up(reading: Reading, probability: float, size_px: float) -> float:
    """Probability that the face is up and the reading right."""
    total = float(np.dot(WEIGHTS, features(reading, probability, size_px)))
    return float(1 / (1 + np.exp(-total)))


def sure_down(reading: Reading) -> float:
    """Probability that it is a tile lying face down."""
    return float(reading.states[DOWN])


__all__ = ["DOWN", "NONE", "UNCLEAR", "UP", "features", "log_odds", "sure_down", "sure_up"]
