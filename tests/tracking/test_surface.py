"""Is a place bare table, or is something over the tile that lay there?"""

from __future__ import annotations

import numpy as np

from table.tracking.surface import Surface
from vision.motion import Mask
from vision.sources.pictures import Image

SHAPE = (60, 80)
PLACE = (slice(26, 33), slice(30, 44))
CUP = (slice(18, 42), slice(27, 47))


def cells(*parts: tuple[slice, slice]) -> Mask:
    mask = np.zeros(SHAPE, bool)
    for part in parts:
        mask[part] = True
    return mask


def cloth() -> Image:
    rough = np.random.default_rng(3).normal(0, 2, (*SHAPE, 3))
    return np.asarray(np.clip(np.array([60, 90, 50]) + rough, 0, 255), np.uint8)


def test_a_place_that_looks_like_the_table_around_it_is_bare() -> None:
    place = cells(PLACE)
    assert Surface(SHAPE).is_bare(cloth(), place, ~cells(), place)


def test_a_cup_over_the_tile_and_beside_it_is_no_bare_table() -> None:
    image = cloth()
    image[CUP] = (150, 90, 40)
    assert not Surface(SHAPE).is_bare(image, cells(PLACE), ~cells(), cells(CUP))


def test_where_everything_changed_with_the_lamp_the_table_around_tells_still() -> None:
    image = np.asarray(cloth() * 0.6, np.uint8)
    assert Surface(SHAPE).is_bare(image, cells(PLACE), ~cells(), ~cells())
