"""One picture file -> pixels, or a sentence why not."""

from __future__ import annotations

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
        raise SourceError(f"{path}: cannot be read ({fault.strerror}); check the name") from fault
    if not data:
        raise SourceError(f"{path}: is empty (0 bytes); copy or take the picture again")
    if data[:3] == b"\xff\xd8\xff" and b"\xff\xd9" not in data[-4096:]:
        raise SourceError(f"{path}: the JPEG breaks off before its end; copy or take the picture again")
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, MemoryError):
        decoded = None
    if decoded is None or decoded.size == 0:
        raise SourceError(f"{path}: is not a picture that can be read; save it as JPEG or PNG")
    return np.asarray(decoded, np.uint8)


def is_picture(path: Path) -> bool:
    """Does the name say that it is a picture?"""
    return path.suffix.lower() in PICTURE_ENDINGS and not path.name.startswith(".")
