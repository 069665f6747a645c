"""How pixels are brought to the nets' inputs, the same in training and at run time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST_GAIN = 6.0


def picture_gain(image_bgr: NDArray[np.uint8]) -> float:
    """Gain that brings the picture's bright parts to a common level; dark rooms need up to 6."""
    sample = image_bgr[::4, ::4]
    bright = float(np.percentile(sample, 99))
    return float(np.clip(200.0 / max(bright, 1.0), 0.8, MOST_GAIN))


def picture_input(image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(h, w, 3) uint8 BGR -> (3, h, w) float32 RGB about 0."""
    scaled = image_bgr[..., ::-1].astype(np.float32) * (picture_gain(image_bgr) / 255.0) - 0.5
    return np.ascontiguousarray(scaled.transpose(2, 0, 1))


def crop_input(crop_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(h, w, 3) uint8 BGR -> (3, h, w) float32 RGB with mean 0 and deviation about 1, whatever the exposure."""
    values = crop_bgr[..., ::-1].astype(np.float32)
    values = (values - values.mean()) / (values.std() + 6.0)
    return np.ascontiguousarray(values.transpose(2, 0, 1))
