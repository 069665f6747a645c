"""Who opened where nobody was seen to: seat 0 by assumption, until the next arm tells otherwise."""

from itertools import pairwise

from table.events import Score


def test_the_seat_before_the_first_arm_opened(playbook):
    for direction, arm, opener in (("cw", 0, 3), ("cw", 2, 1), ("cw", 3, 2), ("ccw", 2, 3), ("ccw", 0, 1)):
        book = playbook("block", 4, players="4", starter_method="first", direction=direction)
        book.lay("6-6")
        said = book.lay("6-4", on="6-6", seat=arm)
        following = (arm + (1 if direction == "cw" else -1)) % 4
        assert (
            said == ["legal", f"turn {following}"][: 1 + (following != (1 if direction == "cw" else 3))]
        )  # not told twice
        assert book.referee.to_act == following
        fold = book.referee._fold
        assert fold.starter == opener
        assert fold.hand == [7 - (seat in (arm, opener)) for seat in range(4)]
        assert fold.played[opener] == ["6-6"]
        assert fold.played[arm] == ["6-4"]


def test_the_arm_that_is_due_leaves_it_with_seat_0(playbook):
    book = playbook("block", starter_method="first")
    book.lay("6-6")
    assert book.lay("6-4", on="6-6", seat=1) == ["legal", "turn 0"]
    assert book.lay("6-5", on="6-6", to="left", seat=1)[1] == "OUT_OF_TURN 1 open 6-5"
    assert book.referee._fold.starter == 0


def test_who_was_seen_to_open_keeps_to_the_turn(playbook):
    book = playbook("block", starter_method="first")
    book.lay("6-6", seat=0)
    assert book.lay("6-4", on="6-6", seat=0)[1] == "OUT_OF_TURN 0 open 6-4"


def test_a_press_may_be_of_the_wrong_button(playbook):
    book = playbook("block", starter_method="first")
    book.lay("6-6")
    assert book.press(0) == ["OUT_OF_TURN 0 open"]
    assert book.press(1) == ["OUT_OF_TURN 0 stands", "passed 1 button", "turn 0"]
    assert book.lay("6-4", on="6-6", seat=0) == ["legal", "turn 1"]
    assert book.press(0) == ["OUT_OF_TURN 0 open"]


def test_a_press_of_who_is_due_leaves_all_as_it_is(playbook):
    book = playbook("block", starter_method="first")
    book.lay("6-6")
    assert book.press(1) == ["passed 1 button", "turn 0"]
    assert book.referee._fold.hand == [6, 7]
    assert book.lay("6-4", on="6-6") == ["legal", "turn 1"]
    assert book.press(0) == ["OUT_OF_TURN 0 open"]
    assert book.referee._fold.hand == [5, 7]


def test_after_a_press_that_spoke_against_it_who_acts_has_the_turn(playbook):
    """Seat 2 opened, 3 laid, 0 passed, 1 passed, 2 laid: nobody but who pressed first is told anything."""
    book = playbook("block", 4, players="4", starter_method="first")
    book.lay("6-6")
    book.lay("6-4", on="6-6")
    assert book.press(0) == ["OUT_OF_TURN 0 open"]
    assert book.press(1) == ["OUT_OF_TURN 0 stands", "passed 1 button"]
    assert book.referee.to_act == 2
    assert book.lay("6-5", on="6-6", to="left", seat=2) == ["legal", "turn 3"]
    assert book.press(2) == ["OUT_OF_TURN 2 open"]


def test_counts_that_rest_on_a_press_accuse_nobody(playbook):
    """Seat 1 opened and went out; seat 0 passed once."""
    book = playbook("block", hand="2", starter_method="first", target="1")
    book.lay("6-6")
    book.press(0)
    book.lay("6-4", on="6-6")
    assert book.show(0, "5-3", "3-1")[-1] == "turn None"
    assert book.finish()[-2:] == ["out 1 [0, 12] [0, 12]", "match [1]"]
    assert book.violations() == ["OUT_OF_TURN 0 stands"]


