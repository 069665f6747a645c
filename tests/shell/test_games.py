"""`dominoref games`: every game is listed and explained, with its options and nothing that is not so."""

from __future__ import annotations

import re

import pytest

from table.rules.games import GAMES
from table.shell.games import WIDTH
from table.shell.main import main

HEADINGS = ["You need", "Deal", "Who starts", "Your turn", "Score", "What the referee can know"]


def command(*words: str) -> int:
    return main(["games", *words])


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert command() == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said[: len(GAMES)]] == list(GAMES)
    assert "2-8 players" in next(line for line in said if line.startswith("chicken-foot"))


def test_unknown_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("bridge") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "no game 'bridge'" in said.err
    assert "doubles" in said.err


@pytest.mark.parametrize("key", GAMES)
def test_explanation(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(key) == 0
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= WIDTH
    assert said.startswith(f"{GAMES[key].title}")
    if key != "free":
        assert [heading for heading in HEADINGS if f"\n{heading}\n" not in said] == []
    for option in GAMES[key].options:
        assert re.search(rf"^  {option.key}={re.escape(option.written())}\b", said, re.MULTILINE), option.key
        assert all(value in said for value in option.values)
