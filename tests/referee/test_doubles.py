"""Doubles refereed: locked numbers, four sides, one draw, the start and the redeal."""

from table.events import Pose


def opened(playbook, seats=2, **options):
    book = playbook("doubles", seats, yard=True, **options)
    book.yard({2: 12, 3: 10, 4: 4}[seats])
    assert book.lay("6-6", seat=0) == ["legal", "turn 1"]
    return book


def test_locked_until_the_double_lies(playbook):
    book = opened(playbook)
    book.lay("6-3", on="6-6", to="up")
    assert book.lay("3-1", on="6-3", to="up") == ["illegal", "NUMBER_LOCKED 0 open 3-1"]
    book.back("3-1")
    assert book.lay("3-3", on="6-3", to="up")[0] == "legal"
    assert book.lay("3-1", on="3-3", to="right")[0] == "legal"
    assert book.lay("3-2", on="3-3", to="left")[0] == "legal"
    assert book.lay("3-0", on="3-3", to="up")[0] == "legal"


def test_all_four_sides(playbook):
    book = opened(playbook)
    for tile, side in (("6-5", "up"), ("6-4", "down"), ("6-3", "left"), ("6-2", "right")):
        assert book.lay(tile, on="6-6", to=side)[0] == "legal"
    at = book.poses["6-6"]
    assert "illegal" in book.lay("6-1", at=Pose(at.x_mm + 20, at.y_mm + 40, 45.0))


def test_long_sides_first(playbook):
    book = opened(playbook, spinner_sides="long_sides_first")
    assert book.lay("6-5", on="6-6", to="up")[1] == "NOT_AN_OPEN_END 1 open 6-5"
    book.back("6-5")
    book.lay("6-4", on="6-6", to="left")
    book.lay("6-3", on="6-6", to="right")
    assert book.lay("6-5", on="6-6", to="up")[0] == "legal"


def test_one_draw_then_a_pass(playbook):
    book = opened(playbook)
    assert book.press(1)[-1] == "PASS_WITHOUT_DRAW 1 open"
    assert book.draw(1, left=11) == ["PASS_WITHOUT_DRAW 1 corrected"]
    assert book.draw(1, left=10) == ["EXTRA_DRAW 1 open"]
    assert book.put_back(1, left=11) == ["EXTRA_DRAW 1 corrected"]
    assert book.press(1) == ["passed 1 button", "turn 0"]


def test_extra_draw_stands_when_play_goes_on(playbook):
    book = opened(playbook)
    book.draw(2, left=10, seat=1)
    assert book.violations() == ["EXTRA_DRAW 1 open"]
    assert book.lay("6-1", on="6-6", seat=1) == ["legal", "turn 0"]
    assert book.lay("6-2", on="6-6", to="left", seat=0)[0] == "EXTRA_DRAW 1 stands"


def test_the_opening_is_a_double(playbook):
    book = playbook("doubles", yard=True)
    book.yard(12)
    assert book.lay("6-4")[1] == "WRONG_OPENING_TILE 0 open 6-4"
    book.back("6-4")
    assert book.lay("4-4", seat=0) == ["legal", "turn 1"]


def test_redeal(playbook):
    book = playbook("doubles", 3, yard=True)
    book.yard(10)
    hands = [["6-5", "6-4", "6-3", "6-2", "6-1", "6-0"], ["5-4", "5-3", "5-2", "5-1", "5-0", "4-3"]]
    for seat, hand in enumerate(hands):
        book.show(seat, *hand)
    assert book.show(2, "4-2", "4-1", "4-0", "3-2", "3-1", "3-0")[-1] == "redeal None [0, 0, 0] [0, 0, 0]"
    for tile in list(book.ids)[:-1]:
        book.back(tile)
    assert book.back("3-0") == ["round 2"]


def test_no_redeal_with_a_double(playbook):
    book = playbook("doubles", 3)
    book.show(0, "6-5", "6-4", "6-3", "6-2", "6-1", "6-6")
    book.show(1, "5-4", "5-3", "5-2", "5-1", "5-0", "4-3")
    assert "REDEAL_NOT_DUE 0 reported 6-6" in book.show(2, "4-2", "4-1", "4-0", "3-2", "3-1", "3-0")


def test_a_block_scores_in_full(playbook):
    book = playbook("doubles", 3, yard=True, hand="2", floor="22")
    book.yard(22)
    book.lay("6-6", seat=0)
    for seat in (1, 2, 0):
        book.press(seat)
    book.show(0, "3-1")
    book.show(1, "5-4", "0-0")
    book.show(2, "5-5", "1-1")
    assert book.finish()[-1] == "blocked 0 [21, 0, 0] [21, 0, 0]"


def test_a_004_7_the_deal_is_face_down(playbook):
    """A face that shows before play is said to show, and starts nothing."""
    book = playbook("doubles", yard=True)
    book.yard(12)
    assert book.show(1, "6-6") == ["advice TILE_EXPOSED"]
    book.back("6-6")
    assert book.lay("5-5", seat=0)[0] == "legal"
