"""`exact_outlines`: nearer to the tiles than what the eye says, wherever the first outline lies; on drawn tables."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.drawn import CHAIN, HAND, drawn
from vision.outlines import exact_outlines
from vision.quads import Quad, half_turned, length_px, width_px

Image = NDArray[np.uint8]


@pytest.fixture(scope="module")
def table() -> tuple[Image, list[Quad]]:
    image, _, quads = drawn(CHAIN + HAND)
    return image, quads


def away_px(found: list[Quad], true: list[Quad]) -> float:
    """Of the corners, root of the mean square."""
    return float(np.sqrt(np.mean((np.array(found) - np.array(true)) ** 2)))


def askew(quads: list[Quad], seed: int) -> list[Quad]:
    """Each shifted by about 2 px and out of shape by about 1 px a corner."""
    random = np.random.default_rng(seed)
    return [quad + random.normal(0, 2, 2) + random.normal(0, 1, (4, 2)) for quad in quads]


def test_corners_are_found_from_askew_outlines(table: tuple[Image, list[Quad]]) -> None:
    image, true = table
    start = askew(true, 1)
    found = exact_outlines(image, start)
    assert away_px(found, true) < 1.2 < away_px(start, true)


def test_a_shift_of_the_first_outline_matters_not(table: tuple[Image, list[Quad]]) -> None:
    image, true = table
    there, shifted = exact_outlines(image, true), exact_outlines(image, [quad + np.array([3.0, -2.0]) for quad in true])
    assert away_px(there, shifted) < 0.3


def test_the_first_corner_stays_the_first(table: tuple[Image, list[Quad]]) -> None:
    image, true = table
    turned = [half_turned(quad) for quad in true]
    assert away_px(exact_outlines(image, turned), turned) < 1.0


def test_the_rounded_edges_belong_to_the_tile(table: tuple[Image, list[Quad]], monkeypatch: pytest.MonkeyPatch) -> None:
    image, true = table
    whole = exact_outlines(image, true)
    monkeypatch.setattr("vision.outlines.ROUNDED", 0.0)
    for outer, flat in zip(whole, exact_outlines(image, true), strict=True):
        # A share of the width is added on each side, along the tile as across.
        assert width_px(outer) / width_px(flat) == pytest.approx(1.04, abs=0.005)
        assert length_px(outer) - length_px(flat) == pytest.approx(width_px(outer) - width_px(flat), abs=0.3)


def test_the_same_picture_gives_the_same(table: tuple[Image, list[Quad]]) -> None:
    image, true = table
    np.testing.assert_array_equal(exact_outlines(image, true), exact_outlines(image, true))


def test_without_tiles_nothing(table: tuple[Image, list[Quad]]) -> None:
    assert exact_outlines(table[0], []) == []
