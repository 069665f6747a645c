"""`dominoref play` before a painted table: typed lines, a camera that is lost, recording, going on with a match."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from tests.painted import SIZE_PX, TABLE_TOML, Table
from tests.shell.conftest import BLOCK, Dominoref
from vision.sources.cameras import CameraEvent
from vision.sources.frames import Frame

BOTTOM, TOP = (300.0, 480.0), (300.0, -40.0)
BEGUN_S = 2.3
"""The camera was opened that long before the match."""
STEP_S = 0.07


@dataclass
class FakeCamera:
    """Plays a list of pictures; its clock is that of the picture given last."""

    frames: list[Frame]
    news: list[CameraEvent] = field(default_factory=list)
    name: str = "painted"
    size_px: tuple[int, int] = SIZE_PX
    fault: str | None = None
    t: float = BEGUN_S

    def now(self) -> float:
        return self.t

    def newest(self, timeout_s: float) -> Frame | None:
        while len(self.frames) > 1 and self.frames[0].t <= self.t:
            self.frames.pop(0)  # nobody asked for it
        due = self.frames[0].t if self.frames else self.t
        if due > self.t + timeout_s:
            self.t += timeout_s
            return None
        if not self.frames:
            return None
        self.t = due
        return self.frames.pop(0)

    @property
    def ended(self) -> bool:
        return not self.frames

    def events(self) -> list[CameraEvent]:
        told = [event for event in self.news if event.t <= self.t]
        self.news = [event for event in self.news if event.t > self.t]
        return told

    def __enter__(self) -> FakeCamera:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


class Evening:
    """What happens before the camera, and what is typed meanwhile."""

    def __init__(self, *lying: tuple[str, float, float, float]) -> None:
        """`lying`: what is on the table from the start, and where."""
        self.table, self.t = Table(), BEGUN_S
        for tile, x, y, angle in lying:
            self.table.lay(tile, x, y, angle)
        self.frames: list[Frame] = []
        self.typed: list[tuple[float, str]] = []
        self.news: list[CameraEvent] = []
        self.rest(0.8)

    def show(self, *arms: tuple[tuple[float, float], tuple[float, float]]) -> None:
        self.table.arms = list(arms)
        self.t += STEP_S
        self.frames.append(Frame(round(self.t, 6), self.table.picture(1.0, len(self.frames))))

    def rest(self, seconds: float = 1.0) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.show()

    def lay(self, start: tuple[float, float], tile: str, x: float, y: float, angle: float) -> None:
        """An arm comes in from the seat at `start`, lays a tile and leaves."""
        steps = [start[1] + (y - start[1]) * k / 4 for k in range(1, 5)]
        for at in steps:
            self.show((start, (x, at)))
        self.table.lay(tile, x, y, angle)
        for at in reversed(steps):
            self.show((start, (x, at)))
        self.rest()

    def type(self, line: str) -> None:
        self.typed.append((self.t, line))
        self.rest(0.4)

    def lost(self, seconds: float) -> None:
        """The camera gives nothing for so long."""
        self.news.append(CameraEvent(self.t + 0.3, "lost", "camera painted: gives no pictures any more"))
        self.t += seconds
        self.news.append(CameraEvent(self.t, "back", "camera painted: gives pictures again"))
        self.rest(0.5)


Play = Callable[..., tuple[list[dict[str, Any]], str]]


@pytest.fixture
def play(dominoref: Dominoref, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Plays an evening; returns the records and what was said."""
    (tmp_path / "table.toml").write_text(TABLE_TOML)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def run(evening: Evening, *words: object, status: int = 0) -> tuple[list[dict[str, Any]], str]:
        camera = FakeCamera(list(evening.frames), list(evening.news))
        typed = list(evening.typed)

        class Typed:
            def take(self) -> list[str]:
                lines = [line for t, line in typed if t <= camera.t]
                typed[:] = [(t, line) for t, line in typed if t > camera.t]
                return lines

        def sleep(seconds: float) -> None:
            camera.t += seconds

        monkeypatch.setattr("table.shell.play._camera", lambda spec, size: camera)
        monkeypatch.setattr("table.shell.play.time.sleep", sleep)
        # Painted tiles are a dozen pixels wide and known by their colour, of which other codecs keep a quarter.
        monkeypatch.setattr("table.shell.recorder.CODEC", "FFV1")
        monkeypatch.setattr("table.shell.play._TypedLines", Typed)
        out = tmp_path / "live.jsonl"
        game = () if "--resume" in words else BLOCK
        code, _, err = dominoref(
            "play", *game, "--table", tmp_path / "table.toml", "--board", "none", "--events", out, *words
        )
        assert code == status, err
        assert "Traceback" not in err
        return [json.loads(line) for line in out.read_text().splitlines()], err

    return run


