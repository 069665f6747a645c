"""`dominoref check`: referee and score a game that was written down. The text form is docs/notation.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from table.events import Advice, Hand, MatchEnded, Record, RoundEnded, Violation, encode
from table.notation import GameRecord, NotationError, read_record
from table.notation.facts import Step, match_of, steps_of
from table.referee import Referee
from table.referee.messages import clock
from table.shell.faults import DONE, UNUSABLE, VIOLATIONS, Fault
from table.shell.version import program_version

HELP = """\
A record looks like this; docs/notation.md of the source tells all of it:

    [Game "block"]
    [Players "Ana, Ben"]
    [Options "starter_method=first"]

    Round 1
    1. Ana: 6-6
    2. Ben: 6-4 on 6        ; on an open 6
    3. Ana: passes
    4. Ben: 4-4, done
    Ana: shows 5-3 2-2      ; the rest of the hand at the end
    Score: Ana 0, Ben 12

Exit status: 0 nothing wrong, 1 the record can't be read or followed to its end, 3 it holds violations.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "check",
        help="referee and score a game that was written down",
        description="Referee and score a game that was written down as text.",
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("record", metavar="RECORD", help="a text file; - reads standard input")
    parser.add_argument(
        "--json", action="store_true", help="the referee's records, a JSON line each, as replay gives them"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    name = "standard input" if options.record == "-" else options.record
    try:
        record = read_record(_text(options.record, name))
        checked = Checked(record)
        referee = Referee(replace(match_of(record), version=program_version()))
    except ValueError as fault:
        raise Fault(f"{name}: {fault}") from None
    stopped: NotationError | None = None
    try:
        for records in _refereed(referee, record, checked):
            checked.heard(records)
            if options.json:
                _json(records)
    except NotationError as fault:
        stopped = fault
    if not options.json:
        print("\n".join(checked.report()))
    for contradiction in checked.contradictions:
        print(f"dominoref: {name}: {contradiction}", file=sys.stderr)
    if stopped is not None:
        raise Fault(f"{name}: {stopped}")
    if checked.violations:
        return VIOLATIONS
    return UNUSABLE if checked.contradictions else DONE


def _text(path: str, name: str) -> str:
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except OSError as fault:
        raise Fault(f"{name}: can't be read: {fault.strerror or fault}") from None
    except UnicodeDecodeError:
        raise Fault(f"{name}: is no text in UTF-8; a game record is plain text, see docs/notation.md") from None


def _json(records: Sequence[Record]) -> None:
    for record in records:
        sys.stdout.buffer.write(encode(record) + b"\n")
    sys.stdout.buffer.flush()


def _refereed(referee: Referee, record: GameRecord, checked: Checked) -> Iterator[list[Record]]:
    """The referee's records, some for each line of the game."""
    yield referee.begin()
    t = 0.0
    for step in steps_of(record):
        t = step.t
        checked.now(step)
        if step.round_starts and not checked.ready:
            raise NotationError(
                f"round {checked.rounds} has no result yet; write what each hand shows before the next", step.line
            )
        said: list[Record] = []
        for fact in step.facts:
            said += referee.take(fact)
        said += referee.tick(t)
        yield said
        if step.round_ends:
            checked.round_is_over(step)
    yield referee.finish(t)
    checked.all_is_over()


@dataclass
class Checked:
    """What people want to know of a refereed game."""

    record: GameRecord
    violations: dict[int, Violation] = field(default_factory=dict)  # the last word on each, by its number
    contradictions: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    _line_at: dict[float, int] = field(default_factory=dict)
    _hands: dict[int, Hand] = field(default_factory=dict)
    _ended: list[RoundEnded] = field(default_factory=list)
    _written: list[Step] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        """Rounds written so far."""
        return len(self._written)

    @property
    def ready(self) -> bool:
        """Every round so far has its result."""
        return len(self._ended) >= self.rounds

    def now(self, step: Step) -> None:
        if not step.round_starts:
            self._line_at[step.t] = step.line

    def heard(self, records: Sequence[Record]) -> None:
        for record in records:
            if isinstance(record, Violation):
                self._violation(record)
            elif isinstance(record, Advice):
                self.lines.append(f"  {self.where(record.t)}{self._by_lines(record)} ({record.code})")
            elif isinstance(record, Hand):
                self._hands[record.seat] = record
            elif isinstance(record, RoundEnded):
                self._ended.append(record)
                self.lines += self._round(record)
            elif isinstance(record, MatchEnded):
                who = " and ".join(map(self.record.label, record.winners))
                self.lines.append(f"The match goes to {who}.")

    def _violation(self, violation: Violation) -> None:
        new = violation.number not in self.violations
        if violation.status == "withdrawn":
            self.violations.pop(violation.number, None)
        else:
            self.violations[violation.number] = violation
        if new:
            self.lines.append(f"  {self.where(violation.about)}{self._said(violation)} ({violation.code})")

    def where(self, t: float) -> str:
        line = self._line_at.get(t)
        return f"line {line}: " if line else ""

    def _said(self, violation: Violation) -> str:
        """The sentence, with who did it; the line stands before it, so the time of it is left out."""
        if "times" in violation.args:
            message = self._by_lines(violation)
        else:
            message = violation.message.replace(f" at {clock(violation.about)}", "")
        who = None if violation.seat is None else self.record.label(violation.seat)
        return message if who is None or message.lower().startswith(who.lower()) else f"{who}: {message}"

    def _by_lines(self, record: Violation | Advice) -> str:
        """The sentence, in which lines stand for the times of a recording."""
        message = record.message
        for t in [*record.args.get("times", ()), *([record.args["t"]] if "t" in record.args else [])]:
            if t in self._line_at:
                message = message.replace(f"at {clock(t)}", f"in line {self._line_at[t]}")
                message = message.replace(f"or {clock(t)}", f"or in line {self._line_at[t]}")
        return message

    def _round(self, ended: RoundEnded) -> Iterator[str]:
        how = {
            "out": "out",
            "blocked": "blocked",
            "last_trick": "the last trick is played",
            "redeal": "to be dealt again",
            "abandoned": "given up",
        }[ended.reason]
        winner = "nobody wins" if ended.winner is None else f"{self.record.label(ended.winner)} wins"
        yield f"Round {len(self._ended)}: {how}, {winner}."
        for seat in range(self.record.seats):
            hand = self._hands.get(seat)
            held = f"  {hand.pips:3d} in hand  {' '.join(hand.tiles)}" if hand is not None else ""
            total = f"{ended.totals[seat]:5d} in all" if len(self._ended) > 1 else ""
            yield f"  {self.record.label(seat):12} {ended.scores[seat]:+4d}{total}{held}".rstrip()
        self._hands.clear()

    def round_is_over(self, step: Step) -> None:
        self._written.append(step)

    def all_is_over(self) -> None:
        """Compare the scores that were written down with those that were counted."""
        for number, step in enumerate(self._written):
            if number >= len(self._ended):
                if step.points is not None:
                    self.contradictions.append(
                        f"line {step.line}: round {number + 1} has no result yet; write what each hand shows"
                    )
            elif step.points not in (None, self._ended[number].scores):
                counted = self._ended[number].scores
                shares = ", ".join(f"{self.record.label(seat)} {points}" for seat, points in enumerate(counted))
                self.contradictions.append(f"line {step.line}: the score of round {number + 1} is {shares}")

    def report(self) -> Iterator[str]:
        yield from self.lines
        if self.record.game == "free":
            yield "Nothing is judged without rules."
            return
        if len(self._ended) < len(self.record.rounds):
            yield f"Round {len(self._ended) + 1} is not finished."
        open_still = [violation for violation in self.violations.values() if violation.status == "open"]
        count = len(self.violations)
        if not count:
            yield "No violations."
            return
        noun = "violation" if count == 1 else "violations"
        yield f"{count} {noun}, {len(open_still)} of them never put right." if open_still else f"{count} {noun}."
