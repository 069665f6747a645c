"""Frames in time order from a folder of stills or a video file, with the time in seconds from the source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.sources.pictures import Image, SourceError, is_picture, native_notes_dropped, read_picture


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the table."""

    t: float
    """Seconds since the source began; never smaller than the frame before."""
    image: Image
    """(height, width, 3) uint8 BGR. Not to be written to."""
    settled: bool = False
    """A still: known to show a settled table. Frames of a video are not."""


class FrameSource(Protocol):
    """Frames in time order."""

    name: str
    size_px: tuple[int, int]
    """Width and height of every frame."""
    length: int | None
    """How many frames there should be, if it is known."""
    fault: str | None
    """After the last frame: why the source ended before its end, in words, or None."""

    def __iter__(self) -> Iterator[Frame]: ...


class Stills:
    """A folder of stills in name order: still k is a settled table at t = k."""

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        self.paths = sorted(p for p in folder.iterdir() if is_picture(p))
        if not self.paths:
            raise SourceError(f"{folder}: holds no pictures; name a video file or a folder of JPEG or PNG stills")
        self.length: int | None = len(self.paths)
        self.fault: str | None = None
        self._first = read_picture(self.paths[0])
        self.size_px = (self._first.shape[1], self._first.shape[0])

    def __iter__(self) -> Iterator[Frame]:
        for k, path in enumerate(self.paths):
            try:
                image = self._first if k == 0 else read_picture(path)
            except SourceError as fault:
                self.fault = f"{fault}; refereed up to the still before"
                return
            size = (image.shape[1], image.shape[0])
            if size != self.size_px:
                self.fault = (
                    f"{path}: is {size[0]}x{size[1]} pixels, the stills before {self.size_px[0]}x{self.size_px[1]}; "
                    "keep one size in a folder; refereed up to the still before"
                )
                return
            yield Frame(float(k), image, settled=True)


class Video:
    """A video file; times are the file's own."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        try:
            str(path.absolute()).encode()
        except UnicodeEncodeError as fault:
            raise SourceError(f"{path}: its name or folder is not UTF-8; give it another name") from fault
        try:
            with path.open("rb") as file:
                empty = not file.read(1)
        except OSError as fault:
            raise SourceError(f"{path}: cannot be read ({fault.strerror}); is it there, and yours to read?") from fault
        if empty:
            raise SourceError(f"{path}: is empty (0 bytes); copy or record it again")
        capture, first = self._open()
        self.size_px = (first.shape[1], first.shape[0])
        count = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        # Streams without an index report nonsense here.
        self.length: int | None = count if 0 < count < 10**8 else None
        self.rate = _rate(capture)
        self.fault: str | None = None
        capture.release()

    def _open(self) -> tuple[cv2.VideoCapture, Image]:
        # As an absolute path, so that a colon in the name is not taken for a protocol.
        with native_notes_dropped():
            capture = cv2.VideoCapture(str(self._path.absolute()), cv2.CAP_FFMPEG)
            good, first = capture.read() if capture.isOpened() else (False, None)
        if not good or first is None:
            capture.release()
            raise SourceError(f"{self._path}: is not a video that can be decoded; save it as MP4, MKV or AVI")
        return capture, np.asarray(first, np.uint8)

    def __iter__(self) -> Iterator[Frame]:
        return (step for step in self.sparing(lambda: -np.inf) if isinstance(step, Frame))

    def sparing(self, due_t: Callable[[], float]) -> Iterator[Frame | float]:
        """The frames, but of one before `due_t()` only its time, s: a sixth of the work is to make it a picture."""
        capture, first = self._open()
        try:
            number, last, start = 0, -1.0, capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            while True:
                stamp = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 - start
                # Files with no or broken time stamps are timed by their frame rate.
                t = stamp if number == 0 or stamp > last else max(last + 1e-6, number / self.rate)
                last = t
                t = round(t, 6)
                if number == 0:
                    yield Frame(t, first)
                elif t < due_t():
                    yield t
                else:
                    good, decoded = capture.retrieve()
                    if not good or decoded is None:
                        break
                    yield Frame(t, np.asarray(decoded, np.uint8))
                number += 1
                if not capture.grab():
                    break
            # The frame count of some containers is an estimate; a second and 2 % of doubt are left to it.
            if self.length is not None and number < min(self.length - self.rate, self.length * 0.98):
                seen = f"{number} of {self.length} frames"
                self.fault = f"{self.name}: breaks off after {last:.1f} s ({seen}); refereed up to there"
        finally:
            capture.release()


def _rate(capture: cv2.VideoCapture) -> float:
    rate = float(capture.get(cv2.CAP_PROP_FPS))
    return rate if 0.1 <= rate <= 1000 else 25.0
