"""What a program is started with: streams that can be relied on, and a home."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path


def ready_streams() -> None:
    """Open what was closed and let nothing that is printed fail on its letters.

    A descriptor 1 or 2 that is closed would be given to the next file that is opened, and prints would go into it.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Other programs are promised UTF-8; a terminal gets what it can show.
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def ready_home() -> None:
    """Let a user without a home folder (a container's number without a name) be one whose home cannot be written."""
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = "/nonexistent"


def drop_output() -> None:
    """Whoever read stdout has gone or its disk is full: the interpreter must not complain about it again at exit."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.close(devnull)
