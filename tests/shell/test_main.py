"""The command as a process: exit statuses, streams that are closed, full or gone, Ctrl-C, colours, and its start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from table.shell import demo
from table.shell.main import COMMANDS, main
from table.shell.version import LIBRARIES, program_version
from tests.painted import TABLE_TOML, Table, write_stills
from tests.shell.conftest import BLOCK, argv

Started = Callable[..., subprocess.CompletedProcess[bytes]]
FULL = Path("/dev/full")


def test_version_says_what_a_report_needs(started: Started) -> None:
    done = started("--version", real=True)
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[0] == f"dominoref {program_version()}"
    assert [line.split()[0] for line in lines[1:]] == ["python", "system", *LIBRARIES]


def test_version_does_not_wait_for_the_picture_library() -> None:
    program = (
        "import sys; from table.shell.main import main; main(['--version']); "
        "sys.exit(bool({'cv2', 'numpy', 'msgspec', 'serial'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=False).returncode == 0


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    assert [name for name in COMMANDS if f"\n    {name}" not in said] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: dominoref {name}")
    assert len(said.splitlines()) > 5


def test_records_on_stdout_and_nothing_else(started: Started, game: Path) -> None:
    done = started("replay", game, *BLOCK, "--events", "-")
    assert done.returncode == 0
    assert [json.loads(line)["n"] for line in done.stdout.splitlines()] == list(range(done.stdout.count(b"\n")))
    assert done.stderr.decode().splitlines() == [f"{game}: 3 tiles laid, 1 fault called; seat 1 is on turn"]


def test_a_closed_pipe_ends_quietly(game: Path) -> None:
    for words in (("replay", game, *BLOCK, "--events", "-"), ("games",), ("--version",), ("games", "--help")):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(argv(*words), stdout=writer, stderr=subprocess.PIPE, timeout=120, check=False)
        os.close(writer)
        assert (done.returncode, done.stderr) == (0, b""), words


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_said(started: Started, game: Path) -> None:
    with FULL.open("wb") as full:
        tries = [
            started("--version", stdout=full),
            started("count", game / "frames" / "002.png", stdout=full),
            started("replay", game, *BLOCK, "--events", "-", stdout=full),
            started("replay", game, *BLOCK, "--events", FULL),
        ]
    for done in tries:
        said = [line for line in done.stderr.decode().splitlines() if line.startswith("dominoref")]
        assert (done.returncode, len(said)) == (1, 1), done.stderr
        assert "No space left on device" in said[0]
        assert b"Traceback" not in done.stderr
        assert b"Exception ignored" not in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams(closed: str, game: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.jsonl"
    command = ["sh", "-c", f'"$@" {closed}', "sh", *argv("replay", game, *BLOCK, "--events", target)]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"Traceback" not in done.stderr
    lines = target.read_bytes().splitlines()
    assert [json.loads(line)["n"] for line in lines] == list(range(len(lines))), "no words among the records"


def test_interrupted(tmp_path: Path) -> None:
    write_stills(tmp_path / "frames", [Table().picture()] * 3)
    (tmp_path / "table.toml").write_text(TABLE_TOML)
    words = argv("replay", tmp_path, "--game", "free", "--speed", "0.01", "--events", tmp_path / "r.jsonl")
    running = subprocess.Popen(words, stderr=subprocess.PIPE)
    for _ in range(600):
        if (tmp_path / "r.jsonl").exists() and (tmp_path / "r.jsonl").stat().st_size:
            break
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said.decode().splitlines()[-1] == "dominoref: interrupted"
    assert b"Traceback" not in said
    assert (tmp_path / "r.jsonl").read_bytes().endswith(b"\n"), "what was written is whole"


def test_names_that_the_terminal_cannot_show(started: Started, game: Path, tmp_path: Path) -> None:
    picture = (game / "frames" / "002.png").read_bytes()
    names = ["süß.png", os.fsdecode(b"n\xff.png")] if sys.platform == "linux" else ["süß.png"]
    for name in names:
        (tmp_path / name).write_bytes(picture)
    narrow = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    for words in (("count",), ("count", "--json")):
        done = started(*words, *names, cwd=tmp_path, env=narrow)
        assert (done.returncode, done.stderr) == (0, b"")
        assert "süß.png" in done.stdout.decode("utf-8")
    assert len([json.loads(line) for line in done.stdout.splitlines()]) == len(names)


def test_without_a_home_and_in_a_folder_that_is_not_ours(started: Started, game: Path) -> None:
    env = {name: "" for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    done = started("replay", game, *BLOCK, "--events", "-", cwd="/proc", env=env)
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)


@pytest.mark.parametrize(
    ("terminal", "env", "coloured"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_colour_only_for_people(
    terminal: bool, env: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    assert ("\x1b[" in demo.painted("    1.0 s  NOT ALLOWED (seat 1): 5-1 has no 4.")) is coloured
    assert demo.painted("plain words") == "plain words"


FAULTS = [
    (("replay", "nowhere.mp4", "--game", "block"), 1, "nowhere.mp4"),
    (("replay", "cut.mp4", "--game", "block"), 1, "cut.mp4"),
    (("replay", "text.mp4", "--game", "block"), 1, "text.mp4"),
    (("replay", "--game"), 2, "--game"),
    (("count", "half.png", "half.jpg"), 1, "half.png"),
    (("games", "bridge"), 2, "bridge"),
    (("check", "nowhere.txt"), 1, "nowhere.txt"),
]


@pytest.mark.parametrize(("words", "status", "part"), FAULTS, ids=[" ".join(row[0]) for row in FAULTS])
def test_faults_of_the_real_command(
    words: tuple[str, ...], status: int, part: str, started: Started, game: Path, tmp_path: Path
) -> None:
    picture = (game / "frames" / "002.png").read_bytes()
    (tmp_path / "half.png").write_bytes(picture[: len(picture) // 2])
    (tmp_path / "half.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\0" + bytes(90))
    (tmp_path / "text.mp4").write_text("text\n" * 100)
    (tmp_path / "cut.mp4").write_bytes(b"\0\0\0\x20ftypisom\0\0\2\0isomiso2avc1mp41" + bytes(400))
    done = started(*words, real=True, cwd=tmp_path)
    said = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (status, b"")
    assert part in said[0]
    assert all(line.startswith("dominoref") for line in said), said
    assert len(said) == sum(word.startswith("half") for word in words) or len(said) == 1
