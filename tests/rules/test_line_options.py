"""Every switch of the line games does what it says, and every default is the one the rules decided on (A-...)."""

from __future__ import annotations

import pytest

from table.rules.games import GAMES, LINE_GAMES, game_of, line_rules
from table.rules.line import Joint, Line, LineRound, LineRules

DEFAULTS = [
    ("A-G-1", "block", 2, "dead_position_ends_round", False),
    ("A-G-1", "draw", 2, "dead_position_ends_round", False),
    ("A-G-1", "doubles", 2, "dead_position_ends_round", False),
    ("A-G-1", "chicken-foot", 2, "dead_position_ends_round", True),
    ("A-G-2", "block", 2, "direction", "cw"),
    ("A-G-3", "block", 2, "misplay_window", "until_next_action"),
    ("A-G-3", "block", 2, "late_penalty", 0),
    ("A-001-2", "block", 2, "starter_method", "lot"),
    ("A-001-3", "block", 2, "draw", "none"),
    ("A-001-5", "block", 2, "blocked_tie", "fewest_tiles"),
    ("A-001-7", "block", 2, "next_starter", "alternate"),
    ("A-001-8", "block", 2, "players", 2),
    ("A-001-9", "block", 2, "target", 100),
    ("A-003-2", "draw", 2, "open_with_qualifier", True),
    ("A-003-3", "draw", 2, "draw", "until_playable"),
    ("A-003-6", "draw", 2, "blocked_score", "difference"),
    ("A-003-7", "draw", 2, "target", 100),
    ("A-003-8", "draw", 2, "turns", "allowed"),
    ("A-003-9", "draw", 2, "axis_tolerance_deg", 15),
    ("A-004-2", "doubles", 2, "spinner_sides", "any_order"),
    ("A-004-3", "doubles", 2, "doubles_orientation", "free"),
    ("A-004-4", "doubles", 2, "draw", "one"),
    ("A-004-5", "doubles", 2, "blocked_tie", "none"),
    ("A-004-6", "doubles", 2, "blocked_score", "opponents_total"),
    ("A-000-2", "chicken-foot", 2, "doubles_orientation", "crosswise"),
    ("A-000-3", "chicken-foot", 2, "starter_method", "search"),
    ("A-000-6", "chicken-foot", 2, "start_double_closes", True),
    ("A-000-8", "chicken-foot", 2, "out_on_double", "ends_round"),
    ("A-000-9", "chicken-foot", 2, "double_blank", "0"),
    ("A-000-10", "chicken-foot", 2, "match_tie", "shared"),
    ("A-000-11", "chicken-foot", 2, "rounds", (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)),
]


@pytest.mark.parametrize(
    ("decision", "game", "seats", "key", "value"), DEFAULTS, ids=[f"{d[0]}-{d[1]}" for d in DEFAULTS]
)
def test_default(decision, game, seats, key, value):
    assert line_rules(game, seats, {}).options[key] == value


def test_a_000_1_and_5_hands_and_trains_by_players():
    sizes = [line_rules("chicken-foot", n, {}) for n in range(2, 9)]
    assert [rules.hand_size() for rules in sizes] == [21, 14, 11, 8, 7, 6, 5]
    assert [rules.trains_due for rules in sizes] == [2, 3, 4, 5, 6, 7, 8]


def test_a_000_7_the_start_double_is_in_no_hand_unless_it_is_held():
    assert line_rules("chicken-foot", 4, {}).dealt_from() == 54
    assert line_rules("chicken-foot", 4, {"starter_method": "holder"}).dealt_from() == 55


def test_a_000_4_every_round_is_searched_for_its_own_double():
    rules = line_rules("chicken-foot", 3, {})
    assert rules.next_starter(1, 2) is None
    rules.for_round(3)
    assert rules.set_aside
    assert [tile for tile in rules.faces if rules.opening_fault(tile) is None] == ["6-6"]
    assert not line_rules("chicken-foot", 3, {"starter_method": "holder"}).set_aside


def test_a_001_4_a_line_bends_and_never_branches():
    line = Line(line_rules("block", 2, {}))
    line.push("6-4")
    for tile, at, side in (("4-4", 0, "b"), ("4-1", 1, "short_n"), ("1-1", 2, "b"), ("1-0", 3, "short_s")):
        line.push(tile, Joint(at, side, "long_l" if tile in ("4-4", "1-1") else "a"))
        assert len(line.position.ports) == 2


def test_a_001_6_equal_totals_and_counts_have_no_winner():
    assert line_rules("block", 2, {}).blocked([10, 10], [2, 2]) == (None, (0, 0))


