"""`dominoref check`: what it says of a written game, its exit status, and how it refuses what it cannot read."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from table.shell.main import main

HEAD = """\
[Game "block"]
[Players "Ana, Ben"]
[Options "starter_method=first"]

Round 1
"""
FAULTY = (
    HEAD
    + """\
1. Ana: 2-2
2. Ben: 5-2
3. Ana: 2-1
4. Ben: 3-0 on 1
5. Ben: takes back 3-0
6. Ben: 1-1
7. Ana: 5-1 on 5
8. Ben: passes
9. Ana: 4-1 on 1-1
10. Ben: passes ; with 5-4 in hand
11. Ana: 6-1
12. Ben: 6-6
13. Ana: 6-5
14. Ben: 5-3
15. Ana: passes
16. Ben: 3-0
17. Ana: 6-0
Ben: shows 5-4 3-3
Score: Ana 15, Ben 0
"""
)


def command(*words: str) -> int:
    return main(["check", *words])


def unnumbered(text: str) -> str:
    """Move numbers may be left out."""
    return "\n".join(line.split(". ", 1)[-1] for line in text.splitlines()) + "\n"


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


def test_violations_are_named_by_line(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written.write_text(FAULTY)
    assert command(str(written)) == 3
    said = capsys.readouterr()
    assert said.out == (
        "  line 9: Ben: 3-0 has no 1. (END_MISMATCH)\n"
        "  line 15: Ben passed holding 5-4. (ILLEGAL_PASS)\n"
        "Round 1: out, Ana wins.\n"
        "  Ana           +15    0 in hand\n"
        "  Ben            +0   15 in hand  3-3 5-4\n"
        "2 violations.\n"
    )
    assert said.err == ""


def test_json_gives_the_referees_records(written: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    written.write_text(FAULTY)
    assert command(str(written), "--json") == 3
    records = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [record["n"] for record in records] == list(range(len(records)))
    assert records[0]["type"] == "match"
    assert records[0]["names"] == ["Ana", "Ben"]
    calls = [(r["code"], r["seat"], r["tile"], r["status"]) for r in records if r["type"] == "violation"]
    assert calls == [
        ("END_MISMATCH", 1, "3-0", "open"),
        ("END_MISMATCH", 1, "3-0", "corrected"),
        ("ILLEGAL_PASS", 1, "5-4", "reported"),
    ]
    ended = next(record for record in records if record["type"] == "round_ended")
    assert (ended["reason"], ended["winner"], ended["scores"]) == ("out", 0, [15, 0])


def test_a_clean_game(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clean = unnumbered(FAULTY).replace("Ben: 3-0 on 1\nBen: takes back 3-0\n", "")
    clean = clean.replace("shows 5-4 3-3", "shows 3-3 3-2").replace("Ana 15", "Ana 11")
    written.write_text(clean)
    assert command(str(written)) == 0
    said = capsys.readouterr()
    assert said.out.endswith("No violations.\n")
    assert said.err == ""


def test_a_score_that_was_added_up_wrongly(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clean = unnumbered(FAULTY).replace("Ben: 3-0 on 1\nBen: takes back 3-0\n", "")
    written.write_text(clean.replace("shows 5-4 3-3", "shows 3-3 3-2"))
    assert command(str(written)) == 1
    assert "the score of round 1 is Ana 11, Ben 0" in capsys.readouterr().err
    written.write_text(FAULTY.replace("Ana 15", "Ana 16"))
    assert command(str(written)) == 3
    assert "the score of round 1 is Ana 15, Ben 0" in capsys.readouterr().err


def test_a_game_that_breaks_off(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written.write_text(HEAD + "Ana: 2-2\nBen: 5-2\n")
    assert command(str(written)) == 0
    assert capsys.readouterr().out == "Round 1 is not finished.\nNo violations.\n"


def test_a_round_without_a_result_before_the_next(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written.write_text(HEAD + "Ana: 2-2\nBen: 5-2\n\nRound 2\nBen: 6-6\n")
    assert command(str(written)) == 1
    said = capsys.readouterr()
    assert said.err == (
        f"dominoref: {written}: line 10: round 1 has no result yet; write what each hand shows before the next\n"
    )


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(HEAD + "Ana: 2-2\nAna: 5-2\n"))
    assert command("-") == 3
    assert "line 7: Ana: It is Ben's turn. (OUT_OF_TURN)" in capsys.readouterr().out


REFUSED = [
    ("no game", "hello\n", "line 1: the head lacks"),
    ("unknown option", HEAD.replace("starter_method=first", "goal=7") + "Ana: 2-2\n", "no option 'goal'"),
    ("unreadable move", HEAD + "Ana: 2-2\nBen: plays\n", "line 7: 'plays' is not understood"),
    ("no such end", HEAD + "Ana: 2-2\nBen: 5-1 on 1\n", "line 7: 5-1 on 1: no end shows 1; open are 2"),
    ("not on the table", HEAD + "Ana: 2-2\nBen: 5-1 on 5-5\n", "line 7: 5-1 on 5-5: 5-5 does not lie on the table"),
    ("nothing to take back", HEAD + "Ana: 2-2\nAna: takes back 6-4\n", "line 7: 6-4 does not lie on the table"),
    ("on an empty table", HEAD + "Ana: 2-2 on 2\n", "line 6: 2-2 on 2: nothing lies on the table yet"),
    (
        "two places",
        HEAD + "Ana: 5-2\nBen: 5-2\n",
        "line 7: 5-2 fits in more than one place; write 5-2 on 2 or 5-2 on 5",
    ),
    ("empty boneyard", HEAD + "Ana: 5-2\nBen: draws 15\n", "line 7: only 14 tiles are left"),
]


@pytest.mark.parametrize(("name", "text", "reason"), REFUSED, ids=[row[0] for row in REFUSED])
def test_refused_with_one_line(
    name: str, text: str, reason: str, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written.write_text(text)
    assert command(str(written)) == 1
    said = capsys.readouterr().err
    assert str(written) in said
    assert reason in said
    assert said.count("\n") == 1


def test_files_that_are_no_text(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(str(written)) == 1
    assert "can't be read: No such file" in capsys.readouterr().err
    written.write_bytes(b"\xff\xfe\x00\x01")
    assert command(str(written)) == 1
    assert "no text in UTF-8" in capsys.readouterr().err
    assert command(str(written.parent)) == 1
    assert "can't be read" in capsys.readouterr().err


def test_free_play_is_not_judged(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written.write_text('[Game "free"]\n[Seats "2"]\n\nseat 1: 6-4\nseat 1: 6-4\nseat 2: takes back 6-4\n')
    assert command(str(written)) == 0
    assert capsys.readouterr().out == "Nothing is judged without rules.\n"


CHALLENGED = (
    HEAD
    + """\
