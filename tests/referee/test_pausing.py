"""A pause: the table may be touched, nothing is judged; when play goes on, what is different counts from then."""

import pytest

from table.events import Button, Paused, Placed, Pose, Removed, Resumed


def pause(book):
    return book.take(Paused(t=book.later()))


def resume(book):
    return book.take(Resumed(t=book.later()))


@pytest.fixture
def block(playbook):
    book = playbook("block", yard=True, starter_method="first")
    book.yard(14)
    book.lay("6-4", seat=0)
    book.lay("4-1", on="6-4", seat=1)
    return book


def lights(book):
    return {record.seat: record.meaning for record in book.records if record.type == "light"}


def test_nobody_is_on_turn_and_the_lights_are_out(block):
    assert pause(block) == ["turn None"]
    assert block.referee.to_act is None
    assert set(lights(block).values()) == {"idle"}
    assert pause(block) == []
    assert resume(block) == ["turn 0"]
    assert lights(block)[0] == "turn"
    assert resume(block) == []


def test_presses_and_stillness_say_nothing(block):
    pause(block)
    assert block.take(Button(t=block.later(), seat=0, button="pass")) == []
    assert block.wait(10.0) == []
    assert resume(block) == ["turn 0"]
    assert block.press(0) == ["passed 0 button", "turn 1"]


def test_a_tile_that_came_and_went_was_never_there(block):
    pause(block)
    assert block.lay("5-5", on="4-1", seat=0) == []
    assert block.back("5-5", seat=0) == []
    assert resume(block) == ["turn 0"]
    assert block.violations() == []


def test_a_tile_that_lies_when_play_goes_on_is_judged_then(block):
    pause(block)
    block.lay("5-5", on="4-1", seat=0)
    assert resume(block) == ["illegal", "END_MISMATCH 0 open 5-5", "turn 0"]
    pause(block)
    assert lights(block)[0] == "idle"
    block.back("5-5", seat=0)
    block.lay("6-1", on="4-1", seat=0)
    assert resume(block) == ["END_MISMATCH 0 corrected 5-5", "turn 0", "legal", "turn 1"]


def test_a_tile_pushed_about_is_judged_where_it_lies_at_last(block):
    pause(block)
    block.lay("6-1", at=Pose(500.0, 500.0, 0.0))
    block.move("6-1", block.place("6-1", "4-1", "right", 1))
    assert resume(block) == ["legal", "turn 1"]


def test_a_layout_tile_lifted_and_put_back_was_not_touched(block):
    pause(block)
    block.back("4-1")
    at = block.poses["4-1"]
    block.lay("4-1", at=Pose(at.x_mm + 3.0, at.y_mm, at.angle_deg))
    assert resume(block) == ["turn 0"]
    assert block.lay("6-1", on="4-1", seat=0) == ["legal", "turn 1"]


def test_a_layout_tile_that_is_missing_is_asked_for_and_blamed_on_nobody(block):
    pause(block)
    block.back("4-1")
    assert resume(block) == ["attention TABLE_DIFFERS", "turn 0"]
    assert lights(block)["table"] == "ask"
    attention = block.records[-1] if block.records[-1].type == "attention" else None
    attention = attention or next(r for r in reversed(block.records) if r.type == "attention")
    assert attention.message == "4-1 does not lie where it lay; please put it back."
    block.lay("4-1", at=block.poses["4-1"])
    assert lights(block)["table"] == "idle"
    assert block.violations() == []
    assert block.lay("6-1", on="4-1", seat=0) == ["legal", "turn 1"]


def test_a_layout_tile_that_was_moved_is_asked_to_be_moved_back(block):
    at = block.poses["4-1"]
    pause(block)
    block.move("4-1", Pose(at.x_mm + 40.0, at.y_mm, at.angle_deg))
    block.move("4-1", Pose(at.x_mm + 60.0, at.y_mm, at.angle_deg))
    assert resume(block) == ["attention TABLE_DIFFERS", "turn 0"]
    block.move("4-1", at)
    assert lights(block)["table"] == "idle"
    assert block.violations() == []


def test_draws_are_added_up(playbook):
    book = playbook("draw", yard=True, space="ignore", starter_method="first")
    book.yard(14)
    book.lay("6-6", seat=0)
    pause(book)
    book.draw(2, left=12, seat=1)
    book.put_back(1, left=13, seat=1)
    assert resume(book) == ["turn 1"]
    assert book.referee._fold.hand == [6, 8]
    book.draw(1, left=12, seat=1)
    assert book.violations() == []


def test_a_hand_laid_open_in_a_pause_is_counted_once_it_has_been_still(playbook):
    book = playbook("block", starter_method="first", hand="1")
    book.lay("6-4", seat=0)
    pause(book)
    book.show(1, "5-5")
    book.wait(10.0)
    resume(book)
    assert not any(line.startswith("hand") for line in book.wait(1.0))
    assert book.wait(3.0)[-1] == "out 0 [10, 0] [10, 0]"


def test_tien_gow_and_free_pause_as_well(playbook):
    book = playbook("tien-gow", 4)
    pause(book)
    book.lay("6-6", at=Pose(3000.0, 5000.0, 0.0))
    assert book.wait(5.0) == []
    assert resume(book) + book.wait(4.0) == ["turn 0", "up 0 6-6", "legal", "turn 3"]
    book = playbook("free", 2)
    pause(book)
    assert book.lay("6-4", at=Pose(3000.0, 3000.0, 0.0)) == []
    assert resume(book) == ["open again"]


def test_a_correction_reaches_into_a_pause(block):
    pause(block)
    block.lay("5-5", on="4-1", seat=0)
    resume(block)
    said = block.correct(block.n_of("5-5"), "remove")
    assert "END_MISMATCH 0 withdrawn 5-5" in said


def test_the_end_of_a_recording_in_a_pause_decides_nothing(block):
    pause(block)
    block.take(Placed(t=block.later(), id=77, tile="5-5", face="up", at=Pose(100.0, 100.0, 0.0)))
    block.take(Removed(t=block.later(), id=77, tile="5-5", face="up", at=Pose(100.0, 100.0, 0.0)))
    assert block.finish() == []
