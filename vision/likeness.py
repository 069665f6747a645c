"""How alike the pictures on two tiles' backs are: the tiles of one set bear the same one, if they bear any."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import Quad

INNER = 0.86  # share of an outline that is compared; edges and neighbours are left out
FINE, COARSE = (64, 32), (32, 16)  # px, length and width: cut out that fine, compared that coarse

Picture = NDArray[np.float32]
"""(16, 32, 3) CIELAB (8 bit) less the usual colour: what is drawn on a back, and how the light lies on it."""


def picture_of(image_bgr: NDArray[np.uint8], quad_px: Quad, gain: float) -> Picture:
    """What the outline (4, 2), px, shows; `gain` evens out the exposure, see vision.normal."""
    middle = quad_px.mean(0)
    inner = middle + INNER * (quad_px - middle)
    width, height = FINE
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    move = cv2.getPerspectiveTransform(corners, inner.astype(np.float32))
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpPerspective(image_bgr, move, FINE, flags=how, borderMode=cv2.BORDER_REPLICATE)
    lab = cv2.cvtColor(cut, cv2.COLOR_BGR2LAB).astype(np.float32)
    small = np.asarray(cv2.resize(lab, COARSE, interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray((small - np.median(small, axis=(0, 1))) * gain, np.float32)


def contrast(picture: Picture) -> float:
    """Mean deviation from the usual colour: 1 to 2 for a plain back, 3 and more for one with something on it."""
    return float(np.abs(picture).mean())


def likeness(picture: Picture, others: list[Picture]) -> float:
    """Correlation, -1 to 1, with that of the others which comes nearest, whichever way round it lies."""
    turned = [one for other in others for one in (other, other[::-1, ::-1])]
    nearest = min(turned, key=lambda one: float(np.abs(picture - one).mean()))
    return float((picture * nearest).sum() / np.sqrt((picture**2).sum() * (nearest**2).sum() + 1))
