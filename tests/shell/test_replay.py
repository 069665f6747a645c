"""`dominoref replay` on painted recordings: the records, the same ones each time, inputs in their place, --until."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from table import events
from table.shell.narrate import Narrator, seat_name
from table.shell.progress import Progress
from tests.painted import TABLE_TOML, Image, Table, write_stills, write_video
from tests.shell.conftest import BLOCK, Dominoref, records


def of_type(lines: list[dict[str, Any]], *types: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] in types]


def replayed(dominoref: Dominoref, recording: Path, *words: object, status: int = 0) -> list[dict[str, Any]]:
    code, out, err = dominoref("replay", recording, *BLOCK, "--events", "-", *words)
    assert code == status, err
    lines = records(out)
    assert [line["n"] for line in lines] == list(range(len(lines))), "numbered in file order, without a gap"
    times = [line["t"] for line in lines]
    assert times == sorted(times)
    return lines


def test_the_game_is_refereed(dominoref: Dominoref, game: Path) -> None:
    lines = replayed(dominoref, game)
    assert lines[0]["type"] == "match"
    assert (lines[0]["game"], lines[0]["seats"], lines[0]["set"]) == ("block", 2, "double-six")
    acts = of_type(lines, "placed", "removed", "moved", "turned")
    assert [(a["type"], a["tile"], a["t"], a["seat"]) for a in acts] == [
        ("placed", "6-6", 1.0, 0),
        ("placed", "6-4", 2.0, 1),
        ("placed", "5-1", 3.0, 0),
        ("removed", "5-1", 4.0, 0),
    ]
    assert [j["legal"] for j in of_type(lines, "judged")] == [True, True, False]
    assert [(v["code"], v["status"], v["seat"]) for v in of_type(lines, "violation")] == [
        ("END_MISMATCH", "open", 0),
        ("END_MISMATCH", "corrected", 0),
    ]


def test_the_same_bytes_twice(dominoref: Dominoref, game: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert dominoref("replay", game, *BLOCK, "--events", tmp_path / name)[0] == 0
    first, second = ((tmp_path / name).read_bytes().split(b"\n", 1) for name in ("a", "b"))
    assert first[1] == second[1]
    heads = [json.loads(head) for head in (first[0], second[0])]
    assert [head.pop("started_at")[-6:] for head in heads] == ["+00:00"] * 2
    assert heads[0] == heads[1]


@pytest.mark.parametrize("until", [0.0, 0.5, 1.0, 2.5, 3.0, 4.0, 99.0])
def test_until_gives_the_first_records(dominoref: Dominoref, game: Path, until: float) -> None:
    whole = replayed(dominoref, game)
    part = replayed(dominoref, game, "--until", until)
    assert part[1:] == whole[1 : len(part)]
    assert all(line["t"] <= until for line in part)
    assert until < 99 or len(part) == len(whole)
    assert [line for line in whole if line["t"] <= until][-1]["n"] == len(part) - 1 or until >= 4


@pytest.mark.parametrize("until", [1.2, 1.7, 2.0])
def test_until_with_inputs(dominoref: Dominoref, copy: Path, until: float) -> None:
    press = '{"t":%s,"type":"button","seat":1,"button":"pass"}\n'
    (copy / "inputs.jsonl").write_text("".join(press % t for t in (1.2, 1.6, 3.5)))
    whole, part = replayed(dominoref, copy), replayed(dominoref, copy, "--until", until)
    assert part[1:] == whole[1 : len(part)]
    assert len(of_type(part, "button")) == (1 if until < 1.6 else 2)


def test_presses_take_their_place_in_time(dominoref: Dominoref, copy: Path) -> None:
    (copy / "inputs.jsonl").write_text(
        '{"t":1.4,"type":"button","seat":1,"button":"pass"}\n'
        '{"t":3.0,"type":"button","seat":0,"button":"done"}\n'
        '{"t":9.0,"type":"button","seat":1,"button":"challenge"}\n'
    )
    lines = of_type(replayed(dominoref, copy), "button", "placed", "removed")
    assert [(line["type"], line["t"]) for line in lines] == [
        ("placed", 1.0),
        ("button", 1.4),
        ("placed", 2.0),
        ("placed", 3.0),
        ("button", 3.0),
        ("removed", 4.0),
        ("button", 9.0),
    ]


def corrected(dominoref: Dominoref, copy: Path) -> tuple[int, list[dict[str, Any]]]:
    """The game in which somebody says that 5-1 was a 4-1; the number of that record, and all records."""
    number = next(r["n"] for r in replayed(dominoref, copy) if r.get("tile") == "5-1")
    (copy / "inputs.jsonl").write_text(f'{{"t":3.5,"type":"correction","of":{number},"change":{{"tile":"4-1"}}}}\n')
    return number, replayed(dominoref, copy)


def test_a_correction_reaches_back(dominoref: Dominoref, copy: Path) -> None:
    number, lines = corrected(dominoref, copy)
    judged = [line for line in of_type(lines, "judged") if line["of"] == number]
    assert [(line["legal"], line.get("replaces")) for line in judged] == [(False, None), (True, judged[0]["n"])]
    assert [v["status"] for v in of_type(lines, "violation") if v["code"] == "END_MISMATCH"] == ["open", "withdrawn"]


def test_a_corrected_tile_keeps_the_name_it_was_given(dominoref: Dominoref, copy: Path) -> None:
    _, lines = corrected(dominoref, copy)
    assert [line["tile"] for line in of_type(lines, "removed")] == ["4-1"]


def test_a_correction_of_nothing_is_left_out_and_said(dominoref: Dominoref, copy: Path) -> None:
    (copy / "inputs.jsonl").write_text('{"t":1.5,"type":"correction","of":99,"change":"remove"}\n')
    code, out, err = dominoref("replay", copy, *BLOCK, "--events", "-")
    assert code == 1
    assert "inputs.jsonl: what was put in at 1.5 s is left out: correction of record 99" in err
    lines = records(out)
    assert len(of_type(lines, "placed")) == 3
    assert of_type(lines, "correction") == []


def test_words_for_people_go_to_stderr(dominoref: Dominoref, game: Path) -> None:
    code, out, err = dominoref("replay", game, *BLOCK)
    assert (code, out) == (0, "")
    assert "seat 2 lays 6-4 on the 6 of 6-6" in err
    assert "NOT ALLOWED (seat 1): 5-1 has no 4." in err
    assert err.splitlines()[-1].endswith("3 tiles laid, 1 fault called; seat 1 is on turn")
    assert "\x1b" not in err
    assert "\r" not in err


def film(tmp_path: Path, name: str, code: str) -> Path:
    table, pictures = Table(), list[Image]()
    pictures += [table.picture()] * 12
    table.lay("6-6", 300, 220, 90)
    pictures += [table.picture()] * 12
    table.lay("6-4", 340, 220)
    pictures += [table.picture()] * 12
    (tmp_path / "table.toml").write_text(TABLE_TOML)
    return write_video(tmp_path / name, pictures, code=code)


@pytest.mark.parametrize(("name", "code"), [("video.avi", "FFV1"), ("video.mkv", "FFV1")])
def test_a_video(dominoref: Dominoref, tmp_path: Path, name: str, code: str) -> None:
    film(tmp_path, name, code)
    for recording, words in ((tmp_path, ()), (tmp_path / name, ("--table", tmp_path / "table.toml"))):
        placed = of_type(replayed(dominoref, recording, *words), "placed")
        assert [p["tile"] for p in placed] == ["6-6", "6-4"]
        assert [p["t"] for p in placed] == pytest.approx([1.5, 2.7], abs=0.35)


def test_a_video_that_breaks_off_is_refereed_up_to_there(dominoref: Dominoref, tmp_path: Path) -> None:
    whole = film(tmp_path, "video.avi", "FFV1").read_bytes()
    (tmp_path / "video.avi").write_bytes(whole[: len(whole) * 6 // 10])
    code, out, err = dominoref("replay", tmp_path, *BLOCK, "--events", "-")
    assert code == 1
    assert [p["tile"] for p in of_type(records(out), "placed")] == ["6-6"]
    assert [line for line in err.splitlines() if "breaks off" in line] != []


def test_stills_up_to_a_broken_one(dominoref: Dominoref, copy: Path) -> None:
    (copy / "frames" / "002.png").write_bytes(b"nothing")
    code, out, err = dominoref("replay", copy, *BLOCK, "--events", "-")
    assert code == 1
    assert len(of_type(records(out), "placed")) == 1
    assert "002.png" in err.splitlines()[0]


def test_without_a_table_the_tiles_are_the_ruler(dominoref: Dominoref, game: Path) -> None:
    lines = of_type(records(dominoref("replay", game / "frames", "--game", "free", "--events", "-")[1]), "placed")
    assert [p["tile"] for p in lines] == ["6-6", "6-4", "5-1"]
    assert abs(lines[1]["at"]["x_mm"] - lines[0]["at"]["x_mm"]) == pytest.approx(40, abs=3)


def test_without_a_table_and_tiles_calibrate_is_named(dominoref: Dominoref, tmp_path: Path) -> None:
    write_stills(tmp_path, [Table().picture()] * 3)
    code, _, err = dominoref("replay", tmp_path, "--game", "free")
    assert code == 1
    assert "dominoref calibrate" in err


def test_a_wrong_option_leaves_earlier_records_alone(dominoref: Dominoref, game: Path, tmp_path: Path) -> None:
    earlier = tmp_path / "records.jsonl"
    earlier.write_text("kept\n")
    assert dominoref("replay", game, "--game", "block", "--option", "no=1", "--events", earlier)[0] == 2
    assert earlier.read_text() == "kept\n"


def test_records_do_not_overwrite_what_is_refereed(dominoref: Dominoref, copy: Path) -> None:
    (copy / "inputs.jsonl").write_text("")
    for name in ("table.toml", "inputs.jsonl"):
        before = (copy / name).read_bytes()
        code, _, err = dominoref("replay", copy, *BLOCK, "--events", copy / name)
        assert (code, "name another file" in err) == (2, True)
        assert (copy / name).read_bytes() == before


def test_progress_only_where_a_person_watches() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    plain, watched = io.StringIO(), Terminal()
    for stream in (plain, watched):
        progress = Progress("replay", 200, stream)
        progress.step(50, "3.4 s")
        progress.clear()
    assert plain.getvalue() == ""
    assert watched.getvalue().startswith("\rreplay  25 % 3.4 s")
    assert watched.getvalue().endswith("\r")


def test_names_of_seats() -> None:
    assert [seat_name(s, ("Ann", "")) for s in (None, 0, 1, 2)] == ["somebody", "Ann", "seat 2", "seat 3"]
    assert Narrator(print).summary() == "0 tiles laid, 0 faults called"


def test_a_pause_is_told() -> None:
    told: list[str] = []
    Narrator(told.append)([events.Paused(n=3, t=2.0), events.Resumed(n=4, t=9.5)])
    assert told == ["    2.0 s  paused: nothing is judged until play goes on", "    9.5 s  play goes on"]
