"""The sheet to print: four corner markers to cut out, a ruler to check the scale, and a ChArUco board for the lens.

Drawn as black shapes in millimetres that `sheet_files` turns into SVG, PDF or PNG at true scale. No files are written
here. It fits A4 and Letter alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.marker_fit import CELLS, pattern

Paper = Literal["a4", "letter"]
PAPERS_MM: dict[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}

BOARD_SQUARES = (7, 5)
BOARD_SQUARE_MM, BOARD_MARKER_MM = 24.0, 17.5
"""17.5 mm is seven cells of 2.5 mm: five of the code and the black border."""
_BOARD_CODES = cv2.aruco.DICT_5X5_50  # not the corner markers' codes, so that one cannot be taken for the other
RULER_MM = 100
QUIET_MM = 10.0
"""White paper around each corner marker, at least one of its cells."""


@dataclass(frozen=True, slots=True)
class Box:
    """A filled black rectangle, or a grey one; x and y of its top left corner, in mm from the paper's."""

    x: float
    y: float
    width: float
    height: float
    grey: float = 0.0
    """0 black, 1 white."""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of plain ASCII, `size` mm high, from its left end on the base line."""

    x: float
    y: float
    size: float
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page."""

    width_mm: float
    height_mm: float
    boxes: tuple[Box, ...]
    words: tuple[Words, ...]


def lens_board() -> cv2.aruco.CharucoBoard:
    """The ChArUco board of the sheet; lengths in mm."""
    return cv2.aruco.CharucoBoard(
        BOARD_SQUARES, BOARD_SQUARE_MM, BOARD_MARKER_MM, cv2.aruco.getPredefinedDictionary(_BOARD_CODES)
    )


def marker_sheet(paper: Paper = "a4", marker_mm: float = 40.0) -> Sheet:
    """The page for a paper. Raises ValueError when markers of this size do not fit on it."""
    if not 15 <= marker_mm <= 40:
        raise ValueError(f"markers of {marker_mm:g} mm do not fit on the sheet; 15 to 40 mm do")
    width, height = PAPERS_MM[paper]
    boxes: list[Box] = []
    words: list[Words] = []
    cell = marker_mm + 2 * QUIET_MM
    left, top = (width - 7 * BOARD_SQUARE_MM) / 2, (height - 256) / 2
    for number, (column, row) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        x, y = left + column * cell, top + row * cell
        boxes += _marker(number, x + QUIET_MM, y + QUIET_MM, marker_mm)
        boxes += _cut_marks(x, y, cell)
        boxes += _corner_sign(x, y, cell, column, row)
    text_x = left + 2 * cell + 4
    for line, text in enumerate(_INSTRUCTIONS):
        words.append(Words(text_x, top + 5 + 4.2 * line, 2.4, text.format(marker=f"{marker_mm:g}")))
    boxes += _icon(text_x, top + 5 + 4.2 * len(_INSTRUCTIONS))
    ruler_y = top + 2 * cell + 4
    boxes += _ruler(left, ruler_y)
    words.append(Words(left + RULER_MM + 3, ruler_y + 3, 2.4, f"{RULER_MM} mm: measure it; if it is not, print again"))
    words.append(Words(left + RULER_MM + 3, ruler_y + 7, 2.4, "without scaling (100 %, not 'fit to page')"))
    boxes += _board(left, height - top - BOARD_SQUARES[1] * BOARD_SQUARE_MM)
    return Sheet(width, height, tuple(boxes), tuple(words))


_INSTRUCTIONS = (
    "Cut the four markers apart and",
    "stick them to the table: the outer",
    "corner of each black square is a",
    "corner of the play area, as shown",
    "below, upright for the camera.",
    "",
    "Marker side: {marker} mm.",
    "",
    "Keep the lower board whole and",
    "stick it to stiff card; it is shown",
    "to the camera by hand to measure",
    "the lens.",
)


def _marker(number: int, x: float, y: float, side: float) -> list[Box]:
    return _cells(pattern(number), x, y, side / CELLS)


def _cells(cells: NDArray[np.uint8], x: float, y: float, size: float) -> list[Box]:
    """Black cells joined along each row, so that no seam shows between them."""
    boxes = []
    for row, values in enumerate(cells):
        start = None
        for column, black in enumerate([*(values < 128), False]):
            if black and start is None:
                start = column
            elif not black and start is not None:
                boxes.append(Box(x + start * size, y + row * size, (column - start) * size, size))
                start = None
    return boxes


def _cut_marks(x: float, y: float, side: float) -> list[Box]:
    marks = []
    for cx in (x, x + side):
        for cy in (y, y + side):
            marks += [Box(cx - 2, cy - 0.05, 4, 0.1, 0.4), Box(cx - 0.05, cy - 2, 0.1, 4, 0.4)]
    return marks


def _corner_sign(x: float, y: float, side: float, column: int, row: int) -> list[Box]:
    """A small L at the outer corner of the cut-out, beyond the quiet zone: this is the table's corner."""
    cx, cy = x + column * side, y + row * side
    inward_x, inward_y = (1 - 2 * column), (1 - 2 * row)
    across = Box(
        min(cx + 0.8 * inward_x, cx + 6.8 * inward_x), min(cy + 0.8 * inward_y, cy + 1.8 * inward_y), 6, 1, 0.3
    )
    down = Box(min(cx + 0.8 * inward_x, cx + 1.8 * inward_x), min(cy + 0.8 * inward_y, cy + 6.8 * inward_y), 1, 6, 0.3)
    return [across, down]


def _icon(x: float, y: float) -> list[Box]:
    """A table with four squares in its corners; not with the markers' codes, which would then be on the table twice."""
    width, height, side, line = 36.0, 24.0, 5.0, 0.3
    boxes = [Box(x, y, width, line, 0.3), Box(x, y + height, width, line, 0.3)]
    boxes += [Box(x, y, line, height, 0.3), Box(x + width, y, line, height + line, 0.3)]
    for column, row in ((0, 0), (1, 0), (1, 1), (0, 1)):
        boxes.append(Box(x + column * (width - side), y + row * (height - side), side, side))
    return boxes


def _ruler(x: float, y: float) -> list[Box]:
    boxes = [Box(x, y, RULER_MM, 0.2)]
    for millimetre in range(RULER_MM + 1):
        tall = 6.0 if millimetre % 50 == 0 else 4.5 if millimetre % 10 == 0 else 2.5 if millimetre % 5 == 0 else 1.5
        # A tick's outer edge, not its middle, is the measure's end.
        at = min(x + millimetre, x + RULER_MM - 0.1) if millimetre else x
        boxes.append(Box(at, y, 0.1, tall))
    return boxes


def _board(x: float, y: float) -> list[Box]:
    board = lens_board()
    columns, rows = BOARD_SQUARES
    boxes = []
    for row in range(rows):
        for column in range(columns):
            if (row + column) % 2 == 0:
                boxes.append(Box(x + column * BOARD_SQUARE_MM, y + row * BOARD_SQUARE_MM, *(BOARD_SQUARE_MM,) * 2))
    codes = cv2.aruco.getPredefinedDictionary(_BOARD_CODES)
    for number, corners in zip(np.asarray(board.getIds()).ravel(), board.getObjPoints(), strict=True):
        image = np.asarray(cv2.aruco.generateImageMarker(codes, int(number), 7, borderBits=1), np.uint8)
        corner = np.asarray(corners).reshape(4, 3)[0]
        boxes += _cells(image, x + float(corner[0]), y + float(corner[1]), BOARD_MARKER_MM / 7)
    return boxes
