"""A script played out before the camera: frames and presses through the shell's session, records out.

Three ways: `stills` (one settled picture an act), `sparse` (five or six pictures an act, with the arm), `motion` (15
pictures a second, hands that come in, lay down and go).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random
from typing import Literal

import numpy as np

from calibration.table_file import SeatStrip
from table import events
from table.referee import Referee
from table.shell.session import Session
from table.tracking import Tracker
from table.tracking.gaze import Looking
from vision.sources.frames import Frame

from .facts import Told, correction_of, match_record
from .ground import strip_places
from .script import Act, Piece, Script
from .stage import Image, PerfectEye, Reach, Stage, camera_over

Pace = Literal["stills", "sparse", "motion"]
RATE = 15.0
GRASP_MM = 24.0
"""Fingertips reach so far beyond the middle of what they lay."""
Watcher = Callable[[float, Image], None]


class Film:
    """Plays a script's acts as frames. `frames` yields them with the times; spans of acts are kept."""

    def __init__(self, script: Script, pace: Pace, width_px: int = 760, seed: int = 0) -> None:
        self.script, self.pace = script, pace
        self.plane = camera_over(script.table, width_px)
        self.stage = Stage(script.table, self.plane, seed, chinese=script.game == "tien-gow")
        self.rng = Random(f"film {script.seed} {seed}")
        self.spans: list[tuple[float, float]] = []
        self.t = 0.0
        self.misread: dict[str, str] = {}
        self._company: Reach | None = None

    def steps(self) -> Iterator[Frame | events.Fact | Act]:
        """Frames and inputs in the order of time."""
        yield from self._still(3)
        for act in self.script.acts:
            begun = self.t
            self.misread.update(act.misread)
            self._company = None if act.company is None or self.pace == "stills" else self._before(act.company)
            if act.correction is not None:
                self.t += 0.04
                yield act
                self.misread.clear()
            if self.pace == "stills":
                yield from self._as_still(act)
            elif self.pace == "sparse":
                yield from self._sparsely(act)
            else:
                yield from self._moving(act)
            self.spans.append((begun, self.t))

    # stills

    def _as_still(self, act: Act) -> Iterator[Frame | events.Fact]:
        if act.press is not None or act.correction is not None:
            self.t += 0.04
            if act.press is not None:
                yield self._button(act, self.t)
            return
        self.t = math.floor(self.t + 1e-6)
        self._change(act.changes)
        self._around(act)
        for _ in range(1 + math.ceil(act.rest_s if act.around != "rest" else 0)):
            self.t += 1.0
            yield Frame(self.t, self.stage.picture(), settled=True)
        self.t += 0.2

    # a few pictures an act

    def _sparsely(self, act: Act) -> Iterator[Frame | events.Fact]:
        self.t += 0.4
        if act.press is not None:
            yield self._frame()
            yield self._button(act, self.t + 0.1)
            self.t += 0.4
            yield self._frame()
        elif act.seat is not None:
            for tips, changes in self._visits(act):
                for k, tip in enumerate(tips):
                    yield self._frame(self._reach(act.seat, tip))
                    self.t += 0.2
                    if k == 0:
                        self._change(changes)
                        self._around(act)
                if act.around == "rest":
                    for _ in range(round(act.rest_s / 0.5)):
                        yield self._frame(self._reach(act.seat, _near(tips[-1], self.rng, 3.0)))
                        self.t += 0.5
        else:
            self._change(act.changes)
            self._around(act)
        yield from self._settle(act.rest_s if act.around != "rest" else 0.0)

    def _settle(self, rest_s: float) -> Iterator[Frame]:
        for wait in (0.0, 0.45, 0.2, 0.25):
            self.t += wait
            yield self._frame()
        for _ in range(math.ceil(rest_s / 0.5)):
            self.t += 0.5
            yield self._frame()
        self.t += 0.1

    # full motion

    def _moving(self, act: Act) -> Iterator[Frame | events.Fact]:
        if act.press is not None:
            yield from self._still(self.rng.randrange(2, 8))
            yield self._button(act, self.t)
            yield from self._still(6)
        elif act.seat is not None:
            yield from self._still(self.rng.randrange(1, 5))
            for tips, changes in self._visits(act):
                yield from self._hand(act, tips[0], changes)
        else:
            self._change(act.changes)
            self._around(act)
        rest = act.rest_s if act.around != "rest" else 0.0
        yield from self._still(round((1.1 + rest) * RATE))

    def _hand(self, act: Act, tip: tuple[float, float], changes: dict[str, Piece | None]) -> Iterator[Frame]:
        """In with what is laid down, a moment there, out with what is taken."""
        assert act.seat is not None
        reach = self._reach(act.seat, tip)
        outside = np.array(reach.start)
        goal = np.array(reach.tip)
        count = self.rng.randrange(5, 9)
        brought = [p for key, p in changes.items() if p is not None and key not in self.stage.pieces]
        taken = [self.stage.pieces[key] for key, p in changes.items() if p is None and key in self.stage.pieces]
        carried = brought[0] if len(brought) == 1 else None
        for k in range(1, count + 1):
            yield self._tick(self._at(reach, outside, goal, k / count, carried))
        self._change(changes)
        self._around(act)
        for _ in range(self.rng.randrange(2, 6) + (round(act.rest_s * RATE) if act.around == "rest" else 0)):
            near = _near((float(goal[0]), float(goal[1])), self.rng, 2.0)
            yield self._tick(Reach(reach.start, near, reach.seat))
        carried = taken[0] if len(taken) == 1 else None
        count = self.rng.randrange(5, 9)
        for k in range(count, 0, -1):
            yield self._tick(self._at(reach, outside, goal, (k - 1) / count, carried))

    def _at(self, reach: Reach, outside: np.ndarray, goal: np.ndarray, share: float, carried: Piece | None) -> Reach:
        eased = 0.5 - 0.5 * math.cos(math.pi * share)
        tip = outside + (goal - outside) * eased
        held = None
        if carried is not None:
            move = tip - goal
            pose = carried.pose
            turn = 25.0 * (1 - eased)
            held = Piece(
                carried.tile, carried.up,
                events.Pose(pose.x_mm + float(move[0]), pose.y_mm + float(move[1]), pose.angle_deg + turn), 1,
            )  # fmt: skip
        return Reach(reach.start, (float(tip[0]), float(tip[1])), reach.seat, held)

    # what all share

    def _still(self, count: int) -> Iterator[Frame]:
        if self.pace == "stills":
            yield Frame(0.0, self.stage.picture(), settled=True)
            return
        for _ in range(count):
            yield self._tick()

    def _tick(self, reach: Reach | None = None) -> Frame:
        self.t += (1 / RATE) if self.pace == "motion" else 0.3
        return self._frame(reach)

    def _frame(self, reach: Reach | None = None) -> Frame:
        return Frame(self.t, self.stage.picture([r for r in (self._company, reach) if r is not None]))

    def _button(self, act: Act, t: float) -> events.Fact:
        assert act.press is not None
        return events.Button(t=t, seat=act.press[0], button=act.press[1])  # type: ignore[arg-type]

    def _change(self, changes: dict[str, Piece | None]) -> None:
        for key, piece in changes.items():
            self.stage.put(key, piece)

    def _around(self, act: Act) -> None:
        if act.around == "cup":
            self.stage.cup = act.at
        elif act.around == "uncup":
            self.stage.cup = None
        elif act.around == "lamp":
            self.stage.lamp = act.value
        elif act.around == "bump":
            self.stage.shift_px = (self.stage.shift_px[0] + act.by[0], self.stage.shift_px[1] + act.by[1])

    def _visits(self, act: Act) -> list[tuple[list[tuple[float, float]], dict[str, Piece | None]]]:
        """Where the hand goes one after the other, and what changes there."""
        if act.around:
            return [([act.at, _near(act.at, self.rng, 5.0)], {})]
        places = []
        for key, piece in act.changes.items():
            old = self.stage.pieces.get(key)
            for lies in (old, piece):
                if lies is not None:
                    places.append((lies.pose.x_mm, lies.pose.y_mm, key))
        if len({key for *_, key in places}) <= 2:
            tips = [(x, y) for x, y, _ in places][::-1] or [(0.0, 0.0)]
            return [([tips[0], *tips[1:], _near(tips[0], self.rng, 6.0)], dict(act.changes))]
        places.sort()
        chunks = [places[i : i + 7] for i in range(0, len(places), 7)]
        visits = []
        done: set[str] = set()
        for chunk in chunks:
            keys = [key for *_, key in chunk if key not in done]
            done |= set(keys)
            x, y = np.mean([c[:2] for c in chunk], axis=0)
            middle = (float(x), float(y))
            visits.append(([middle, _near(middle, self.rng, 8.0)], {key: act.changes[key] for key in keys}))
        return visits

    def _reach(self, seat: int, target: tuple[float, float]) -> Reach:
        """The seat's arm with its fingers on the target."""
        strip = self.script.table.seats[seat]
        w, h = self.script.table.size_mm
        out = 190.0
        low, high = strip.span
        slip = self.rng.uniform(-50, 50)
        if strip.edge in ("bottom", "top"):
            a, b = (low, high) if strip.edge == "top" else (1 - high, 1 - low)
            x = min(max(target[0] + slip, a * w + 60), b * w - 60)
            start = (x, h + out if strip.edge == "bottom" else -out)
        else:
            a, b = (low, high) if strip.edge == "right" else (1 - high, 1 - low)
            y = min(max(target[1] + slip, a * h + 60), b * h - 60)
            start = (-out if strip.edge == "left" else w + out, y)
        along = np.array(target) - np.array(start)
        tip = np.array(target) + along / max(1e-6, float(np.linalg.norm(along))) * GRASP_MM
        return Reach(start, (float(tip[0]), float(tip[1])), seat)

    def _before(self, seat: int) -> Reach:
        """The seat's arm lying in its own strip."""
        spot = strip_places(self.script.table, seat, 1)[0]
        return self._reach(seat, (spot.x_mm, spot.y_mm))


