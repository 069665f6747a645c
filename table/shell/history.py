"""`dominoref history`: the matches kept on this machine; show, explain, write down or delete one."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime

from table.shell.faults import DONE, UNUSABLE, Fault


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "history",
        help="the matches kept on this machine",
        description="List the matches kept on this machine; show, explain, write down or delete one.",
    )
    parser.add_argument("id", nargs="?", metavar="ID", help="which one to tell")
    parser.add_argument("--json", action="store_true", help="its records as JSON Lines")
    parser.add_argument("--record", action="store_true", help="as a game record, which `dominoref check` reads")
    parser.add_argument("--why", type=int, metavar="N", help="why its record N was made")
    parser.add_argument("--delete", metavar="ID", help="delete a match and its pictures")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from table.journal.journal import JournalError
    from table.journal.matches import delete_match, kept_match

    try:
        if options.delete is not None:
            delete_match(options.delete)
            print(f"deleted {options.delete}")
            return DONE
        if options.id is None:
            return _list()
        match = kept_match(options.id)
        records = match.records()
    except JournalError as fault:
        raise Fault(str(fault)) from fault
    if not records:
        raise Fault(f"{options.id}: holds no records; `dominoref history --delete {options.id}` removes it")
    if options.json:
        sys.stdout.buffer.write(match.journal.read_bytes())
    elif options.record:
        from table.notation.writing import record_of

        print(record_of(records), end="")
    elif options.why is not None:
        from table.shell.why import why_text

        print("\n".join(why_text(records, options.why, match.crops)))
    else:
        from table.shell.narrate import Narrator

        narrator = Narrator(print)
        narrator(records)
        print(narrator.summary())
    return DONE


def _list() -> int:
    from table import events
    from table.journal.journal import JournalError
    from table.journal.matches import is_over, kept_matches, matches_folder

    status, matches = DONE, kept_matches()
    if not matches:
        print(f"no matches are kept in {matches_folder()}")
    for match in matches:
        try:
            records = match.records()
        except JournalError as fault:
            print(f"dominoref: {fault}", file=sys.stderr)
            status = UNUSABLE
            continue
        first = records[0] if records else None
        if not isinstance(first, events.Match):
            print(f"{match.id}  (empty)")
            continue
        totals = next((r.totals for r in reversed(records) if isinstance(r, events.RoundEnded)), ())
        when = datetime.fromisoformat(first.started_at).astimezone() if first.started_at else None
        over = "ended" if is_over(records) else "not ended"
        score = f"totals {', '.join(map(str, totals))}" if totals else "no round ended"
        shown = f"{when:%Y-%m-%d %H:%M}" if when else "?"
        print(f"{match.id}  {shown}  {first.game}, {first.seats} seats, {over}, {score}")
    return status
