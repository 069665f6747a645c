"""Did the camera (or the whole table under it) move between two pictures, and how?

Looks for patches of the accepted picture in the present one: the table's own marks, its cloth, its rim, and tiles that
nobody has touched. What most of them agree on is the camera's motion; things put down or moved by hand are the
minority. What the table itself shows goes before what lies on it: tiles may all have been pushed together, but not
without their table. Pure, no I/O.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float32]
Array = NDArray[np.float64]
Box = tuple[int, int, int, int]

PATCH_PX = 44
"""A patch of the table is so wide and high."""
MOST_PATCHES = 24
REACH_PX = 88
"""So far a patch is looked for: about four widths of a tile in the pictures compared here."""
NEAR_PX = 3
"""So far once it is known about where it is."""
LEAST_TEXTURE, LIGHT_PX = 1.0, 15
"""Grey levels by which a patch differs at least from its mean over so many pixels around each: noise does by less, and
light and shade alone do not tell where a patch is."""
LEAST_LIKE = 0.6
"""Correlation of a patch with the place where it is found again."""
DISTINCT_BY, DISTINCT_PX = 0.07, 7
"""A place that looks so nearly as like the patch, and is not right beside, makes both doubtful."""
AGREE_PX, AGREE_NEAR_PX = 3.0, 1.0
LEAST_AGREEING_SHARE = 0.6
"""The camera's motion is what at least this share of what was found again agrees on."""
STILL_PX = 1.5
"""What moved no further has not moved: a finer look at a few patches could only make it worse."""
BETTER_BY = 0.75
"""A motion leaves no more than this share of what all the patches differ by without it."""
FEWEST_ON_TABLE = 4
"""So many agreeing patches of the table need no tile to say the same."""
MOST_SCALE, MOST_TURN_DEG = 0.06, 12.0
"""A camera that was bumped is no nearer or further by more than this share, and no more turned."""
FOUND_PX, SCALE_SPREAD, TURN_SPREAD = 0.5, 0.003, 0.03
"""How exactly a patch is found, and how much bumps differ in size and turn (rad): the spread of each."""
SPREAD_SHARE, FEWEST_SPREAD = 0.35, 8
"""Patches all over the picture tell of the perspective too; those in one part say nothing about it elsewhere."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Patches found again: where their middles were and are, (n, 2) px, and their boxes before."""

    before: Array
    now: Array
    boxes: list[Box]

    def __len__(self) -> int:
        return len(self.boxes)

    def __add__(self, other: _Found) -> _Found:
        return _Found(
            np.vstack([self.before, other.before]), np.vstack([self.now, other.now]), self.boxes + other.boxes
        )


