"""Pictures of a simulated table: a camera, tiles, arms with their shadows, a cup, a lamp. Cheap: some 5 ms a picture.

Tiles get the faces that the training scenes draw. `Stage` also knows what of each tile is seen, which `PerfectEye`
tells in place of the trained eye.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pose, TablePlane
from table import events
from table.events import Table, zone_of
from vision.sighting import Face, Sighting
from vision.training.faces import SetStyle, draw_back, draw_face
from vision.training.styles import random_style

from .script import Piece

Image = NDArray[np.uint8]

CLOTHS = ((62, 96, 44), (70, 92, 118), (96, 74, 58), (52, 52, 92))
SKINS = ((128, 160, 214), (92, 124, 178), (60, 84, 132))
SLEEVES = ((120, 60, 40), (40, 40, 46), (70, 120, 70), (200, 200, 205), (60, 60, 150))
TEXTURE_PX = 112


def camera_over(table: Table, width_px: int = 1000, tilt_deg: float = 16.0) -> TablePlane:
    """A camera that sees the whole table and a margin, tilted as on a stand at the bottom edge."""
    w, h = table.size_mm
    size = (width_px, round(width_px * 0.78))
    tilt = math.radians(tilt_deg)
    focal, distance = 1.1 * width_px, 1.1 * w / 0.86
    matrix = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    lens = np.array([-0.06, 0.01, 0, 0, 0])
    while True:
        corners = []
        for x, y in ((0, 0), (w, 0), (w, h), (0, h)):
            dx, dy = x - w / 2, y - h / 2
            corners.append([dx, dy * math.cos(tilt), distance - dy * math.sin(tilt)])
        seen, _ = cv2.projectPoints(np.array(corners), np.zeros(3), np.zeros(3), matrix, lens)
        seen = seen.reshape(-1, 2)
        margin = 0.05 * np.array(size)
        if (seen > margin).all() and (seen < np.array(size) - margin).all():
            return TablePlane(size, table.size_mm, seen, matrix, lens)
        distance *= 1.03


@dataclass(slots=True)
class Reach:
    """An arm: where it came in and where the fingertips are, table mm; `carries` a piece in the fingers."""

    start: tuple[float, float]
    tip: tuple[float, float]
    seat: int = 0
    carries: Piece | None = None


@dataclass(slots=True)
class Seen:
    """What lies open in the picture that was painted last."""

    pieces: list[Piece] = field(default_factory=list)
    hidden: NDArray[np.uint8] | None = None


class Stage:
    """The table as it lies, and its pictures."""

    def __init__(self, table: Table, plane: TablePlane, seed: int = 0, chinese: bool = False) -> None:
        self.table, self.plane = table, plane
        self.rng = np.random.default_rng(seed)
        self.pieces: dict[str, Piece] = {}
        self.cup: tuple[float, float] | None = None
        self.lamp = 1.0
        self.shift_px = (0.0, 0.0)
        self.seen = Seen()
        self.pile_mm: float | None = None
        """Where piles lie, mm from the edge, if not where the script says: close to the rim they look like arms."""
        self.tile_mm = (table.length_mm, table.width_mm, table.thickness_mm)
        self.style = self._style(chinese)
        self._faces: dict[tuple[str, bool], Image] = {}
        self._cloth = self._background(CLOTHS[seed % len(CLOTHS)])
        self._base = self._cloth.copy()
        self._stale = True
        size = (plane.size_px[1], plane.size_px[0], 3)
        self._noises = [self.rng.normal(128, 2.0, size).clip(0, 255).astype(np.uint8) for _ in range(3)]
        self._count = 0
        self._sleeves = [SLEEVES[k] for k in self.rng.permutation(len(SLEEVES))]
        self._skins = [SKINS[k] for k in self.rng.permutation(len(SKINS))]

    def _style(self, chinese: bool) -> SetStyle:
        """A set of ivory tiles, or black Chinese ones, whose proportions are the table's."""
        while True:
            style = random_style(self.rng, chinese, 6 if chinese else 9)
            bright = sum(style.body) / 3 > 190 and min(style.body) > 150
            if bright or chinese:
                return replace(style, aspect=self.table.length_mm / self.table.width_mm, film=0.0)

    def _background(self, colour: tuple[int, int, int]) -> Image:
        width, height = self.plane.size_px
        rough = self.rng.normal(0, 1, (height // 4, width // 4, 1))
        rough = cv2.GaussianBlur(rough[..., 0], (0, 0), 1.2) * 9
        broad = cv2.GaussianBlur(self.rng.normal(0, 1, (height // 16, width // 16)), (0, 0), 5) * 40
        field_ = cv2.resize(rough, (width, height))[..., None] + cv2.resize(broad, (width, height))[..., None]
        image = np.full((height, width, 3), colour, np.float32) + field_
        outside = np.full((height, width), 255, np.uint8)
        cv2.fillConvexPoly(outside, np.round(self.plane.corners_px(35)).astype(np.int32), 0)
        image[outside > 0] *= 0.55
        return np.asarray(image.clip(8, 250), np.uint8)

    # changing

    def put(self, key: str, piece: Piece | None) -> None:
        """A tile lies so from now on; None: it is gone."""
        if piece is None:
            self.pieces.pop(key, None)
        else:
            if self.pile_mm is not None and zone_of(piece.pose.x_mm, piece.pose.y_mm, self.table) is not None:
                piece = replace(piece, pose=self._nearer_the_edge(piece.pose, self.pile_mm))
            self.pieces[key] = piece
        self._stale = True

    def _nearer_the_edge(self, pose: events.Pose, deep: float) -> events.Pose:
        w, h = self.table.size_mm
        x, y = pose.x_mm, pose.y_mm
        ways = {x: (deep, y), w - x: (w - deep, y), y: (x, deep), h - y: (x, h - deep)}
        return events.Pose(*ways[min(ways)], pose.angle_deg)

    # painting

    def picture(self, reaches: Sequence[Reach] = ()) -> Image:
        """The table now, with arms over it: (height, width, 3) uint8."""
        if self._stale:
            self._base = self._cloth.copy()
            for piece in sorted(self.pieces.values(), key=lambda p: (p.level, p.pose.y_mm)):
                self._paint(self._base, piece)
            self._stale = False
        image = self._base.copy()
        hidden = np.zeros(image.shape[:2], np.uint8)
        if self.cup is not None:
            self._paint_cup(image, hidden, self.cup)
        for reach in reaches:
            self._shade(image, reach)
        for reach in reaches:
            if reach.carries is not None:
                self._paint(image, reach.carries)
            self._paint_arm(image, hidden, reach)
        if self.lamp != 1.0:
            image = cv2.convertScaleAbs(image, alpha=self.lamp)
        if self.shift_px != (0.0, 0.0):
            move = np.array([[1, 0, self.shift_px[0]], [0, 1, self.shift_px[1]]], np.float32)
            image = cv2.warpAffine(image, move, self.plane.size_px, borderMode=cv2.BORDER_REPLICATE)
        noise = self._noises[self._count % 3]
        self._count += 1
        image = np.asarray(cv2.addWeighted(image, 1.0, noise, 1.0, -128.0), np.uint8)
        carried = [reach.carries for reach in reaches if reach.carries is not None]
        self.seen = Seen([*self.pieces.values(), *carried], hidden)
        return image

    def _face(self, piece: Piece) -> Image:
        key = (piece.tile if piece.up else "?", piece.up)
        if key not in self._faces:
            if piece.up:
                high, low = map(int, piece.tile.split("-"))
                self._faces[key] = draw_face(self.style, high, low, TEXTURE_PX, 40.0, self.rng)
            else:
                self._faces[key] = draw_back(self.style, TEXTURE_PX, self.rng)
        return self._faces[key]

    def quad_px(self, piece: Piece) -> NDArray[np.float64]:
        """Corners (4, 2) of a tile's top face in px."""
        at = Pose(piece.pose.x_mm, piece.pose.y_mm, piece.pose.angle_deg)
        corners = at.corners_mm(self.table.length_mm, self.table.width_mm)
        return self.plane.to_image(corners, (piece.level + 1) * self.table.thickness_mm)

    def _paint(self, image: Image, piece: Piece) -> None:
        at = Pose(piece.pose.x_mm, piece.pose.y_mm, piece.pose.angle_deg)
        corners = at.corners_mm(self.table.length_mm, self.table.width_mm)
        foot = self.plane.to_image(corners, 0.0)
        top = self.plane.to_image(corners, (piece.level + 1) * self.table.thickness_mm)
        fall = self.plane.to_image(corners + np.array([3.0, 4.0]) * (piece.level + 1), 0.0)
        both = np.vstack([foot, top, fall])
        low = np.maximum(np.floor(both.min(0)).astype(int) - 3, 0)
        high = np.minimum(np.ceil(both.max(0)).astype(int) + 4, self.plane.size_px)
        if (high <= low).any():
            return
        part = image[low[1] : high[1], low[0] : high[0]]
        shade = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(shade, _hull(np.vstack([foot, fall]) - low), 110, cv2.LINE_AA, 4)
        shade = cv2.GaussianBlur(shade, (0, 0), 1.3)
        part[:] = cv2.multiply(part, cv2.merge([255 - shade] * 3), scale=1 / 255)
        side = tuple(0.72 * c for c in self.style.side)
        cv2.fillConvexPoly(part, _hull(np.vstack([foot, top]) - low), side, cv2.LINE_AA, 4)
        texture = self._face(piece)
        th, tw = texture.shape[:2]
        flat = np.array([[-0.5, -0.5], [tw - 0.5, -0.5], [tw - 0.5, th - 0.5], [-0.5, th - 0.5]], np.float32)
        move = cv2.getPerspectiveTransform(flat, (top - low).astype(np.float32))
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        out = cv2.warpPerspective(texture, move, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        inside = np.zeros(part.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, _hull(top - low), 255, cv2.LINE_8, 4)
        cv2.copyTo(out, inside, part)

    def _bones(self, reach: Reach) -> tuple[NDArray[np.float64], float]:
        """Start, wrist, knuckles and tip in px, and px a mm at the hand."""
        start, tip = np.array(reach.start), np.array(reach.tip)
        along = (tip - start) / max(1e-6, float(np.linalg.norm(tip - start)))
        points = np.array([start, tip - along * 105, tip - along * 40, tip])
        return self.plane.to_image(points, 0.0), self.plane.px_per_mm((float(tip[0]), float(tip[1])))

    def _draw_arm(self, image: Image, reach: Reach, sleeve: object, skin: object, off: float = 0.0) -> None:
        bones, scale = self._bones(reach)
        shift = np.array([off * 14, off * 20]) * scale
        p = [tuple(int(v) for v in np.round(b + shift)) for b in bones]
        thick = max(1, round(62 * scale))
        cv2.line(image, p[0], p[1], skin, thick, cv2.LINE_8)  # type: ignore[call-overload]
        middle = tuple(int(v) for v in np.round(bones[0] + 0.75 * (bones[1] - bones[0]) + shift))
        cv2.line(image, p[0], middle, sleeve, round(84 * scale), cv2.LINE_8)  # type: ignore[call-overload]
        cv2.line(image, p[1], p[2], skin, round(74 * scale), cv2.LINE_8)  # type: ignore[call-overload]
        side = bones[3] - bones[2]
        normal = np.array([-side[1], side[0]]) / max(1e-6, float(np.linalg.norm(side)))
        for k in (-1.0, 0.0, 1.0):
            end = bones[3] + normal * k * 13 * scale - side * 0.25 * abs(k) + shift
            base = bones[2] + normal * k * 20 * scale + shift
            cv2.line(image, tuple(np.round(base).astype(int).tolist()), tuple(np.round(end).astype(int).tolist()),
                     skin, round(21 * scale), cv2.LINE_8)  # type: ignore[call-overload]  # fmt: skip

    def _paint_arm(self, image: Image, hidden: Image, reach: Reach) -> None:
        sleeve = self._sleeves[reach.seat % len(self._sleeves)]
        skin = self._skins[reach.seat % len(self._skins)]
        self._draw_arm(image, reach, sleeve, skin)
        self._draw_arm(hidden, reach, 255, 255)

    def _shade(self, image: Image, reach: Reach) -> None:
        """The arm's soft shadow beside it."""
        height, width = image.shape[:2]
        shade = np.zeros((height // 4 + 1, width // 4 + 1), np.uint8)
        full = np.zeros((height, width), np.uint8)
        self._draw_arm(full, reach, 80, 80, 1.0)
        shade = cv2.GaussianBlur(cv2.resize(full, shade.shape[::-1]), (0, 0), 3.5)
        factor = cv2.resize(255 - shade, (width, height))
        image[:] = cv2.multiply(image, cv2.merge([factor] * 3), scale=1 / 255)

    def _paint_cup(self, image: Image, hidden: Image, at: tuple[float, float]) -> None:
        centre = self.plane.to_image([at], 70.0)[0]
        foot = self.plane.to_image([at], 0.0)[0]
        scale = self.plane.px_per_mm(at)
        for canvas, colours in ((image, ((150, 90, 40), (40, 30, 26))), (hidden, (255, 255))):
            for k in range(9):
                spot = tuple(int(v) for v in np.round(foot + (centre - foot) * k / 8))
                cv2.circle(canvas, spot, round(38 * scale), colours[0], -1, cv2.LINE_8)  # type: ignore[call-overload]
            end = tuple(int(v) for v in np.round(centre))
            cv2.circle(canvas, end, round(33 * scale), colours[1], -1, cv2.LINE_8)  # type: ignore[call-overload]


def _hull(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(cv2.convexHull(points.astype(np.float32)) * 16).astype(np.int32)


class PerfectEye:
    """Says what the stage's last picture shows, as an eye without faults would.

    Nine tenths of a tile must be seen to read it; from six tenths on it is "unclear".
    """

    def __init__(self, stage: Stage, seed: int = 0, shake_px: float = 0.35) -> None:
        self._stage, self._rng, self._shake = stage, np.random.default_rng(seed), shake_px
        self.misread: dict[str, str] = {}

    def look(self, image_bgr: Image, region_px: tuple[int, int, int, int] | None = None) -> list[Sighting]:
        """All tiles of the picture, or those centred in the region."""
        stage = self._stage
        tops = [piece for piece in stage.seen.pieces if not self._buried(piece)]
        found = []
        for piece in tops:
            quad = stage.quad_px(piece) + np.array(stage.shift_px)
            x, y = quad.mean(axis=0)
            if region_px is not None and not (region_px[0] <= x <= region_px[2] and region_px[1] <= y <= region_px[3]):
                continue
            share = self._share(quad)
            if share < 0.6:
                continue
            quad = quad + self._rng.normal(0, self._shake, (4, 2))
            pose = stage.plane.pose_of_quad(quad, stage.table.thickness_mm)
            face: Face = "unclear" if share < 0.9 else "up" if piece.up else "down"
            name = self.misread.get(piece.tile, piece.tile) if face == "up" else "?"
            found.append(Sighting(quad, face, name, 0.985, (), pose))
        return found

    def _buried(self, piece: Piece) -> bool:
        return any(
            other.level > piece.level
            and math.hypot(other.pose.x_mm - piece.pose.x_mm, other.pose.y_mm - piece.pose.y_mm) < 8
            for other in self._stage.seen.pieces
        )

    def _share(self, quad: NDArray[np.float64]) -> float:
        hidden = self._stage.seen.hidden
        if hidden is None:
            return 1.0
        height, width = hidden.shape
        low = np.floor(quad.min(0)).astype(int)
        high = np.ceil(quad.max(0)).astype(int) + 1
        low, high = np.clip(low, 0, [width, height]), np.clip(high, 0, [width, height])
        if (high - low < 2).any():
            return 0.0
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.round(quad - low).astype(np.int32), 1)
        area = int(mask.sum())
        covered = int((mask & (hidden[low[1] : high[1], low[0] : high[0]] > 0)).sum())
        return 1.0 - covered / max(1, area)