Ana: 2-2
Ben: 5-2
Ana: 2-1
Ben: passes
Ana: challenges
Ana: 6-5
"""
)


def test_a_challenge_is_answered(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written.write_text(CHALLENGED + "Ben: 6-6\nAna: challenges\n")
    assert command(str(written)) == 0
    answer = "Nothing proves the pass of Ben in line 9 false so far; the hands may tell. (CHALLENGE)"
    assert capsys.readouterr().out == (
        f"  line 10: {answer}\n  line 13: {answer}\nRound 1 is not finished.\nNo violations.\n"
    )


def test_a_challenge_of_what_is_proven(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written.write_text(CHALLENGED + "Ben: 5-1 on 1\nAna: challenges\n")
    assert command(str(written)) == 3
    said = capsys.readouterr().out
    assert "  line 9: Ben passed holding 5-1. (ILLEGAL_PASS)\n" in said
    assert "  line 13: It is proven: Ben made the pass in line 9 holding 5-1. (CHALLENGE)\n" in said


def test_several_acts_are_named_by_their_lines(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One of two draws was needless; which one, nobody knows."""
    head = HEAD.replace("block", "draw").replace("=first", "=first space=ignore hand=4")
    moves = ["Ana: 2-2", "Ben: 2-1", "Ana: draws", "Ana: 1-0", "Ben: 2-0 on 2-2", "Ana: draws", "Ana: 4-0 on 1-0"]
    moves += ["Ben: 6-4", "Ana: 6-6", "Ben: 6-0 on 6", "Ana: shows 5-1 3-3"]
    written.write_text(head.replace("Round 1\n", "Round 1\nYard: 20\n") + "\n".join(moves) + "\n")
    assert command(str(written)) == 3
    told = "  line 12: Ana passed or drew holding a tile that fits, in line 9 or in line 12. (DRAW_WITH_MOVE)\n"
    assert told in capsys.readouterr().out
