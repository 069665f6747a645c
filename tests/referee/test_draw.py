"""Draw refereed: how tiles lie, room, drawing down to the floor."""

import pytest

from table.events import Pose


def opened(playbook, **options):
    """5-4 lies flat, its 4 to the right; the yard holds 14; seat 1 is on turn."""
    size = options.pop("size", (900.0, 700.0))
    book = playbook("draw", yard=True, size=size, starter_method="first", **options)
    book.yard(14)
    assert book.lay("5-4") == ["legal", "turn 1"]
    return book


def test_poses_that_are_fine(playbook):
    book = opened(playbook)
    assert book.lay("4-4", on="5-4", turn=9, shift=(3, 6))[0] == "legal"
    assert book.lay("4-3", on="4-4", turn=-8)[0] == "legal"
    tip = book.poses["5-4"]
    assert book.lay("6-5", at=Pose(tip.x_mm - 38, tip.y_mm + 12, 270.0))[0] == "legal"  # round the corner


@pytest.mark.parametrize(
    ("tile", "shift", "turn", "code"),
    [
        ("4-3", (8, 10), 25, "OFF_AXIS"),
        ("4-3", (0, 14), 0, "SIDES_NOT_ADJACENT"),
        ("4-4", (13, 0), 90, "DOUBLE_NOT_CROSSWISE"),
        ("4-4", (0, 14), 0, "DOUBLE_NOT_CROSSWISE"),
    ],
)
def test_pose_faults_are_put_right_in_place(playbook, tile, shift, turn, code):
    book = opened(playbook)
    assert book.lay(tile, on="5-4", shift=shift, turn=turn) == ["illegal", f"{code} 1 open {tile}"]
    assert book.move(tile, book.place(tile, "5-4", "right", 4)) == [f"{code} 1 corrected {tile}", "legal", "turn 0"]


def test_the_matching_half_must_touch(playbook):
    book = opened(playbook)
    assert book.lay("4-3", on="5-4", touch=3) == ["illegal", "SIDES_NOT_ADJACENT 1 open 4-3"]


def test_along_a_double(playbook):
    book = opened(playbook)
    book.lay("4-4", on="5-4")
    base = book.poses["4-4"]
    assert book.lay("4-2", at=Pose(base.x_mm + 26, base.y_mm + 12, 90.0)) == [
        "illegal", "TILE_NOT_PERPENDICULAR 0 open 4-2",
    ]  # fmt: skip
    book.back("4-2")
    assert book.lay("4-2", on="4-4", to="down")[1] == "NOT_AN_OPEN_END 0 open 4-2"


def test_no_room_over_the_edge(playbook):
    book = opened(playbook, size=(510.0, 700.0))
    book.lay("4-1", on="5-4")  # the first tile ends at 280 mm, and each takes 50 more
    book.lay("3-1", on="4-1")
    book.lay("3-2", on="3-1")
    book.lay("2-0", on="3-2")
    assert book.lay("6-0", on="2-0") == ["illegal", "NO_SPACE 1 open 6-0"]


def test_turns_can_be_forbidden(playbook):
    book = opened(playbook, turns="forbidden")
    tip = book.poses["5-4"]
    assert book.lay("6-5", at=Pose(tip.x_mm - 38, tip.y_mm + 12, 270.0))[1] == "OFF_AXIS 1 open 6-5"


def test_drawing(playbook):
    book = opened(playbook)
    assert book.press(1) == ["passed 1 button", "PASS_WITHOUT_DRAW 1 open"]
    assert book.draw(1, left=13) == ["PASS_WITHOUT_DRAW 1 corrected"]
    assert book.draw(2, left=11) == []
    assert book.lay("4-3", on="5-4") == ["legal", "turn 0"]
    assert book.draw(9, left=2) == []
    assert book.press(0) == ["passed 0 button", "turn 1"]
    assert book.draw(1, left=1) == ["DRAW_BELOW_FLOOR 1 open"]
    assert book.put_back(1, left=2) == ["DRAW_BELOW_FLOOR 1 corrected"]


def test_a_drawn_tile_does_not_go_back(playbook):
    book = opened(playbook)
    book.draw(1, left=13)
    assert book.put_back(1, left=14) == ["TILE_RETURNED 1 open"]
    assert book.draw(1, left=13) == ["TILE_RETURNED 1 corrected"]


def test_blocked_and_equal(playbook):
    book = playbook("draw", yard=True, starter_method="first", hand="2", floor="24")
    book.yard(24)
    book.lay("5-4")
    book.press(1)
    assert book.press(0) == ["passed 0 button", "turn None"]
    book.show(1, "6-6", "0-0")
    book.show(0, "6-6")
    assert book.finish()[-1] == "blocked None [0, 0] [0, 0]"


