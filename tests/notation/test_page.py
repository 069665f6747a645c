"""The page docs/notation.md: its examples are read, refereed, and say nothing but the truth."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from table.events import Record, Violation
from table.notation import read_position, read_record

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
GAMES = re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
POSITIONS = [
    line
    for block in re.findall(r"^```position\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


@pytest.mark.parametrize("text", GAMES, ids=[read_record(text).game for text in GAMES])
def test_example(text: str, refereed: Callable[[str], list[Record]]) -> None:
    record = read_record(text)
    assert read_record(str(record)) == record
    called = [(r.code, r.tile, r.status) for r in refereed(text) if isinstance(r, Violation)]
    deliberate = [("END_MISMATCH", "3-0", "open"), ("END_MISMATCH", "3-0", "corrected")]
    assert called == (deliberate if record.game == "block" else [])


def test_there_is_one_of_each_game() -> None:
    shown = {read_record(text).game for text in GAMES}
    assert shown == {"block", "draw", "doubles", "chicken-foot", "all-fives", "tien-gow"}


@pytest.mark.parametrize("text", POSITIONS)
def test_position(text: str) -> None:
    assert str(read_position(text)) == text
