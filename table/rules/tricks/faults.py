"""What can be wrong with a play in a trick: a code, and what fills its sentence in. The sentences are the referee's."""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """One reason why a play is not allowed. `args` are (name, value) pairs; seats in them count from 0."""

    code: str
    args: tuple[tuple[str, int | str], ...] = ()


class IllegalPlay(ValueError):
    """A play the rules forbid was asked for without saying that it stands."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        super().__init__(f"not allowed: {', '.join(fault.code for fault in faults)}")
