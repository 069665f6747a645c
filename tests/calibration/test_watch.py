"""The watch during play: bumps noticed within two seconds and put right, and nothing else mistaken for one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from calibration.table_file import Camera as FileCamera
from calibration.table_file import Markers, PlayArea, TableFile
from calibration.watch import Bump, CameraWatch
from tests.photographed import Camera, Image, Scene, photograph

SIZE = (640, 360)


def camera(dx_mm: float = 0.0, dy_mm: float = 0.0, tilt: float = 0.0) -> Camera:
    # Along the camera's own axes, which lie nearly along the table's.
    return Camera(
        SIZE, 500.0, (318.0, 181.0), turn=(-0.30 + tilt, 0.04, 0.03), shift_mm=(-300.0 + dx_mm, -200.0 + dy_mm, 740.0)
    )


def table(markers: bool = True) -> TableFile:
    still = camera()
    corners = [(float(x), float(y)) for x, y in still.corners_px()]
    matrix = [tuple(float(v) for v in row) for row in still.matrix]
    made = TableFile(
        PlayArea((600.0, 400.0), (corners[0], corners[1], corners[2], corners[3])),
        FileCamera(SIZE, (matrix[0], matrix[1], matrix[2]), still.bend),  # type: ignore[arg-type]
    )
    if markers:
        made.markers = Markers(40.0)
    return made


STILL = photograph(camera(), Scene())


def bumps(watch: CameraWatch, frames: Iterator[tuple[float, Image]]) -> list[tuple[float, Bump]]:
    return [(t, bump) for t, image in frames if (bump := watch.look(image, t)) is not None]


def film(*parts: tuple[float, Image]) -> Iterator[tuple[float, Image]]:
    """Frames of each picture for so many seconds, ten a second."""
    t = 0.0
    for seconds, image in parts:
        for _ in range(round(seconds * 10)):
            yield t, image
            t = round(t + 0.1, 3)


def off_mm(watch: CameraWatch, truth: Camera) -> float:
    points, pixels = truth.grid()
    return float(np.percentile(np.linalg.norm(watch.plane.to_table(pixels) - points, axis=1), 95))


@pytest.mark.parametrize(("dx", "dy", "tilt"), [(3, 0, 0), (-20, 12, 0), (0, 0, 0.03)])
def test_a_bump_is_noticed_within_two_seconds_and_put_right(dx: float, dy: float, tilt: float) -> None:
    watch, moved = CameraWatch(table(), SIZE), camera(dx, dy, tilt)
    found = bumps(watch, film((1.0, STILL), (4.0, photograph(moved, Scene()))))
    assert len(found) == 1
    t, bump = found[0]
    assert 1.0 < t <= 3.0
    assert bump.table is watch.table
    assert off_mm(watch, moved) < 1.0


def test_a_table_that_lies_still_is_left_alone() -> None:
    watch = CameraWatch(table(), SIZE)
    assert bumps(watch, film((3.0, STILL), (3.0, photograph(camera(), Scene(), seed=4)))) == []


def test_a_camera_that_swings_is_taken_where_it_comes_to_rest() -> None:
    watch, rest = CameraWatch(table(), SIZE), camera(6, 0)
    swing = [(0.4, photograph(camera(dx), Scene())) for dx in (15, -8, 12, -4)]
    found = bumps(watch, film((1.0, STILL), *swing, (2.5, photograph(rest, Scene()))))
    assert len(found) == 1
    assert off_mm(watch, rest) < 1.0


def test_an_arm_over_two_markers_is_no_bump() -> None:
    arm = STILL.copy()
    arm[:, :260] = (120, 150, 210)
    assert bumps(CameraWatch(table(), SIZE), film((1.0, STILL), (3.0, arm), (1.0, STILL))) == []


def test_when_too_few_markers_are_seen_it_is_asked_once() -> None:
    watch = CameraWatch(table(), SIZE)
    two = photograph(camera(18, 6), Scene(markers=(0, 1)))
    found = bumps(watch, film((1.0, STILL), (5.0, two)))
    assert [bump.table for _, bump in found] == [None]
    assert watch.table == table()


def test_without_markers_there_is_nothing_to_watch() -> None:
    watch = CameraWatch(table(markers=False), SIZE)
    assert bumps(watch, film((2.0, photograph(camera(20), Scene())))) == []
