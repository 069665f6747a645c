"""The command for tests: called in this process with the painted eye, or started as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class InstalledDemo:
    """The demo as it ran from a wheel, installed elsewhere, in a folder of no meaning."""

    wheel: Path
    python: Path
    folder: Path
    out: Path
    status: int
    said: str
    err: str


@pytest.fixture(scope="session")
def installed_demo(tmp_path_factory: pytest.TempPathFactory) -> InstalledDemo:
    """Builds the wheel, installs it without the network beside this environment's libraries, and runs the demo."""
    base = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(base / "dist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = (base / "dist").glob("*.whl")
    venv.create(base / "env", with_pip=False, symlinks=True)
    python = base / "env" / "bin" / "python"
    install: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        wheel,
    ]
    subprocess.run(install, check=True, capture_output=True)
    # The libraries of this environment; its own .pth files are not followed, so the working copy stays out.
    (found,) = (base / "env" / "lib").glob("python*/site-packages")
    (found / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    folder = base / "elsewhere"
    folder.mkdir()
    run: list[str | Path] = [python.with_name("dominoref"), "demo", "--board", "none", "--out", base / "out"]
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=False, timeout=1200)
    return InstalledDemo(wheel, python, folder, base / "out", done.returncode, done.stdout, done.stderr)
