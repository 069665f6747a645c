"""Proof of hidden violations: the vectors EV-1 to EV-13 of the rules, by their ids."""

import itertools
import random

import pytest

from table.referee.claims import Claims

FITS = {"6-2", "5-1", "1-0", "2-2", "1-1"}  # tiles that fit the ends 2 and 1


def proven(acts, kind="pass"):
    """Walk through acts of one seat: the act at which its first claim is proven, or None."""
    claims = Claims(2)
    first = None
    for act, what in acts:
        told = []
        if act in ("pass", "draw+claim"):
            claim = claims.make(act, 0, 0.0, FITS)
            first = first or (claim if act.startswith(kind) else None)
            if act == "draw+claim":
                claims.draw(0, 1)
        elif act == "draw":
            claims.draw(0, 1)
        else:
            for tile in what:
                told += claims.show(0, tile)
        if first is not None and first in told:
            return what
    return None


VECTORS = {
    "EV-1": ([("pass", 5), ("show", ["6-2"])], "pass", ["6-2"]),
    "EV-2": ([("pass", 5), ("draw", 7), ("show", ["6-2"])], "pass", None),
    "EV-3": ([("pass", 5), ("draw", 7), ("show", ["6-2"]), ("show", ["1-0"])], "pass", ["1-0"]),
    "EV-4": ([("pass", 5), ("show", ["6-2"]), ("draw", 10)], "pass", ["6-2"]),
    "EV-5": ([("pass", 5), ("draw", 7), ("show", ["2-2", "1-1"])], "pass", ["2-2", "1-1"]),
    "EV-6": ([("pass", 5), ("show", ["6-6", "5-3"])], "pass", None),
    "EV-7": ([("draw+claim", 5), ("show", ["6-2"])], "draw", None),
    "EV-8": ([("draw+claim", 5), ("pass", 6), ("show", ["6-2"])], "pass", ["6-2"]),
    "EV-8 draw": ([("draw+claim", 5), ("pass", 6), ("show", ["6-2"])], "draw", None),
    "EV-11": ([("pass", 5), ("draw", 7), ("show", ["6-2"]), ("show", ["6-2"])], "pass", None),
}


@pytest.mark.parametrize("name", VECTORS)
def test_counting(name):
    acts, kind, expected = VECTORS[name]
    assert proven(acts, kind) == expected


def shown_false(claims, seat=0):
    """The acts of a seat proven false one by one, and those of which one is."""
    return [c.at for c in claims.claims if c.proven], [[c.at for c in group] for group in claims.together()]


def test_two_draws_that_cannot_both_be_explained():
    """The second draw has to be 3-0, which no longer explains what the first one denied."""
    claims = Claims(2)
    claims.make("DRAW_WITH_MOVE", 0, 1.0, {"6-2", "5-1"})
    claims.draw(0, 1)
    claims.make("DRAW_WITH_MOVE", 0, 2.0, {"3-0"})
    claims.draw(0, 1)
    for tile in ("3-0", "6-2"):
        assert claims.show(0, tile) == []
    assert claims.together() == []
    assert claims.show(0, "5-1") == []  # two tiles and two draws: by itself the first claim may be true
    assert shown_false(claims) == ([], [[1, 3]])
    assert claims.denied(claims.claims) == ["3-0", "5-1", "6-2"]
    claims.draw(0, 1)  # a draw after all of them was shown explains nothing
    assert shown_false(claims) == ([], [[1, 3]])


def test_what_another_seat_did_an_act_undone_or_a_start_is_no_part_of_it():
    claims = Claims(2)
    first = claims.make("DRAW_WITH_MOVE", 0, 1.0, {"6-2", "5-1"})
    claims.draw(0, 1)
    claims.make("WRONG_STARTER", 0, 2.0, {"3-0"})
    claims.make("DRAW_WITH_MOVE", 1, 2.0, {"3-0"})
    claims.draw(0, 1)
    for tile in ("3-0", "6-2", "5-1"):
        claims.show(0, tile)
    assert claims.together() == []
    second = claims.make("ILLEGAL_PASS", 0, 3.0, {"4-4"})
    claims.show(0, "4-4")
    assert second.proven  # and so no part of another proof
    assert claims.together() == []
    first.void = True
    assert claims.together() == []


