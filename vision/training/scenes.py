"""Pictures of tables with known truth: a camera, a set of tiles, poses, light, things that are no tiles; from a seed.

Start at `random_scene` (everything drawn at random, for training) or `render` (given camera and tiles, for tests and
simulated games). Painter's order, flat shading, no ray tracing: a scene of 300 x 300 pixels takes some 20 ms.
Table frame: millimetres, x right, y towards the viewer, height up from the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.pips import pips_of
from vision.training.backgrounds import distractor, table_top
from vision.training.faces import Rng, SetStyle, draw_back, draw_face
from vision.training.layouts import TilePose, lay_tiles
from vision.training.styles import hue, random_style, scaled


class Projection(Protocol):
    """Anything that maps the table to the picture, such as calibration.plane.TablePlane."""

    def to_image(self, points_mm: NDArray[np.float64], height_mm: float = 0.0) -> NDArray[np.float64]: ...


@dataclass(frozen=True)
class PinholeTable:
    """A pinhole camera over the table; the table's origin appears at `centre_px`."""

    focal_px: float
    distance_mm: float
    tilt_deg: float
    roll_deg: float
    offset_mm: tuple[float, float]
    centre_px: tuple[float, float]
    stretch: float = 1.0

    def _raw(self, points_mm: NDArray[np.float64], height_mm: float) -> NDArray[np.float64]:
        roll, tilt = np.radians(self.roll_deg), np.radians(self.tilt_deg)
        x = points_mm[:, 0] * np.cos(roll) - points_mm[:, 1] * np.sin(roll)
        y = points_mm[:, 0] * np.sin(roll) + points_mm[:, 1] * np.cos(roll)
        depth = self.distance_mm - y * np.sin(tilt) - height_mm * np.cos(tilt)
        across = x + self.offset_mm[0]
        down = y * np.cos(tilt) - height_mm * np.sin(tilt) + self.offset_mm[1]
        return self.focal_px * np.stack([across * self.stretch, down], 1) / depth[:, None]

    def matrix(self) -> NDArray[np.float64]:
        """The camera matrix (3, 3)."""
        x, y = np.array(self.centre_px) - self._raw(np.zeros((1, 2)), 0.0)[0]
        return np.array([[self.focal_px * self.stretch, 0, x], [0, self.focal_px, y], [0, 0, 1.0]])

    def to_image(self, points_mm: NDArray[np.float64], height_mm: float = 0.0) -> NDArray[np.float64]:
        """Pixels (n, 2) of table points (n, 2) at a height."""
        origin = self._raw(np.zeros((1, 2)), 0.0)
        return self._raw(np.asarray(points_mm, float), height_mm) - origin + np.array(self.centre_px)


@dataclass(frozen=True)
class TileTruth:
    """What is known about one tile of a scene."""

    quad_px: NDArray[np.float64]  # (4, 2) top face, corners 0 and 3 at half a
    a: int
    b: int
    face: str
    visible: float  # share of the top face seen within the picture
    pips: NDArray[np.float64]  # (n, 2) in tile parts u (a -> b), v
    aspect: float


@dataclass(frozen=True)
class Scene:
    """A picture and its truth."""

    image_bgr: NDArray[np.uint8]
    tiles: list[TileTruth]
    hidden: NDArray[np.int16]  # (h, w): index of the tile whose top is seen, -1 none
    chinese: bool
    plane: PinholeTable
    tile_mm: tuple[float, float, float]  # length, width, thickness

    def table_plane(self, side_mm: float) -> TablePlane:
        """The plane as a calibration knows it: a square play area of that side about the table's origin."""
        half = side_mm / 2
        corners = self.plane.to_image(np.array([[-half, -half], [half, -half], [half, half], [-half, half]]))
        h, w = self.image_bgr.shape[:2]
        return TablePlane((w, h), (side_mm, side_mm), corners, self.plane.matrix())


@dataclass(frozen=True)
class Light:
    """Light of a scene; all shares 0..1."""

    direction_deg: float
    shadow_mm: float
    shadow_share: float
    softness: float
    contact: float


