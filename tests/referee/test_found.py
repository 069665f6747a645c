"""A layout that lies there when watching begins: nobody saw who laid what, so nothing is held against anybody."""

from msgspec.structs import replace

from table.events import Judged, Placed
from table.referee import Referee


def find(book, *laid):
    """One picture with these tiles in it (tile, on which one, to which side), told last first."""
    t = book.later()
    for tile, on, to in laid:
        book.poses[tile] = book.place(tile, on, to, None)
    said = []
    for number, (tile, _, _) in enumerate(reversed(laid)):
        book.ids[tile] = number
        fact = Placed(t=t, id=number, tile=tile, face="up", at=book.poses[tile])
        said += book.take(fact, tick=False)
    book.next_id = len(laid)
    return said + book._told(book.referee.tick(t))


LINE = [("6-4", None, ""), ("4-4", "6-4", "right"), ("4-1", "4-4", "right"), ("6-2", "6-4", "left")]


def test_tiles_are_joined_in_an_order_in_which_they_may_have_been_played(playbook):
    book = playbook("block", starter_method="first")
    assert find(book, *LINE) == ["legal"] * 4
    joined = {tuple(r.joins) for r in book.records if isinstance(r, Judged)}
    assert len(joined) == 4
    assert book.lay("6-1", on="4-1", seat=1) == ["legal", "turn 0"]
    assert book.lay("5-5", on="6-2", to="left", seat=0) == ["illegal", "END_MISMATCH 0 open 5-5"]


def test_who_acts_first_has_the_turn(playbook):
    book = playbook("block", 3, players="3", starter_method="first")
    find(book, *LINE)
    assert book.press(2) == ["passed 2 button", "turn 0"]
    book = playbook("draw", yard=True, space="ignore")
    find(book, *LINE)
    book.yard(9)
    assert book.draw(1, left=8, seat=1)[-1] == "turn 1"
    assert book.violations() == []


def test_no_hand_is_counted_and_no_deal_judged(playbook):
    book = playbook("draw", yard=True, space="ignore")
    find(book, *LINE)
    book.yard(9)
    assert book.lay("2-1", on="4-1", seat=1)[0] == "legal"
    book.show(0, "6-6", "5-4")
    said = book.finish()
    assert [line for line in said if "REVEAL" in line] == []
    assert said[-1] == "out 1 [0, 21] [0, 21]"
    assert book.violations() == []


def test_nobody_is_held_to_the_start(playbook):
    """4-4 lies among them: seat 1, who shows 6-6 later, need not have had it when 6-4 was laid."""
    book = playbook("draw", space="ignore")
    find(book, *LINE)
    book.lay("6-6", on="6-2", to="left", seat=1)
    book.wait()
    assert "WRONG_STARTER" not in " ".join(book.violations())


def test_doubles_unlock_in_any_order_told(playbook):
    book = playbook("doubles", 2)
    laid = [("6-6", None, ""), ("6-3", "6-6", "right"), ("3-3", "6-3", "right"), ("3-1", "3-3", "right")]
    assert find(book, *laid) == ["legal"] * 4
    assert book.lay("6-1", on="6-6", to="left", seat=0)[0] == "legal"


def test_a_foot_among_them_is_finished_first(playbook):
    book = playbook("chicken-foot", 2, starter_method="first")
    trains = [("9-9", None, ""), ("9-4", "9-9", "right"), ("9-7", "9-9", "left")]
    laid = [*trains, ("4-4", "9-4", "right"), ("4-1", "4-4", "right")]
    assert find(book, *laid) == ["legal"] * 5
    assert book.lay("7-2", on="9-7", to="left", seat=1)[:2] == ["illegal", "FOOT_PENDING 1 open 7-2"]


def test_what_cannot_have_been_played_is_asked_about_and_accuses_nobody(playbook):
    book = playbook("block", starter_method="first")
    stray = ("5-5", "6-2", "left")
    said = find(book, *LINE, stray)
    assert said == ["legal"] * 4 + ["attention TABLE_DIFFERS"]
    assert book.violations() == []
    light = [r for r in book.records if r.type == "light" and r.seat == "table"]
    assert light[-1].meaning == "ask"
    assert book.lay("6-1", on="4-1", seat=1)[0] == "legal"
    book.back("5-5")
    light = [r for r in book.records if r.type == "light" and r.seat == "table"]
    assert light[-1].meaning == "idle"


def test_a_tile_found_apart_joins_when_it_is_pushed_to_where_it_fits(playbook):
    book = playbook("block", starter_method="first")
    t_apart = ("5-1", "6-2", "left")
    find(book, *LINE, t_apart)
    assert book.move("5-1", book.place("5-1", "4-1", "right", 1)) == ["legal"]
    assert book.lay("5-5", on="5-1", seat=0)[0] == "legal"


def test_two_first_tiles_at_a_watched_table_were_laid_in_turn(playbook):
    """6-1 is told first, but only 6-6 can have been the first: seat 0 opened, seat 1 joined."""
    book = playbook("doubles", yard=True)
    book.yard(12)
    said = find(book, ("6-6", None, ""), ("6-1", "6-6", "right"))
    assert said == ["legal", "legal", "turn 0"]
    assert book.referee._fold.hand == [7, 7]
    assert book.lay("6-2", on="6-6", to="left", seat=0) == ["legal", "turn 1"]


def test_whose_a_tile_was_that_is_taken_away_nobody_knows(playbook):
    book = playbook("block", starter_method="first")
    find(book, *LINE)
    assert book.back("4-1") == ["TILE_RETRACTED None open 4-1"]
    assert book.lay("4-2", on="4-4", seat=0)[0] == "TILE_RETRACTED None stands 4-1"
    assert book.referee._fold.known == [set(), set()]


def test_one_first_tile_opens_as_ever(playbook):
    book = playbook("block", starter_method="first")
    assert book.lay("6-4") == ["legal", "turn 1"]
    assert book.referee._fold.hand == [6, 7]


def of_stills(book):
    """The same match as a folder of pictures, the first of which is of time 0."""
    book.match = replace(book.match, source="stills")
    book.referee = Referee(book.match)
    book.records = list(book.referee.begin())
    return book


def test_two_first_tiles_in_the_second_still_were_laid_in_turn(playbook):
    book = of_stills(playbook("block", starter_method="first"))
    assert find(book, *LINE[:2]) == ["legal", "legal", "turn 0"]
    assert book.referee.to_act == 0
    assert book.referee._fold.hand == [6, 6]
    assert book.lay("6-1", on="6-4", to="left") == ["legal", "turn 1"]


def test_two_first_tiles_in_the_first_still_were_found(playbook):
    book = of_stills(playbook("block", starter_method="first"))
    book.t = -1.0
    find(book, *LINE[:2])
    assert book.referee.to_act is None
    assert book.referee._fold.hand == [None, None]


def test_more_than_one_of_each_seat_in_the_second_still_were_found(playbook):
    """Somebody may have passed meanwhile, so whose they are is not known."""
    book = of_stills(playbook("block", starter_method="first"))
    find(book, *LINE[:3])
    assert book.referee._fold.hand == [None, None]
