"""Where tiles might lie in a picture, and what the readers say of each place: the finder's candidates first, then what
lies unaccounted for beside the tiles read so far. What is reported in the end is up to vision.eye.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.from_tiles import table_from_quads
from calibration.plane import TablePlane
from calibration.registration import FEWEST_TILES
from vision.birds_eye import BirdsEye
from vision.company import with_company
from vision.finder import GOOD_LENGTH_PX, Candidate, Finder, Found, thinned, usual_length_px
from vision.neighbours import places_beside, places_sharing_half
from vision.patches import tile_patches
from vision.places import Judge, Place, one_a_place
from vision.quads import Quad, area_px, length_px, shared_px, width_px
from vision.reader import DOWN, NONE, UP, Reader, Reading

MOST_SWEPT = 16  # candidates of each scale that the reader tries while the tiles' size is unknown
SURELY_READ = 0.9
SLANTED = 1.4  # a view in which one tile looks so many times as large as another is worth straightening
MOST_FITTED = 12  # tiles that the slant is worked out from; more cost time and tell little
BACK_WEIGHT = 0.4  # of a back beside a face, as evidence of how large the tiles are: boxes and phones look like backs
PATCH_SCORE = 0.4  # of a clean patch of a tile's size, in the finder's scale
SAME_PLACE_FOUND = 0.45  # shared part above which only the better of two candidates is read
SAME_TRY = 0.7  # the same where the first look left something open: try more
SAME_TRY_SHIFT, SAME_TRY_SHARED = 0.06, 0.85  # of a tile's length, of the larger area: nearly one outline
MOST_ROUNDS = 4  # of looking for what lies beside the tiles read so far
MOST_TRIES = 40  # places tried in each of these rounds
LEAST_INSIDE = 0.12  # share of such a place that must look like tile and belong to none; bare table has next to none
SMALLEST_PX = 15.0  # a tile shorter than this in the picture is not looked for
SIZE_SPREAD = 1.9  # tiles of one set differ from their neighbours' area at most by this factor (perspective, tilt)
GRID_MM = 10.0  # between the table points that tell which part of the table a part of the picture shows

Size = tuple[float, float, float]
"""Length, width and thickness of the tiles, mm."""
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in px of the picture."""


