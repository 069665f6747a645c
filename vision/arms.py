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


@dataclass(slots=True, eq=False)
class Arm:
    """Something that reaches in."""

    number: int
    """Counts up over the recording."""
    came_in_px: tuple[float, float]
    """Where it crossed the rim first, image px."""
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
        self.entries: dict[int, tuple[float, float]] = {}
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
            # A tile at the fingertips may look like a part of its own.
            near = grown(arm.mask, REACH_OF_WIDTH * (self._watch.tile_cells / 2) ** 0.5)
            self.covered_t[near] = activity.t
            self.covered_by[near] = arm.number
        return cover

    def follow(self, before: ArmWatch, motion: NDArray[np.float64]) -> None:
        """Know what arms have covered before the camera moved so, (3, 3) px; those that are there will be seen anew."""
        watch = before._watch
        self.covered_t = self._watch.carried(watch, motion, before.covered_t, -np.inf)
        covered_by = self._watch.carried(watch, motion, before.covered_by.astype(np.float64), -1)
        self.covered_by = np.asarray(covered_by.round(), np.int32)
        self.entries, self._count = dict(before.entries), before._count

    def _follow(self, t: float, parts: list[Mask]) -> None:
        followed: list[Arm] = []
        for part in parts:
            before = [arm for arm in self.arms if (arm.mask & part).any()]
            if before:
                # Two that met are one part now, which goes to the one with the larger share; an arm that seems to be
                # in two parts is one arm.
                arm = max(before, key=lambda a: int((a.mask & part).sum()))
                same = next((a for a in followed if a.number == arm.number), None)
                if same is None:
                    followed.append(Arm(arm.number, arm.came_in_px, arm.since_t, part))
                else:
                    same.mask = same.mask | part
                continue
            rows, columns = np.nonzero(part & self._watch.ring)
            entry = self._watch.to_px(np.array([[columns.mean() + 0.5, rows.mean() + 0.5]]))[0]
            arm = Arm(self._count, (float(entry[0]), float(entry[1])), t, part)
            self.entries[arm.number] = arm.came_in_px
            self._count += 1
            followed.append(arm)
        self.arms = followed


def grown(mask: Mask, cells: float) -> Mask:
    """The mask made larger by `cells` all round."""
    reach = max(1, round(cells))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel).astype(bool))
