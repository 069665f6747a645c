"""The lens: what a camera does to a straight ray, for one frame size."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.plane import Array


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """Camera matrix and distortion as OpenCV defines them."""

    size_px: tuple[int, int]
    """Width and height of the pictures these numbers belong to."""
    matrix: Array
    """(3, 3): focal lengths and principal point in px."""
    distortion: Array
    """(5,): k1, k2, p1, p2, k3."""
