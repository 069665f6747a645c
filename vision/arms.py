"""Arms: what reaches into the watched area from outside, and which part of the table each has covered and when.

A part of the picture that differs from the table's own look and touches the rim of what is watched is an arm, sleeve
or something else that reaches in. Where it came in is remembered while it stays, so an arm stretched right across the
table still belongs to the side it came from.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.motion import Activity, Mask, Watch, components

REST_S = 1.2
"""What reaches in and has not moved for so long is either an arm at rest or only a shadow; then they are told apart."""
ROW_LENGTHS = 2.0
"""What rests at the rim and reaches in by no more than so many tile lengths was laid there."""

REACH_OF_WIDTH = 0.6
"""An arm is taken to reach so much of a tile's width further than it is seen to."""
TOUCH_OF_WIDTH = 0.25, 0.5, 0.75
"""Arms that touch hang together by less than so many tile widths on each side; a wrist is wider."""
APART_LENGTHS = 1.0
"""What crosses the rim at two places further apart than so many tile lengths may be two arms."""

Point = tuple[float, float]


@dataclass(slots=True, eq=False)
class Arm:
    """Something that reaches in."""

    number: int
    """Counts up over the recording."""
    came_in_px: tuple[Point, ...]
    """Where it crossed the rim first, image px; several places where arms touch so that they can't be told apart."""
    since_t: float
    mask: Mask
    """Cells it covers now."""


class ArmWatch:
    """Follows arms from frame to frame and remembers what each covered last."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self.arms: list[Arm] = []
        self._count = 0
        self.covered_t: NDArray[np.float64] = np.full(watch.shape, -np.inf)
        """For each cell the last time that something that reaches in was over it or right beside it."""
        self.covered_by: NDArray[np.int32] = np.full(watch.shape, -1, np.int32)
        """For each cell the number of the arm that covered it last, -1 for none."""
        self.under_t, self.under_by = self.covered_t.copy(), self.covered_by.copy()
        """The same without what is only beside an arm."""
        self.entries: dict[int, tuple[Point, ...]] = {}
        """Where each arm, by number, came in, image px; arms that left stay listed."""

    def observe(self, activity: Activity) -> Mask:
        """Take a frame's activity; return the cells under something that reaches in."""
        if not activity.any_changed:
            self.arms = []
            return np.zeros(self._watch.shape, bool)
        least = 0.25 * self._watch.tile_cells
        parts = [p for p in components(activity.changed, least) if (p & self._watch.ring).any()]
        covering = []
        for part in parts:
            resting = activity.t - float(self._watch.quiet_since[part].max()) >= REST_S
            if resting:
                # Something laid down at the rim rests there as well; an arm reaches further in than a row of tiles.
                touching = [p for p in components(part & activity.textural, least) if (p & self._watch.ring).any()]
                row = ROW_LENGTHS * (2 * self._watch.tile_cells) ** 0.5
                covering += [p for p in touching if self._watch.depth_cells[p].max() > row]
            else:
                covering.append(part)
        self._follow(activity.t, covering)
        cover = np.zeros(self._watch.shape, bool)
        for arm in self.arms:
            cover |= arm.mask
            self.under_t[arm.mask] = activity.t
            self.under_by[arm.mask] = arm.number
            # A tile at the fingertips may look like a part of its own.
            near = grown(arm.mask, REACH_OF_WIDTH * (self._watch.tile_cells / 2) ** 0.5)
            self.covered_t[near] = activity.t
            self.covered_by[near] = arm.number
        return cover

    def leave(self, cells: Mask) -> Mask:
        """Take these cells for no part of an arm; return those that arms cover still.

        What no longer reaches in without them is no arm either.
        """
        for arm in self.arms:
            arm.mask = arm.mask & ~cells
        self.arms = [arm for arm in self.arms if (arm.mask & self._watch.ring).any()]
        return np.asarray(np.logical_or.reduce([np.zeros_like(cells), *(arm.mask for arm in self.arms)]), np.bool_)

    def follow(self, before: ArmWatch, motion: NDArray[np.float64]) -> None:
        """Know what arms have covered before the camera moved so, (3, 3) px; those that are there will be seen anew."""
        watch = before._watch
        self.covered_t = self._watch.carried(watch, motion, before.covered_t, -np.inf)
        self.under_t = self._watch.carried(watch, motion, before.under_t, -np.inf)

        def numbers(cells: NDArray[np.int32]) -> NDArray[np.int32]:
            return np.asarray(self._watch.carried(watch, motion, cells.astype(np.float64), -1).round(), np.int32)

        self.covered_by, self.under_by = numbers(before.covered_by), numbers(before.under_by)
        self.entries, self._count = dict(before.entries), before._count

    def _follow(self, t: float, parts: list[Mask]) -> None:
        followed: dict[int, Arm] = {}
        for part in parts:
            for piece, touches in self._apart(part):
                # What could not be told apart is known only for as long as it stays so.
                clear = len(touches) < 2
                before = [
                    arm for arm in self.arms if (arm.mask & piece).any() and not (clear and len(arm.came_in_px) > 1)
                ]
                if before:
                    # Two that met go on as the one with the larger share.
                    arm = max(before, key=lambda a: int((a.mask & piece).sum()))
                    number, came_in, since = arm.number, arm.came_in_px, arm.since_t
                else:
                    number, came_in, since = self._count, tuple(self._entry_px(touch) for touch in touches), t
                    self.entries[number] = came_in
                    self._count += 1
                if number in followed:  # one arm that seems to be in two parts
                    followed[number].mask = followed[number].mask | piece
                else:
                    followed[number] = Arm(number, came_in, since, piece)
        self.arms = list(followed.values())

    def _touches(self, part: Mask) -> list[Mask]:
        """Where it crosses the rim: the cells of each place."""
        join = APART_LENGTHS * (2 * self._watch.tile_cells) ** 0.5 / 2
        return components(part & self._watch.ring, join_cells=round(join))

    def _entry_px(self, touch: Mask) -> Point:
        rows, columns = np.nonzero(touch)
        x, y = self._watch.to_px(np.array([[columns.mean() + 0.5, rows.mean() + 0.5]]))[0]
        return float(x), float(y)

    def _apart(self, part: Mask) -> list[tuple[Mask, list[Mask]]]:
        """The arms that one part may consist of, those that came in at different places and only just touch.

        Each with the places where it crosses the rim.
        """
        touches = self._touches(part)
        if len(touches) < 2:
            return [(part, touches)]
        for share in TOUCH_OF_WIDTH:
            cells = share * (self._watch.tile_cells / 2) ** 0.5
            cores = components(~grown(~part, cells), self._watch.tile_cells / 4, join_cells=0)
            away = np.array([_away(core) for core in cores])
            # Each touch belongs to the core that is nearest to it.
            owners = {int(np.argmin([one[touch].min() for one in away])) for touch in touches} if cores else set()
            if len(owners) > 1:
                kept = sorted(owners)
                nearest = away[kept].argmin(0)
                pieces = [part & (nearest == k) for k in range(len(kept))]
                return [(piece, self._touches(piece)) for piece in pieces]
        return [(part, touches)]


def _away(mask: Mask) -> NDArray[np.float32]:
    """Of each cell how far it lies from the mask, in cells."""
    return np.asarray(cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 3), np.float32)


def grown(mask: Mask, cells: float) -> Mask:
    """The mask made larger by `cells` all round."""
    reach = max(1, round(cells))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel).astype(bool))