def test_one_tile_left_ends_a_round_that_nobody_counted_once_all_lie(playbook):
    """Seat 1 opened, laid all three and went out; seat 0 laid two."""
    book = playbook("block", hand="3", starter_method="first", yard=True)
    book.yard(22)
    book.lay("6-6")
    book.press(0)
    book.lay("6-4", on="6-6")
    book.lay("6-5", on="6-6", to="left")
    assert book.show(0, "3-1", "3-2")[:2] == ["advice TILE_EXPOSED", "turn None"]
    book = playbook("block", hand="3", starter_method="first")
    for tile, on, to in (("6-6", None, ""), ("6-4", "6-6", "right"), ("6-5", "6-6", "left"), ("4-1", "6-4", "right")):
        if tile == "6-4":
            book.press(0)
        book.lay(tile, on=on, to=to)
    book.lay("1-0", on="4-1")
    assert book.show(0, "3-1") == ["advice TILE_EXPOSED"]
    assert book.wait()[-1] == "out 1 [0, 4] [0, 4]"


def test_one_tile_shown_ends_nothing_while_more_are_out(playbook):
    book = playbook("block", hand="3", starter_method="first")
    book.lay("6-6")
    book.press(0)
    book.lay("6-4", on="6-6")
    book.show(0, "3-1")
    assert book.wait() == []
    book.back("3-1")
    assert book.lay("6-5", on="6-6", to="left")[-2:] == ["legal", "turn 1"]


def test_a_block_is_one_where_hands_were_not_counted(playbook):
    book = playbook("block", hand="2", starter_method="first")
    book.lay("6-6")
    book.press(0)
    book.press(1)
    book.show(0, "5-3", "3-1")
    book.show(1, "5-4")
    assert book.finish()[-1] == "blocked 1 [0, 3] [0, 3]"


def test_several_tiles_unseen_and_then_an_arm(playbook):
    """Seats 2, 3 and 0 laid; seat 1 is seen to lay next."""
    book = playbook("block", 4, players="4", starter_method="first")
    book.lay("6-6")
    book.lay("6-4", on="6-6")
    book.lay("6-5", on="6-6", to="left")
    assert book.lay("5-1", on="6-5", to="left", seat=1) == ["legal", "turn 2"]
    fold = book.referee._fold
    assert (fold.starter, fold.hand) == (2, [6, 6, 6, 6])
    assert fold.played == [["6-5"], ["5-1"], ["6-6"], ["6-4"]]
    assert [tile.seat for tile in fold.tiles.values()] == [2, 3, 0, 1]


def test_several_tiles_and_an_arm_where_passes_are_inferred(playbook):
    """As likely seat 0 passed: nobody is called, and no hand is counted."""
    book = playbook("block", starter_method="first", passes="inferred")
    book.lay("6-6")
    book.lay("6-4", on="6-6")
    assert book.lay("6-5", on="6-6", to="left", seat=1) == ["passed 0 inferred", "legal"]
    assert book.referee._fold.hand == [None, None]


def test_a_wrong_tile_stands_whoever_opened(playbook):
    """Seat 2 opened, 3 laid a wrong tile, and 0 let it stand."""
    book = playbook("block", 4, players="4", starter_method="first")
    book.lay("6-6")
    assert book.lay("5-4", on="6-6") == ["illegal", "END_MISMATCH 1 open 5-4"]
    said = book.lay("6-5", on="6-6", to="left", seat=0)
    assert said == ["END_MISMATCH 3 stands 5-4", "legal"]
    assert book.referee._fold.hand == [6, 7, 6, 6]
    book = playbook("block", 4, players="4", starter_method="first")
    book.lay("6-6")
    book.lay("5-4", on="6-6")
    assert book.lay("6-5", on="6-6", to="left", seat=2)[0] == "END_MISMATCH 1 stands 5-4"
    assert book.referee._fold.starter == 0


def test_a_tile_that_was_taken_back_is_known_of_who_laid_it(playbook):
    book = playbook("block", starter_method="first")
    book.lay("6-6")
    book.lay("5-4", on="6-6")
    book.back("5-4")
    assert book.referee._fold.known == [set(), {"5-4"}]
    book.lay("6-4", on="6-6", seat=0)
    assert book.referee._fold.known == [{"5-4"}, set()]


def test_a_tile_that_was_shown_is_of_the_seat_that_showed_it(playbook):
    """What was known before is given up, for some of it goes with the turn and some does not."""
    book = playbook("draw", yard=True, space="ignore")
    book.yard(14)
    book.lay("5-5")
    book.show(0, "6-6")
    book.back("6-6")
    book.lay("6-5", on="5-5", seat=0)
    fold = book.referee._fold
    assert fold.known == [set(), set()]
    assert all(claim.void for claim in fold.claims.claims)