def test_a_001_10_the_first_join_picks_the_pair():
    line = Line(line_rules("block", 2, {}))
    line.push("4-4")
    line.push("4-1", Joint(0, "short_n", "a"))
    assert line.check("4-2", Joint(0, "long_l", "a"))[0].code == "NOT_AN_OPEN_END"
    assert line.check("4-2", Joint(0, "short_s", "a")) == []


def test_a_003_1_and_10_the_highest_double_starts_and_without_one_the_heaviest_tile():
    rules = line_rules("draw", 2, {})
    order = ["6-6", "1-1", "0-0", "6-5", "6-4", "6-3", "5-4", "1-0"]
    for i, tile in enumerate(order):
        assert [rules.outranks(tile, other) for other in order] == [k > i for k in range(len(order))]


def test_a_003_4_and_5_who_can_play_may_not_draw_and_plays_what_was_drawn():
    deal = LineRound(line_rules("draw", 2, {}), [["6-6", "5-0"], ["4-3"]], ["2-0", "1-0", "6-5", "5-4"], 0)
    deal.push(next(deal.moves()))
    assert [move.kind for move in deal.moves()] == ["draw"]
    deal.push(next(deal.moves()))
    assert [move.kind for move in deal.moves()] == ["draw"]  # 5-4 does not fit
    deal.push(next(deal.moves()))
    assert [move.kind for move in deal.moves()] == ["play", "play"]  # 6-5 fits both ends


def test_a_004_1_a_double_unlocks_itself():
    line = Line(line_rules("doubles", 2, {}))
    line.push("6-6")
    line.push("6-3", Joint(0, "long_l", "a"))
    assert line.check("3-3", Joint(1, "b", "long_l")) == []


@pytest.mark.parametrize(("own", "far"), [("long_l", "long_r"), ("long_r", "long_l"), ("short_n", "long_r")])
@pytest.mark.parametrize("game", ["draw", "all-fives"])
def test_a_joined_double_is_open_on_the_far_long_side(game, own, far):
    line = Line(line_rules(game, 2, {}))
    line.push("6-4")
    line.push("4-4", Joint(0, "b", own))
    assert [port.side for port in line.position.ports if port.at == 1] == [far]


def test_doubles_long_sides_first_opens_the_short_ones_when_both_are_used():
    line = Line(line_rules("doubles", 2, {"spinner_sides": "long_sides_first"}))
    line.push("6-6")
    assert [port.side for port in line.position.ports] == ["long_l", "long_r"]
    line.push("6-1", Joint(0, "long_l", "a"))
    assert [port.side for port in line.position.ports if port.at == 0] == ["long_r"]
    line.push("6-2", Joint(0, "long_r", "a"))
    assert [(port.side, port.slot) for port in line.position.ports if port.at == 0] == [("short_n", 0), ("short_s", 0)]


def test_blocked_scores():
    difference = line_rules("doubles", 3, {"blocked_score": "difference"})
    assert difference.blocked([4, 9, 12], [1, 1, 1]) == (0, (13, 0, 0))
    total = line_rules("block", 2, {"blocked_score": "loser_total"})
    assert total.blocked([11, 14], [2, 3]) == (0, (14, 0))


def test_blocked_ties():
    assert line_rules("block", 2, {"blocked_tie": "none"}).blocked([10, 10], [1, 2]) == (None, (0, 0))
    assert line_rules("draw", 2, {"blocked_tie": "fewest_tiles"}).blocked([10, 10], [1, 2]) == (0, (0, 0))
    assert line_rules("doubles", 3, {"blocked_tie": "fewest_tiles"}).blocked([5, 5, 9], [2, 1, 1]) == (1, (0, 14, 0))


@pytest.mark.parametrize(
    ("how", "winner", "starter"), [("alternate", 0, 1), ("winner", 0, 0), ("winner", None, 0), ("method", 0, None)]
)
def test_next_starter(how, winner, starter):
    assert line_rules("block", 2, {"next_starter": how}).next_starter(0, winner) == starter


@pytest.mark.parametrize(
    ("game", "given", "placed", "crosswise"),
    [
        ("block", {}, False, False),
        ("draw", {}, True, True),
        ("draw", {"space": "ignore"}, False, True),
        ("doubles", {}, False, False),
        ("chicken-foot", {}, False, True),
        ("all-fives", {"doubles_orientation": "free"}, False, False),
    ],
)
def test_where_places_are_judged_and_doubles_lie_across(game, given, placed, crosswise):
    rules = line_rules(game, 2, given)
    assert (rules.enforce_space, rules.crosswise) == (placed, crosswise)


def test_only_in_chicken_foot_few_points_win():
    assert [game.key for game in LINE_GAMES if game.line is not None and game.line.low_wins] == ["chicken-foot"]


