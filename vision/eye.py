"""The eye: one picture in, tiles out. Start reading here; finding is vision.finder, reading vision.reader.

Does no I/O, keeps nothing of a picture, knows no games. On a calibrated table the known tile size gives the scale, and
each sighting a pose; without one the scale is found from the tiles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pose, TablePlane
from vision.birds_eye import BirdsEye
from vision.confidence import Ranked, Sureness, fused, sureness
from vision.finder import GOOD_LENGTH_PX, Candidate, Finder, Found, thinned, usual_length_px
from vision.neighbours import places_beside, places_sharing_half
from vision.normal import picture_gain
from vision.quads import Quad, area_px, best_together, half_turned, length_px, shared_px, width_px
from vision.reader import DOWN, NONE, UP, Reader, Reading
from vision.sets import MOST_PIPS, SET_NAMES, face_name, in_set
from vision.sighting import UNKNOWN, Sighting

MOST_SWEPT = 16  # candidates of each scale that the reader tries while the tiles' size is unknown
CERTAIN = 0.75
SAME_PLACE_FOUND = 0.45  # shared part above which only the better of two candidates is read
SAME_TRY = 0.7  # the same where the first look left something open: try more
MOST_ROUNDS = 4  # of looking for what lies beside the tiles read so far
MOST_TRIES = 40  # places tried in each of these rounds
LEAST_INSIDE = 0.45  # share of such a place that must look like tile and belong to none
SMALLEST_PX = 15.0  # a tile shorter than this in the picture is not looked for
LEAST_SURE = 0.5  # below, a face is "unclear"
LEAST_TILE = 0.4  # below, nothing is reported
MOST_ALTERNATIVES = 4
WEIGHT_POWER = 1.6  # above 1, so that two doubtful outlines do not outweigh a sure one
SAME_PLACE = 0.35  # two outlines sharing more of the smaller one's area claim one place
SIZE_SPREAD = 1.9  # tiles of one set differ from their neighbours' area at most by this factor (perspective, tilt)
GRID_MM = 10.0  # between the table points that tell which part of the table a part of the picture shows
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
        if set_name not in SET_NAMES:
            raise ValueError(f"unknown set {set_name!r}; one of {', '.join(SET_NAMES)}")
        self._set = set_name
        self._plane = plane
        self._tile_mm = tile_mm
        most = MOST_PIPS[set_name]
        self._allowed = np.array([[in_set(set_name, a, b) for b in range(13)] for a in range(13)])
        assert self._allowed[: most + 1, : most + 1].any()
        self._finder = Finder()
        self._reader = Reader()

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
            found = self._found_from_above(image_bgr, (x0, y0, x1, y1), gain)
            read = self._read_all(part, found, corner)
        else:
            found, read = self.candidates(part, None, gain)
            read = _of_one_size(read)
        sightings = []
        chinese = None if self._set == "auto" else self._set == "chinese"
        seconds = self._reader.second_looks(part, [r.quad_px for _, r in read], chinese)
        for (candidate, reading), second in zip(read, seconds, strict=True):
            ranked = self._ranked(fused(reading, second))
            inside = found.share_inside(reading.quad_px)
            sure = sureness(reading, ranked, second, length_px(reading.quad_px), candidate.score, inside)
            sighting = self._sighting(reading, ranked, sure, corner)
            if sighting is not None and self._wanted(sighting, region_px):
                sightings.append(sighting)
        return sightings

    def candidates(
        self,
        part: NDArray[np.uint8],
        tile_px: float | None,
        gain: float | None = None,
    ) -> tuple[Found, list[tuple[Candidate, Reading]]]:
        """What might be tiles, one a place, before anything is judged, on no calibrated table.

        tile_px is the usual length of a tile, where that is known.
        """
        if gain is None:
            gain = picture_gain(part)
        swept: list[Candidate] = []
        if tile_px is None:
            swept = [c for at_scale in self._finder.sweep(part, gain) for c in at_scale[:MOST_SWEPT]]
            tile_px = self._usual_length(part, swept)
            if tile_px is None:
                return Found.nothing(), []
        found = self._finder.search(part, tile_px, gain)
        # the sweep adds tiles that perspective made small or large
        near = [c for c in swept if 0.45 < length_px(c.quad_px) / tile_px < 2.2]
        more = [Candidate(c.quad_px, c.score * 0.9, c.up) for c in near]
        found = Found(found.candidates + more, found.inside, found.to_cells)
        return found, self._read_all(part, found, np.zeros(2))

    def _found_from_above(self, image_bgr: NDArray[np.uint8], part_px: tuple[int, int, int, int], gain: float) -> Found:
        """What the localiser sees of a part of the picture, straightened so that all tiles have the size it likes."""
        assert self._plane is not None
        assert self._tile_mm is not None
        length, _, thickness = self._tile_mm
        axes = [np.arange(-length, side + length + GRID_MM, GRID_MM) for side in self._plane.size_mm]
        grid = np.stack(np.meshgrid(*axes), -1).reshape(-1, 2)
        seen = self._plane.to_image(grid, thickness)
        inside = ((seen >= part_px[:2]) & (seen <= part_px[2:])).all(1)
        if not inside.any():
            return Found.nothing()
        low, high = grid[inside].min(0) - GRID_MM, grid[inside].max(0) + GRID_MM
        view = BirdsEye(image_bgr, self._plane, low, high - low, GOOD_LENGTH_PX / length, thickness)
        found = self._finder.search(view.image_bgr, GOOD_LENGTH_PX, gain)
        return found.seen_through(view, np.array(part_px[:2], float))

    def _read_all(
        self, part: NDArray[np.uint8], found: Found, corner: NDArray[np.float64]
    ) -> list[tuple[Candidate, Reading]]:
        """Candidates that are tiles; then what lies unaccounted for beside them, until nothing new turns up."""
        open_ = [c for c in found.candidates if length_px(c.quad_px) >= SMALLEST_PX]
        read: list[tuple[Candidate, Reading]] = []
        tried: list[Quad] = []
        for turn in range(MOST_ROUNDS):
            fresh = [c for c in open_ if not any(_same(c.quad_px, q) for q in tried)]
            tries = thinned(fresh, SAME_TRY if turn else SAME_PLACE_FOUND)
            if turn:
                tries = tries[:MOST_TRIES]
            if not tries:
                break
            tried += [c.quad_px for c in tries]
            readings = self._reader.read(
                part, [c.quad_px for c in tries], fitted=lambda quad: self._fitted(quad, corner)
            )
            new = [(c, r) for c, r in zip(tries, readings, strict=True) if r is not None]
            read = self._one_a_place(read + new)
            known = [r.quad_px for _, r in read if r.states[NONE] < 0.3 and _certain(r)]
            doubtful = [r.quad_px for _, r in read if r.states[NONE] < 0.95 and not _certain(r)]
            ratio = self._ratio(known)
            free = np.ones(found.inside.shape, np.bool_)
            for quad in known:
                free &= ~found.cells_of(quad)
            if turn and not new:
                break
            rest = [c for c in found.candidates if length_px(c.quad_px) >= SMALLEST_PX]
            beside = [Candidate(q, 0.0, 1.0) for quad in known for q in places_beside(quad, ratio)]
            beside += [Candidate(q, 0.0, 1.0) for quad in doubtful for q in places_sharing_half(quad, ratio)]
            open_ = []
            for c in rest + beside:
                share = found.share_inside(c.quad_px, free)
                if share > LEAST_INSIDE:
                    open_.append(Candidate(c.quad_px, 0.5 * c.score + 0.5 * share, c.up))
        return read

    def _usual_length(self, part: NDArray[np.uint8], swept: list[Candidate]) -> float | None:
        """A tile's length in the picture: that of the candidates which the reader reads best."""
        readings = self._reader.read(part, [c.quad_px for c in swept], least=0.3)
        sure = [
            0.0
            if r is None
            else c.score * float((1 - r.states[NONE]) * max(r.states[UP] * r.values.max(), r.states[DOWN]))
            for c, r in zip(swept, readings, strict=True)
        ]
        return usual_length_px(swept, sure)

    def _fitted(self, quad: Quad, corner_px: NDArray[np.float64]) -> Quad:
        """On a calibrated table: the outline of a tile of the known size where this one lies; else as it is."""
        if self._plane is None or self._tile_mm is None:
            return quad
        length, width, thickness = self._tile_mm
        pose = self._plane.pose_of_quad(quad + corner_px, thickness)
        fitted = self._plane.to_image(pose.corners_mm(length, width), thickness) - corner_px
        return fitted if np.isfinite(fitted).all() else quad

    def _ratio(self, known: list[Quad]) -> float:
        """A tile's length over its width; over tiles lying all ways, foreshortening evens out."""
        if self._tile_mm is not None:
            return self._tile_mm[0] / self._tile_mm[1]
        ratios = [length_px(q) / max(width_px(q), 1.0) for q in known]
        return float(np.clip(np.median(ratios), 1.5, 2.6)) if ratios else 2.0

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

    def _one_a_place(self, read: list[tuple[Candidate, Reading]]) -> list[tuple[Candidate, Reading]]:
        weights = [
            float(
                (1 - r.states[NONE])
                * (0.5 + 0.5 * max(r.states[UP] * r.values.max(), r.states[DOWN]))
                * (0.4 + c.score)
                / (1 + 0.1 * r.moved_px)
            )
            ** WEIGHT_POWER
            for c, r in read
        ]
        kept = best_together([r.quad_px for _, r in read], weights, SAME_PLACE)
        return [read[i] for i in kept]

    def _sighting(
        self,
        reading: Reading,
        ranked: Ranked,
        sure: Sureness,
        corner: NDArray[np.float64],
    ) -> Sighting | None:
        if sure.tile < LEAST_TILE or reading.states[NONE] > 0.5:
            return None
        quad = reading.quad_px + corner
        (a, b), _ = ranked[0]
        if sure.back >= LEAST_SURE and sure.back > sure.right:
            quad = _upright(quad)
            return Sighting(quad, "down", UNKNOWN, sure.back, (), self._pose(quad))
        named = quad if a >= b else half_turned(quad)
        names = _by_name(ranked)
        if sure.right < LEAST_SURE:
            others = tuple(names[:MOST_ALTERNATIVES])
            unreadable = min(sure.tile, 1 - max(sure.right, sure.back))
            return Sighting(named, "unclear", UNKNOWN, unreadable, others, self._pose(named))
        others = tuple(n for n in names[1 : MOST_ALTERNATIVES + 1] if n[1] > 1e-4)
        return Sighting(named, "up", face_name(a, b), sure.right, others, self._pose(named))

    def _ranked(self, values: NDArray[np.float64]) -> Ranked:
        """Faces (a, b) of the set by probability; what the set lacks gets none, and its share lowers all."""
        values = np.where(self._allowed, values, 0.0)
        order = np.argsort(-values.ravel())[:8]
        return [(divmod(int(k), 13), float(values.ravel()[k])) for k in order]

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