def test_the_hands_tell_where_nobody_was_ever_seen(playbook):
    """Seat 1 opened and went out; as seat 0 is taken to have opened, it would be out itself."""
    book = playbook("block", hand="2", starter_method="first")
    for tile, to in (("6-6", ""), ("6-4", "right"), ("6-5", "left")):
        book.lay(tile, on="6-6" if to else None, to=to)
    book.show(0, "3-3")
    assert book.wait()[-1] == "out 1 [0, 6] [0, 6]"
    assert book.violations() == []
    assert book.referee._fold.starter == 1


def test_the_hands_of_three_tell(playbook):
    """Seat 2 opened, so seats 1 and 2 laid one tile each less or more than was assumed."""
    for at_once in (True, False):
        book = playbook("block", 3, players="3", hand="3", starter_method="first")
        laid = [("6-6", None, ""), ("6-4", "6-6", "right"), ("6-5", "6-6", "left"), ("5-0", "6-5", "left")]
        for tile, on, to in [*laid, ("4-1", "6-4", "right"), ("1-1", "4-1", "right"), ("5-1", "1-1", "right")]:
            book.lay(tile, on=on, to=to)
        for seat, tile in ((0, "3-3"), (1, "2-2")):
            book.show(seat, tile)
            if not at_once:
                book.wait()
        assert (book.finish() if at_once else book.wait())[-1:] == (["out 2 [0, 0, 10] [0, 0, 10]"] if at_once else [])
        assert [r for r in book.violations() if "MISMATCH" in r] == []
        assert book.referee._fold.starter == 2


def test_who_shows_nothing_at_last_is_out(playbook):
    """Seat 1 opened and went out. Had seat 0, it might have drawn the tile that it shows, but seat 1 would have one."""
    book = playbook("draw", hand="2", space="ignore", starter_method="first")
    for tile, to in (("6-6", ""), ("6-4", "right"), ("6-5", "left")):
        book.lay(tile, on="6-6" if to else None, to=to)
    book.show(0, "3-3")
    book.wait()
    assert book.press(0, "done")[-1] == "out 1 [0, 6] [0, 6]"
    assert book.violations() == []


def test_hands_that_fit_no_opener_are_wrong(playbook):
    book = playbook("block", hand="2", starter_method="first")
    for tile, to in (("6-6", ""), ("6-4", "right"), ("6-5", "left")):
        book.lay(tile, on="6-6" if to else None, to=to)
    book.show(0, "3-3", "3-2", "3-1")
    assert book.finish()[0] == "REVEAL_MISMATCH 0 open"
    book.back("3-2")
    book.back("3-1")
    assert "REVEAL_MISMATCH 0 corrected" in book.finish()


def test_hands_are_wrong_as_ever_where_somebody_was_seen(playbook):
    book = playbook("block", hand="2", starter_method="first")
    for tile, to, seat in (("6-6", "", 0), ("6-4", "right", None), ("6-5", "left", None)):
        book.lay(tile, on="6-6" if to else None, to=to, seat=seat)
    book.show(0, "3-3")
    assert book.wait()[-1] == "REVEAL_MISMATCH 0 open"


def test_points_go_with_the_opener_that_the_hands_tell(playbook):
    book = playbook("all-fives", hand="2", yard=True, starter_method="first")
    book.yard(24)
    book.lay("5-5")
    book.lay("5-4", on="5-5")
    book.lay("5-3", on="5-5", to="left")
    book.show(0, "2-2")
    said = book.wait()
    assert said[:2] == ["score 0 +-10", "score 1 +10"]
    assert said[-1].startswith("out 1 [0, 1")


def test_who_opens_next_is_not_known_either(playbook):
    """Both hold one tile, so either may have opened: whoever starts the second round is no wrong starter."""
    options = {"dead_position_ends_round": "true", "space": "ignore", "next_starter": "alternate", "hand": "5"}
    for opener in (0, 1):
        book = playbook("draw", yard=True, starter_method="first", **options)
        book.yard(18)
        book.lay("5-0")
        to_both_fives(book)
        for tile in list(book.ids):
            book.back(tile)
        book.yard(18)
        assert book.lay("6-6", seat=opener) == ["legal", f"turn {1 - opener}"]
        assert book.violations() == []


