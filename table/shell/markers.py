"""`dominoref markers`: the sheet to print, with corner markers, a ruler and the board that measures the lens."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from table.shell.faults import DONE, WRONG_USAGE, Fault


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "markers",
        help="make the sheet of corner markers to print",
        description="Make a sheet to print at 100 %: four corner markers, a ruler, and a board to measure the lens.",
    )
    parser.add_argument(
        "--out", type=Path, default=Path("markers.pdf"), metavar="FILE", help="FILE.pdf, .svg or .png (markers.pdf)"
    )
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="(default: a4)")
    parser.add_argument(
        "--marker-mm", type=float, default=40.0, metavar="MM", help="side of a corner marker, 15 to 40 (default: 40)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from calibration.sheet import marker_sheet
    from calibration.sheet_files import WRITERS

    ending = options.out.suffix.lower()
    if ending not in WRITERS:
        raise Fault(f"--out {options.out}: the name must end in .pdf, .svg or .png", WRONG_USAGE)
    try:
        sheet = marker_sheet(options.paper, options.marker_mm)
    except ValueError as fault:
        raise Fault(f"--marker-mm: {fault}", WRONG_USAGE) from fault
    try:
        options.out.write_bytes(WRITERS[ending](sheet))
    except OSError as fault:
        raise Fault(f"{options.out}: cannot be written ({fault.strerror}); name a folder that is yours") from fault
    print(f"{options.out}: print at 100 % and measure the ruler; then `dominoref calibrate`", file=sys.stderr)
    return DONE
