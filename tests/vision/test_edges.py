"""An outline's weakest edge: a tile has four that show, a gap between tiles or an outline set beside one has not."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.edges import weakest_edge

CLOTH = 120
QUAD = np.array([[60.0, 80.0], [120.0, 70.0], [125.0, 100.0], [65.0, 110.0]])


def picture(*quads: NDArray[np.float64], light: int = 200) -> NDArray[np.uint8]:
    image = np.full((200, 240, 3), CLOTH, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), (light, light, light), cv2.LINE_AA)
    noise = np.random.default_rng(3).normal(0, 4, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def test_a_tile_shows_all_its_edges_even_faintly() -> None:
    assert weakest_edge(picture(QUAD), QUAD) > 2
    assert weakest_edge(picture(QUAD, light=CLOTH + 12), QUAD) > 1


def test_a_gap_between_two_tiles_has_no_ends() -> None:
    across = QUAD[3] - QUAD[0]
    assert weakest_edge(picture(QUAD - across, QUAD + across), QUAD) < 0.7


def test_an_outline_on_half_a_tile_lacks_an_edge() -> None:
    along = QUAD[1] - QUAD[0]
    assert weakest_edge(picture(QUAD), QUAD + along / 2) < 0.7


def test_bare_cloth_has_none() -> None:
    assert weakest_edge(picture(), QUAD) < 0.7


def test_beyond_the_picture_there_is_nothing_to_see() -> None:
    assert weakest_edge(picture(QUAD), QUAD - 500) == 0.0
