"""Was the camera bumped, or the table under it? Asked of the picture first, of the eye where the picture cannot tell.

Nothing moves without an arm: where tiles look changed that nobody has reached, the camera may have moved. Then nothing
is judged before that is settled: the table was found again, nothing moved after all, or people have been asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pose, TablePlane
from table.tracking.tracked import TrackedTile, looks_same_turned
from vision.arms import grown
from vision.motion import Activity, Mask
from vision.sighting import Sighting

BUMP_OF_WIDTH = 0.12
"""A camera that moved by less of a tile's width, over all of the play area, only shakes; a nudge is twice as much."""
BUMP_CELLS = 12
"""So many changed cells in every quarter of the play area raise the question whether the camera moved."""
RIM_CELLS = 3
"""So many changed cells on or beside a tile raise it too."""
FEWEST_DOUBTED, DOUBTED_SHARE = 2, 0.6
"""When so many tiles, and so much of all that nobody reached, look changed, and the picture cannot tell why, the eye is
asked; nothing is judged until it knows."""
FEWEST_ALIKE = 3
"""In stills, where arms are not seen, so many tiles that moved alike tell of the camera."""
BESIDE_OF_WIDTH = 2.0
"""A back that is seen so near to its place, but not there, may have been moved by a bump."""
FOUND_OF_WIDTH, MOST_TURN_DEG = 0.35, 15.0
"""Tiles of one arrangement are seen so near to where its motion takes them; and a bump turns no further."""
STILL_S, LOOK_AGAIN_S = 0.6, 3.0
"""Nothing has moved for so long before the eye is asked about the whole table, and so long lies between two looks."""


class CameraDoubt:
    """What is not certain about the camera's place, and when to ask again."""

    def __init__(self) -> None:
        self.asked = False
        """Was the picture asked in this still spell?"""
        self.tiles: list[TrackedTile] = []
        """Tiles that look changed though nobody reached them, as long as it is not known why; nothing is judged."""
        self.told = False
        """Have people been asked?"""
        self.moved_t = -np.inf
        """When anything moved last."""
        self.looked_t = -np.inf
        self.believed = False
        """Is what is seen taken as it is, whatever it looks like? Until the table looks as accepted again."""

    @property
    def holds(self) -> bool:
        """Is nothing to be judged?"""
        return bool(self.tiles)

    def raise_about(self, untouched: Sequence[TrackedTile], changed: Sequence[TrackedTile]) -> bool:
        """The picture cannot tell: is it worth a doubt that so many tiles look changed?"""
        if self.believed or len(changed) < max(FEWEST_DOUBTED, DOUBTED_SHARE * len(untouched)):
            return False
        self.tiles = list(untouched)
        return True

    def clear(self, believe: bool = False) -> None:
        """It is known now, or (`believe`) what is seen is to be taken as it is."""
        self.tiles, self.told, self.believed = [], False, believe

    def look_due(self, t: float) -> bool:
        """Is it time to ask the eye about the whole table?"""
        if t - self.moved_t < STILL_S or t - self.looked_t < LOOK_AGAIN_S:
            return False
        self.looked_t = t
        return True


