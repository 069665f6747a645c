"""`dominoref count`: reads single pictures of dominoes and counts their pips."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table.shell.faults import DONE, UNUSABLE, WRONG_USAGE, Fault, complain, one_line

if TYPE_CHECKING:
    from table.shell.table_setup import TableSetup
    from vision.sighting import Sighting
    from vision.sources.pictures import Image

FLOOR_PX = 30
"""Tiles shorter than this in a picture are not read reliably."""

SETS = ("auto", "double-six", "double-nine", "double-twelve", "chinese")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "count",
        help="read the tiles in pictures and count their pips",
        description="Read the tiles in pictures and count their pips. No calibration is needed.",
    )
    parser.add_argument("images", metavar="IMAGE", type=Path, nargs="+")
    parser.add_argument("--set", choices=SETS, default="auto", help="which tiles there are (default: auto)")
    parser.add_argument("--table", type=Path, metavar="FILE", help="table.toml: report the play area and the seats")
    parser.add_argument("--overlay", type=Path, metavar="FILE|DIR", help="write the pictures with what was read")
    parser.add_argument("--json", action="store_true", help="one JSON line a picture")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from vision.sources.pictures import SourceError, read_picture

    status, reports = DONE, []
    counter = _Counter(options)
    for path in options.images:
        try:
            image = read_picture(path)
            report = counter.report(path, image)
        except (SourceError, Fault) as fault:
            complain(fault)
            report = {"image": str(path), "error": str(fault)}
            status = UNUSABLE
        reports.append(report)
        if options.json:
            print(json.dumps(report, ensure_ascii=False), flush=True)
        elif "error" not in report:
            _print_for_people(report)
    counted = [report["pips"] for report in reports if "error" not in report]
    if not options.json and len(counted) > 1:
        print(f"all pictures: {sum(counted)} pips")
    return status


class _Counter:
    """Reads pictures one after another with the same eye."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._table = None
        if options.table is not None:
            from calibration.table_file import TableFileError, read_table

            try:
                self._table = read_table(options.table)
            except TableFileError as fault:
                raise Fault(str(fault)) from fault
        if options.overlay is not None and len(options.images) > 1 and options.overlay.suffix:
            raise Fault(f"--overlay {options.overlay}: name a folder for more than one picture", WRONG_USAGE)

    def report(self, path: Path, image: Image) -> dict[str, Any]:
        """The contract's line for one picture. Raises Fault."""
        from vision.eye import Eye

        setup = self._setup(image)
        plane, tile_mm = (setup.plane, setup.tile_mm) if setup else (None, None)
        set_name = self._options.set
        if setup and setup.set_name and set_name == "auto":
            set_name = setup.set_name
        sightings = Eye(set_name, plane, tile_mm).look(image)
        if setup:
            sightings = [s for s in sightings if s.pose and setup.plane.contains(s.pose.x_mm, s.pose.y_mm)]
        tiles = [_tile(seen) for seen in sightings]
        report: dict[str, Any] = {
            "image": str(path),
            "set": set_name if set_name != "auto" else smallest_set([s.tile for s in sightings]),
            "pips": sum(_pips(s.tile) for s in sightings),
            "tiles": tiles,
        }
        if setup:
            _add_seats(report, tiles, sightings, setup)
        if self._options.overlay is not None:
            self._draw(path, image, sightings)
        return report

    def _setup(self, image: Image) -> TableSetup | None:
        if self._table is None:
            return None
        from table.shell.table_setup import setup_from_file

        return setup_from_file(self._table, (image.shape[1], image.shape[0]), None, str(self._options.table))

    def _draw(self, path: Path, image: Image, sightings: Sequence[Sighting]) -> None:
        import cv2

        from table.shell.overlay import draw_sightings

        target: Path = self._options.overlay
        if not target.suffix or target.is_dir():
            try:
                target.mkdir(parents=True, exist_ok=True)
            except OSError as fault:
                raise Fault(f"{target}: cannot be made ({fault.strerror}); name another folder") from fault
            target = target / f"{path.stem}.overlay.jpg"
        try:
            written = cv2.imwrite(str(target), draw_sightings(image, sightings))
        except cv2.error:
            written = False
        if not written:
            raise Fault(f"{target}: the overlay cannot be written; name a .jpg or .png in a folder that is yours")


def _tile(seen: Sighting) -> dict[str, Any]:
    tile: dict[str, Any] = {
        "tile": seen.tile,
        "face": seen.face,
        "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in seen.quad_px],
        "confidence": round(seen.confidence, 4),
    }
    if seen.alternatives:
        tile["alternatives"] = [[name, round(share, 4)] for name, share in seen.alternatives]
    return tile


def _add_seats(
    report: dict[str, Any], tiles: list[dict[str, Any]], sightings: Sequence[Sighting], setup: TableSetup
) -> None:
    from table.events import zone_of

    where = setup.as_events()
    pips = dict.fromkeys(range(len(setup.strips)), 0)
    for tile, seen in zip(tiles, sightings, strict=True):
        assert seen.pose is not None
        x, y = seen.pose.x_mm, seen.pose.y_mm
        tile["at"] = {"x_mm": round(x, 2), "y_mm": round(y, 2), "angle_deg": round(seen.pose.angle_deg % 360, 2)}
        tile["seat"] = zone_of(x, y, where)
        if tile["seat"] is not None:
            pips[tile["seat"]] += _pips(seen.tile)
    report["seats"] = [{"seat": seat, "pips": count} for seat, count in pips.items()]


def _pips(tile: str) -> int:
    return 0 if tile == "?" else sum(map(int, tile.split("-")))


def smallest_set(tiles: Sequence[str]) -> str:
    """The smallest Western set that holds all these tiles."""
    most = max((int(tile.split("-")[0]) for tile in tiles if tile != "?"), default=0)
    return "double-six" if most <= 6 else "double-nine" if most <= 9 else "double-twelve"


def _print_for_people(report: dict[str, Any]) -> None:
    up = [t for t in report["tiles"] if t["face"] == "up"]
    print(f"{one_line(report['image'])}: {len(up)} tile{'s' * (len(up) != 1)}, {report['pips']} pips ({report['set']})")
    for tile in sorted(up, key=lambda t: [-int(n) for n in t["tile"].split("-")]):
        doubt = "" if tile["confidence"] >= 0.95 else f"  sure to {100 * tile['confidence']:.0f} %"
        others = ", ".join(name for name, _ in tile.get("alternatives", [])[:2])
        print(f"  {tile['tile']:>5} {_pips(tile['tile']):3d} pips{doubt}{f', or {others}' if doubt and others else ''}")
    for face, words in (("down", "face down"), ("unclear", "seen, but not to be read: look at the picture")):
        count = sum(t["face"] == face for t in report["tiles"])
        if count:
            print(f"  {count} {words}")
    length = _usual_length_px(report["tiles"])
    if length is None:
        print(f"  no tiles found; they are read best when they are {FLOOR_PX} px long or more in the picture")
    elif length < FLOOR_PX:
        print(f"  the tiles are only {length:.0f} px long; below {FLOOR_PX} px readings are doubtful: go nearer")
    for seat in report.get("seats", []):
        print(f"  seat {seat['seat'] + 1}: {seat['pips']} pips")


def _usual_length_px(tiles: Sequence[dict[str, Any]]) -> float | None:
    """The middle one of the tiles' lengths in the picture, None without tiles."""
    lengths = sorted((math.dist(q[0], q[1]) + math.dist(q[2], q[3])) / 2 for q in (t["quad"] for t in tiles))
    return lengths[len(lengths) // 2] if lengths else None
