"""Every bad input: one line that says what, where and what to do, the right exit status, and never a traceback."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from table.shell.faults import one_line
from tests.painted import TABLE_TOML, Table, game_stills, write_stills, write_video
from tests.shell.conftest import BLOCK, Dominoref

Words = list[object]


def replay(recording: Path, *words: object) -> Words:
    return ["replay", recording, *BLOCK, *words]


def written(path: Path, data: bytes | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def with_table(folder: Path, text: str) -> Path:
    """A recording with this table.toml."""
    write_stills(folder / "frames", game_stills()[:1])
    written(folder / "table.toml", text)
    return folder


def with_inputs(folder: Path, text: str) -> Path:
    """A recording with this inputs.jsonl."""
    with_table(folder, TABLE_TOML)
    written(folder / "inputs.jsonl", text)
    return folder


def stills(folder: Path, **files: bytes) -> Path:
    for name, data in files.items():
        written(folder / f"{name}.png", data)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def short_film(folder: Path) -> bytes:
    return write_video(folder / "whole.mp4", [Table().picture()] * 20).read_bytes()


TOML = TABLE_TOML
# The command line, the exit status, and what the one line has to hold.
FAULTS: dict[str, tuple[Callable[[Path], Words], int, list[str]]] = {
    # usage
    "no command": (lambda _: [], 2, ["COMMAND", "--help"]),
    "an unknown command": (lambda _: ["watch"], 2, ["watch", "--help"]),
    "an unknown flag": (lambda _: ["--fast"], 2, ["--help"]),
    "no recording": (lambda _: ["replay"], 2, ["RECORDING", "--game"]),
    "no game": (lambda p: ["replay", p], 2, ["--game"]),
    "seats in words": (lambda p: ["replay", p, "--game", "block", "--seats", "two"], 2, ["--seats", "two"]),
    "an unknown flag of replay": (lambda p: [*replay(p), "--fast"], 2, ["--fast"]),
    "a shortened flag": (lambda p: [*replay(p), "--eve", "x"], 2, ["--eve"]),
    "a speed of nothing": (lambda p: replay(p, "--speed", "0"), 2, ["--speed"]),
    "a speed of NaN": (lambda p: replay(p, "--speed", "nan"), 2, ["--speed"]),
    "until NaN": (lambda p: replay(p, "--until", "nan"), 2, ["--until"]),
    "until before the start": (lambda p: replay(p, "--until=-3"), 2, ["--until"]),
    "no picture to count": (lambda _: ["count"], 2, ["IMAGE"]),
    "an unknown set": (lambda p: ["count", "--set", "double-five", p], 2, ["double-five", "double-six"]),
    # games and options
    "an unknown game": (
        lambda p: ["replay", with_table(p, TOML), "--game", "bridge"],
        2,
        ["'bridge'", "block", "tien-gow"],
    ),
    "an unknown option": (lambda p: replay(with_table(p, TOML), "--option", "hnd=7"), 2, ["'hnd'", "hand"]),
    "an option without a value": (lambda p: replay(with_table(p, TOML), "--option", "hand"), 2, ["KEY=VALUE"]),
    "an option out of range": (lambda p: replay(with_table(p, TOML), "--option", "hand=70"), 2, ["hand", "1 to 7"]),
    "an option in words": (lambda p: replay(with_table(p, TOML), "--option", "target=many"), 2, ["target", "many"]),
    "an option of free": (
        lambda p: ["replay", with_table(p, TOML), "--game", "free", "--option", "a=1"],
        2,
        ["free has no option"],
    ),
    "a game for others": (
        lambda p: ["replay", with_table(p, TOML), "--game", "tien-gow"],
        2,
        ["tien-gow is for 4 players, not 2"],
    ),
    # recordings
    "no such recording": (lambda p: replay(p / "nowhere.mp4"), 1, ["nowhere.mp4", "no such file"]),
    "an empty folder": (lambda p: replay(stills(p / "empty")), 1, ["empty", "holds neither"]),
    "empty frames": (lambda p: replay(stills(p / "r" / "frames").parent), 1, ["frames", "holds no pictures"]),
    "a still that is text": (lambda p: replay(stills(p / "s", a=b"text")), 1, ["a.png", "not a picture"]),
    "a still of nothing": (lambda p: replay(stills(p / "s", a=b"")), 1, ["a.png", "empty"]),
    "one picture": (lambda p: replay(written(p / "a.png", b"x")), 1, ["a.png", "one picture", "count"]),
    "a video of nothing": (lambda p: replay(written(p / "v.mp4", b"")), 1, ["v.mp4", "empty"]),
    "a video that is text": (lambda p: replay(written(p / "v.mp4", "text\n" * 99)), 1, ["v.mp4", "not a video"]),
    "a video without its index": (
        lambda p: replay(written(p / "v.mp4", short_film(p)[:-3000])),
        1,
        ["v.mp4", "not a video"],
    ),
    "the start of a video": (lambda p: replay(written(p / "v.mp4", short_film(p)[:40])), 1, ["v.mp4", "not a video"]),
    "a device": (lambda _: replay(Path(os.devnull)), 1, [os.devnull]),
    # tables
    "no such table": (
        lambda p: replay(with_table(p, TOML), "--table", p / "none.toml"),
        1,
        ["none.toml", "dominoref calibrate"],
    ),
    "a table that is a folder": (lambda p: replay(with_table(p, TOML), "--table", p), 1, ["cannot be read"]),
    "a table that is a picture": (
        lambda p: replay(with_table(p, TOML), "--table", p / "frames" / "000.png"),
        1,
        ["000.png"],
    ),
    "an empty table": (lambda p: replay(with_table(p, "")), 1, ["table.toml", "play_area"]),
    "a table that is no TOML": (lambda p: replay(with_table(p, "[play_area")), 1, ["table.toml", "TOML"]),
    "a wrong key": (
        lambda p: replay(with_table(p, TOML.replace("length_mm", "lenght_mm"))),
        1,
        ["table.toml", "lenght_mm"],
    ),
    "NaN in the table": (
        lambda p: replay(with_table(p, TOML.replace("[600, 440]", "[nan, 440]"))),
        1,
        ["table.toml", "size_mm"],
    ),
    "a corner of NaN": (
        lambda p: replay(with_table(p, TOML.replace("[[10, 10]", "[[nan, 10]"))),
        1,
        ["table.toml", "corners_px"],
    ),
    "impossible corners": (
        lambda p: replay(with_table(p, TOML.replace("[310, 230], [10, 230]", "[10, 230], [310, 230]"))),
        1,
        ["table.toml", "corners_px"],
    ),
    "a table for other pictures": (
        lambda p: replay(with_table(p, TOML.replace("[320, 240]", "[1280, 720]"))),
        1,
        ["table.toml", "1280x720", "320x240"],
    ),
    "seats that disagree": (lambda p: replay(with_table(p, TOML), "--seats", "3"), 1, ["2 seats, 3", "--seats"]),
    "no seats": (lambda p: replay(with_table(p, TOML), "--seats", "0"), 2, ["0 seats", "1 to 8"]),
    "too many seats": (lambda p: replay(with_table(p, TOML), "--seats", "9"), 2, ["9 seats", "1 to 8"]),
    # inputs
    "inputs that are no JSON": (lambda p: replay(with_inputs(p, "pass 0\n")), 1, ["inputs.jsonl, line 1"]),
    "inputs out of order": (
        lambda p: replay(
            with_inputs(p, "".join(f'{{"t":{t},"type":"button","seat":0,"button":"pass"}}\n' for t in (1, 3, 2)))
        ),
        1,
        ["inputs.jsonl, line 3", "earlier than 3"],
    ),
    "an input of a seat that is not there": (
        lambda p: replay(with_inputs(p, '{"t":1,"type":"button","seat":2,"button":"pass"}')),
        1,
        ["inputs.jsonl, line 1", "no seat 2"],
    ),
    "inputs that are a folder": (
        lambda p: replay(stills(with_table(p, TOML) / "inputs.jsonl").parent),
        1,
        ["inputs.jsonl", "cannot be read"],
    ),
    # records
    "records into a folder": (
        lambda p: replay(with_table(p, TOML), "--events", stills(p / "out")),
        1,
        ["out", "cannot be written"],
    ),
    "records into nowhere": (
        lambda p: replay(with_table(p, TOML), "--events", p / "no" / "r.jsonl"),
        1,
        ["r.jsonl", "cannot be written"],
    ),
    # count
    "no such picture": (lambda p: ["count", p / "none.jpg"], 1, ["none.jpg", "No such file"]),
    "a folder of pictures": (lambda p: ["count", p], 1, ["folder"]),
    "a picture that is text": (lambda p: ["count", written(p / "a.jpg", "text")], 1, ["a.jpg", "not a picture"]),
    "a picture of nothing": (lambda p: ["count", written(p / "a.jpg", "")], 1, ["a.jpg", "empty"]),
    "a name of two lines": (lambda p: ["count", p / "a\nb.jpg"], 1, ["a\\nb.jpg"]),
    "an overlay for two": (lambda p: ["count", "a.png", "b.png", "--overlay", p / "o.png"], 2, ["--overlay"]),
    "a table for count": (lambda p: ["count", "a.png", "--table", p / "none.toml"], 1, ["none.toml"]),
    # demo
    "the demo into a file": (
        lambda p: ["demo", "--out", written(p / "f", "") / "x"],
        1,
        ["cannot be made or written", "--out"],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_one_line(name: str, dominoref: Dominoref, tmp_path: Path) -> None:
    words, status, parts = FAULTS[name]
    folder = tmp_path / "t"
    folder.mkdir()
    code, out, err = dominoref(*words(folder))
    lines = err.splitlines()
    assert code == status, err
    assert out == ""
    assert len(lines) == 1, err
    assert lines[0].startswith("dominoref")
    assert [part for part in parts if part not in lines[0]] == []
    assert len(lines[0]) < 400


def test_stills_of_different_sizes(dominoref: Dominoref, copy: Path) -> None:
    shutil.copy(write_stills(copy / "other", [Table().picture()[:200]]) / "000.png", copy / "frames" / "002.png")
    code, _, err = dominoref(*replay(copy, "--events", os.devnull))
    assert code == 1
    assert [line for line in err.splitlines() if line.startswith("dominoref")] == [
        f"dominoref: {copy}/frames/002.png: is 320x200 pixels, the stills before 320x240; "
        "keep one size in a folder; refereed up to the still before"
    ]


def test_one_bad_picture_does_not_keep_the_others_from_being_counted(dominoref: Dominoref, game: Path) -> None:
    good = game / "frames" / "002.png"
    code, out, err = dominoref("count", good, game / "none.png", good, "--json")
    assert code == 1
    assert len(err.splitlines()) == 1
    lines = out.splitlines()
    assert [("error" in line, '"pips": 22' in line) for line in lines] == [(False, True), (True, False), (False, True)]


def test_control_characters_are_written_out() -> None:
    assert one_line("süß 6-4") == "süß 6-4"
    assert one_line("a\nb\x1b[0m\udcff") == "a\\nb\\x1b[0m\\udcff"