def changed_all_over(activity: Activity) -> bool:
    """Did every quarter of the play area change? A bump changes all of the picture at once."""
    rows, columns = (size // 2 for size in activity.changed.shape)
    halves = activity.changed[:rows], activity.changed[rows:]
    quarters = [part for half in halves for part in (half[:, :columns], half[:, columns:])]
    return all(np.count_nonzero(quarter) >= BUMP_CELLS for quarter in quarters)


def looks_changed(cells: Mask, changed: Mask, beside: int = 0) -> bool:
    """Did anything change on a tile, given its cells, or so many cells beside it?"""
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    if not rows.size:
        return False
    part = (
        slice(max(0, rows[0] - beside), rows[-1] + 1 + beside),
        slice(max(0, columns[0] - beside), columns[-1] + 1 + beside),
    )
    place = grown(cells[part], beside) if beside else cells[part]
    return bool(np.count_nonzero(place & changed[part]) >= RIM_CELLS)


def shift_mm(before: TablePlane, now: TablePlane) -> float:
    """How far the corners of the play area have moved at most, as seen through the plane of before."""
    width, height = before.size_mm
    area = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    return float(np.linalg.norm(before.to_table(now.to_image(area)) - area, axis=1).max())


def motion_of_tiles(
    tiles: Sequence[TrackedTile], sightings: Sequence[Sighting], plane: TablePlane, width_mm: float
) -> NDArray[np.float64] | None:
    """The camera's motion, (3, 3) in image px, that lets the tiles be seen where the sightings are; None without one.

    Matched as a set: the same faces in the same arrangement, as far as most of the tiles are seen.
    """
    seen = [s for s in sightings if s.pose is not None]
    best: list[tuple[TrackedTile, Sighting]] = []
    for tile in tiles:
        for sighting in seen:
            for turn in _turns(tile, sighting):
                assert sighting.pose is not None
                shift = _at(sighting.pose) - turn * _at(tile.seen_pose)
                pairs = _pairs(tiles, seen, turn, shift, FOUND_OF_WIDTH * width_mm)
                if len(pairs) > len(best):
                    best = pairs
    if len(best) < max(FEWEST_DOUBTED, DOUBTED_SHARE * len(tiles)):
        return None
    a = np.array([_at(tile.seen_pose) for tile, _ in best])
    b = np.array([_at(sighting.pose) for _, sighting in best if sighting.pose])
    turn = complex(np.vdot(a - a.mean(), b - b.mean()) / max(float(np.vdot(a - a.mean(), a - a.mean()).real), 1e-9))
    turn = turn if len(a) > 2 else turn / abs(turn)
    shift = complex(b.mean() - turn * a.mean())
    width, height = plane.size_mm
    corners = np.array([0, width, width + 1j * height, 1j * height])
    moved = turn * corners + shift
    before, now = (plane.to_image(np.column_stack([z.real, z.imag])).astype(np.float32) for z in (corners, moved))
    return np.asarray(cv2.getPerspectiveTransform(before, now), np.float64)


def stay_put(tiles: Sequence[TrackedTile], sightings: Sequence[Sighting], width_mm: float) -> bool:
    """Do the tiles that are still seen lie where they lay? Those that are gone were taken, and tell of no camera."""
    seen = [s for s in sightings if s.pose is not None]
    there = {id(tile) for tile, _ in _pairs(tiles, seen, 1, 0, BUMP_OF_WIDTH * width_mm)}
    others = [tile for tile in tiles if id(tile) not in there]
    named = [t for t in others if t.face == "up" and any(s.face == "up" and t.is_named(s.tile) for s in seen)]
    backs = _pairs([t for t in others if t.face != "up"], seen, 1, 0, BESIDE_OF_WIDTH * width_mm)
    return len(there) >= len(named) + len(backs)


def _turns(tile: TrackedTile, sighting: Sighting) -> list[complex]:
    """By how much the table turned, as complex numbers, if the sighting is this tile."""
    if sighting.face != tile.face or not (tile.is_named(sighting.tile) or tile.face != "up"):
        return []
    assert sighting.pose is not None
    angle = (sighting.pose.angle_deg - tile.seen_pose.angle_deg + 180) % 360 - 180
    angles = [angle, (angle + 360) % 360 - 180] if looks_same_turned(sighting.tile) else [angle]
    return [complex(np.exp(1j * np.radians(a))) for a in angles if abs(a) <= MOST_TURN_DEG]


def _pairs(
    tiles: Sequence[TrackedTile], seen: Sequence[Sighting], turn: complex, shift: complex, within_mm: float
) -> list[tuple[TrackedTile, Sighting]]:
    """Tiles that are seen where they would lie, each with its sighting."""
    pairs, left = [], list(seen)
    for tile in tiles:
        there = turn * _at(tile.seen_pose) + shift
        near = [s for s in left if s.pose and _turns(tile, s) and abs(_at(s.pose) - there) < within_mm]
        if near:
            nearest = min(near, key=lambda s: abs(_at(s.pose) - there) if s.pose else np.inf)
            left.remove(nearest)
            pairs.append((tile, nearest))
    return pairs


def _at(pose: Pose) -> complex:
    return complex(pose.x_mm, pose.y_mm)