class Search:
    """Places of one picture that the reader takes for tiles, one a place."""

    def __init__(self, reader: Reader, set_name: str) -> None:
        """Raises ValueError for an unknown set."""
        self._finder = Finder()
        self._reader = reader
        self._judge = Judge(reader, set_name)

    def on_table(
        self,
        image_bgr: NDArray[np.uint8],
        plane: TablePlane,
        tile_mm: Size,
        part_px: Box,
        gain: float,
        region_px: Box | None = None,
    ) -> list[Place]:
        """In a part (x0, y0, x1, y1) of the picture of a calibrated table; all outlines in px of that part.

        With a region only tiles centred in it are asked for: farther off no neighbours of neighbours are tried.
        """
        x0, y0, x1, y1 = part_px
        corner = np.array([x0, y0], float)
        length, width, thickness = tile_mm

        def fitted(quad: Quad) -> Quad:
            pose = plane.pose_of_quad(quad + corner, thickness)
            outline = plane.to_image(pose.corners_mm(length, width), thickness) - corner
            return outline if np.isfinite(outline).all() else quad

        def asked_for(quad: Quad) -> bool:
            if region_px is None:
                return True
            reach, (x, y) = length_px(quad) / 2, quad.mean(0) + corner
            low_x, low_y, high_x, high_y = region_px
            return bool(low_x - reach <= x <= high_x + reach and low_y - reach <= y <= high_y + reach)

        found, patches = self._from_above(image_bgr, plane, tile_mm, part_px, gain)
        part = image_bgr[y0:y1, x0:x1]
        places = self._read_all(part, found, patches, fitted, length / width, asked_for)
        return with_company(part, places, gain, exact=True)

    def in_photo(self, image_bgr: NDArray[np.uint8], tile_px: float | None, gain: float) -> list[Place]:
        """In a picture of no calibrated table; tile_px is the usual length of a tile, where that is known."""
        swept: list[Candidate] = []
        if tile_px is None:
            swept = [c for at_scale in self._finder.sweep(image_bgr, gain) for c in at_scale[:MOST_SWEPT]]
            tile_px = self._usual_length(image_bgr, swept)
            if tile_px is None:
                return []
        found = self._finder.search(image_bgr, tile_px, gain)
        # the sweep adds tiles that perspective made small or large
        near = [c for c in swept if 0.45 < length_px(c.quad_px) / tile_px < 2.2]
        more = [Candidate(c.quad_px, c.score * 0.9, c.up) for c in near]
        found = found.and_also(more)
        read = self._read_all(image_bgr, found)
        table = self._table_of(read, (image_bgr.shape[1], image_bgr.shape[0]))
        if table is not None:
            # a slanted view: far tiles are too small for the one scale, so look again from above
            plane, tile_mm = table
            whole = (0, 0, image_bgr.shape[1], image_bgr.shape[0])
            above, patches = self._from_above(image_bgr, plane, tile_mm, whole, gain)
            found = found.and_also(above.candidates)
            read = self._read_all(image_bgr, found, patches)
            read = _of_one_size(read, lambda quad: plane.to_table(quad, tile_mm[2]))
        else:
            read = _of_one_size(read)
        return with_company(image_bgr, read, gain, exact=False)

    def _table_of(self, read: list[Place], size_px: tuple[int, int]) -> tuple[TablePlane, Size] | None:
        """A table fitted to the tiles read so far, where they show that the view is slanted."""
        quads = [p.quad_px for p in read if p.reading.states[UP] * p.reading.values.max() > SURELY_READ]
        areas = [area_px(q) for q in quads]
        if len(quads) < FEWEST_TILES or max(areas) < SLANTED * min(areas):
            return None
        by_size = np.argsort(areas)[np.linspace(0, len(areas) - 1, min(MOST_FITTED, len(areas))).astype(int)]
        table = table_from_quads([quads[i] for i in by_size], size_px)
        return None if table is None else (table.plane(size_px), table.tile_mm())

    def _from_above(
        self,
        image_bgr: NDArray[np.uint8],
        plane: TablePlane,
        tile_mm: Size,
        part_px: Box,
        gain: float,
    ) -> tuple[Found, list[Candidate]]:
        """What the localiser sees of a part of the picture, straightened so that all tiles have the size it likes.

        And the patches of a tile's size and shape, which may be backs.
        """
        length, width, thickness = tile_mm
        axes = [np.arange(-length, side + length + GRID_MM, GRID_MM) for side in plane.size_mm]
        grid = np.stack(np.meshgrid(*axes), -1).reshape(-1, 2)
        seen = plane.to_image(grid, thickness)
        inside = ((seen >= part_px[:2]) & (seen <= part_px[2:])).all(1)
        if not inside.any():
            return Found.nothing(), []
        low, high = grid[inside].min(0) - GRID_MM, grid[inside].max(0) + GRID_MM
        view = BirdsEye(image_bgr, plane, low, high - low, GOOD_LENGTH_PX / length, thickness)
        found = self._finder.search(view.image_bgr, GOOD_LENGTH_PX, gain)
        corner = np.array(part_px[:2], float)
        plain = tile_patches(view.image_bgr, GOOD_LENGTH_PX, GOOD_LENGTH_PX * width / length, image_bgr)
        patches = [Candidate(view.to_picture(quad) - corner, PATCH_SCORE * filled, 0.5) for quad, filled in plain]
        return found.seen_through(view, corner), [c for c in patches if np.isfinite(c.quad_px).all()]

    def _read_all(
        self,
        part: NDArray[np.uint8],
        found: Found,
        patches: Sequence[Candidate] = (),
        fitted: Callable[[Quad], Quad] = lambda quad: quad,
        ratio: float | None = None,
        asked_for: Callable[[Quad], bool] = lambda quad: True,
    ) -> list[Place]:
        """Candidates that are tiles; then what lies unaccounted for beside them, until nothing new turns up.

        `fitted` brings an outline to the known size, `ratio` is a tile's length over its width, where these are known.
        """
        peaks = [c for c in found.candidates if length_px(c.quad_px) >= SMALLEST_PX]
        open_ = peaks
        read: list[Place] = []
        tried: list[Quad] = []
        for turn in range(MOST_ROUNDS):
            if turn:
                tries = thinned(_not_yet(open_, tried), SAME_TRY, MOST_TRIES)
            else:
                tries = thinned(open_, SAME_PLACE_FOUND)
                tries += _not_yet(thinned(patches, SAME_TRY), [c.quad_px for c in tries])
            if not tries:
                break
            tried += [c.quad_px for c in tries]
            readings = self._reader.read(part, [c.quad_px for c in tries], fitted=fitted)
            new = self._judge.places(part, found, tries, readings)
            read = one_a_place(read + new)
            if turn and not any(p is fresh and p.reading.states[NONE] < 0.5 for p in read for fresh in new):
                break
            known = [p.quad_px for p in read if p.reading.states[NONE] < 0.3 and p.is_certain]
            doubtful = [p.quad_px for p in read if p.reading.states[NONE] < 0.95 and not p.is_certain]
            over = ratio or _usual_ratio(known)
            free = np.ones(found.inside.shape, np.bool_)
            for quad in known:
                free &= ~found.cells_of(quad)
            beside = [Candidate(q, 0.0, 1.0) for quad in known for q in places_beside(quad, over)]
            beside += [Candidate(q, 0.0, 1.0) for quad in doubtful for q in places_sharing_half(quad, over)]
            open_ = []
            shares = found.shares_inside([c.quad_px for c in peaks + beside], free)
            for c, share in zip(peaks + beside, shares, strict=True):
                if share > LEAST_INSIDE and asked_for(c.quad_px):
                    open_.append(Candidate(c.quad_px, 0.5 * c.score + 0.5 * share, c.up))
        return read

    def _usual_length(self, part: NDArray[np.uint8], swept: list[Candidate]) -> float | None:
        """A tile's length in the picture: that of the candidates which the reader reads best."""
        readings = self._reader.read(part, [c.quad_px for c in swept], least=0.3)
        sure = [0.0 if r is None else _evidence(c.score, r) for c, r in zip(swept, readings, strict=True)]
        return usual_length_px(swept, sure)


