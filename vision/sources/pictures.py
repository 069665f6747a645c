"""One picture file -> pixels, or a sentence why not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm"})
MOST_PIXELS = 250_000_000
"""Above this a picture is refused before it is decoded: 750 MB of memory at 8 bit."""


class SourceError(Exception):
    """A picture, video or folder that cannot be used; the text says which, why, and what to do."""


def read_picture(path: Path) -> Image:
    """The picture as (height, width, 3) uint8 BGR, EXIF rotation applied, alpha dropped, 16 bit scaled to 8.

    Of an animated picture the first frame. Raises SourceError with one line for people.
    """
    try:
        data = path.read_bytes()
    except IsADirectoryError as fault:
        raise SourceError(f"{path}: is a folder, not a picture; name the pictures in it") from fault
    except OSError as fault:
        raise SourceError(f"{path}: cannot be read ({fault.strerror}); is it there, and yours to read?") from fault
    if not data:
        raise SourceError(f"{path}: is empty (0 bytes); copy or take the picture again")
    size, whole = stated_size(data)
    if size and size[0] * size[1] > MOST_PIXELS:
        raise SourceError(f"{path}: is {size[0]}x{size[1]} pixels, more than can be read; make it smaller")
    if not whole:
        raise SourceError(f"{path}: breaks off before its end; copy or take the picture again")
    try:
        with native_notes_dropped():
            decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, MemoryError):
        decoded = None
    if decoded is None or decoded.size == 0:
        raise SourceError(f"{path}: is not a picture that can be read; save it as JPEG or PNG")
    return np.asarray(decoded, np.uint8)


def stated_size(data: bytes) -> tuple[tuple[int, int] | None, bool]:
    """Width and height that a JPEG or PNG says it has (None for other files), and whether its end is there."""
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        size = (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
        return size, b"IEND" in data
    if data[:3] != b"\xff\xd8\xff":
        return None, True
    found, at = None, 2
    while data[at : at + 1] == b"\xff" and at + 4 <= len(data):
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if kind == 0xFF:  # filling between segments
            at += 1
            continue
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            found = (int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big"))
        if kind == 0xDA:
            # In the picture's own data 0xFF is always followed by another byte; phones append films and maps after it.
            return found, data.find(b"\xff\xd9", at) >= 0
        at += 2 + length
    return found, False


@contextmanager
def native_notes_dropped() -> Iterator[None]:
    """Meanwhile nothing reaches stderr: the picture libraries write notes about broken files there on their own."""
    try:
        kept = os.dup(2)
    except OSError:
        yield
        return
    devnull = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(devnull, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(devnull)


def is_picture(path: Path) -> bool:
    """Does the name say that it is a picture?"""
    return path.suffix.lower() in PICTURE_ENDINGS and not path.name.startswith(".")
