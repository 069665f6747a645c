"""Block refereed: turns, misplays and what becomes of them, passes, the reveal."""

import pytest

from table.events import Match, Placed, Pose, Removed, default_table
from table.referee import Referee


def opened(playbook, **options):
    """Seat 0 led 4-4, ends 4 and 4; seat 1 is on turn."""
    book = playbook("block", **{"starter_method": "first", **options})
    assert book.lay("4-4") == ["legal", "turn 1"]
    return book


def test_a_quiet_game(playbook):
    book = opened(playbook)
    assert book.lay("4-1", on="4-4", to="right") == ["legal", "turn 0"]
    assert book.lay("6-4", on="4-4", to="left") == ["legal", "turn 1"]
    assert book.lay("1-1", on="4-1", to="right") == ["legal", "turn 0"]
    assert book.violations() == []


def test_gaps_and_slants_of_real_hands_are_fine(playbook):
    book = opened(playbook)
    assert book.lay("4-1", on="4-4", to="right", shift=(7, 5), turn=12)[0] == "legal"
    assert book.lay("6-4", on="4-4", to="left", shift=(-8, -4), turn=-13)[0] == "legal"


def test_the_line_turns_a_corner(playbook):
    book = opened(playbook)
    book.lay("4-1", on="4-4", to="right")
    tip = book.poses["4-1"]
    corner = Pose(tip.x_mm + 38, tip.y_mm + 12, 90.0)  # laid across the end, its upper half against the 1
    assert book.lay("6-1", at=Pose(corner.x_mm, corner.y_mm, 270.0), seat=0)[0] == "legal"


def test_a_wrong_end_is_called_and_put_right(playbook):
    book = opened(playbook)
    assert book.lay("6-2", on="4-4") == ["illegal", "END_MISMATCH 1 open 6-2"]
    assert book.referee.to_act == 1
    assert book.back("6-2") == ["END_MISMATCH 1 corrected 6-2"]
    assert book.lay("4-2", on="4-4") == ["legal", "turn 0"]


def test_the_wrong_half_at_the_right_end(playbook):
    book = opened(playbook)
    assert book.lay("6-4", on="4-4", touch=6) == ["illegal", "END_MISMATCH 1 open 6-4"]
    assert "The 6 of 6-4 touches the 4" in next(r.message for r in book.records if r.type == "violation")
    turned = book.place("6-4", "4-4", "right", 4)
    assert book.move("6-4", turned) == ["END_MISMATCH 1 corrected 6-4", "legal", "turn 0"]
    judged = [r for r in book.records if r.type == "judged"]
    assert judged[-1].replaces == judged[-2].n
    assert judged[-1].of == judged[-2].of


def test_a_misplay_stands_when_the_next_seat_plays_on(playbook):
    book = opened(playbook)
    book.lay("6-2", on="4-4", to="right", seat=1, touch=6)
    # the covered end is used up and the outer half is open
    assert book.lay("5-2", on="6-2", to="right", seat=0, touch=2) == ["END_MISMATCH 1 stands 6-2", "legal"]
    assert book.lay("4-0", on="4-4", to="left", seat=1) == ["legal", "turn 0"]


def test_unseen_play_on_top_of_a_misplay_is_the_next_seats(playbook):
    book = opened(playbook)
    book.lay("6-2", on="4-4", to="right", touch=6)
    assert book.lay("5-2", on="6-2", to="right", touch=2) == ["END_MISMATCH 1 stands 6-2", "legal"]
    assert [r.seat for r in book.records if isinstance(r, Placed)] == [0, 1, 0]
    assert {r.seat_by for r in book.records if isinstance(r, Placed)} == {"turn"}


def test_out_of_turn(playbook):
    book = playbook("block", starter_method="first")
    book.lay("4-4", seat=0)
    assert book.lay("4-1", on="4-4", seat=0) == ["illegal", "OUT_OF_TURN 0 open 4-1"]
    assert book.referee.to_act == 1
    # it stands, and leaves the turn where it was
    assert book.lay("2-1", on="4-1", seat=1) == ["OUT_OF_TURN 0 stands 4-1", "legal", "turn 0"]


