"""Which faces a set holds."""

import pytest

from vision.sets import CHINESE_FACES, SET_NAMES, face_name, in_set


@pytest.mark.parametrize(
    ("name", "faces"), [("double-six", 28), ("double-nine", 55), ("double-twelve", 91), ("chinese", 21)]
)
def test_every_set_has_its_number_of_faces(name: str, faces: int) -> None:
    held = {face_name(a, b) for a in range(13) for b in range(13) if in_set(name, a, b)}
    assert len(held) == faces


def test_six_pips_in_three_ways_are_three_chinese_tiles() -> None:
    assert {"3-3", "4-2", "5-1"} <= CHINESE_FACES
    assert "6-0" not in CHINESE_FACES


def test_an_unknown_set_is_refused_with_the_known_ones_named() -> None:
    with pytest.raises(ValueError, match="double-twelve"):
        in_set("double-dozen", 1, 1)
    assert "auto" in SET_NAMES
