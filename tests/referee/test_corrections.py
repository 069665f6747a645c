"""Corrections reach back however far: what follows is judged again, and only what became different is said."""

import pytest

from table.events import Boneyard, Correction, Moved, encode
from table.referee import Referee


def three(playbook, **options):
    book = playbook("block", **{"starter_method": "first", "hand": "7", **options})
    book.lay("4-4")
    book.lay("4-1", on="4-4", to="right")
    book.lay("6-4", on="4-4", to="left")
    return book


def test_a_misread_tile(playbook):
    book = three(playbook)
    assert book.lay("5-2", on="4-1", to="right", touch=5) == ["illegal", "END_MISMATCH 1 open 5-2"]
    said = book.correct(book.n_of("5-2"), {"tile": "5-1"})
    # the tile lies the wrong way round now, which is another fault of the same code
    assert "END_MISMATCH 1 withdrawn 5-2" in said or "END_MISMATCH 1 open 5-1" in said


def test_a_misread_tile_that_was_fine(playbook):
    book = three(playbook)
    book.lay("2-0", on="4-1", to="right", touch=2)
    said = book.correct(book.n_of("2-0"), {"tile": "1-0"})
    assert said == ["legal", "END_MISMATCH 1 withdrawn 2-0", "turn 0"]
    assert book.lay("3-0", on="2-0", to="right", touch=0) == ["legal", "turn 1"]


def test_a_correction_far_back_changes_what_came_after(playbook):
    book = three(playbook)
    book.lay("1-0", on="4-1", to="right")
    book.lay("3-0", on="1-0", to="right")
    # the 4-1 was a 4-2 all along, so the 1-0 may not lie there; play went on, so it stands
    said = book.correct(book.n_of("4-1"), {"tile": "4-2"})
    assert said == ["illegal", "END_MISMATCH 1 open 1-0", "END_MISMATCH 1 stands 1-0"]
    judged = [r for r in book.records if r.type == "judged"]
    assert judged[-1].replaces is not None
    assert [r.about for r in book.records if r.type == "violation"] == [4.0, 4.0]


def test_undoing_a_correction_brings_everything_back(playbook):
    book = three(playbook)
    book.lay("1-0", on="4-1", to="right")
    before = book.referee.to_act
    book.correct(book.n_of("4-1"), {"tile": "4-2"})
    n = next(r.n for r in book.records if r.type == "correction")
    assert book.correct(n, "undo") == ["legal", "END_MISMATCH 1 withdrawn 1-0", "turn 0"]
    assert book.referee.to_act == before == 0


def test_the_last_act_is_undone(playbook):
    book = three(playbook)
    book.press(1)
    assert book.referee.to_act == 0
    assert book.correct(None, "undo") == ["turn 1"]
    assert book.correct(None, "undo") == ["open again", "turn 0"]  # the 6-4 now


def test_a_wrong_seat(playbook):
    book = playbook("block", 3, starter_method="first")
    book.lay("4-4", seat=0)
    assert book.lay("4-1", on="4-4", seat=2)[1] == "OUT_OF_TURN 2 open 4-1"
    assert book.correct(book.n_of("4-1"), {"seat": 1}) == ["legal", "OUT_OF_TURN 2 withdrawn 4-1", "turn 2"]


def test_a_phantom_tile(playbook):
    book = three(playbook)
    book.lay("5-3", on="4-1", to="up", touch=5)
    assert book.violations() == ["NOT_AN_OPEN_END 1 open"]
    assert book.correct(book.n_of("5-3"), "remove") == ["open again", "NOT_AN_OPEN_END 1 withdrawn 5-3"]
    assert book.lay("1-0", on="4-1", to="right") == ["legal", "turn 0"]


def test_a_missed_tile(playbook):
    book = three(playbook)
    at = book.place("1-0", "4-1", "right", 1)
    missed = {"tile": "1-0", "at": {"x_mm": at.x_mm, "y_mm": at.y_mm, "angle_deg": at.angle_deg}}
    assert book.correct(book.n_of("6-4"), {"add": missed}) == ["legal", "turn 0"]
    book.poses["1-0"] = at
    assert book.lay("3-0", on="1-0", to="right") == ["legal", "turn 1"]
    assert [r.tile for r in book.records if r.type == "placed"] == ["4-4", "4-1", "6-4", "1-0", "3-0"]


def test_a_correction_can_change_the_result(playbook):
    book = playbook("block", starter_method="first", hand="2")
    book.lay("4-4", seat=0)
    book.press(1)
    book.lay("4-2", on="4-4", seat=0)
    book.show(1, "6-6", "5-5")
    assert book.finish()[-1] == "out 0 [22, 0] [22, 0]"
    said = book.correct(book.n_of("5-5"), {"tile": "5-4"})
    assert "hand 1: 5-4 6-6 = 21" in said
    assert "ILLEGAL_PASS 1 reported 5-4" in said
    assert "out 0 [21, 0] [21, 0]" in said
    ended = [r for r in book.records if r.type == "round_ended"]
    assert ended[1].replaces == ended[0].n


def test_a_corrected_violation_keeps_its_number(playbook):
    book = three(playbook)
    book.lay("2-0", on="4-1", to="right", touch=2)
    book.back("2-0")
    book.lay("3-3", on="4-1", to="right")
    book.correct(book.n_of("6-4"), {"seat": 0})
    numbers = {(r.code, r.tile): r.number for r in book.records if r.type == "violation"}
    assert len(set(numbers.values())) == len(numbers) == 2


@pytest.mark.parametrize(
    ("of", "change", "said"),
    [
        (999, "remove", "there is no such record"),
        (None, "remove", "needs `of`"),
        (6, {"tile": "9-"}, "is no tile"),
        (6, {"colour": "red"}, "change is"),
        (6, {"seat": -1}, "a number from 0"),
        (6, {"add": {"type": "placed"}}, "is no fact"),
    ],
)
def test_a_correction_that_means_nothing_is_refused(playbook, of, change, said):
    book = three(playbook)
    before = len(book.records)
    with pytest.raises(ValueError, match=said):
        book.correct(of, change)
    assert len(book.records) == before


def test_the_fold_is_the_live_state(playbook):
    """Facts fed to a fresh referee give the state of the one that lived through them."""
    book = three(playbook)
    book.correct(book.n_of("4-1"), {"tile": "4-2"})
    book.lay("2-0", on="4-1", to="right", touch=2)
    again = Referee(book.match)
    again.begin()
    for record in book.records[1:]:
        if not hasattr(record, "replaces"):
            again.take(record)
    assert again.to_act == book.referee.to_act
    assert again._fold.board.line.position == book.referee._fold.board.line.position
    assert again._fold.hand == book.referee._fold.hand


def test_facts_in_the_referees_hands_are_never_earlier_than_the_last(playbook):
    book = three(playbook)
    late = book.take(Boneyard(t=0.5, count=3))
    assert late == []
    assert book.records[-1].t == book.t
    assert [r.t for r in book.records] == sorted(r.t for r in book.records)


def test_a_moved_tile_unknown_to_the_referee_is_taken_down_only(playbook):
    book = three(playbook)
    at = book.poses["4-4"]
    fact = Moved(t=book.later(), id=77, tile="3-3", face="up", at=at)
    assert book.take(fact) == []
    assert encode(book.records[-1]).startswith(b'{"n"')


def test_corrections_are_facts(playbook):
    book = three(playbook)
    book.correct(book.n_of("4-1"), {"seat": 1})
    assert any(isinstance(record, Correction) for record in book.records)
