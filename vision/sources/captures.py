"""The ways pictures come off a live source: a camera driver, a network address, a video file, a Pi camera module.

Each is a `Capture`: `wait` for the next picture, `picture` decodes it. Used by `cameras`, which adds time, losses and
threads; nothing here retries.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from vision.sources.camera_names import CameraFault, CameraTarget, busy_text, device_fault
from vision.sources.pictures import Image

OPEN_TIMEOUT_MS, READ_TIMEOUT_MS = 5000, 3000
"""For network addresses; a table nobody has seen for three seconds is lost."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the driver says it delivers, read back after it was asked."""

    size_px: tuple[int, int]
    """As the pictures are, not as was asked."""
    asked_px: tuple[int, int] | None
    rate_hz: float | None
    """None when the driver says nothing sensible."""
    coding: str
    """Four letters such as MJPG, or empty."""
    backend: str

    def __str__(self) -> str:
        rate = f", {self.rate_hz:g} pictures a second" if self.rate_hz else ""
        other = ""
        if self.asked_px and self.asked_px != self.size_px:
            other = f" ({self.asked_px[0]}x{self.asked_px[1]} was asked)"
        coding = f", {self.coding}" if self.coding else ""
        return f"{self.size_px[0]}x{self.size_px[1]}{other}{rate}{coding}, {self.backend}"


class Capture(Protocol):
    """Pictures one after another from an opened source."""

    settings: Settings
    ends: bool
    """Whether no more pictures is an end (a file) and not a loss."""

    def wait(self) -> bool:
        """Wait for the next picture; False when the source gives none any more."""
        ...

    def picture(self) -> Image | None:
        """The picture waited for, (height, width, 3) uint8 BGR, or None when it cannot be decoded."""
        ...

    def close(self) -> None: ...


def open_capture(target: CameraTarget, asked_px: tuple[int, int] | None) -> Capture:
    """Open a source; the first picture has been seen when this returns. Raises CameraFault."""
    fault = device_fault(target)
    if fault is not None:
        raise fault
    if target.kind == "pi":
        return PiCapture(target, asked_px)
    if target.kind == "file":
        return PacedFile(target)
    return DriverCapture(target, asked_px if target.kind == "device" else None)


class DriverCapture:
    """A camera driver or a network address, through OpenCV."""

    ends = False

    def __init__(self, target: CameraTarget, asked_px: tuple[int, int] | None) -> None:
        self._capture = _open_address(target) if target.kind == "address" else _open_device(target)
        if target.kind == "device":
            # Plain pictures of this size do not fit through USB 2; a driver without MJPG keeps its own coding.
            self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            if asked_px:
                self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, asked_px[0])
                self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, asked_px[1])
            self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        first = self.picture() if self.wait() else None
        if first is None:
            self._capture.release()
            if target.kind == "device":
                raise CameraFault("silent", f"camera {target.shown}: gives no picture; {_silent_cure(target)}")
            raise CameraFault("silent", f"{target.shown}: sends no picture; look at the address in a web browser")
        self.settings = Settings(
            (first.shape[1], first.shape[0]), asked_px, _rate(self._capture), _coding(self._capture),
            str(self._capture.getBackendName()),
        )  # fmt: skip

    def wait(self) -> bool:
        return bool(self._capture.grab())

    def picture(self) -> Image | None:
        good, image = self._capture.retrieve()
        return _colour(image) if good else None

    def close(self) -> None:
        self._capture.release()


def _open_device(target: CameraTarget) -> cv2.VideoCapture:
    if target.where.startswith("/"):
        capture = cv2.VideoCapture(str(Path(target.where).resolve()), cv2.CAP_V4L2)
    else:
        backend = {"win32": cv2.CAP_DSHOW, "darwin": cv2.CAP_AVFOUNDATION}.get(sys.platform, cv2.CAP_ANY)
        capture = cv2.VideoCapture(target.index or 0, backend)
    if not capture.isOpened():
        capture.release()
        raise CameraFault("silent", f"camera {target.shown}: cannot be opened; {_silent_cure(target)}")
    return capture


