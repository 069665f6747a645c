"""Switches whose effect is the referee's: what may be drawn, how tiles lie, who starts next, what a start claims."""

from __future__ import annotations

import pytest

from table.events import Pose


def opened(playbook, game, yard, led="6-6", seats=2, **options):
    book = playbook(game, seats, yard=True, starter_method=options.pop("starter_method", "first"), **options)
    book.yard(yard)
    assert book.lay(led, seat=0)[0] == "legal"
    return book


@pytest.mark.parametrize(("game", "yard"), [("block", 14), ("draw", 14), ("doubles", 12), ("all-fives", 14)])
def test_one_draw(playbook, game, yard):
    book = opened(playbook, game, yard, draw="one", floor="2")
    assert book.press(1)[-1] == "PASS_WITHOUT_DRAW 1 open"
    assert book.draw(1, left=yard - 1) == ["PASS_WITHOUT_DRAW 1 corrected"]
    assert book.draw(1, left=yard - 2) == ["EXTRA_DRAW 1 open"]
    book.put_back(1, left=yard - 1)
    assert book.press(1) == ["passed 1 button", "turn 0"]


@pytest.mark.parametrize(
    ("game", "yard", "led"),
    [("block", 14, "6-6"), ("doubles", 12, "6-6"), ("chicken-foot", 13, "9-9"), ("all-fives", 14, "6-6")],
)
def test_drawing_until_a_tile_fits(playbook, game, yard, led):
    method = "holder" if game == "chicken-foot" else "first"
    book = opened(playbook, game, yard, led, draw="until_playable", floor="2", starter_method=method)
    assert book.draw(4, left=yard - 4) == []
    assert book.press(1)[-1] == "PASS_WITHOUT_DRAW 1 open"
    assert book.draw(yard - 6, left=2) == ["PASS_WITHOUT_DRAW 1 corrected"]
    assert book.draw(1, left=1) == ["DRAW_BELOW_FLOOR 1 open"]
    book.put_back(1, left=2)
    assert book.press(1) == ["passed 1 button", "turn 0"]


@pytest.mark.parametrize(
    ("game", "yard", "led"), [("block", 14, "6-6"), ("draw", 14, "6-6"), ("chicken-foot", 13, "9-9")]
)
def test_another_floor(playbook, game, yard, led):
    method = "holder" if game == "chicken-foot" else "first"
    book = opened(playbook, game, yard, led, draw="one", floor=str(yard - 1), starter_method=method)
    assert book.draw(1, left=yard - 1) == []
    book.press(1)
    assert book.draw(1, left=yard - 2) == [f"DRAW_BELOW_FLOOR {0} open"]


def test_all_fives_without_drawing(playbook):
    book = opened(playbook, "all-fives", 14, draw="none")
    assert book.draw(1, left=13) == ["DRAW_NOT_ALLOWED 1 open"]
    book.put_back(1, left=14)
    assert book.press(1) == ["passed 1 button", "turn 0"]


@pytest.mark.parametrize(("game", "yard"), [("block", 14), ("doubles", 12), ("all-fives", 14)])
@pytest.mark.parametrize(("rule", "said"), [("free", "legal"), ("crosswise", "illegal")])
def test_a_double_in_line(playbook, game, yard, rule, said):
    book = opened(playbook, game, yard, "6-6", doubles_orientation=rule)
    book.lay("6-1", on="6-6", seat=1)
    at = book.poses["6-1"]
    assert book.lay("1-1", at=Pose(at.x_mm + 50.5, at.y_mm, 0.0), seat=0)[0] == said
    assert book.violations() == ["DOUBLE_NOT_CROSSWISE 0 open"] * (said == "illegal")


def test_a_double_in_line_where_places_are_judged(playbook):
    book = opened(playbook, "draw", 14, "6-1", doubles_orientation="free")
    at = book.poses["6-1"]
    assert book.lay("1-1", at=Pose(at.x_mm + 50.5, at.y_mm, 0.0), seat=1)[0] == "legal"


@pytest.mark.parametrize(("tolerance", "said"), [("15", "illegal"), ("30", "legal")])
def test_how_far_askew_a_tile_may_lie(playbook, tolerance, said):
    book = opened(playbook, "draw", 14, "6-1", axis_tolerance_deg=tolerance)
    assert book.lay("4-1", on="6-1", seat=1, turn=20, shift=(6, 8))[0] == said


def test_room_and_places_that_nobody_judges(playbook):
    book = opened(playbook, "draw", 14, "6-1", space="ignore")
    assert book.lay("4-1", on="6-1", seat=1, turn=20, shift=(6, 8))[0] == "legal"


@pytest.mark.parametrize(("rule", "said"), [("true", ["WRONG_OPENING_TILE 0 reported"]), ("false", [])])
def test_whether_the_qualifier_has_to_be_led(playbook, rule, said):
    book = opened(
        playbook, "draw", 14, "5-4", starter_method="highest", space="ignore", open_with_qualifier=rule
    )  # fmt: skip
    book.lay("5-3", on="5-4", to="left", seat=1)
    book.lay("4-4", on="5-4", seat=0)
    assert book.violations() == said


