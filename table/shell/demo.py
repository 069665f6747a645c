"""`dominoref demo`: referees the recording that comes with the program, and tells it as people at the table would."""

from __future__ import annotations

import argparse
import errno
import os
import sys
import tempfile
from importlib import resources
from pathlib import Path

from table.shell.faults import UNUSABLE, Fault, complain

GAME_OPTIONS = ("starter_method=first", "passes=announced")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "demo",
        help="referee the recording that comes with the program",
        description="Referee the recording that comes with the program, with a simulated board; ends by itself.",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the contact sheet goes (default: the cache)")
    parser.add_argument("--board", default="sim", metavar="none|sim|PORT", help="where the lights are shown")
    parser.add_argument("--speed", type=float, metavar="X", help="1 plays it as it was (default: as fast as it can)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from table.shell.contact_sheet import ContactSheet, Tapped
    from table.shell.narrate import Narrator
    from table.shell.progress import Progress
    from table.shell.replay import open_recording_or_fault, replay
    from vision.sources.recording import Recording

    out = _folder_for_output(options.out)
    with resources.as_file(resources.files("table").joinpath("demo")) as folder:
        found = open_recording_or_fault(folder)
        frames = Tapped(found.frames)
        progress = Progress("watching", frames.length)

        def say(sentence: str) -> None:
            progress.clear()
            print(painted(sentence), flush=True)

        sheet = ContactSheet(frames)
        narrator = Narrator(say, lights=True)
        options.game, options.option, options.seats, options.table = "block", list(GAME_OPTIONS), None, None
        options.events, options.until = str(out / "records.jsonl"), None
        status = replay(
            Recording(frames, found.table, found.inputs), options, [narrator, sheet], progress, sheet.set_table
        )
    print(f"the recording is over: {narrator.summary()}")
    picture = out / "contact-sheet.png"
    try:
        if sheet.write(picture):
            print(f"look at {picture}: every act, green when it may lie there, red when it may not")
    except OSError as fault:
        complain(f"{picture}: cannot be written ({fault.strerror})")
        status = UNUSABLE
    print(f"the records are in {options.events}")
    return status


def _folder_for_output(given: Path | None) -> Path:
    """The folder asked for; else the cache, or a temporary one where that cannot be written. Raises Fault."""
    out = given or cache_folder() / "demo"
    try:
        out.mkdir(parents=True, exist_ok=True)
        if not os.access(out, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as fault:
        if given is None:
            return Path(tempfile.mkdtemp(prefix="dominoref-demo-"))
        raise Fault(f"{out}: cannot be made or written ({fault.strerror}); name another folder with --out") from fault
    return out


def cache_folder() -> Path:
    """Where this program may keep what it can make again."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "dominoref"


def painted(sentence: str) -> str:
    """The sentence in colour where a person watches a terminal that has any, unless NO_COLOR is set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return sentence
    for mark, code in (("NOT ALLOWED", "31;1"), ("put right", "32"), ("[", "2"), ("->", "36"), ("note:", "33")):
        if mark in sentence:
            return f"\x1b[{code}m{sentence}\x1b[0m"
    return sentence
