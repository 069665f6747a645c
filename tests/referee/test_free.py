"""`free`: everything is told, nothing judged."""


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
