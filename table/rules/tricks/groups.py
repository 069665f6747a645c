"""Which Chinese tiles go together, and which group beats which. Faces only; whose turn it is does not matter here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from table.events.tiles import CIVIL, MILITARY, pips

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


class Shape(NamedTuple):
    """What two groups must have in common to compare: civil tiles, military tiles, and whether it is the Supreme."""

    civil: int
    military: int
    supreme: bool = False


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
    held = Counter(hand)
    for tiles in all_groups():
        if all(held[tile] >= tiles.count(tile) for tile in tiles):
            yield tiles


@lru_cache(maxsize=1)
def all_groups() -> tuple[tuple[str, ...], ...]:
    """Every group of the whole set: 61 by face, smallest first."""
    pairs = [(tile, tile) for tile in CIVIL] + [
        (high, low) for high, low in combinations(MILITARY, 2) if MILITARY_RANK[high] == MILITARY_RANK[low]
    ]
    mixed: list[tuple[str, ...]] = []
    for civil, total in FAMILIES.items():
        high, low = (tile for tile in MILITARY if MILITARY_RANK[tile] == total)
        for civils in ((civil,), (civil, civil)):
            mixed += [(*civils, *militaries) for militaries in ((high,), (low,), (high, low))]
    singles = [(tile,) for tile in (*CIVIL, *MILITARY)]
    return tuple(sorted([*singles, *pairs, (BIG_SIX, LITTLE_THREE), *mixed], key=len))
