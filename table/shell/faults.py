"""Faults for people: one line that says what, where and what to do, and the exit status that goes with it."""

from __future__ import annotations

DONE, UNUSABLE, WRONG_USAGE, VIOLATIONS = 0, 1, 2, 3
"""Exit statuses of the contract; 130 is an interruption."""


class Fault(Exception):
    """Ends the command with its text as the one line on stderr."""

    def __init__(self, text: str, status: int = UNUSABLE) -> None:
        super().__init__(text)
        self.status = status
