"""Straightened crops of single tiles, the same in training and at run time. Pixels in, pixels out."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

CROP_SIZE_PX = (112, 64)  # width, height: the tile lies along x, half named first at the left
MARGIN_PX = 8


def canvas_corners() -> NDArray[np.float64]:
    """(4, 2) where a perfectly found tile's corners come to lie in a crop."""
    w, h = CROP_SIZE_PX
    left, top = MARGIN_PX - 0.5, MARGIN_PX - 0.5
    right, bottom = w - MARGIN_PX - 0.5, h - MARGIN_PX - 0.5
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def cut(image_bgr: NDArray[np.uint8], quad_px: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The crop (64, 112, 3) of one tile; quad_px (4, 2) in image pixels, corners 0 and 3 come to the left."""
    move = cv2.getPerspectiveTransform(canvas_corners().astype(np.float32), quad_px.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpPerspective(image_bgr, move, CROP_SIZE_PX, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)
