"""`Session`: facts, presses and time reach the referee in order; a press waits until the table has settled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from table import events
from table.shell.session import PRESS_WAITS_S, Session
from vision.sources.frames import Frame


class Table:
    """A tracker that says what a test wants, and a referee that writes down what it is told."""

    def __init__(self) -> None:
        self.judgeable = True
        self.holds = False
        self.camera_moves: list[float] = []
        self.questions: list[str] = []
        self.facts: list[events.Fact] = []
        self.log: list[tuple[str, float]] = []
        self.names: list[tuple[int, str]] = []

    def observe(self, frame: Frame) -> list[events.Fact]:
        facts, self.facts = self.facts, []
        return facts

    def rename(self, number: int, tile: str) -> None:
        self.names.append((number, tile))

    def believe(self) -> None:
        self.holds, self.judgeable = False, True

    def begin(self) -> Sequence[events.Record]:
        return [events.Turn(t=0.0, n=0, seat=0)]

    def take(self, fact: events.Fact) -> Sequence[events.Record]:
        self.log.append((fact.type, fact.t))
        return [fact]

    def tick(self, t: float) -> Sequence[events.Record]:
        self.log.append(("tick", t))
        return []

    def note(self, record: events.Record) -> Sequence[events.Record]:
        self.log.append((record.type, record.t))
        return [record]

    def finish(self, t: float) -> Sequence[events.Record]:
        self.log.append(("finish", t))
        return []


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def heard() -> list[events.Record]:
    return []


@pytest.fixture
def session(table: Table, heard: list[events.Record]) -> Session:
    return Session(table, table, [heard.extend])  # type: ignore[arg-type]


def frame(t: float) -> Frame:
    return Frame(t, np.zeros((2, 2, 3), np.uint8))


def placed(t: float) -> events.Placed:
    return events.Placed(t=t, id=3, tile="6-4", face="up", at=events.Pose(1, 1, 0))


def press(t: float) -> events.Button:
    return events.Button(t=t, seat=0, button="pass")


def test_everybody_who_listens_is_told(session: Session, table: Table, heard: list[events.Record]) -> None:
    session.begin()
    table.facts = [placed(1.0)]
    session.frame(frame(1.0))
    assert [record.type for record in heard] == ["turn", "placed"]
    assert table.log == [("placed", 1.0), ("tick", 1.0)]
    assert table.names == [(3, "6-4")], "the tracker learns what the referee calls the tile"


def test_a_press_on_a_settled_table_counts_at_once(session: Session, table: Table) -> None:
    session.frame(frame(1.0))
    session.input(press(1.2))
    assert table.log[-1] == ("button", 1.2)


def test_a_press_waits_for_the_tile_that_was_laid_before_it(session: Session, table: Table) -> None:
    session.frame(frame(1.0))
    table.judgeable = False
    session.input(press(1.2))
    session.frame(frame(1.5))
    table.facts = [placed(2.0)]
    table.judgeable = True
    session.frame(frame(2.0))
    assert [kind for kind, _ in table.log if kind != "tick"] == ["placed", "button"]
    assert table.log[-1] == ("button", 2.0), "times never run backwards"


def test_a_press_does_not_wait_for_ever(session: Session, table: Table) -> None:
    table.judgeable = False
    session.input(press(1.0))
    for k in range(60):
        session.frame(frame(1.0 + k / 10))
    pressed = [t for kind, t in table.log if kind == "button"]
    assert pressed == [pytest.approx(1.0 + PRESS_WAITS_S, abs=0.15)]


def test_presses_keep_their_order(session: Session, table: Table) -> None:
    table.judgeable = False
    session.input(press(1.0))
    session.input(events.Button(t=1.1, seat=1, button="done"))
    session.finish()
    assert [kind for kind, _ in table.log] == ["button", "button", "finish"]


def test_a_bumped_camera_is_told_once(session: Session, table: Table, heard: list[events.Record]) -> None:
    table.camera_moves = [14.6]
    session.frame(frame(2.0))
    session.frame(frame(2.5))
    told = [record for record in heard if isinstance(record, events.Advice)]
    assert [(record.code, record.t, record.args) for record in told] == [("CAMERA_MOVED", 2.0, {"shift_mm": 14.6})]


def test_where_it_is_not_known_where_the_camera_is_people_are_asked_once_and_presses_wait(
    session: Session, table: Table, heard: list[events.Record]
) -> None:
    table.questions, table.holds, table.judgeable = ["TABLE_DIFFERS"], True, False
    session.frame(frame(2.0))
    session.input(press(2.1))
    session.frame(frame(2.5))
    session.frame(frame(3.0 + PRESS_WAITS_S))
    assert [(record.code, record.t) for record in heard if isinstance(record, events.Attention)] == [
        ("TABLE_DIFFERS", 2.0)
    ]
    assert "button" not in [kind for kind, _ in table.log]
    session.input(events.Resumed(t=9.0))
    session.frame(frame(9.1))
    assert [kind for kind, _ in table.log if kind in ("button", "resumed")] == ["resumed", "button"]


def test_a_correction_does_not_wait(session: Session, table: Table) -> None:
    table.judgeable = False
    session.input(press(0.9))
    session.input(events.Correction(t=1.0, of=3, change="remove"))
    assert table.log == [("correction", 1.0)]


def test_a_press_waits_for_the_camera(session: Session, table: Table) -> None:
    session.note("CAMERA_LOST", "lost", {}, 1.0)
    session.input(press(1.5))
    for k in range(20):
        session.tick(2.0 + k)
    session.note("CAMERA_BACK", "back", {}, 22.0)
    session.tick(22.1)
    assert "button" not in [kind for kind, _ in table.log]
    table.judgeable = False
    session.frame(frame(22.2))
    assert "button" not in [kind for kind, _ in table.log], "what was laid meanwhile is not settled yet"
    table.facts, table.judgeable = [placed(22.6)], True
    session.frame(frame(22.6))
    assert [kind for kind, _ in table.log if kind in ("placed", "button")] == ["placed", "button"]


def test_an_undo_comes_after_the_press_before_it(session: Session, table: Table) -> None:
    table.judgeable = False
    session.input(press(1.0))
    session.input(events.Correction(t=1.5, change="undo"))
    session.input(events.Paused(t=1.6))
    assert [kind for kind, _ in table.log] == ["button", "correction", "paused"]
