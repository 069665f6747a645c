"""Did the camera (or the whole table under it) move between two pictures, and how?

Follows corners of the table's own marks, clutter and tiles from the accepted picture to the present one. What most of
them agree on is the camera's motion; tiles moved by hand and things put down are the minority. Pure, no I/O.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

MOST_CORNERS = 250
FEWEST_AGREEING = 16
"""Fewer corners that agree tell nothing."""
LEAST_AGREEING_SHARE = 0.6
"""The camera's motion is what at least this share of the followed corners agrees on."""
AGREE_PX = 1.2
SPREAD_SHARE = 0.35
LEAST_SPREAD_SHARE = 0.1
"""Agreeing corners that lie closer together than on so much of the picture may be one thing that was pushed."""
MARK_LEVELS, FEWEST_MARKED_PX = 12, 150
"""Where the picture differs so much from its surroundings there is a mark; fewer marks tell nothing."""
BETTER_BY = 0.7
"""After the motion the marks have to differ by no more than this share of what they differ without it."""
WINDOW_PX, LEVELS = (21, 21), 3
"""Up to about 80 pixels of motion can be followed."""
BACK_PX = 0.7
"""A corner followed there and back again has to come home this nearly."""


def camera_motion(
    before: NDArray[np.float32], now: NDArray[np.float32], ignore: NDArray[np.bool_] | None = None
) -> NDArray[np.float64] | None:
    """The homography (3, 3) that takes grey picture `before` (rows, columns) to `now`, or None when it cannot be told.

    `ignore` marks pixels of `before` whose corners are not followed (arms, what was reached over).
    """
    old, new = _evened(before), _evened(now)
    mask = None if ignore is None else np.where(ignore, 0, 255).astype(np.uint8)
    corners = cv2.goodFeaturesToTrack(old, MOST_CORNERS, 0.03, 6, mask=mask)
    if corners is None or len(corners) < FEWEST_AGREEING:
        return None
    nowhere = np.empty(0, np.float32)
    there, found, _ = cv2.calcOpticalFlowPyrLK(old, new, corners, nowhere, winSize=WINDOW_PX, maxLevel=LEVELS)
    home, back, _ = cv2.calcOpticalFlowPyrLK(new, old, there, nowhere, winSize=WINDOW_PX, maxLevel=LEVELS)
    good = (found.ravel() == 1) & (back.ravel() == 1)
    good &= np.linalg.norm((home - corners).reshape(-1, 2), axis=1) < BACK_PX
    if good.sum() < FEWEST_AGREEING:
        return None
    source, target = corners[good].reshape(-1, 2), there[good].reshape(-1, 2)
    hull = cv2.contourArea(cv2.convexHull(source))
    motion: NDArray[np.float64] | None
    if hull >= SPREAD_SHARE * before.size:
        motion, agreeing = cv2.findHomography(source, target, cv2.RANSAC, AGREE_PX)
    else:
        # Corners in one part of the picture say nothing about the perspective elsewhere.
        rigid, agreeing = cv2.estimateAffinePartial2D(source, target, method=cv2.RANSAC, ransacReprojThreshold=AGREE_PX)
        motion = None if rigid is None else np.vstack([rigid, [0.0, 0.0, 1.0]])
    if motion is None or not np.all(np.isfinite(motion)):
        return None
    count = int(np.count_nonzero(agreeing))
    if count < FEWEST_AGREEING or count < LEAST_AGREEING_SHARE * len(corners):
        return None
    together = source[np.asarray(agreeing).ravel() == 1]
    if cv2.contourArea(cv2.convexHull(together)) < LEAST_SPREAD_SHARE * before.size:
        return None
    motion = np.asarray(motion, np.float64)
    return motion if _explains(motion, old, new, ignore) else None


def _explains(
    motion: NDArray[np.float64], old: NDArray[np.uint8], new: NDArray[np.uint8], ignore: NDArray[np.bool_] | None
) -> bool:
    """Does the motion bring the old picture much nearer to the new one? Noise on smooth cloth can be followed too."""
    size = (old.shape[1], old.shape[0])
    moved = cv2.warpPerspective(old, motion, size, borderMode=cv2.BORDER_REPLICATE)
    # Only where the table has marks does a motion show.
    marked = cv2.absdiff(old, cv2.GaussianBlur(old, (0, 0), 3)) > MARK_LEVELS
    if ignore is not None:
        marked &= ~ignore
    if np.count_nonzero(marked) < FEWEST_MARKED_PX:
        return False
    still = float(cv2.absdiff(old, new)[marked].mean())
    after = float(cv2.absdiff(moved, new)[marked].mean())
    return after < BETTER_BY * still


def _evened(grey: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The picture without its light: local contrast only, so that a lamp does not look like motion."""
    mean = cv2.GaussianBlur(grey, (0, 0), 8)
    spread = np.sqrt(cv2.GaussianBlur((grey - mean) ** 2, (0, 0), 16)) + 10.0
    return np.asarray(np.clip(128 + 40 * (grey - mean) / spread, 0, 255), np.uint8)
