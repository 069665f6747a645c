"""Deals played out: the order of codes, standing plays, columns, and what must hold in every deal."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.events.tiles import tiles_of
from table.rules.tricks import TIEN_GOW, Deal, IllegalPlay, TrickOptions


def codes(deal: Deal, seat: int, tiles: str, up: bool = True) -> list[str]:
    return [fault.code for fault in deal.faults(seat, tiles.split(), up)]


ORDER = [
    ("count before all", "6-5", (1, 1, 1, 1), "4-2 2-1", ["WRONG_TILE_COUNT", "QUICK_DEATH", "SUPREME_NOT_LED"]),
    ("quick death before rank", "2-2", (1, 1, 1, 1), "6-5", ["QUICK_DEATH", "NOT_HIGHER"]),
    ("quick death before suit", "2-2", (1, 1, 1, 1), "6-3", ["QUICK_DEATH", "WRONG_COMPOSITION"]),
    ("led Supreme before no group", "4-2 2-1", (8, 8, 8, 8), "6-6 1-1", ["SUPREME_LED", "INVALID_GROUP"]),
    ("no group before composition", "5-5 5-5", (8, 8, 8, 8), "6-3 5-2", ["INVALID_GROUP"]),
    ("late Supreme, not its composition", "6-6 6-3", (8, 8, 8, 8), "4-2 2-1", ["SUPREME_NOT_LED"]),
    ("composition before rank", "1-1 6-2", (8, 8, 8, 8), "5-5 5-5", ["WRONG_COMPOSITION"]),
]


@pytest.mark.parametrize(("name", "led", "left", "reply", "expected"), ORDER, ids=[row[0] for row in ORDER])
def test_order_of_codes(name: str, led: str, left: tuple[int, ...], reply: str, expected: list[str]) -> None:
    deal = Deal(0, left=left).play(0, led.split())
    assert codes(deal, 3, reply) == expected


def test_leads() -> None:
    deal = Deal(2)
    assert codes(deal, 1, "6-6") == ["WRONG_LEADER"]
    assert codes(deal, 2, "6-6", up=False) == ["LEAD_FACE_DOWN"]
    assert codes(deal, 2, "6-7 6-6") == ["FOREIGN_TILE", "INVALID_GROUP"]
    assert codes(deal, 2, "6-3 6-3") == ["TOO_MANY_COPIES", "INVALID_GROUP"]
    assert codes(Deal(2, left=(1,) * 4), 2, "6-6 6-6") == ["WRONG_TILE_COUNT"]


def test_replies_out_of_turn_and_third_copies() -> None:
    deal = Deal(0).play(0, ["4-4", "4-4"])
    assert codes(deal, 1, "6-6 6-6") == ["OUT_OF_TURN"]
    assert codes(deal, 3, "6-6 4-4") == ["TOO_MANY_COPIES", "INVALID_GROUP"]
    assert codes(deal, 3, "? ?", up=False) == []


def test_what_fills_the_sentences() -> None:
    assert dict(Deal(2).faults(0, ["6-6"])[0].args) == {"s": 2}
    led = Deal(0).play(0, ["1-1", "1-1", "6-2"])
    assert dict(led.faults(3, ["6-6", "6-3", "5-4"])[0].args) == {"c": 2, "m": 1}
    assert dict(led.faults(3, ["6-6"])[0].args) == {"k": 3}
    assert dict(led.faults(2, ["5-5", "5-5", "6-3"])[0].args) == {"s": 3}
    assert dict(led.faults(3, ["1-1", "6-3", "5-4"])[0].args) == {"tile": "1-1"}
    assert dict(Deal(0, left=(2,) * 4).faults(0, ["6-6", "6-6", "6-3"])[0].args) == {"k": 2}


def test_illegal_play_is_refused_and_changes_nothing() -> None:
    deal = Deal(0)
    with pytest.raises(IllegalPlay, match="INVALID_GROUP") as caught:
        deal.play(0, ["6-6", "6-2"])
    assert [fault.code for fault in caught.value.faults] == ["INVALID_GROUP"]
    assert deal == Deal(0)


def played(deal: Deal, *acts: str) -> Deal:
    """`0 6-6` plays face up, `3 ?` face down, `3 !6-5` stands."""
    for act in acts:
        seat, *tiles = act.split()
        stands = tiles[0].startswith("!")
        shown = [tile.lstrip("!") for tile in tiles]
        deal = deal.play(int(seat), shown, shown[0] != "?", stands=stands)
    return deal


def test_a_trick_goes_round_and_its_winner_leads() -> None:
    deal = played(Deal(0), "0 6-5", "3 2-2", "2 ?")
    assert (deal.to_act, deal.trick and deal.trick.best.seat) == (1, 3)
    deal = played(deal, "1 1-1")
    assert (deal.columns, deal.leader, deal.to_act, deal.left) == ((0, 1, 0, 0), 1, 1, (7, 7, 7, 7))
    assert [(r.leader, r.winner, r.won_with, r.payments) for r in deal.tricks] == [(0, 1, ("1-1",), ())]


def test_leads_and_replies_are_offered_when_they_are_due() -> None:
    hand = ["6-6", "6-3", "2-2"]
    deal = Deal(0)
    assert sorted(deal.legal_leads(hand)) == [("2-2",), ("6-3",), ("6-6",), ("6-6", "6-3")]
    assert list(deal.legal_replies(hand)) == []
    led = deal.play(0, ["6-5"])
    assert list(led.legal_leads(hand)) == []
    assert sorted(led.legal_replies(hand)) == [("2-2",), ("6-6",)]
    over = Deal(0, to_act=None, leader=0)
    assert list(over.legal_leads(hand)) == list(over.legal_replies(hand)) == []


def test_a_reply_that_stands_is_a_discard() -> None:
    deal = played(Deal(0), "0 2-2", "3 !6-5", "2 ?", "1 ?")
    assert deal.tricks[0].winner == 0
    out_of_turn = played(Deal(0), "0 2-2", "1 !6-6")
    assert out_of_turn.to_act == 3
    out_of_turn = played(out_of_turn, "3 ?", "2 ?")
    assert (out_of_turn.tricks[0].winner, out_of_turn.to_act) == (1, 1)


def test_a_lead_that_stands() -> None:
    by_the_wrong_seat = played(Deal(0), "2 !5-5")
    assert by_the_wrong_seat.to_act == 1
    assert played(by_the_wrong_seat, "1 ?", "0 6-6", "3 ?").columns == (1, 0, 0, 0)
    no_group = played(Deal(0), "0 !6-6 5-5")
    assert codes(no_group, 3, "6-5 6-5") == []
    assert codes(no_group, 3, "6-3 5-4") == ["WRONG_COMPOSITION"]
    assert played(no_group, "3 ? ?", "2 ? ?", "1 ? ?").columns == (2, 0, 0, 0)


def test_supreme_wins_when_led_and_pays_at_once() -> None:
    deal = played(Deal(3), "3 4-2 2-1", "2 ? ?", "1 ? ?", "0 ? ?")
    assert (deal.columns, deal.scores()) == ((0, 0, 0, 2), (-4, -4, -4, 12))


def test_a_deal_to_its_end() -> None:
    deal = played(Deal(0), "0 6-6 6-6 6-3 5-4", "3 ? ? ? ?", "2 ? ? ? ?", "1 ? ? ? ?")
    assert not deal.over
    assert deal.final() == ()
    with pytest.raises(ValueError, match="not over"):
        deal.next_deal()
    deal = played(deal, "0 6-1", "3 2-2", "2 ?", "1 ?", "3 4-4 4-3", "2 ? ?", "1 ? ?", "0 ? ?")
    assert codes(deal, 3, "6-1") == []
    deal = played(deal, "3 6-1")
    assert codes(deal, 2, "5-5") == ["QUICK_DEATH"]
    deal = played(deal, "2 ?", "1 ?", "0 ?")
    assert deal.over
    assert codes(deal, 3, "5-5") == ["PLAY_AFTER_END"]
    assert deal.columns == (4, 0, 0, 4)
    assert deal.scores() == (24, -13, -13, 2)
    assert deal.next_deal() == Deal(3)


def test_a_banker_that_keeps_the_bank_counts_its_streak() -> None:
    deal = Deal(1, TrickOptions(banker_factor="streak"), left=(1,) * 4, columns=(3, 4, 0, 0))
    deal = played(deal, "1 6-6", "0 ?", "3 ?", "2 ?")
    assert deal.scores() == (-2, 22, -10, -10)
    again = deal.next_deal()
    assert (again.banker, again.streak) == (1, 1)
    again = Deal(1, again.options, again.streak, left=(1,) * 4, columns=(3, 4, 0, 0))
    assert played(again, "1 6-6", "0 ?", "3 ?", "2 ?").scores() == (-3, 33, -15, -15)


def test_little_three_caught_by_big_six_in_a_played_deal() -> None:
    deal = Deal(3, leader=0, to_act=0, left=(1,) * 4, columns=(3, 1, 0, 3))
    deal = played(deal, "0 2-1", "3 ?", "2 ?", "1 4-2")
    assert deal.columns == (3, 2, 0, 3)
    assert deal.scores() == (-8, 8, 0, 0)


def test_audit_of_the_discards() -> None:
    deal = played(Deal(0), "0 6-6", "3 ?", "2 ?", "1 ?", "0 6-6", "3 ?", "2 ?", "1 ?")
    assert deal.audit(["5-5", "6-5"]) == ()
    assert [(f.code, dict(f.args)) for f in deal.audit(["6-6", "7-7"])] == [
        ("TOO_MANY_COPIES", {"tile": "6-6"}),
        ("FOREIGN_TILE", {"tile": "7-7"}),
    ]


OPTION_TEXTS = [
    ({"direction": "left"}, "direction is one of ccw, cw, not 'left'"),
    ({"quick_death": "perhaps"}, "true or false"),
    ({"sweep_multiplier": "0"}, "1 to 100"),
    ({"immediate_four": "many"}, "a number"),
    ({"target": "100"}, "no option 'target'"),
    ({"last_trick_multiplier": "five:2"}, "four:2,supreme:2"),
    ({"last_trick_multiplier": "four"}, "four:2,supreme:2"),
    ({"last_trick_multiplier": "four:x"}, "four:2,supreme:2"),
    ({"last_trick_multiplier": "four:\u00b2"}, "four:2,supreme:2"),
    ({"last_trick_multiplier": "four:0"}, "1 to 100"),
]


@pytest.mark.parametrize(("options", "sentence"), OPTION_TEXTS)
def test_options_that_cannot_be_read(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        TrickOptions.from_text(options)


def test_options_as_values() -> None:
    changed = TrickOptions.from_text(
        {"last_trick_multiplier": "four:4, little_three:1", "reveal_discards": "true", "direction": "cw"}
    )
    assert [changed.last_trick(part) for part in ("four", "supreme", "little_three")] == [4, 2, 1]
    assert (changed.reveal_discards, changed.direction) == (True, "cw")


def test_defaults_are_the_same_as_text_and_as_values() -> None:
    assert TrickOptions.from_text({}) == TrickOptions()
    assert TrickOptions.from_text({option.key: option.written() for option in TIEN_GOW}) == TrickOptions()


def random_deal(seed: int) -> tuple[Deal, list[Deal]]:
    """A deal of legal plays with all hands known; also every deal on the way."""
    rng = random.Random(seed)
    tiles = list(Counter(tiles_of("chinese")).elements())
    rng.shuffle(tiles)
    hands = [tiles[8 * seat : 8 * seat + 8] for seat in range(4)]
    deal = Deal(rng.randrange(4), TrickOptions(direction=rng.choice(["cw", "ccw"])))
    history = [deal]
    while deal.to_act is not None:
        seat = deal.to_act
        if deal.trick is None:
            choice, up = rng.choice(list(deal.legal_leads(hands[seat]))), True
        else:
            replies = list(deal.legal_replies(hands[seat]))
            up = bool(replies) and rng.random() < 0.8
            choice = rng.choice(replies) if up else tuple(rng.sample(hands[seat], deal.trick.size))
        for tile in choice:
            hands[seat].remove(tile)
        deal = deal.play(seat, choice, up)
        assert deal.left == tuple(map(len, hands))
        history.append(deal)
    return deal, history


@given(st.integers(0, 10**9))
@settings(max_examples=150, deadline=None)
def test_every_deal_ends_with_eight_columns_and_a_ledger_of_zero(seed: int) -> None:
    deal, history = random_deal(seed)
    assert sum(deal.columns) == 8
    assert sum(deal.scores()) == 0
    assert Counter(tile for play in deal.plays() for tile in play.tiles) == tiles_of("chinese")
    assert all(payment.amount > 0 for payment in deal.final())
    assert deal.audit([tile for play in deal.plays() if not play.up for tile in play.tiles]) == ()
    for result in deal.tricks:
        assert all(payment.payee == result.winner and payment.amount > 0 for payment in result.payments)
    assert all(earlier.to_act is not None for earlier in history[:-1])
    again = history[0]
    for play in deal.plays():
        again = again.play(play.seat, play.tiles, play.up)
    assert again == deal


def continuations(deal: Deal, hands: tuple[tuple[str, ...], ...], depth: int) -> int:
    """Legal face-up plays, and one discard of the first tiles, to a depth."""
    if depth == 0 or deal.to_act is None:
        return 1
    seat = deal.to_act
    hand = list(hands[seat])
    choices = [(tiles, True) for tiles in (deal.legal_replies(hand) if deal.trick else deal.legal_leads(hand))]
    if deal.trick:
        choices.append((tuple(hand[: deal.trick.size]), False))
    total = 0
    for tiles, up in choices:
        rest = list(hand)
        for tile in tiles:
            rest.remove(tile)
        left = (*hands[:seat], tuple(rest), *hands[seat + 1 :])
        total += continuations(deal.play(seat, tiles, up), left, depth - 1)
    return total


def test_counts_of_continuations() -> None:
    tiles = list(Counter(tiles_of("chinese")).elements())
    random.Random(7).shuffle(tiles)
    hands = tuple(tuple(tiles[8 * seat : 8 * seat + 8]) for seat in range(4))
    assert [continuations(Deal(0), hands, depth) for depth in range(1, 6)] == [9, 25, 52, 118, 884]
