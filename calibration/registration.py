"""One picture of the table -> table.toml and a report: from markers, from corners a person set, or from tiles.

Finds what there is, solves for the camera (see `solve`) and says how good that is. Reads and writes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.markers import DEFAULT_MARKER_MM, find_markers, look_for_marker, marker_corners_mm
from calibration.plane import PLAUSIBLE_FOCAL_PER_WIDTH, Array, corner_fault
from calibration.report import USABLE_MM, Report
from calibration.solve import Evidence, NotEnough, Solution, solve
from calibration.table_file import Camera, Markers, PlayArea, TableFile, Tiles

FEWEST_TILES = 4
"""Fewer tiles alone do not tell a tilted camera from a wider tile."""
WORST_MISFIT_PX = 1.5
"""A camera that leaves more over than this does not explain fitted marker corners."""
FIRM_FOCAL = 0.12
"""A focal length known to this share of itself was found in the picture rather than assumed."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A calibrated table, how good it is, and what it was made from."""

    table: TableFile
    report: Report
    markers: dict[int, Array]
    solution: Solution


def register(image: NDArray[np.uint8], known: Evidence) -> Registration:
    """The table that `image`, (height, width, 3) BGR, shows; `known` holds everything that is known beforehand.

    Corners set by a person go before markers, and markers before tiles. Raises NotEnough with what is missing.
    """
    size = (image.shape[1], image.shape[0])
    known = replace(known, size_px=size)
    if known.corners_px is None and not known.markers:
        known = replace(known, markers=complete_markers(image, replace(known, tiles_px=())))
    return register_evidence(known)


def complete_markers(image: NDArray[np.uint8], known: Evidence) -> dict[int, Array]:
    """All corner markers to be seen, also those whose code cannot be read but that lie where they must."""
    found = find_markers(image)
    if len(found) in (2, 3):
        try:
            solution = solve(replace(known, markers=found))
        except NotEnough:
            return found
        where = marker_corners_mm(solution.area_mm, known.marker_mm)
        for number in set(range(4)) - set(found):
            corners = look_for_marker(image, number, solution.project(where[number]))
            if corners is not None:
                found[number] = corners
    return dict(sorted(found.items()))


def register_evidence(known: Evidence) -> Registration:
    """The table that the evidence tells. Raises NotEnough."""
    notes = []
    if known.corners_px is not None:
        fault = corner_fault(known.corners_px)
        if fault:
            raise NotEnough(fault)
        method = "four corners set by hand" + (f" and {len(known.tiles_px)} tiles" if known.tiles_px else "")
        known = replace(known, markers={})
    elif len(known.markers) >= 3 or (len(known.markers) == 2 and known.area_mm):
        method = f"{len(known.markers)} corner markers" + (
            f" and {len(known.tiles_px)} tiles" if known.tiles_px else ""
        )
        if len(known.markers) < 4:
            hidden = ", ".join(str(k) for k in range(4) if k not in known.markers)
            notes.append(f"marker {hidden} is not seen: uncover it or move the camera for a better result")
        if known.area_mm is None:
            notes.append("the area's size was measured with the markers; --size-mm WxH with a ruler is more exact")
    elif len(known.tiles_px) >= FEWEST_TILES:
        method = f"{len(known.tiles_px)} tiles lying on the table"
        known = replace(known, markers={}, area_mm=None)
        notes.append("made from tiles alone; corner markers (`dominoref markers`) are several times more exact")
        if known.tile_mm[0] is None:
            notes.append("the tiles' length is taken as 50 mm; give --tile-mm LENGTHxWIDTHxTHICKNESS")
    else:
        raise NotEnough(_what_is_missing(known))
    solution = solve(known)
    try:
        table = _table(known, solution)
    except ValueError as fault:
        raise NotEnough(f"the corners found cannot be right: {fault}") from fault
    notes += _doubts(known, solution)
    return Registration(table, _report(known, solution, method, notes), known.markers, solution)


