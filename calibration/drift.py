"""Was the camera bumped? Pure functions: places seen now against places known before, and how sure that is.

Markers tell at once; without them the tiles that lie still tell, if several moved alike. What moved alone is a tile,
what moved together is the camera or the table. Millimetres on the table as it was calibrated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.markers import marker_corners_mm
from calibration.plane import Array, Pose, TablePlane
from calibration.table_file import PlayArea, TableFile

MARKER_NOISE_MM, TILE_NOISE_MM = 0.4, 1.0
"""How far a place strays from picture to picture though nothing moved (sigma)."""
MOVED_MM = 1.5
"""A shift that is less than this everywhere changes nothing a player could see."""
FEWEST_TILES = 4
"""So many tiles that moved alike are not hands at work."""
AGREEING = 0.6
"""Share of the tiles that must fit one movement of the whole table."""
AGREE_MM = 4.0
_TRIALS = 200


@dataclass(frozen=True, slots=True)
class Drift:
    """How the whole table moved in the camera's eyes."""

    dx_mm: float
    dy_mm: float
    turn_deg: float
    """What a table point seems to do, about the middle of the play area: shift, and turn from +x towards +y."""
    largest_mm: float
    """The most that any place of the play area seems to have moved."""
    sure: float
    """From 0 to 1: how sure it is that this movement, or that nothing moved, is real."""
    rests_on: int
    """Markers or tiles that agree."""

    @property
    def moved(self) -> bool:
        """Did the camera or the table move enough to matter?"""
        return self.largest_mm > MOVED_MM and self.sure >= 0.5


def expected_markers(plane: TablePlane, marker_mm: float) -> dict[int, Array]:
    """Where the four markers' corners should be seen, number -> (4, 2) px."""
    where = marker_corners_mm(plane.size_mm, marker_mm)
    return {number: plane.to_image(where[number]) for number in range(4)}


def drift_of_markers(before_px: dict[int, Array], now_px: dict[int, Array], plane: TablePlane) -> Drift:
    """The drift that marker corners tell, by their numbers; none seen in both is a drift of surety 0.

    `plane` is the calibration that `before_px` belongs to.
    """
    shared = sorted(set(before_px) & set(now_px))
    if not shared:
        return Drift(0.0, 0.0, 0.0, 0.0, 0.0, 0)
    before = plane.to_table(np.vstack([before_px[k] for k in shared]))
    now = plane.to_table(np.vstack([now_px[k] for k in shared]))
    # One marker alone may have been pushed by a hand; two that agree were not.
    groups = [slice(4 * k, 4 * k + 4) for k in range(len(shared))]
    best: tuple[int, Array] = (0, np.ones(len(before), bool))
    for group in groups:
        fitting = np.linalg.norm(_moved(before, *_rigid(before[group], now[group])) - now, axis=1) < AGREE_MM
        whole = sum(bool(fitting[g].all()) for g in groups)
        if whole > best[0]:
            keep = np.zeros(len(before), bool)
            for g in groups:
                keep[g] = fitting[g].all()
            best = (whole, keep)
    count, keep = best
    strayed = np.linalg.norm(now - before, axis=1).reshape(-1, 4).max(axis=1)
    if count < 2 and int((strayed > AGREE_MM).sum()) >= 2:
        # They agree on no shift and turn, but lie elsewhere together: the camera was tilted, or is another one.
        turn, shift = _rigid(before, now)
        return replace(_drift(turn, shift, plane.size_mm, 0.9, len(shared)), largest_mm=float(strayed.max()))
    turn, shift = _rigid(before[keep], now[keep])
    needed = {1: 1, 2: 2}.get(len(shared), 2)
    sure = 0.0 if count < needed else {1: 0.4, 2: 0.8}.get(count, 0.97)
    return _drift(turn, shift, plane.size_mm, sure, max(count, 0))


