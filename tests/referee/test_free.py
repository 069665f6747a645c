"""`free`: everything is told, nothing judged."""

from table.events import Placed, Pose


def test_free_judges_nothing(playbook):
    book = playbook("free")
    assert book.lay("6-4", seat=1) == ["open again"]
    assert book.lay("6-4", on="6-4") == ["open again"]  # a face may occur twice
    assert book.press(0) == []
    placed = [r for r in book.records if r.type == "placed"]
    assert [(r.seat, r.seat_by) for r in placed] == [(1, "arm"), (None, None)]
    judged = [r for r in book.records if r.type == "judged"]
    assert [r.legal for r in judged] == [None, None]
    assert judged[1].joins == (0,)
    assert not [r for r in book.records if r.type == "turn"]


def test_a_guess_is_not_told_as_a_reading(playbook):
    book = playbook("free")
    at = Pose(400.0, 300.0, 0.0)
    book.take(Placed(t=1.0, id=0, tile="6-2", face="up", at=at, confidence=0.07, alternatives=(("6-1", 0.07),)))
    placed = next(r for r in book.records if r.type == "placed")
    assert (placed.tile, placed.face) == ("?", "unclear")
