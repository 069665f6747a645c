"""What can be wrong with a written game. Each error knows its line and says what to write instead."""

from __future__ import annotations


class NotationError(ValueError):
    """Text that is no game record or position. `line` counts from 1; 0 when the text is a single line."""

    def __init__(self, reason: str, line: int = 0) -> None:
        self.reason = reason
        self.line = line
        super().__init__(f"line {line}: {reason}" if line else reason)


class InvalidMove(NotationError):
    """A move that cannot be read."""


class IllegalMove(NotationError):
    """A move that can be read but not be made: what it names is not on the table."""


class AmbiguousMove(NotationError):
    """A move that could mean several places; `choices` are the ways to write it."""

    def __init__(self, reason: str, line: int = 0, choices: tuple[str, ...] = ()) -> None:
        self.choices = choices
        super().__init__(reason, line)
