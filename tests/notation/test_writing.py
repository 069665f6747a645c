"""A refereed game written down again: the same moves, what was called as comments."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from table.events import Correction, Placed, Record, RoundEnded, Violation
from table.notation import Comment, Entry, Move, read_record
from table.notation.writing import record_of

Refereed = Callable[[str], list[Record]]

DRAW = """\
[Game "draw"]
[Seats "2"]

Round 1
Yard: 14
1. seat 1: 5-5
2. seat 2: 5-4 on 5-5
3. seat 1: 4-4 on 5-4 in line
4. seat 1: straightens 4-4
5. seat 2: draws 2, 4-2 on 4-4
6. seat 1: 6-3 on 4-2
7. seat 1: takes back 6-3
8. seat 1: 6-2 on 4-2 left
9. seat 2: 6-1 on 6-2 right
10. seat 1: draws, passes
11. seat 1: returns
12. seat 1: passes
"""

LOTS = """\
[Game "block"]
[Players "Ana, Ben"]

Round 1
Yard: 14
Ana: shows 6-3
Ben: shows 5-4
Ana: shows 6-1
Ben: shows 5-1
1. Ana: 6-6
2. Ben: 6-4 on 6-6
3. Ana: done
"""

FOOT = """\
[Game "chicken-foot"]
[Seats "2"]

Round 1
Yard: 12
seat 1: shows 7-3
seat 2: shows 9-9
1. seat 2: 9-9
2. seat 2: 9-4 on 9-9
3. seat 1: 4-2 on 9-4
4. seat 1: takes back 4-2
5. seat 1: 9-7 on 9-9
6. seat 2: 4-4 on 9-4
"""


def plain(entries: tuple[Entry, ...]) -> list[Entry]:
    """Without what was said about the moves."""
    moves = [entry for entry in entries if not isinstance(entry, Comment)]
    return [Move(entry.seat, entry.acts) if isinstance(entry, Move) else entry for entry in moves]


@pytest.mark.parametrize("text", [DRAW, LOTS, FOOT], ids=["draw", "lots", "chicken-foot"])
def test_moves_come_back(text: str, refereed: Refereed) -> None:
    again = record_of(refereed(text))
    assert plain(again.rounds[0]) == plain(read_record(text).rounds[0]), str(again)
    assert read_record(str(again)) == again


def test_calls_are_comments(refereed: Refereed) -> None:
    written = str(record_of(refereed(FOOT)))
    assert "3. seat 1: 4-2 on 9-4 ; Start 1 more train(s) on 9-9 first.\n" in written


def test_corrections_are_heeded(refereed: Refereed) -> None:
    records = refereed(LOTS)
    placed = [record for record in records if isinstance(record, Placed) and record.tile in ("6-6", "6-4")]
    end = records[-1]
    changes: list[tuple[int, object]] = [(placed[0].n, {"tile": "4-4"}), (placed[1].n, "remove")]
    for number, (of, change) in enumerate(changes, start=1):
        records.append(Correction(t=end.t, n=end.n + number, of=of, change=change))  # type: ignore[arg-type]
    written = str(record_of(records))
    assert "1. Ana: 4-4\n" in written
    assert "6-4 on" not in written


def test_what_is_no_match(refereed: Refereed) -> None:
    with pytest.raises(ValueError, match="no records of a match"):
        record_of(refereed(DRAW)[1:])
    assert not any(isinstance(record, RoundEnded) for record in refereed(DRAW))
    assert any(isinstance(record, Violation) for record in refereed(DRAW))