def _certain(reading: Reading) -> bool:
    """Is this clearly a face, or clearly a back?"""
    return bool(max(reading.states[UP] * reading.values.max(), reading.states[DOWN]) > CERTAIN)


def _same(a: Quad, b: Quad) -> bool:
    """Nearly one outline: trying it twice tells nothing new."""
    return bool(np.abs(a.mean(0) - b.mean(0)).max() < 0.06 * length_px(a)) and (
        shared_px(a, b) > 0.85 * max(area_px(a), area_px(b))
    )


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


def _of_one_size(read: list[tuple[Candidate, Reading]]) -> list[tuple[Candidate, Reading]]:
    """Without what is far larger or smaller than the tiles around it (all tiles of a set are of one size)."""
    if len(read) < 3:
        return read
    areas = np.log([area_px(r.quad_px) for _, r in read])
    centres = np.array([r.quad_px.mean(0) for _, r in read])
    weights = np.array([float(1 - r.states[NONE]) * c.score for c, r in read])
    reach = 4 * float(np.median([length_px(r.quad_px) for _, r in read]))
    keep = []
    for i in range(len(read)):
        near = weights * np.exp(-((centres - centres[i]) ** 2).sum(1) / (2 * reach**2))
        near[i] *= 0.2
        usual = _weighted_median(areas, near)
        if abs(areas[i] - usual) <= np.log(SIZE_SPREAD):
            keep.append(read[i])
    return keep


def _weighted_median(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order][int(np.searchsorted(sums, sums[-1] / 2))])
