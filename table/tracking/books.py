"""The tiles on the table and those that left it, and the facts that changes of them become."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from calibration.plane import Pose
from table import events
from table.tracking.reconcile import Change, common_motion
from table.tracking.resume import bumped, tiles_after
from table.tracking.tracked import TrackedTile
from vision.sighting import UNKNOWN, Sighting

BUMP_SHARE = 0.6
"""When this share of the known tiles moved as one, the table was bumped."""
FEWEST_BUMPED = 3
BUMP_RESIDUAL_OF_WIDTH = 0.2


class Books:
    """Which physical tile lies where, under which number."""

    def __init__(self, each_face_once: bool) -> None:
        """`each_face_once`: a face that left the table and comes back is the same tile (Western sets in a game)."""
        self.tiles: list[TrackedTile] = []
        self._left: list[TrackedTile] = []
        self._next_id = 0
        self._each_face_once = each_face_once

    def resume(self, facts: Iterable[events.Fact]) -> int | None:
        """Know again what lay on the table after these facts; return the boneyard's count."""
        self.tiles, self._left, count = tiles_after(facts)
        self._next_id = 1 + max((t.id for t in (*self.tiles, *self._left)), default=-1)
        return count

    def rename(self, number: int, tile: str) -> None:
        """Take over what the tile with this id is called, once somebody knows better."""
        for known in self.tiles:
            if known.id == number and tile != UNKNOWN:
                known.tile = tile

    def cleared(self) -> None:
        """The table was cleared: a face read from now on may be any tile's, also one that was once read wrongly."""
        for tile in self._left:
            tile.read_as = tile.tile

    def bump(self, changes: Sequence[Change], width_mm: float, t: float) -> events.Bumped | None:
        """One fact for a table that moved as a whole, instead of one a tile; None where it did not."""
        moved = [(c.tile, c.sighting) for c in changes if c.kind == "moved" and c.tile and c.sighting]
        if len(moved) != len(changes) or len(moved) < max(FEWEST_BUMPED, BUMP_SHARE * len(self.tiles)):
            return None
        poses = [seen.pose for _, seen in moved if seen.pose]
        motion = common_motion([tile.pose for tile, _ in moved], poses, BUMP_RESIDUAL_OF_WIDTH * width_mm)
        if motion is None:
            return None
        dx, dy, turn = motion
        fact = events.Bumped(t=t, dx_mm=round(dx, 2), dy_mm=round(dy, 2), turn_deg=round(turn, 3))
        for tile in self.tiles:
            tile.pose = tile.seen_pose = bumped(tile.pose, fact)
        return fact

    def apply(self, change: Change, t: float, seat: int | None, seat_by: events.SeatBy | None) -> events.Fact:
        """Keep the change and put it into a fact."""
        tile, seen = change.tile, change.sighting
        pose = seen.pose if seen and seen.pose else tile.seen_pose if tile else None
        assert pose is not None
        if change.kind == "placed":
            assert seen is not None
            tile = self._new_tile(seen, pose)
            return events.Placed(
                t=t,
                id=tile.id,
                tile=tile.tile,
                face=tile.face,
                at=_at(pose),
                seat=seat,
                seat_by=seat_by,
                confidence=round(seen.confidence, 4),
                alternatives=tuple((name, round(share, 4)) for name, share in seen.alternatives),
            )
        assert tile is not None
        kind: type[events.OfTile]
        if change.kind == "removed":
            self.tiles.remove(tile)
            self._left.append(tile)
            kind = events.Removed
        else:
            assert seen is not None
            kind = events.Turned if change.kind == "turned" else events.Moved
            if change.kind == "turned":
                tile.face = seen.face
                # A tile keeps its name once known, also lying on its face.
                if tile.tile == UNKNOWN:
                    tile.tile = tile.read_as = seen.tile
            tile.pose = tile.seen_pose = pose
            tile.covered = False
        return kind(t=t, id=tile.id, tile=tile.tile, face=tile.face, at=_at(pose), seat=seat, seat_by=seat_by)

    def _new_tile(self, seen: Sighting, pose: Pose) -> TrackedTile:
        known = None
        if self._each_face_once and seen.tile != UNKNOWN:
            named = [t for t in reversed(self._left) if t.is_named(seen.tile)]
            known = next((t for t in named if t.tile == seen.tile), named[0] if named else None)
        if known:
            self._left.remove(known)
            number = known.id
        else:
            number, self._next_id = self._next_id, self._next_id + 1
        name = known.tile if known else seen.tile
        tile = TrackedTile(number, name, seen.face, pose, seen.confidence, seen.alternatives)
        tile.read_as = seen.tile
        self.tiles.append(tile)
        return tile


def _at(pose: Pose) -> events.Pose:
    return events.Pose(round(pose.x_mm, 2), round(pose.y_mm, 2), round(pose.angle_deg % 360, 2) % 360)
