"""How tiles lie on a table: chains, rows, crosses, heaps, scatter; poses in millimetres, never overlapping."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.sets import CHINESE_PAIRS
from vision.training.faces import Rng, SetStyle


@dataclass(frozen=True)
class TilePose:
    """A tile on the table: centre in mm, direction half a -> half b in degrees, values, face."""

    x_mm: float
    y_mm: float
    angle_deg: float
    a: int
    b: int
    face: str  # 'up' | 'down' | 'standing'
    level: int = 0  # 1 lies on other tiles


class Ground:
    """Which part of the table is taken, as a raster of 1 mm about the origin."""

    def __init__(self, reach_mm: float, length_mm: float, width_mm: float) -> None:
        self.reach = reach_mm
        self.length, self.width = length_mm, width_mm
        self.taken = np.zeros((int(2 * reach_mm) + 1,) * 2, np.uint8)

    def try_lay(self, x: float, y: float, angle: float, slack_mm: float = 0.6, thin: float = 1.0) -> bool:
        """Take the ground for a tile if it is free."""
        if abs(x) > self.reach or abs(y) > self.reach:
            return False
        box = ((x + self.reach, y + self.reach), (self.length - 2 * slack_mm, self.width * thin - 2 * slack_mm), angle)
        points = cv2.boxPoints(box)
        low = np.maximum(np.floor(points.min(0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(points.max(0)).astype(int) + 2, self.taken.shape[0])
        if (high - low <= 2).any():
            return False
        part = self.taken[low[1] : high[1], low[0] : high[0]]
        mask = np.zeros(part.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(points - low).astype(np.int32), 1)
        if (mask & part).any():
            return False
        part |= mask
        return True


def random_face(style: SetStyle, rng: Rng) -> tuple[int, int]:
    """Values of a tile; every half value about equally often."""
    if style.chinese:
        a, b = CHINESE_PAIRS[int(rng.integers(0, len(CHINESE_PAIRS)))]
        return (a, b) if rng.random() < 0.5 else (b, a)
    return int(rng.integers(0, style.most + 1)), int(rng.integers(0, style.most + 1))


def lay_tiles(style: SetStyle, length_mm: float, reach_mm: float, most_tiles: int, rng: Rng) -> list[TilePose]:
    """Up to `most_tiles` tiles within `reach_mm` of the origin."""
    width_mm = length_mm / style.aspect
    ground = Ground(reach_mm, length_mm, width_mm)
    tiles: list[TilePose] = []
    kinds = ["chain", "row", "heap", "scatter", "grid", "single"]
    shares = np.array([0.34, 0.24, 0.13, 0.16, 0.07, 0.06])
    if style.chinese:
        shares = np.array([0.22, 0.34, 0.14, 0.16, 0.08, 0.06])
    down_share = float(rng.choice([0.0, 0.15, 0.5, 1.0], p=[0.42, 0.26, 0.2, 0.12]))
    for _ in range(int(rng.integers(1, 5))):
        if len(tiles) >= most_tiles:
            break
        kind = kinds[int(rng.choice(len(kinds), p=shares))]
        group_down = rng.random() < down_share
        lay = _LAYERS[kind]
        for x, y, angle, a, b in lay(style, ground, reach_mm, most_tiles - len(tiles), rng):
            down = group_down if rng.random() < 0.85 else rng.random() < down_share
            tiles.append(TilePose(x, y, angle, a, b, "down" if down else "up"))
        if kind == "single":
            break
    if rng.random() < 0.06:
        for _ in range(int(rng.integers(1, 6))):
            x, y, angle = *rng.uniform(-reach_mm, reach_mm, 2), rng.uniform(0, 360)
            if ground.try_lay(x, y, angle, thin=style.thickness):
                tiles.append(TilePose(x, y, angle, *random_face(style, rng), "standing"))
    return tiles


Laid = list[tuple[float, float, float, int, int]]


def _single(style: SetStyle, ground: Ground, reach: float, most: int, rng: Rng) -> Laid:
    return _scatter(style, ground, reach * 0.5, 1, rng)


def _scatter(style: SetStyle, ground: Ground, reach: float, most: int, rng: Rng) -> Laid:
    out: Laid = []
    for _ in range(int(rng.integers(1, 14))):
        x, y, angle = *rng.uniform(-reach, reach, 2), rng.uniform(0, 360)
        if len(out) < most and ground.try_lay(x, y, angle, slack_mm=0.2):
            out.append((x, y, angle, *random_face(style, rng)))
    return out


def _heap(style: SetStyle, ground: Ground, reach: float, most: int, rng: Rng) -> Laid:
    """Tiles pushed together at odd angles until they touch."""
    out: Laid = []
    cx, cy = rng.uniform(-reach * 0.5, reach * 0.5, 2)
    for _ in range(int(rng.integers(4, 14))):
        if len(out) >= most:
            break
        turn, angle = rng.uniform(0, 2 * np.pi), rng.uniform(0, 360)
        for distance in np.arange(0, reach, 2.5):
            x, y = cx + distance * np.cos(turn), cy + distance * np.sin(turn)
            if ground.try_lay(x, y, angle, slack_mm=0.4):
                out.append((x, y, angle, *random_face(style, rng)))
                break
    return out


def _row(style: SetStyle, ground: Ground, reach: float, most: int, rng: Rng) -> Laid:
    """Side by side, long sides touching, as a hand is laid out; sometimes several rows end to end."""
    out: Laid = []
    angle = rng.uniform(0, 360)
    along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    across = np.array([-along[1], along[0]])
    start = rng.uniform(-reach * 0.7, reach * 0.7, 2)
    gap = float(rng.choice([0.0, rng.uniform(0, 2), rng.uniform(2, 9)], p=[0.5, 0.3, 0.2]))
    rough = float(rng.choice([0.3, 2.5], p=[0.6, 0.4]))
    for line in range(int(rng.choice([1, 2, 3, 4], p=[0.55, 0.27, 0.1, 0.08]))):
        for k in range(int(rng.integers(2, 10))):
            at = (
                start
                + across * k * (ground.width + gap + 0.3)
                + along * (line * (ground.length + 0.7) + rng.normal(0, rough))
            )
            turn = angle + rng.normal(0, 0.35 * rough) + 180 * rng.integers(0, 2)
            if len(out) < most and ground.try_lay(at[0], at[1], turn):
                out.append((at[0], at[1], turn, *random_face(style, rng)))
    return out


def _grid(style: SetStyle, ground: Ground, reach: float, most: int, rng: Rng) -> Laid:
    """Tiles on the cells of a board, each covering two cells."""
    out: Laid = []
    angle = rng.uniform(0, 360)
    cell = ground.width * rng.uniform(1.0, 1.06)
    along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    across = np.array([-along[1], along[0]])
    for _ in range(int(rng.integers(6, 30))):
        i, j = rng.integers(-5, 6, 2)
        upright = rng.random() < 0.5
        at = along * (i + (0 if upright else 0.5)) * cell + across * (j + (0.5 if upright else 0)) * cell
        at = at + rng.normal(0, 0.8, 2)
        turn = angle + (90 if upright else 0) + 180 * rng.integers(0, 2) + rng.normal(0, 1.0)
        if len(out) < most and ground.try_lay(at[0], at[1], turn, slack_mm=1.5):
            out.append((at[0], at[1], turn, *random_face(style, rng)))
    return out


def _chain(style: SetStyle, ground: Ground, reach: float, most: int, rng: Rng) -> Laid:
    """A line of play: ends meet, doubles often lie across, turns and branches happen."""
    out: Laid = []
    wild = float(rng.choice([0.6, 4.0], p=[0.75, 0.25]))
    heading = rng.uniform(0, 360)
    at = rng.uniform(-reach * 0.6, reach * 0.6, 2)
    cross_doubles = rng.random() < 0.7
    matching = rng.random() < 0.7
    _, value = random_face(style, rng)
    branches: list[tuple[np.ndarray, float, int]] = [(at, heading, value)]
    length, width = ground.length, ground.width
    for _ in range(int(rng.integers(3, 30))):
        if not branches or len(out) >= most:
            break
        at, heading, value = branches.pop(int(rng.integers(0, len(branches))))
        a, b = random_face(style, rng)
        if matching:
            options = [f for f in CHINESE_PAIRS if value in f] if style.chinese else []
            if options:
                f = options[int(rng.integers(0, len(options)))]
                a, b = (f[0], f[1]) if f[0] == value else (f[1], f[0])
            else:
                a = value
        if rng.random() < 0.16:
            b = a if not style.chinese or (a, a) in CHINESE_PAIRS else b
        gap = abs(rng.normal(0, 0.35 * wild)) + 0.1
        turn = heading + rng.normal(0, wild)
        direction = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
        side = np.array([-direction[1], direction[0]])
        if a == b and cross_doubles and rng.random() < 0.85:
            centre = at + direction * (width / 2 + gap)
            if not ground.try_lay(centre[0], centre[1], turn + 90):
                continue
            out.append((centre[0], centre[1], turn + 90 + 180 * rng.integers(0, 2), a, b))
            branches.append((centre + direction * width / 2, turn, b))
            if rng.random() < 0.4:
                branches.append((centre + side * length / 2, turn + 90, b))
                branches.append((centre - side * length / 2, turn - 90, b))
            continue
        if rng.random() < 0.12:
            bend = float(rng.choice([-90, 90]))
            turn += bend
            shift = direction * (width / 2 + gap)
            direction = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
            centre = at + shift + direction * (length / 2 - width / 2)
        else:
            centre = at + direction * (length / 2 + gap) + side * rng.normal(0, 0.4 * wild)
        if not ground.try_lay(centre[0], centre[1], turn):
            continue
        out.append((centre[0], centre[1], turn, a, b))
        branches.append((centre + direction * length / 2, turn, b))
        if rng.random() < 0.05:
            branches.append((centre - direction * length / 2, turn + 180, a))
    return out


_LAYERS = {"chain": _chain, "row": _row, "heap": _heap, "scatter": _scatter, "grid": _grid, "single": _single}
