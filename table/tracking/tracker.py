"""The tracker: frames in, facts out.

A frame is first compared with the frame before and with the accepted look of the table (cheap). Only where something
changed, has been quiet, lies under no arm and is more than a shadow or a shake is the eye asked (`gaze`), and only what
is certain becomes a fact (`books`). So a tile is judged when it has settled, a covered one is not gone, and a table
where nothing happens costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pose, TablePlane
from calibration.table_file import SeatStrip
from table import events
from table.tracking.actors import actor_at
from table.tracking.boneyard import BoneyardZone
from table.tracking.books import Books
from table.tracking.camera import (
    BUMP_CELLS,
    BUMP_OF_WIDTH,
    FEWEST_ALIKE,
    CameraDoubt,
    changed_all_over,
    looks_changed,
    motion_of_tiles,
    shift_mm,
    stay_put,
)
from table.tracking.gaze import Gaze, Looking, is_sure_at_first
from table.tracking.reconcile import CLEARED_TILES, TOUCHED_SHARE, Change, reconcile
from table.tracking.surface import Surface, cells_of
from table.tracking.tracked import TrackedTile, overlap
from vision.arms import REST_S, ArmWatch, grown
from vision.fine import EDGE_LEVELS, FineChange
from vision.motion import SPECK_CELLS, Activity, Mask, Watch, components
from vision.sighting import Sighting
from vision.sources.frames import Frame

SETTLE_S = 0.3
"""A place that was still and under no arm for so long is looked at."""
SLOT_S = 2 / 15
"""Of the frames in each slot of time the first is looked at: of a recording that keeps it, then, the very same."""
IDLE_SLOTS = 2
"""While nothing is going on, a slot is left out between two."""
SLOT_SLACK = 1e-3
"""Of a slot: time stamps of video files are rounded."""
UNSURE_SHARE = 0.1
"""What counts as changed of each tile when the table is seen anew (resumed, or the camera was bumped): not enough to
call a tile moved, enough to call it gone where its place is bare."""
CRUMB_SHARE = 0.12
"""A new tile changes more of its cells than this, be it as white as the table."""
UNREACHED_SHARE = 0.5
"""Where nothing reached in no tile comes to lie, unless so much of one changed."""
GAP_S = 1.0
"""Who reached in while there were no pictures for so long was not seen."""
LEAST_CELLS = 6
"""The least of a tile that a close look finds changed: its rim and some pips. A tile has about a hundred cells."""
MARKER_SHARE = 0.7
"""A change that lies on a printed marker by more than this is one of the marker."""
MARKER_LEVELS = 40.0
"""Grey levels that something laid on a marker changes at least."""
SHADOW_CELLS = 5
"""The table this near to a tile lies in its shadow."""
MOST_OUTLINES = 300
"""Outlines of tiles that are kept ready, in cells."""


class Tracker:
    """Turns frames into facts without a number (`n`); the referee numbers them."""

    def __init__(
        self,
        eye: Looking,
        plane: TablePlane,
        tile_mm: tuple[float, float, float],
        strips: Sequence[SeatStrip] = (),
        boneyard_mm: tuple[float, float, float, float] | None = None,
        each_face_once: bool = True,
        eye_for: Callable[[TablePlane], Looking] | None = None,
    ) -> None:
        """`tile_mm` length, width, thickness; `strips` the seats; `boneyard_mm` x, y, width, height or None.

        `each_face_once`: a face that left the table and comes back is the same tile (Western sets in a game).
        `eye_for` makes the eye for another table plane, when the camera was bumped.
        """
        self._eye, self._tile_mm, self._boneyard_mm = eye, tile_mm, boneyard_mm
        self._strips, self._eye_for = strips, eye_for
        self._books = Books(each_face_once)
        self.camera_moves: list[float] = []
        """How far the camera was found to have moved each time, mm at the area's corners; the shell takes it."""
        self.questions: list[str] = []
        """What people are to be asked, by the contract's codes; the shell takes it."""
        self._look_through(plane, None)

    def _look_through(self, plane: TablePlane, boneyard_count: int | None) -> None:
        """Begin to watch the table through this plane; what is known of tiles stays."""
        self._plane = plane
        self.watch = Watch(plane, self._tile_mm[1])
        self.arms = ArmWatch(self.watch)
        self._surface = Surface(self.watch.shape)
        self._gaze = Gaze(self._eye, plane, self._tile_mm, self.watch)
        # When each cell was last seen to look as before: whatever happened to it happened after that.
        self._same_t = np.full(self.watch.shape, -np.inf)
        self._boneyard = BoneyardZone(self._boneyard_mm, plane, self.watch, boneyard_count)
        self._next_slot = 0
        self._doubt = CameraDoubt()
        self._unwatched = False
        self._seen_t = np.inf
        self._still_since = np.inf
        # Where arms have been since: white tiles on a white table are only looked for there.
        self._suspect = self._no_cover()
        self._fine_seen: Mask | None = None
        self._fine = FineChange(self.watch)
        self._outlines: dict[tuple[Pose, float], Mask] = {}
        self._started = False
        self.judgeable = False
        """Is there nothing on the table that has yet to settle or be read?"""

    @property
    def tiles(self) -> list[TrackedTile]:
        """The tiles on the table."""
        return self._books.tiles

    @property
    def holds(self) -> bool:
        """Is nothing to be judged, as it is not known where the camera is?"""
        return self._doubt.holds

    @property
    def due_t(self) -> float:
        """Frames before this time, s, are passed over."""
        return (self._next_slot - SLOT_SLACK) * SLOT_S - 1e-9

    def resume(self, facts: Iterable[events.Fact]) -> None:
        """Know again what lay on the table after these facts; to be called before the first frame."""
        self._boneyard.count = self._books.resume(facts)

    def rename(self, number: int, tile: str) -> None:
        """Take over what the tile with this id is called, once somebody knows better."""
        self._books.rename(number, tile)

    def observe(self, frame: Frame) -> list[events.Fact]:
        """Take the next frame; return what has become certain by it, in the order it happened."""
        self._still_since = min(self._still_since, frame.t)
        if frame.t - self._seen_t > GAP_S:
            self._unwatched = True
        self._seen_t = frame.t
        slot = int(frame.t / SLOT_S + SLOT_SLACK)
        if not frame.settled and slot < self._next_slot:
            return []
        self._next_slot = slot + 1
        activity = self.watch.observe(frame.t, frame.image, still=frame.settled)
        cover = self._no_cover() if frame.settled else self.arms.observe(activity)
        if self.arms.arms and self._started:
            cover = self._let_go(activity, cover, frame)
        if not self._started:
            if int(np.count_nonzero(activity.moving)) > SPECK_CELLS:
                self._still_since = frame.t
            still = frame.settled or frame.t - self._still_since >= SETTLE_S - 1e-6
            facts = self._start(frame, cover) if still else []
            self.judgeable = self._started
            return facts
        moves = int(np.count_nonzero(activity.moving)) > SPECK_CELLS
        if not (moves or activity.any_changed or self._suspect.any()):
            self._next_slot = slot + IDLE_SLOTS
        self._gaze.forget(activity.moving)
        late = self._count_boneyard(frame)
        if not activity.any_changed and not self._suspect.any() and not frame.settled:
            self._same_t[:] = frame.t
            self._unwatched = False
            self._doubt.clear()
            self._gaze.forget()
            self.judgeable = not activity.any_moving
            return late
        self.judgeable = False
        self._same_t[~activity.changed & ~self._suspect] = frame.t
        blocked = grown(cover, self.watch.tile_cells**0.5 / 2) if cover.any() else cover
        changed = self._with_fine_changes(activity, blocked, frame)
        if not frame.settled and self._is_camera_in_doubt(activity, moves, blocked, frame):
            return late
        ready, small = self._no_cover(), self._no_cover()
        for part in components(changed & ~blocked, least_cells=3, join_cells=2):
            if not (frame.settled or self._is_quiet(part, frame.t)):
                continue
            if frame.settled or self._may_be_a_tile(part, activity, frame):
                ready |= part
            else:
                small |= part
        if small.any() and not self.arms.arms:
            # Crumbs, shadows and shakes: the table's new look, and no question for the eye. An arm's own shadow goes
            # with it.
            self._accept(grown(small, 1) & ~blocked, frame)
        # All that is ready is looked at together, so that a tile carried from one place to another is one move.
        found = self._look_at(ready, changed, blocked, frame) if ready.any() else []
        self.judgeable = frame.settled
        return late + found

    def _let_go(self, activity: Activity, cover: Mask, frame: Frame) -> Mask:
        """Of the cells that arms seem to cover those that they do: one that was taken for the table may have left."""
        still = [a.mask for a in self.arms.arms if frame.t - self.watch.quiet_since[a.mask].max() >= SETTLE_S - 1e-6]
        if not still:
            return cover
        small, free = self.watch.small(frame.image), self._free_cells() & ~cover
        bare = self._surface.bare_parts(small, still, free, self._free_cells(0), activity.changed)
        if not bare.any():
            return cover
        self._accept(grown(bare, 1) & ~(cover & ~bare), frame)
        return self.arms.leave(bare)

    def _with_fine_changes(self, activity: Activity, blocked: Mask, frame: Frame) -> Mask:
        """The changed cells, and where an arm has been and left, also those that only a close look tells."""
        if blocked.any():
            self._suspect |= blocked
        if frame.settled:
            return activity.changed | self._fine.changed(frame.image)
        if not self._suspect.any() or self.arms.arms or not self._is_quiet(self._suspect, frame.t):
            return activity.changed
        if self._fine_seen is None:
            self._fine_seen = self._fine.changed(frame.image, self._suspect)
        parts = components(self._fine_seen, LEAST_CELLS, join_cells=2)
        if not parts:
            self._suspect[:] = False
            self._fine_seen = None
            return activity.changed
        return np.asarray(np.logical_or.reduce([activity.changed, *parts]), np.bool_)

    def _no_cover(self) -> Mask:
        return np.zeros(self.watch.shape, bool)

    def _is_quiet(self, part: Mask, t: float) -> bool:
        near = grown(part, 1)
        if np.count_nonzero(self.watch.quiet_since[near] > t - SETTLE_S + 1e-6) > SPECK_CELLS:
            return False
        if t - float(self.arms.covered_t[near].max()) < SETTLE_S - 1e-6:
            return False
        # An arm that was here and is still busy elsewhere may be carrying the tile that is missing here.
        busy = {arm.number for arm in self.arms.arms if t - self.watch.quiet_since[arm.mask].max() < REST_S}
        return not busy & set(self.arms.covered_by[near & (self.arms.covered_t > self._same_t)].tolist())

    def _start(self, frame: Frame, cover: Mask) -> list[events.Fact]:
        """The first settled picture: all that lies there is placed, as far as it is not known already."""
        if not self._gaze.is_weighing:
            self._gaze.know_markers(frame.image)
        everything = self.watch.inside & ~cover
        return self._look_at(everything, everything, cover, frame)

    def _look_at(
        self, part: Mask, changed: Mask, blocked: Mask, frame: Frame, ask_for_camera: bool = True
    ) -> list[events.Fact]:
        sightings = self._gaze.look(part, frame, first=not self._started)
        if sightings is None:
            return []
        ask = ask_for_camera and self._started and self._asks_for_camera(changed, blocked, sightings)
        if ask and self._find_camera(changed, blocked, frame):
            if not frame.settled:
                return []
            apart, self._suspect = self._suspect, self._no_cover()
            return self._look_at(apart, apart, self._no_cover(), frame, False) if apart.any() else []
        place = grown(part, 2) & ~blocked
        facts = self._resolve(place, changed, sightings, frame)
        self._accept(place, frame)
        self._started = True
        self._doubt.believed = False
        return facts

    def _accept(self, place: Mask, frame: Frame) -> None:
        """Take over how the place looks now."""
        self.watch.accept(frame.image, place)
        self._fine.accept(frame.image, place if self._started else None)
        if self._fine_seen is not None:
            self._fine_seen &= ~place
        self._surface.learn(self.watch.small(frame.image), place & self._free_cells(), self._free_cells(SHADOW_CELLS))

    def _may_be_a_tile(self, part: Mask, activity: Activity, frame: Frame) -> bool:
        """Is a changed part worth a look: as large as what a tile changes at least, or on a tile?"""
        reached = bool((self.arms.covered_t[part] >= self._same_t[part]).any())
        large = np.count_nonzero(part) >= (CRUMB_SHARE if reached else UNREACHED_SHARE) * self.watch.tile_cells
        if not (large or (part & ~self._free_cells(0)).any() or (part & self._boneyard.cells).any()):
            return False
        printed = (part & self._gaze.markers).sum() > MARKER_SHARE * part.sum()
        if not printed and (part & activity.textural).any():
            return True
        # A shadow has no sharp edge. Markers have the sharpest: the camera's least shake changes them a little.
        edges = self._fine.changed(frame.image, grown(part, 1), MARKER_LEVELS if printed else EDGE_LEVELS)
        return int(np.count_nonzero(edges)) >= LEAST_CELLS

    def _is_camera_in_doubt(self, activity: Activity, moves: bool, blocked: Mask, frame: Frame) -> bool:
        """Was the camera found to have moved, or may it have, so that nothing is to be judged yet?"""
        doubt = self._doubt
        if moves:
            doubt.asked, doubt.moved_t = False, frame.t
        elif not doubt.asked and (changed_all_over(activity) or self._untouched_changed(activity.changed, blocked)):
            doubt.asked = True
            if self._find_camera(activity.changed, blocked, frame):
                return True
        return doubt.holds and not self._settles_doubt(blocked, frame)

    def _untouched(self, blocked: Mask) -> list[TrackedTile]:
        """Tiles that nobody has reached since they were seen to look as before."""
        reached = self._suspect | blocked | (self.arms.covered_t > self._same_t)
        reached = grown(reached, 3) if reached.any() else reached
        return [t for t in self.tiles if not t.covered and not (self._cells(t.seen_pose) & reached).any()]

    def _untouched_changed(self, changed: Mask, blocked: Mask) -> list[TrackedTile]:
        """Tiles that look changed though nobody has reached them."""
        return [t for t in self._untouched(blocked) if looks_changed(self._cells(t.seen_pose), changed, 1)]

    def _untouched_yard_changed(self, changed: Mask, blocked: Mask) -> bool:
        """Does the boneyard look changed where nobody has reached?"""
        reached = self._suspect | blocked | (self.arms.covered_t > self._same_t)
        return int(np.count_nonzero(changed & self._boneyard.cells & ~grown(reached, 3))) >= BUMP_CELLS

    def _asks_for_camera(self, changed: Mask, blocked: Mask, sightings: Sequence[Sighting]) -> bool:
        """Does a known tile look changed? Who reached it may have moved it, but so may a bump while he did."""
        if self._untouched_changed(changed, blocked) or self._untouched_yard_changed(changed, blocked):
            return True
        seen = changed & ~blocked
        for sighting in sightings:
            # What was laid beside a tile, with its shadow, changes that one's edge.
            if sighting.pose and not any(overlap(t.seen_pose, sighting.pose, self._tile_mm) > 0.3 for t in self.tiles):
                seen &= ~grown(self._cells(sighting.pose), 2)
        return any(looks_changed(self._cells(t.seen_pose), seen) for t in self.tiles if not t.covered)

    def _find_camera(self, changed: Mask, blocked: Mask, frame: Frame) -> bool:
        """Look where the camera is now; did it move, or is that in doubt?"""
        untouched = self._untouched(blocked)
        reached = self._suspect | blocked
        hidden = blocked | self._boneyard.cells | ~self._free_cells(SHADOW_CELLS)
        known = untouched if untouched and not frame.settled else self.tiles
        # Who pushed tiles in stills is not seen, nor what was done to tiles that an arm was over.
        telling = known if known is untouched or len(known) >= FEWEST_ALIKE else []
        outlines = [self._outline(tile.seen_pose) for tile in telling]
        motion = self._fine.camera_motion(frame.image, hidden, outlines, self._boneyard.outlines(reached))
        if motion is not None:
            self._doubt.clear()
            return self._move_camera(motion, frame)
        if frame.settled or self._unwatched:
            return False
        return self._doubt.raise_about(untouched, self._untouched_changed(changed, blocked))

    def _settles_doubt(self, blocked: Mask, frame: Frame) -> bool:
        """The picture did not tell where the camera is: does the eye? Asked when all is still."""
        if not self._doubt.look_due(frame.t):
            return False
        tiles = self._doubt.tiles
        seen = self._gaze.sightings(self.watch.inside & ~blocked, frame)
        motion = motion_of_tiles(tiles, seen, self._plane, self._tile_mm[1])
        if motion is None and stay_put(tiles, seen, self._tile_mm[1]):
            self._doubt.clear(believe=True)
            return True
        if motion is None:
            if not self._doubt.told:
                self.questions.append("TABLE_DIFFERS")
            self._doubt.told = True
            return False
        self._doubt.clear(believe=True)
        return not self._move_camera(motion, frame)

    def believe(self) -> None:
        """Take the table as it is seen, though it differs: people say that it is right."""
        if self._doubt.holds:
            self._doubt.clear(believe=True)

    def _move_camera(self, motion: NDArray[np.float64], frame: Frame) -> bool:
        """Look through a plane that moved with the camera, if it did; what else has changed is still to be judged."""
        plane = self._plane.moved(motion)
        shift = shift_mm(self._plane, plane)
        if shift < BUMP_OF_WIDTH * self._tile_mm[1]:
            return False
        self.camera_moves.append(shift)
        if self._eye_for is not None:
            self._eye = self._eye_for(plane)
        watch, fine, gaze, arms, same_t = self.watch, self._fine, self._gaze, self.arms, self._same_t
        self._look_through(plane, self._boneyard.count)
        self._started = True
        self._gaze.know_markers_of(gaze)
        coarse = self.watch.follow(watch, motion, frame.t, frame.image)
        parts = components(self._fine.follow(fine, motion, frame.image), LEAST_CELLS, join_cells=1)
        apart = grown(np.logical_or.reduce([coarse, *parts]), 1)
        self._suspect |= apart
        self.arms.follow(arms, motion)
        self._same_t = self.watch.carried(watch, motion, same_t, -np.inf)
        self._same_t[~apart] = frame.t
        self._accept(~apart, frame)
        return True

    def _resolve(self, place: Mask, changed: Mask, sightings: Sequence[Sighting], frame: Frame) -> list[events.Fact]:
        """Facts that lead from the known tiles to what is seen in `place`."""
        small = self.watch.small(frame.image)
        shares: dict[Pose, float] = {}

        def changed_share(pose: Pose) -> float:
            if not self._started:
                return UNSURE_SHARE
            if pose not in shares:
                cells = self._cells(pose)
                shares[pose] = float((cells & changed & place).sum()) / max(1, int(cells.sum()))
            return shares[pose]

        free = self._free_cells()

        def is_bare(pose: Pose) -> bool:
            return self._surface.is_bare(small, self._cells(pose, 1), free, changed)

        in_yard = [s for s in sightings if s.pose and self._boneyard.holds(s.pose)]
        outside = [s for s in sightings if not any(s is y for y in in_yard)]
        seen = self._gaze.looked
        near = [t for t in self.tiles if (self._cells(t.seen_pose) & (seen if t.covered else place)).any()]
        shown = [s for s in outside if s.pose and self._touches(s.pose, place, near)]
        changes = reconcile(near, shown, self._tile_mm, changed_share, is_bare)
        changes = [c for c in changes if c.kind != "placed" or self._is_new(c.sighting, changed_share)]
        facts = self._boneyard_facts(place, frame)
        bump = self._books.bump(changes, self._tile_mm[1], frame.t)
        if bump:
            return [*facts, bump]
        order = {"removed": 0, "turned": 1, "moved": 1, "placed": 2}
        changes.sort(key=lambda c: (order[c.kind], self._when(c)))
        facts += [self._apply(change, frame.t) for change in changes]
        if sum(change.kind == "removed" for change in changes) >= CLEARED_TILES:
            self._books.cleared()
        return facts

    def _is_new(self, sighting: Sighting | None, changed_share: Callable[[Pose], float]) -> bool:
        """Is it believed that a tile came to lie there: did its place change, or is it plain from the start?

        What was printed on the table looks as before; what lay there at first has to be read.
        """
        if sighting is None or sighting.pose is None:
            return False
        if self._started:
            return changed_share(sighting.pose) >= TOUCHED_SHARE
        return is_sure_at_first(sighting)

    def _touches(self, pose: Pose, place: Mask, near: Sequence[TrackedTile]) -> bool:
        """Is what lies at `pose` part of this look: in the changed place, or where a tile of it lies?"""
        cells = self._cells(pose)
        if (cells & place).sum() >= 0.3 * cells.sum():
            return True
        return any(overlap(t.seen_pose, pose, self._tile_mm) > 0.3 for t in near)

    def _cells(self, pose: Pose, shrink: float = 0.0) -> Mask:
        """The cells of a tile's top face. Not to be written to."""
        cells = self._outlines.get((pose, shrink))
        if cells is None:
            if len(self._outlines) >= MOST_OUTLINES:
                self._outlines.clear()
            cells = self._outlines[pose, shrink] = cells_of(self._outline(pose), self.watch.shape, shrink)
        return cells

    def _outline(self, pose: Pose) -> NDArray[np.float64]:
        """The corners of a tile's top face, (4, 2), in cells."""
        return self.watch.to_cells(self._plane.to_image(pose.corners_mm(*self._tile_mm[:2]), self._tile_mm[2]))

    def _free_cells(self, apart: int = 2) -> Mask:
        """Cells more than `apart` cells from any tile."""
        taken = self._no_cover()
        for tile in self.tiles:
            taken |= self._cells(tile.seen_pose)
        return self.watch.inside & ~(grown(taken, apart) if apart else taken)

    def _is_free(self, part: Mask, frame: Frame) -> bool:
        """Has the part been quiet, and nothing reaches over it?"""
        return frame.settled or (
            self._is_quiet(part, frame.t) and not any((a.mask & part).any() for a in self.arms.arms)
        )

    def _boneyard_facts(self, place: Mask, frame: Frame) -> list[events.Fact]:
        """Count the boneyard when its zone has changed: now, or when nothing reaches over it any more."""
        self._boneyard.touch(place)
        return self._count_boneyard(frame)

    def _count_boneyard(self, frame: Frame) -> list[events.Fact]:
        if not self._boneyard.is_due or not self._is_free(self._boneyard.cells, frame):
            return []
        seat, seat_by = self._actor(self._boneyard.touched)
        seen = self._gaze.sightings(self._boneyard.cells, frame)
        return self._boneyard.counted(seen, frame.t, seat, seat_by, first=not self._started)

    def _when(self, change: Change) -> float:
        """When the place of a change was last covered by an arm; -inf where no arm was seen."""
        pose = change.sighting.pose if change.sighting else change.tile.seen_pose if change.tile else None
        return float(self.arms.covered_t[self._cells(pose)].max(initial=-np.inf)) if pose else -np.inf

    def _actor(self, cells: Mask) -> tuple[int | None, events.SeatBy | None]:
        """The seat whose arm covered the cells last since they were seen to look as before."""
        return actor_at(cells, self.arms, self._same_t, self._plane, self._strips)

    def _apply(self, change: Change, t: float) -> events.Fact:
        tile, seen = change.tile, change.sighting
        pose = seen.pose if seen and seen.pose else tile.seen_pose if tile else None
        assert pose is not None
        seat, seat_by = self._actor(self._cells(pose))
        if change.kind == "moved" and tile and seat is None:
            seat, seat_by = self._actor(self._cells(tile.seen_pose))
        return self._books.apply(change, t, seat, seat_by)
