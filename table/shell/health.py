"""Checks of the program and the machine it runs on, for `dominoref doctor`; the gear's are in `health_gear`."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

Level = Literal["ok", "warning", "fault"]
OLDEST_PYTHON = (3, 11)
PROGRAM_WRITTEN = 1764374400
"""2025-11-29 as seconds since 1970: a clock before this has not been set."""
LITTLE_DISK_MB, NO_DISK_MB = 500, 50


@dataclass(frozen=True, slots=True)
class Health:
    """One thing looked at."""

    what: str
    level: Level
    text: str
    """What was found."""
    advice: str = ""
    """The one thing to do; empty when all is well."""

    def line(self) -> str:
        """For people."""
        sign = {"ok": "ok     ", "warning": "WARNING", "fault": "FAULT  "}[self.level]
        return f"{sign} {self.what}: {self.text}" + (f"\n        -> {self.advice}" if self.advice else "")

    def as_json(self) -> dict[str, str]:
        """For programs."""
        return {"check": self.what, "level": self.level, "text": self.text, "advice": self.advice}


Check = Callable[[], Iterator[Health]]


def versions() -> Iterator[Health]:
    """Python and the libraries."""
    from table.shell.version import LIBRARIES, program_version

    here = (
        f"dominoref {program_version()}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    )
    if sys.version_info < OLDEST_PYTHON:
        yield Health("versions", "fault", here, "install Python 3.11 or newer")
        return
    missing = [name for name in LIBRARIES if _version(name) is None]
    # A system's own OpenCV serves as well as the package.
    if "opencv-python" in missing and _imports("cv2"):
        missing.remove("opencv-python")
    if missing:
        yield Health("versions", "fault", f"{here}; missing: {', '.join(missing)}", "install dominoref again")
    elif sum(_version(f"opencv-{kind}") is not None for kind in _OPENCVS) > 1:
        both = " and ".join(f"opencv-{kind}" for kind in _OPENCVS if _version(f"opencv-{kind}"))
        yield Health("versions", "warning", f"{both} overwrite each other", "uninstall both, install opencv-python")
    else:
        libraries = ", ".join(f"{name} {_version(name) or '?'}" for name in LIBRARIES)
        yield Health("versions", "ok", f"{here}; {libraries}")


_OPENCVS = ("python", "python-headless", "contrib-python", "contrib-python-headless")


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _imports(name: str) -> bool:
    try:
        __import__(name)
    except ImportError:
        return False
    return True


def settings_file() -> Health:
    """Whether there is one; that it can be read is checked by whoever reads it."""
    from table.shell.settings import settings_path

    path = settings_path()
    return Health("settings", "ok", str(path) if path.exists() else f"defaults ({path} is not there)")


def eye() -> Iterator[Health]:
    """The trained networks are there and run."""
    begun = time.perf_counter()
    try:
        import numpy as np

        from vision.eye import Eye

        seen = Eye("auto")
        begun = time.perf_counter()
        seen.look(np.full((360, 640, 3), 90, np.uint8))
    except Exception as fault:
        yield Health("eye", "fault", f"cannot look at a picture ({fault})", "install dominoref again")
        return
    spent_ms = 1000 * (time.perf_counter() - begun)
    yield Health("eye", "ok", f"looks at a small picture in {spent_ms:.0f} ms")


def clock(now: float | None = None) -> Iterator[Health]:
    """The wall clock stands in each match's first record; the game itself does not need it."""
    seconds = time.time() if now is None else now
    shown = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
    if seconds < PROGRAM_WRITTEN:
        yield Health("clock", "warning", f"says {shown}", "set the clock: `sudo timedatectl set-ntp true`")
    elif _synchronised() is False:
        yield Health("clock", "warning", f"{shown}, not set by the network", "`sudo timedatectl set-ntp true`")
    else:
        yield Health("clock", "ok", shown)


def _synchronised() -> bool | None:
    """Whether the system sets its clock by the network; None where it cannot be asked."""
    if shutil.which("timedatectl") is None:
        return None
    try:
        answer = subprocess.run(
            ["timedatectl", "show", "-p", "NTPSynchronized", "--value"],
            capture_output=True, text=True, timeout=3, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(answer.stdout.strip())


def disk(folder: Path | None = None) -> Iterator[Health]:
    """Room and right to write where matches are kept."""
    from table.journal.matches import matches_folder

    where = folder or matches_folder()
    near = where
    while not near.exists() and near != near.parent:
        near = near.parent
    try:
        with tempfile.TemporaryFile(dir=near):
            pass
    except OSError as fault:
        owner = f"`sudo chown -R {os.environ.get('USER', '$USER')} {near}`"
        yield Health("disk", "fault", f"{near} cannot be written to ({fault.strerror})", owner)
        return
    free_mb = shutil.disk_usage(near).free // 2**20
    text = f"{free_mb} MB free for matches in {where}"
    if free_mb < NO_DISK_MB:
        yield Health("disk", "fault", text, "make room: `dominoref history` lists old matches, --delete removes one")
    elif free_mb < LITTLE_DISK_MB:
        yield Health("disk", "warning", text, "make room before you record a game")
    else:
        yield Health("disk", "ok", text)