def footprint_mm(pose: TilePose, length_mm: float, width_mm: float) -> NDArray[np.float64]:
    """(4, 2) corners round the tile, 0 and 3 at half a."""
    c, s = np.cos(np.radians(pose.angle_deg)), np.sin(np.radians(pose.angle_deg))
    u, v = np.array([c, s]) * length_mm / 2, np.array([-s, c]) * width_mm / 2
    return np.array([pose.x_mm, pose.y_mm]) + np.array([-u - v, u - v, u + v, -u + v])


def render(
    background: NDArray[np.float32],
    plane: Projection,
    style: SetStyle,
    length_mm: float,
    tiles: list[TilePose],
    light: Light,
    rng: Rng,
) -> tuple[NDArray[np.float32], NDArray[np.int16], list[NDArray[np.float64]]]:
    """Paint the tiles; returns the picture, the id map (h, w) and each tile's top quad (4, 2) in px."""
    image = background.copy()
    h, w = image.shape[:2]
    hidden = np.full((h, w), -1, np.int16)
    width_mm = length_mm / style.aspect
    thick_mm = style.thickness * width_mm
    quads: list[NDArray[np.float64]] = []
    bases = []
    for pose in tiles:
        if pose.face == "standing":
            foot = footprint_mm(pose, length_mm, thick_mm)
            low, high = 0.0, width_mm
        else:
            foot = footprint_mm(pose, length_mm, width_mm)
            low, high = pose.level * thick_mm, (pose.level + 1) * thick_mm
        bases.append((foot, low, high, plane.to_image(foot, low)))
        quads.append(plane.to_image(foot, high))
    _shadows(image, plane, bases, light)
    order = sorted(range(len(tiles)), key=lambda i: (tiles[i].level, bases[i][3][:, 1].mean()))
    for i in order:
        foot, low, high, base = bases[i]
        _paint_tile(image, hidden, i, tiles[i], style, base, quads[i], foot, light, rng)
    return image, hidden, quads


def _shadows(image: NDArray[np.float32], plane: Projection, bases: list, light: Light) -> None:
    if not bases:
        return
    h, w = image.shape[:2]
    cast = np.zeros((h, w), np.float32)
    touch = np.zeros((h, w), np.float32)
    turn = np.radians(light.direction_deg)
    for foot, _, high, base in bases:
        shift = np.array([np.cos(turn), np.sin(turn)]) * light.shadow_mm * high
        hull = cv2.convexHull(np.vstack([base, plane.to_image(foot + shift, 0.0)]).astype(np.float32))
        cv2.fillConvexPoly(cast, np.round(hull * 8).astype(np.int32), 1.0, cv2.LINE_8, 3)
        cv2.fillConvexPoly(touch, np.round(base * 8).astype(np.int32), 1.0, cv2.LINE_8, 3)
    size = max(0.4, float(np.linalg.norm(bases[0][3][1] - bases[0][3][0])))
    cast = cv2.GaussianBlur(cast, (0, 0), max(0.4, size * 0.12 * light.softness))
    touch = cv2.GaussianBlur(touch, (0, 0), max(0.4, size * 0.03))
    image *= (1 - light.shadow_share * cast)[..., None]
    image *= (1 - light.contact * touch)[..., None]


