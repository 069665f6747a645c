"""Tien Gow refereed: groups, replies, what is put right, tricks collected, payments."""

from table.events import Placed, Pose, Removed

MIDDLE = {0: (3000.0, 3400.0, 90.0), 1: (2600.0, 3000.0, 0.0), 2: (3000.0, 2600.0, 90.0), 3: (3400.0, 3000.0, 0.0)}


class Deal:
    """A deal at an imagined table; groups lie before the seats, side by side."""

    def __init__(self, make, **options):
        self.book = make("tien-gow", 4, **{"direction": "cw", **options})
        self.middle = []
        self.piles = 0

    def play(self, seat, *tiles, seen=True, after=1.0, offset=0):
        """Lay tiles (`?` for a back) in one picture; the transcript once it is complete."""
        book = self.book
        t = book.later(after)
        said = []
        x, y, angle = MIDDLE[seat]
        for i, tile in enumerate(tiles):
            i += offset
            at = Pose(x + 28.0 * i, y, angle) if angle else Pose(x, y + 28.0 * i, angle)
            face = "down" if tile == "?" else "up"
            who = {"seat": seat, "seat_by": "arm"} if seen else {}
            said += book.take(Placed(t=t, id=book.next_id, tile=tile, face=face, at=at, **who), tick=False)
            book.ids[f"{seat}/{i}"] = book.next_id
            book.poses[f"{seat}/{i}"] = at
            self.middle.append((book.next_id, at, face))
            book.next_id += 1
        return said + book.wait(0.0)

    def lead(self, seat, *tiles, **how):
        """A lead counts after three seconds of rest."""
        return self.play(seat, *tiles, **how) + self.book.wait(3.5)

    def collect(self, seat, piles):
        book = self.book
        t = book.later()
        for tile_id, at, face in self.middle:
            book.take(Removed(t=t, id=tile_id, tile="?", face=face, at=at), tick=False)
        self.middle.clear()
        x, y = {0: (1500.0, 5970.0), 1: (30.0, 1500.0), 2: (1500.0, 30.0), 3: (5970.0, 1500.0)}[seat]
        said = []
        for _ in range(piles):
            self.piles += 1
            for height in range(2):  # two backs of a pile may be told apart
                step = 34.0 * self.piles
                at = Pose(x + step, y + height, 90.0) if seat in (0, 2) else Pose(x + height, y + step, 0.0)
                said += book.take(Placed(t=t, id=book.next_id, tile="?", face="down", at=at), tick=False)
                book.next_id += 1
        return said + book.wait(0.0)


def test_a_trick(playbook):
    deal = Deal(playbook)
    assert deal.lead(0, "6-6", "6-3") == ["turn 0", "up 0 6-6 6-3", "legal", "legal", "turn 1"]
    assert deal.play(1, "?", "?") == ["down 1 2", "legal", "legal", "turn 2"]
    assert deal.play(2, "?") == []  # tiles may be laid one by one
    assert deal.play(2, "?", offset=1) == ["down 2 2", "legal", "legal", "turn 3"]
    assert deal.play(3, "?", "?") == [
        "down 3 2", "legal", "legal", "trick 0 [2, 0, 0, 0] [0, 0, 0, 0]", "turn None",
    ]  # fmt: skip
    assert deal.collect(0, 2) == ["collected 0 2", "turn 0"]


def test_a_lead_ends_when_the_next_seat_acts(playbook):
    deal = Deal(playbook)
    deal.play(0, "6-1")
    assert deal.play(1, "2-2") == ["up 0 6-1", "legal", "turn 1", "up 1 2-2", "legal", "turn 2"]


def test_an_unseen_deal_is_laid_in_turn(playbook):
    deal = Deal(playbook)
    deal.lead(0, "6-1", seen=False)
    deal.play(1, "?", seen=False)
    deal.play(2, "2-2", seen=False)
    assert deal.play(3, "?", seen=False)[-2] == "trick 2 [0, 0, 1, 0] [0, 0, 0, 0]"


def test_not_higher_is_turned_down(playbook):
    deal = Deal(playbook)
    deal.lead(0, "6-3")
    assert deal.play(1, "5-4") == ["up 1 5-4", "illegal", "NOT_HIGHER 1 open 5-4"]
    assert deal.book.turn_of("1/0") == ["legal", "NOT_HIGHER 1 corrected 5-4", "turn 2"]


def test_too_few_tiles(playbook):
    deal = Deal(playbook)
    deal.lead(0, "6-6", "6-3")
    assert deal.play(1, "?") == []
    assert deal.book.wait(3.5) == ["down 1 1", "illegal", "WRONG_TILE_COUNT 1 open"]
    assert deal.play(1, "?", offset=1, seen=False) == [
        "down 1 1",
        "legal",
        "legal",
        "WRONG_TILE_COUNT 1 corrected",
        "turn 2",
    ]


def test_too_many_tiles(playbook):
    deal = Deal(playbook)
    deal.lead(0, "6-6")
    assert deal.play(1, "?", "?") == ["down 1 2", "illegal", "illegal", "WRONG_TILE_COUNT 1 open"]
    book = deal.book
    said = book.take(Removed(t=book.later(), id=book.ids["1/1"], tile="?", face="down", at=book.poses["1/1"]))
    assert said == ["legal", "WRONG_TILE_COUNT 1 corrected", "turn 2"]


