"""One camera from all that a picture tells: marker corners, area corners, tiles of one size, a lens already known.

Least squares over focal length, radial distortion, the camera's pose and the play area's size at once, so that what is
not known widens the stated error instead of hiding in it. Pure: no picture, no file. Start with `solve`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.least_squares import jacobian, minimise, softened
from calibration.lens import Lens
from calibration.markers import marker_corners_mm
from calibration.plane import ASSUMED_FOCAL_PER_WIDTH, Array, TablePlane

MARKER_PX, CORNER_PX, TILE_PX = 0.2, 1.5, 1.2
"""How exactly (sigma) a fitted marker corner, a corner set by hand and a corner of a tile the eye found are known."""
FOCAL_SPREAD = 0.28
"""Spread of the logarithm of focal lengths before anything is seen: webcams and phones have 45 to 100 degrees."""
RADIAL_MEAN, RADIAL_SPREAD = -0.04, 0.06
"""Of k1 before anything is seen: lenses of webcams are mildly barrel-shaped or straightened by the camera itself."""
BEND_SPREAD = 0.015
"""Of k2, which a picture of one table hardly tells."""
CENTRE_SPREAD = 0.006
"""How far the optical axis may miss the middle of the picture, as a share of its width."""
TILT_SPREAD = 0.4
"""How far (rad, about either axis) a camera is turned from looking straight down, where nothing but tiles tells."""
ASPECT, ASPECT_SPREAD = 2.05, 0.15
"""Length over width of a domino: 2 for Western sets, 2.4 for Chinese ones."""
TALLEST_SHARE = 1 / 6
"""Thickness of a tile over its length, where it is not given."""
GOOD_COST = 1.5
"""Cost a datum, in units of its variance, that is no more than chance."""
MANY_DATA = 24
"""Coordinates, as of three markers; four corners alone fit a camera of any focal length nearly as well."""
TIED = 1e-4
"""Unknowns whose spread beforehand is less are not searched for."""
_TURN, _SHIFT = slice(5, 8), slice(8, 11)
_STARTS = (0.6, 0.85, 1.3)
"""Focal lengths over image width from which the search begins."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about one camera position. Points in distorted pixels."""

    size_px: tuple[int, int]
    markers: dict[int, Array] = field(default_factory=dict)
    """Number -> corners (4, 2) px; top left, top right, bottom right, bottom left of each."""
    marker_mm: float = 40.0
    corners_px: Array | None = None
    """The area's four corners (4, 2) px as a person set them."""
    tiles_px: tuple[Array, ...] = ()
    """Top faces of tiles, each (4, 2) px; corners 0 and 3 are a short side."""
    tile_mm: tuple[float | None, float | None, float | None] = (None, None, None)
    """Length, width, thickness, as far as they are known."""
    area_mm: tuple[float, float] | None = None
    """Width and height of the play area; None when they are to be found."""
    lens: Lens | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """The camera and the table it sees."""

    lens: Lens
    rotation: Array
    """Rodrigues vector (3,), table to camera."""
    translation_mm: Array
    """(3,), table to camera."""
    area_mm: tuple[float, float]
    tile_mm: tuple[float, float, float]
    misfit_px: float
    """Root mean square of what is left over, px."""
    error_mm: tuple[float, float]
    """Expected error of a place on the table, median and 95th percentile over the play area, from the covariance."""
    focal_error: float
    """Standard error of the focal length, as a share of it; 0 when the lens was given."""

    def project(self, points_mm: Array) -> Array:
        """Image points (n, 2) px of table points (n, 2) mm."""
        flat = np.column_stack([points_mm, np.zeros(len(points_mm))])
        projected, _ = cv2.projectPoints(
            flat, self.rotation, self.translation_mm, self.lens.matrix, self.lens.distortion
        )
        return np.asarray(projected, np.float64).reshape(-1, 2)

    def plane(self) -> TablePlane:
        """The same as a table plane. Raises ValueError when the area's corners do not lie as an area does."""
        return TablePlane(
            self.lens.size_px, self.area_mm, self.project(_area(*self.area_mm)), self.lens.matrix, self.lens.distortion
        )