def _paint_tile(
    image: NDArray[np.float32],
    hidden: NDArray[np.int16],
    index: int,
    pose: TilePose,
    style: SetStyle,
    base: NDArray[np.float64],
    top: NDArray[np.float64],
    foot: NDArray[np.float64],
    light: Light,
    rng: Rng,
) -> None:
    h, w = image.shape[:2]
    points = np.vstack([base, top])
    if points[:, 0].max() < -2 or points[:, 1].max() < -2 or points[:, 0].min() > w + 2 or points[:, 1].min() > h + 2:
        return
    hull = cv2.convexHull(points.astype(np.float32))
    turn = np.radians(light.direction_deg)
    away = np.array([np.cos(turn), np.sin(turn)])
    cv2.fillConvexPoly(hidden, np.round(hull).astype(np.int32), -1)
    middle = foot.mean(0)
    for k in range(4):
        edge = (foot[k] + foot[(k + 1) % 4]) / 2 - middle
        lit = 0.55 - 0.35 * float(edge @ away) / (np.linalg.norm(edge) + 1e-9)
        face = np.array([base[k], base[(k + 1) % 4], top[(k + 1) % 4], top[k]])
        cv2.fillConvexPoly(image, np.round(face * 16).astype(np.int32), scaled(style.side, lit), cv2.LINE_AA, 4)
    if pose.face == "standing":
        cv2.fillConvexPoly(image, np.round(top * 16).astype(np.int32), scaled(style.side, 1.0), cv2.LINE_AA, 4)
        if rng.random() < 0.5:
            _standing_face(image, style, pose, base, top, light, rng)
        return
    long_px = max(float(np.linalg.norm(top[1] - top[0])), float(np.linalg.norm(top[2] - top[1])) * style.aspect)
    length = int(np.clip(long_px * 1.35, 24, 420))
    if pose.face == "up":
        texture = draw_face(style, pose.a, pose.b, length, light.direction_deg - pose.angle_deg, rng)
    else:
        texture = draw_back(style, length, rng)
    _paste(image, texture, top, style.corner)
    cv2.fillConvexPoly(hidden, np.round(top).astype(np.int32), index)
    if style.rim > 0.05:
        # the rounded edge of a real tile catches little light: without it, touching blanks would be one surface
        low = np.maximum(np.floor(top.min(0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(top.max(0)).astype(int) + 2, [w, h])
        if (high > low).all():
            part = image[low[1] : high[1], low[0] : high[0]]
            rim = np.zeros(part.shape[:2], np.float32)
            outline = np.round((top - low) * 16).astype(np.int32)
            cv2.polylines(rim, [outline], True, 1.0, max(1, round(long_px * 0.012)), cv2.LINE_AA, 4)
            part *= (1 - rim * 0.55 * style.rim)[..., None]


def _standing_face(image, style, pose, base, top, light, rng) -> None:  # type: ignore[no-untyped-def]
    """A standing tile turns a long side to the camera; show its face or back there at a grazing angle."""
    sides = [(0, 1), (2, 3)]
    near = max(sides, key=lambda s: base[s[0], 1] + base[s[1], 1])
    quad = np.array([top[near[0]], top[near[1]], base[near[1]], base[near[0]]])
    length = int(np.clip(np.linalg.norm(quad[1] - quad[0]) * 1.3, 24, 300))
    texture = (
        draw_face(style, pose.a, pose.b, length, light.direction_deg, rng)
        if rng.random() < 0.5
        else draw_back(style, length, rng)
    )
    _paste(image, (texture * 0.8).astype(np.uint8), quad, style.corner)


def _paste(image: NDArray[np.float32], texture: NDArray[np.uint8], quad: NDArray[np.float64], corner: float) -> None:
    h, w = image.shape[:2]
    low = np.maximum(np.floor(quad.min(0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + 3, [w, h])
    if (high <= low).any():
        return
    th, tw = texture.shape[:2]
    layer = np.zeros((th, tw, 4), np.uint8)
    layer[..., :3] = texture
    radius = int(corner * th)
    if radius > 0:
        alpha = np.zeros((th, tw), np.uint8)
        alpha[radius : th - radius] = 255
        alpha[:, radius : tw - radius] = 255
        for x in (radius, tw - 1 - radius):
            for y in (radius, th - 1 - radius):
                cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
        layer[..., 3] = alpha
    else:
        layer[..., 3] = 255
    flat = np.array([[-0.5, -0.5], [tw - 0.5, -0.5], [tw - 0.5, th - 0.5], [-0.5, th - 0.5]], np.float32)
    move = cv2.getPerspectiveTransform(flat, (quad - low).astype(np.float32))
    if radius > 0:
        layer[..., :3] = (texture * (layer[..., 3:] / 255.0)).astype(np.uint8)  # so that borders mix rightly
    out = cv2.warpPerspective(layer, move, tuple((high - low).tolist()), flags=cv2.INTER_LINEAR)
    share = out[..., 3:].astype(np.float32) / 255
    part = image[low[1] : high[1], low[0] : high[0]]
    part *= 1 - share
    part += out[..., :3]


def random_camera(size_px: int, scale_px_per_mm: float, rng: Rng) -> PinholeTable:
    """Any view up to about 50 degrees of tilt, mostly from well above."""
    tilt = float(min(abs(rng.normal(0, 17)), 50)) if rng.random() < 0.7 else float(rng.uniform(0, 48))
    focal = float(size_px * rng.uniform(1.6, 6))
    distance = focal / scale_px_per_mm
    offset = rng.uniform(-0.3, 0.3, 2) * distance * rng.random()
    stretch = float(rng.uniform(0.7, 1.4)) if rng.random() < 0.12 else 1.0
    centre = (size_px / 2 + rng.normal(0, 5), size_px / 2 + rng.normal(0, 5))
    return PinholeTable(focal, distance, tilt, float(rng.uniform(0, 360)), (offset[0], offset[1]), centre, stretch)


def random_light(rng: Rng) -> Light:
    """Lamp or window, hard or soft."""
    return Light(
        direction_deg=float(rng.uniform(0, 360)),
        shadow_mm=float(rng.uniform(0, 1.2)),
        shadow_share=float(rng.uniform(0.0, 0.7)),
        softness=float(rng.uniform(0.1, 1.2)),
        contact=float(rng.uniform(0.0, 0.75)),
    )


LENGTH_MM = 50.0
PRINTED_SHARE = 0.1  # of the scenes have squares printed on the table beside a tile


def random_scene(rng: Rng, size_px: int, tile_px: float, printed: float = PRINTED_SHARE) -> Scene:
    """One training scene, size_px square, its tiles about tile_px long in the middle."""
    style = random_style(rng)
    length_mm = LENGTH_MM
    plane = random_camera(size_px, tile_px / length_mm, rng)
    light = random_light(rng)
    background = table_top((size_px, size_px), style.body, tile_px, rng)
    reach = size_px / (tile_px / length_mm) * 0.62
    hidden = np.full((size_px, size_px), -1, np.int16)
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.45, 0.25, 0.18, 0.12]))):
        distractor(background, hidden, tile_px, style.body, False, rng)
    tiles: list[TilePose] = []
    if rng.random() > 0.03:
        tiles = lay_tiles(style, length_mm, reach, 34, rng)
    if tiles and rng.random() < 0.06:
        for _ in range(int(rng.integers(1, 4))):
            under = tiles[int(rng.integers(0, len(tiles)))]
            shift = rng.normal(0, length_mm * 0.4, 2)
            face = "up" if rng.random() < 0.8 else "down"
            tiles.append(
                TilePose(
                    under.x_mm + shift[0], under.y_mm + shift[1], float(rng.uniform(0, 360)), under.b, under.b, face, 1
                )
            )
    if tiles and rng.random() < printed:
        _printed_squares(background, plane, style, length_mm, tiles[int(rng.integers(0, len(tiles)))], rng)
    image, hidden, quads = render(background, plane, style, length_mm, tiles, light, rng)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.75, 0.2, 0.05]))):
        distractor(image, hidden, tile_px, style.body, True, rng)
    truth = _truth(style, tiles, quads, hidden)
    width_mm = length_mm / style.aspect
    tile_mm = (length_mm, width_mm, style.thickness * width_mm)
    return Scene(photograph(image, tile_px, rng), truth, hidden, style.chinese, plane, tile_mm)


