"""Chicken foot refereed: the search, trains, feet, dead positions, ten rounds."""

from table.events import Placed, Pose


def opened(playbook, seats=3, **options):
    """The holder has set 9-9; seat 1 is on turn."""
    book = playbook("chicken-foot", seats, starter_method="holder", **options)
    assert book.lay("9-9", seat=0) == ["legal", "turn 1"]
    return book


def trains(playbook, **options):
    book = opened(playbook, **options)
    for tile, side in (("9-1", "up"), ("9-4", "right"), ("9-8", "left")):
        assert book.lay(tile, on="9-9", to=side)[0] == "legal"
    return book


def test_trains_come_first(playbook):
    book = opened(playbook)
    book.lay("9-1", on="9-9", to="up")
    assert book.lay("7-1", on="9-1", to="up") == ["illegal", "OPENING_INCOMPLETE 2 open 7-1"]
    assert next(r for r in book.records if r.type == "violation").args == {"k": 2, "n": 9}


def test_rays_lie_at_any_angle(playbook):
    book = opened(playbook, opening_trains="8")
    at = book.poses["9-9"]
    for tile, dx, dy, angle in (("9-1", 38, 33, 41.0), ("9-2", -38, 33, 139.0), ("9-3", 38, -33, 319.0)):
        assert book.lay(tile, at=Pose(at.x_mm + dx, at.y_mm + dy, angle))[0] == "legal"


def test_the_start_double_closes(playbook):
    book = trains(playbook)
    assert book.lay("9-0", on="9-9", to="down") == ["illegal", "START_DOUBLE_CLOSED 1 open 9-0"]
    left_open = trains(playbook, start_double_closes="false")
    assert left_open.lay("9-0", on="9-9", to="down")[0] == "legal"


def test_a_foot_is_owed(playbook):
    book = trains(playbook)
    assert book.lay("4-4", on="9-4", to="right")[0] == "legal"
    assert book.lay("8-7", on="9-8", to="left") == ["illegal", "FOOT_PENDING 2 open 8-7"]
    book.back("8-7")
    at = book.poses["4-4"]
    assert book.lay("4-1", on="4-4", to="right")[0] == "legal"
    assert book.lay("1-0", on="4-1", to="right")[1] == "FOOT_PENDING 0 open 1-0"
    book.back("1-0")
    assert book.lay("4-0", at=Pose(at.x_mm + 32, at.y_mm + 41, 45.0))[0] == "legal"
    assert book.lay("4-3", at=Pose(at.x_mm + 32, at.y_mm - 41, 315.0))[0] == "legal"
    assert book.lay("8-7", on="9-8", to="left")[0] == "legal"


def owed(playbook):
    book = trains(playbook)
    book.lay("4-4", on="9-4", to="right")
    return book, book.poses["4-4"]


def test_a_toe_that_was_taken_away_for_good_may_be_laid_again(playbook):
    book, at = owed(playbook)
    book.lay("4-1", on="4-4", to="right")
    assert book.back("4-1") == ["TILE_RETRACTED 0 open 4-1"]
    assert book.lay("4-0", at=Pose(at.x_mm + 32, at.y_mm + 41, 45.0))[:2] == ["legal", "turn 1"]
    assert "TILE_RETRACTED 0 stands 4-1" in book.lay("4-3", at=Pose(at.x_mm + 32, at.y_mm - 41, 315.0))
    # The foot counts as finished, so anything may come now: also the third toe that lies there.
    assert book.lay("4-2", on="4-4", to="right")[0] == "legal"
    assert book.lay("8-7", on="9-8", to="left")[0] == "legal"


def test_a_double_that_was_taken_away_for_good_is_owed_no_foot(playbook):
    book, _ = owed(playbook)
    assert book.back("4-4", seat=1) == ["TILE_RETRACTED 1 open 4-4"]
    # Its foot was never begun, so nothing but the tile itself is missing; the round goes on.
    assert book.lay("8-7", on="9-8", to="left", seat=2) == ["TILE_RETRACTED 1 stands 4-4", "legal", "turn 0"]
    assert book.lay("4-2", on="9-4", to="right", seat=0)[0] == "legal"


