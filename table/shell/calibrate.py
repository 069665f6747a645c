"""`dominoref calibrate`: looks at the table and writes table.toml, with a report of how good it is beside it.

A result that is worse than the table that is there already does not take its place.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from table.shell.faults import DONE, UNUSABLE, WRONG_USAGE, Fault

if TYPE_CHECKING:
    from calibration.lens import Lens
    from calibration.light import Finding
    from calibration.registration import Registration
    from calibration.report import Report
    from calibration.table_file import TableFile
    from table.shell.table_looks import Looks
    from vision.sources.cameras import LiveCamera


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "calibrate",
        help="find the table in the camera's picture",
        description="Find the play area in a picture, a video or a camera's view, and write table.toml: from corner "
        "markers (`dominoref markers`), from corners given or dragged, or from tiles lying on the table.",
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--camera", metavar="NAME|INDEX|PATH|URL", help="(default: the first camera there is)")
    source.add_argument("--image", type=Path, metavar="FILE")
    source.add_argument("--video", type=Path, metavar="FILE", help="a video or a recording folder")
    parser.add_argument("--size-mm", type=size_mm, metavar="WxH", help="the play area, such as 900x600")
    parser.add_argument(
        "--corners", type=point_px, nargs=4, metavar="X,Y", help="top left, top right, bottom right, bottom left, px"
    )
    parser.add_argument("--marker-mm", type=float, metavar="MM", help="side of the markers (default: 40)")
    parser.add_argument("--tile-mm", type=tile_mm, metavar="LxWxT", help="a tile, such as 50x25x8")
    parser.add_argument("--lens", metavar="SOURCE", help="a table.toml with a lens, or a video or camera of the board")
    parser.add_argument("--seats", type=int, metavar="N", help="write N even seats, to be edited (1 to 8)")
    parser.add_argument("--boneyard", type=rectangle_mm, metavar="X,Y,W,H", help="where face-down tiles wait, mm")
    parser.add_argument("--out", type=Path, default=Path("table.toml"), metavar="FILE", help="(default: table.toml)")
    parser.add_argument("--preview", type=Path, metavar="FILE", help="write a picture with what was found")
    parser.add_argument("--live", action="store_true", help="show how good it would be while you move the camera")
    parser.add_argument("--no-window", action="store_true", help="do not ask for corners in a window")
    parser.add_argument("--force", action="store_true", help="replace a better table.toml too")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run)


def _numbers(text: str, count: int, form: str) -> list[float]:
    parts = re.split(r"[x,×]", text.strip().lower())
    try:
        values = [float(part) for part in parts]
    except ValueError:
        values = []
    if len(values) != count or not all(abs(value) < 1e5 for value in values):
        raise argparse.ArgumentTypeError(f"{text!r} is not {form}")
    return values


def size_mm(text: str) -> tuple[float, float]:
    width, height = _numbers(text, 2, "WIDTHxHEIGHT in mm, such as 900x600")
    if not (100 <= width <= 5000 and 100 <= height <= 5000):
        raise argparse.ArgumentTypeError(f"{text!r}: a play area is 100 to 5000 mm wide and high")
    return width, height


def point_px(text: str) -> tuple[float, float]:
    x, y = _numbers(text, 2, "X,Y in pixels, such as 120,85.5")
    return x, y


def tile_mm(text: str) -> tuple[float, float, float]:
    length, width, thickness = _numbers(text, 3, "LENGTHxWIDTHxTHICKNESS in mm, such as 50x25x8")
    if not (10 <= length <= 200 and length / 4 <= width <= length and 0 < thickness <= width):
        raise argparse.ArgumentTypeError(f"{text!r} is no domino; give length, width, thickness such as 50x25x8")
    return length, width, thickness


def rectangle_mm(text: str) -> tuple[float, float, float, float]:
    x, y, width, height = _numbers(text, 4, "X,Y,WIDTH,HEIGHT in mm")
    if width <= 0 or height <= 0:
        raise argparse.ArgumentTypeError(f"{text!r}: width and height must be more than 0")
    return x, y, width, height


def run(options: argparse.Namespace) -> int:
    from table.shell.settings import load_settings
    from table.shell.table_looks import can_write, look_at, say_on_stderr

    settings = load_settings()
    if options.marker_mm is None:
        options.marker_mm = settings.table.marker_mm
    if options.tile_mm is None:
        options.tile_mm = settings.table.tile_mm or None
    if options.corners and not options.size_mm:
        raise Fault("--corners needs --size-mm WxH: measure between the corners with a ruler", WRONG_USAGE)
    if options.seats is not None and not 1 <= options.seats <= 8:
        raise Fault(f"--seats {options.seats}: there can be 1 to 8", WRONG_USAGE)
    if not 5 <= options.marker_mm <= 500:
        raise Fault(f"--marker-mm {options.marker_mm:g}: measure the side of a black square, in mm", WRONG_USAGE)
    refused = can_write(options.out)
    if refused:
        raise Fault(f"{refused}; name a folder that is yours with --out")
    lens = lens_of(options.lens) if options.lens else None
    wanted = lens.size_px if lens is not None else settings.camera.size_px
    if options.live and (options.image or options.video):
        raise Fault("--live goes with a camera: leave --image and --video out", WRONG_USAGE)
    name = options.camera or settings.camera.name or None
    live = _live(options, lens) if options.live else None
    looks = look_at(options.image, options.video, name, wanted, say_on_stderr, live)
    if lens is not None and lens.size_px != looks.size_px:
        raise Fault(
            f"--lens {options.lens}: belongs to {lens.size_px[0]}x{lens.size_px[1]} pictures, these are "
            f"{looks.size_px[0]}x{looks.size_px[1]}; measure the lens at the same size"
        )
    made = make_table(options, looks, lens)
    report = finished_report(made, looks)
    add_zones(made.table, options)
    findings = light(looks, made)
    if options.preview:
        write_preview(options.preview, looks, made)
    kept = save(options.out, made.table, report, options.force)
    if options.json:
        print(json.dumps(report_content(report, findings, kept), ensure_ascii=False))
    else:
        for line in report_lines(report, findings):
            print(line)
    if kept:
        raise Fault(kept)
    say_on_stderr(f"{options.out} is written; use it with --table {options.out}")
    return DONE if report.quality != "redo" else UNUSABLE


def _live(options: argparse.Namespace, lens: Lens | None) -> Callable[[LiveCamera], None]:
    """What looks through the camera before it is calibrated."""
    import numpy as np

    from calibration.registration import evidence
    from table.shell.corner_window import can_show
    from table.shell.live_quality import watch_live

    corners = None if options.corners is None else np.array(options.corners, np.float64)
    known = evidence(area_mm=options.size_mm, marker_mm=options.marker_mm, lens=lens, corners_px=corners)
    return lambda camera: watch_live(camera, known, can_show() and not options.no_window)


def lens_of(source: str) -> Lens:
    """The lens of a table.toml, or measured from the board. Raises Fault."""
    import numpy as np
    from msgspec import UNSET

    from calibration.lens import Lens
    from calibration.table_file import TableFileError, read_table
    from table.shell.table_looks import measure_lens, say_on_stderr

    if not source.endswith(".toml"):
        measured = measure_lens(source, say_on_stderr)
        say_on_stderr(
            f"lens: {measured.views} views, {100 * measured.coverage:.0f} % of the picture covered, "
            f"{measured.misfit_px:.2f} px left over"
        )
        return measured.lens
    try:
        camera = read_table(Path(source)).camera
    except TableFileError as fault:
        raise Fault(str(fault)) from fault
    if camera is UNSET or camera.matrix is UNSET:
        raise Fault(f"--lens {source}: has no [camera] with a matrix; give a video of the board")
    bend = (0.0,) * 5 if camera.distortion is UNSET else camera.distortion
    return Lens(camera.size_px, np.array(camera.matrix), np.array(bend))


def make_table(options: argparse.Namespace, looks: Looks, lens: Lens | None) -> Registration:
    """The table by the best means there is: corners given, markers, corners dragged, tiles. Raises Fault."""
    import numpy as np

    from calibration.registration import evidence, register
    from calibration.solve import NotEnough
    from table.shell.corner_window import can_show, drag_corners
    from table.shell.table_looks import find_tiles

    corners = None if options.corners is None else np.array(options.corners, np.float64)
    tile = options.tile_mm or (None, None, None)
    known = evidence(area_mm=options.size_mm, marker_mm=options.marker_mm, lens=lens, corners_px=corners, tile_mm=tile)
    known = replace(known, markers=looks.markers if len(looks.markers) == 4 else {})
    try:
        if corners is None and not known.markers:
            try:
                return register(looks.clearest, known)
            except NotEnough:
                pass
            if options.size_mm and not options.no_window and can_show():
                corners = drag_corners(looks.clearest, options.size_mm)
                known = replace(known, corners_px=corners)
        if corners is not None or not known.markers:
            known = replace(known, tiles_px=find_tiles(looks.clearest, lens))
        return register(looks.clearest, known)
    except NotEnough as fault:
        raise Fault(f"{looks.name}: {fault}") from fault


def finished_report(made: Registration, looks: Looks) -> Report:
    """The report with where and when, and a note when things moved."""
    from table.shell.table_looks import MOVED_PX

    report = made.report
    report.camera = looks.name
    report.made_at = datetime.now(UTC).isoformat(timespec="seconds")
    if looks.moved_px > MOVED_PX:
        report.notes += ("the markers moved while they were looked at: fix the camera and calibrate again",)
    return report


def add_zones(table: TableFile, options: argparse.Namespace) -> None:
    """Seats and boneyard as asked, so that a person finds lines to edit."""
    from calibration.table_file import Boneyard, even_seats

    if options.seats is not None:
        table.seats = even_seats(options.seats)
    if options.boneyard is not None:
        x, y, width, height = options.boneyard
        if not (x >= 0 and y >= 0 and x + width <= table.play_area.size_mm[0] + 1
                and y + height <= table.play_area.size_mm[1] + 1):  # fmt: skip
            size = "x".join(f"{v:g}" for v in table.play_area.size_mm)
            raise Fault(f"--boneyard: does not lie in the play area of {size} mm", WRONG_USAGE)
        table.boneyard = Boneyard((x, y, width, height))


def light(looks: Looks, made: Registration) -> list[Finding]:
    """What the light check says."""
    from calibration.light import check_picture

    before = looks.pictures[-2] if len(looks.pictures) > 1 else None
    plane = made.table.plane(looks.size_px)
    return check_picture(looks.clearest, plane, made.table.tile_mm()[0], before)


def write_preview(path: Path, looks: Looks, made: Registration) -> None:
    """The picture with the table drawn into it. Raises Fault."""
    import cv2
    from msgspec import UNSET

    from calibration.light import glare_spots
    from table.shell.table_picture import draw_table

    table = made.table
    plane = table.plane(looks.size_px)
    yard = None if table.boneyard is UNSET else table.boneyard.rect_mm
    picture = draw_table(
        looks.clearest, plane, table.seat_strips(), yard, made.markers, glare_spots(looks.clearest, plane)
    )
    try:
        written = cv2.imwrite(str(path), picture)
    except cv2.error:
        written = False
    if not written:
        raise Fault(f"{path}: the preview cannot be written; name a .jpg or .png in a folder that is yours")


def save(out: Path, table: TableFile, report: Report, force: bool) -> str | None:
    """Write table and report; the table before is kept beside them. Returns why nothing was written, or None."""
    from calibration.report import read_report, report_path, write_report
    from calibration.table_file import write_table

    if out.exists() and not force and report.quality == "redo":
        before = read_report(report_path(out))
        if before is None or before.quality != "redo":
            return (
                f"{out}: is kept, the new calibration is worse (about {report.error_mm[1]:.1f} mm); "
                "mend what is noted above and calibrate again, or use --force"
            )
    try:
        if out.exists():
            os.replace(out, out.with_name(out.stem + ".before.toml"))
        write_table(out, table)
        write_report(report_path(out), report)
    except OSError as fault:
        raise Fault(f"{out}: cannot be written ({fault.strerror}); name a folder that is yours with --out") from fault
    return None


def report_content(report: Report, findings: Sequence[Finding], kept: str | None) -> dict[str, object]:
    """The report for programs."""
    import msgspec

    light = [{"level": f.level, "what": f.what, "text": f.text} for f in findings]
    return {**msgspec.to_builtins(report), "quality": report.quality, "light": light, "written": kept is None}


def report_lines(report: Report, findings: Sequence[Finding]) -> list[str]:
    """The report for people."""
    words = {"good": "good", "usable": "usable", "redo": "not good enough: do it again"}
    width, height = report.area_mm
    lines = [
        f"{words[report.quality]}: places on the table are known to {report.error_mm[0]:.1f} mm "
        f"({report.error_mm[1]:.1f} mm at worst in 19 of 20)",
        f"  from {report.method}; play area {width:g} x {height:g} mm, "
        f"{100 * report.coverage:.0f} % of the {report.size_px[0]}x{report.size_px[1]} picture",
        f"  focal length {report.focal_px:.0f} px ({report.focal_source}), {report.misfit_px:.2f} px left over",
    ]
    lines += [f"  note: {note}" for note in report.notes]
    lines += [f"  {'note' if f.level == 'warning' else 'FAULT'}: {f.text}" for f in findings if f.level != "ok"]
    return lines
