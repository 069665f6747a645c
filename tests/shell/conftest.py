"""The command for tests: called in this process with the painted eye, or started as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from table.shell.main import main
from tests.painted import TABLE_TOML, PaintedEye, game_stills, write_stills

PAINTED = """
import os, sys
os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
import vision.eye
from tests.painted import PaintedEye
vision.eye.Eye = PaintedEye
from table.shell.main import main
sys.exit(main())
"""
ROOT = Path(__file__).parents[2]
BLOCK = ("--game", "block", "--option", "starter_method=first")


@pytest.fixture
def painted_eye(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands read painted tiles."""
    monkeypatch.setattr("vision.eye.Eye", PaintedEye)
    monkeypatch.setattr("table.shell.table_setup.Eye", PaintedEye)


Dominoref = Callable[..., tuple[int, str, str]]


@pytest.fixture
def dominoref(painted_eye: None, capfd: pytest.CaptureFixture[str]) -> Dominoref:
    """Runs the command in this process: exit status, stdout, stderr."""

    def run(*words: object) -> tuple[int, str, str]:
        capfd.readouterr()
        status = main([str(word) for word in words])
        said = capfd.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def started() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs the command as a process of its own, with the painted eye unless `real`."""

    def run(
        *words: object, real: bool = False, env: dict[str, str] | None = None, **settings: Any
    ) -> subprocess.CompletedProcess[bytes]:
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120, **settings}
        return subprocess.run(argv(*words, real=real), env=os.environ | (env or {}), check=False, **settings)

    return run


def argv(*words: object, real: bool = False) -> list[str]:
    """The command line that starts the command."""
    script = Path(sys.executable).with_name("dominoref")
    if real:
        program: Sequence[str] = [str(script)] if script.exists() else [sys.executable, "-m", "table.shell.main"]
    else:
        program = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})" + PAINTED]
    return [*program, *(str(word) for word in words)]


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording folder: a short painted game as stills, with its table.toml. Not to be written to."""
    folder = tmp_path_factory.mktemp("game")
    write_stills(folder / "frames", game_stills())
    (folder / "table.toml").write_text(TABLE_TOML)
    return folder


@pytest.fixture
def copy(game: Path, tmp_path: Path) -> Path:
    """The same to be written to."""
    folder = tmp_path / "copy"
    write_stills(folder / "frames", game_stills())
    (folder / "table.toml").write_text(TABLE_TOML)
    return folder


def records(text: str) -> list[dict[str, Any]]:
    """The records of JSON Lines."""
    return [json.loads(line) for line in text.splitlines()]