def _evidence(score: float, reading: Reading) -> float:
    """How much a reading tells of how large the tiles are."""
    face, back = reading.states[UP] * reading.values.max(), reading.states[DOWN]
    return score * float((1 - reading.states[NONE]) * max(face, BACK_WEIGHT * back))


def _usual_ratio(known: list[Quad]) -> float:
    """A tile's length over its width; over tiles lying all ways, foreshortening evens out."""
    ratios = [length_px(q) / max(width_px(q), 1.0) for q in known]
    return float(np.clip(np.median(ratios), 1.5, 2.6)) if ratios else 2.0


def _not_yet(candidates: Sequence[Candidate], tried: list[Quad]) -> list[Candidate]:
    """Without nearly the same outlines as were tried: trying one twice tells nothing new."""
    if not tried or not candidates:
        return list(candidates)
    middles = np.array([q.mean(0) for q in tried])
    out = []
    for candidate in candidates:
        quad = candidate.quad_px
        away = np.abs(middles - quad.mean(0)).max(1)
        near = np.flatnonzero(away < SAME_TRY_SHIFT * length_px(quad))
        if not any(shared_px(quad, tried[k]) > SAME_TRY_SHARED * max(area_px(quad), area_px(tried[k])) for k in near):
            out.append(candidate)
    return out


def _of_one_size(read: list[Place], straightened: Callable[[Quad], Quad] = lambda quad: quad) -> list[Place]:
    """Without what is far larger or smaller than the tiles around it (all tiles of a set are of one size).

    `straightened` takes a slant that is known out of the outlines.
    """
    if len(read) < 3:
        return read
    areas = np.log([area_px(straightened(p.quad_px)) for p in read])
    centres = np.array([p.quad_px.mean(0) for p in read])
    # squared: a few tiles plainly read outweigh many doubtful things
    weights = np.array([_evidence(p.score, p.reading) for p in read]) ** 2
    reach = 4 * float(np.median([length_px(p.quad_px) for p in read]))
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