def _printed_squares(
    background: NDArray[np.float32], plane: Projection, style: SetStyle, length_mm: float, pose: TilePose, rng: Rng
) -> None:
    """Squares with letters or figures printed on the table, as wide as a tile and of its colour: board game logos."""
    side = length_mm / style.aspect * float(rng.uniform(0.85, 1.1))
    turn = np.radians(pose.angle_deg)
    u, v = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    colour = style.body if rng.random() < 0.7 else hue(rng, 0.3, 1.0)
    ink = (20.0, 20.0, 20.0) if sum(colour) > 380 else (235.0, 235.0, 235.0)
    for i in range(-int(rng.integers(1, 4)), int(rng.integers(2, 5))):
        for j in (-1, 0, 1):
            if rng.random() < 0.4:
                continue
            middle = np.array([pose.x_mm, pose.y_mm]) + u * (i + 0.5) * side + v * j * side * 1.02
            corners = middle + np.array([-u - v, u - v, u + v, -u + v]) * side * 0.49
            stamp = np.empty((48, 48, 3), np.uint8)
            stamp[:] = colour
            letter = str(rng.choice(list("ABCDEGHKLMNORSTUXZbdeglmnou0123456789")))
            line = int(rng.integers(2, 9))
            cv2.putText(stamp, letter, (8, 40), cv2.FONT_HERSHEY_DUPLEX, rng.uniform(1.0, 1.6), ink, line)
            _paste(background, stamp, plane.to_image(corners, 0.0), 0.05)