def test_two_tiles_in_one_reach(playbook):
    book = opened(playbook)
    book.lay("4-1", on="4-4", seat=1)
    assert book.lay("1-1", on="4-1", seat=1, same_time=True) == ["illegal", "MULTIPLE_TILES 1 open 1-1"]
    assert book.back("1-1", seat=1) == ["MULTIPLE_TILES 1 corrected 1-1"]


def test_faces_of_no_use(playbook):
    book = opened(playbook)
    book.lay("4-1", on="4-4", seat=1)
    book.ids["spare"] = book.next_id
    assert book.lay("7-4", on="4-4", to="left", seat=0)[1] == "FOREIGN_TILE 0 open 7-4"
    book.back("7-4", seat=0)
    assert book.lay("4-1", on="4-4", to="left", seat=0)[1] == "DUPLICATE_TILE 0 open 4-1"


def test_nothing_can_be_joined_in_the_middle(playbook):
    book = opened(playbook)
    book.lay("4-1", on="4-4", to="right")
    assert book.lay("6-4", on="4-4", to="up")[1] == "NOT_AN_OPEN_END 0 open 6-4"
    book.back("6-4")
    assert book.lay("6-3", at=Pose(100.0, 3000.0, 0.0))[1] == "NOT_AN_OPEN_END 0 open 6-3"


def test_a_played_tile_stays(playbook):
    book = opened(playbook)
    book.lay("4-1", on="4-4", seat=1)
    assert book.back("4-1", seat=1) == ["TILE_RETRACTED 1 open 4-1"]
    assert book.lay("4-1", on="4-4", seat=1) == ["TILE_RETRACTED 1 corrected 4-1"]
    book.back("4-1", seat=1)
    assert book.lay("4-2", on="4-4", to="right", seat=0) == ["TILE_RETRACTED 1 stands 4-1", "legal", "turn 1"]


def test_the_same_tile_under_another_id_is_no_act(playbook):
    book = opened(playbook)
    book.lay("4-1", on="4-4", seat=1)
    at, t = book.poses["4-1"], book.later()
    book.take(Removed(t=t, id=book.ids["4-1"], tile="4-1", face="up", at=at), tick=False)
    assert book.take(Placed(t=t, id=70, tile="4-1", face="up", at=at)) == []
    assert book.lay("2-1", on="4-1", seat=0) == ["legal", "turn 1"]
    assert [r.joins for r in book.records if r.type == "judged"][-1] == (70,)


def test_the_layout_is_put_back(playbook):
    book = opened(playbook)
    book.lay("4-1", on="4-4")
    was = book.poses["4-4"]
    assert book.move("4-4", Pose(was.x_mm, was.y_mm + 5, 92), seat=1) == []
    assert book.move("4-4", Pose(was.x_mm, was.y_mm + 40, 92), seat=1) == ["LAYOUT_DISTURBED 1 open 4-4"]
    assert book.move("4-4", Pose(was.x_mm + 1, was.y_mm + 2, 90), seat=1) == ["LAYOUT_DISTURBED 1 corrected 4-4"]


def test_no_drawing(playbook):
    book = playbook("block", yard=True, starter_method="first")
    book.yard(14)
    book.lay("4-4")
    assert book.draw(1, left=13) == ["DRAW_NOT_ALLOWED 1 open"]
    assert book.put_back(1, left=14) == ["DRAW_NOT_ALLOWED 1 corrected"]


def test_a_wrong_deal_is_said_at_the_first_tile(playbook):
    book = playbook("block", yard=True, starter_method="first")
    book.yard(13)
    assert book.lay("4-4") == ["WRONG_DEAL None open", "legal", "turn 1"]
    assert book.put_back(1, left=14) == ["WRONG_DEAL None corrected"]
    assert book.lay("4-1", on="4-4") == ["legal", "turn 0"]


def test_passes_end_a_blocked_round_and_equal_hands_win_by_fewest_tiles(playbook):
    book = playbook("block", starter_method="first", hand="2")
    book.lay("3-3", seat=0)
    assert book.press(1) == ["passed 1 button", "turn 0"]
    assert book.press(0) == ["passed 0 button", "turn None"]
    book.show(1, "4-2", "2-2")
    book.show(0, "6-4")
    said = book.wait()
    assert said == [
        "hand 0: 6-4 = 10", "hand 1: 2-2 4-2 = 10", "blocked 0 [0, 0] [0, 0]",
    ]  # fmt: skip


