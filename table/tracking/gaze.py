"""Where the eye is asked, and when what it answers is believed: one sure look, or two that agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pose, TablePlane
from table.tracking.surface import cells_of
from table.tracking.tracked import agree
from vision.arms import grown
from vision.motion import SPECK_CELLS, Mask, Watch, components
from vision.sighting import Sighting
from vision.sources.frames import Frame
from vision.sources.pictures import Image

LOOK_GAP_S = 0.1
"""Two looks that have to agree are at least so far apart."""
MOST_LOOKS = 8
"""When so many looks did not agree, the place counts as it was seen last; the eye calls unclear what it cannot read."""
UNCLEAR_LOOKS = 4
"""What is unclear is looked at so often before it is taken as that."""
ONE_LOOK_SURE = 0.9
"""Where every tile is read so surely, a second look at the same still place would tell nothing new."""
FIRST_SURE = 0.9
"""A tile that lies there in the first picture is believed when the eye is so sure."""
REACH_OF_LENGTH = 0.75
"""A tile that touches a changed place has its centre no further from it."""
APART_OF_LENGTH = 1.5
"""Changed places further apart than this are looked at singly, not with all that lies between."""


class Looking(Protocol):
    """The eye, as the tracker needs it."""

    def look(self, image_bgr: Image, region_px: tuple[int, int, int, int] | None = None) -> list[Sighting]: ...


def is_sure_at_first(sighting: Sighting) -> bool:
    """Is a tile believed to have lain there before the game?"""
    return sighting.face != "unclear" and sighting.confidence >= FIRST_SURE


@dataclass(slots=True, eq=False)
class _Pending:
    """A changed place that is being looked at."""

    mask: Mask
    looks: list[list[Sighting]]
    looked_t: float


class Gaze:
    """Asks the eye about places of the table and weighs its answers."""

    def __init__(self, eye: Looking, plane: TablePlane, tile_mm: tuple[float, float, float], watch: Watch) -> None:
        self._eye, self._plane, self._tile_mm, self._watch = eye, plane, tile_mm, watch
        self._pending: list[_Pending] = []
        self._markers_mm: list[NDArray[np.float32]] = []
        self._length_cells = tile_mm[0] * plane.px_per_mm() * watch.scale
        self.looked: Mask = np.zeros(watch.shape, bool)
        """The cells that the last look saw."""
        self.markers: Mask = np.zeros(watch.shape, bool)
        """The cells of printed corner markers."""

    @property
    def is_weighing(self) -> bool:
        """Has some place been looked at and not been settled yet?"""
        return bool(self._pending)

    def know_markers(self, image: Image) -> None:
        """Printed corner markers lie where they lie now: their squares may look like a tile."""
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(grey)
        numbers = [] if ids is None else [int(k) for k in np.asarray(ids).ravel()]
        found = zip(corners, numbers, strict=True)
        outlines_px = [np.asarray(outline, np.float64).reshape(4, 2) for outline, number in found if number < 4]
        self._markers_mm = [self._plane.to_table(outline).astype(np.float32) for outline in outlines_px]
        self._mark()

    def know_markers_of(self, other: Gaze) -> None:
        """The markers lie on the table where another gaze, through another plane, knows them."""
        self._markers_mm = other._markers_mm
        self._mark()

    def _mark(self) -> None:
        self.markers[:] = False
        for outline_mm in self._markers_mm:
            outline = self._watch.to_cells(self._plane.to_image(outline_mm))
            self.markers |= cells_of(outline, self._watch.shape)
        self.markers = grown(self.markers, 2)

    def forget(self, moving: Mask | None = None) -> None:
        """Looks at places where something moves are worth nothing; without `moving` all of them."""
        if moving is None:
            self._pending = []
        elif self._pending:
            self._pending = [p for p in self._pending if (p.mask & moving).sum() <= SPECK_CELLS]

    def look(self, part: Mask, frame: Frame, first: bool = False) -> list[Sighting] | None:
        """What lies in and around the part, once that is certain; None as long as it has to be looked at again.

        `first`: of a table before the game. Nothing lying there is an answer like any other, and things that only look
        a bit like tiles, which would not be believed, are not waited for once surer ones are seen.
        """
        pending = next((p for p in self._pending if (p.mask & part).any()), None)
        if pending and frame.t - pending.looked_t < LOOK_GAP_S - 1e-6:
            return None
        sightings = self.sightings(part, frame)
        if pending is None:
            pending = _Pending(part, [], frame.t)
            self._pending.append(pending)
        pending.mask = pending.mask | part
        pending.looked_t = frame.t
        pending.looks.append(sightings)
        if not (frame.settled or self._is_certain(pending, part, first)):
            return None
        self._pending.remove(pending)
        return sightings

    def _is_certain(self, pending: _Pending, part: Mask, first: bool) -> bool:
        looks = pending.looks
        if len(looks) >= MOST_LOOKS:
            return True
        there = [s for s in looks[-1] if self._touches(s, part)]
        if len(looks) == 1:
            return (bool(there) or first) and all(s.face != "unclear" and s.confidence >= ONE_LOOK_SURE for s in there)
        if first:
            sure, before = ([s for s in look if is_sure_at_first(s)] for look in (looks[-1], looks[-2]))
            if sure and agree(sure, before, self._tile_mm[1]):
                return True
        if any(s.face == "unclear" for s in looks[-1]) and len(looks) < UNCLEAR_LOOKS:
            return False
        return agree(looks[-1], looks[-2], self._tile_mm[1])

    def _touches(self, sighting: Sighting, part: Mask) -> bool:
        return bool((cells_of(self._watch.to_cells(sighting.quad_px), self._watch.shape) & part).any())

    def sightings(self, part: Mask, frame: Frame) -> list[Sighting]:
        """What the eye sees in the play area in and around the part, places far from each other looked at singly."""
        self.looked = np.zeros(self._watch.shape, bool)
        seen: list[Sighting] = []
        for region in self._regions(part):
            seen += self._eye.look(frame.image, region)
        return [s for s in seen if s.pose and self._plane.contains(s.pose.x_mm, s.pose.y_mm) and not self._on_marker(s)]

    def _regions(self, part: Mask) -> list[tuple[int, int, int, int]]:
        """Boxes (x0, y0, x1, y1), px, that hold the centres of all tiles at the part; none overlaps another."""
        near = grown(part, APART_OF_LENGTH * self._length_cells / 2)
        boxes = [self._box(cluster & part) for cluster in components(near, join_cells=0)]
        merged: list[NDArray[np.float64]] = []
        for box in boxes:
            while True:
                hit = next((m for m in merged if (box[0] <= m[1]).all() and (m[0] <= box[1]).all()), None)
                if hit is None:
                    break
                merged = [m for m in merged if m is not hit]
                box = np.array([np.minimum(box[0], hit[0]), np.maximum(box[1], hit[1])])
            merged.append(box)
        width, height = self._plane.size_px
        regions = []
        for low, high in merged:
            left, top, right, bottom = np.round(self._watch.to_cells(np.array([low, high]))).astype(int).ravel()
            self.looked[max(0, top) : bottom, max(0, left) : right] = True
            regions.append(
                (max(0, int(low[0])), max(0, int(low[1])), min(width, int(high[0]) + 1), min(height, int(high[1]) + 1))
            )
        return regions

    def _box(self, part: Mask) -> NDArray[np.float64]:
        rows, columns = np.nonzero(part)
        reach = REACH_OF_LENGTH * self._tile_mm[0] * self._plane.px_per_mm()
        corners = np.array([[columns.min(), rows.min()], [columns.max() + 1, rows.max() + 1]], float)
        return np.asarray(self._watch.to_px(corners) + np.array([[-reach], [reach]]), np.float64)

    def _on_marker(self, sighting: Sighting) -> bool:
        pose = sighting.pose
        assert isinstance(pose, Pose)
        at = (pose.x_mm, pose.y_mm)
        return any(cv2.pointPolygonTest(outline, at, False) >= 0 for outline in self._markers_mm)
