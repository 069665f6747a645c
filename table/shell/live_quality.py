"""How well the table would be known from where the camera stands now: a figure in mm and a plain word, live.

In a window when there is a screen, else as a line in the terminal that is written over. Ends with Enter.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import find_markers
from calibration.plane import TablePlane
from calibration.registration import register_evidence
from calibration.report import Quality
from calibration.solve import Evidence, NotEnough
from table.shell.faults import Fault
from table.shell.table_picture import draw_table

if TYPE_CHECKING:
    from vision.sources.cameras import LiveCamera

TITLE = "Dominoref: move the camera until the figure is green, Enter: take it, Esc: leave"
COLOURS: dict[Quality | None, tuple[int, int, int]] = {
    "good": (60, 200, 60), "usable": (40, 180, 240), "redo": (60, 60, 230), None: (130, 130, 130),
}  # fmt: skip
"""BGR."""


@dataclass(frozen=True, slots=True)
class Now:
    """What one picture tells."""

    text: str
    """For people: the word, the error and what it rests on; or what is missing."""
    quality: Quality | None = None
    error_mm: tuple[float, float] | None = None
    plane: TablePlane | None = None


def quality_now(picture: NDArray[np.uint8], known: Evidence) -> Now:
    """How good a calibration from this picture (height, width, 3) BGR would be. Quick: the long search is left out."""
    size_px = (picture.shape[1], picture.shape[0])
    known = replace(known, size_px=size_px)
    if known.corners_px is None:
        known = replace(known, markers=find_markers(picture, thorough=False), tiles_px=())
    try:
        made = register_evidence(known)
    except NotEnough:
        return Now(f"{len(known.markers)} of 4 corner markers are seen")
    report = made.report
    return Now(
        f"{report.quality}: {report.error_mm[0]:.1f} mm ({report.error_mm[1]:.1f} mm at worst), from {report.method}",
        report.quality, report.error_mm, made.table.plane(size_px),
    )  # fmt: skip


def draw_now(picture: NDArray[np.uint8], now: Now) -> NDArray[np.uint8]:
    """The picture with the table and the figure in it; green, amber or red, and a bar that is the longer the better."""
    drawn = draw_table(picture, now.plane) if now.plane is not None else picture.copy()
    height, width = drawn.shape[:2]
    scale = width / 900
    bar = {"good": 1.0, "usable": 2 / 3, "redo": 1 / 3, None: 0.05}[now.quality]
    low = round(height - 14 * scale)
    cv2.rectangle(drawn, (0, low), (round(width * bar), height), COLOURS[now.quality], -1)
    figure = f"{now.error_mm[1]:.1f} mm" if now.error_mm is not None else "? mm"
    at = (round(12 * scale), round(height - 26 * scale))
    for colour, thick in (((0, 0, 0), 5), (COLOURS[now.quality], 2)):
        cv2.putText(drawn, figure, at, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, round(thick * scale), cv2.LINE_AA)
    return drawn


def watch_live(camera: LiveCamera, known: Evidence, in_window: bool) -> None:
    """Show the quality of the camera's view until Enter. Raises Fault when the window was left or none can be had."""
    if in_window:
        _in_a_window(camera, known)
    else:
        _in_the_terminal(camera, known)


def _in_the_terminal(camera: LiveCamera, known: Evidence) -> None:
    entered = threading.Event()

    def wait() -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stdin.readline()
        entered.set()

    threading.Thread(target=wait, name="Enter", daemon=True).start()
    print("dominoref: move the camera until it is good, then press Enter", file=sys.stderr)
    overwrite, last = sys.stderr.isatty(), ""
    while not (entered.is_set() or camera.ended):
        frame = camera.newest(0.3)
        if frame is None:
            continue
        now = quality_now(frame.image, known)
        if overwrite:
            print(f"\r{now.text}\x1b[K", end="", file=sys.stderr, flush=True)
        elif now.text != last:
            print(now.text, file=sys.stderr, flush=True)
        last = now.text
    if overwrite:
        print(file=sys.stderr)


def _in_a_window(camera: LiveCamera, known: Evidence) -> None:
    try:
        cv2.namedWindow(TITLE, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO)
        while not camera.ended:
            frame = camera.newest(0.3)
            if frame is not None:
                cv2.imshow(TITLE, draw_now(frame.image, quality_now(frame.image, known)))
            key = cv2.waitKey(20) & 0xFF
            if key in (13, 10):
                return
            if key == 27 or cv2.getWindowProperty(TITLE, cv2.WND_PROP_VISIBLE) < 1:
                raise Fault("the window was closed; nothing is written")
    except cv2.error as fault:
        raise Fault("no window can be opened here; add --no-window") from fault
    finally:
        with contextlib.suppress(cv2.error):
            cv2.destroyAllWindows()
