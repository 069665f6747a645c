"""Backs of one set bear one picture, whichever way round they lie and whatever the light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.likeness import contrast, likeness, picture_of

QUAD = np.array([[20.0, 30.0], [100.0, 30.0], [100.0, 70.0], [20.0, 70.0]])
AWAY, BELOW = np.array([110.0, 40.0]), np.array([0.0, 100.0])


def picture() -> NDArray[np.uint8]:
    """Two backs with a ring and a bar, the second turned and darker; below, a back without anything."""
    image = np.full((240, 240, 3), 120, np.uint8)
    for middle, turn, light in (((60, 50), 1, 220), ((170, 90), -1, 170), ((60, 150), 0, 220)):
        x, y = middle
        cv2.rectangle(image, (x - 40, y - 20), (x + 40, y + 20), (light, light, light), -1)
        if turn:
            cv2.circle(image, (x - 15 * turn, y), 12, (light // 3, 60, 40), 3)
            cv2.line(image, (x + 20 * turn, y - 10), (x + 20 * turn, y + 10), (40, 60, light // 2), 5)
    noise = np.random.default_rng(2).normal(0, 3, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)


def test_the_same_picture_the_other_way_round_in_less_light() -> None:
    image = picture()
    first, second = picture_of(image, QUAD, 1.0), picture_of(image, QUAD + AWAY, 1.3)
    assert likeness(first, [second]) > 0.8
    assert likeness(first, [picture_of(image, QUAD + BELOW, 1.0), second]) > 0.8


def test_a_plain_one_is_not_alike_and_shows_less() -> None:
    image = picture()
    drawn, plain = picture_of(image, QUAD, 1.0), picture_of(image, QUAD + BELOW, 1.0)
    assert abs(likeness(plain, [drawn])) < 0.3
    assert contrast(plain) < 2 < contrast(drawn)


def test_gain_evens_out_the_exposure() -> None:
    image = picture()
    assert contrast(picture_of(image, QUAD, 2.0)) == pytest.approx(2 * contrast(picture_of(image, QUAD, 1.0)), rel=0.01)


def test_beyond_the_picture_is_no_picture() -> None:
    outside = picture_of(picture(), QUAD + 500, 1.0)
    assert contrast(outside) == 0
    assert likeness(outside, [picture_of(picture(), QUAD, 1.0)]) == 0