def test_a_tile_taken_out_may_be_laid_again_unless_its_double_still_lies():
    line = Line(line_rules("block", 2, {}))
    line.push("6-4")
    line.push("4-1", Joint(0, "b", "a"))
    line.push("4-1", Joint(1, "b", "b"))  # the same face again, standing in spite of it
    line.take_out(2)
    assert "4-1" in line.faces
    other = Line(line_rules("block", 2, {}))
    other.push("6-4")
    other.push("4-1", Joint(0, "b", "a"))
    other.take_out(1)
    assert other.faces == {"6-4"}
    assert other.position.values() == [4, 6]


def test_a_blocked_round_of_chicken_foot_is_won_by_the_lowest_hand_alone():
    rules = line_rules("chicken-foot", 3, {})
    assert rules.blocked([5, 3, 9], [1, 1, 1]) == (1, (5, 3, 9))
    assert rules.blocked([3, 3, 9], [1, 1, 1]) == (None, (3, 3, 9))


def test_all_fives_goes_to_150():
    assert line_rules("all-fives", 2, {}).options["target"] == 150


def test_direction():
    assert [line_rules("block", 4, {"direction": way}).next_seat(0) for way in ("cw", "ccw")] == [1, 3]


def test_block_may_be_played_with_drawing():
    rules = line_rules("block", 2, {"draw": "until_playable"})
    assert (rules.draw, rules.floor()) == ("until_playable", 2)
    assert line_rules("block", 2, {}).floor() == 0


def test_doubles_crosswise_in_block():
    line = Line(line_rules("block", 2, {"doubles_orientation": "crosswise"}))
    line.push("6-4")
    assert line.check("4-4", Joint(0, "b", "short_n"))[0].code == "DOUBLE_NOT_CROSSWISE"
    assert line.check("4-4", Joint(0, "b", "long_l")) == []


def test_free_doubles_in_chicken_foot():
    line = Line(line_rules("chicken-foot", 2, {"doubles_orientation": "free", "opening_trains": "1"}))
    line.push("9-9")
    line.push("9-4", Joint(0, "long_l", "a"))
    assert line.check("4-4", Joint(1, "b", "short_n")) == []


def test_fewer_toes():
    line = Line(line_rules("chicken-foot", 2, {"toes": "2", "opening_trains": "1"}))
    for tile, joint in (
        ("9-9", None), ("9-4", Joint(0, "long_l", "a")), ("4-4", Joint(1, "b", "long_l")),
        ("4-1", Joint(2, "long_r", "a")),
        ("4-2", Joint(2, "long_r", "a")),
    ):  # fmt: skip
        assert line.check(tile, joint) == []
        line.push(tile, joint)
    assert line.position.foot is None
    assert line.check("4-3", Joint(2, "long_r", "a"))[0].code == "NOT_AN_OPEN_END"


def test_more_trains_where_the_start_double_stays_open():
    line = Line(line_rules("chicken-foot", 2, {"start_double_closes": "false"}))
    line.push("9-9")
    for other in range(8):
        line.push(f"9-{other}", Joint(0, "long_l", "a"))
    assert line.check("9-8", Joint(0, "long_l", "a"))[0].code == "START_DOUBLE_CLOSED"


def test_most_rounds_won_breaks_a_tie():
    shared = line_rules("chicken-foot", 2, {"rounds": "9"})
    assert shared.match_winners([5, 5], [1, 0], 1) == (0, 1)
    assert line_rules("chicken-foot", 2, {"rounds": "9", "match_tie": "most_rounds_won"}).match_winners(
        [5, 5], [0, 1], 1
    ) == (1,)


def test_double_blank_counts():
    assert [line_rules("chicken-foot", 2, {"double_blank": n}).counted("0-0") for n in ("0", "25", "50")] == [0, 25, 50]


def test_all_fives_without_a_spinner_and_with_another_count():
    line = Line(line_rules("all-fives", 2, {"spinner": "none"}))
    line.push("5-5")
    line.push("5-1", Joint(0, "long_l", "a"))
    line.push("5-2", Joint(0, "long_r", "a"))
    assert [port.side for port in line.position.ports] == ["b", "b"]
    threes = line_rules("all-fives", 2, {"count": "3"})
    assert threes.points(line.position, line.played) == 3
    assert line.rules.points(line.position, line.played) == 0


@pytest.mark.parametrize("game", [game.key for game in LINE_GAMES if game.key != "all-fives"])
def test_plays_score_in_all_fives_alone(game):
    rules = line_rules(game, 2, {})
    line = Line(rules)
    line.push("5-5")
    assert not rules.scores_in_play
    assert rules.points(line.position, line.played) == 0


