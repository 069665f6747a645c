"""A settled look against the tiles known before: which stayed, moved, turned, came, went, or are covered.

Pure bookkeeping on poses; the questions about pixels (did this place change, is it bare) are asked of the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.plane import Pose
from table.tracking.tracked import TrackedTile, distance_mm, is_nudge, overlap
from vision.sighting import UNKNOWN, Sighting

Kind = Literal["removed", "moved", "turned", "placed"]

SAME_PLACE = 0.5
"""Overlap above which a sighting lies where a tile lay."""
CLEARED_TILES, CLEARED_SHARE = 3, 0.7
"""When so many tiles, and so much of all that were looked at, are gone, the table is being cleared."""
PUSHED_TILES = 1.2
"""A face that is seen so many tile lengths from where it lay, on a touched place, was pushed there."""
PIPS_SHARE = 0.04
"""Turning over changes at least so much of a tile: its pips."""
TOUCHED_SHARE = 0.2
"""A tile of whose cells fewer than this changed has not been touched, whatever a new reading says."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Something that happened to one tile."""

    kind: Kind
    sighting: Sighting | None
    """What is seen now; None for a tile that is gone."""
    tile: TrackedTile | None
    """The tile it happened to; None for a new one."""


def reconcile(
    tiles: Sequence[TrackedTile],
    sightings: Sequence[Sighting],
    tile_mm: tuple[float, float, float],
    changed_share: Callable[[Pose], float],
    is_bare: Callable[[Pose], bool],
) -> list[Change]:
    """Changes that lead from `tiles`, all that lie in the looked-at region, to `sightings`, all that were seen there.

    Marks tiles `covered` or seen again; otherwise changes nothing itself.
    """
    width = tile_mm[1]
    open_tiles = list(tiles)
    open_sightings = [s for s in sightings if s.pose is not None]
    changes: list[Change] = []

    def settle(tile: TrackedTile, sighting: Sighting) -> None:
        open_tiles.remove(tile)
        open_sightings.remove(sighting)
        change = _compare(tile, sighting, width, changed_share)
        if change:
            changes.append(change)

    for tile, sighting in _pairs(open_tiles, open_sightings, tile_mm, same_name=True):
        settle(tile, sighting)
    # The same place with another reading: turned over, nudged and misread, or another tile put there.
    for tile, sighting in _pairs(open_tiles, open_sightings, tile_mm, same_name=False):
        turned = tile.face != sighting.face
        if turned or changed_share(tile.seen_pose) < TOUCHED_SHARE or _may_be(tile, sighting):
            settle(tile, sighting)
    # Carried to another place, known by its name; pushed a little way, it still covers a part of its old place.
    for tile in list(open_tiles):
        places = [s for s in open_sightings if s.tile != UNKNOWN and tile.is_named(s.tile)]
        if not places:
            continue
        nearest = min(places, key=lambda s: distance_mm(tile.seen_pose, s.pose or tile.seen_pose))
        pushed = changed_share(tile.seen_pose) >= TOUCHED_SHARE and _close(tile, nearest, PUSHED_TILES * tile_mm[0])
        if pushed or tile.covered or _gone(tile, changed_share, is_bare, sightings, tile_mm):
            settle(tile, nearest)
    gone = [t for t in open_tiles if _gone(t, changed_share, is_bare, sightings, tile_mm)]
    # Where nearly all was taken away, what cannot be seen any more went with it.
    if len(gone) >= max(CLEARED_TILES, CLEARED_SHARE * len(tiles)):
        gone += [t for t in open_tiles if t.covered and t not in gone and not _seen_at(t, sightings, tile_mm)]
    # A back has no name: one that went and one that came close by are the same.
    for tile in list(gone):
        near = [s for s in open_sightings if s.face == tile.face == "down" and _close(tile, s, 1.5 * tile_mm[0])]
        if near:
            gone.remove(tile)
            settle(tile, min(near, key=lambda s: distance_mm(tile.seen_pose, s.pose or tile.seen_pose)))
    for tile in open_tiles:
        if tile in gone:
            changes.append(Change("removed", None, tile))
        elif changed_share(tile.seen_pose) >= TOUCHED_SHARE:
            tile.covered = True
    # A sighting that lies on a tile that has not gone is that tile misread, or something lying on it: not a new tile.
    staying = [t for t in tiles if t not in gone and not any(c.tile is t for c in changes)]
    for sighting in open_sightings:
        assert sighting.pose is not None
        if not any(overlap(t.seen_pose, sighting.pose, tile_mm) > SAME_PLACE for t in staying):
            changes.append(Change("placed", sighting, None))
    return changes


