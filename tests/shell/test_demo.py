"""The demonstration against what really happened in it: every act, seat and fault, in time, and no false alarm."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from table.shell.demo import GAME_OPTIONS
from tests.shell.conftest import ROOT, InstalledDemo, records
from vision.sources.pictures import read_picture

Line = dict[str, Any]
TRUTH: list[Line] = [json.loads(line) for line in (ROOT / "table/demo/truth.jsonl").read_text().splitlines()]
ACTS = [act for act in TRUTH if act["type"] != "pointed"]
FAULTS = [act for act in TRUTH if "fault" in act]
NEAR_MM, SOON_S, CALL_S = 15.0, 2.0, 1.5


@pytest.fixture(scope="module")
def lines(installed_demo: InstalledDemo) -> list[Line]:
    return records((installed_demo.out / "records.jsonl").read_text())


def test_every_act_and_nothing_else(lines: list[Line]) -> None:
    seen = [r for r in lines if r["type"] in ("placed", "removed", "moved", "turned")]
    assert [(r["type"], r["tile"], r["seat"], r["seat_by"]) for r in seen] == [
        (act["type"], act["tile"], act["seat"], "arm") for act in ACTS
    ]
    for record, act in zip(seen, ACTS, strict=True):
        assert act["t"] <= record["t"] <= act["arm_left"] + SOON_S
        at = record["at"]
        assert math.hypot(at["x_mm"] - act["x_mm"], at["y_mm"] - act["y_mm"]) < NEAR_MM
    ids = {r["id"] for r in seen}
    assert len(ids) == len({act["tile"] for act in ACTS}), "the tile that was taken back is still the same one"


def test_every_fault_and_no_false_alarm(lines: list[Line]) -> None:
    called = [r for r in lines if r["type"] == "violation" and r["status"] == "open"]
    assert [(r["code"], r["tile"], r["seat"]) for r in called] == [
        (act["fault"], act["tile"], act["seat"]) for act in FAULTS
    ]
    for record, act in zip(called, FAULTS, strict=True):
        assert record["t"] <= act["arm_left"] + CALL_S
    assert [r for r in lines if r["type"] in ("attention", "advice")] == [], "nothing is asked that is clear"


def test_the_fault_that_was_put_right_and_the_one_that_stands(lines: list[Line]) -> None:
    ends = [(r["tile"], r["status"]) for r in lines if r["type"] == "violation" and r["status"] != "open"]
    assert ends == [("1-0", "corrected"), ("5-4", "stands")]


def test_times_never_run_backwards(lines: list[Line]) -> None:
    assert [r["n"] for r in lines] == list(range(len(lines)))
    assert [r["t"] for r in lines] == sorted(r["t"] for r in lines)


def test_the_match_is_as_it_is_said_to_be(lines: list[Line]) -> None:
    assert (lines[0]["game"], lines[0]["seats"]) == ("block", 2)
    assert lines[0]["options"] == dict(option.split("=") for option in GAME_OPTIONS)


def test_it_is_told_as_people_talk(installed_demo: InstalledDemo) -> None:
    said = installed_demo.said
    for sentence in (
        "seat 2 lays 6-0 on the 6 of 6-6",
        "NOT ALLOWED (seat 1): 1-0 has no 3.",
        "seat 1 takes back 1-0",
        "NOT ALLOWED (seat 1): It is seat 2's turn.",
        "-> seat 2 to play",
        "light of seat 1: red",
        "11 tiles laid, 2 faults called",
    ):
        assert sentence in said
    assert "\x1b" not in said, "no colours where nobody watches"


def test_the_contact_sheet_shows_every_act(installed_demo: InstalledDemo) -> None:
    sheet = read_picture(Path(installed_demo.out / "contact-sheet.png"))
    assert sheet.shape[1] > 1200
    assert sheet.std() > 20