def _near(spot: tuple[float, float], rng: Random, mm: float) -> tuple[float, float]:
    return spot[0] + rng.gauss(0, mm), spot[1] + rng.gauss(0, mm)


def watched(
    script: Script, pace: Pace, seed: int = 0, width_px: int = 760, eye: Looking | None = None,
    watcher: Watcher | None = None, pile_mm: float | None = None,
) -> Told:  # fmt: skip
    """The records of a session that watches the script played out."""
    film = Film(script, pace, width_px, seed)
    table = script.table
    film.stage.pile_mm = pile_mm
    strips = [SeatStrip(s.edge, s.span, s.depth_mm) for s in table.seats]
    stage = film.stage
    perfect = PerfectEye(stage, seed)
    perfect.misread = film.misread
    tracker = Tracker(
        eye or perfect, film.plane, stage.tile_mm, strips, table.boneyard,
        each_face_once=script.game != "tien-gow",
    )  # fmt: skip
    records: list[events.Record] = []
    referee = Referee(match_record(script, "stills" if pace == "stills" else None))
    session = Session(referee, tracker, [records.extend])
    session.begin()
    for step in film.steps():
        if isinstance(step, Frame):
            session.frame(step)
            if watcher is not None:
                watcher(step.t, step.image)
        elif isinstance(step, Act):
            session.input(correction_of(step, records, film.t))
        else:
            session.input(step)
    session.finish()
    return Told(records, film.spans)
