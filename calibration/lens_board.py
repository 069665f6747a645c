"""The lens measured with the ChArUco board of the printed sheet, shown to the camera by hand.

`LensViews` takes pictures, keeps the few that add something, and says what part of the picture the board has not been
in yet. No I/O, no clock.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.plane import Array
from calibration.sheet import lens_board

FEWEST_CORNERS = 10
FEWEST_VIEWS, MOST_VIEWS = 8, 30
GRID = (6, 4)
"""Fields of the picture, across and down, that the board is to visit."""
COVERAGE_TARGET = 0.7
"""Share of the fields; lenses bend most at the edges, which a board in the middle does not show."""
_NEW_SHARE = 0.06
"""A view is new when the board's corners moved on average by so much of the picture's width since every kept one."""
_WORST_PX = 3.0


@dataclass(frozen=True, slots=True)
class LensMeasure:
    """A measured lens and how good it is."""

    lens: Lens
    misfit_px: float
    coverage: float
    """Share of the picture's fields in which a corner of the board was seen."""
    views: int


class LensViews:
    """Collects views of the board from pictures of one size."""

    def __init__(self, size_px: tuple[int, int]) -> None:
        self.size_px = size_px
        self._board = lens_board()
        self._detector = cv2.aruco.CharucoDetector(self._board)
        self._views: list[tuple[Array, NDArray[np.int32]]] = []
        self._visited = np.zeros((GRID[1], GRID[0]), bool)

    def __len__(self) -> int:
        return len(self._views)

    @property
    def coverage(self) -> float:
        """Share of the picture's fields that a corner of the board has been in."""
        return float(self._visited.mean())

    @property
    def complete(self) -> bool:
        """Is there enough for a good measure?"""
        return len(self) >= FEWEST_VIEWS and self.coverage >= COVERAGE_TARGET

    def missing(self) -> str:
        """Where the board should be shown next, in words, or nothing."""
        if self._visited.all():
            return ""
        parts = {
            "left": self._visited[:, :2], "right": self._visited[:, -2:],
            "top": self._visited[:1], "bottom": self._visited[-1:], "middle": self._visited[1:-1, 2:-2],
        }  # fmt: skip
        return min(parts, key=lambda name: float(parts[name].mean()))

    def add(self, image: NDArray[np.uint8]) -> bool:
        """Take a picture (height, width, 3) BGR of `size_px`; was it a view that adds something?"""
        if (image.shape[1], image.shape[0]) != self.size_px:
            raise ValueError(f"the pictures must be {self.size_px[0]}x{self.size_px[1]}")
        corners, ids, _, _ = self._detector.detectBoard(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
        if ids is None or len(ids) < FEWEST_CORNERS or len(self._views) >= MOST_VIEWS:
            return False
        points = np.asarray(corners, np.float64).reshape(-1, 2)
        numbers = np.asarray(ids, np.int32).ravel()
        if any(self._alike(points, numbers, view) for view in self._views):
            return False
        self._views.append((points, numbers))
        columns = np.clip(points[:, 0] / self.size_px[0] * GRID[0], 0, GRID[0] - 1).astype(int)
        rows = np.clip(points[:, 1] / self.size_px[1] * GRID[1], 0, GRID[1] - 1).astype(int)
        self._visited[rows, columns] = True
        return True

    def _alike(self, points: Array, numbers: NDArray[np.int32], view: tuple[Array, NDArray[np.int32]]) -> bool:
        shared, here, there = np.intersect1d(numbers, view[1], return_indices=True)
        if len(shared) < FEWEST_CORNERS // 2:
            return False
        moved = float(np.linalg.norm(points[here] - view[0][there], axis=1).mean())
        return moved < _NEW_SHARE * self.size_px[0]

    def solve(self) -> LensMeasure:
        """The lens. Raises ValueError with what is missing."""
        if len(self) < FEWEST_VIEWS:
            raise ValueError(
                f"the board was seen in {len(self)} different places, {FEWEST_VIEWS} are needed: "
                "show it nearer, farther, tilted, and in all parts of the picture"
            )
        whole = np.asarray(self._board.getChessboardCorners(), np.float32)
        objects = [whole[numbers] for _, numbers in self._views]
        images = [points.astype(np.float32) for points, _ in self._views]
        first = np.array([[0.85 * self.size_px[0], 0, (self.size_px[0] - 1) / 2],
                          [0, 0.85 * self.size_px[0], (self.size_px[1] - 1) / 2], [0, 0, 1]])  # fmt: skip
        # k3 only bends the outermost corner of the picture, where a hand-held board hardly gets.
        flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_K3 | cv2.CALIB_FIX_ASPECT_RATIO
        misfit, matrix, distortion, _, _ = cv2.calibrateCamera(
            objects, images, self.size_px, first, np.zeros(5), flags=flags
        )
        if misfit > _WORST_PX:
            raise ValueError(
                f"the views do not fit one lens ({misfit:.1f} px): stick the board to stiff card so that it is flat"
            )
        lens = Lens(self.size_px, np.asarray(matrix, np.float64), np.asarray(distortion, np.float64).ravel()[:5])
        return LensMeasure(lens, float(misfit), self.coverage, len(self))
