"""The tiles that lay on the table when a journal broke off, so that a resumed match knows them again."""

from __future__ import annotations

from collections.abc import Iterable

from calibration.plane import Pose
from table import events
from table.tracking.tracked import TrackedTile


def tiles_after(facts: Iterable[events.Fact]) -> tuple[list[TrackedTile], list[TrackedTile], int | None]:
    """Tiles on the table, tiles that left it, and the boneyard's count, after these facts."""
    there: dict[int, TrackedTile] = {}
    left: dict[int, TrackedTile] = {}
    numbers: dict[int, int] = {}
    count: int | None = None
    for fact in facts:
        if isinstance(fact, events.OfTile):
            numbers[fact.n] = fact.id
            pose = Pose(fact.at.x_mm, fact.at.y_mm, fact.at.angle_deg)
            tile = TrackedTile(fact.id, fact.tile, fact.face, pose, 1.0)
            if isinstance(fact, events.Removed):
                there.pop(fact.id, None)
                left[fact.id] = tile
            else:
                left.pop(fact.id, None)
                there[fact.id] = tile
        elif isinstance(fact, events.Boneyard):
            count = fact.count
        elif isinstance(fact, events.Correction) and fact.of in numbers:
            named = there.get(numbers[fact.of]) or left.get(numbers[fact.of])
            if named:
                named.tile = corrected_tile(fact) or named.tile
        elif isinstance(fact, events.Bumped):
            for tile in there.values():
                tile.pose = tile.seen_pose = bumped(tile.pose, fact)
    return list(there.values()), list(left.values()), count


def corrected_tile(correction: events.Correction) -> str | None:
    """The name that a correction gives a tile, if that is what it does."""
    change = correction.change
    return str(change["tile"]) if isinstance(change, dict) and "tile" in change else None


def bumped(pose: Pose, fact: events.Bumped) -> Pose:
    """The pose after the table moved."""
    at = fact.moved(events.Pose(pose.x_mm, pose.y_mm, pose.angle_deg))
    return Pose(at.x_mm, at.y_mm, at.angle_deg)
