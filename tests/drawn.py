"""Drawn tables with known truth for tests of the eye: a plain set on green cloth, seen at a slant."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.faces import SetStyle
from vision.training.layouts import TilePose
from vision.training.scenes import Light, PinholeTable, render

LENGTH_MM = 50.0
LIGHT = Light(direction_deg=60, shadow_mm=0.4, shadow_share=0.3, softness=0.4, contact=0.4)
CHAIN = [
    TilePose(-120, 0, 0, 6, 4, "up"),
    TilePose(-69.5, 0, 0, 4, 2, "up"),
    TilePose(-31.5, 0, 90, 2, 2, "up"),
    TilePose(6.5, 0, 0, 2, 0, "up"),
    TilePose(57, 0, 0, 0, 5, "up"),
    TilePose(107.5, 0, 0, 5, 1, "up"),
]
HAND = [TilePose(-60 + 30 * k, 90, 90, *values, "up") for k, values in enumerate([(6, 6), (3, 1), (5, 4), (1, 0)])]
BACKS = [TilePose(60 + 30 * k, -90, 80 + 10 * k, 1, 1, "down") for k in range(3)]


def plain_style() -> SetStyle:
    """White tiles, black pips and bar, as sold everywhere."""
    return SetStyle(
        chinese=False, most=6, aspect=2.0, thickness=0.35, body=(235, 238, 240), side=(225, 228, 230),
        back=(230, 233, 235),
        pip_colours=[(20, 20, 20)] * 13 + [(30, 30, 180)], pip_radius=0.1, spread=0.54, bar=0.04, bar_length=0.85,
        bar_colour=(25, 25, 25), pin_radius=0.0, corner=0.1, bevel=0.06, engraved=0.4, grain=0.0, film=0.0, back_logo=0,
        turned=False, mirrored=False, variant=0, crowded=0.5, pitch=1.0, ring=False, rim=0.6,
    )  # fmt: skip


def drawn(
    tiles: list[TilePose], style: SetStyle | None = None, seed: int = 0
) -> tuple[NDArray[np.uint8], PinholeTable, list[NDArray[np.float64]]]:
    """A 640 x 480 picture of the tiles on green cloth, seen from 25 degrees off the vertical."""
    rng = np.random.default_rng(seed)
    plane = PinholeTable(900, 700, 25, 0, (0, 0), (320, 250))
    table = np.full((480, 640, 3), (70, 105, 45), np.float32) + rng.normal(0, 5, (480, 640, 1)).astype(np.float32)
    image, _, quads = render(table, plane, style or plain_style(), LENGTH_MM, tiles, LIGHT, rng)
    image = cv2.GaussianBlur(image, (0, 0), 0.6) + rng.normal(0, 2, (480, 640, 3))
    return np.clip(image, 0, 255).astype(np.uint8), plane, quads
