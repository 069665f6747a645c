"""Painted tables for tests: tiles whose colour says what they are, and an eye that reads those colours exactly.

With them the tracker and the commands are tested on real pixels without the trained eye. A tile is two plain halves; an
arm is a bar of another colour. Pictures are 320 x 240 for an area of 600 x 440 mm, half a pixel a millimetre.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pose, TablePlane
from calibration.table_file import SeatStrip
from vision.sighting import Face, Sighting

Image = NDArray[np.uint8]
Levels = NDArray[np.floating]

SIZE_PX = (320, 240)
AREA_MM = (600.0, 440.0)
TILE_MM = (50.0, 25.0, 8.0)
CORNERS_PX = ((10.0, 10.0), (310.0, 10.0), (310.0, 230.0), (10.0, 230.0))
FOCAL_PX = 20 * 320.0  # a far camera: heights do not matter
CLOTH, ARM, SHADOW = (60, 90, 40), (120, 150, 210), 0.72
STRIPS = (SeatStrip("bottom", depth_mm=60.0), SeatStrip("top", depth_mm=60.0))

TABLE_TOML = f"""[camera]
size_px = [320, 240]
matrix = [[{FOCAL_PX}, 0.0, 159.5], [0.0, {FOCAL_PX}, 119.5], [0.0, 0.0, 1.0]]

[play_area]
size_mm = [600, 440]
corners_px = [[10, 10], [310, 10], [310, 230], [10, 230]]

[tiles]
set = "double-six"
length_mm = 50
width_mm = 25
thickness_mm = 8

[[seats]]
edge = "bottom"
depth_mm = 60