def true_somehow(story):
    """Whether some choice of which tile each draw was makes every claim of a story true, tried one by one."""
    shown = [what for act, what in story if act == "show"]
    draws = sum(act == "draw" for act, _ in story)
    for drawn in itertools.permutations([*shown, *(None,) * draws], draws):
        hand, rest, true = set(shown) - set(drawn), list(drawn), True
        for act, what in story:
            if act == "draw":
                tile = rest.pop(0)
                hand |= {tile} if tile is not None else set()
            elif act == "claim":
                true = true and not hand & what
            else:
                true = true and what in hand
                hand.discard(what)
        if true:
            return True
    return False


def test_claims_are_proven_false_just_when_no_course_of_play_makes_all_of_them_true():
    rng = random.Random(41)
    told = together = 0
    for _ in range(600):
        tiles = ["6-5", "6-4", "6-3", "6-2", "6-1"]
        rng.shuffle(tiles)
        story = []
        while tiles:  # turn by turn: sometimes a draw, or a pass, and then a tile is laid
            fitting = set(rng.sample(tiles, min(rng.choice([1, 2, 2]), len(tiles))))
            draws = sum(act == "draw" for act, _ in story)
            if rng.random() < 0.6 and draws < 3:
                story += [("claim", fitting), ("draw", None)]
            elif rng.random() < 0.2:
                story.append(("claim", fitting))
                continue
            story.append(("show", tiles.pop()))
        claims = Claims(1)
        for act, what in story:
            if act == "claim":
                claims.make("ILLEGAL_PASS", 0, 0.0, what)
            elif act == "draw":
                claims.draw(0, 1)
            else:
                claims.show(0, what)
        alone, several = shown_false(claims)
        assert bool(alone or several) != true_somehow(story)
        told += bool(alone)
        together += bool(several) and not alone
        every = [at for group in several for at in group]
        assert len(set(every)) == len(every)
        assert all(len(group) > 1 for group in several)
    assert told > 100
    assert together > 10


def test_several_acts_of_which_one_was_false_are_reported_at_the_reveal(playbook):
    book = playbook("draw", yard=True, space="ignore", starter_method="first", hand="4", late_penalty="10")
    book.yard(20)
    book.lay("2-2", seat=0)
    book.lay("2-1", on="2-2", seat=1)
    book.draw(1, left=19, seat=0)  # says: no 2 and no 1
    book.lay("1-0", on="2-1", seat=0)
    book.lay("2-0", on="2-2", to="left", seat=1)
    book.draw(1, left=18, seat=0)  # says: no 0
    book.lay("4-0", on="1-0", seat=0)
    book.lay("6-4", on="4-0", seat=1)
    book.lay("6-6", on="6-4", seat=0)
    book.lay("6-0", on="6-6", seat=1)
    book.show(0, "5-1", "3-3")
    assert book.violations() == []
    said = book.finish()
    assert said[-2:] == ["DRAW_WITH_MOVE 0 reported", "out 1 [-10, 12] [-10, 12]"]
    told = next(record for record in book.records if record.type == "violation")
    assert told.message == "Seat 1 passed or drew holding a tile that fits, at 0:03.0 or 0:06.0."
    assert (told.about, told.args["times"]) == (6.0, [3.0, 6.0])
    assert told.args["tiles"] == ["1-0", "4-0", "5-1"]


def test_ev_9_pigeonhole():
    claims = Claims(2)
    claim = claims.make("pass", 0, 5.0, {"6-2", "5-1"})
    assert claims.at_once(claim, ["6-2", "5-1", "4-4"], 2, set())


def test_ev_10_a_known_tile_takes_a_place():
    claims = Claims(2)
    claim = claims.make("pass", 0, 5.0, {"6-2"})
    assert not claims.at_once(claim, ["6-2", "4-4", "5-5"], 2, {"5-5"})


def test_a_known_tile_proves_at_once():
    claims = Claims(2)
    claim = claims.make("pass", 0, 5.0, {"6-2"})
    assert claims.at_once(claim, ["6-2", "4-4", "5-5"], 2, {"6-2"})
    assert claim.tile == "6-2"


