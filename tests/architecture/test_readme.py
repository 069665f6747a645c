"""What the README tells people to type is there: commands, flags, games, make targets and files."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from table.rules.games import GAMES
from table.shell.main import COMMANDS, main

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```\n(.*?)```", TEXT, re.DOTALL)
LINES = [line.split("  #")[0].strip() for block in BLOCKS for line in block.splitlines() if line.strip()]
TYPED = sorted({line for line in LINES if line.startswith("dominoref ")})
NAMED = sorted(set(re.findall(r"`dominoref ([a-z-]+)", TEXT)))
MAKE = sorted({line for line in LINES if line.startswith("make ")} | set(re.findall(r"`(make [a-z-]+)`", TEXT)))


def test_the_readme_was_found() -> None:
    assert "dominoref count" in TEXT
    assert "make demo" in MAKE
    assert len(TYPED) > 5


@pytest.mark.parametrize("line", TYPED)
def test_what_is_typed_is_understood(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line)[1:]
    if words == ["--version"]:
        return
    assert words[0] in COMMANDS
    assert main([words[0], "--help"]) == 0
    known = capsys.readouterr().out
    for flag in (word.split("=")[0] for word in words if word.startswith("--")):
        assert re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", known), f"{flag} is no flag of {words[0]}"
    for before, word in pairwise(words):
        if before == "--game" or (before in ("score", "games") and not word.startswith("-")):
            assert word in GAMES


@pytest.mark.parametrize("name", NAMED)
def test_commands_that_are_named_exist(name: str) -> None:
    assert name in COMMANDS


@pytest.mark.parametrize("target", MAKE)
def test_make_targets_exist(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text()
    for word in target.split()[1:]:
        if not word.startswith("-") and "=" not in word:
            assert re.search(rf"^{word}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\((?!http|#)([^)#]+)", TEXT))))
def test_links_lead_somewhere(path: str) -> None:
    assert (ROOT / path).exists()
