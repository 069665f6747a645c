"""Written games: read and printed again without a difference, and errors that say where and what to do."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from table.notation import (
    Collect,
    Comment,
    Discard,
    Draw,
    GameRecord,
    Group,
    InvalidMove,
    Move,
    NotationError,
    Play,
    Points,
    Press,
    Return,
    Show,
    Straighten,
    Tag,
    TakeBack,
    TurnDown,
    Yard,
    read_act,
    read_record,
)

BLOCK = """\
; an evening in the kitchen
[Game "block"]
[Players "Ana, Ben Ali"]
[Options "target=150 starter_method=first"]
[Site "by the \\"window\\""]

Round 1
Yard: 14
Ana: shows 6-3 ; the lot
Ben Ali: shows 5-1
1. Ana: 6-6 ; led
2. Ben Ali: 6-4 on 6 left
3. Ana: 6-2 on 1
; that was wrong
4. Ana: takes back 6-2
5. Ana: passes
6. Ben Ali: 4-4 on 6-4 in line
Score: Ana 0, Ben Ali 18

Round 2
1. seat 2: draws, 6-4, done
"""


def test_block_record_means_what_it_says() -> None:
    record = read_record(BLOCK)
    assert (record.game, record.names, record.seats) == ("block", ("Ana", "Ben Ali"), 2)
    assert record.options == {"target": "150", "starter_method": "first"}
    assert record.tag("Site") == 'by the "window"'
    assert record.rounds[0] == (
        Yard(14),
        Move(0, (Show(("6-3",)),), "the lot"),
        Move(1, (Show(("5-1",)),)),
        Move(0, (Play("6-6"),), "led"),
        Move(1, (Play("6-4", on=6, bend="left"),)),
        Move(0, (Play("6-2", on=1),)),
        Comment("that was wrong"),
        Move(0, (TakeBack(("6-2",)),)),
        Move(0, (Press("pass"),)),
        Move(1, (Play("4-4", on="6-4", lying="in line"),)),
        Points((0, 18)),
    )
    assert record.rounds[1] == (Move(1, (Draw(), Play("6-4"), Press("done"))),)
    assert [entry.line for entry in record.rounds[0] if isinstance(entry, Move)][:3] == [9, 10, 11]


def test_printed_form_comes_back_byte_for_byte() -> None:
    printed = BLOCK.replace("seat 2:", "Ben Ali:")
    assert str(read_record(BLOCK)) == printed
    assert str(read_record(printed)) == printed


def test_loose_writing_is_put_in_order() -> None:
    loose = '\ufeff[Game  "tien-gow"]\r\n[Seats "4"]\n\n\n  seat 1 :   6-6   3-6;Heaven and Nine\nseat  4:discards 2\n'
    assert str(read_record(loose)) == (
        '[Game "tien-gow"]\n[Seats "4"]\n\nRound 1\n1. seat 1: 6-6 6-3 ; Heaven and Nine\n2. seat 4: discards 2\n'
    )


ACTS = [
    ("6-4", Play("6-4")),
    ("4-6", Play("6-4")),
    ("6-4 on 4", Play("6-4", on=4)),
    ("12-3 on 12", Play("12-3", on=12)),
    ("6-4 on 6-6 short", Play("6-4", on="6-6", side="short")),
    ("6-4 on 6-6 long left", Play("6-4", on="6-6", side="long", bend="left")),
    ("5-5 on 5 right crosswise", Play("5-5", on=5, bend="right", lying="crosswise")),
    ("draws", Draw(1)),
    ("draws 3", Draw(3)),
    ("returns 2", Return(2)),
    ("passes", Press("pass")),
    ("challenges", Press("challenge")),
    ("takes back 6-4 5-4", TakeBack(("6-4", "5-4"))),
    ("straightens 5-5", Straighten("5-5")),
    ("shows nothing", Show(())),
    ("shows 6-5 ?", Show(("6-5", "?"))),
    ("discards 3", Discard(3)),
    ("discards 6-4 2-1", Discard(2, ("6-4", "2-1"))),
    ("turns down 6-5", TurnDown(("6-5",))),
    ("collects", Collect()),
    ("collects 4", Collect(4)),
]


@pytest.mark.parametrize(("text", "act"), ACTS, ids=[text for text, _ in ACTS])
def test_act(text: str, act: object) -> None:
    assert read_act(text) == act
    assert str(act) == text.replace("4-6", "6-4")


def test_several_tiles_are_a_group_where_tricks_are_played() -> None:
    assert read_act("6-6 6-3", tricks=True) == Group(("6-6", "6-3"))
    assert read_act("6-6", tricks=True) == Group(("6-6",))
    with pytest.raises(InvalidMove, match="'6-3' is not understood"):
        read_act("6-6 6-3")


HEAD = '[Game "draw"]\n[Players "Ana, Ben"]\n'
BROKEN = [
    ("no tags", "1. Ana: 6-4\n", 1, r"lacks \[Game"),
    ("empty", "", 1, r"lacks \[Game"),
    ("no players", '[Game "draw"]\n\nAna: 6-4', 3, r"lacks \[Players"),
    ("unknown game", '[Game "bridge"]\n', 1, "there are block"),
    ("too many players", '[Game "draw"]\n[Seats "3"]\nRound 1', 3, "for 2 players, not 3"),
    ("tag not closed", '[Game "draw"\n', 1, "no tag"),
    ("tag twice", HEAD + '[Game "draw"]', 3, "twice"),
    ("players and seats", HEAD + '[Seats "3"]\nAna: 6-4', 4, "disagree"),
    ("same name", '[Game "draw"]\n[Players "Ana, Ana"]', 2, "same name"),
    ("name that is a word of the notation", '[Game "draw"]\n[Players "Yard, Ana"]', 2, "can't be a player's name"),
    ("options", '[Options "target 150"]', 1, "target=150"),
    ("number of seats", '[Seats "none"]', 1, "no number of seats"),
    ("late tag", HEAD + 'Ana: 6-4\n[Date "2026"]', 4, "before the first round"),
    ("no colon", HEAD + "\nAna 6-4", 4, "lacks the colon"),
    ("nobody", HEAD + "Chai: 6-4", 3, "nobody here is 'Chai'; there are Ana, Ben"),
    ("seat that is not there", HEAD + "seat 3: 6-4", 3, "nobody here is 'seat 3'"),
    ("nothing done", HEAD + "Ana:", 3, "nothing stands here"),
    ("no tile", HEAD + "Ana: 6/4", 3, "no tile"),
    ("no such tile", HEAD + "Ana: 13-1", 3, "beyond 12"),
    ("words", HEAD + "Ana: plays 6-4", 3, "not understood"),
    ("on nothing", HEAD + "Ana: 6-4 on", 3, "after 'on'"),
    ("order of words", HEAD + "Ana: 6-4 left on 4", 3, "not understood here"),
    ("crosswise", HEAD + "Ana: 6-4 on 4 crosswise", 3, "only doubles"),
    ("draws many", HEAD + "Ana: draws 1000", 3, "no number of tiles"),
    ("draws none", HEAD + "Ana: draws 0", 3, "no number of tiles"),
    ("shows", HEAD + "Ana: shows", 3, "names no tiles"),
    ("numbers", HEAD + "1. Ana: 6-4\n3. Ben: 4-4", 4, "move 2 comes next, not 3"),
    ("number before shows", HEAD + "1. Ana: shows 6-4", 3, "has no number"),
    ("round", HEAD + "Round 2", 3, "round 1 comes next"),
    ("yard", HEAD + "Yard: many", 3, "no number of tiles"),
    ("score", HEAD + "Score: Ana", 3, "no score"),
    ("score twice", HEAD + "Score: Ana 1, Ana 2", 3, "two scores"),
]


@pytest.mark.parametrize(("name", "text", "line", "reason"), BROKEN, ids=[row[0] for row in BROKEN])
def test_errors_name_the_line(name: str, text: str, line: int, reason: str) -> None:
    with pytest.raises(NotationError, match=reason) as caught:
        read_record(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


TILES = st.sampled_from(["6-4", "5-5", "12-0", "0-0", "3-1"])
ONE_LINE = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=20).map(
    lambda text: " ".join(text.split())
)
PLAIN = st.builds(
    Play,
    TILES.filter(lambda tile: tile not in ("5-5", "0-0")),
    st.none() | st.integers(0, 12) | TILES,
    st.sampled_from([None, "long", "short"]),
    st.sampled_from([None, "left", "right"]),
)
DOUBLE = st.builds(Play, st.just("5-5"), st.integers(0, 12), lying=st.sampled_from([None, "crosswise", "in line"]))
COUNTS = st.integers(1, 99)
SOME = st.lists(TILES, min_size=1, max_size=4).map(tuple)
LINE_ACTS = st.one_of(
    PLAIN, DOUBLE, COUNTS.map(Draw), COUNTS.map(Return), SOME.map(TakeBack), TILES.map(Straighten),
    st.sampled_from(["pass", "done", "challenge"]).map(Press),
    st.lists(TILES | st.just("?"), max_size=3).map(tuple).map(Show),
)  # fmt: skip
TRICK_ACTS = st.one_of(
    SOME.map(Group),
    COUNTS.map(Discard),
    SOME.map(lambda tiles: Discard(len(tiles), tiles)),
    SOME.map(TurnDown),
    st.builds(Collect, st.none() | COUNTS),
)


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    game, seats = draw(st.sampled_from([("doubles", 3), ("tien-gow", 4), ("chicken-foot", 8)]))
    acts = TRICK_ACTS if game == "tien-gow" else LINE_ACTS
    named = draw(st.booleans())
    who = Tag("Players", ", ".join("ABCDEFGH"[:seats])) if named else Tag("Seats", str(seats))
    head = [Tag("Game", game), who, Tag("Note", draw(ONE_LINE)), *draw(st.lists(ONE_LINE.map(Comment), max_size=2))]
    comment = st.none() | ONE_LINE
    points = st.lists(st.integers(-500, 500), min_size=seats, max_size=seats).map(tuple)
    entry = st.one_of(
        st.builds(Move, st.integers(0, seats - 1), st.lists(acts, min_size=1, max_size=3).map(tuple), comment),
        st.builds(Yard, st.integers(0, 99), comment),
        st.builds(Points, points, comment),
        ONE_LINE.map(Comment),
    )
    rounds = draw(st.lists(st.lists(entry, max_size=6).map(tuple), max_size=3).map(tuple))
    return GameRecord(tuple(head), rounds)


@given(records())
@settings(max_examples=80, deadline=None)
def test_any_record_survives_the_round_trip(record: GameRecord) -> None:
    text = str(record)
    assert read_record(text) == record
    assert str(read_record(text)) == text


@given(st.text(max_size=60) | st.text('[]"GamePlyers: 0123456789-.;,on\n', max_size=80))
@example('[Game "draw"]\n[Players "Ana, Ben"]\n1. Ana: ²-1')
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused_with_a_line(text: str) -> None:
    for start in ("", HEAD, HEAD + "Ana: "):
        refused: NotationError | None = None
        try:
            read_record(start + text)
        except NotationError as error:
            refused = error
        assert refused is None or refused.line >= 1
