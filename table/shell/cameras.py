"""`dominoref cameras`: which cameras there are, by names and paths that last, and what each really delivers."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from table.shell.faults import DONE, UNUSABLE, Fault

if TYPE_CHECKING:
    from vision.sources.camera_names import CameraDevice, CameraTarget
    from vision.sources.captures import Capture

MEASURE_S = 1.5
"""How long each camera is watched to see what rate it really gives."""
SIZES_PX = ((640, 480), (1280, 720), (1920, 1080))
"""Asked of a camera with --sizes; drivers that have none of these give what they like."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "cameras",
        help="list the cameras and what they deliver",
        description="List the cameras: a name and a path that stay the same, and what each really delivers.",
    )
    parser.add_argument("--camera", metavar="NAME|INDEX|PATH|URL", help="only this one, or an address")
    parser.add_argument("--no-open", action="store_true", help="do not open them, only list them")
    parser.add_argument("--sizes", action="store_true", help="ask each for several picture sizes")
    parser.add_argument("--json", action="store_true", help="one JSON line a camera")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from vision.sources.camera_names import CameraFault, find_camera, list_cameras

    cameras = list_cameras()
    if options.camera is not None:
        try:
            targets = [find_camera(options.camera, cameras)]
        except CameraFault as fault:
            raise Fault(str(fault)) from fault
    else:
        targets = [_target(camera) for camera in cameras]
    if not targets:
        if not sys.platform.startswith("linux"):
            raise Fault("this system does not name its cameras; try --camera 0, --camera 1, ...")
        raise Fault(
            "no camera is plugged in; a network camera is named by its address (--camera http://...), "
            "a Raspberry Pi's own by --camera pi"
        )
    status = DONE
    for target in targets:
        line = _described(target, next((c for c in cameras if c.lasting == target.where), None))
        if not options.no_open:
            line.update(measured(target, SIZES_PX if options.sizes else (None,)))
        if "fault" in line:
            status = UNUSABLE
        if options.json:
            print(json.dumps(line, ensure_ascii=False))
        else:
            _print(line)
    return status


def _target(camera: CameraDevice) -> CameraTarget:
    from vision.sources.camera_names import CameraTarget

    return CameraTarget("device", camera.lasting, camera.name, camera.index)


def _described(target: CameraTarget, camera: CameraDevice | None) -> dict[str, Any]:
    line: dict[str, Any] = {"name": target.shown, "kind": target.kind}
    if camera is not None:
        line.update(index=camera.index, device=camera.device)
    line["path"] = target.shown if target.kind == "address" else target.where
    return line


def measured(target: CameraTarget, sizes: tuple[tuple[int, int] | None, ...]) -> dict[str, Any]:
    """What the camera delivers at each size, or the fault that keeps us from it."""
    from vision.sources.camera_names import CameraFault
    from vision.sources.cameras import DEFAULT_SIZE_PX, LiveCamera

    modes: list[dict[str, Any]] = []
    for size in sizes:
        asked = size or DEFAULT_SIZE_PX
        try:
            # Another size than the one asked for is no fault here, it is what we want to know.
            with LiveCamera(target, None, partial(_open_at, asked)) as camera:
                while camera.now() < MEASURE_S and not camera.ended:
                    camera.newest(0.2)
                settings = camera.settings
                mode = {
                    "asked_px": settings.asked_px, "size_px": settings.size_px, "said_hz": settings.rate_hz,
                    "measured_hz": round(camera.measured_rate_hz(), 1), "coding": settings.coding,
                    "backend": settings.backend,
                }  # fmt: skip
        except CameraFault as fault:
            return {"fault": str(fault)}
        if mode["size_px"] not in [m["size_px"] for m in modes]:
            modes.append(mode)
    return {"modes": modes}


def _open_at(asked: tuple[int, int], target: CameraTarget, _: tuple[int, int] | None) -> Capture:
    from vision.sources.captures import open_capture

    return open_capture(target, asked)


def _print(line: dict[str, Any]) -> None:
    number = f"{line['index']}: " if "index" in line else ""
    print(f"{number}{line['name']}")
    print(f"   --camera '{line['path']}'")
    for mode in line.get("modes", []):
        width, height = mode["size_px"]
        said = f" (it says {mode['said_hz']:g})" if mode["said_hz"] else ""
        coding = f", {mode['coding']}" if mode["coding"] else ""
        print(f"   {width}x{height}, {mode['measured_hz']:g} pictures a second{said}{coding}")
    if "fault" in line:
        print(f"   FAULT: {line['fault']}")
