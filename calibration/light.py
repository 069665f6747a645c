"""Is the light good enough to read tiles by? Pure measures of one or two pictures, with advice.

Everything is measured on the play area only: a lamp beside the table is no fault.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Array, TablePlane

Level = Literal["ok", "warning", "fault"]

DARK, VERY_DARK = 60, 25
"""The 90th percentile of brightness (0 to 255): below, white tiles are grey among noise."""
CLIPPED = 250
GLARE_SHARE = (0.004, 0.03)
"""Share of the play area that is one burnt-out spot: worth a warning, and a fault."""
SHARP = (1.6, 0.9)
"""Slope of the steepest edges over their height, in 1 over 10 px: below, edges are blurred; and hardly there."""
EDGE_REACH_PX = 21
"""An edge's height is that between the brightest and the darkest in a window so wide."""
LEAST_EDGE = 30
"""Grey levels; less is noise and shading."""
FLICKER = 0.04
"""Share by which bands of rows change from picture to picture."""
FEWEST_TURNS = 3
"""Changes from brighter to darker down the picture that make it a matter of bands."""
PIP_MM_OF_LENGTH = 0.1
"""A pip's diameter over the tile's length, roughly: 5 mm on 50 mm."""
PIP_PX = (3.0, 2.0)
"""Fewer pixels a pip are worth a warning, and cannot be read."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about the picture: how bad, what, and what to do."""

    level: Level
    what: str
    text: str


