"""The table plane: pixels of the (distorted) image <-> millimetres on the table, at any height above it.

Table frame: millimetres, origin at the play area's corner that the image shows top left, x along the top edge, y along
the left edge; a height is counted from the table top towards the camera. Image frame: pixels, x right, y down, the
centre of the top-left pixel is (0, 0). No I/O, no drawing here.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

ASSUMED_FOCAL_PER_WIDTH = 0.78
"""Focal length over image width when nothing tells it: 65 degrees across, the middle of webcams and phones."""

PLAUSIBLE_FOCAL_PER_WIDTH = (0.45, 3.0)
"""From a wide phone lens (96 degrees across) to a short tele (19 degrees)."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a tile lies: centre of its footprint in table mm, and the direction from its first half to its second."""

    x_mm: float
    y_mm: float
    angle_deg: float
    """From +x towards +y, in [0, 360)."""

    def corners_mm(self, length_mm: float, width_mm: float) -> Array:
        """Footprint corners, shape (4, 2), round the tile; corners 0 and 3 are the short side at the first half."""
        along = np.array([np.cos(np.radians(self.angle_deg)), np.sin(np.radians(self.angle_deg))])
        across = np.array([-along[1], along[0]])
        half_l, half_w = along * length_mm / 2, across * width_mm / 2
        corners = np.array([-half_l - half_w, half_l - half_w, half_l + half_w, -half_l + half_w])
        return np.asarray(corners + np.array([self.x_mm, self.y_mm]), np.float64)