def drift_of_tiles(before: Sequence[Pose], now: Sequence[Pose], area_mm: tuple[float, float]) -> Drift:
    """The drift that settled tiles tell; `before[k]` and `now[k]` are the same tile.

    Sure only when most of at least four tiles made the same movement; else of surety 0.
    """
    if len(before) != len(now):
        raise ValueError(f"{len(before)} poses before and {len(now)} now: they must be pairs")
    if len(before) < FEWEST_TILES:
        return Drift(0.0, 0.0, 0.0, 0.0, 0.0, 0)
    source = np.array([[p.x_mm, p.y_mm] for p in before])
    target = np.array([[p.x_mm, p.y_mm] for p in now])
    draw = np.random.default_rng(len(source))
    best = np.zeros(len(source), bool)
    for _ in range(_TRIALS):
        pair = draw.choice(len(source), 2, replace=False)
        if np.linalg.norm(source[pair[0]] - source[pair[1]]) < 30:
            continue
        fitting = np.linalg.norm(_moved(source, *_rigid(source[pair], target[pair])) - target, axis=1) < AGREE_MM
        if fitting.sum() > best.sum():
            best = fitting
    if best.sum() < max(FEWEST_TILES, AGREEING * len(source)):
        return Drift(0.0, 0.0, 0.0, 0.0, 0.0, int(best.sum()))
    turn, shift = _rigid(source[best], target[best])
    count = int(best.sum())
    spread = float(np.linalg.norm(source[best] - source[best].mean(axis=0), axis=1).max())
    # Tiles in one heap say little about a turn of the whole table.
    reach = min(1.0, 2 * spread / (0.5 * min(area_mm)))
    sure = float(count / len(source)) * (0.6 + 0.4 * reach) * min(1.0, 0.7 + 0.05 * count)
    return _drift(turn, shift, area_mm, sure, count)


def registered_again(table: TableFile, plane: TablePlane, drift: Drift) -> TableFile:
    """The table as the moved camera sees it: the same lens and size, other corners. For drifts one is sure of."""
    middle = np.asarray(plane.size_mm) / 2
    width, height = plane.size_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    moved = (corners - middle) @ _turn(drift.turn_deg).T + middle + [drift.dx_mm, drift.dy_mm]
    return with_corners(table, plane.to_image(moved))


def registered_by_markers(table: TableFile, plane: TablePlane, now_px: dict[int, Array]) -> TableFile | None:
    """The table by its markers as seen now, whatever the camera did; None with fewer than three of them.

    Tilts are followed as well as shifts. The lens and the area's size stay as they were.
    """
    if len(now_px) < 3:
        return None
    marker_mm = 40.0 if not table.markers else table.markers.size_mm
    where = marker_corners_mm(plane.size_mm, marker_mm)
    numbers = sorted(now_px)
    flat = np.vstack([where[number] for number in numbers])
    seen = cv2.undistortPoints(
        np.vstack([now_px[number] for number in numbers]).reshape(-1, 1, 2), plane.matrix, plane.distortion
    )
    homography, _ = cv2.findHomography(flat, seen.reshape(-1, 2), 0)
    if homography is None:
        return None
    width, height = plane.size_mm
    corners = np.array([[[0, 0]], [[width, 0]], [[width, height]], [[0, height]]], np.float64)
    normal = cv2.perspectiveTransform(corners, homography).reshape(-1, 2)
    solid = np.column_stack([normal, np.ones(4)]).reshape(-1, 1, 3)
    pixels, _ = cv2.projectPoints(solid, np.zeros(3), np.zeros(3), plane.matrix, plane.distortion)
    return with_corners(table, np.asarray(pixels, np.float64).reshape(4, 2))


def with_corners(table: TableFile, corners_px: Array) -> TableFile:
    """The same table with other corners, (4, 2) px."""
    points = [(round(float(x), 2), round(float(y), 2)) for x, y in corners_px]
    area = PlayArea(table.play_area.size_mm, (points[0], points[1], points[2], points[3]))
    return TableFile(area, table.camera, table.markers, table.tiles, table.seats, table.boneyard)


def _drift(turn: Array, shift: Array, area_mm: tuple[float, float], sure: float, count: int) -> Drift:
    width, height = area_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    largest = float(np.linalg.norm(_moved(corners, turn, shift) - corners, axis=1).max())
    middle = np.array([[width / 2, height / 2]])
    dx, dy = (_moved(middle, turn, shift) - middle)[0]
    angle = float(np.degrees(np.arctan2(turn[1, 0], turn[0, 0])))
    return Drift(float(dx), float(dy), angle, largest, min(1.0, max(0.0, sure)), count)


def _turn(angle_deg: float) -> Array:
    cos, sin = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return np.array([[cos, -sin], [sin, cos]])


def _rigid(source: Array, target: Array) -> tuple[Array, Array]:
    """The turn (2, 2) and shift (2,) that lay `source` (n, 2) best on `target`."""
    middle, goal = source.mean(axis=0), target.mean(axis=0)
    a, b = source - middle, target - goal
    angle = np.arctan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    turn = _turn(float(np.degrees(angle)))
    return turn, np.asarray(goal - turn @ middle, np.float64)


def _moved(points: Array, turn: Array, shift: Array) -> Array:
    return np.asarray(points @ turn.T + shift, np.float64)