def test_a_false_pass_is_proven_at_the_reveal(playbook):
    book = opened(playbook, hand="2")
    book.press(1)  # the ends are 4 and 4
    assert book.lay("5-4", on="4-4", to="right") == ["legal", "turn None"]
    book.show(1, "4-1", "3-2")
    assert book.wait() == [
        "hand 1: 3-2 4-1 = 10", "hand 0:  = 0", "ILLEGAL_PASS 1 reported 4-1", "out 0 [10, 0] [10, 0]",
    ]  # fmt: skip


def test_a_false_pass_shown_by_a_seen_play_is_proven_at_once(playbook):
    book = playbook("block", yard=True, starter_method="first")
    book.yard(14)
    book.lay("4-4", seat=0)
    book.press(1)
    book.lay("5-4", on="4-4", to="right", seat=0)
    assert book.lay("4-1", on="4-4", to="left", seat=1) == ["legal", "ILLEGAL_PASS 1 reported 4-1", "turn 0"]
    violation = next(r for r in book.records if r.type == "violation")
    assert violation.about == 2.0
    assert violation.tile == "4-1"


def test_an_assumed_seat_convicts_only_if_the_counts_are_right(playbook):
    for hand, verdicts in (("2", ["ILLEGAL_PASS 1 reported"]), ("3", ["REVEAL_MISMATCH 1 stands"])):
        book = playbook("block", starter_method="first", hand="2")
        book.lay("4-4")
        book.press(1)
        book.lay("5-4", on="4-4", to="right")
        book.show(1, *["4-1", "3-2", "2-2"][: int(hand)])
        book.finish()
        assert book.violations() == verdicts


def test_a_pass_is_taken_back_by_playing(playbook):
    book = opened(playbook)
    book.press(1)
    assert book.lay("4-1", on="4-4", seat=1) == ["legal"]
    assert book.referee.to_act == 0
    book.lay("6-4", on="4-4", to="left", seat=0)
    assert book.violations() == []


def test_inferred_passes(playbook):
    book = playbook("block", 3, starter_method="first", passes="inferred")
    book.lay("4-4", seat=0)
    assert book.lay("4-1", on="4-4", seat=2) == ["passed 1 inferred", "legal", "turn 0"]
    announced = playbook("block", 3, starter_method="first")
    announced.lay("4-4", seat=0)
    assert announced.lay("4-1", on="4-4", seat=2)[1] == "OUT_OF_TURN 2 open 4-1"


def test_a_pass_out_of_turn_changes_nothing(playbook):
    book = opened(playbook)
    assert book.press(0) == ["OUT_OF_TURN 0 open"]
    assert book.lay("4-1", on="4-4", seat=1) == ["OUT_OF_TURN 0 stands", "legal", "turn 0"]


def test_a_tile_after_the_end(playbook):
    book = playbook("block", starter_method="first", hand="1")
    assert book.lay("4-4", seat=0) == ["legal"]
    assert book.referee.to_act is None
    assert book.lay("4-1", on="4-4") == ["illegal", "PLAY_AFTER_END 0 open 4-1"]


def test_an_exposed_tile_is_advice_and_convicts_a_later_pass(playbook):
    book = playbook("block", yard=True, starter_method="first")
    book.yard(14)
    book.lay("4-4", seat=0)
    assert book.show(1, "4-2") == ["advice TILE_EXPOSED"]
    book.back("4-2", seat=1)
    assert book.press(1) == ["passed 1 button", "ILLEGAL_PASS 1 open 4-2"]
    assert book.lay("4-2", on="4-4", seat=1) == ["ILLEGAL_PASS 1 corrected 4-2", "legal", "turn 0"]


