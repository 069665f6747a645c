"""The last resort: a table plane from the tiles themselves, for pictures that nobody calibrated.

All tiles of a set are one size: their outlines tell the scale and, where there are enough of them, how the camera is
tilted. With a few tiles only, the picture is taken as seen straight from above.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.plane import Array
from calibration.registration import FEWEST_TILES, register_evidence
from calibration.report import USABLE_MM
from calibration.solve import Evidence, NotEnough
from calibration.table_file import DEFAULT_LENGTH_MM, Camera, PlayArea, TableFile

WORST_MM = 3 * USABLE_MM
"""A tilt that is known no better than this does more harm than none."""


def table_from_quads(
    quads_px: Sequence[Array],
    size_px: tuple[int, int],
    tile_mm: tuple[float | None, float | None, float | None] = (None, None, None),
) -> TableFile | None:
    """A table for pictures of `size_px` that show tiles with these corners, each (4, 2) px; None without tiles.

    Its play area is what lies between the middles of the picture's edges.
    """
    if not quads_px:
        return None
    if len(quads_px) >= FEWEST_TILES:
        known = Evidence(size_px, tiles_px=tuple(quads_px), tile_mm=tile_mm)
        try:
            made = register_evidence(known)
        except (NotEnough, np.linalg.LinAlgError):
            made = None
        if made is not None and made.report.error_mm[1] <= WORST_MM:
            return made.table
    return _seen_from_above(quads_px, size_px, tile_mm[0] or DEFAULT_LENGTH_MM)


def _seen_from_above(quads_px: Sequence[Array], size_px: tuple[int, int], length_mm: float) -> TableFile:
    lengths = []
    for quad in quads_px:
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        lengths.append(max(sides[0] + sides[2], sides[1] + sides[3]) / 2)
    px_per_mm = float(np.median(lengths)) / length_mm
    width, height = size_px
    right, bottom = float(width - 1), float(height - 1)
    area = PlayArea(
        (round(width / px_per_mm, 1), round(height / px_per_mm, 1)),
        ((0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)),
    )
    # A far camera: what is seen straight from above has no height.
    focal = 20.0 * width
    matrix = ((focal, 0.0, right / 2), (0.0, focal, bottom / 2), (0.0, 0.0, 1.0))
    return TableFile(area, Camera(size_px, matrix))