def a_game() -> Evening:
    """6-6, 6-4, a 5-1 that does not fit, 4-1 nowhere, a pass, a pause."""
    evening = Evening()
    evening.lay(BOTTOM, "6-6", 250, 220, 90)
    evening.lay(TOP, "6-4", 290, 220, 0)
    evening.lay(BOTTOM, "5-1", 342, 220, 0)
    evening.lay(TOP, "4-1", 210, 140, 0)
    evening.type("pass 0")
    evening.type("pause")
    evening.type("resume")
    evening.rest(1.0)
    return evening


FACTS = ("placed", "removed", "moved", "turned", "button", "correction", "paused", "resumed")


def told(records: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """What the contract says a replay has in common with the match."""
    return [
        (r["type"], r.get("tile"), r.get("id"), r.get("seat"), r.get("code"), r.get("status"), r.get("legal"))
        for r in records
        if r["type"] != "light"
    ]


def test_a_game_is_refereed_live(play: Play) -> None:
    records, _ = play(a_game())
    facts = [(r["type"], r.get("tile"), r.get("seat")) for r in records if r["type"] in FACTS]
    assert facts == [
        ("placed", "6-6", 0),
        ("placed", "6-4", 1),
        ("placed", "5-1", 0),
        ("placed", "4-1", 1),
        ("button", None, 0),
        ("paused", None, None),
        ("resumed", None, None),
    ]
    assert records[1]["t"] == 0.0
    assert next(r["t"] for r in records if r["type"] == "placed") < 3.0, "time begins with the match"


@pytest.mark.parametrize("full", [False, True])
def test_a_recording_replays_to_the_same(play: Play, dominoref: Dominoref, tmp_path: Path, full: bool) -> None:
    evening = a_game()
    live, _ = play(evening, "--record", tmp_path / "kept", *(["--record-full"] if full else []))
    code, out, err = dominoref("replay", tmp_path / "kept", *BLOCK, "--events", "-")
    assert code == 0, err
    again = [json.loads(line) for line in out.splitlines()]
    assert told(again) == told(live)
    assert [r["t"] for r in again] == pytest.approx([r["t"] for r in live], abs=0.2)


def test_a_recording_keeps_the_time_over_a_loss(play: Play, dominoref: Dominoref, tmp_path: Path) -> None:
    evening = Evening()
    evening.lay(BOTTOM, "6-6", 250, 220, 90)
    evening.lost(4.0)
    evening.lay(TOP, "6-4", 290, 220, 0)
    live, _ = play(evening, "--record", tmp_path / "kept")
    assert [r["code"] for r in live if r["type"] == "attention"] == ["CAMERA_LOST", "CAMERA_BACK"]
    code, out, err = dominoref("replay", tmp_path / "kept", *BLOCK, "--events", "-")
    assert code == 0, err
    times = [[r["t"] for r in lines if r["type"] == "placed"] for lines in (live, map(json.loads, out.splitlines()))]
    assert times[1] == pytest.approx(times[0], abs=0.2)
    assert len(times[0]) == 2


def test_what_was_laid_while_the_camera_was_away_counts_as_the_turns(play: Play) -> None:
    evening = Evening()
    evening.lay(BOTTOM, "6-6", 250, 220, 90)
    evening.table.lay("6-4", 290, 220, 0)
    evening.lost(3.0)
    evening.lay(BOTTOM, "4-1", 342, 220, 0)
    records, _ = play(evening)
    laid = [(r["tile"], r["seat"], r["seat_by"]) for r in records if r["type"] == "placed"]
    assert laid == [("6-6", 0, "arm"), ("6-4", 1, "turn"), ("4-1", 0, "arm")]
    assert not [r for r in records if r["type"] == "violation"]


TYPED = (
    "12 is 6-3", "999 is 6-3", "999 remove", "undo", "undo", "0 seat 1", "pass 7", "why 999", "why", "", "hello",
    "help", "add 6-3 at 1e9 2 3", "add 6-3 at nan 2 3", "3 is 6-6", "challenge 0", "done 1", "resume", "pause",
)  # fmt: skip


def test_nothing_that_is_typed_ends_the_match(play: Play) -> None:
    evening = Evening()
    evening.lay(BOTTOM, "6-6", 250, 220, 90)
    for line in TYPED:
        evening.type(line)
    evening.type("resume")
    evening.lay(TOP, "6-4", 290, 220, 0)
    records, said = play(evening)
    assert ("placed", "6-4") in [(r["type"], r.get("tile")) for r in records]
    assert "999: there is no such record" in said
    assert "'hello' is not understood" in said


def test_quit_and_resume(play: Play) -> None:
    evening = Evening()
    evening.lay(BOTTOM, "6-6", 250, 220, 90)
    evening.type("quit")
    evening.rest(3.0)
    first, _ = play(evening)
    after = Evening(("6-6", 250, 220, 90))
    after.lay(TOP, "6-4", 290, 220, 0)
    second, _ = play(after, "--resume")
    assert [(r["type"], r["tile"]) for r in second if r["type"] == "placed"] == [("placed", "6-4")]
    assert second[0]["n"] == first[-1]["n"] + 1
    assert second[0]["t"] >= first[-1]["t"]
    assert second[0]["t"] < first[-1]["t"] + 4.0, "the time before the match began does not count"