def test_lots(playbook):
    book = playbook("block", starter_method="lot")
    assert book.show(0, "6-3") == []
    assert book.show(1, "5-4") == []  # BD-15: nine pips each
    book.back("6-3")
    book.back("5-4")
    assert book.referee._fold.known == [set(), set()]  # A-001-1: lots go back and are in no hand
    book.show(0, "6-2")
    assert book.show(1, "5-4") == ["turn 1"]
    assert book.lay("6-6", seat=0) == ["illegal", "WRONG_STARTER 0 open 6-6"]
    book.back("6-6", seat=0)
    assert book.lay("4-4", seat=1) == ["legal", "turn 0"]


def test_coin(playbook):
    book = playbook("block", starter_method="coin")
    assert book.press(1, "done") == ["done 1 button", "turn 1"]
    assert book.lay("4-4") == ["legal", "turn 0"]


@pytest.mark.parametrize(
    ("method", "led", "others", "said"),
    [
        ("highest_double", "4-4", ["5-5"], ["WRONG_STARTER 1 reported"]),
        ("highest_double", "5-5", ["4-4"], []),
        ("highest_total", "4-4", ["5-5"], ["WRONG_STARTER 1 reported"]),
        ("highest_total", "5-5", ["5-3"], []),
    ],
)
def test_the_start_is_judged_at_the_reveal(playbook, method, led, others, said):
    book = playbook("block", starter_method=method, hand="1")
    book.lay(led, seat=0)
    book.show(1, *others)
    book.finish()
    assert book.violations() == said


@pytest.mark.parametrize(("rule", "said"), [("custom", []), ("required_if_held", ["WRONG_OPENING_TILE 0 reported"])])
def test_opening_with_a_double(playbook, rule, said):
    book = playbook("block", starter_method="first", opening_double=rule, hand="2")
    book.lay("6-4", seat=0)
    book.press(1)
    book.lay("4-4", on="6-4", seat=0)
    book.show(1, "3-2", "1-1")
    transcript = book.finish()
    assert book.violations() == said
    assert ("advice OPENING_DOUBLE_CUSTOM" in transcript) == (rule == "custom")


def test_late_penalty(playbook):
    book = opened(playbook, hand="2", late_penalty="30")
    book.press(1)
    book.lay("5-4", on="4-4", to="right")
    book.show(1, "4-1", "3-2")
    assert book.finish()[-1] == "out 0 [10, -30] [10, -30]"


def test_rounds_go_on_when_the_table_is_cleared(playbook):
    book = playbook("block", starter_method="first", hand="1", target="20")
    book.lay("6-6", seat=0)
    book.show(1, "5-4")
    assert book.wait()[-1] == "out 0 [9, 0] [9, 0]"
    book.back("5-4")
    assert book.back("6-6") == ["round 2", "turn 1"]  # the lead alternates
    book.lay("3-3", seat=1)
    book.show(0, "6-5")
    assert book.wait()[-1] == "out 1 [0, 11] [9, 11]"
    book.back("6-5")
    book.back("3-3")
    book.lay("3-3", seat=0)
    book.show(1, "6-5")
    assert book.wait()[-2:] == ["out 0 [11, 0] [20, 11]", "match [0]"]


def test_a_nearly_equal_reading_is_chosen_by_the_rules_a_clear_one_never(playbook):
    book = opened(playbook)
    pose = book.place("4-1", "4-4", "right", 4)
    clear = Placed(t=9, id=50, tile="5-1", face="up", at=pose, confidence=0.95, alternatives=(("4-1", 0.04),))
    assert "END_MISMATCH 1 open 5-1" in book.take(clear)
    book.ids["5-1"], book.poses["5-1"], book.t = 50, pose, 9.0
    book.back("5-1")
    close = Placed(t=11, id=51, tile="5-1", face="up", at=pose, confidence=0.5, alternatives=(("4-1", 0.45),))
    assert book.take(close) == ["legal", "turn 0"]
    assert next(r.tile for r in book.records if isinstance(r, Placed) and r.id == 51) == "4-1"


def test_a_face_that_lies_elsewhere_puts_the_picture_in_doubt(playbook):
    book = opened(playbook)
    book.lay("4-1", on="4-4", to="right")
    pose = book.place("6-4", "4-4", "left", 4)
    again = Placed(
        t=9.0, id=50, tile="4-1", face="up", at=pose, confidence=0.9, alternatives=(("6-4", 0.3), ("4-3", 0.01))
    )
    assert book.take(again) == ["legal", "turn 1"]
    assert next(r.tile for r in book.records if isinstance(r, Placed) and r.id == 50) == "6-4"


