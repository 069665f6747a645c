"""The eye: one picture in, tiles out. Start reading here; vision.search looks (vision.finder, vision.places).

Does no I/O, keeps nothing of a picture, knows no games. On a calibrated table the known tile size gives the scale, and
each sighting a pose; without one the scale is found from the tiles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pose, TablePlane
from vision.confidence import Ranked
from vision.normal import picture_gain
from vision.places import Place
from vision.quads import Quad, half_turned, length_px, width_px
from vision.reader import NONE, Reader
from vision.search import Search
from vision.sets import face_name
from vision.sides import show_sides
from vision.sighting import UNKNOWN, Sighting

LEAST_SURE = 0.5  # below, a face is "unclear"
LEAST_TILE = 0.4  # below, no face or back is reported
LEAST_UNCLEAR = 0.7  # below, nothing unreadable is: it stops the game, so it must rather be a tile than not
MOST_ALTERNATIVES = 4
AREA_MARGIN_SHARE = 0.15  # of a tile's length: how far outside the play area a tile's centre may lie
THICKNESS_SHARE = 0.2  # of the length, when a set's thickness is not known


class Eye:
    """Sees tiles in pictures."""

    def __init__(
        self,
        set_name: str = "auto",
        plane: TablePlane | None = None,
        tile_mm: tuple[float, float, float] | None = None,
    ) -> None:
        """tile_mm is length, width and thickness. Raises ValueError for an unknown set."""
        self._plane = plane
        self._tile_mm = tile_mm
        self._search = Search(Reader(), set_name)

    def look(self, image_bgr: NDArray[np.uint8], region_px: tuple[int, int, int, int] | None = None) -> list[Sighting]:
        """Tiles of a still picture, (h, w, 3) uint8; with a region (x0, y0, x1, y1) only those centred in it."""
        if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8:
            raise ValueError(f"a picture must be (h, w, 3) uint8, not {image_bgr.shape} {image_bgr.dtype}")
        h, w = image_bgr.shape[:2]
        if min(h, w) < 8:
            return []
        tile_px = self._tile_length_px()
        x0, y0, x1, y1 = self._part(region_px, tile_px, (w, h))
        if x1 - x0 < 8 or y1 - y0 < 8:
            return []
        part = image_bgr[y0:y1, x0:x1]
        corner = np.array([x0, y0], float)
        gain = picture_gain(image_bgr)
        if self._plane is not None and self._tile_mm is not None:
            part_px = (x0, y0, x1, y1)
            places = self._search.on_table(image_bgr, self._plane, self._tile_mm, part_px, gain, region_px)
        else:
            places = self._search.in_photo(part, None, gain)
        sightings = [s for place in places if (s := self._sighting(place, corner)) is not None]
        return [s for s in self._without_sides(image_bgr, sightings, gain) if self._wanted(s, region_px)]

    def _without_sides(self, image_bgr: NDArray[np.uint8], sightings: list[Sighting], gain: float) -> list[Sighting]:
        """Without backs that are the near side of another tile; only a known thickness tells where sides are seen."""
        if self._plane is None or self._tile_mm is None:
            return sightings
        quads, backs = [s.quad_px for s in sightings], [s.face == "down" for s in sightings]
        sides = show_sides(image_bgr, quads, backs, self._plane, self._tile_mm, gain)
        return [s for s, is_side in zip(sightings, sides, strict=True) if not is_side]

    def _tile_length_px(self) -> float | None:
        if self._plane is None or self._tile_mm is None:
            return None
        return self._tile_mm[0] * self._plane.px_per_mm()

    def _part(
        self, region_px: tuple[int, int, int, int] | None, tile_px: float | None, size: tuple[int, int]
    ) -> tuple[int, int, int, int]:
        """The part of the picture to look at: the region and the play area, and a tile's length around."""
        low, high = np.zeros(2), np.array(size, float)
        reach = tile_px or 0.0
        if tile_px is None and region_px is not None:  # the size of a tile is not known; look well around the region
            reach = float(max(region_px[2] - region_px[0], region_px[3] - region_px[1]))
        if self._plane is not None:
            corners = self._plane.corners_px()
            low, high = np.maximum(low, corners.min(0) - reach), np.minimum(high, corners.max(0) + reach)
        if region_px is not None:
            low = np.maximum(low, np.array(region_px[:2]) - reach)
            high = np.minimum(high, np.array(region_px[2:]) + reach)
        return int(low[0]), int(low[1]), int(np.ceil(high[0])), int(np.ceil(high[1]))

    def _sighting(self, place: Place, corner: NDArray[np.float64]) -> Sighting | None:
        sure = place.sure
        readable = max(sure.right, sure.back) >= LEAST_SURE
        if sure.tile < (LEAST_TILE if readable else LEAST_UNCLEAR) or place.reading.states[NONE] > 0.5:
            return None
        quad = place.quad_px + corner
        (a, b), _ = place.ranked[0]
        if sure.back >= LEAST_SURE and sure.back > sure.right:
            quad = _upright(quad)
            return Sighting(quad, "down", UNKNOWN, sure.back, (), self._pose(quad))
        named = quad if a >= b else half_turned(quad)
        names = _by_name(place.ranked)
        if not readable:
            others = tuple(names[:MOST_ALTERNATIVES])
            unreadable = min(sure.tile, 1 - max(sure.right, sure.back))
            return Sighting(named, "unclear", UNKNOWN, unreadable, others, self._pose(named))
        others = tuple(n for n in names[1 : MOST_ALTERNATIVES + 1] if n[1] > 1e-4)
        return Sighting(named, "up", face_name(a, b), sure.right, others, self._pose(named))

    def _pose(self, quad: Quad) -> Pose | None:
        if self._plane is None:
            return None
        if self._tile_mm is not None:
            return self._plane.pose_of_quad(quad, self._tile_mm[2])
        corners = self._plane.to_table(quad)
        return self._plane.pose_of_quad(quad, THICKNESS_SHARE * length_px(corners))

    def _wanted(self, sighting: Sighting, region_px: tuple[int, int, int, int] | None) -> bool:
        if region_px is not None:
            x, y = sighting.quad_px.mean(0)
            if not (region_px[0] <= x <= region_px[2] and region_px[1] <= y <= region_px[3]):
                return False
        if self._plane is None or sighting.pose is None:
            return True
        if self._tile_mm is not None:
            corners = self._plane.to_table(sighting.quad_px, self._tile_mm[2])
            length, width = length_px(corners), width_px(corners)
            if not (0.75 < length / self._tile_mm[0] < 1.33 and 0.7 < width / self._tile_mm[1] < 1.4):
                return False
            margin = AREA_MARGIN_SHARE * self._tile_mm[0]
        else:
            margin = 0.0
        return self._plane.contains(sighting.pose.x_mm, sighting.pose.y_mm, margin)


def _upright(quad: Quad) -> Quad:
    """A back has no first half; name the outline from the end that lies further left (or higher)."""
    first, second = (quad[0] + quad[3]) / 2, (quad[1] + quad[2]) / 2
    return quad if tuple(first) <= tuple(second) else half_turned(quad)


def _by_name(ranked: Ranked) -> list[tuple[str, float]]:
    """The same with a-b and b-a as one face, best first."""
    sums: dict[str, float] = {}
    for (a, b), p in ranked:
        sums[face_name(a, b)] = sums.get(face_name(a, b), 0.0) + p
    return sorted(sums.items(), key=lambda item: -item[1])
