"""Tables photographed by a camera that is known exactly: a lens that bends, a tilt, corner markers, plain tiles.

Drawn by asking for each pixel where on the table it looks, so pictures and truth share nothing with what is tested but
the definition of a lens.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Array, Pose

Image = NDArray[np.uint8]
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@dataclass(frozen=True)
class Camera:
    """A camera over a table of 600 x 400 mm, its pose from Rodrigues vector and shift."""

    size_px: tuple[int, int] = (1280, 720)
    focal_px: float = 1000.0
    centre_px: tuple[float, float] = (636.0, 362.0)
    bend: tuple[float, float, float, float, float] = (-0.08, 0.008, 0.0003, -0.0002, 0.0)
    turn: tuple[float, float, float] = (-0.30, 0.04, 0.03)
    shift_mm: tuple[float, float, float] = (-300.0, -200.0, 740.0)
    area_mm: tuple[float, float] = (600.0, 400.0)

    @property
    def matrix(self) -> Array:
        return np.array([[self.focal_px, 0, self.centre_px[0]], [0, self.focal_px, self.centre_px[1]], [0, 0, 1.0]])

    @property
    def height_mm(self) -> float:
        """Of the camera above the table."""
        axes, _ = cv2.Rodrigues(np.array(self.turn))
        return float((axes.T @ np.array(self.shift_mm))[2])

    def project(self, points_mm: Array, height_mm: float = 0.0) -> Array:
        """Pixels (n, 2) of table points (n, 2)."""
        solid = np.column_stack([points_mm, np.full(len(points_mm), -height_mm)])
        seen, _ = cv2.projectPoints(
            solid, np.array(self.turn), np.array(self.shift_mm), self.matrix, np.array(self.bend)
        )
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def looks_at(self) -> Array:
        """The table point (height, width, 2) that each pixel shows."""
        width, height = self.size_px
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        pixels = np.column_stack([x.ravel(), y.ravel()]).astype(np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(pixels, self.matrix, np.array(self.bend)).reshape(-1, 2)
        axes, _ = cv2.Rodrigues(np.array(self.turn))
        homography = np.column_stack([axes[:, 0], axes[:, 1], np.array(self.shift_mm)])
        points = np.column_stack([rays, np.ones(len(rays))]) @ np.linalg.inv(homography).T
        return np.asarray((points[:, :2] / points[:, 2:]).reshape(height, width, 2), np.float64)

    def corners_px(self) -> Array:
        width, height = self.area_mm
        return self.project(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64))

    def marker_px(self, number: int, side_mm: float = 40.0) -> Array:
        """True corners (4, 2) of a marker."""
        return self.project(marker_square(number, self.area_mm, side_mm))

    def grid(self) -> tuple[Array, Array]:
        """Points all over the area (n, 2) mm, and their pixels."""
        x, y = np.meshgrid(np.linspace(0, self.area_mm[0], 9), np.linspace(0, self.area_mm[1], 7))
        points = np.column_stack([x.ravel(), y.ravel()])
        return points, self.project(points)

    def tile_px(self, pose: Pose, tile_mm: tuple[float, float, float] = (50.0, 25.0, 8.0)) -> Array:
        """The top face of a tile."""
        return self.project(pose.corners_mm(tile_mm[0], tile_mm[1]), tile_mm[2])


def marker_square(number: int, area_mm: tuple[float, float], side_mm: float) -> Array:
    x = area_mm[0] - side_mm if number in (1, 2) else 0.0
    y = area_mm[1] - side_mm if number in (2, 3) else 0.0
    return np.array([[x, y], [x + side_mm, y], [x + side_mm, y + side_mm], [x, y + side_mm]])


@dataclass(frozen=True)
class Scene:
    """What lies on the table."""

    markers: tuple[int, ...] = (0, 1, 2, 3)
    marker_mm: float = 40.0
    tiles: tuple[Pose, ...] = ()
    cloth: int = 120
    bright: float = 1.0
    noise: float = 2.0
    blur_px: float = 0.7
    washed: tuple[int, ...] = field(default=())
    """Markers whose code cannot be read for glare."""

    def flat(self, camera: Camera, px_per_mm: int = 4, margin_mm: int = 60) -> Image:
        """The table straight from above, with some of what is beyond the area."""
        width, height = (round(side + 2 * margin_mm) * px_per_mm for side in camera.area_mm)
        image = np.full((height, width), self.cloth, np.uint8)
        for number in self.markers:
            x, y = (
                round((v + margin_mm) * px_per_mm) for v in marker_square(number, camera.area_mm, self.marker_mm)[0]
            )
            side = round(self.marker_mm * px_per_mm)
            quiet = 9 * px_per_mm
            image[y - quiet : y + side + quiet, x - quiet : x + side + quiet] = 245
            code = cv2.aruco.generateImageMarker(DICTIONARY, number, 6)
            shown = np.asarray(cv2.resize(code, (side, side), interpolation=cv2.INTER_NEAREST), np.float64)
            if number in self.washed:
                shown = 245 - (245 - shown) * 0.1
            image[y : y + side, x : x + side] = np.clip(shown, 12, 245).astype(np.uint8)
        for pose in self.tiles:
            corners = (pose.corners_mm(50, 25) + margin_mm) * px_per_mm
            cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), 235, cv2.LINE_AA)
        return image


def photograph(camera: Camera, scene: Scene, seed: int = 0) -> Image:
    """The picture (height, width, 3) that the camera takes of the scene."""
    px_per_mm, margin = 4, 60
    flat = scene.flat(camera, px_per_mm, margin)
    at = ((camera.looks_at() + margin) * px_per_mm - 0.5).astype(np.float32)
    # The flat picture is finer than the photograph, so it is smoothed before it is sampled.
    smooth = cv2.GaussianBlur(flat, (0, 0), 1.2)
    seen = cv2.remap(smooth, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(seen, (0, 0), scene.blur_px).astype(np.float64) * scene.bright
    noisy = soft + np.random.default_rng(seed).normal(0, scene.noise, soft.shape)
    return np.asarray(cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)


def error_mm(plane_to_table: Array, true_mm: Array) -> float:
    """The 95th percentile of the distances between two lists of points."""
    return float(np.percentile(np.linalg.norm(plane_to_table - true_mm, axis=1), 95))
