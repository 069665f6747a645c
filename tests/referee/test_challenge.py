"""What a challenge is told: no more than what is proven."""

import pytest


def challenge(book, by):
    said = book.press(by, "challenge")
    assert said == ["advice CHALLENGE"]
    told = next(record for record in reversed(book.records) if record.type == "advice")
    return told.args["answer"], told.message


@pytest.fixture
def block(playbook):
    """Ends 6 and 1; seat 1, who holds 6-5 and 2-0, passed."""
    book = playbook("block", yard=True, starter_method="first", hand="3")
    book.yard(22)
    book.lay("6-4", seat=0)
    book.lay("4-1", on="6-4", seat=1)
    book.lay("6-2", on="6-4", to="left", seat=0)  # ends 2 and 1
    book.press(1)
    return book


def test_there_may_be_nothing_to_challenge(block):
    assert challenge(block, 1) == ("nothing", "There is no pass, draw or start of another seat to challenge.")


def test_an_act_is_open_until_it_is_proven_or_the_hands_lie(block):
    assert challenge(block, 0) == (
        "open", "Nothing proves the pass of seat 2 at 0:04.0 false so far; the hands may tell.",
    )  # fmt: skip
    block.lay("5-1", on="4-1", seat=0)
    block.show(1, "6-6", "3-3")
    block.finish()
    assert challenge(block, 0) == (
        "right", "The pass of seat 2 at 0:04.0 was right: no tile in the hand stood against it.",
    )  # fmt: skip


def test_a_proven_act(block):
    block.lay("5-1", on="4-1", seat=0)
    block.show(1, "2-0", "3-3")
    block.finish()
    assert challenge(block, 0) == ("proven", "It is proven: seat 2 made the pass at 0:04.0 holding 2-0.")


def test_a_proof_that_waits_for_the_reveal_is_not_told(playbook):
    book = playbook("block", starter_method="first", hand="3")
    book.lay("6-4")
    book.lay("4-1", on="6-4")
    book.lay("6-2", on="6-4", to="left")
    book.press(1)
    book.press(0)
    book.lay("2-0", on="6-2", to="left")  # seat 1, as far as anybody knows
    assert challenge(book, 0)[0] == "open"


def test_what_later_draws_may_explain_is_not_disproven(playbook):
    book = playbook("doubles", yard=True, starter_method="first", hand="3")
    book.yard(22)
    book.lay("6-6", seat=0)
    book.draw(1, left=21, seat=1)
    book.press(1)
    book.lay("6-1", on="6-6", seat=0)
    book.draw(1, left=20, seat=1)
    assert challenge(book, 0)[1].startswith("Nothing proves the draw of seat 2")
    book.lay("6-2", on="6-6", to="left", seat=1)
    book.lay("6-3", on="6-6", to="up", seat=0)
    book.show(1, "1-0", "4-0", "5-0", "5-4")
    book.finish()
    answer, message = challenge(book, 0)
    assert answer == "undecided"
    assert message.endswith("is not disproven: later draws may explain what was shown.")


@pytest.mark.parametrize(("back", "expected"), [(0, "right"), (1, "undecided")])
def test_tiles_put_back_leave_the_hand_unknown(playbook, back, expected):
    book = playbook("doubles", yard=True, starter_method="first", hand="3", floor="23")
    book.yard(22)
    book.lay("6-6", seat=0)
    book.press(1)
    book.lay("6-1", on="6-6", seat=0)
    book.press(1)
    if back:
        book.put_back(1, left=23, seat=1)
    book.lay("6-3", on="6-6", to="left", seat=0)
    book.show(1, *["5-0", "4-0", "5-4"][back:])
    book.finish()
    assert challenge(book, 0)[0] == expected


def test_how_a_round_was_started_can_be_challenged(playbook):
    book = playbook("draw", yard=True, space="ignore")
    book.yard(14)
    book.lay("2-2", seat=0)
    assert challenge(book, 1)[1] == "Nothing proves the start of seat 1 at 0:01.0 false so far; the hands may tell."


def test_an_act_that_was_undone_is_not_asked_about(block):
    block.lay("2-0", on="6-2", to="left", seat=1)  # it did not pass after all
    assert challenge(block, 0)[0] == "nothing"


def test_tien_gow_has_nothing_to_challenge_and_free_no_rules(playbook):
    book = playbook("tien-gow", 4)
    assert challenge(book, 2)[0] == "nothing"
    assert playbook("free", 2).press(0, "challenge") == []