def test_a_toe_beside_another_is_the_doubles(playbook):
    """The double was shoved by less than is told, so the toe's end lies nearer to the other toe's than to it."""
    book, at = owed(playbook)
    unit = book.table.width_mm / 24
    assert book.lay("4-1", at=Pose(at.x_mm + 43.5 * unit, at.y_mm + 1.5 * unit, 4.7))[0] == "legal"
    assert book.lay("4-0", at=Pose(at.x_mm + 38.2 * unit, at.y_mm + 40.8 * unit, 51.6))[0] == "legal"


def test_a_tile_beside_the_outer_end_of_a_toe_is_no_toe(playbook):
    book, at = owed(playbook)
    assert book.lay("4-1", on="4-4", to="right")[0] == "legal"
    unit = book.table.width_mm / 24
    laid = book.lay("4-0", at=Pose(at.x_mm + 52 * unit, at.y_mm + 28 * unit, 0.0))
    assert laid == ["illegal", "END_MISMATCH 0 open 4-0"]


def test_toes_that_lie_on_one_another_are_to_be_spread(playbook):
    book, at = owed(playbook)
    assert book.lay("4-1", on="4-4", to="right")[0] == "legal"
    assert "advice TOE_SPREAD" in book.lay("4-0", at=Pose(at.x_mm + 38, at.y_mm + 14, 10.0))
    assert "advice TOE_SPREAD" not in book.lay("4-3", at=Pose(at.x_mm + 38, at.y_mm - 14, 350.0))  # once a foot


def test_toes_with_room_between_them_are_well(playbook):
    book, at = owed(playbook)
    book.lay("4-1", on="4-4", to="right")
    assert "advice TOE_SPREAD" not in book.lay("4-0", at=Pose(at.x_mm + 32, at.y_mm + 41, 45.0))
    assert "advice TOE_SPREAD" not in book.lay("4-3", at=Pose(at.x_mm + 32, at.y_mm - 41, 315.0))


def test_a_toe_that_cannot_be_read_is_asked_to_be_spread(playbook):
    book, at = owed(playbook)
    near = Placed(t=book.later(), id=90, tile="?", face="unclear", at=Pose(at.x_mm + 38, at.y_mm + 14, 10.0))
    assert book.take(near) == ["attention UNCLEAR_TILE", "advice TOE_SPREAD"]
    book, at = owed(playbook)
    far = Placed(t=book.later(), id=90, tile="?", face="unclear", at=Pose(at.x_mm + 300, at.y_mm + 200, 10.0))
    assert book.take(far) == ["attention UNCLEAR_TILE"]


def test_doubles_lie_crosswise(playbook):
    book = trains(playbook)
    at = book.poses["9-4"]
    inline = Pose(at.x_mm + 50.5, at.y_mm, 0.0)
    assert book.lay("4-4", at=inline) == ["illegal", "DOUBLE_NOT_CROSSWISE 1 open 4-4"]
    assert book.move("4-4", book.place("4-4", "9-4", "right", 4))[:2] == [
        "DOUBLE_NOT_CROSSWISE 1 corrected 4-4",
        "legal",
    ]


def test_the_search(playbook):
    book = playbook("chicken-foot", 3, yard=True)
    book.yard(55)
    assert book.show(0, "4-3") == []
    assert book.show(1, "9-9") == ["turn 1"]
    book.back("4-3")
    book.back("9-9")
    book.yard(12)
    assert book.lay("9-9", seat=0) == ["legal"]  # putting it in the middle is nobody's turn
    assert book.lay("9-1", on="9-9", to="up", seat=1) == ["legal", "turn 2"]
    assert book.violations() == []


