"""What the eye says about one tile: where it lies, what it shows, how sure that is. Nothing about games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Pose

UNKNOWN = "?"
Face = Literal["up", "down", "unclear"]


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One tile seen in one picture."""

    quad_px: NDArray[np.float64]
    """Corners of the top face in image pixels, (4, 2), in order round the tile; 0 and 3 at the half named first."""
    face: Face
    """"unclear": something lies there that is a tile, but it cannot be read."""
    tile: str
    """'high-low', or '?' unless `face` is "up"."""
    confidence: float
    """Calibrated probability that face and tile are right."""
    alternatives: tuple[tuple[str, float], ...] = ()
    """The next best readings with their probabilities, best first."""
    pose: Pose | None = None
    """Pose of the footprint on the table, where the table plane is known."""