def test_an_uncounted_hand_is_no_evidence():
    claims = Claims(2)
    claim = claims.make("pass", 0, 5.0, {"6-2", "5-1"})
    assert not claims.at_once(claim, ["6-2", "5-1", "4-4"], None, set())


def drawing(playbook, **options):
    """Draw with plain spaces, so that only hands matter; seat 0 led 2-2, seat 1 joined 2-1: ends 2 and 1."""
    book = playbook("draw", yard=True, space="ignore", starter_method="first", **options)
    book.yard(14)
    book.lay("2-2", seat=0)
    book.lay("2-1", on="2-2", seat=1)
    return book


def test_ev_12_what_went_back_unseen_may_be_the_known_tile(playbook):
    book = drawing(playbook, floor="13")
    assert book.show(0, "6-2") == ["advice TILE_EXPOSED"]
    book.back("6-2")
    assert book.draw(1, left=13, seat=0)[0].startswith("DRAW_WITH_MOVE 0 open")
    book.put_back(1, left=14, seat=0)  # known no more
    book.draw(1, left=13, seat=0)
    assert book.press(0) == ["passed 0 button", "turn 1"]


def test_ev_13_an_assumed_seat_is_dropped_when_the_count_is_wrong(playbook):
    book = playbook("block", starter_method="first", hand="2")
    book.lay("2-1")
    book.press(1)
    book.lay("6-2", on="2-1", to="left")
    book.show(1, "1-0", "5-5", "6-6")
    book.finish()
    assert "ILLEGAL_PASS 1 reported" not in book.violations()


def test_a_start_claim(playbook):
    book = playbook("draw", yard=True, space="ignore")
    book.yard(14)
    book.lay("2-2", seat=0)
    assert book.lay("6-2", on="2-2", seat=1)[0] == "legal"  # 6-2 does not outrank a double
    assert "WRONG_OPENING_TILE 0 reported 6-6" in book.lay("6-6", on="6-2", seat=0)


def test_a_start_claim_of_the_other_seat_and_a_draw_that_explains(playbook):
    book = playbook("draw", yard=True, space="ignore")
    book.yard(14)
    book.lay("2-2", seat=0)
    book.draw(1, left=13, seat=1)
    book.lay("6-2", on="2-2", seat=1)
    book.lay("2-1", on="2-2", to="left", seat=0)
    book.lay("6-6", on="6-2", seat=1)
    assert book.violations() == []
    late = playbook("draw", yard=True, space="ignore")
    late.yard(14)
    late.lay("2-2", seat=0)
    late.lay("6-2", on="2-2", seat=1)
    late.lay("2-1", on="2-2", to="left", seat=0)
    assert "WRONG_STARTER 1 reported 6-6" in late.lay("6-6", on="6-2", seat=1)


def test_pigeonhole_in_play_calls_the_pass_at_once(playbook):
    """Seat 1 holds more tiles than there are left that do not fit."""
    book = playbook("block", yard=True, starter_method="first", hand="7")
    book.yard(14)
    claims = book.referee._fold.claims
    book.lay("6-6", seat=0)
    fold = book.referee._fold
    fold.hand[1] = 28  # more than the 21 tiles that have no 6
    said = book.press(1)
    assert said == ["passed 1 button", "ILLEGAL_PASS 1 open"]
    assert claims.claims[-1].tile is None
    fold.hand[1] = 7
    book.lay("6-1", on="6-6", seat=1)
    assert book.violations() == ["ILLEGAL_PASS 1 corrected"]
    book.records.clear()  # the count was forced, so these facts alone cannot give the same again
    book.records += list(book.referee.__class__(book.match).begin())


def test_a_thing_that_lay_there_before_play_is_no_knowledge_of_a_hand(playbook):
    for taken_back, said in ((False, []), (True, ["ILLEGAL_PASS 1 open"])):
        book = playbook("block", yard=True, starter_method="first")
        book.yard(14)
        book.show(1, "6-2")
        if taken_back:
            book.back("6-2")
        book.lay("2-2", seat=0)
        book.press(1)
        assert book.violations() == said
