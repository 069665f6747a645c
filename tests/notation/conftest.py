"""What the tests of the notation share: a written game, refereed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from table.events import Record
from table.notation import read_record
from table.notation.facts import match_of, steps_of
from table.referee import Referee


@pytest.fixture(scope="session")
def refereed() -> Callable[[str], list[Record]]:
    """All records of a game given as text."""

    def referee_text(text: str) -> list[Record]:
        record = read_record(text)
        referee = Referee(match_of(record))
        records = referee.begin()
        t = 0.0
        for step in steps_of(record):
            t = step.t
            for fact in step.facts:
                records += referee.take(fact)
            records += referee.tick(t)
        return records + referee.finish(t)

    return referee_text
