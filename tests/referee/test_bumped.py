"""A bump of the whole table is nobody's act: the tiles lie elsewhere, in the same arrangement, and play goes on."""

import pytest

from table.events import Bumped, Paused, Pose, Resumed

BUMP = Bumped(t=0.0, dx_mm=60.0, dy_mm=-45.0, turn_deg=4.0)


def bump(book) -> list[str]:
    fact = Bumped(t=book.later(), dx_mm=BUMP.dx_mm, dy_mm=BUMP.dy_mm, turn_deg=BUMP.turn_deg)
    said = book.take(fact)
    book.poses = {tile: fact.moved(pose) for tile, pose in book.poses.items()}
    return said


def beside(book, tile: str, on: str, to: str) -> Pose:
    """Where a tile lies against another one after the bump."""
    back = Bumped(t=0.0, dx_mm=0.0, dy_mm=0.0, turn_deg=-BUMP.turn_deg)
    poses = book.poses
    book.poses = {name: back.moved(pose) for name, pose in poses.items()}
    there = book.place(tile, on, to, None)
    book.poses = poses
    return Bumped(t=0.0, dx_mm=0.0, dy_mm=0.0, turn_deg=BUMP.turn_deg).moved(there)


def test_it_turns_about_the_origin_and_shifts() -> None:
    at = Bumped(t=0.0, dx_mm=10.0, dy_mm=0.0, turn_deg=90.0).moved(Pose(100.0, 50.0, 300.0))
    assert (at.x_mm, at.y_mm, at.angle_deg) == pytest.approx((-40.0, 100.0, 30.0))


def test_tiles_join_where_the_layout_lies_now(playbook) -> None:
    book = playbook("block", starter_method="first")
    book.lay("6-6", seat=0)
    assert book.lay("6-4", on="6-6", seat=1) == ["legal", "turn 0"]
    assert bump(book) == []
    assert book.lay("4-1", at=beside(book, "4-1", "6-4", "right"), seat=0) == ["legal", "turn 1"]
    assert book.violations() == []


def test_a_tile_at_the_old_place_joins_nothing(playbook) -> None:
    book = playbook("block", starter_method="first")
    book.lay("6-6", seat=0)
    book.lay("6-4", on="6-6", seat=1)
    old = book.place("4-1", "6-4", "right", None)
    bump(book)
    assert book.lay("4-1", at=old, seat=0) != ["legal", "turn 1"]


def test_a_nudge_after_it_is_measured_from_the_new_place(playbook) -> None:
    book = playbook("block", starter_method="first")
    book.lay("6-6", seat=0)
    book.lay("6-4", on="6-6", seat=1)
    bump(book)
    at = book.poses["6-4"]
    assert book.move("6-4", Pose(at.x_mm + 2, at.y_mm, at.angle_deg)) == []
    assert book.violations() == []


def test_a_bump_in_a_pause_moves_what_was_told_in_it(playbook) -> None:
    book = playbook("block", starter_method="first")
    book.lay("6-6", seat=0)
    book.take(Paused(t=book.later()))
    book.lay("6-4", on="6-6", seat=1)
    bump(book)
    said = book.take(Resumed(t=book.later()))
    assert "legal" in said
    assert book.violations() == []


def test_tiles_of_a_free_table_touch_where_they_lie_now(playbook) -> None:
    book = playbook("free")
    book.lay("6-6")
    bump(book)
    book.lay("6-4", at=beside(book, "6-4", "6-6", "right"))
    judged = [record for record in book.records if record.type == "judged"]
    assert judged[-1].joins == (0,)


def test_an_act_of_tien_gow_goes_on_where_its_first_tile_lies_now(playbook) -> None:
    book = playbook("tien-gow", 4)
    book.lay("6-6", at=Pose(450.0, 560.0, 90.0), seat=0)
    bump(book)
    lying = book.referee._fold.lying[0]
    assert (lying.pose.x_mm, lying.pose.y_mm) == pytest.approx((book.poses["6-6"].x_mm, book.poses["6-6"].y_mm))
    book.wait()
