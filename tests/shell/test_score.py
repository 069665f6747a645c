"""`dominoref score`: the worked examples of the rules, typed in, and typing errors."""

from __future__ import annotations

import json

import pytest

from table.shell.main import main


def command(*words: str) -> int:
    return main(["score", *words])


ROUNDS: list[tuple[str, list[str], str, int | None, list[int]]] = [
    ("BD-09", ["block", "-", "/", "6-5", "3-3", "1-0"], "out", 0, [18, 0]),
    ("BD-10", ["block", "6-1 2-2 / 5-4 3-0 1-1"], "blocked", 0, [3, 0]),
    ("BD-11", ["block", "4-6", "/", "5-1", "4-0"], "blocked", 0, [0, 0]),
    ("BD-12", ["block", "6-4/5-5"], "blocked", None, [0, 0]),
    ("hands as arguments", ["block", "6-1 2-2", "5-4 3-0 1-1"], "blocked", 0, [3, 0]),
    ("commas", ["block", "6-1,2-2 / 5-4,3-0,1-1"], "blocked", 0, [3, 0]),
    ("an empty argument is an empty hand", ["block", "", "6-5 3-3 1-0"], "out", 0, [18, 0]),
    ("an empty hand in words", ["block", "nothing", "/", "6-5", "3-3", "1-0"], "out", 0, [18, 0]),
    ("an empty hand as an argument", ["block", "Nothing", "6-5 3-3 1-0"], "out", 0, [18, 0]),
    ("DR-15", ["draw", "- / 6-5 4-4 2-0"], "out", 0, [21, 0]),
    ("DR-17", ["draw", "6-6 / 5-4 2-1"], "blocked", None, [0, 0]),
    ("DB-13", ["doubles", "- / 5-2 1-1 / 6-6"], "out", 0, [21, 0, 0]),
    ("DB-14", ["doubles", "3-1 / 5-4 / 6-6"], "blocked", 0, [21, 0, 0]),
    ("DB-14, difference", ["doubles", "3-1/5-4/6-6", "--option", "blocked_score=difference"], "blocked", 0, [13, 0, 0]),
    ("CF-14", ["chicken-foot", "- / 9-8 0-0 / 5-5 / 1-0 2-1"], "out", 0, [0, 17, 10, 4]),
    ("double blank", ["chicken-foot", "- / 0-0", "--option", "double_blank=50"], "out", 0, [0, 50]),
]


@pytest.mark.parametrize(("name", "words", "reason", "winner", "scores"), ROUNDS, ids=[row[0] for row in ROUNDS])
def test_round(
    name: str, words: list[str], reason: str, winner: int | None, scores: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(*words, "--json") == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["n"] for record in records] == list(range(len(scores) + 1))
    assert [record["type"] for record in records] == ["hand"] * len(scores) + ["round_ended"]
    ended = records[-1]
    assert (ended["reason"], ended["winner"], ended["scores"]) == (reason, winner, scores)
    assert command(*words) == 0
    said = capsys.readouterr().out
    assert all(f"seat {seat + 1}  {points:+4d}" in said for seat, points in enumerate(scores))


TRICKS = [
    ("TG-16", ["1", "/", "4", "/", "0", "/", "3", "--banker", "1", "--last", "2"], [-6, 12, -5, -1]),
    ("TG-17", ["2/6/0/0", "--banker", "1", "--last", "1"], [16, 4, -10, -10]),
    ("TG-18", ["0/1/5/2", "--banker", "4", "--last", "3: 4-2 2-1"], [-12, -8, 32, -12]),
    ("TG-19", ["0/8/0/0", "--banker", "1", "--last", "seat 2"], [-20, 40, -10, -10]),
    ("TG-20", ["0/8/0/0", "--banker", "1", "--last", "2: 6-6 6-6 6-3 5-4"], [-48, 96, -24, -24]),
    ("TG-21", ["3/2/0/3", "--banker", "4", "--last", "2", "--caught", "1"], [-8, 8, 0, 0]),
    ("TG-22", ["1/2/0/5", "--banker", "4", "--last", "2: 4-2", "--caught", "1"], [-8, 6, 0, 2]),
    ("TG-24", ["0/3/2/3", "--banker", "3", "--last", "2: 2-1"], [-10, 20, -8, -2]),
    ("earlier four", ["4/4/0/0", "--banker", "1", "--last", "2", "--won", "1: 6-6 6-6 6-3 5-4"], [24, 2, -13, -13]),
]


@pytest.mark.parametrize(("name", "words", "scores"), TRICKS, ids=[row[0] for row in TRICKS])
def test_tien_gow(name: str, words: list[str], scores: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    assert command("tien-gow", *words, "--json") == 0
    assert json.loads(capsys.readouterr().out)["scores"] == scores
    assert command("tien-gow", *words) == 0
    said = capsys.readouterr().out
    assert all(f"seat {seat + 1}  {points:+4d}" in said for seat, points in enumerate(scores))


def test_one_hand_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("block", "6-5", "3-3", "1-0") == 0
    assert capsys.readouterr().out == "18 pips\n"
    assert command("free", "6-5 6-5 / 1-0") == 0
    assert capsys.readouterr().out == "seat 1: 22 pips\nseat 2: 1 pip\n"


WRONG = [
    (["bridge", "6-4"], "no game 'bridge'"),
    (["block", "6-5 / 5-6"], "6-5 stands there twice"),
    (["block", "7-5 / 1-1"], "7-5 is not part of the double-six set"),
    (["block", "6/5"], "'6' is no tile"),
    (["block", "-", "6-5", "3-3"], "write / between the hands"),
    (["block", "nothing", "6-5"], "write / between the hands"),
    (["block", "- / - / 1-0"], "only one hand can be empty"),
    (["draw", "1-0 / 2-0 / 3-0"], "for 2 players, not 3"),
    (["block", "1-0 / 2-0", "--option", "target"], "KEY=VALUE"),
    (["block", "1-0 / 2-0", "--option", "goal=3"], "no option 'goal'"),
    (["tien-gow", "1/4/0/3"], "needs --banker"),
    (["tien-gow", "1/4/0/4", "--banker", "1", "--last", "2"], "these to 9"),
    (["tien-gow", "1/4/3", "--banker", "1", "--last", "2"], "four column counts"),
    (["tien-gow", "1/4/0/3", "--banker", "5", "--last", "2"], "'5' is no seat"),
    (["tien-gow", "1/4/0/3", "--banker", "1", "--last", "3"], "it has a column at least"),
    (["tien-gow", "1/4/0/3", "--banker", "1", "--last", "2: 6-6 5-5"], "do not form a group"),
    (["tien-gow", "1/4/0/3", "--banker", "1", "--last", "2", "--caught", "2"], "--caught names"),
    (["tien-gow", "1/4/0/3", "--banker", "1", "--last", "2", "--option", "x=1"], "no option 'x'"),
]


@pytest.mark.parametrize(("words", "reason"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_typing_errors_are_one_line(words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(*words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert reason in said.err
    assert said.err.count("\n") == 1
