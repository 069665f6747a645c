"""The built wheel, installed into an environment of its own: all that it needs is in it, wherever it is run."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

from tests.shell.conftest import InstalledDemo


def test_the_wheel_holds_the_program_and_nothing_else(installed_demo: InstalledDemo) -> None:
    names = zipfile.ZipFile(installed_demo.wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"calibration", "vision", "table"}
    for needed in (
        "vision/weights/localiser.onnx",
        "vision/weights/reader.onnx",
        "table/demo/video.mp4",
        "table/demo/table.toml",
    ):
        assert needed in names
    assert [name for name in names if name.endswith((".pyc", ".toml.new"))] == []
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_installed_program_is_the_one_that_runs(installed_demo: InstalledDemo) -> None:
    program = "import table, vision, calibration; print(table.__file__); print(vision.__file__)"
    done = subprocess.run(
        [installed_demo.python, "-I", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=installed_demo.folder,
    )
    for line in done.stdout.splitlines():
        assert Path(line).is_relative_to(installed_demo.python.parents[1])


def test_the_installed_program_says_its_version(installed_demo: InstalledDemo) -> None:
    done = subprocess.run(
        [installed_demo.python.with_name("dominoref"), "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0].split()[0] == "dominoref"


def test_the_demo_runs_from_another_folder(installed_demo: InstalledDemo) -> None:
    assert (installed_demo.status, installed_demo.err) == (0, "")
    assert sorted(path.name for path in installed_demo.out.iterdir()) == ["contact-sheet.png", "records.jsonl"]
    assert [path.name for path in installed_demo.folder.iterdir()] == [], "it leaves nothing where it was started"
