"""Which Chinese tiles go together, and which group beats which. Faces only; whose turn it is does not matter here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from table.events.tiles import CIVIL, MILITARY, pips, tiles_of

# The source orders both suits by name (002-08, 002-09); which pips carry which name is from outside tables (A-002-10).
CIVIL_RANK = {tile: len(CIVIL) - place for place, tile in enumerate(CIVIL)}  # Heaven 11 ... Big-head Six 1
MILITARY_RANK = {tile: pips(tile) for tile in MILITARY}
CIVIL_NAMES = dict(
    zip(
        CIVIL,
        (
            "Heaven",
            "Earth",
            "Man",
            "Goose",
            "Plum",
            "Double Three",
            "Board",
            "Axe",
            "Partition",
            "Long-leg Seven",
            "Big-head Six",
        ),
        strict=True,
    )
)
MILITARY_NAMES = {9: "Nine", 8: "Eight", 7: "Seven", 6: "Big Six", 5: "Five", 3: "Little Three"}
FAMILIES = {"6-6": 9, "1-1": 8, "4-4": 7, "3-1": 5}  # civil tile -> the military total that goes with it (002-12)
BIG_SIX, LITTLE_THREE = "4-2", "2-1"
PAIR_TOTALS = (9, 8, 7, 5)


class Shape(NamedTuple):
    """What two groups must have in common to compare: civil tiles, military tiles, and whether it is the Supreme."""

    civil: int
    military: int
    supreme: bool = False

    @property
    def size(self) -> int:
        return self.civil + self.military


SUPREME = Shape(0, 2, True)
FOUR = Shape(2, 2)


class Group(NamedTuple):
    """A group that may be led. Ranks compare only within one shape."""

    shape: Shape
    rank: int

    def beats(self, best: Group) -> bool:
        """Same composition and strictly higher (002-14, 002-15). The Supreme neither beats nor is beaten (002-20)."""
        return self.shape == best.shape and self.shape != SUPREME and self.rank > best.rank


def group(tiles: Iterable[str]) -> Group | None:
    """The group these tiles form, in any order, or None. A `?` forms none. Raises ValueError for what is no tile."""
    return _group(tuple(sorted(tiles)))


@lru_cache(maxsize=4096)
def _group(tiles: tuple[str, ...]) -> Group | None:
    if not 1 <= len(tiles) <= 4 or any(tile not in CIVIL_RANK and tile not in MILITARY_RANK for tile in tiles):
        return None
    civil = [tile for tile in tiles if tile in CIVIL_RANK]
    military = [tile for tile in tiles if tile in MILITARY_RANK]
    if len(set(military)) < len(military) or len(civil) > 2 or len(military) > 2:
        return None
    if len(set(civil)) > 1 or len({MILITARY_RANK[tile] for tile in military}) > 1:
        return Group(SUPREME, 0) if set(tiles) == {BIG_SIX, LITTLE_THREE} else None
    shape = Shape(len(civil), len(military))
    if not civil:
        return Group(shape, MILITARY_RANK[military[0]])
    rank = CIVIL_RANK[civil[0]]
    if military and FAMILIES.get(civil[0]) != MILITARY_RANK[military[0]]:
        return None
    return Group(shape, rank)


def rank_name(tile: str) -> str:
    """The name a tile is called by at the table: `6-6` -> Heaven, `5-4` -> Nine."""
    return CIVIL_NAMES.get(tile) or MILITARY_NAMES[MILITARY_RANK[tile]]


def groups_of(hand: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Every group that can be led from a hand, each set of faces once, smallest first. Unknown tiles are left out."""
    held = Counter(tile for tile in hand if tile in CIVIL_RANK or tile in MILITARY_RANK)
    faces = [tile for tile in (*CIVIL, *MILITARY) if held[tile]]
    for size in range(1, 5):
        for tiles in combinations_with_replacement(faces, size):
            if all(count <= held[tile] for tile, count in Counter(tiles).items()) and group(tiles) is not None:
                yield tiles


def all_groups() -> Iterator[tuple[str, ...]]:
    """Every group of the whole set: 61 by face."""
    return groups_of(Counter(tiles_of("chinese")).elements())
