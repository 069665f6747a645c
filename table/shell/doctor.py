"""`dominoref doctor`: looks at everything a game needs and says of each what is wrong and the one thing to do."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from table.shell.faults import DONE, UNUSABLE, Fault
from table.shell.health import Check, Health

if TYPE_CHECKING:
    from table.shell.settings import Settings


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "doctor",
        help="look for what is wrong with the set-up",
        description="Look at camera, picture, calibration, board, clock, disk and versions; say what is wrong.",
    )
    parser.add_argument("--camera", metavar="NAME|INDEX|PATH|URL|none", help="(default: the settings', else the first)")
    parser.add_argument("--table", type=Path, metavar="FILE", help="(default: the settings')")
    parser.add_argument("--board", metavar="auto|none|sim|PORT", help="(default: the settings', else auto)")
    parser.add_argument("--json", action="store_true", help="one JSON line a check")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from table.shell.progress import Progress

    progress = Progress("doctor", None)
    worst = DONE
    for done, health in enumerate(examine(options.camera, options.table, options.board), start=1):
        progress.clear()
        if health.level == "fault":
            worst = UNUSABLE
        if options.json:
            print(json.dumps(health.as_json(), ensure_ascii=False), flush=True)
        else:
            print(health.line(), flush=True)
        progress.step(done, health.what)
    progress.clear()
    return worst


def examine(camera: str | None, table: Path | None, board: str | None) -> Iterator[Health]:
    """All checks, one after another, each as soon as it is known."""
    from table.shell import health
    from table.shell.settings import Settings, load_settings

    yield from health.versions()
    settings = Settings()
    try:
        settings = load_settings()
        yield health.settings_file()
    except Fault as fault:
        yield Health("settings", "fault", str(fault), "mend the settings file")
    yield from health.eye()
    for check in _gear(settings, camera, table, board):
        yield from check()
    yield from health.clock()
    yield from health.disk()


def _gear(settings: Settings, camera: str | None, table: Path | None, board: str | None) -> Iterator[Check]:
    from functools import partial

    from table.shell import health_gear

    wanted = camera or settings.camera.name or None
    path = table or settings.table_path()
    yield partial(health_gear.camera_and_table, wanted, path, settings.camera.size_px)
    yield partial(health_gear.board, board or settings.board.port)