def uncounted(playbook, **options):
    """No boneyard is marked, so nobody knows what is drawn; seat 0 lays its third tile, which may be its last."""
    book = playbook("draw", space="ignore", starter_method="first", hand="3", **options)
    book.lay("6-6", seat=0)
    book.lay("6-5", on="6-6", seat=1)
    book.lay("6-4", on="6-6", to="left", seat=0)
    book.lay("5-3", on="6-5", seat=1)
    assert book.lay("4-1", on="6-4", to="left", seat=0) == ["legal", "turn 1"]
    return book


def test_without_a_marked_yard_hands_may_hold_more_than_was_seen(playbook):
    book = uncounted(playbook)
    assert book.lay("3-2", on="5-3", seat=1) == ["legal", "turn 0"]
    assert book.lay("1-1", on="4-1", to="left", seat=0) == ["legal", "turn 1"]
    book.show(0, "5-5")
    book.show(1, "6-3", "6-2")
    assert book.finish()[-1] == "blocked 0 [7, 0] [7, 0]"
    assert book.violations() == []


def test_without_a_marked_yard_one_tile_shown_may_end_the_round(playbook):
    book = uncounted(playbook)
    assert book.show(1, "2-0") == ["advice TILE_EXPOSED"]
    assert book.wait(2.0) == []
    assert book.wait(1.0) == ["turn None", "hand 1: 2-0 = 2", "hand 0:  = 0", "out 0 [2, 0] [2, 0]"]
    book = uncounted(playbook)
    book.show(1, "2-0")
    assert book.finish()[-1] == "out 0 [2, 0] [2, 0]"


def test_without_a_marked_yard_a_tile_shown_by_mistake_ends_nothing(playbook):
    book = uncounted(playbook)
    book.show(1, "2-0")
    book.back("2-0")
    assert book.wait(5.0) == []
    assert book.lay("3-2", on="5-3", seat=1) == ["legal", "turn 0"]


def test_fewer_tiles_than_there_must_be_are_missed_in_any_case(playbook):
    book = playbook("draw", space="ignore", starter_method="first", hand="3")
    book.lay("6-6", seat=0)
    book.lay("6-5", on="6-6", seat=1)
    book.show(0, "2-0")
    book.show(1, "5-5", "2-2")
    assert "REVEAL_MISMATCH 0 stands" in book.finish()


def test_a_yard_counted_again_tells_who_is_out(playbook):
    book = playbook("draw", yard=True, space="ignore", starter_method="first", hand="2")
    book.yard(24)
    book.lay("6-6", seat=0)
    book.lay("6-5", on="6-6", seat=1)
    book.yard(None)
    assert book.lay("6-4", on="6-6", to="left", seat=0) == ["legal", "turn 1"]
    assert book.yard(24) == ["turn None"]


def test_an_unclear_yard_is_asked_about_and_nothing_is_claimed(playbook):
    book = opened(playbook)
    assert book.yard(None) == ["advice YARD_UNCLEAR"]
    assert book.press(1) == ["passed 1 button", "turn 0"]
    assert book.violations() == []


def test_what_went_while_nobody_could_count_was_drawn_by_the_seat_on_turn(playbook):
    book = opened(playbook)
    book.yard(None)
    book.later()
    assert book.yard(12) == []
    taken = next(r for r in book.records if r.type == "taken")
    assert (taken.seat, taken.seat_by, taken.count) == (1, "turn", 2)
    assert book.referee._fold.hand == [6, 9]


def test_too_far_from_its_end(playbook):
    book = opened(playbook)
    assert book.lay("4-3", on="5-4", shift=(22, 0)) == ["illegal", "SIDES_NOT_ADJACENT 1 open 4-3"]


def test_a_tile_on_another_has_no_room(playbook):
    book = opened(playbook)
    book.lay("5-5", on="5-4", to="left")
    tip = book.poses["5-4"]
    book.lay("5-1", on="5-5", to="left")
    # round the corner at the right end, but shoved back over the line
    shoved = Pose(tip.x_mm + 26, tip.y_mm + 12, 90.0)
    assert book.lay("4-2", at=shoved)[1] in ("NO_SPACE 1 open 4-2", "SIDES_NOT_ADJACENT 1 open 4-2")


def test_the_start_must_be_the_qualifier_only_by_rank(playbook):
    book = playbook("draw", yard=True, starter_method="first")
    book.yard(14)
    book.lay("2-1", seat=1)
    book.lay("6-1", on="2-1", seat=0)
    book.lay("6-6", on="6-1", seat=1)
    assert book.violations() == []
