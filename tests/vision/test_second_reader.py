"""The second reader alone, on drawn faces: every face there is, light and dark, a blank, and one it has not got."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.crops import CROP_SIZE_PX, MARGIN_PX
from vision.second_reader import second_look
from vision.sets import CHINESE_PAIRS
from vision.training.faces import SetStyle, draw_face
from vision.training.styles import random_style


def style(chinese: bool, **changes: object) -> SetStyle:
    plain = random_style(np.random.default_rng(5), chinese=chinese, most=6 if chinese else 12)
    quiet = replace(plain, grain=0.0, film=0.0, bevel=0.0, engraved=0.0, ring=False, turned=False, pin_radius=0.0)
    return replace(quiet, **changes)  # type: ignore[arg-type]


def crop_of(set_style: SetStyle, a: int, b: int) -> NDArray[np.uint8]:
    """The face in a crop, a perfectly found tile on grey."""
    w, h = CROP_SIZE_PX
    face = draw_face(set_style, a, b, 192, 40.0, np.random.default_rng(1))
    crop = np.full((h, w, 3), 120, np.uint8)
    size = (w - 2 * MARGIN_PX, h - 2 * MARGIN_PX)
    crop[MARGIN_PX : h - MARGIN_PX, MARGIN_PX : w - MARGIN_PX] = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    return crop


def best(fits: NDArray[np.float64]) -> tuple[int, int]:
    a, b = np.unravel_index(int(fits.argmax()), fits.shape)
    return int(a), int(b)


BLACK = [(20.0, 20.0, 20.0)] * 14
WHITE = [(235.0, 235.0, 235.0)] * 14


@pytest.mark.parametrize(("body", "pips"), [((235.0, 235.0, 235.0), BLACK), ((30.0, 30.0, 30.0), WHITE)])
@pytest.mark.parametrize("value", range(13))
def test_every_western_half_is_told_from_the_others(
    value: int, body: tuple[float, float, float], pips: list[tuple[float, float, float]]
) -> None:
    tiles = style(False, body=body, pip_colours=pips, bar=0.04, pip_radius=0.09, spread=0.58, mirrored=False)
    assert best(second_look(crop_of(tiles, value, 5), chinese=False)) == (value, 5)


@pytest.mark.parametrize(("a", "b"), CHINESE_PAIRS)
def test_every_chinese_face_is_told_from_the_others(a: int, b: int) -> None:
    tiles = style(True, pip_radius=0.12, spread=0.65, pitch=0.9, mirrored=False, variant=0)
    found = best(second_look(crop_of(tiles, a, b), chinese=True))
    assert sorted(found) == sorted((a, b))


def test_a_tile_without_contrast_is_a_blank() -> None:
    flat = np.full((64, 112, 3), 200, np.uint8)
    assert best(second_look(flat, chinese=False)) == (0, 0)


def test_an_unknown_kind_of_set_is_read_as_what_fits() -> None:
    western = style(False, body=(235.0, 235.0, 235.0), pip_colours=BLACK, bar=0.04, pip_radius=0.09, spread=0.58)
    assert best(second_look(crop_of(western, 12, 3))) == (12, 3)
