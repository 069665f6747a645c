"""Whatever is told to the referee, it answers: no exception, times in order, the same again from its own facts."""

from __future__ import annotations

import random

import pytest

from table.events import (
    Boneyard,
    Bumped,
    Button,
    Correction,
    Fact,
    Match,
    Moved,
    Paused,
    Placed,
    Pose,
    Removed,
    Resumed,
    Returned,
    Taken,
    Turned,
    decode,
    default_table,
    encode,
    tiles_of,
)
from table.referee import Referee
from table.rules.games import GAMES

SEATS = {"draw": 2, "tien-gow": 4, "free": 3}


def anything(rng: random.Random, faces: list[str], seats: int, t: float, poses: list[Pose]) -> Fact:
    """A fact with no regard to sense, though many tiles lie near others."""
    if poses and rng.random() < 0.7:
        near = rng.choice(poses)
        at = Pose(
            near.x_mm + rng.choice([-50, 0, 38, 50, 25]),
            near.y_mm + rng.choice([-50, 0, 38, 50]),
            rng.choice([0.0, 90.0, 180.0]),
        )
    else:
        at = Pose(rng.uniform(0, 900), rng.uniform(0, 700), rng.uniform(0, 360))
    poses.append(at)
    seat = rng.choice([None, *range(seats)])
    who = {"seat": seat, "seat_by": None if seat is None else "arm"}
    what = {"id": rng.randrange(12), "tile": rng.choice([*faces, "?"]), "at": at, **who}
    what["face"] = "up" if what["tile"] != "?" else rng.choice(["down", "unclear"])
    kind = rng.random()
    if kind < 0.45:
        sure = rng.random()
        return Placed(t=t, confidence=sure, alternatives=((rng.choice(faces), sure * rng.random()),), **what)
    if kind < 0.6:
        return Removed(t=t, **what)
    if kind < 0.7:
        return Moved(t=t, **what)
    if kind < 0.75:
        return Turned(t=t, **what)
    if kind < 0.82:
        return Button(t=t, seat=rng.randrange(seats), button=rng.choice(["pass", "pass", "done", "challenge"]))
    if kind < 0.88:
        return rng.choice([Taken, Returned])(t=t, count=rng.randint(1, 3), **who)
    if kind < 0.95:
        return Boneyard(t=t, count=rng.choice([None, *range(15)]))
    return rng.choice([Bumped(t=t, dx_mm=1.0, dy_mm=2.0, turn_deg=0.5), Paused(t=t), Resumed(t=t)])


def correction(rng: random.Random, faces: list[str], records: list, t: float) -> Correction:
    of = rng.choice([record.n for record in records[1:]])
    change = rng.choice(
        [
            {"tile": rng.choice(faces)}, {"seat": rng.randrange(2)}, "remove", "undo",
            {"add": {"tile": rng.choice(faces), "at": {"x_mm": 400.0, "y_mm": 300.0, "angle_deg": 0.0}, "seat": 0}},
        ]
    )  # fmt: skip
    return Correction(t=t, of=rng.choice([of, of, None]) if change == "undo" else of, change=change)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("source", ["stills", None])
def test_anything_goes(game, source):
    rng = random.Random(f"{game}{source}")
    for _ in range(12):
        seats = SEATS.get(game, 3)
        match = Match(
            t=0.0, game=game, seats=seats, tile_set=GAMES[game].set_name, source=source,
            table=default_table(seats, boneyard=rng.random() < 0.7),
        )  # fmt: skip
        referee = Referee(match)
        records = list(referee.begin())
        faces, poses, t = list(tiles_of(match.tile_set)), [], 0.0
        for _ in range(60):
            for _ in range(rng.choice([0, 1, 2, 8])):  # pictures come in between, unless they are stills
                t += 0.5
                records += referee.tick(t) if source is None else []
            t += 0.05
            if rng.random() < 0.04:
                records += referee.take(correction(rng, faces, records, t))
            records += referee.take(anything(rng, faces, seats, t, poses))
            if rng.random() < 0.7:
                records += referee.tick(t)
                t += 0.05  # a picture is told in full before the next
        records += referee.finish(t)
        assert [record.n for record in records] == list(range(len(records)))
        assert [record.t for record in records] == sorted(record.t for record in records)
        assert sum(record.type == "match" for record in records) == 1
        check_violations(records)
        again = Referee(match)
        told = list(again.begin())
        for record in records[1:]:
            if isinstance(record, Fact):
                told += again.take(decode(encode(record)))
        # what only time brought about is told again at the next fact, and at the very end not at all
        assert [encode(r) for r in told if isinstance(r, Fact)] == [encode(r) for r in records if isinstance(r, Fact)]


def check_violations(records):
    """A violation opens or is reported once, and closes at most once unless a correction says otherwise."""
    corrected = any(record.type == "correction" for record in records)
    seen: dict[int, str] = {}
    for record in records:
        if record.type == "violation":
            before = seen.get(record.number)
            if before is None:
                assert record.status in ("open", "reported") or corrected
            elif not corrected:
                assert before == "open"
                assert record.status in ("corrected", "stands")
            assert record.message
            seen[record.number] = record.status