def test_a_doubtful_reading_leaves_more_to_the_rules(playbook):
    book = opened(playbook)
    pose = book.place("4-1", "4-4", "right", 4)
    doubtful = Placed(t=9.0, id=50, tile="5-1", face="up", at=pose, confidence=0.6, alternatives=(("4-1", 0.3),))
    assert book.take(doubtful) == ["legal", "turn 0"]


def test_an_unclear_tile_is_asked_for_and_judged_once_it_is_clear(playbook):
    book = opened(playbook)
    pose = book.place("4-1", "4-4", "right", 4)
    assert book.take(Placed(t=9, id=50, tile="?", face="unclear", at=pose)) == ["attention UNCLEAR_TILE"]
    assert book.referee.to_act == 1
    assert book.take(Placed(t=10, id=50, tile="4-1", face="up", at=pose)) == ["legal", "turn 0"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "whist"}, "unknown game 'whist'; there are block"),
        ({"options": {"colour": "red"}}, "block has no option 'colour'; it has direction"),
        ({"options": {"target": "-5"}}, "option target is a number, 1 to 1000, not '-5'"),
        ({"options": {"passes": "loud"}}, "option passes is one of announced, inferred, not 'loud'"),
        ({"seats": 5}, "block is for 2 to 4 players, not 5"),
        ({"seats": 3}, "the table has 2 seats, the match 3"),
        ({"tile_set": "double-nine"}, "block is played with a double-six set, not double-nine"),
    ],
)
def test_what_cannot_be_refereed_is_said_plainly(changes, said):
    fields = {"t": 0.0, "game": "block", "seats": 2, "tile_set": "double-six", "table": default_table(2)} | changes
    with pytest.raises(ValueError, match=said):
        Referee(Match(**fields))


def test_a_doubtful_picture_accuses_nobody(playbook):
    book = opened(playbook)
    pose = book.place("6-2", "4-4", "right", 6)
    doubtful = Placed(t=9.0, id=50, tile="6-2", face="up", at=pose, confidence=0.4, alternatives=(("6-1", 0.1),))
    assert book.take(doubtful) == ["attention UNCLEAR_TILE"]
    placed = next(r for r in book.records if isinstance(r, Placed) and r.id == 50)
    assert (placed.tile, placed.face) == ("?", "unclear")
    assert book.take(Placed(t=10.0, id=50, tile="6-2", face="up", at=pose)) == ["illegal", "END_MISMATCH 1 open 6-2"]


def test_what_lay_in_a_strip_before_play_is_no_hand_tile(playbook):
    book = playbook("block", starter_method="first", hand="1")
    book.show(1, "6-1")  # a thing at the edge of the table that looks like a tile
    book.lay("4-4", seat=0)
    book.show(1, "5-3")
    assert book.finish()[-1] == "out 0 [8, 0] [8, 0]"
    assert book.violations() == []


def test_two_tiles_seen_at_once_in_the_wrong_order(playbook):
    book = opened(playbook)
    t = book.later()
    first = book.poses["4-1"] = book.place("4-1", "4-4", "right", 4)
    second = book.place("3-1", "4-1", "right", 1)
    assert book.take(Placed(t=t, id=61, tile="3-1", face="up", at=second), tick=False) == []
    assert book.take(Placed(t=t, id=60, tile="4-1", face="up", at=first)) == ["legal", "legal"]
    assert book.referee.to_act == 1
    assert book.violations() == []
    assert [r.legal for r in book.records if r.type == "judged"] == [True, True, True]


def test_a_half_round_the_corner_does_not_join_for_the_one_that_touches(playbook):
    """The 3 lies at the 4's end; the tile's own 4, turned away, is not heard in its place."""
    book = playbook("block", 2)
    book.lay("6-4", at=Pose(300.0, 220.0, 0.0))
    width = book.table.width_mm
    turned = Pose(300.0 + 1.5 * width, 220.0 + 0.5 * width, 270.0)
    assert book.lay("4-3", at=turned)[:2] == ["illegal", "END_MISMATCH 1 open 4-3"]