def _open_address(target: CameraTarget) -> cv2.VideoCapture:
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT_MS]
    capture = cv2.VideoCapture(target.where, cv2.CAP_FFMPEG, limits)
    if not capture.isOpened():
        capture.release()
        raise CameraFault("missing", f"{target.shown}: cannot be reached; look at the address in a web browser")
    return capture


def _silent_cure(target: CameraTarget) -> str:
    if target.where.startswith("/"):
        return busy_text(target).partition(": ")[2] + ", or plug it in again"
    if sys.platform == "darwin":
        return "allow the terminal to use the camera in System Settings, Privacy"
    return "close other programs that use it, or plug it in again"


class PacedFile:
    """A video file played as if it were a camera: a picture comes when its time has come."""

    ends = True

    def __init__(self, target: CameraTarget) -> None:
        self._capture = cv2.VideoCapture(target.where, cv2.CAP_FFMPEG)
        first = self.picture() if self._capture.isOpened() and self._capture.grab() else None
        if first is None:
            self._capture.release()
            raise CameraFault("other", f"{target.shown}: is no video that can be decoded; save it as MP4, MKV or AVI")
        size = (first.shape[1], first.shape[0])
        self.settings = Settings(size, None, _rate(self._capture), _coding(self._capture), "file")
        self._begun: float | None = None
        self._number = 0

    def wait(self) -> bool:
        if self._begun is None:
            self._begun = time.monotonic()
            return True  # the picture that was decoded while opening
        if not self._capture.grab():
            return False
        self._number += 1
        due = self._begun + self._number / (self.settings.rate_hz or 25.0)
        time.sleep(max(0.0, due - time.monotonic()))
        return True

    def picture(self) -> Image | None:
        good, image = self._capture.retrieve()
        return _colour(image) if good else None

    def close(self) -> None:
        self._capture.release()


class PiCapture:
    """The Raspberry Pi camera module, through picamera2, which comes with the system and not from a package index."""

    ends = False

    def __init__(self, target: CameraTarget, asked_px: tuple[int, int] | None) -> None:
        try:
            import picamera2  # type: ignore[import-not-found, unused-ignore]
        except ImportError as fault:
            raise CameraFault(
                "missing",
                "Pi camera: Python cannot import picamera2; `sudo apt install python3-picamera2`, and make the "
                "environment with --system-site-packages (see docs/set-up.md)",
            ) from fault
        size = asked_px or (1280, 720)
        self._camera: Any = picamera2.Picamera2(int(target.where))
        try:
            # picamera2 names its formats by the order in a 32-bit word: RGB888 arrives as blue, green, red.
            self._camera.configure(self._camera.create_video_configuration({"size": size, "format": "RGB888"}))
            self._camera.start()
            first = np.asarray(self._camera.capture_array())
        except Exception as fault:
            self._camera.close()
            raise CameraFault("other", f"Pi camera: {fault}; check its ribbon cable and `rpicam-hello`") from fault
        self._image: Any = first
        self.settings = Settings((first.shape[1], first.shape[0]), asked_px, None, "", "picamera2")

    def wait(self) -> bool:
        try:
            self._image = np.asarray(self._camera.capture_array())
        except Exception:  # whatever the driver raises, the camera is gone
            return False
        return True

    def picture(self) -> Image | None:
        return _colour(self._image)

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()


def _colour(image: Any) -> Image | None:
    if image is None or image.size == 0:
        return None
    if image.ndim == 2 or image.shape[2] == 1:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    return np.ascontiguousarray(image[:, :, :3], np.uint8)


def _rate(capture: cv2.VideoCapture) -> float | None:
    rate = float(capture.get(cv2.CAP_PROP_FPS))
    return round(rate, 2) if 0.1 <= rate <= 1000 else None


def _coding(capture: cv2.VideoCapture) -> str:
    number = int(capture.get(cv2.CAP_PROP_FOURCC))
    letters = "".join(chr((number >> 8 * k) & 0xFF) for k in range(4))
    return letters if letters.isascii() and letters.isalnum() else ""
