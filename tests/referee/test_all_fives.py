"""All Fives refereed: points during play, the spinner, the end."""


def test_points_are_scored_as_tiles_are_laid(playbook):
    book = playbook("all-fives", starter_method="first")
    assert book.lay("5-5", seat=0) == ["legal", "score 0 +10", "turn 1"]  # a double alone counts both halves
    assert book.lay("5-0", on="5-5", to="right", seat=1) == ["legal", "score 1 +10", "turn 0"]  # 10 and 0
    assert book.lay("5-3", on="5-5", to="left", seat=0) == ["legal", "turn 1"]  # 3 and 0
    assert book.lay("5-2", on="5-5", to="up", seat=1) == [
        "legal",
        "score 1 +5",
        "turn 0",
    ]  # the short sides are open now
    assert book.lay("5-1", on="5-5", to="down", seat=0) == ["legal", "turn 1"]
    assert book.lay("3-3", on="5-3", to="left", seat=1) == ["legal", "turn 0"]  # 6 + 0 + 2 + 1
    assert book.lay("6-0", on="5-0", to="right", seat=0) == ["legal", "score 0 +15", "turn 1"]  # 6 + 6 + 2 + 1
    assert book.referee.totals == (25, 15)


def test_the_short_sides_wait_for_the_long_ones(playbook):
    book = playbook("all-fives", starter_method="first")
    book.lay("5-5")
    assert book.lay("5-1", on="5-5", to="up")[1] == "NOT_AN_OPEN_END 1 open 5-1"


def test_the_first_double_is_the_spinner_wherever_it_lies(playbook):
    book = playbook("all-fives", starter_method="first")
    book.lay("6-5")
    book.lay("5-5", on="6-5", to="right")
    book.lay("5-4", on="5-5", to="right")
    assert book.lay("5-1", on="5-5", to="up")[0] == "legal"


def test_the_winner_adds_the_others_pips_rounded(playbook):
    book = playbook("all-fives", starter_method="first", hand="1", yard=True)
    book.lay("5-4", seat=0)  # 9: nothing
    book.show(1, "6-2")
    assert book.finish()[-1] == "out 0 [10, 0] [10, 0]"


def test_points_divided(playbook):
    book = playbook("all-fives", starter_method="first", points="divided")
    assert book.lay("5-5")[1] == "score 0 +2"
