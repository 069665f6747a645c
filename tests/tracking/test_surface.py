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


def shaded() -> Image:
    """The cloth with the shadow of a pile of tiles over most of the place."""
    image = cloth()
    image[20:31, 26:44] = (image[20:31, 26:44] * 0.5).astype(np.uint8)
    return image


def test_a_place_that_looks_like_the_table_around_it_is_bare() -> None:
    place = cells(PLACE)
    assert Surface(SHAPE).is_bare(cloth(), place, ~cells(), place)


def test_a_cup_over_the_tile_and_beside_it_is_no_bare_table() -> None:
    image = cloth()
    image[CUP] = (150, 90, 40)
    assert not Surface(SHAPE).is_bare(image, cells(PLACE), ~cells(), cells(CUP))


def test_a_mug_far_wider_than_the_tile_is_no_bare_table() -> None:
    """Dark and even throughout, like what is around the place for more than a tile's width."""
    image = cloth()
    mug = cells((slice(12, 47), slice(14, 60)))
    image[mug] = np.random.default_rng(4).normal(25, 1, (np.count_nonzero(mug), 3)).astype(np.uint8)
    surface = Surface(SHAPE)
    surface.learn(cloth(), ~cells(), ~cells())
    assert not surface.is_bare(image, cells(PLACE), ~cells(PLACE), mug)


def test_where_everything_changed_with_the_lamp_the_table_around_tells_still() -> None:
    image = np.asarray(cloth() * 0.6, np.uint8)
    assert Surface(SHAPE).is_bare(image, cells(PLACE), ~cells(), ~cells())


def test_a_few_cells_between_other_tiles_do_not_tell_how_uneven_the_table_is() -> None:
    surface, place, image = Surface(SHAPE), cells(PLACE), cloth()
    surface.learn(shaded(), ~cells(), ~cells())
    smooth = cells((slice(29, 30), slice(47, 49)))
    image[smooth] = (60, 90, 50)
    # All around was changed too, when the table was cleared; the table further off was not.
    changed = cells((slice(20, 39), slice(24, 50))) & ~smooth
    assert surface.is_bare(image, place, ~cells(), changed)
    # Nor where other tiles lay all over the table.
    assert surface.is_bare(image, place, smooth, ~smooth)


def test_a_place_in_the_shadow_of_a_tile_beside_it_is_bare_as_it_was() -> None:
    surface, place = Surface(SHAPE), cells(PLACE)
    pile = cells((slice(16, 23), slice(26, 44)))
    beside = cells((slice(11, 40), slice(21, 49)))
    surface.learn(cloth(), ~cells(), ~cells())
    surface.learn(shaded(), beside & ~pile, ~beside)
    assert surface.is_bare(shaded(), place, ~pile, place)
    assert surface.is_bare(cloth(), place, ~cells(), place), "the pile is gone, and its shadow with it"


def test_what_lies_over_a_tile_in_a_shadow_is_no_bare_table() -> None:
    surface, pile = Surface(SHAPE), cells((slice(16, 23), slice(26, 44)))
    surface.learn(cloth(), ~cells(), ~cells())
    surface.learn(shaded(), ~pile, cells())
    for colour in ((150, 90, 40), (30, 30, 34), (60, 60, 60)):
        image = shaded()
        image[CUP] = colour
        assert not surface.is_bare(image, cells(PLACE), ~pile, cells(CUP)), colour