def camera_motion(
    before: Grey,
    now: Grey,
    ignore: NDArray[np.bool_] | None = None,
    tiles: Sequence[Box] = (),
    others: Sequence[Box] = (),
) -> Array | None:
    """The homography (3, 3) that takes grey picture `before` (rows, columns) to `now`, or None when it cannot be told.

    `ignore` marks pixels of `before` that are not the bare table: tiles, arms, what was reached over. `tiles` are boxes
    (left, top, right, bottom) around tiles that nobody has touched since, of which most have to be found again, and
    `others` around more that may tell something. Both pictures have the same size.
    """
    coarse = _halved(before), _halved(now)
    cloth, marked, more = ([_half(box) for box in boxes] for boxes in (_table_boxes(before, ignore), tiles, others))
    # What may be more may also be accepted since.
    certain = [*cloth, *marked] if cloth or marked else more
    table = _found_again(*coarse, cloth, REACH_PX // 2)
    if len(table) >= FEWEST_ON_TABLE:
        motion = _motion_of(table, before, now, certain)
        if motion is not None:
            return motion
    known = _found_again(*coarse, marked, REACH_PX // 2)
    things = known + _found_again(*coarse, more, REACH_PX // 2)
    if len(things) and len(known) >= LEAST_AGREEING_SHARE * len(tiles):
        motion = _motion_of(table + things, before, now, certain)
        if motion is not None:
            return motion
    return _motion_of(table, before, now, certain) if len(table) > 1 else None


def _motion_of(found: _Found, before: Grey, now: Grey, halves: Sequence[Box]) -> Array | None:
    """What the patches found in the halved pictures agree on, then looked at in the whole ones.

    It has to explain what all the patches, those in `halves`, show now: not only those that were found again.
    """
    agreeing = _agreeing(found, AGREE_PX / 2)
    if agreeing is None:
        return None
    if np.abs(found.now[agreeing] - found.before[agreeing]).max() <= STILL_PX / 2:
        return np.eye(3)
    turn, shift = _similarity(found, agreeing)
    # A pixel's middle in the halved picture lies between two of the whole one.
    about = _affine(turn, 2 * shift + (turn - 1) * (-0.5 - 0.5j))
    size = (before.shape[1], before.shape[0])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    levelled = cv2.warpAffine(now, about, size, flags=how, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    boxes = [found.boxes[k] for k in np.flatnonzero(agreeing)]
    if not _explains(before, now, levelled, [_whole(box) for box in {*halves, *boxes}]):
        return None
    rest = _aligned(before, levelled, boxes) if len(boxes) < FEWEST_ON_TABLE else _compared(before, levelled, boxes)
    return None if rest is None else np.vstack([about, [0.0, 0.0, 1.0]]) @ rest


def _explains(before: Grey, now: Grey, levelled: Grey, boxes: Sequence[Box]) -> bool:
    """Is the picture that was brought back much more like the one before than it was? Chance does not make it so."""
    still = moved = 0.0
    for left, top, right, bottom in boxes:
        part = slice(max(0, top), max(0, bottom)), slice(max(0, left), max(0, right))
        patch = before[part]
        if patch.size and (patch - cv2.blur(patch, (LIGHT_PX, LIGHT_PX))).std() >= LEAST_TEXTURE:
            still += _difference(patch, now[part])
            moved += _difference(patch, levelled[part])
    return moved <= BETTER_BY * still


def _difference(a: Grey, b: Grey) -> float:
    """How much two patches differ, apart from their level, in grey levels summed over the pixels."""
    difference = a - b
    return float(np.abs(difference - difference.mean()).sum())


def _aligned(before: Grey, now: Grey, halves: Sequence[Box]) -> Array | None:
    """The small rest of a motion, (3, 3), from a few patches: of those every pixel is made use of."""
    mask = np.zeros(now.shape, np.uint8)
    for left, top, right, bottom in halves:
        mask[2 * top : 2 * bottom, 2 * left : 2 * right] = 1
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    x, y = int(columns[0]), int(rows[0])
    part = slice(y, int(rows[-1]) + 1), slice(x, int(columns[-1]) + 1)
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
    try:
        likeness, rigid = cv2.findTransformECC(
            before[part], now[part], np.eye(2, 3, dtype=np.float32), cv2.MOTION_EUCLIDEAN, until, mask[part], 3
        )
    except cv2.error:  # it did not converge
        return None
    to_part = np.array([[1.0, 0.0, -x], [0.0, 1.0, -y], [0.0, 0.0, 1.0]])
    rest = np.asarray(np.linalg.inv(to_part) @ np.vstack([rigid, [0.0, 0.0, 1.0]]) @ to_part, np.float64)
    corners = np.array([(x, y) for box in halves for x in (2 * box[0], 2 * box[2]) for y in (2 * box[1], 2 * box[3])])
    strayed = np.abs(cv2.transform(corners[None].astype(np.float64), rest[:2])[0] - corners).max()
    return rest if likeness >= LEAST_LIKE and strayed <= 2 * NEAR_PX else None


def _compared(before: Grey, now: Grey, halves: Sequence[Box]) -> Array | None:
    """The small rest of a motion, (3, 3), from patches found once more; with the perspective where they tell it."""
    near = _found_again(before, now, [_whole(box) for box in halves], NEAR_PX)
    which = np.ones(len(near), bool)
    for within in (2 * AGREE_NEAR_PX, AGREE_NEAR_PX):
        if which.sum() < 2:
            return None
        turn, shift = _similarity(near, which)
        which = np.abs(turn * _complex(near.before) + shift - _complex(near.now)) < within
    if which.sum() < max(2, LEAST_AGREEING_SHARE * len(halves)):
        return None
    source, target = near.before[which], near.now[which]
    spread = cv2.contourArea(cv2.convexHull(source.astype(np.float32)))
    if len(source) >= FEWEST_SPREAD and spread >= SPREAD_SHARE * before.size:
        motion, _ = cv2.findHomography(source, target, 0)
        if motion is not None and np.all(np.isfinite(motion)):
            return np.asarray(motion, np.float64)
    return np.vstack([_affine(*_similarity(near, which)), [0.0, 0.0, 1.0]])


def _affine(turn: complex, shift: complex) -> Array:
    return np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag]])


def _halved(grey: Grey) -> Grey:
    size = (grey.shape[1] // 2, grey.shape[0] // 2)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)


def _half(box: Box) -> Box:
    return box[0] // 2, box[1] // 2, (box[2] + 1) // 2, (box[3] + 1) // 2


def _whole(half: Box) -> Box:
    return 2 * half[0], 2 * half[1], 2 * half[2], 2 * half[3]


def _table_boxes(before: Grey, ignore: NDArray[np.bool_] | None) -> list[Box]:
    """The most telling patches of the table: those with something to hold on to in every direction."""
    height, width = before.shape
    telling = np.asarray(cv2.blur(cv2.cornerMinEigenVal(before, 5), (PATCH_PX, PATCH_PX)), np.float32)
    reach = PATCH_PX // 2
    open_ = np.zeros(before.shape, np.uint8)
    open_[reach : height - reach, reach : width - reach] = 1
    if ignore is not None:
        hidden = cv2.dilate(ignore.astype(np.uint8), np.ones((PATCH_PX + 1, PATCH_PX + 1), np.uint8))
        open_[hidden > 0] = 0
    boxes: list[Box] = []
    while len(boxes) < MOST_PATCHES:
        _, most, _, (x, y) = cv2.minMaxLoc(telling, open_)
        if most <= 0:
            break
        boxes.append((x - reach, y - reach, x + reach, y + reach))
        open_[max(0, y - PATCH_PX) : y + PATCH_PX, max(0, x - PATCH_PX) : x + PATCH_PX] = 0
    return boxes


def _found_again(before: Grey, now: Grey, boxes: Sequence[Box], reach: int) -> _Found:
    """Of these patches of `before` those that are found in `now` no further than `reach` px away."""
    height, width = before.shape
    texture = before - cv2.blur(before, (LIGHT_PX, LIGHT_PX))
    source, target, found = [], [], []
    for left, top, right, bottom in boxes:
        left, top, right, bottom = max(0, left), max(0, top), min(width, right), min(height, bottom)
        patch = before[top:bottom, left:right]
        if min(patch.shape, default=0) < 8 or texture[top:bottom, left:right].std() < LEAST_TEXTURE:
            continue
        x0, y0 = max(0, left - reach), max(0, top - reach)
        place = now[y0 : bottom + reach, x0 : right + reach]
        at = _peak(np.asarray(cv2.matchTemplate(place, patch, cv2.TM_CCOEFF_NORMED), np.float32))
        if at is not None:
            middle = np.array([left + right - 1, top + bottom - 1]) / 2
            source.append(middle)
            target.append(middle + at + np.array([x0 - left, y0 - top]))
            found.append((left, top, right, bottom))
    return _Found(np.array(source, np.float64).reshape(-1, 2), np.array(target, np.float64).reshape(-1, 2), found)


def _peak(likeness: Grey) -> Array | None:
    """Column and row of the one place that is like the patch, to a part of a pixel; None when there is none or two."""
    _, best, _, (x, y) = cv2.minMaxLoc(likeness)
    rows, columns = likeness.shape
    if best < LEAST_LIKE or not (0 < x < columns - 1 and 0 < y < rows - 1):
        return None
    others = likeness.copy()
    others[max(0, y - DISTINCT_PX) : y + DISTINCT_PX + 1, max(0, x - DISTINCT_PX) : x + DISTINCT_PX + 1] = -1
    if float(others.max()) > best - DISTINCT_BY:
        return None
    across, down = likeness[y, x - 1 : x + 2].tolist(), likeness[y - 1 : y + 2, x].tolist()
    return np.array([x + _vertex(across), y + _vertex(down)])


def _vertex(three: list[float]) -> float:
    """Where the parabola through three neighbours is highest, from the middle one."""
    low, middle, high = three
    bend = low - 2 * middle + high
    return 0.5 * (low - high) / bend if bend < 0 else 0.0


def _agreeing(found: _Found, within_px: float) -> NDArray[np.bool_] | None:
    """Those patches, (n,) bool, that moved as one, if that is enough of them."""
    count = len(found)
    a, b = _complex(found.before), _complex(found.now)
    if count <= 1:
        return np.ones(count, bool) if count else None
    best: NDArray[np.bool_] = np.zeros(count, bool)
    for i in range(count):
        with np.errstate(divide="ignore", invalid="ignore"):
            turns = (b - b[i]) / (a - a[i])
        for k in range(i + 1, count):
            if _is_a_bump(turns[k]):
                agreeing = np.abs(turns[k] * (a - a[i]) + b[i] - b) < within_px
                if agreeing.sum() > best.sum():
                    best = agreeing
    return best if best.sum() >= max(2, LEAST_AGREEING_SHARE * count) else None


def _similarity(found: _Found, which: NDArray[np.bool_]) -> tuple[complex, complex]:
    """Turn (with scale) and shift, as complex numbers, that best take these patches along."""
    a, b = _complex(found.before[which]), _complex(found.now[which])
    if len(a) == 1:
        return 1.0 + 0j, complex(b[0] - a[0])
    middle, goal = a.mean(), b.mean()
    spread = float(np.vdot(a - middle, a - middle).real)
    turn = complex(np.vdot(a - middle, b - goal) / spread)
    # Patches close together tell little of these; a bump turns little, and hardly changes the size.
    size = 1 + (abs(turn) - 1) * spread / (spread + (FOUND_PX / SCALE_SPREAD) ** 2)
    angle = float(np.angle(turn)) * spread / (spread + (FOUND_PX / TURN_SPREAD) ** 2)
    turn = complex(size * np.exp(1j * angle))
    return turn, complex(goal - turn * middle)


def _is_a_bump(turn: complex) -> bool:
    return bool(abs(abs(turn) - 1) < MOST_SCALE and abs(np.degrees(np.angle(turn))) < MOST_TURN_DEG)


def _complex(points: Array) -> NDArray[np.complex128]:
    return np.asarray(points[:, 0] + 1j * points[:, 1], np.complex128)
