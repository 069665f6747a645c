"""The tiles on the table as the tracker knows them, and when two looks mean the same tile."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.plane import Pose
from vision.sighting import UNKNOWN, Face, Sighting

NUDGE_OF_WIDTH = 0.25
"""Below this share of a tile's width, and below NUDGE_DEG, a new place is not reported (contract)."""
NUDGE_DEG = 5.0


@dataclass(slots=True, eq=False)
class TrackedTile:
    """One physical tile on the table."""

    id: int
    tile: str
    face: Face
    pose: Pose
    """As last reported."""
    confidence: float
    alternatives: tuple[tuple[str, float], ...] = ()
    covered: bool = False
    """Something lies over it: it keeps its place until it is seen again or its place is seen bare."""
    seen_pose: Pose = field(init=False)
    """As last seen; creeps along with nudges too small to report."""
    read_as: str = field(init=False)
    """What the eye reads on it, which a person may have corrected."""

    def __post_init__(self) -> None:
        self.seen_pose = self.pose
        self.read_as = self.tile

    def is_named(self, name: str) -> bool:
        """Is this what it is called, or what the eye has read on it?"""
        return name in (self.tile, self.read_as)


def overlap(a: Pose, b: Pose, tile_mm: tuple[float, float, float]) -> float:
    """Shared area of two tiles' footprints over the area of one tile."""
    length, width, _ = tile_mm
    if np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) > length * 1.12:
        return 0.0
    kind, points = cv2.rotatedRectangleIntersection(
        ((a.x_mm, a.y_mm), (length, width), a.angle_deg), ((b.x_mm, b.y_mm), (length, width), b.angle_deg)
    )
    if kind == cv2.INTERSECT_NONE or points is None or len(points) < 3:
        return 0.0
    return float(cv2.contourArea(cv2.convexHull(points))) / (length * width)


def distance_mm(a: Pose, b: Pose) -> float:
    """Distance of two centres."""
    return float(np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm))


def turn_deg(a: Pose, b: Pose, same_turned: bool) -> float:
    """Angle between two poses, 0 to 180; `same_turned` for a tile that looks the same half a turn round."""
    whole = 180.0 if same_turned else 360.0
    turn = (a.angle_deg - b.angle_deg) % whole
    return min(turn, whole - turn)


def looks_same_turned(tile: str) -> bool:
    """Does the tile look the same after half a turn: a double, a back, an unread tile?"""
    high, _, low = tile.partition("-")
    return tile == UNKNOWN or high == low


def is_nudge(before: Pose, now: Pose, tile: str, width_mm: float) -> bool:
    """Is the change of place too small to report?"""
    near = distance_mm(before, now) < NUDGE_OF_WIDTH * width_mm
    return near and turn_deg(before, now, looks_same_turned(tile)) < NUDGE_DEG


def agree(first: list[Sighting], second: list[Sighting], width_mm: float) -> bool:
    """Do two looks show the same tiles at the same places?"""
    if len(first) != len(second):
        return False
    left = list(second)
    for a in first:
        pose = a.pose
        assert pose is not None
        same = [
            b
            for b in left
            if b.pose is not None
            and (a.tile, a.face) == (b.tile, b.face)
            and distance_mm(pose, b.pose) < NUDGE_OF_WIDTH * width_mm
        ]
        if not same:
            return False
        left.remove(min(same, key=lambda b: distance_mm(pose, b.pose) if b.pose else np.inf))
    return True
