"""`dominoref`: one command with sub-commands. Parses, runs one, and turns every fault into one line and an exit status.

Each command is a module of this room with `add_parser(subparsers)` and `run(options) -> int`; it is imported only when
it is used, so that asking for the version does not wait for the picture library.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from table.shell.faults import Fault

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
}
"""Each command's module, in the order of the help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status of the contract."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # The picture library's own notes about broken files would come before our one line.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    try:
        options = _parser(given).parse_args(given)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except Fault as fault:
        print(f"dominoref: {fault}", file=sys.stderr)
        return fault.status
    except KeyboardInterrupt:
        print("dominoref: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone; the interpreter must not complain about it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as fault:
        print(f"dominoref: {fault.filename or 'output'}: {fault.strerror}; nothing more is written", file=sys.stderr)
        return 1


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dominoref", description="A referee for real dominoes on a real table.", allow_abbrev=False
    )
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