[[seats]]
edge = "top"
depth_mm = 60
"""


def plane() -> TablePlane:
    """The plane of every painted picture."""
    matrix: list[list[float]] = [[FOCAL_PX, 0, 159.5], [0, FOCAL_PX, 119.5], [0, 0, 1]]
    return TablePlane(SIZE_PX, AREA_MM, CORNERS_PX, matrix)


class Table:
    """A table to be painted: tiles by name, arms, the light."""

    def __init__(self) -> None:
        self.tiles: dict[str, tuple[str, Pose]] = {}
        """What lies there, by any key: its face (`4-2`, or `back`) and pose."""
        self.arms: list[tuple[tuple[float, float], tuple[float, float]]] = []
        """Bars from a point outside the area to a tip, in mm."""
        self.light = 1.0
        self.shadow_mm: tuple[float, float, float, float] | None = None
        self.shift_px = (0.0, 0.0)
        self._plane = plane()

    def lay(self, face: str, x_mm: float, y_mm: float, angle_deg: float = 0.0, key: str | None = None) -> None:
        """Put a tile down, or somewhere else."""
        self.tiles[key or face] = (face, Pose(x_mm, y_mm, angle_deg))

    def take(self, key: str) -> None:
        """Take a tile away."""
        del self.tiles[key]

    def picture(self, noise: float = 0.0, seed: int = 0) -> Image:
        """The table as a camera shows it, (240, 320, 3)."""
        image = _cloth().copy()
        for face, pose in self.tiles.values():
            self._paint(image, face, pose)
        if self.shadow_mm:
            x, y, w, h = self.shadow_mm
            outline = self._plane.to_image([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
            shade = np.zeros(image.shape[:2], np.float32)
            cv2.fillPoly(shade, [np.round(outline).astype(np.int32)], 1.0)
            factor = 1 - (1 - SHADOW) * cv2.GaussianBlur(shade, (0, 0), 6)
            image = (image * factor[..., None]).astype(np.uint8)
        for start, tip in self.arms:
            ends = np.round(self._plane.to_image([start, tip])).astype(int)
            cv2.line(image, ends[0].tolist(), ends[1].tolist(), ARM, 22)
        values: Levels = image.astype(np.float32) * self.light
        if self.shift_px != (0.0, 0.0):
            move = np.array([[1, 0, self.shift_px[0]], [0, 1, self.shift_px[1]]], np.float32)
            moved = cv2.warpAffine(values, move, SIZE_PX, flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
            values = np.asarray(moved, np.float32)
        if noise:
            values = values + noise * _noise(seed % 5)
        return np.asarray(np.clip(values, 0, 255), np.uint8)

    def _paint(self, image: Image, face: str, pose: Pose) -> None:
        quad = self._plane.to_image(pose.corners_mm(TILE_MM[0], TILE_MM[1]), TILE_MM[2])
        first, second = _colours(face)
        cv2.fillPoly(image, [_fixed(quad)], second, shift=4)
        half = quad.copy()
        half[1], half[2] = (quad[0] + quad[1]) / 2, (quad[3] + quad[2]) / 2
        cv2.fillPoly(image, [_fixed(half)], first, shift=4)


@cache
def _cloth() -> Image:
    """A little texture, the same in every picture."""
    image = np.zeros((SIZE_PX[1], SIZE_PX[0], 3), np.uint8)
    image[:] = CLOTH
    image += (np.indices(image.shape[:2]).sum(axis=0) // 4 % 2 * 6).astype(np.uint8)[..., None]
    return image


@cache
def _noise(seed: int) -> Levels:
    return np.random.default_rng(seed).normal(0, 1, (SIZE_PX[1], SIZE_PX[0], 3)).astype(np.float32)


def _fixed(quad: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.round(quad * 16), np.int32)


def _colours(face: str) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """BGR of the half named first and of the other: blue and green say the face, red which half it is."""
    if face == "back":
        return (12, 12, 235), (12, 12, 235)
    a, b = (int(n) for n in face.split("-"))
    return (30 + 30 * a, 30 + 30 * b, 240), (30 + 30 * a, 30 + 30 * b, 190)


def _faces_in(blue: Levels, green: Levels, red: Levels) -> list[str]:
    """Faces whose colours occur at all."""
    bright = red > 165
    numbers = np.round((np.stack([blue[bright], green[bright]]) - 30) / 30).astype(int)
    pairs = np.unique(numbers, axis=1).T.tolist()
    return [f"{a}-{b}" for a, b in pairs if 0 <= b <= a <= 6]


class PaintedEye:
    """Reads painted tiles; takes the place of `vision.eye.Eye`.

    What shows less than nine tenths of a tile is "unclear", less than six tenths is not seen. `misread` gives faces
    another name, to test what a wrong reading does.
    """

    def __init__(
        self,
        set_name: str = "auto",
        plane: TablePlane | None = None,
        tile_mm: tuple[float, float, float] | None = None,
    ) -> None:
        self._plane, self._tile_mm = plane, tile_mm or TILE_MM
        self.misread: dict[str, str] = {}
        self.looks = 0

    def look(self, image_bgr: Image, region_px: tuple[int, int, int, int] | None = None) -> list[Sighting]:
        """All painted tiles, or those centred in the region."""
        self.looks += 1
        values = image_bgr.astype(np.float32)
        # The light is measured on the cloth's corner, which nothing is laid on.
        values = values * (CLOTH[1] + 3) / max(1.0, float(np.mean(values[2:10, 2:10, 1])))
        blue, green, red = values[..., 0], values[..., 1], values[..., 2]
        seen: list[Sighting] = []
        for face in ("back", *_faces_in(blue, green, red)):
            first, _ = _colours(face)
            mask = (abs(blue - first[0]) < 13) & (abs(green - first[1]) < 13) & (red > 165)
            if mask.sum() > 100:
                seen += self._outlines(face, mask.astype(np.uint8), red)
        if region_px is None:
            return seen
        x0, y0, x1, y1 = region_px
        middles = [s.quad_px.mean(axis=0) for s in seen]
        return [s for s, (x, y) in zip(seen, middles, strict=True) if x0 <= x <= x1 and y0 <= y <= y1]

    def _outlines(self, face: str, mask: NDArray[np.uint8], red: Levels) -> Iterable[Sighting]:
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        whole = TILE_MM[0] * TILE_MM[1] / 4  # half a pixel a millimetre
        for k in range(1, count):
            share = stats[k, cv2.CC_STAT_AREA] / whole
            if not 0.6 <= share <= 1.5:
                continue
            points = np.argwhere(labels == k)[:, ::-1].astype(np.float32)
            box = cv2.boxPoints(cv2.minAreaRect(points)).astype(np.float64)
            if np.linalg.norm(box[1] - box[0]) < np.linalg.norm(box[2] - box[1]):
                box = np.roll(box, -1, axis=0)
            first = points[red[labels == k] > 215].mean(axis=0) if (red[labels == k] > 215).any() else box[0]
            if np.linalg.norm((box[0] + box[3]) / 2 - first) > np.linalg.norm((box[1] + box[2]) / 2 - first):
                box = np.roll(box, 2, axis=0)
            yield self._sighting(face, share, box)

    def _sighting(self, face: str, share: float, quad: NDArray[np.float64]) -> Sighting:
        pose = self._plane.pose_of_quad(quad, self._tile_mm[2]) if self._plane else None
        kind: Face = "unclear" if share < 0.9 else "down" if face == "back" else "up"
        name = self.misread.get(face, face)
        return Sighting(quad, kind, name if kind == "up" else "?", 0.99, (), pose)


def write_stills(folder: Path, pictures: Sequence[Image]) -> Path:
    """A folder of stills, exact."""
    folder.mkdir(parents=True, exist_ok=True)
    for k, picture in enumerate(pictures):
        assert cv2.imwrite(str(folder / f"{k:03d}.png"), picture)
    return folder


def write_video(path: Path, pictures: Sequence[Image], rate: float = 10.0, code: str = "mp4v") -> Path:
    """A video file."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), rate, SIZE_PX)
    assert writer.isOpened()
    for picture in pictures:
        writer.write(picture)
    writer.release()
    return path


def game_stills() -> list[Image]:
    """A short game: 6-6, 6-4, then 5-1 which does not fit, and back again."""
    table = Table()
    pictures = [table.picture()]
    table.lay("6-6", 300, 220, 90)
    pictures.append(table.picture())
    table.lay("6-4", 340, 220, 0)
    pictures.append(table.picture())
    table.lay("5-1", 392, 220, 0)
    pictures.append(table.picture())
    table.take("5-1")
    pictures.append(table.picture())
    return pictures
