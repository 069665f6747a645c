"""A live camera as a source of frames: always the newest picture, losses said and healed.

A thread takes every picture off the camera, so that none waits in the driver, and decodes only those that are asked
for; nothing queues. When the camera stops, its loss is an event, and it is opened again until it is back. Start with
`open_camera`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

from vision.sources.camera_names import CameraFault, CameraTarget, default_camera, find_camera
from vision.sources.captures import Capture, Settings, open_capture
from vision.sources.frames import Frame
from vision.sources.pictures import Image

DEFAULT_SIZE_PX = (1280, 720)
"""Asked of a camera when no table says otherwise: pips of a table 90 cm wide are then about 4 px, enough to be read."""
STALL_S = 2.0
"""A camera that has given no picture for so long is lost."""
RETRY_S = 1.0
MISSED_READS = 3
"""A driver may miss a picture; after so many in a row the camera is opened again."""
MOST_EVENTS = 100

Opener = Callable[[CameraTarget, "tuple[int, int] | None"], Capture]


@dataclass(frozen=True, slots=True)
class CameraEvent:
    """Something happened to the camera."""

    t: float
    """On the clock of the frames."""
    kind: Literal["lost", "back"]
    message: str
    """One sentence for people, without a full stop."""


class LiveCamera:
    """Frames of a camera, an address, or a video file played in its own time."""

    def __init__(
        self,
        target: CameraTarget,
        size_px: tuple[int, int] | None = None,
        opener: Opener = open_capture,
        asked_px: tuple[int, int] = DEFAULT_SIZE_PX,
    ) -> None:
        """Open the camera and see its first picture. Raises CameraFault.

        `size_px`: the frames must be of this size. Without it `asked_px` is asked for and any size will do.
        """
        self.target = target
        self.name = target.shown
        self.length: int | None = None
        self.fault: str | None = None
        self._opener = opener
        capture = opener(target, size_px or asked_px)
        self.settings: Settings = capture.settings
        if size_px is not None and self.settings.size_px != tuple(size_px):
            capture.close()
            raise CameraFault("size", _size_text(self.name, self.settings.size_px, size_px))
        self.size_px: tuple[int, int] = self.settings.size_px
        self._begun = time.monotonic()
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._wanted = True
        self._last_t = 0.0  # of the newest picture the camera gave, decoded or not
        self._lost_since: float | None = None
        self._wrong_size = False
        self._pictures = 0
        self._events: deque[CameraEvent] = deque(maxlen=MOST_EVENTS)
        self._ended = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(capture,), name="camera", daemon=True)
        self._thread.start()

    def now(self) -> float:
        """Seconds on the clock of the frames: monotonic, 0 when the camera was opened."""
        return time.monotonic() - self._begun

    def newest(self, timeout_s: float = 0.1) -> Frame | None:
        """The next picture to come, or None when none came in time: the camera is lost, slow or has ended.

        Frames given out before never come again. Returns within the time, so that a caller can look after other things.
        """
        until = time.monotonic() + timeout_s
        with self._news:
            self._newest = None
            self._wanted = True
            while self._newest is None and not self.ended:
                left = until - time.monotonic()
                if left <= 0 or not self._news.wait(left):
                    break
            frame, self._newest = self._newest, None
        self._watch()
        return frame

    def __iter__(self) -> Iterator[Frame]:
        """Frames until the camera is closed or the file has ended; waits as long as the camera is lost."""
        while not self.ended:
            frame = self.newest(0.25)
            if frame is not None:
                yield frame

    def events(self) -> list[CameraEvent]:
        """What happened to the camera since this was last asked."""
        self._watch()
        taken = []
        while self._events:
            taken.append(self._events.popleft())
        return taken

    @property
    def lost(self) -> bool:
        """Is the camera giving no usable pictures now?"""
        return self._lost_since is not None

    @property
    def ended(self) -> bool:
        """Will no frame come any more: closed, or a file at its end?"""
        return self._ended or self._closing.is_set()

    def measured_rate_hz(self) -> float:
        """Pictures a second that really came, over the whole time."""
        return self._pictures / max(self._last_t, 1e-3)

    def close(self) -> None:
        """Let the camera go. May be called twice, and from any thread."""
        self._closing.set()
        with self._news:
            self._news.notify_all()
        if self._thread is not threading.current_thread():
            # A driver that hangs is left behind; the thread does not hold up the program's end.
            self._thread.join(2.0)

    def __enter__(self) -> LiveCamera:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, capture: Capture | None) -> None:
        while not self._closing.is_set():
            if capture is None:
                capture = self._reopened()
                continue
            finished = not self._pump(capture)
            ends = capture.ends
            capture.close()
            capture = None
            if self._closing.is_set():
                return
            if finished and ends:
                with self._news:
                    self._ended = True
                    self._news.notify_all()
                return
            self._lose(f"camera {self.name}: gives no pictures any more; check its cable or network, it is tried again")

    def _pump(self, capture: Capture) -> bool:
        """Take pictures until the camera gives none; False then, True when we are closing."""
        missed = 0
        while not self._closing.is_set():
            if not capture.wait():
                missed += 1
                if capture.ends or missed >= MISSED_READS:
                    return False
                continue
            t = self.now()
            # After a loss a picture is decoded at once, so that "back" means a picture that can be used.
            image = capture.picture() if self._wanted or self.lost else None
            if image is None and (self._wanted or self.lost):
                missed += 1
                if missed >= MISSED_READS:
                    return False
                continue
            missed = 0
            self._take(t, image)
        return True

    def _take(self, t: float, image: Image | None) -> None:
        if image is not None and (image.shape[1], image.shape[0]) != self.size_px:
            size = (image.shape[1], image.shape[0])
            self._lose(_size_text(self.name, size, self.size_px), wrong_size=True)
            self._last_t = t  # it does not stall, it has the wrong size
            self._closing.wait(0.05)
            return
        with self._news:
            t = max(t, self._last_t + 1e-6)
            self._last_t, self._pictures = t, self._pictures + 1
            since, self._lost_since, self._wrong_size = self._lost_since, None, False
            if since is not None:
                text = f"camera {self.name}: gives pictures again, after {max(0.0, t - since):.0f} s"
                self._events.append(CameraEvent(t, "back", text))
            if image is not None and self._wanted:
                self._newest, self._wanted = Frame(round(t, 6), image), False
                self._news.notify_all()

    def _reopened(self) -> Capture | None:
        self._closing.wait(RETRY_S)
        if self._closing.is_set():
            return None
        try:
            return self._opener(self.target, self.size_px)
        except CameraFault:
            return None

    def _watch(self) -> None:
        """A driver that hangs says nothing; the time since its last picture does."""
        if not self.ended and self.now() - self._last_t > STALL_S:
            self._lose(f"camera {self.name}: has sent no picture for {STALL_S:g} s; check its cable or network")

    def _lose(self, message: str, wrong_size: bool = False) -> None:
        with self._news:
            # A camera that comes back with another size has to be told about, though it was lost already.
            if self._lost_since is None or (wrong_size and not self._wrong_size):
                self._lost_since = self._last_t if self._lost_since is None else self._lost_since
                self._events.append(CameraEvent(self.now(), "lost", message))
            self._wrong_size |= wrong_size


def _size_text(name: str, size: tuple[int, int], wanted: tuple[int, int]) -> str:
    return (
        f"camera {name}: gives {size[0]}x{size[1]} pictures where {wanted[0]}x{wanted[1]} are expected; "
        "set it back to that size, or calibrate again for the new one"
    )


def open_camera(
    spec: str | None = None, size_px: tuple[int, int] | None = None, asked_px: tuple[int, int] = DEFAULT_SIZE_PX
) -> LiveCamera:
    """The camera that `spec` names (None: the first there is); `size_px`: no other frame size will do.

    Without `size_px`, `asked_px` is asked for. Raises CameraFault, a SourceError, with one line for people.
    """
    return LiveCamera(default_camera() if spec is None else find_camera(spec), size_px, asked_px=asked_px)
