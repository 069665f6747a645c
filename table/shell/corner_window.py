"""A window in which the play area's four corners are dragged to where they are; its grid and its error are drawn live.

`Corners` is the part without a window, and the only part that decides anything.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Array, TablePlane, corner_fault
from calibration.registration import evidence
from table.shell.faults import Fault
from table.shell.live_quality import Now, draw_now, quality_now

TITLE = "Dominoref: drag the corners, w a s d move finely, Enter: done, Esc: leave"
REACH_SHARE = 0.04
"""A corner is taken hold of from so far away, as a share of the picture's width."""
FINE_PX = 0.5


class Corners:
    """Four corners, one of which may be held."""

    def __init__(self, size_px: tuple[int, int]) -> None:
        width, height = size_px
        x, y = width * 0.15, height * 0.15
        self._reach_px = REACH_SHARE * width
        self.points: Array = np.array([[x, y], [width - x, y], [width - x, height - y], [x, height - y]], np.float64)
        self.held: int | None = None
        self.last = 0

    def press(self, x: float, y: float) -> None:
        """Take hold of the corner that is near, or none."""
        far = np.linalg.norm(self.points - [x, y], axis=1)
        self.held = int(far.argmin()) if far.min() <= self._reach_px else None
        if self.held is not None:
            self.last = self.held

    def drag(self, x: float, y: float) -> None:
        """Move the corner that is held, if the area stays one."""
        if self.held is not None:
            self._move(self.held, np.array([x, y], np.float64))

    def release(self) -> None:
        """Let go."""
        self.held = None

    def nudge(self, dx: float, dy: float) -> None:
        """Move the corner touched last by half pixels."""
        self._move(self.last, self.points[self.last] + np.array([dx, dy]) * FINE_PX)

    def _move(self, corner: int, place: Array) -> None:
        tried = self.points.copy()
        tried[corner] = place
        if corner_fault(tried) is None:
            self.points = tried


def can_show() -> bool:
    """Is there a screen, and somebody before it?"""
    if not sys.stdin.isatty():
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def drag_corners(picture: NDArray[np.uint8], size_mm: tuple[float, float]) -> Array:
    """The corners (4, 2) px a person dragged. Raises Fault when the window was left."""
    size_px = (picture.shape[1], picture.shape[0])
    corners = Corners(size_px)

    def mouse(event: int, x: int, y: int, flags: int, _: object) -> None:
        if event == cv2.EVENT_LBUTTONDOWN:
            corners.press(x, y)
        elif event == cv2.EVENT_MOUSEMOVE and flags & cv2.EVENT_FLAG_LBUTTON:
            corners.drag(x, y)
        elif event == cv2.EVENT_LBUTTONUP:
            corners.release()

    try:
        cv2.namedWindow(TITLE, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO)
        cv2.setMouseCallback(TITLE, mouse)
        now, judged = Now(""), np.zeros((4, 2))
        while True:
            if corners.held is None and not np.array_equal(judged, corners.points):
                judged = corners.points.copy()  # it takes a moment, so not at every step of the mouse
                now = quality_now(picture, evidence(area_mm=size_mm, corners_px=judged))
            cv2.imshow(TITLE, draw_now(picture, replace(now, plane=TablePlane(size_px, size_mm, corners.points))))
            key = cv2.waitKey(30) & 0xFF
            if key in (13, 10):
                return corners.points
            if key == 27 or cv2.getWindowProperty(TITLE, cv2.WND_PROP_VISIBLE) < 1:
                raise Fault("the window was closed before the corners were set; nothing is written")
            if key in _ARROWS:
                corners.nudge(*_ARROWS[key])
    except cv2.error as fault:
        raise Fault("no window can be opened here; give the corners with --corners and --size-mm") from fault
    finally:
        with contextlib.suppress(cv2.error):
            cv2.destroyAllWindows()


_ARROWS = {ord("a"): (-1, 0), ord("d"): (1, 0), ord("w"): (0, -1), ord("s"): (0, 1)}
"""Arrow keys have other numbers on each system; letters do not."""
