"""Tile names and sets."""

import pytest

from table.events import halves, is_double, pips, tile_name, tiles_of


@pytest.mark.parametrize(
    ("name", "tiles", "all_pips"),
    [("double-six", 28, 168), ("double-nine", 55, 495), ("double-twelve", 91, 1092), ("chinese", 32, 227)],
)
def test_sets_are_complete(name, tiles, all_pips):
    faces = tiles_of(name)
    assert sum(faces.values()) == tiles
    assert sum(pips(face) * count for face, count in faces.items()) == all_pips


def test_names():
    assert tile_name(3, 6) == "6-3"
    assert halves("12-0") == (12, 0)
    assert is_double("5-5")
    assert not is_double("5-4")


@pytest.mark.parametrize("text", ["?", "", "3-6", "6", "6-", "a-b", "06-3", "6-3-1", "-6-3"])
def test_what_is_no_tile_is_refused(text):
    with pytest.raises(ValueError, match="is no tile"):
        halves(text)


def test_unknown_set_is_refused():
    with pytest.raises(ValueError, match="unknown set"):
        tiles_of("triple-six")
