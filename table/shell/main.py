"""`dominoref`: one command with sub-commands. Parses, runs one, and turns every fault into one line and an exit status.

Each command is a module of this room with `add_parser(subparsers)` and `run(options) -> int`; it is imported only when
it is used, so that asking for the version does not wait for the picture library.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from table.shell.faults import DONE, UNUSABLE, WRONG_USAGE, Fault, complain, one_line
from table.shell.streams import drop_output, ready_home, ready_streams

COMMANDS = {
    "count": "table.shell.count",
    "replay": "table.shell.replay",
    "play": "table.shell.play",
    "demo": "table.shell.demo",
    "history": "table.shell.history",
    "games": "table.shell.games",
    "check": "table.shell.check",
    "score": "table.shell.score",
    "board": "table.shell.board",
    "markers": "table.shell.markers",
    "calibrate": "table.shell.calibrate",
    "cameras": "table.shell.cameras",
    "doctor": "table.shell.doctor",
    "config": "table.shell.config",
}
"""Each command's module, in the order of the help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status of the contract."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # The picture library's own notes about broken files would come before our one line.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    ready_streams()
    ready_home()
    try:
        status = _run(given)
        sys.stdout.flush()
        return status
    except Fault as fault:
        complain(fault)
        return fault.status
    except KeyboardInterrupt:
        complain("interrupted")
        return 130
    except BrokenPipeError:
        drop_output()
        return DONE
    except MemoryError:
        complain("there is not enough memory for this; close other programs or use smaller pictures")
    except ImportError as fault:
        if (fault.name or "").partition(".")[0] in ("calibration", "table", "vision"):
            raise
        complain(f"a library cannot be loaded ({fault}); install dominoref again")
    except OSError as fault:
        what = f"{fault.filename or 'the output'}: {fault.strerror or fault}"
        if fault.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
            drop_output()
            complain(f"{what}; free some space: nothing more is written")
        else:
            complain(f"{what}; check that it is there and that you may use it")
    return UNUSABLE


def _run(given: Sequence[str]) -> int:
    try:
        options = _parser(given).parse_args(given)
    except SystemExit as end:  # help or the version was printed, or the usage was wrong and that was said
        return end.code if isinstance(end.code, int) else DONE
    status: int = options.run(options)
    return status


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the usage in one line; the rest is in the help."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        line = f"{self.prog}: {one_line(message)}; see `{self.prog} --help`\n"
        self.exit(WRONG_USAGE, line)


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(prog="dominoref", description="A referee for real dominoes on a real table.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print what a bug report needs")
    if given[:1] == ["--version"]:
        return parser
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    named = next((word for word in given if not word.startswith("-")), None)
    for name in [named] if named in COMMANDS else COMMANDS:
        importlib.import_module(COMMANDS[str(name)]).add_parser(subparsers)
    return parser


class _Version(argparse.Action):
    """Prints the versions without importing what they belong to."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from table.shell.version import version_text

        print(version_text())
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