def test_the_holder_may_have_to_be_found_by_drawing(playbook):
    book = playbook("chicken-foot", 3, yard=True, starter_method="holder")
    book.yard(13)
    book.draw(2, left=11, seat=1)
    assert book.lay("9-9", seat=1) == ["legal", "turn 2"]
    assert book.referee._fold.hand == [14, 15, 14]


def test_the_wrong_start_double(playbook):
    book = playbook("chicken-foot", 3, starter_method="holder")
    assert book.lay("8-8")[1] == "WRONG_START_DOUBLE 0 open 8-8"
    book.back("8-8")
    assert book.lay("9-9")[0] == "legal"


def test_a_dead_position_ends_the_round(playbook):
    """A foot of fives that can never be finished: all other fives lie already."""
    book = opened(playbook, opening_trains="1")
    x = book.poses["9-9"].x_mm
    book.lay("9-5", on="9-9", to="up")
    for tile, on, to in (
        ("5-4", "9-5", "up"), ("4-3", "5-4", "up"), ("5-3", "4-3", "up"), ("5-2", "5-3", "up"), ("2-1", "5-2", "up"),
        ("5-1", "2-1", "up"), ("5-0", "5-1", "up"), ("6-0", "5-0", "up"), ("6-5", "6-0", "up"), ("7-5", "6-5", "up"),
        ("8-7", "7-5", "up"), ("8-5", "8-7", "up"),
    ):  # fmt: skip
        assert book.lay(tile, on=on, to=to)[0] == "legal", tile
    assert book.poses["8-5"].x_mm == x
    assert book.lay("5-5", on="8-5", to="up") == ["legal", "advice DEAD_POSITION", "turn None"]


def test_low_score_wins_and_rounds_count_down(playbook):
    book = playbook("chicken-foot", 2, starter_method="holder", hand="1", rounds="9,8")
    book.lay("9-9", seat=0)
    book.show(1, "5-4")
    assert book.finish()[-1] == "out 0 [0, 9] [0, 9]"
    book.back("5-4")
    assert book.back("9-9") == ["round 2"]
    assert book.lay("9-9", seat=1)[1] == "WRONG_START_DOUBLE 1 open 9-9"
    book.back("9-9", seat=1)
    book.lay("8-8", seat=1)
    book.show(0, "1-0")
    assert book.finish()[-2:] == ["out 1 [1, 0] [1, 9]", "match [0]"]


def test_going_out_with_a_double_can_wait_for_its_foot(playbook):
    book = playbook("chicken-foot", 3, yard=True, starter_method="holder", hand="2", out_on_double="foot_first")
    book.yard(49)
    book.lay("9-9", seat=0)
    book.lay("9-1", on="9-9", to="up")
    book.lay("9-4", on="9-9", to="right")
    book.draw(1, left=48)
    book.lay("9-8", on="9-9", to="left")
    assert book.lay("4-4", on="9-4", to="right") == ["legal", "turn 2"]  # seat 1 is out, but the foot is owed
    book.draw(1, left=47)
    assert book.lay("4-1", on="4-4", to="right") == ["legal", "turn 0"]
    at = book.poses["4-4"]
    book.draw(1, left=46)
    assert book.lay("4-0", at=Pose(at.x_mm + 32, at.y_mm + 41, 45.0)) == ["legal", "turn 2"]  # seat 1 is passed over
    assert book.lay("4-3", at=Pose(at.x_mm + 32, at.y_mm - 41, 315.0)) == ["legal", "turn None"]
    book.show(0, "8-8")
    book.finish()
    assert next(r for r in book.records if r.type == "round_ended").winner == 1


def test_double_blank(playbook):
    book = playbook("chicken-foot", 2, starter_method="holder", hand="1", rounds="9", double_blank="50")
    book.lay("9-9", seat=0)
    book.show(1, "0-0")
    assert book.finish()[-2:] == ["out 0 [0, 50] [0, 50]", "match [0]"]
