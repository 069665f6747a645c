"""Checks of camera, picture, calibration and board, for `dominoref doctor`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from table.shell.health import Health

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from calibration.table_file import TableFile
    from vision.sources.cameras import LiveCamera

WATCH_S = 1.5
SLOW_HZ = 4.0
"""Below, a hand may come and go between two pictures."""
MOVED_MM = 3.0
"""A marker that lies so far from where it was calibrated tells of a bumped camera."""
OLD_DAYS = 60
BOARD_WAIT_S = 4.0
"""An Arduino restarts when its port is opened; it answers after two seconds."""


def camera_and_table(wanted: str | None, path: Path | None, size_px: tuple[int, int]) -> Iterator[Health]:
    """The camera, its picture, and the table in it."""
    from msgspec import UNSET

    table = None
    for health, found in _table_file(path):
        yield health
        table = found
    if wanted == "none":
        yield Health("camera", "ok", "none is wanted")
        return
    needed = table.camera.size_px if table is not None and table.camera is not UNSET else None
    yield from _camera(wanted, needed, size_px, table)


def _table_file(path: Path | None) -> Iterator[tuple[Health, TableFile | None]]:
    from calibration.report import read_report, report_path
    from calibration.table_file import TableFileError, read_table

    if path is None:
        yield Health("calibration", "warning", "no table.toml is named", "`dominoref calibrate`, then --table"), None
        return
    try:
        table = read_table(path)
    except TableFileError as fault:
        yield Health("calibration", "fault", str(fault), f"`dominoref calibrate --out {path}`"), None
        return
    report = read_report(report_path(path))
    if report is None:
        yield Health("calibration", "ok", f"{path}: written by hand or without a report, its error is unknown"), table
        return
    text = f"{path}: {report.quality}, about {report.error_mm[1]:.1f} mm at worst, from {report.method}"
    age = _age_days(report.made_at)
    text += f", {age:.0f} days old" if age is not None else ""
    again = f"`dominoref calibrate --out {path}`"
    if report.quality == "redo":
        yield Health("calibration", "fault", text, again), table
    elif age is not None and age > OLD_DAYS:
        yield Health("calibration", "warning", text, again), table
    else:
        yield Health("calibration", "ok", text), table


def _age_days(made_at: str) -> float | None:
    try:
        made = datetime.fromisoformat(made_at)
        return (datetime.now(UTC) - made).total_seconds() / 86400
    except (ValueError, TypeError):
        return None


def _camera(
    wanted: str | None, needed: tuple[int, int] | None, asked: tuple[int, int], table: TableFile | None
) -> Iterator[Health]:
    from vision.sources.camera_names import CameraFault, default_camera, find_camera
    from vision.sources.cameras import LiveCamera
    from vision.sources.captures import open_capture

    try:
        target = default_camera() if wanted is None else find_camera(wanted)
        # Opened at whatever size comes, so that a wrong one can be named with what it is.
        opened = LiveCamera(target, None, lambda where, _: open_capture(where, needed or asked))
    except CameraFault as fault:
        text, _, advice = str(fault).rpartition("; ")
        if fault.kind in ("none", "missing") and wanted is None:
            text, advice = "no camera is plugged in", "plug one in, or name a network camera with --camera http://..."
        yield Health("camera", "fault", text or str(fault), advice if text else "see `dominoref cameras`")
        return
    with opened as camera:
        pictures: list[NDArray[np.uint8]] = []
        while camera.now() < WATCH_S and not camera.ended:
            frame = camera.newest(0.3)
            if frame is not None:
                pictures = [*pictures[-1:], frame.image]
        yield _delivery(camera, needed)
    if pictures:
        yield from _picture(pictures, table if camera.size_px == needed or needed is None else None)


def _delivery(camera: LiveCamera, needed: tuple[int, int] | None) -> Health:
    text = f"{camera.name}: {camera.settings}; {camera.measured_rate_hz():.0f} a second came"
    width, height = camera.size_px
    if needed is not None and camera.size_px != tuple(needed):
        text = f"{camera.name}: gives {width}x{height}, the table was calibrated for {needed[0]}x{needed[1]}"
        return Health("camera", "fault", text, "set the camera back to that size, or `dominoref calibrate` again")
    if camera.lost:
        return Health(
            "camera", "fault", f"{camera.name}: stopped giving pictures", "check its cable, use a nearer port"
        )
    if camera.measured_rate_hz() < SLOW_HZ:
        return Health("camera", "warning", text, "more light lets the camera expose shorter; or choose a smaller size")
    return Health("camera", "ok", text)


def _picture(pictures: list[NDArray[np.uint8]], table: TableFile | None) -> Iterator[Health]:
    from calibration.light import check_picture

    size = (pictures[-1].shape[1], pictures[-1].shape[0])
    plane = table.plane(size) if table is not None else None
    length = table.tile_mm()[0] if table is not None else 50.0
    for finding in check_picture(pictures[-1], plane, length, pictures[0] if len(pictures) > 1 else None):
        text, _, advice = finding.text.partition(": ")
        yield Health(f"picture, {finding.what}", finding.level, text, advice)
    if table is not None:
        yield _still_there(pictures[-1], table)


def _still_there(picture: NDArray[np.uint8], table: TableFile) -> Health:
    """Do the markers lie where they lay when the table was calibrated?"""
    import numpy as np
    from msgspec import UNSET

    from calibration.markers import find_markers, marker_corners_mm

    if table.markers is UNSET:
        return Health("camera position", "ok", "not checked: the table has no markers")
    plane = table.plane((picture.shape[1], picture.shape[0]))
    seen = find_markers(picture)
    if not seen:
        return Health("camera position", "warning", "no marker is seen", "uncover the markers")
    lay = marker_corners_mm(plane.size_mm, table.markers.size_mm)
    shift = max(float(np.abs(plane.to_table(corners) - lay[number]).max()) for number, corners in seen.items())
    if shift > MOVED_MM:
        return Health("camera position", "fault", f"moved by about {shift:.0f} mm", "`dominoref calibrate` again")
    return Health("camera position", "ok", f"as calibrated, within {shift:.1f} mm")


def board(which: str) -> Iterator[Health]:
    """The board of lights: there, permitted, free, and answering."""
    from table.board.board import open_board, wait_for
    from table.board.ports import PortFault, candidates, meddlers, open_port
    from table.board.simulator import simulator_available

    if which == "none":
        yield Health("board", "ok", "none is wanted")
        return
    if which == "sim":
        reason = simulator_available()
        if reason:
            yield Health("board", "fault", f"no simulated board: {reason}", "install a C compiler, or --board none")
        else:
            yield Health("board", "ok", "the simulated board can be used")
        return
    names = [candidate.device for candidate in candidates()] if which == "auto" else [which]
    if not names:
        yield Health(
            "board", "warning", "no serial port that a board could hang on", "plug it in, or play with --board none"
        )
        return
    usable = []
    for name in names:
        try:
            open_port(name).close()
            usable.append(name)
        except PortFault as fault:
            text, _, advice = str(fault).removeprefix(f"{name}: ").rpartition("; ")
            yield Health(f"port {name}", "fault", text or str(fault), advice if text else "see `dominoref board list`")
    for sentence in meddlers():
        text, _, advice = sentence.partition("; ")
        yield Health("ports", "warning", text, advice)
    if usable:
        with open_board(which if which != "auto" else usable[0], 2) as found:
            begun = time.monotonic()
            up = wait_for(found, BOARD_WAIT_S)
            spent = time.monotonic() - begun
            wrong = next((event for event in found.events() if event.code == "BOARD_WRONG_VERSION"), None)
        if up:
            yield Health("board", "ok", f"answers on {usable[0]} after {spent:.1f} s")
        elif wrong:
            text = f"on {usable[0]} speaks protocol {wrong.args['major']}.{wrong.args['minor']}, not ours"
            yield Health("board", "fault", text, "`dominoref board flash` puts the right firmware on it")
        else:
            yield Health(
                "board", "fault", f"nothing that speaks like a board answers on {usable[0]}",
                "`dominoref board flash` puts the firmware on it",
            )  # fmt: skip
