"""The camera bumped in the middle of simulated play: is it noticed in time, and is nothing misjudged? Prints figures.

    python -m tests.benchmarks.bench_bumps [--count N] [--game GAME] [--markers] [--smooth] [--tiles N] [--hand]
                                            [--turn DEG] [--seed S] [--show]

N bumps from 1 to 20 mm, in any direction, each in the first acts of a match of its own that is seen by a perfect eye.
`--turn` also turns the camera by up to so many degrees about its axis; with `--markers` the printed corner markers lie
on the table, else its cloth and the tiles are all there is to tell the camera by, and with `--smooth` the cloth has no
texture either. `--tiles` waits with the bump until so many tiles have been laid. After a bump the table is watched at
8 pictures a second, then play goes on; with `--hand` the bump happens while a hand is over the
table, and play goes on at once. What counts as wrong: any tile, seat, turn, verdict, count or alarm that differs from
the truth.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.marker_fit import CELLS, pattern
from calibration.markers import marker_corners_mm
from calibration.plane import TablePlane
from calibration.table_file import SeatStrip
from table import events
from table.referee import Referee
from table.shell.session import Session
from table.tracking import Tracker
from tests.simulated_table.comparing import Comparison
from tests.simulated_table.facts import Told, correction_of, match_record
from tests.simulated_table.ground import NoRoom
from tests.simulated_table.players import LineMatch
from tests.simulated_table.script import Act, Script
from tests.simulated_table.stage import Image, PerfectEye, Reach, Stage
from tests.simulated_table.watching import Film
from vision.sighting import Sighting
from vision.sources.frames import Frame

MARKER_MM = 40.0
ACTS = 7
"""So much of a match is played: enough to lay some tiles before the bump and some after."""
ACTS_AFTER = 4
"""The same where the bump waits for tiles."""
AFTER_S, RATE = 2.5, 8.0
IN_TIME_S = 2.0
LEAST_MM, MOST_MM = 1.0, 20.0
QUIET = ("small_nudge", "nudge", "rest", "pass_taken_back")


class BumpedStage(Stage):
    """A table whose camera moves: `motion` takes pixels of the unmoved camera to those of the moved one."""

    motion: NDArray[np.float64] = np.eye(3)

    def lay_markers(self) -> None:
        """Put the printed corner markers, on their white paper, into the corners of the play area."""
        for number, corners in enumerate(marker_corners_mm(self.plane.size_mm, MARKER_MM)):
            paper = np.pad(np.kron(pattern(number), np.ones((8, 8), np.uint8)), 4, constant_values=230)
            side, edge = CELLS * 8 + 7.5, MARKER_MM * 4 / (CELLS * 8)
            drawn = np.array([[-0.5, -0.5], [side, -0.5], [side, side], [-0.5, side]], np.float32)
            out = corners + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * edge
            warp = cv2.getPerspectiveTransform(drawn, self.plane.to_image(out).astype(np.float32))
            layer = cv2.warpPerspective(paper, warp, self.plane.size_px, flags=cv2.INTER_AREA, borderValue=(0, 0, 0))
            there = cv2.warpPerspective(np.full_like(paper, 255), warp, self.plane.size_px) > 127
            self._cloth[there] = np.maximum(layer[there], 20)[:, None]
        self._stale = True

    def smooth(self) -> None:
        """A cloth without texture: only light and shade, and the rim of the table."""
        rim = self._cloth.copy()
        self._cloth[:] = cv2.GaussianBlur(self._cloth, (0, 0), 20)
        outside = np.full(rim.shape[:2], 255, np.uint8)
        cv2.fillConvexPoly(outside, np.round(self.plane.corners_px(35)).astype(np.int32), 0)
        self._cloth[outside > 0] = rim[outside > 0]
        self._stale = True

    def picture(self, reaches: list[Reach] | tuple[Reach, ...] = ()) -> Image:  # type: ignore[override]
        image = super().picture(reaches)
        if (self.motion == np.eye(3)).all():
            return image
        moved = cv2.warpPerspective(image, self.motion, self.plane.size_px, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, np.uint8)


class BumpedEye(PerfectEye):
    """Sees the tiles where the moved camera shows them, and knows the table by `plane` alone."""

    def __init__(self, stage: BumpedStage, plane: TablePlane, seed: int) -> None:
        super().__init__(stage, seed)
        self._bumped, self._through = stage, plane

    def look(self, image_bgr: Image, region_px: tuple[int, int, int, int] | None = None) -> list[Sighting]:
        found = []
        for sighting in super().look(image_bgr):
            quad = cv2.perspectiveTransform(sighting.quad_px.reshape(1, 4, 2), self._bumped.motion)[0]
            x, y = quad.mean(axis=0)
            if region_px and not (region_px[0] <= x <= region_px[2] and region_px[1] <= y <= region_px[3]):
                continue
            pose = self._through.pose_of_quad(quad, self._bumped.table.thickness_mm)
            found.append(replace(sighting, quad_px=np.asarray(quad, np.float64), pose=pose))
        return found


class BumpedFilm(Film):
    """Plays a script; the camera is bumped once, before the act `at`."""

    def __init__(self, script: Script, seed: int, at: int, motion: NDArray[np.float64], in_hand: bool) -> None:
        super().__init__(script, "sparse", seed=seed)
        self.stage: BumpedStage = BumpedStage(script.table, self.plane, seed)
        self._bump_at, self.motion, self._in_hand = at, motion, in_hand
        self.bumped_t: float | None = None

    def steps(self) -> Iterator[Frame | events.Fact | Act]:
        for step in super().steps():
            yield step
            if self.bumped_t is not None or len(self.spans) < self._bump_at or not isinstance(step, Frame):
                continue
            self.stage.motion = self.motion
            self.bumped_t = self.t
            if not self._in_hand:
                for _ in range(round(AFTER_S * RATE)):
                    self.t += 1 / RATE
                    yield Frame(self.t, self.stage.picture())
                self.t += 0.1


def beginning(game: str, seed: int, tiles: int = 0) -> tuple[Script, int] | None:
    """The first acts of a match and before which of them the bump comes; None where it did not fit or is too short.

    With `tiles` that is once so many have been laid.
    """
    try:
        script = LineMatch(game, 2, seed, 0.25, 0.15, troubles=QUIET, starter_method="first").plan(1)
    except NoRoom:
        return None
    at = Random(f"bump {seed}").randrange(2, ACTS - 2)
    acts = ACTS
    if tiles:
        laid = sorted(laid.act for laid in script.laid)
        if len(laid) < tiles:
            return None
        at, acts = laid[tiles - 1] + 1, laid[tiles - 1] + 1 + ACTS_AFTER
    if len(script.acts) <= acts:
        return None
    del script.acts[acts:]
    script.laid = [laid for laid in script.laid if laid.act < acts]
    script.faults = [due for due in script.faults if due.last < acts]
    if any((due.closed or 0) >= acts for due in script.faults):
        return None
    script.rounds, script.tricks, script.winners = [], [], None
    return script, at


def a_bump(plane: TablePlane, mm: float, turn_deg: float, rng: Random) -> NDArray[np.float64]:
    """A motion of the picture that moves the middle of the table by `mm` and turns about it."""
    x, y = np.array(plane.size_px) / 2
    way = rng.uniform(0, 2 * math.pi)
    far = mm * plane.px_per_mm()
    motion = np.eye(3)
    motion[:2] = cv2.getRotationMatrix2D((float(x), float(y)), rng.uniform(-turn_deg, turn_deg), 1.0)
    motion[:2, 2] += far * math.cos(way), far * math.sin(way)
    return motion


def one(
    script: Script, at: int, seed: int, mm: float, turn_deg: float, in_hand: bool, markers: bool, smooth: bool
) -> tuple[float | None, str, list[str]]:
    """After how many seconds the bump was noticed (None: not), how, and what was wrong."""
    rng = Random(f"bump of {seed}")
    film = BumpedFilm(script, seed, at, np.eye(3), in_hand)
    film.motion = a_bump(film.plane, mm, turn_deg, rng)
    stage = film.stage
    if smooth:
        stage.smooth()
    if markers:
        stage.lay_markers()
    strips = [SeatStrip(s.edge, s.span, s.depth_mm) for s in script.table.seats]

    def eye_for(plane: TablePlane) -> BumpedEye:
        eye = BumpedEye(stage, plane, seed)
        eye.misread = film.misread
        return eye

    tracker = Tracker(eye_for(film.plane), film.plane, stage.tile_mm, strips, script.table.boneyard, eye_for=eye_for)
    records: list[events.Record] = []
    session = Session(Referee(match_record(script)), tracker, [records.extend])
    session.begin()
    for step in film.steps():
        if isinstance(step, Frame):
            session.frame(step)
        elif isinstance(step, Act):
            session.input(correction_of(step, records, film.t))
        else:
            session.input(step)
    session.finish()
    told: list[events.Record] = [
        r for r in records if isinstance(r, events.Advice | events.Attention) and _of_a_bump(r)
    ]
    told += [r for r in records if isinstance(r, events.Bumped)]
    left = _as_if_unmoved([r for r in records if r not in told], [r for r in told if isinstance(r, events.Bumped)])
    found = Comparison(script, Told(left, film.spans)).compare()
    words = [word for word in found.words if "has n" not in word]  # numbers lack those left out above
    if not told or film.bumped_t is None:
        return None, "", words
    first = min(told, key=lambda record: record.t)
    words_of = {events.Advice: "registered again", events.Attention: "asked", events.Bumped: "taken for the table's"}
    return first.t - film.bumped_t, words_of[type(first)], words


def _as_if_unmoved(records: list[events.Record], bumps: list[events.Bumped]) -> list[events.Record]:
    """The records with places as before the table was told to have moved as a whole."""
    moved = []
    for record in records:
        if isinstance(record, events.OfTile):
            at = record.at
            for bump in reversed([bump for bump in bumps if bump.n < record.n]):
                angle = math.radians(-bump.turn_deg)
                x, y = at.x_mm - bump.dx_mm, at.y_mm - bump.dy_mm
                at = events.Pose(
                    math.cos(angle) * x - math.sin(angle) * y,
                    math.sin(angle) * x + math.cos(angle) * y,
                    at.angle_deg - bump.turn_deg,
                )
            record = msgspec.structs.replace(record, at=at)
        moved.append(record)
    return moved


def _of_a_bump(record: events.Advice | events.Attention) -> bool:
    return record.code in ("CAMERA_MOVED", "TABLE_DIFFERS")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--game", default="block")
    parser.add_argument("--markers", action="store_true")
    parser.add_argument("--smooth", action="store_true")
    parser.add_argument("--tiles", type=int, default=0, metavar="N")
    parser.add_argument("--hand", action="store_true")
    parser.add_argument("--turn", type=float, default=0.0, metavar="DEG")
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    begun = time.process_time()
    seed, done = asked.seed, 0
    rows: list[tuple[float, float | None, str, list[str]]] = []
    while done < asked.count:
        seed += 1
        begun_match = beginning(asked.game, seed, asked.tiles)
        if begun_match is None:
            continue
        mm = LEAST_MM + (MOST_MM - LEAST_MM) * done / max(1, asked.count - 1)
        late, way, words = one(*begun_match, seed, mm, asked.turn, asked.hand, asked.markers, asked.smooth)
        rows.append((mm, late, way, words))
        done += 1
        if asked.show and (words or late is None):
            print(f"    seed {seed}, {mm:.1f} mm: noticed {late}, {way}; {words[:3]}", flush=True)
    for low, high in ((0.0, 3.0), (3.0, 6.0), (6.0, 12.0), (12.0, MOST_MM + 1)):
        part = [row for row in rows if low <= row[0] < high]
        if part:
            print(line(f"{max(low, LEAST_MM):g} to {min(high, MOST_MM):g} mm", part))
    print(line("all", rows) + f"  {time.process_time() - begun:.0f} s of processor")


def line(name: str, rows: list[tuple[float, float | None, str, list[str]]]) -> str:
    """One row of the table."""
    late = [row[1] for row in rows if row[1] is not None]
    ways = {way: sum(row[2] == way for row in rows) for way in sorted({row[2] for row in rows if row[2]})}
    times = f", after {statistics.median(late):.2f} s, worst {max(late):.2f}" if late else ""
    return (
        f"bumps {name:12} {len(rows):4}  noticed {len(late)} ({sum(t <= IN_TIME_S for t in late)} within "
        f"{IN_TIME_S:g} s{times})  {', '.join(f'{way} {count}' for way, count in ways.items())}  "
        f"wrong in {sum(bool(row[3]) for row in rows)}"
    )


if __name__ == "__main__":
    main()