class TablePlane:
    """A lens and a homography: maps points of the image to the table and back.

    The four corners of the play area fix the plane exactly; the camera matrix adds what happens above the plane.
    Without a matrix the focal length is estimated from the corners' perspective, or assumed in too straight a view.
    """

    size_px: tuple[int, int]
    """Width and height of the images these numbers belong to."""
    size_mm: tuple[float, float]
    """Width and height of the play area."""
    focal_source: str
    """"given", "estimated" or "assumed"."""

    def __init__(
        self,
        size_px: tuple[int, int],
        size_mm: tuple[float, float],
        corners_px: ArrayLike,
        matrix: ArrayLike | None = None,
        distortion: ArrayLike | None = None,
    ) -> None:
        """`corners_px` (4, 2): top left, top right, bottom right, bottom left as imaged, distorted pixels.

        `matrix` (3, 3) and `distortion` (k1, k2, p1, p2, k3) as OpenCV defines them. Raises ValueError when the corners
        do not span an area seen from above.
        """
        corners = np.asarray(corners_px, np.float64).reshape(4, 2)
        self.size_px = (int(size_px[0]), int(size_px[1]))
        self.size_mm = (float(size_mm[0]), float(size_mm[1]))
        fault = corner_fault(corners)
        if fault:
            raise ValueError(fault)
        width, height = self.size_mm
        area = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        if matrix is None:
            pixels = _homography(area, corners)
            focal, self.focal_source = _focal_length(pixels, self.size_px)
            self.matrix: Array = np.array(
                [[focal, 0, (self.size_px[0] - 1) / 2], [0, focal, (self.size_px[1] - 1) / 2], [0, 0, 1.0]]
            )
            self.distortion: Array = np.zeros(5)
        else:
            self.focal_source = "given"
            self.matrix = np.asarray(matrix, np.float64).reshape(3, 3)
            self.distortion = np.zeros(5) if distortion is None else np.asarray(distortion, np.float64).ravel()
        plane = _homography(area, self._normalised(corners))
        if plane[2] @ [width / 2, height / 2, 1] < 0:
            plane = -plane
        # Columns are the table's axes in camera coordinates, to a common scale; the plane keeps its exact homography
        # and only the height direction is built from them.
        scale = (np.linalg.norm(plane[:, 0]) + np.linalg.norm(plane[:, 1])) / 2
        self._plane: Array = plane / scale
        self._down: Array = np.cross(self._plane[:, 0], self._plane[:, 1])

    def __repr__(self) -> str:
        return f"TablePlane({self.size_px[0]}x{self.size_px[1]} px, {self.size_mm[0]:g}x{self.size_mm[1]:g} mm)"

    def to_table(self, points_px: ArrayLike, height_mm: float = 0.0) -> Array:
        """Table points (n, 2) in mm seen at image points (n, 2) in px, for things `height_mm` above the table."""
        normal = self._normalised(np.asarray(points_px, np.float64).reshape(-1, 2))
        return _apply(np.asarray(np.linalg.inv(self._at_height(height_mm)), np.float64), normal)

    def to_image(self, points_mm: ArrayLike, height_mm: float = 0.0) -> Array:
        """Image points (n, 2) in px of table points (n, 2) in mm that lie `height_mm` above the table."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        homogeneous = np.column_stack([points, np.ones(len(points))]) @ self._at_height(height_mm).T
        # projectPoints applies the lens; a point behind the camera has no picture and would come back mirrored.
        homogeneous[homogeneous[:, 2] <= 1e-9] = np.nan
        projected, _ = cv2.projectPoints(
            homogeneous.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), self.matrix, self.distortion
        )
        return np.asarray(projected, np.float64).reshape(-1, 2)

    def px_per_mm(self, point_mm: ArrayLike | None = None) -> float:
        """Pixels a millimetre near a table point (default: the middle of the play area), mean over directions."""
        middle = np.asarray(self.size_mm) / 2 if point_mm is None else np.asarray(point_mm, np.float64)
        square = middle + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
        return float(np.sqrt(cv2.contourArea(self.to_image(square).astype(np.float32))))

    def camera_position_mm(self) -> tuple[float, float, float]:
        """Camera centre in table coordinates: x, y and height above the table, in mm."""
        axes = np.column_stack([self._plane[:, 0], self._plane[:, 1], self._down])
        x, y, z = -np.linalg.solve(axes, self._plane[:, 2])
        return float(x), float(y), float(-z)

    def pose_of_quad(self, quad_px: ArrayLike, height_mm: float = 0.0) -> Pose:
        """Pose of the tile whose top face, `height_mm` above the table, has the corners `quad_px` (4, 2)."""
        corners = self.to_table(quad_px, height_mm)
        first, second = (corners[0] + corners[3]) / 2, (corners[1] + corners[2]) / 2
        dx, dy = second - first
        x, y = corners.mean(axis=0)
        return Pose(float(x), float(y), float(np.degrees(np.arctan2(dy, dx)) % 360.0))

    def moved(self, motion: ArrayLike) -> TablePlane:
        """The same table after the camera moved: `motion` (3, 3) takes image points of before to now, px."""
        old = self.corners_px()
        homogeneous = np.column_stack([old, np.ones(4)]) @ np.asarray(motion, np.float64).T
        corners = homogeneous[:, :2] / homogeneous[:, 2:3]
        return TablePlane(self.size_px, self.size_mm, corners, self.matrix, self.distortion)

    def contains(self, x_mm: float, y_mm: float, margin_mm: float = 0.0) -> bool:
        """Does the table point lie in the play area, made larger by `margin_mm` all round?"""
        return -margin_mm <= x_mm <= self.size_mm[0] + margin_mm and -margin_mm <= y_mm <= self.size_mm[1] + margin_mm

    def corners_px(self, margin_mm: float = 0.0) -> Array:
        """Corners of the play area, made larger by `margin_mm`, in the image: (4, 2) px."""
        width, height = self.size_mm
        low, right, bottom = -margin_mm, width + margin_mm, height + margin_mm
        return self.to_image([[low, low], [right, low], [right, bottom], [low, bottom]])

    def _at_height(self, height_mm: float) -> Array:
        # The table's third axis points down, so a height moves the origin against it.
        lifted = self._plane.copy()
        lifted[:, 2] -= height_mm * self._down
        return lifted

    def _normalised(self, points_px: Array) -> Array:
        if not len(points_px):
            return points_px
        points = cv2.undistortPoints(points_px.reshape(-1, 1, 2), self.matrix, self.distortion)
        return np.asarray(points, np.float64).reshape(-1, 2)


def corner_fault(corners_px: Array) -> str | None:
    """What is wrong with four play-area corners (4, 2) in px, in words, or None."""
    if not np.all(np.isfinite(corners_px)):
        return "a corner is not a finite number"
    edges = np.roll(corners_px, -1, axis=0) - corners_px
    turns = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    if np.all(turns < 0):
        return "the corners run counter-clockwise; give top left, top right, bottom right, bottom left as imaged"
    if not np.all(turns > 0):
        return "the corners do not form a convex four-sided area; give top left, top right, bottom right, bottom left"
    if np.linalg.norm(edges, axis=1).min() < 20:
        return "two corners are less than 20 pixels apart"
    return None


def _homography(source: Array, target: Array) -> Array:
    # The plain four-point solution, in double precision (getPerspectiveTransform takes single precision only).
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, -u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, -v])
    _, _, axes = np.linalg.svd(np.array(rows))
    return np.asarray(axes[-1].reshape(3, 3), np.float64)


def _focal_length(homography: Array, size_px: tuple[int, int]) -> tuple[float, str]:
    """Focal length in px from the rule that the table's axes are at right angles and equally long.

    The principal point is taken as the image centre and pixels as square. The two equations are weighted by how much
    perspective they rest on; a nearly straight view says nothing and gets the assumed value.
    """
    width, height = size_px
    centred = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1.0]]) @ homography
    centred = centred / np.linalg.norm(centred[:2, :2])
    a, b = centred[:, 0], centred[:, 1]
    lefts = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
    rights = np.array([-(a[0] * b[0] + a[1] * b[1]), b[0] ** 2 + b[1] ** 2 - a[0] ** 2 - a[1] ** 2])
    weight = float(lefts @ lefts)
    if weight * width**4 > 1e-3:
        squared = float(lefts @ rights) / weight
        low, high = PLAUSIBLE_FOCAL_PER_WIDTH
        if squared > 0 and low * width <= np.sqrt(squared) <= high * width:
            return float(np.sqrt(squared)), "estimated"
    return ASSUMED_FOCAL_PER_WIDTH * width, "assumed"


def _apply(homography: Array, points: Array) -> Array:
    homogeneous = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:3], np.float64)