def _pairs(
    tiles: Sequence[TrackedTile], sightings: Sequence[Sighting], tile_mm: tuple[float, float, float], same_name: bool
) -> list[tuple[TrackedTile, Sighting]]:
    """Tiles and sightings at one place, best overlap first, each once."""
    scored = []
    for i, tile in enumerate(tiles):
        for k, sighting in enumerate(sightings):
            assert sighting.pose is not None
            if same_name and not (tile.is_named(sighting.tile) and tile.face == sighting.face):
                continue
            share = overlap(tile.seen_pose, sighting.pose, tile_mm)
            # A tile moved by up to half its length along itself still overlaps; any further it is one that was carried.
            if share > (0.3 if same_name else SAME_PLACE):
                scored.append((share, i, k))
    pairs, used_tiles, used_sightings = [], set[int](), set[int]()
    for _, i, k in sorted(scored, reverse=True):
        if i not in used_tiles and k not in used_sightings:
            used_tiles.add(i)
            used_sightings.add(k)
            pairs.append((tiles[i], sightings[k]))
    return pairs


def _compare(
    tile: TrackedTile, sighting: Sighting, width_mm: float, changed_share: Callable[[Pose], float]
) -> Change | None:
    """What happened to a tile that is seen now as `sighting`."""
    assert sighting.pose is not None
    tile.covered = False
    touched = changed_share(tile.seen_pose) >= TOUCHED_SHARE
    if sighting.face != tile.face and {sighting.face, tile.face} == {"up", "down"}:
        # Turned over, a tile may change in its pips alone.
        return Change("turned", sighting, tile) if changed_share(tile.seen_pose) >= PIPS_SHARE else None
    if tile.face == "unclear" and sighting.face != "unclear":
        return Change("turned", sighting, tile)
    if sighting.face == "unclear" and tile.face != "unclear":
        return None
    if not touched:
        tile.seen_pose = sighting.pose
        return None
    if is_nudge(tile.pose, sighting.pose, tile.tile, width_mm):
        tile.seen_pose = sighting.pose
        return None
    return Change("moved", sighting, tile)


def _may_be(tile: TrackedTile, sighting: Sighting) -> bool:
    """Could the sighting be this tile, read less well than before?"""
    if sighting.face == "unclear" and tile.face != "unclear":
        return True
    return any(tile.is_named(name) and share > 0.02 for name, share in sighting.alternatives)


def _gone(
    tile: TrackedTile,
    changed_share: Callable[[Pose], float],
    is_bare: Callable[[Pose], bool],
    sightings: Sequence[Sighting],
    tile_mm: tuple[float, float, float],
) -> bool:
    """Is the tile not where it was: its place bare, or taken by another tile?"""
    if not tile.covered and changed_share(tile.seen_pose) <= 0:
        return False
    return _seen_at(tile, sightings, tile_mm) or is_bare(tile.seen_pose)


def _seen_at(tile: TrackedTile, sightings: Sequence[Sighting], tile_mm: tuple[float, float, float]) -> bool:
    """Does a sighting lie where the tile lay?"""
    return any(overlap(tile.seen_pose, s.pose, tile_mm) > SAME_PLACE for s in sightings if s.pose is not None)


def _close(tile: TrackedTile, sighting: Sighting, reach_mm: float) -> bool:
    return sighting.pose is not None and distance_mm(tile.seen_pose, sighting.pose) <= reach_mm


def common_motion(
    before: Sequence[Pose], now: Sequence[Pose], most_residual_mm: float
) -> tuple[float, float, float] | None:
    """The one shift (mm) and turn (degrees, about the origin) that takes all poses along, or None.

    For a bump of the whole table: `dx, dy, turn` with now = turn(before) + (dx, dy).
    """
    if len(before) < 3:
        return None
    a = np.array([[p.x_mm, p.y_mm] for p in before])
    b = np.array([[p.x_mm, p.y_mm] for p in now])
    a_mid, b_mid = a.mean(axis=0), b.mean(axis=0)
    (xx, xy), (yx, yy) = (a - a_mid).T @ (b - b_mid)
    turn = float(np.arctan2(xy - yx, xx + yy))
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    shift = b_mid - rotation @ a_mid
    residual = np.linalg.norm(a @ rotation.T + shift - b, axis=1)
    if residual.max() > most_residual_mm:
        return None
    return float(shift[0]), float(shift[1]), float(np.degrees(turn))