class NotEnough(ValueError):
    """The evidence does not determine a table; the text says what is missing."""


def solve(evidence: Evidence) -> Solution:
    """The camera that explains the evidence best. Raises NotEnough."""
    problem = _Problem(evidence)
    found: list[tuple[float, Array]] = []
    try:
        for start in problem.starts():
            cost, unknowns = problem.fitted(start)
            found.append((cost, unknowns))
            # A fit as good as the data are exact cannot be bettered from elsewhere, where they are many.
            if cost < GOOD_COST * problem.data_count and problem.data_count >= MANY_DATA and not problem.floating:
                break
        cost, best = min(found, key=lambda pair: pair[0])
        if np.isfinite(cost):
            return problem.solution(best)
    except (cv2.error, np.linalg.LinAlgError):
        pass
    raise NotEnough("no camera position explains these points; check that the corners are named in order")


class _Problem:
    """Turns a vector of unknowns into residuals in units of sigma.

    The vector: log focal length, k1, k2, principal point (2); rotation (3), translation (3); log area size (2); tile
    length as a share of the expected one, its width and thickness as shares of the length.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.floating = evidence.corners_px is None and not evidence.markers
        """No area is known: the table's frame is laid where the camera looks, and only tilt and distance are found."""
        if self.floating and not evidence.tiles_px:
            raise NotEnough("there are neither markers, nor corners, nor tiles")
        if not self.floating and evidence.area_mm is None and len(evidence.markers) < 2:
            raise NotEnough("the size of the play area is not known; give it, such as --size-mm 900x600")
        width, height = evidence.size_px
        self.centre = np.array([(width - 1) / 2, (height - 1) / 2])
        length, tile_width, thickness = evidence.tile_mm
        self.length = length or 50.0
        self.free_length = length is None and not self.floating
        self.tile_prior = np.array([1.0, tile_width / self.length if tile_width else 1 / ASPECT,
                                    (thickness or self.length * TALLEST_SHARE) / self.length])  # fmt: skip
        tile_spread = np.array([0.1, 0.005 if tile_width else ASPECT_SPREAD / 4, 0.01 if thickness else 0.03])
        if not self.free_length:
            tile_spread[0] = 1e-5
        self.area_prior = np.array(evidence.area_mm or (600.0, 600.0), np.float64)
        area_spread = 1e-5 if evidence.area_mm or self.floating else 2.0
        # A lens that is given, a known size and the like keep their place in the vector, held by a stiff prior.
        lens_spread = (FOCAL_SPREAD, RADIAL_SPREAD, BEND_SPREAD, CENTRE_SPREAD * width, CENTRE_SPREAD * width)
        if evidence.lens is not None:
            lens_spread = (1e-6,) * 5
        loose = 1e6
        pose_spread = [loose] * 6 if not self.floating else [TILT_SPREAD, TILT_SPREAD, 1e-6, 1e-5, 1e-5, loose]
        self.spread = np.array([*lens_spread, *pose_spread, area_spread, area_spread, *tile_spread])
        self.free = self.spread > TIED
        self.tiles = np.array(evidence.tiles_px).reshape(-1, 4, 2)
        self.points_px = np.vstack([*evidence.markers.values(), *([] if evidence.corners_px is None else
                                   [evidence.corners_px]), np.zeros((0, 2))])  # fmt: skip
        self.points_sigma = np.array(
            [MARKER_PX] * 4 * len(evidence.markers) + ([] if evidence.corners_px is None else [CORNER_PX] * 4)
        )
        self.data_count = self.points_px.size + self.tiles.size

    def fitted(self, start: Array) -> tuple[float, Array]:
        """The cost and the place of the minimum near `start`."""
        unknowns = start.copy()

        def residuals(free: Array) -> Array:
            unknowns[self.free] = free
            return self.residuals(unknowns)

        cost, unknowns[self.free] = minimise(residuals, start[self.free])
        return cost, unknowns

    def starts(self) -> list[Array]:
        starts = []
        width = self.evidence.size_px[0]
        shares = _STARTS if not self.floating else (ASSUMED_FOCAL_PER_WIDTH,)
        for share in shares if self.evidence.lens is None else (self._focal_share(),):
            for tilt in ((0.0, 0.0), (-0.4, 0.0), (0.4, 0.0), (0.0, -0.4), (0.0, 0.4)) if self.floating else ((0, 0),):
                unknowns = np.zeros(16)
                unknowns[0] = np.log(share / ASSUMED_FOCAL_PER_WIDTH)
                unknowns[1] = RADIAL_MEAN
                unknowns[13:] = self.tile_prior
                if self.floating:
                    sides = np.linalg.norm(np.roll(self.tiles, -1, axis=1) - self.tiles, axis=2)
                    length_px = float(np.median(sides.max(axis=1)))
                    unknowns[5:11] = [*tilt, 0, 0, 0, share * width * self.length / length_px]
                else:
                    unknowns[5:11] = self._first_pose(unknowns)
                starts.append(unknowns)
        self.prior = np.array([0.0, RADIAL_MEAN, *[0.0] * 11, *self.tile_prior])
        if self.evidence.lens is not None:
            self.prior[0] = np.log(self._focal_share() / ASSUMED_FOCAL_PER_WIDTH)
        if self.floating:
            self.prior[5:11] = 0
        return starts

    def _focal_share(self) -> float:
        assert self.evidence.lens is not None
        return float(self.evidence.lens.matrix[0, 0]) / self.evidence.size_px[0]

    def _first_pose(self, unknowns: Array) -> Array:
        lens = self.lens(unknowns)
        if self.evidence.area_mm is None and len(self.evidence.markers) > 1:
            unknowns[11:13] = np.log(self._first_area() / self.area_prior)
        flat = self.points_mm(unknowns)
        solid = np.column_stack([flat, np.zeros(len(flat))])
        good, turn, shift = cv2.solvePnP(solid, self.points_px, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE)
        if not good:
            raise NotEnough("no camera position explains these points; check that the corners are named in order")
        return np.concatenate([np.asarray(turn).ravel(), np.asarray(shift).ravel()])

    def _first_area(self) -> Array:
        """The area's size from the markers' own homographies, straight and rough."""
        markers = self.evidence.markers
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * np.float32(self.evidence.marker_mm)
        sizes = []
        for corners in markers.values():
            back = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
            there = np.vstack([cv2.perspectiveTransform(c.reshape(1, 4, 2), back)[0] for c in markers.values()])
            sizes.append(np.abs(np.ptp(there, axis=0)))
        return np.asarray(np.clip(np.median(sizes, axis=0), 3 * self.evidence.marker_mm, 5000), np.float64)

    def lens(self, unknowns: Array) -> Lens:
        if self.evidence.lens is not None:
            return self.evidence.lens
        focal = float(np.exp(unknowns[0])) * ASSUMED_FOCAL_PER_WIDTH * self.evidence.size_px[0]
        x, y = self.centre + unknowns[3:5]
        matrix = np.array([[focal, 0, x], [0, focal, y], [0, 0, 1.0]])
        return Lens(self.evidence.size_px, matrix, np.array([unknowns[1], unknowns[2], 0, 0, 0], np.float64))

    def area(self, unknowns: Array) -> tuple[float, float]:
        width, height = self.area_prior * np.exp(unknowns[11:13])
        return float(width), float(height)

    def points_mm(self, unknowns: Array) -> Array:
        area = self.area(unknowns)
        where = marker_corners_mm(area, self.evidence.marker_mm)
        parts = [where[number] for number in self.evidence.markers]
        if self.evidence.corners_px is not None:
            parts.append(_area(*area))
        return np.vstack([*parts, np.zeros((0, 2))])

    def residuals(self, unknowns: Array) -> Array:
        lens = self.lens(unknowns)
        parts = [(unknowns - self.prior) / self.spread]
        if len(self.points_px):
            flat = self.points_mm(unknowns)
            solid = np.column_stack([flat, np.zeros(len(flat))])
            seen, _ = cv2.projectPoints(solid, unknowns[_TURN], unknowns[_SHIFT], lens.matrix, lens.distortion)
            off = (np.asarray(seen).reshape(-1, 2) - self.points_px) / self.points_sigma[:, None]
            parts.append(off.ravel())
        if len(self.tiles):
            parts.append(softened(self._tile_misfit(unknowns, lens) / TILE_PX))
        return np.concatenate(parts)

    def _tile_misfit(self, unknowns: Array, lens: Lens) -> Array:
        """How far the tiles' corners are from those of one rectangle, each laid as fits it best; in px."""
        long, short, thick = unknowns[13:] * self.length
        short = short if short > 1 else 1.0
        rays = cv2.undistortPoints(self.tiles.reshape(-1, 1, 2), lens.matrix, lens.distortion).reshape(-1, 2)
        rays = np.column_stack([rays, np.ones(len(rays))])
        axes, _ = cv2.Rodrigues(unknowns[_TURN])
        # The tops lie in the plane z = -thick of the table frame, whose z axis points down.
        origin = unknowns[_SHIFT] - thick * axes[:, 2]
        depth = (axes[:, 2] @ origin) / (rays @ axes[:, 2])
        flat = ((rays * depth[:, None] - origin) @ axes[:, :2]).reshape(-1, 4, 2)
        middle = flat.mean(axis=1, keepdims=True)
        ideal = np.array([[-long, -short], [long, -short], [long, short], [-long, short]]) / 2
        local = flat - middle
        real = np.einsum("nij,ij->n", local, ideal)
        turned = np.einsum("nij,ij->n", local, ideal[:, ::-1] * [-1.0, 1.0])
        size = np.hypot(real, turned) + 1e-12
        cos, sin = (real / size)[:, None, None], (turned / size)[:, None, None]
        fitted = np.concatenate(
            [cos * ideal[None, :, :1] - sin * ideal[None, :, 1:], sin * ideal[None, :, :1] + cos * ideal[None, :, 1:]],
            2,
        )
        corners = fitted + middle
        solid = np.concatenate([corners.reshape(-1, 2), np.full((4 * len(corners), 1), -thick)], axis=1)
        seen, slopes = cv2.projectPoints(solid, unknowns[_TURN], unknowns[_SHIFT], lens.matrix, lens.distortion)
        off = (np.asarray(seen).reshape(-1, 2) - self.tiles.reshape(-1, 2)).reshape(len(corners), 8)
        # Columns 3 to 5 are what a shift of the point in the camera's axes does; turned, what one along the table does.
        along = (np.asarray(slopes)[:, 3:6] @ axes[:, :2]).reshape(len(corners), 4, 2, 2)
        across = np.stack([-fitted[..., 1], fitted[..., 0]], axis=-1)
        turn = np.einsum("nkpa,nka->nkp", along, across)
        # In the picture each tile lies where it fits best: what shifts and turns of it explain is taken out.
        moves = np.concatenate([along, turn[..., None]], axis=3).reshape(len(corners), 8, 3)
        basis, _ = np.linalg.qr(moves)
        return np.asarray((off - np.einsum("nij,nkj,nk->ni", basis, basis, off)).ravel(), np.float64)

    def solution(self, unknowns: Array) -> Solution:
        lens, area = self.lens(unknowns), self.area(unknowns)
        if self.floating:
            unknowns, area = self._framed(unknowns, lens)
        slopes = jacobian(self.residuals, unknowns)
        # In a floating frame the prior no longer speaks of this pose; its stiffness alone matters here.
        covariance = np.asarray(np.linalg.pinv(slopes.T @ slopes, hermitian=True), np.float64)
        data = self.residuals(unknowns)[len(unknowns) :]
        sigma = np.concatenate([np.repeat(self.points_sigma, 2), np.full(self.tiles.size, TILE_PX)])
        left_px = data * sigma
        scale = max(1.0, float(np.mean(data**2)))
        length, short, thick = unknowns[13:] * self.length
        found = Solution(
            lens, unknowns[_TURN].copy(), unknowns[_SHIFT].copy(), area, (float(length), float(short), float(thick)),
            float(np.sqrt(2 * np.mean(left_px**2))), (0.0, 0.0), float(np.sqrt(covariance[0, 0])),
        )  # fmt: skip
        return replace(found, error_mm=self._error_mm(unknowns, covariance * scale, area))

    def _framed(self, unknowns: Array, lens: Lens) -> tuple[Array, tuple[float, float]]:
        """Lay the play area where the camera looks: between the points seen at the middles of the picture's edges."""
        axes, _ = cv2.Rodrigues(unknowns[_TURN])
        width, height = self.evidence.size_px
        ends = np.array([[0, (height - 1) / 2], [width - 1, (height - 1) / 2], [(width - 1) / 2, 0],
                         [(width - 1) / 2, height - 1]])  # fmt: skip
        rays = cv2.undistortPoints(ends.reshape(-1, 1, 2), lens.matrix, lens.distortion).reshape(-1, 2)
        rays = np.column_stack([rays, np.ones(4)])
        depth = (axes[:, 2] @ unknowns[_SHIFT]) / (rays @ axes[:, 2])
        if np.any(depth <= 0):
            raise NotEnough("the tiles do not tell how the camera stands; lay out more of them, or the corner markers")
        flat = (rays * depth[:, None] - unknowns[_SHIFT]) @ axes[:, :2]
        left, right, top, bottom = flat[0, 0], flat[1, 0], flat[2, 1], flat[3, 1]
        moved = unknowns.copy()
        moved[_SHIFT] = unknowns[_SHIFT] + axes[:, :2] @ [left, top]
        area = (float(right - left), float(bottom - top))
        self.area_prior = np.array(area)
        return moved, area

    def _error_mm(self, unknowns: Array, covariance: Array, area: tuple[float, float]) -> tuple[float, float]:
        """Spread of the table points that fixed pixels mean, over a grid on the play area."""
        lines = (np.linspace(0, size, 7) for size in area)
        grid = np.stack(np.meshgrid(*lines), axis=-1).reshape(-1, 2)
        pixels = self._project(unknowns, grid)
        step = 0.5
        # One mm along x and y as pixels, turned round, makes pixels into mm.
        along = np.stack([(self._project(unknowns, grid + d) - pixels) / step for d in ([step, 0], [0, step])], axis=2)
        back = np.linalg.inv(along)

        def seen(values: Array) -> Array:
            return self._project(values, grid).ravel()

        moved = (back @ jacobian(seen, unknowns).reshape(len(grid), 2, -1)).reshape(2 * len(grid), -1)
        if self.floating:
            moved = _without_rigid(moved, grid)
        variance = np.einsum("ij,jk,ik->i", moved, covariance, moved).reshape(-1, 2).sum(axis=1)
        error = np.sqrt(np.maximum(variance, 0))
        return float(np.median(error)), float(np.percentile(error, 95))

    def _project(self, unknowns: Array, flat: Array) -> Array:
        lens = self.lens(unknowns)
        solid = np.column_stack([flat, np.zeros(len(flat))])
        seen, _ = cv2.projectPoints(solid, unknowns[_TURN], unknowns[_SHIFT], lens.matrix, lens.distortion)
        return np.asarray(seen, np.float64).reshape(-1, 2)


def _area(width_mm: float, height_mm: float) -> Array:
    return np.array([[0, 0], [width_mm, 0], [width_mm, height_mm], [0, height_mm]], np.float64)


def _without_rigid(moved: Array, grid: Array) -> Array:
    """Take out of displacements of the grid, (2 n, unknowns), what a shift and a turn of the whole table would do."""
    count = len(grid)
    off = grid - grid.mean(axis=0)
    rigid = np.zeros((2 * count, 3))
    rigid[0::2, 0], rigid[1::2, 1] = 1, 1
    rigid[0::2, 2], rigid[1::2, 2] = -off[:, 1], off[:, 0]
    basis, _ = np.linalg.qr(rigid)
    return np.asarray(moved - basis @ (basis.T @ moved), np.float64)
