"""Pictures that a person can check at a glance: each tile outlined, with what was read and how sure that is.

Only figures, pips and colours are drawn; words do not go through the picture library's font.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sighting import Sighting
from vision.sources.pictures import Image

SURE, UNSURE, BACK, UNCLEAR = (80, 200, 60), (0, 190, 255), (200, 150, 60), (60, 60, 230)
"""BGR: read and sure; read, worth a second look; a back; seen but not read. The line is drawn apart as well."""
SURE_AT = 0.95


def draw_sightings(image: Image, sightings: Sequence[Sighting]) -> Image:
    """A copy of the picture with every tile outlined and named; solid when sure, double when not."""
    drawn = image.copy()
    size = max(1.0, max(image.shape[:2]) / 900)
    for seen in sightings:
        colour = _colour(seen)
        outline(drawn, seen.quad_px, colour, size, double=seen.face == "unclear" or seen.confidence < SURE_AT)
        label(drawn, seen.tile, seen.quad_px.mean(axis=0), colour, size)
    return drawn


def _colour(seen: Sighting) -> tuple[int, int, int]:
    if seen.face == "unclear":
        return UNCLEAR
    if seen.face == "down":
        return BACK
    return SURE if seen.confidence >= SURE_AT else UNSURE


def outline(
    image: Image, quad_px: NDArray[np.float64], colour: tuple[int, int, int], size: float, double: bool = False
) -> None:
    """Draw a tile's outline into the picture, with a dot in its first half."""
    corners = np.round(quad_px).astype(np.int32)
    cv2.polylines(image, [corners], True, (0, 0, 0), round(3 * size), cv2.LINE_AA)
    cv2.polylines(image, [corners], True, colour, max(1, round(1.6 * size)), cv2.LINE_AA)
    if double:
        middle = quad_px.mean(axis=0)
        wider = np.round(middle + (quad_px - middle) * 1.15).astype(np.int32)
        cv2.polylines(image, [wider], True, colour, max(1, round(size)), cv2.LINE_AA)


def label(image: Image, text: str, middle_px: NDArray[np.float64], colour: tuple[int, int, int], size: float) -> None:
    """Write figures centred on a point, on a dark ground so that they can be read on any tile."""
    scale, weight = 0.42 * size, max(1, round(size))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, weight)
    x, y = round(float(middle_px[0]) - width / 2), round(float(middle_px[1]) + height / 2)
    pad = round(2 * size)
    cv2.rectangle(image, (x - pad, y - height - pad), (x + width + pad, y + pad), (30, 30, 30), -1)
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, weight, cv2.LINE_AA)
