"""A settled look against the tiles known before, as a table of named cases; and the motion of a whole table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from calibration.plane import Pose
from table.tracking.reconcile import common_motion, reconcile
from table.tracking.tracked import TrackedTile, agree, is_nudge, looks_same_turned, overlap, turn_deg
from vision.sighting import Face, Sighting

TILE_MM = (50.0, 25.0, 8.0)


def tile(number: int, name: str, x: float, y: float, angle: float = 0.0, face: Face = "up") -> TrackedTile:
    return TrackedTile(number, name, face, Pose(x, y, angle), 0.99)


def seen(
    name: str, x: float, y: float, angle: float = 0.0, face: Face = "up", others: tuple[tuple[str, float], ...] = ()
) -> Sighting:
    pose = Pose(x, y, angle)
    return Sighting(np.array(pose.corners_mm(50, 25)), face, name, 0.9, others, pose)


@dataclass
class Case:
    """Tiles that were known, what is seen now, where the picture changed and where it is bare; and what happened."""

    tiles: Sequence[TrackedTile]
    sightings: Sequence[Sighting]
    happened: Sequence[tuple[str, str]]
    """Kind, and the tile it happened to or the new face."""
    changed_mm: tuple[float, float, float, float] | None = (0, 0, 600, 600)
    """x, y, width, height; tiles centred there count as touched."""
    bare: Sequence[tuple[float, float]] = ()
    """Centres of places that are bare."""
    covered: Sequence[int] = ()
    """Ids that have to be taken for covered afterwards."""
    remembered: Sequence[int] = field(default_factory=tuple)
    """Ids that are covered before."""


CASES = {
    "nothing happened": Case([tile(0, "6-4", 100, 100)], [seen("6-4", 100, 100)], []),
    "a new tile": Case([], [seen("6-4", 100, 100)], [("placed", "6-4")]),
    "a new one beside one that stays": Case(
        [tile(0, "6-4", 100, 100)], [seen("6-4", 100.4, 99.8), seen("4-1", 150, 100)], [("placed", "4-1")]
    ),
    "taken away": Case([tile(0, "6-4", 100, 100)], [], [("removed", "6-4")], bare=[(100, 100)]),
    "covered by a cup": Case([tile(0, "6-4", 100, 100)], [], [], covered=[0]),
    "covered by a cup, a neighbour seen": Case(
        [tile(0, "6-4", 100, 100), tile(1, "4-1", 150, 100)], [seen("4-1", 150, 100)], [], covered=[0]
    ),
    "seen again from under the cup": Case([tile(0, "6-4", 100, 100)], [seen("6-4", 100, 100)], [], remembered=[0]),
    "gone from under the cup": Case(
        [tile(0, "6-4", 100, 100)], [], [("removed", "6-4")], bare=[(100, 100)], remembered=[0]
    ),
    "not seen but not touched either": Case([tile(0, "6-4", 100, 100)], [], [], changed_mm=(300, 300, 50, 50)),
    "nudged by less than a quarter of its width": Case([tile(0, "6-4", 100, 100)], [seen("6-4", 104, 102, 3)], []),
    "moved by half its width": Case([tile(0, "6-4", 100, 100)], [seen("6-4", 112, 100)], [("moved", "6-4")]),
    "turned about its middle": Case([tile(0, "6-4", 100, 100)], [seen("6-4", 100, 100, 30)], [("moved", "6-4")]),
    "end for end": Case([tile(0, "6-4", 100, 100)], [seen("6-4", 100, 100, 180)], [("moved", "6-4")]),
    "a double end for end looks the same": Case([tile(0, "4-4", 100, 100)], [seen("4-4", 100, 100, 180)], []),
    "carried across the table": Case(
        [tile(0, "6-4", 100, 100)], [seen("6-4", 400, 300, 70)], [("moved", "6-4")], bare=[(100, 100)]
    ),
    "two changed places": Case(
        [tile(0, "6-4", 100, 100), tile(1, "4-1", 300, 100)],
        [seen("4-1", 100, 100), seen("6-4", 300, 100)],
        [("moved", "6-4"), ("moved", "4-1")],
        bare=[],
    ),
    "one carried onto the place of one taken": Case(
        [tile(0, "6-4", 100, 100), tile(1, "4-1", 300, 100)],
        [seen("4-1", 100, 100)],
        [("removed", "6-4"), ("moved", "4-1")],
        bare=[(300, 100)],
    ),
    "another tile in its place": Case(
        [tile(0, "6-4", 100, 100)], [seen("5-1", 100, 100)], [("removed", "6-4"), ("placed", "5-1")]
    ),
    "turned over onto its face": Case(
        [tile(0, "6-4", 100, 100)], [seen("?", 100, 100, face="down")], [("turned", "6-4")]
    ),
    "turned up": Case([tile(0, "?", 100, 100, face="down")], [seen("6-4", 100, 100)], [("turned", "?")]),
    "a face that was not read is read": Case(
        [tile(0, "?", 100, 100, face="unclear")], [seen("6-4", 100, 100)], [("turned", "?")]
    ),
    "a face that was read is not read now": Case([tile(0, "6-4", 100, 100)], [seen("?", 100, 100, face="unclear")], []),
    "a neighbour misread where nothing changed": Case(
        [tile(0, "6-4", 100, 100)], [seen("6-3", 100, 100)], [], changed_mm=(300, 300, 50, 50)
    ),
    "misread, but its own name is among the alternatives": Case(
        [tile(0, "6-4", 100, 100)], [seen("6-3", 100, 101, others=(("6-4", 0.3),))], []
    ),
    "a back seen as a face where nothing changed": Case(
        [tile(0, "?", 100, 100, face="down")], [seen("0-0", 100, 100)], [], changed_mm=None
    ),
    "a back pushed a little is the same": Case(
        [tile(0, "?", 100, 100, face="down")], [seen("?", 150, 120, face="down")], [("moved", "?")], bare=[(100, 100)]
    ),
    "a back far away is another": Case(
        [tile(0, "?", 100, 100, face="down")],
        [seen("?", 500, 500, face="down")],
        [("removed", "?"), ("placed", "?")],
        bare=[(100, 100)],
    ),
    "a phantom on a tile that stays": Case(
        [tile(0, "6-4", 100, 100)], [seen("6-4", 100, 100), seen("5-1", 106, 103)], []
    ),
    "the same face twice (free, Chinese)": Case(
        [tile(0, "6-4", 100, 100)], [seen("6-4", 100, 100), seen("6-4", 300, 300)], [("placed", "6-4")]
    ),
    "an arm's length of a line pushed along": Case(
        [tile(0, "6-4", 100, 100), tile(1, "4-1", 150, 100)],
        [seen("6-4", 112, 104), seen("4-1", 162, 104)],
        [("moved", "6-4"), ("moved", "4-1")],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    case = CASES[name]
    for known in case.tiles:
        known.covered = known.id in case.remembered

    def changed_share(pose: Pose) -> float:
        if case.changed_mm is None:
            return 0.0
        x, y, width, height = case.changed_mm
        return float(x <= pose.x_mm <= x + width and y <= pose.y_mm <= y + height)

    def is_bare(pose: Pose) -> bool:
        return (pose.x_mm, pose.y_mm) in case.bare

    changes = reconcile(case.tiles, case.sightings, TILE_MM, changed_share, is_bare)
    happened = [(c.kind, c.tile.tile if c.tile else c.sighting.tile if c.sighting else "") for c in changes]
    assert sorted(happened) == sorted(case.happened)
    gone = [c.tile.id for c in changes if c.kind == "removed" and c.tile]
    assert [known.id for known in case.tiles if known.covered and known.id not in gone] == list(case.covered)


def test_nudges_add_up_to_a_move() -> None:
    known = tile(0, "6-4", 100, 100)
    moved = []
    for x in (104.0, 108.0, 112.0):
        moved.append(len(reconcile([known], [seen("6-4", x, 100)], TILE_MM, lambda _: 1.0, lambda _: False)))
    assert moved == [0, 1, 1]
    assert known.pose.x_mm == 100, "only the tracker takes a move into its books"
    assert known.seen_pose.x_mm == 104


def test_overlap() -> None:
    at = Pose(100, 100, 20)
    assert overlap(at, at, TILE_MM) == pytest.approx(1.0)
    assert overlap(at, Pose(100, 100, 200), TILE_MM) == pytest.approx(1.0)
    assert overlap(Pose(100, 100, 0), Pose(125, 100, 0), TILE_MM) == pytest.approx(0.5)
    assert overlap(Pose(100, 100, 0), Pose(150, 100, 0), TILE_MM) == pytest.approx(0.0, abs=1e-3)
    assert overlap(Pose(100, 100, 0), Pose(100, 100, 90), TILE_MM) == pytest.approx(0.5)


def test_turns() -> None:
    assert turn_deg(Pose(0, 0, 350), Pose(0, 0, 10), False) == pytest.approx(20)
    assert turn_deg(Pose(0, 0, 0), Pose(0, 0, 178), True) == pytest.approx(2)
    assert [looks_same_turned(t) for t in ("5-5", "?", "5-4", "12-12", "12-1")] == [True, True, False, True, False]
    assert is_nudge(Pose(0, 0, 0), Pose(5, 0, 4), "5-4", 25)
    assert not is_nudge(Pose(0, 0, 0), Pose(0, 0, 6), "5-4", 25)
    assert not is_nudge(Pose(0, 0, 0), Pose(7, 0, 0), "5-4", 25)


def test_two_looks_agree_when_they_show_the_same() -> None:
    look = [seen("6-4", 100, 100), seen("4-1", 150, 100)]
    assert agree(look, [seen("4-1", 151, 100), seen("6-4", 100, 101)], 25)
    assert not agree(look, look[:1], 25)
    assert not agree(look, [seen("6-4", 100, 100), seen("4-2", 150, 100)], 25)
    assert not agree(look, [seen("6-4", 100, 100), seen("4-1", 160, 100)], 25)


def bumped(poses: Sequence[Pose], dx: float, dy: float, turn: float) -> list[Pose]:
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return [
        Pose(cos * p.x_mm - sin * p.y_mm + dx, sin * p.x_mm + cos * p.y_mm + dy, (p.angle_deg + turn) % 360)
        for p in poses
    ]


SPREAD = [Pose(100, 100, 0), Pose(400, 120, 90), Pose(250, 350, 45), Pose(300, 220, 0)]


@pytest.mark.parametrize("motion", [(12.0, -7.0, 0.0), (0.0, 0.0, 3.0), (30.0, 5.0, -4.0), (0.0, 0.0, 0.0)])
def test_a_table_that_moved_as_one(motion: tuple[float, float, float]) -> None:
    found = common_motion(SPREAD, bumped(SPREAD, *motion), 5.0)
    assert found == pytest.approx(motion, abs=1e-6)


def test_tiles_that_went_different_ways_are_no_bump() -> None:
    now = bumped(SPREAD[:3], 12, 0, 0) + bumped(SPREAD[3:], -12, 0, 0)
    assert common_motion(SPREAD, now, 5.0) is None
    assert common_motion(SPREAD[:2], bumped(SPREAD[:2], 9, 9, 0), 5.0) is None, "two tiles may be moved by a hand"
