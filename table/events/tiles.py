"""Domino tiles and the sets they come in.

Names are the contract's notation: high-low (`6-4`, `5-5`), `?` for a face not known. Nothing about games.
"""

from __future__ import annotations

import re
from functools import lru_cache

UNKNOWN = "?"
_NAME = re.compile("[0-9]{1,2}-[0-9]{1,2}")
HIGHEST = {"double-six": 6, "double-nine": 9, "double-twelve": 12}
MILITARY = ("6-3", "5-4", "6-2", "5-3", "5-2", "4-3", "4-2", "4-1", "3-2", "2-1")
CIVIL = ("6-6", "1-1", "4-4", "3-1", "5-5", "3-3", "2-2", "6-5", "6-4", "6-1", "5-1")
SETS = (*HIGHEST, "chinese")


def tile_name(a: int, b: int) -> str:
    """The name of a tile from its two halves, in any order."""
    return f"{a}-{b}" if a >= b else f"{b}-{a}"


@lru_cache(maxsize=512)
def halves(tile: str) -> tuple[int, int]:
    """`6-4` -> (6, 4). Raises ValueError with a sentence when the text is no tile name (`?` is none either)."""
    if not _NAME.fullmatch(tile):
        raise ValueError(f"'{tile}' is no tile; write it like 6-4")
    high, low = tile.split("-")
    if int(high) < int(low):
        raise ValueError(f"'{tile}' is no tile name: the higher half comes first, {int(low)}-{int(high)}")
    if f"{int(high)}-{int(low)}" != tile:
        raise ValueError(f"'{tile}' is no tile name; write it like {int(high)}-{int(low)}")
    return int(high), int(low)


def is_known(tile: str) -> bool:
    return tile != UNKNOWN


def is_double(tile: str) -> bool:
    high, low = halves(tile)
    return high == low


def pips(tile: str) -> int:
    """Both halves added up."""
    high, low = halves(tile)
    return high + low


@lru_cache(maxsize=8)
def tiles_of(set_name: str) -> dict[str, int]:
    """Every face of a set and how many of it there are. Raises ValueError for an unknown set."""
    if set_name == "chinese":
        return {**dict.fromkeys(CIVIL, 2), **dict.fromkeys(MILITARY, 1)}
    if set_name not in HIGHEST:
        raise ValueError(f"unknown set '{set_name}'; there are {', '.join(SETS)}")
    highest = HIGHEST[set_name]
    return {tile_name(a, b): 1 for a in range(highest + 1) for b in range(a + 1)}