def _doubts(known: Evidence, solution: Solution) -> list[str]:
    """What in the result cannot be right, with what to do."""
    doubts = []
    if known.markers and known.area_mm and solution.misfit_px > WORST_MISFIT_PX:
        try:
            width, height = solve(replace(known, area_mm=None)).area_mm
            doubts.append(f"--size-mm does not fit the markers, which are about {width:.0f}x{height:.0f} mm apart")
        except NotEnough:
            pass
    elif known.markers and solution.misfit_px > WORST_MISFIT_PX:
        doubts.append("the markers do not lie flat, square to one another, or are not of the size given")
    low, high = PLAUSIBLE_FOCAL_PER_WIDTH
    if not 0.8 * low <= solution.lens.matrix[0, 0] / known.size_px[0] <= 1.5 * high:
        doubts.append("no usual lens sees the area like this: check the corners and the size")
    return doubts


def _what_is_missing(known: Evidence) -> str:
    if known.markers:
        seen = ", ".join(map(str, sorted(known.markers)))
        return f"only corner marker {seen} is seen; three are needed, or two and --size-mm"
    return (
        f"no corner markers and {len(known.tiles_px) or 'no'} tiles are seen: lay the printed markers out "
        f"(`dominoref markers`), give --corners and --size-mm, or lay at least {FEWEST_TILES} tiles on the table"
    )


def _table(known: Evidence, solution: Solution) -> TableFile:
    plane = solution.plane()
    corners = [(round(float(x), 2), round(float(y), 2)) for x, y in plane.corners_px()]
    matrix = [tuple(round(float(v), 3) for v in row) for row in solution.lens.matrix]
    bend = [round(float(v), 6) for v in solution.lens.distortion]
    camera = Camera(
        known.size_px,
        (matrix[0], matrix[1], matrix[2]),  # type: ignore[arg-type]
        (bend[0], bend[1], bend[2], bend[3], bend[4]),
    )
    area = PlayArea(
        (round(solution.area_mm[0], 1), round(solution.area_mm[1], 1)), (corners[0], corners[1], corners[2], corners[3])
    )
    tiles = Tiles()
    if known.tile_mm[0] is not None:
        tiles.length_mm = known.tile_mm[0]
    if known.tile_mm[1] is not None:
        tiles.width_mm = known.tile_mm[1]
    if known.tile_mm[2] is not None:
        tiles.thickness_mm = known.tile_mm[2]
    table = TableFile(area, camera, tiles=tiles)
    if known.markers:
        table.markers = Markers(known.marker_mm)
    return table


def _report(known: Evidence, solution: Solution, method: str, notes: list[str]) -> Report:
    width, height = known.size_px
    if known.lens is not None:
        source = "given"
    else:
        source = "estimated" if solution.focal_error <= FIRM_FOCAL else "assumed"
        if source == "assumed":
            notes.append("the lens is hardly told by this view: show the ChArUco board once (--lens VIDEO)")
    area_px = float(cv2.contourArea(solution.plane().corners_px().astype(np.float32)))
    coverage = min(1.0, area_px / (width * height))
    if coverage < 0.25:
        notes.append("the play area fills little of the picture: bring the camera nearer")
    estimated = "spread of the fit over the play area, from the known accuracy of what was found in the picture"
    if not known.markers and known.corners_px is None:
        estimated += ", after the best shift and turn"
    error = (round(solution.error_mm[0], 2), round(solution.error_mm[1], 2))
    if any("no usual lens" in note for note in notes):
        # The fit is of something else than this table; what it says of its own error is worth nothing.
        error = (max(error[0], 2 * USABLE_MM), max(error[1], 2 * USABLE_MM))
    return Report(
        method, error, round(solution.misfit_px, 3), estimated, known.size_px,
        (round(solution.area_mm[0], 1), round(solution.area_mm[1], 1)), round(float(solution.lens.matrix[0, 0]), 1),
        source, round(coverage, 3), notes=tuple(notes),
    )  # fmt: skip


def evidence(
    *,
    area_mm: tuple[float, float] | None = None,
    marker_mm: float = DEFAULT_MARKER_MM,
    lens: Lens | None = None,
    corners_px: Array | None = None,
    tiles_px: tuple[Array, ...] = (),
    tile_mm: tuple[float | None, float | None, float | None] = (None, None, None),
) -> Evidence:
    """What is known before a picture is looked at."""
    return Evidence((1, 1), {}, marker_mm, corners_px, tiles_px, tile_mm, area_mm, lens)