def _truth(
    style: SetStyle, tiles: list[TilePose], quads: list[NDArray[np.float64]], hidden: NDArray[np.int16]
) -> list[TileTruth]:
    counts = np.bincount(hidden[hidden >= 0].ravel(), minlength=len(tiles)) if len(tiles) else np.zeros(0)
    out = []
    for i, (pose, quad) in enumerate(zip(tiles, quads, strict=True)):
        area = cv2.contourArea(quad.astype(np.float32))
        # counting whole pixels overestimates by the border, about half the outline
        outline = cv2.arcLength(quad.astype(np.float32), True)
        seen = float(counts[i]) / (area + outline * 0.5 + 1e-6) if area > 4 else 0.0
        pips = np.array([(u, v) for u, v, _, _ in pips_of(style, pose.a, pose.b)], float).reshape(-1, 2)
        if pose.face != "up":
            pips = pips[:0]
        out.append(TileTruth(quad, pose.a, pose.b, pose.face, min(1.0, seen), pips, style.aspect))
    return out


def photograph(image: NDArray[np.float32], tile_px: float, rng: Rng) -> NDArray[np.uint8]:
    """Light falling off, glare, exposure, colour cast, blur, noise, JPEG."""
    h, w = image.shape[:2]
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32) / max(h, w) - 0.5
    if rng.random() < 0.7:
        turn = rng.uniform(0, 2 * np.pi)
        field = 1 + rng.uniform(0, 0.9) * (xs * np.cos(turn) + ys * np.sin(turn)).astype(np.float32)
        image = image * field[..., None]
    for _ in range(int(rng.choice([0, 1, 2], p=[0.62, 0.28, 0.1]))):
        x, y, turn = rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), rng.uniform(0, np.pi)
        a = (xs - x) * np.cos(turn) + (ys - y) * np.sin(turn)
        b = -(xs - x) * np.sin(turn) + (ys - y) * np.cos(turn)
        spot = np.exp(-((a / rng.uniform(0.05, 0.6)) ** 2) - (b / rng.uniform(0.05, 0.3)) ** 2)
        image = image + spot[..., None] * rng.uniform(10, 150)
    if rng.random() < 0.15:
        shade = (
            np.sin(rng.uniform(0, 6)) * (xs - rng.uniform(-0.4, 0.4))
            + np.cos(rng.uniform(0, 6)) * (ys - rng.uniform(-0.4, 0.4))
        ) > 0
        soft = cv2.GaussianBlur(shade.astype(np.float32), (0, 0), rng.uniform(0.5, 12))
        image = image * (1 - rng.uniform(0.15, 0.6) * soft[..., None])
    exposure = float(np.exp(rng.normal(0, 0.22))) if rng.random() < 0.75 else float(rng.uniform(0.12, 1.5))
    cast = np.exp(rng.normal(0, 0.07, 3)) if rng.random() < 0.8 else np.array([rng.uniform(0.45, 0.9), 0.9, 1.1])
    image = image * (exposure * cast).astype(np.float32)
    if rng.random() < 0.3:
        image = 255 * np.power(np.clip(image, 0, 255) / 255, rng.uniform(0.6, 1.6)).astype(np.float32)
    if rng.random() < 0.07:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    sigma = abs(rng.normal(0, 0.011)) * tile_px
    if rng.random() < 0.6:
        image = cv2.GaussianBlur(image, (0, 0), max(0.3, min(sigma, 2.5)))
    if rng.random() < 0.08:
        reach = max(2, int(tile_px * rng.uniform(0.02, 0.07)))
        kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        turn = rng.uniform(0, np.pi)
        ends = [(int(reach + s * reach * np.cos(turn)), int(reach + s * reach * np.sin(turn))) for s in (-0.5, 0.5)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = image + rng.uniform(0.2, 1.2) * (image - soft)
    if rng.random() < 0.7:
        image = image + rng.normal(0, rng.uniform(0.5, 7), (h, w, 1 if rng.random() < 0.5 else 3)).astype(np.float32)
    out = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(38, 96))])
        out = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return np.ascontiguousarray(out)


__all__ = ["Light", "PinholeTable", "Scene", "TilePose", "TileTruth", "hue", "photograph", "random_scene", "render"]
