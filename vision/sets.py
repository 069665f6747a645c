"""The sets of tiles there are, and which faces each holds. Values only; no pixels."""

from __future__ import annotations

SET_NAMES = ("auto", "double-six", "double-nine", "double-twelve", "chinese")
MOST_PIPS = {"auto": 12, "double-six": 6, "double-nine": 9, "double-twelve": 12, "chinese": 6}

_CIVIL = (
    (6, 6),
    (1, 1),
    (4, 4),
    (3, 1),
    (5, 5),
    (3, 3),
    (2, 2),
    (6, 5),
    (6, 4),
    (6, 1),
    (5, 1),
)
_MILITARY = ((6, 3), (5, 4), (6, 2), (5, 3), (5, 2), (4, 3), (4, 2), (4, 1), (3, 2), (2, 1))
CHINESE_PAIRS: tuple[tuple[int, int], ...] = _CIVIL + _MILITARY
CHINESE_FACES = frozenset(f"{high}-{low}" for high, low in CHINESE_PAIRS)


def face_name(a: int, b: int) -> str:
    """The contract's notation of a face, high-low."""
    return f"{max(a, b)}-{min(a, b)}"


def in_set(set_name: str, a: int, b: int) -> bool:
    """Does the set hold a tile a-b? Raises ValueError for a set nobody knows."""
    if set_name not in MOST_PIPS:
        raise ValueError(f"unknown set {set_name!r}; one of {', '.join(SET_NAMES)}")
    if set_name == "chinese":
        return face_name(a, b) in CHINESE_FACES
    return max(a, b) <= MOST_PIPS[set_name]
