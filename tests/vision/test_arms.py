"""`ArmWatch`: what reaches in, from where, and which part of the table it covered last, on painted tables."""

from __future__ import annotations

import pytest

from tests.painted import TILE_MM, Table, plane
from vision.arms import ArmWatch
from vision.motion import Mask, Watch

BOTTOM, TOP, LEFT = (300.0, 480.0), (250.0, -40.0), (-40.0, 220.0)


class Scene:
    """A painted table that is watched for arms."""

    def __init__(self) -> None:
        self.table = Table()
        self.watch = Watch(plane(), TILE_MM[1])
        self.arms = ArmWatch(self.watch)
        self.t = 0.0

    def see(self, *arms: tuple[tuple[float, float], tuple[float, float]], t: float | None = None) -> Mask:
        self.table.arms = list(arms)
        self.t = self.t + 0.1 if t is None else t
        return self.arms.observe(self.watch.observe(self.t, self.table.picture()))

    def cells(self, x_mm: float, y_mm: float) -> tuple[int, int]:
        column, row = self.watch.to_cells(plane().to_image([[x_mm, y_mm]]))[0]
        return int(row), int(column)


@pytest.fixture
def scene() -> Scene:
    made = Scene()
    made.see()
    made.see()
    return made


def test_an_arm_covers_where_it_is(scene: Scene) -> None:
    cover = scene.see((BOTTOM, (300, 200)))
    assert cover[scene.cells(300, 300)]
    assert not cover[scene.cells(100, 100)]
    assert len(scene.arms.arms) == 1


def test_it_belongs_to_where_it_came_in(scene: Scene) -> None:
    scene.see((BOTTOM, (300, 400)))
    for y in (300, 150, 20):
        scene.see((BOTTOM, (300, y)))
    assert len(scene.arms.arms) == 1
    arm = scene.arms.arms[0]
    x, y = plane().to_table(arm.came_in_px)[0]
    assert (x, y) == (pytest.approx(300, abs=25), pytest.approx(452, abs=30))
    assert scene.arms.covered_by[scene.cells(300, 100)] == arm.number


def test_two_arms_are_two(scene: Scene) -> None:
    scene.see((BOTTOM, (400, 350)), (TOP, (200, 100)))
    scene.see((BOTTOM, (400, 300)), (TOP, (200, 150)))
    assert len(scene.arms.arms) == 2
    numbers = {arm.number for arm in scene.arms.arms}
    first, second = scene.arms.covered_by[scene.cells(395, 330)], scene.arms.covered_by[scene.cells(205, 120)]
    assert {first, second} == numbers


def test_arms_whose_fingers_touch_are_two(scene: Scene) -> None:
    """They come in with one picture, so nothing that was seen before tells them apart."""
    scene.see((LEFT, (300, 220)), (TOP, (300, 165)))
    assert len(scene.arms.arms) == 2
    entries = {}
    for arm in scene.arms.arms:
        assert len(arm.came_in_px) == 1
        x, _ = plane().to_table(arm.came_in_px)[0]
        entries["left" if x < 40 else "top"] = arm.number
    assert scene.arms.under_by[scene.cells(200, 220)] == entries["left"]
    assert scene.arms.under_by[scene.cells(275, 80)] == entries["top"]


def test_arms_that_lie_on_each_other_are_one_of_two(scene: Scene) -> None:
    scene.see((LEFT, (420, 220)), (TOP, (330, 330)))
    (both,) = scene.arms.arms
    assert len(both.came_in_px) == 2
    scene.see((TOP, (280, 110)))
    (left_over,) = scene.arms.arms
    assert left_over.number != both.number
    assert len(left_over.came_in_px) == 1
    assert scene.arms.under_by[scene.cells(200, 220)] == both.number


def test_when_it_left_is_remembered(scene: Scene) -> None:
    scene.see((BOTTOM, (300, 200)), t=1.0)
    scene.see(t=1.5)
    assert scene.arms.arms == []
    assert scene.arms.covered_t[scene.cells(300, 300)] == 1.0
    assert scene.arms.covered_t[scene.cells(60, 60)] < 0
    assert list(scene.arms.entries) == [0]


def test_one_that_comes_again_is_another(scene: Scene) -> None:
    scene.see((BOTTOM, (300, 200)))
    scene.see()
    scene.see((LEFT, (200, 220)))
    assert scene.arms.arms[0].number == 1
    x, _ = plane().to_table(scene.arms.arms[0].came_in_px)[0]
    assert x < 40


def test_a_tile_alone_is_no_arm(scene: Scene) -> None:
    scene.table.lay("5-2", 300, 220)
    assert not scene.see().any()
    assert scene.arms.arms == []


def test_an_arm_that_rests_stays_an_arm(scene: Scene) -> None:
    for _ in range(30):
        cover = scene.see((BOTTOM, (300, 250)))
    assert cover[scene.cells(300, 350)]


def test_a_shadow_that_stays_is_no_arm(scene: Scene) -> None:
    scene.table.shadow_mm = (200, 250, 200, 300)
    for _ in range(30):
        cover = scene.see()
    assert not cover.any()
