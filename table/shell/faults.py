"""Faults for people: one line that says what, where and what to do, and the exit status that goes with it."""

from __future__ import annotations

import sys

DONE, UNUSABLE, WRONG_USAGE, VIOLATIONS = 0, 1, 2, 3
"""Exit statuses of the contract; 130 is an interruption."""


class Fault(Exception):
    """Ends the command with its text as the one line on stderr."""

    def __init__(self, text: str, status: int = UNUSABLE) -> None:
        super().__init__(text)
        self.status = status


def complain(text: object) -> None:
    """Say a fault on stderr, in one line."""
    print(f"dominoref: {one_line(str(text))}", file=sys.stderr)


def one_line(text: str) -> str:
    """The text with line breaks and other control characters written out: names of files may hold anything."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)
