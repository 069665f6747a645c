"""Words to lamps and buttons to words."""

from itertools import combinations
from types import SimpleNamespace

import pytest

from table.board.meaning import LOOKS, PATTERNS, Lights, button_word, lamp, rim_fraction
from table.board.protocol import Colour


def test_no_two_meanings_differ_by_colour_alone():
    lamps = {meaning: lamp(meaning) for meaning in LOOKS}
    for one, other in combinations(lamps, 2):
        assert lamps[one].pattern != lamps[other].pattern, (one, other)


def test_every_pattern_begins_lit():
    assert all(bits & 1 for name, bits in PATTERNS.items() if name != "off")


def test_records_and_mappings_are_taken_and_the_rest_stays():
    lights = Lights(4)
    lights.show(
        [{"seat": 2, "meaning": "turn"}, SimpleNamespace(seat="table", meaning="ask", colour=None, pattern=None)]
    )
    lights.show([{"seat": 0, "meaning": "illegal", "colour": "red", "pattern": "fast"}])
    state = lights.state()
    assert [light.colour for light in state.lights] == [Colour.RED, 0, Colour.WHITE, 0, Colour.AMBER]
    lights.show([{"seat": 2, "meaning": "idle"}, {"seat": 7, "meaning": "turn"}, {"seat": -1, "meaning": "turn"}])
    assert [light.colour for light in lights.state().lights] == [Colour.RED, 0, 0, 0, Colour.AMBER]


def test_unknown_words_fall_back_to_the_meaning():
    assert lamp("illegal", "ultraviolet", "waltz") == lamp("illegal")
    assert lamp("no such meaning") == lamp("idle")
    assert lamp("ask", "yellow", "Pulse") == lamp("ask", "amber", "slow")


def test_only_a_turn_is_steady_whatever_the_record_says():
    assert lamp("accepted", "green", "steady") == lamp("accepted") != lamp("turn", "green", "steady")
    assert lamp("turn", "white", "steady").pattern == PATTERNS["steady"]


def test_a_sound_belongs_to_a_change_and_illegal_is_loudest():
    lights = Lights(3)
    first = lights.state().tune_count
    lights.show([{"seat": 0, "meaning": "accepted"}, {"seat": 1, "meaning": "illegal"}, {"seat": 2, "meaning": "ask"}])
    loud = lights.state()
    assert loud.tune_count == first + 1
    lights.show([{"seat": 1, "meaning": "illegal"}])
    assert lights.state().tune_count == loud.tune_count
    lights.show([{"seat": 0, "meaning": "turn"}])
    assert lights.state().tune_count == loud.tune_count
    only = Lights(3)
    only.show([{"seat": 1, "meaning": "illegal"}])
    assert loud.tune == only.state().tune


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "fraction"),
    [(350, 700, 1 / 8), (0, 350, 3 / 8), (350, 0, 5 / 8), (700, 350, 7 / 8), (690, 699, 1 / 280), (-5, 720, 1 / 4)],
)
def test_rim_runs_clockwise_from_the_bottom_right_corner(x_mm, y_mm, fraction):
    assert rim_fraction(x_mm, y_mm, 700, 700) == pytest.approx(fraction, abs=1e-6)


def test_pointing_stays_on_the_rim():
    lights = Lights(2, rim=60)
    for step in range(200):
        lights.point(step / 199)
        [span] = lights.state().spans
        assert 0 <= span.start < 60
    lights.point(None)
    assert lights.state().spans == ()
    bare = Lights(2)
    bare.point(0.5)
    assert bare.state().spans == ()


def test_impossible_boards_are_errors():
    for arguments in ({"seats": 1}, {"seats": 9}, {"seats": 4, "rim": 61}):
        with pytest.raises(ValueError, match="not"):
            Lights(**arguments)


def test_buttons():
    assert (button_word(0), button_word(1), button_word(1, "challenge"), button_word(2)) == (
        "pass",
        "done",
        "challenge",
        None,
    )