def test_where_nobody_deals_again_the_heaviest_tile_opens(playbook):
    book = opened(playbook, "doubles", 12, "6-5", starter_method="highest_double", redeal_without_double="false")
    assert book.show(1, "6-4") == ["advice TILE_EXPOSED"]
    assert book.show(1, "1-1") == ["WRONG_STARTER 1 reported 1-1", "advice TILE_EXPOSED"]
    book = playbook("doubles", 3, redeal_without_double="false")
    book.show(0, "6-5", "6-4", "6-3", "6-2", "6-1", "6-0")
    book.show(1, "5-4", "5-3", "5-2", "5-1", "5-0", "4-3")
    assert book.show(2, "4-2", "4-1", "4-0", "3-2", "3-1", "3-0") == ["advice TILE_EXPOSED"] * 6


@pytest.mark.parametrize(("trains", "says"), [("0", "legal"), ("3", "illegal")])
def test_more_trains_than_players(playbook, trains, says):
    book = opened(playbook, "chicken-foot", 13, "9-9", starter_method="holder", opening_trains=trains)
    book.lay("9-1", on="9-9", to="up", seat=1)
    book.lay("9-2", on="9-9", to="right", seat=0)
    assert book.lay("2-0", on="9-2", seat=1)[0] == says


def test_a_dead_position_that_ends_nothing(playbook):
    """All fives lie, but everybody draws down to the floor first."""
    book = opened(
        playbook, "chicken-foot", 13, "9-9", starter_method="holder", opening_trains="1",
        dead_position_ends_round="false", floor="12",
    )  # fmt: skip
    laid = [
        ("9-5", "9-9"), ("5-4", "9-5"), ("4-3", "5-4"), ("5-3", "4-3"), ("5-2", "5-3"), ("2-1", "5-2"), ("5-1", "2-1"),
        ("5-0", "5-1"), ("6-0", "5-0"), ("6-5", "6-0"), ("7-5", "6-5"), ("8-7", "7-5"), ("8-5", "8-7"), ("5-5", "8-5"),
    ]  # fmt: skip
    for tile, on in laid:
        said = book.lay(tile, on=on, to="up")
    assert said == ["legal", "advice DEAD_POSITION", "turn 1"]
    assert book.draw(1, left=12) == []
    assert book.press(1) == ["passed 1 button", "turn 0"]
    assert book.press(0) == ["passed 0 button", "turn None"]


def test_a_dead_position_that_ends_a_round_of_block(playbook):
    book = playbook("block", starter_method="first", dead_position_ends_round="true")
    laid = [
        ("3-3", None, ""), ("3-1", "3-3", "right"), ("3-2", "3-3", "left"), ("1-0", "3-1", "right"),
        ("3-0", "1-0", "right"), ("4-2", "3-2", "left"), ("4-3", "4-2", "left"), ("5-3", "4-3", "left"),
        ("6-5", "5-3", "left"), ("6-3", "6-5", "left"),
    ]  # fmt: skip
    for seat, (tile, on, to) in enumerate(laid):
        said = book.lay(tile, on=on, to=to, seat=seat % 2)
    assert said == ["legal", "advice DEAD_POSITION", "turn None"]


@pytest.mark.parametrize(("how", "due"), [("winner", 0), ("alternate", 1), ("method", None)])
@pytest.mark.parametrize(("game", "yard"), [("block", 26), ("draw", 26), ("doubles", 26), ("all-fives", 26)])
def test_who_starts_the_next_round(playbook, game, yard, how, due):
    book = opened(playbook, game, yard, next_starter=how, hand="1")
    book.show(1, "5-4")
    assert book.finish()[-1].startswith("out 0")
    book.back("5-4")
    assert book.back("6-6") == (["round 2"] if due is None else ["round 2", f"turn {due}"])
    said = book.lay("3-3", seat=0)
    assert (said[1:2] == ["WRONG_STARTER 0 open 3-3"]) == (due == 1)


def test_a_penalty_where_low_scores_win(playbook):
    book = opened(
        playbook, "chicken-foot", 49, "9-9", starter_method="holder", hand="3", floor="49", late_penalty="30"
    )  # fmt: skip
    book.press(1)
    book.lay("9-8", on="9-9", seat=0)
    book.press(1)
    book.lay("9-7", on="9-9", to="left", seat=0)
    book.show(1, "9-1", "3-2", "0-0")
    assert book.finish()[-1] == "out 0 [0, 75] [0, 75]"  # both passes were false


def test_the_start_is_judged_where_tiles_might_have_been_drawn_and_none_were(playbook):
    options = {"starter_method": "highest_double", "draw": "one"}
    book = opened(playbook, "block", 26, "4-4", hand="1", **options)
    book.show(1, "5-5")
    book.finish()
    assert book.violations() == ["WRONG_STARTER 1 reported"]
    book = opened(playbook, "block", 24, "4-4", hand="2", **options)
    book.draw(1, left=23, seat=1)
    book.lay("4-3", on="4-4", seat=1)
    book.lay("3-2", on="4-3", seat=0)
    book.show(1, "5-5", "6-0")
    assert book.finish()[-1].startswith("out 0")
    assert book.violations() == []


def test_counter_clockwise(playbook):
    book = playbook("doubles", 3, starter_method="first", direction="ccw")
    assert book.lay("6-6", seat=0) == ["legal", "turn 2"]
    assert book.lay("6-5", on="6-6", seat=2) == ["legal", "turn 1"]


def test_tiles_are_asked_to_be_spread_in_chicken_foot_alone(playbook):
    book = opened(playbook, "block", 14)
    book.lay("6-1", on="6-6", seat=1)
    at = book.poses["6-1"]
    assert book.lay("4-1", at=Pose(at.x_mm + 40.0, at.y_mm + 3.0, 180.0), seat=0) == ["legal", "turn 1"]
