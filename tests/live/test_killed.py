"""A match that is killed loses nothing that was acknowledged, and comes to the same end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from table.journal.journal import read_records
from tests.simulated_table.crashing import a_script, difference, resumed, whole

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("seed", range(5))
def test_a_journal_cut_at_any_byte_is_gone_on_with(seed: int, tmp_path: Path) -> None:
    script = a_script(seed)
    full = whole(script, tmp_path / "whole.jsonl")
    first = full.index(b"\n") + 1
    rng = Random(seed)
    for _ in range(6):
        cut = rng.randrange(first, len(full))
        again = resumed(script, tmp_path / "cut.jsonl", full[:cut])
        assert difference(full, again) == "", f"cut at byte {cut}"


def test_a_journal_that_lost_a_line_in_the_middle_is_seen_to_differ(tmp_path: Path) -> None:
    script = a_script(0)
    full = whole(script, tmp_path / "whole.jsonl")
    lines = full.splitlines(keepends=True)
    del lines[len(lines) // 2]
    assert difference(full, b"".join(lines)) != ""


def test_a_killed_process_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    script = a_script(1)
    full = whole(script, tmp_path / "whole.jsonl")
    command = [sys.executable, "-m", "tests.simulated_table.crashing", "1", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [int(next(process.stdout)) for _ in range(40)]
        process.kill()
    records = read_records(path)
    assert len(records) >= said[-1]
    kept = path.read_bytes()
    assert difference(full, resumed(script, path, kept)) == ""
