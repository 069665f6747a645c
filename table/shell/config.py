"""`dominoref config`: the settings that apply, and what each of them means."""

from __future__ import annotations

import argparse
import sys

from table.shell.faults import DONE, Fault


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "config",
        help="show the settings and what they mean",
        description="Show the settings that apply. They lie in one file; the command line goes before it.",
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--explain", action="store_true", help="every key with its meaning, unit, range and value")
    choice.add_argument("--write", action="store_true", help="write that as the settings file, if there is none yet")
    choice.add_argument("--path", action="store_true", help="print where the file is, or would be")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from table.shell.settings import explained, load_settings, settings_path

    path = settings_path()
    if options.path:
        print(path)
    elif options.write:
        if path.exists():
            raise Fault(f"{path}: exists already and is left as it is; edit it, or move it away")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(explained(), encoding="utf-8")
        except OSError as fault:
            raise Fault(f"{path}: cannot be written ({fault.strerror}); check who owns the folder") from fault
        print(f"{path} is written; edit it", file=sys.stderr)
    else:
        settings = load_settings() if path.exists() else None
        text = explained(settings)
        if not options.explain:
            text = "\n".join(line for line in text.splitlines() if line and not line.startswith("#")) + "\n"
        print(text, end="")
        state = "" if path.exists() else " (not there: these are the defaults)"
        print(f"dominoref: settings file: {path}{state}", file=sys.stderr)
    return DONE