BOUNDS = {
    "late_penalty": {"*": (0, 500)},
    "players": {"block": (2, 4), "draw": (2, 2)},
    # 0, where it is allowed, stands for the number that the game has for so many players
    "hand": {"block": (1, 7), "draw": (1, 13), "doubles": (0, 8), "chicken-foot": (0, 21), "all-fives": (0, 9)},
    "floor": {"*": (0, 50)},
    "target": {"block": (1, 1000), "draw": (1, 1000), "doubles": (1, 1000), "all-fives": (1, 1000)},
    "axis_tolerance_deg": {"draw": (1, 44)},
    "set": {"chicken-foot": (9, 9)},
    "opening_trains": {"chicken-foot": (0, 8)},
    "toes": {"chicken-foot": (1, 3)},
    "rounds": {"chicken-foot": (0, 9)},
    "count": {"all-fives": (2, 10)},
    "round_to": {"all-fives": (1, 10)},
}
NUMBERS = [
    (game.key, option) for game in LINE_GAMES for option in game.options if isinstance(option.default, int | tuple)
]


@pytest.mark.parametrize(
    ("game", "option"),
    [pair for pair in NUMBERS if not isinstance(pair[1].default, bool)],
    ids=lambda value: getattr(value, "key", value),
)
def test_how_far_numbers_go(game, option):
    bounds = BOUNDS[option.key]
    least, most = bounds.get(game) or bounds["*"]
    for number in (least, most):
        assert option.read(str(number)) == ((number,) if option.many else number)
    for number in (least - 1, most + 1):
        with pytest.raises(ValueError, match=f"option {option.key} is a .*, {least} to {most}, not '{number}'"):
            option.read(str(number))


@pytest.mark.parametrize("game", BOUNDS["hand"])
def test_how_many_tiles_may_be_dealt(game):
    most = BOUNDS["hand"][game][1]
    assert [line_rules(game, 2, {"hand": str(size)}).hand_size() for size in (1, most)] == [1, most]


@pytest.mark.parametrize(
    ("game", "given", "said"),
    [
        ("draw", {"colour": "red"}, "draw has no option 'colour'; it has direction, "),
        ("draw", {"turns": "maybe"}, "option turns is one of allowed, forbidden, not 'maybe'"),
        ("draw", {"open_with_qualifier": "2"}, "option open_with_qualifier is true or false, not '2'"),
        ("chicken-foot", {"rounds": "9,x"}, "option rounds is a list of numbers like 9,8,7, 0 to 9, not '9,x'"),
        ("chicken-foot", {"toes": "4"}, "option toes is a number, 1 to 3, not '4'"),
        ("block", {"target": "0"}, "option target is a number, 1 to 1000, not '0'"),
    ],
)
def test_bad_options_are_said_plainly(game, given, said):
    with pytest.raises(ValueError, match=said):
        line_rules(game, 2, given)


@pytest.mark.parametrize(
    ("game", "seats", "said"),
    [
        ("draw", 3, "draw is for 2 players, not 3"),
        ("draw", 1, "draw is for 2 players, not 1"),
        ("all-fives", 5, "all-fives is for 2 to 4 players, not 5"),
        ("doubles", 1, "doubles is for 2 to 4 players, not 1"),
        ("chicken-foot", 1, "chicken-foot is for 2 to 8 players, not 1"),
        ("chicken-foot", 9, "2 to 8"),
        ("tien-gow", 4, "no line game"),
        ("x", 2, "unknown game"),
    ],
)
def test_bad_games_are_said_plainly(game, seats, said):
    with pytest.raises(ValueError, match=said):
        line_rules(game, seats, {})


def test_every_game_is_known_by_name():
    assert list(GAMES) == ["block", "draw", "doubles", "chicken-foot", "all-fives", "tien-gow", "free"]
    assert all(game_of(game.key) is game for game in LINE_GAMES)
    players = {game.key: (min(game.seats), max(game.seats)) for game in GAMES.values()}
    assert players == {
        "block": (2, 4), "draw": (2, 2), "doubles": (2, 4), "chicken-foot": (2, 8), "all-fives": (2, 4),
        "tien-gow": (4, 4), "free": (1, 8),
    }  # fmt: skip


@pytest.mark.parametrize("game", LINE_GAMES, ids=lambda game: game.key)
def test_defaults_are_written_as_they_are_read(game):
    for option in game.options:
        assert option.read(option.written()) == option.default


def test_what_a_game_of_its_own_need_not_say():
    """Such a game has no order of tiles for the start, sets nothing aside and has no toes."""
    rules = LineRules(2, line_rules("block", 2, {}).options)
    assert not any(rules.outranks(tile, other) for tile in ("6-6", "6-5") for other in ("0-0", "1-0"))
    assert not rules.set_aside
    line = Line(rules)
    line.push("6-6")
    assert not rules.toes_of(line.played, 0)