def test_who_opened_unseen_and_was_confirmed_is_followed_in_turn(playbook):
    book = playbook("block", hand="2", starter_method="first")
    book.lay("6-6")
    book.lay("6-4", on="6-6", seat=1)
    book.lay("6-5", on="6-6", to="left", seat=0)
    book.show(1, "3-3")
    assert book.finish()[-1] == "out 0 [6, 0] [6, 0]"
    for tile in list(book.ids):
        book.back(tile)
    assert book.lay("6-6", seat=0) == ["illegal", "WRONG_STARTER 0 open 6-6"]


def test_a_draw_that_was_assumed_goes_with_the_turn(playbook):
    book = playbook("draw", yard=True, space="ignore", starter_method="first")
    book.yard(14)
    book.lay("5-5")
    assert book.draw(1, left=13) == []
    assert book.lay("5-1", on="5-5", seat=0) == ["legal"]
    assert book.referee.to_act == 1
    assert book.referee._fold.hand == [7, 6]
    assert book.referee._fold.claims.drawn[1] == []
    assert book.violations() == []


def test_an_arm_that_draws_tells_as_well(playbook):
    book = playbook("draw", yard=True, space="ignore", starter_method="first")
    book.yard(14)
    book.lay("5-5")
    assert book.draw(1, left=13, seat=0) == ["turn 0"]
    assert book.referee._fold.hand == [8, 6]


def test_the_hands_come_out_and_nobody_is_accused(playbook):
    """Seat 1 opened with its highest double and goes out."""
    book = playbook("block", hand="2", starter_method="highest_double")
    book.lay("6-6")
    book.lay("6-4", on="6-6", seat=0)
    assert book.lay("6-5", on="6-6", to="left", seat=1) == ["legal", "turn None"]
    book.show(0, "3-3")
    assert book.finish()[-1] == "out 1 [0, 6] [0, 6]"
    assert book.violations() == []


def test_a_start_by_rank_is_held_against_who_opened(playbook):
    """Seat 1 turns out to have opened with 5-5 though it holds 6-6; seat 0 only let it."""
    book = playbook("draw", yard=True, space="ignore")
    book.yard(14)
    book.lay("5-5")
    book.lay("6-5", on="5-5", seat=0)
    book.lay("6-6", on="6-5", seat=1)
    claims = [(claim.code, claim.seat) for claim in book.referee._fold.claims.claims if claim.proven]
    assert claims == [("WRONG_OPENING_TILE", 1)]


def test_points_of_the_first_tile_go_with_it(playbook):
    book = playbook("all-fives", yard=True, starter_method="first")
    book.yard(14)
    assert book.lay("5-5") == ["legal", "score 0 +10", "turn 1"]
    assert book.lay("5-4", on="5-5", seat=0)[:2] == ["score 0 +-10", "score 1 +10"]
    assert book.referee.totals == (0, 10)
    told = [(r.seat, r.points, r.total) for r in book.records if isinstance(r, Score)]
    assert told[:3] == [(0, 10, 10), (0, -10, 0), (1, 10, 10)]


def test_a_start_double_set_unseen_leaves_the_turn_to_who_acts_first(playbook):
    book = playbook("chicken-foot", 4)
    book.lay("9-9")
    assert book.lay("9-4", on="9-9", seat=2) == ["legal", "turn 3"]
    assert book.violations() == []


# all that has a 5, so that the position is dead at the end
TO_BOTH_FIVES = ["5-0", "1-0", "5-1", "5-5", "5-2", "3-2", "5-3", "5-4", "6-4", "6-5"]


def to_both_fives(book):
    """From 5-0 on, laid: two draws, the line to a five at both ends, and both hands shown."""
    book.draw(1, left=17)
    for on, tile in pairwise(TO_BOTH_FIVES):
        if tile == "5-2":
            book.draw(1, left=16)
        book.lay(tile, on=on)
    book.show(0, "2-2")
    book.show(1, "3-3")
    assert book.finish()[-1].startswith("blocked 0")


def test_nobody_is_accused_where_either_may_have_opened(playbook):
    """Both draw though they hold fives. If nobody is ever seen and the hands are as many, whose it was is unknown."""
    for seen in (True, False):
        book = playbook(
            "draw", yard=True, space="ignore", starter_method="first", hand="5", dead_position_ends_round="true"
        )
        book.yard(18)
        book.lay("5-0", seat=0 if seen else None)
        to_both_fives(book)
        assert sorted(book.violations()) == ["DRAW_WITH_MOVE 0 reported", "DRAW_WITH_MOVE 1 reported"][: 2 * seen]