def check_picture(
    image: NDArray[np.uint8],
    plane: TablePlane | None = None,
    tile_length_mm: float = 50.0,
    before: NDArray[np.uint8] | None = None,
) -> list[Finding]:
    """All findings for a picture (height, width, 3) BGR, fine ones too; `before` is an earlier one, for flicker."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    inside = _area_mask(grey, plane)
    findings = [_brightness(grey, inside), _glare(glare_spots(image, plane), inside), _sharpness(grey, inside)]
    if before is not None and before.shape == image.shape:
        earlier = np.asarray(cv2.cvtColor(before, cv2.COLOR_BGR2GRAY), np.uint8)
        findings.append(_flicker(grey, earlier, inside))
    if plane is not None:
        findings.append(_scale(plane, tile_length_mm))
    return findings


def glare_spots(image: NDArray[np.uint8], plane: TablePlane | None = None) -> list[Array]:
    """Outlines (n, 2) px of spots on the play area where the light burns everything white, largest first."""
    white = (image.min(axis=2) >= CLIPPED).astype(np.uint8)
    white[_area_mask(white, plane) == 0] = 0
    # White tiles and paper are as bright, but a spot that swallows a pip's width all round is not read through.
    width = max(3, round(image.shape[1] / 160))
    spots = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((width, width), np.uint8))
    outlines, _ = cv2.findContours(spots, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = [np.asarray(outline, np.float64).reshape(-1, 2) for outline in outlines]
    return sorted(found, key=_outline_area, reverse=True)


def _outline_area(outline: Array) -> float:
    return float(cv2.contourArea(outline.astype(np.float32)))


def _area_mask(grey: NDArray[np.uint8], plane: TablePlane | None) -> NDArray[np.uint8]:
    mask = np.zeros(grey.shape[:2], np.uint8)
    if plane is None:
        mask[:] = 1
    else:
        cv2.fillConvexPoly(mask, np.round(plane.corners_px()).astype(np.int32), 1)
    return mask


def _brightness(grey: NDArray[np.uint8], inside: NDArray[np.uint8]) -> Finding:
    level = float(np.percentile(grey[inside > 0], 90)) if inside.any() else 0.0
    if level < VERY_DARK:
        return Finding("fault", "light", f"too dark (brightness {level:.0f} of 255): turn a lamp on")
    if level < DARK:
        return Finding("warning", "light", f"dark (brightness {level:.0f} of 255): more light reads better")
    return Finding("ok", "light", f"bright enough ({level:.0f} of 255)")


def _glare(spots: list[Array], inside: NDArray[np.uint8]) -> Finding:
    share = _outline_area(spots[0]) / max(1, int(inside.sum())) if spots else 0.0
    cure = "move the lamp or tilt the camera so that it is not mirrored"
    if share > GLARE_SHARE[1]:
        return Finding("fault", "glare", f"a burnt-out spot covers {100 * share:.0f} % of the play area: {cure}")
    if share > GLARE_SHARE[0]:
        return Finding("warning", "glare", f"a burnt-out spot covers {100 * share:.1f} % of the play area: {cure}")
    return Finding("ok", "glare", "no burnt-out spots")


def _sharpness(grey: NDArray[np.uint8], inside: NDArray[np.uint8]) -> Finding:
    smooth = cv2.GaussianBlur(grey, (3, 3), 0)
    steep = cv2.magnitude(cv2.Sobel(smooth, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(smooth, cv2.CV_32F, 0, 1) / 8)
    around = np.ones((EDGE_REACH_PX, EDGE_REACH_PX), np.uint8)
    height = cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, around)
    steepest = (inside > 0) & (steep >= np.quantile(steep[inside > 0], 0.998)) if inside.any() else inside > 0
    edges = steepest & (height >= LEAST_EDGE)
    if not edges.any():
        return Finding("warning", "focus", "nothing with an edge lies on the table to judge the focus by")
    # An edge that rises within one pixel has a slope of its whole height; out of focus it takes many.
    edge = 10 * float(np.median(steep[edges] / height[edges]))
    if edge < SHARP[1]:
        return Finding("fault", "focus", f"out of focus ({edge:.1f}): focus the camera on the table, wipe the lens")
    if edge < SHARP[0]:
        return Finding("warning", "focus", f"a little out of focus ({edge:.1f}): focus the camera on the table")
    return Finding("ok", "focus", f"sharp ({edge:.1f})")


def _flicker(grey: NDArray[np.uint8], before: NDArray[np.uint8], inside: NDArray[np.uint8]) -> Finding:
    used = inside.sum(axis=1) > 0.2 * inside.shape[1]
    if used.sum() < 20:
        return Finding("ok", "flicker", "not measured")
    difference = np.where(inside[used] > 0, grey[used].astype(np.float32) - before[used], np.nan)
    # Of each row what most of it does: an arm or a tile covers the smaller part.
    change = np.nanmedian(difference, axis=1)
    # Mains light makes several smooth bands, brighter and darker by turns.
    bands = np.convolve(change, np.ones(9) / 9, "valid")
    bands -= np.polyval(np.polyfit(np.arange(len(bands)), bands, 1), np.arange(len(bands)))
    strong = np.sign(bands[np.abs(bands) > np.ptp(bands) / 5])
    turns = int(np.count_nonzero(np.diff(strong)))
    share = float(np.ptp(bands)) / max(1.0, float(grey[used].mean())) if turns >= FEWEST_TURNS else 0.0
    if share > FLICKER:
        cure = "set the camera's power line frequency to that of your mains, or use another lamp"
        return Finding(
            "warning", "flicker", f"brightness runs through the picture in bands ({100 * share:.0f} %): {cure}"
        )
    return Finding("ok", "flicker", "the light is steady")


def _scale(plane: TablePlane, tile_length_mm: float) -> Finding:
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * plane.size_mm
    least = min(plane.px_per_mm(corner) for corner in corners)
    pip = least * PIP_MM_OF_LENGTH * tile_length_mm
    text = f"a pip is {pip:.1f} pixels wide in the farthest corner"
    if pip < PIP_PX[1]:
        return Finding("fault", "size", f"{text}, too small to read: bring the camera nearer or set a larger picture")
    if pip < PIP_PX[0]:
        return Finding("warning", "size", f"{text}, hardly enough: bring the camera nearer or set a larger picture")
    return Finding("ok", "size", text)
