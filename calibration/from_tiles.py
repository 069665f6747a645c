"""The last resort: a table plane from the tiles themselves, for pictures that nobody calibrated.

All tiles of a set are one size; their apparent size gives the scale. The whole picture becomes the play area, seen
straight from above, so lengths are right near the tiles and rough elsewhere in an oblique view.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.plane import Array
from calibration.table_file import DEFAULT_LENGTH_MM, Camera, PlayArea, TableFile


def table_from_quads(quads_px: Sequence[Array], size_px: tuple[int, int]) -> TableFile | None:
    """A table for pictures of `size_px` that show tiles with these corners, each (4, 2) px; None without tiles."""
    if not quads_px:
        return None
    lengths = []
    for quad in quads_px:
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        lengths.append(max(sides[0] + sides[2], sides[1] + sides[3]) / 2)
    px_per_mm = float(np.median(lengths)) / DEFAULT_LENGTH_MM
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
