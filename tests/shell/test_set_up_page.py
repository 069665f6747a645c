"""docs/set-up.md and the appliance's files: what they tell people to type exists, and the unit starts what it says."""

from __future__ import annotations

import configparser
import re
import shlex
from pathlib import Path

import pytest

from table.shell.main import COMMANDS, main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "set-up.md").read_text()
BLOCKS = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)
TYPED = sorted(
    {line.split("  #")[0].strip() for block in BLOCKS for line in block.splitlines() if line.startswith("dominoref ")}
)
FLAGS = {
    "calibrate": [
        "--live",
        "--marker-mm",
        "--image",
        "--video",
        "--corners",
        "--tile-mm",
        "--seats",
        "--boneyard",
        "--lens",
    ],
    "doctor": ["--json"],
    "config": ["--write", "--explain"],
}


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main([command, "--help"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("line", TYPED)
def test_what_is_typed_is_understood(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line)[1:]
    assert words[0] in COMMANDS
    known = help_of(words[0], capsys)
    for flag in (word for word in words if word.startswith("--")):
        assert re.search(rf"{flag}(?![\w-])", known), flag


@pytest.mark.parametrize("command", sorted(FLAGS))
def test_flags_that_the_page_names_exist(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    known = help_of(command, capsys)
    for flag in FLAGS[command]:
        assert flag in PAGE
        assert re.search(rf"{flag}(?![\w-])", known), flag


def test_the_unit_runs_play_with_flags_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string((ROOT / "deploy" / "dominoref.service").read_text().replace("\\\n", " "))
    service = dict(unit["Service"])
    words = service["ExecStart"].split()
    assert words[0].endswith("/dominoref")
    known = help_of(words[1], capsys)
    for flag in (word for word in words if word.startswith("--")):
        assert re.search(rf"{flag}(?![\w-])", known), flag
    assert (service["Restart"], service["KillSignal"]) == ("always", "SIGINT")
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"


def test_rules_match_before_they_set() -> None:
    rules = [line for line in (ROOT / "deploy" / "60-dominoref.rules").read_text().splitlines() if line[:1] not in "#"]
    assert len(rules) >= 6
    for rule in rules:
        parts = [part.strip() for part in rule.split(",")]
        assert all(re.fullmatch(r"[A-Z_]+(\{[A-Za-z_]+\})?(==|!=|=|\+=)\"[^\"]*\"", part) for part in parts), rule
        assert '!="remove"' in parts[0]
        setting = [part for part in parts if re.search(r"[^=!]=\"|\+=\"", part)]
        assert parts[-len(setting) :] == setting
