"""The house rules that a program can check: layers, sizes, first lines, names, and imports on other systems."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("calibration", "vision", "table")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
RUN_TIME = [path for path in MODULES if "training" not in path.parts]
MOST_LINES = 500


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_there_are_modules() -> None:
    assert len(MODULES) > 60


def test_imports_run_one_way() -> None:
    program = "from importlinter.cli import lint_imports; import sys; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def test_the_contract_can_break(tmp_path: Path) -> None:
    for room in ROOMS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").touch()
    (tmp_path / "calibration" / "__init__.py").write_text("import vision\n")
    contract = (
        '[tool.importlinter]\nroot_packages = ["calibration", "vision", "table"]\n[[tool.importlinter.contracts]]\n'
    )
    (tmp_path / "pyproject.toml").write_text(
        contract + 'name = "x"\ntype = "layers"\nlayers = ["table", "vision", "calibration"]\n'
    )
    program = "from importlinter.cli import lint_imports; import sys; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 1


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") <= MOST_LINES, "split it"
    assert not re.fullmatch(r"core|utils?|managers?|helpers?|common|misc", path.stem), "a name that says nothing"
    tree = ast.parse(text)
    said = ast.get_docstring(tree)
    assert said, "the first lines say what it is for"
    assert len(said) > 20


def test_every_module_can_be_imported_where_there_are_no_terminals() -> None:
    """As on Windows: no pty, termios, fcntl; and without the training's libraries."""
    names = [name_of(path) for path in RUN_TIME]
    program = (
        "import importlib, sys\n"
        # The libraries have ways of their own for other systems.
        "import cv2, msgspec, numpy, serial, serial.tools.list_ports, subprocess\n"
        "for name in ('pty', 'termios', 'tty', 'fcntl', 'pwd', 'grp', 'resource', 'torch', 'onnx'):\n"
        "    sys.modules[name] = None\n"
        f"for name in {names!r}:\n"
        "    importlib.import_module(name)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_importing_starts_nothing_and_prints_nothing() -> None:
    names = [name_of(path) for path in RUN_TIME]
    program = (
        f"import importlib, threading\nfor name in {names!r}:\n    importlib.import_module(name)\n"
        "assert threading.active_count() == 1, threading.enumerate()\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_time_is_read_where_it_may_be(path: Path) -> None:
    """Deciding, seeing and keeping are told the time; only the shell, the camera and the board's link read a clock."""
    allowed = ("table/shell", "table/board", "vision/sources", "vision/training")
    if path.relative_to(ROOT).as_posix().startswith(allowed):
        return
    calls = [
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in ("time", "monotonic", "perf_counter", "now", "utcnow", "today")
        and isinstance(node.value, ast.Name)
        and node.value.id in ("time", "datetime", "date")
    ]
    assert calls == []