def test_a_wrong_lead_is_taken_back(playbook):
    deal = Deal(playbook)
    assert deal.lead(0, "6-6", "6-2") == ["turn 0", "up 0 6-6 6-2", "illegal", "illegal", "INVALID_GROUP 0 open"]
    book = deal.book
    for key in ("0/0", "0/1"):
        said = book.take(Removed(t=book.later(), id=book.ids[key], tile="6-6", face="up", at=book.poses[key]))
    assert said == ["INVALID_GROUP 0 corrected"]
    assert deal.lead(0, "6-6")[0] == "up 0 6-6"


def test_what_is_not_put_right_stands_as_a_discard(playbook):
    deal = Deal(playbook)
    deal.lead(0, "6-3")
    deal.play(1, "5-4")
    assert deal.play(2, "?")[:3] == ["NOT_HIGHER 1 stands 5-4", "turn 2", "down 2 1"]
    assert deal.play(3, "?")[-2] == "trick 0 [1, 0, 0, 0] [0, 0, 0, 0]"


def test_a_last_reply_swept_up_with_the_trick_stands(playbook):
    deal = Deal(playbook)
    deal.lead(0, "6-3")
    deal.play(1, "?")
    deal.play(2, "?")
    assert deal.play(3, "5-4")[-1] == "NOT_HIGHER 3 open 5-4"
    said = deal.collect(0, 1)
    assert said == [
        "NOT_HIGHER 3 stands 5-4",
        "trick 0 [1, 0, 0, 0] [0, 0, 0, 0]",
        "turn None",
        "collected 0 1",
        "turn 0",
    ]


def test_discards_are_audited_where_that_is_agreed(playbook):
    for agreed, calls in (("true", ["TOO_MANY_COPIES None reported"]), ("false", [])):
        deal = Deal(playbook, reveal_discards=agreed)
        for i in range(8):
            deal.lead(0, ["6-6", "6-6", "1-1", "1-1", "4-4", "4-4", "3-1", "3-1"][i])
            for seat in (1, 2, 3):
                deal.play(seat, "?")
            deal.collect(0, 1)
        deal.book.show(1, "5-5", "6-6")
        assert deal.book.violations() == calls


def test_out_of_turn_and_the_wrong_leader(playbook):
    deal = Deal(playbook)
    deal.lead(0, "6-1")
    assert deal.play(2, "2-2")[-1] == "OUT_OF_TURN 2 open 2-2"


def test_a_four_pays_at_once(playbook):
    deal = Deal(playbook)
    deal.lead(0, "6-6", "6-6", "6-3", "5-4")
    for seat in (1, 2, 3):
        said = deal.play(seat, "?", "?", "?", "?")
    assert said[-2] == "trick 0 [4, 0, 0, 0] [24, -8, -8, -8]"


def test_the_wrong_seat_collects(playbook):
    deal = Deal(playbook)
    deal.lead(0, "6-6")
    for seat in (1, 2, 3):
        deal.play(seat, "?")
    assert deal.collect(1, 1) == []  # the winner's piles may still come
    assert deal.book.wait(3.5) == ["collected 1 1", "WRONG_COLLECTOR 1 open", "turn 0"]


def test_a_whole_deal(playbook):
    deal = Deal(playbook)
    for i in range(7):
        tile = ["6-6", "6-6", "1-1", "1-1", "4-4", "4-4", "3-1"][i]
        deal.lead(0, tile)
        for seat in (1, 2, 3):
            deal.play(seat, "?")
        deal.collect(0, 1)
    deal.lead(0, "3-1")
    assert deal.play(1, "5-5")[-1] == "QUICK_DEATH 1 open 5-5"
    deal.book.turn_of("1/0")
    deal.play(2, "?")
    said = deal.play(3, "?")
    # all eight columns, and the banker won: 5 x 2 for the sweep x 2
    assert said[-4:] == ["trick 0 [8, 0, 0, 0] [0, 0, 0, 0]", "last_trick 0 [60, -20, -20, -20] [60, -20, -20, -20]",
                         "match [0]", "turn None"]  # fmt: skip


def test_a_pile_is_handed_over_by_the_wrong_seat(playbook):
    for new_one_first in (True, False):
        deal = Deal(playbook)
        deal.lead(0, "6-6")
        for seat in (1, 2, 3):
            deal.play(seat, "?")
        deal.collect(1, 1)
        book = deal.book
        wrong = [book.next_id - 2, book.next_id - 1]
        assert book.wait(3.5)[-2:] == ["WRONG_COLLECTOR 1 open", "turn 0"]
        if new_one_first:
            assert deal.collect(0, 1) == []
        said = []
        for tile_id in wrong:
            assert said == []  # a back of that pile still lies there
            at = Pose(30.0, 1534.0 + tile_id, 0.0)
            said += book.take(Removed(t=book.later(), id=tile_id, tile="?", face="down", at=at))
        assert said == ["WRONG_COLLECTOR 1 corrected"]
        if not new_one_first:
            assert deal.collect(0, 1) == []
        assert deal.lead(0, "6-3")[0] == "up 0 6-3"


def test_a_pile_too_many_is_taken_off_again(playbook):
    deal = Deal(playbook)
    deal.lead(0, "6-6")
    for seat in (1, 2, 3):
        deal.play(seat, "?")
    deal.collect(0, 2)
    book = deal.book
    assert book.wait(3.5) == ["collected 0 2", "COLUMN_MISCOUNT 0 open", "turn 0"]
    said = []
    for tile_id in (book.next_id - 2, book.next_id - 1):
        at = Pose(1568.0, 5970.0, 90.0)
        said += book.take(Removed(t=book.later(), id=tile_id, tile="?", face="down", at=at))
    assert said == ["COLUMN_MISCOUNT 0 corrected"]
