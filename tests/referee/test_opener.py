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


def test_nobody_is_accused_where_either_may_have_opened(playbook):
    """Both draw though they hold fives. If nobody is ever seen and the hands are as many, whose it was is unknown."""
    for seen in (True, False):
        book = playbook(
            "draw", yard=True, space="ignore", starter_method="first", hand="5", dead_position_ends_round="true"
        )
        book.yard(18)
        book.lay("5-0", seat=0 if seen else None)
        book.draw(1, left=17)
        for on, tile in pairwise(TO_BOTH_FIVES):
            if tile == "5-2":
                book.draw(1, left=16)
            book.lay(tile, on=on)
        book.show(0, "2-2")
        book.show(1, "3-3")
        assert book.finish()[-1].startswith("blocked 0")
        assert sorted(book.violations()) == ["DRAW_WITH_MOVE 0 reported", "DRAW_WITH_MOVE 1 reported"][: 2 * seen]
