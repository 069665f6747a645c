"""Tiles that are gone were taken; tiles that lie elsewhere leave it open whether the camera moved."""

import numpy as np

from calibration.plane import Pose
from table.tracking.camera import stay_put
from table.tracking.tracked import TrackedTile
from vision.sighting import Sighting

WIDTH_MM = 24.0
PLACES = {"6-6": Pose(100, 100, 0), "5-1": Pose(200, 120, 90), "4-2": Pose(300, 80, 30)}
TILES = [TrackedTile(k, name, "up", pose, 0.99) for k, (name, pose) in enumerate(PLACES.items())]


def seen(name: str, dx_mm: float = 0.0) -> Sighting:
    pose = PLACES[name]
    return Sighting(np.zeros((4, 2)), "up", name, 0.99, (), Pose(pose.x_mm + dx_mm, pose.y_mm, pose.angle_deg))


def test_what_is_still_seen_lies_where_it_lay() -> None:
    assert stay_put(TILES, [seen("6-6", 1.0)], WIDTH_MM)


def test_all_were_taken() -> None:
    assert stay_put(TILES, [], WIDTH_MM)


def test_one_that_lies_elsewhere_may_be_a_bump() -> None:
    assert not stay_put(TILES, [seen("6-6", 10.0)], WIDTH_MM)
    assert not stay_put(TILES, [seen("6-6"), seen("5-1", 80.0), seen("4-2", -60.0)], WIDTH_MM)
