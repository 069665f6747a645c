"""The page docs/adding-a-game.md: its code runs as printed and makes a game."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from table.rules.line import Line
from table.rules.options import read_options

PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        exec("from __future__ import annotations\n" + block, names)
    return names


def new_line(shown: dict[str, Any]) -> Line:
    game = shown["ENTRY"]
    assert game.line is not None
    return Line(game.line(2, read_options(game.key, game.options, {})))


def lay(line: Line, tile: str, on: int) -> None:
    port = next(port for port in line.position.ports if port.value == on)
    assert line.check(tile, line.joint_for(port, tile)) == []
    line.push(tile, line.joint_for(port, tile), port)


def test_the_cross_comes_first(shown: dict[str, Any]) -> None:
    line = new_line(shown)
    assert [fault.code for fault in line.check("6-5", None)] == ["WRONG_OPENING_TILE"]
    line.push("6-6")
    for tile in ("6-5", "6-4", "6-3"):
        lay(line, tile, 6)
    early = next(port for port in line.position.ports if port.value == 5)
    faults = line.check("5-5", line.joint_for(early, "5-5"))
    assert [(fault.code, fault.args) for fault in faults] == [("OPENING_INCOMPLETE", {"k": 1, "n": 6})]
    lay(line, "6-2", 6)
    lay(line, "5-5", 5)
    assert line.position.values() == [2, 3, 4, 5]


def test_rounds_of_it_end(shown: dict[str, Any]) -> None:
    for seed in range(20):
        rng, line = random.Random(seed), new_line(shown)
        while plays := list(line.plays(sorted(line.rules.faces))):
            tile, port = rng.choice(plays)
            line.push(tile, None if port is None else line.joint_for(port, tile), port)
        assert len(line) > 4
        for _ in range(len(line)):
            line.pop()
        assert line.position == new_line(shown).position
