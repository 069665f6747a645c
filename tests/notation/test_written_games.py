"""Games played honestly by a small program, written down, read again and refereed: nothing may be called.

The players here know the rules only through the engine's legal plays; hands, draws and scores are kept by the test.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from table.events import Record, RoundEnded, Trick, Violation, tiles_of
from table.notation import (
    Collect,
    Discard,
    Draw,
    Entry,
    GameRecord,
    Group,
    Move,
    Play,
    Points,
    Press,
    Show,
    Tag,
    read_record,
)
from table.notation.laying import Layout
from table.notation.writing import record_of
from table.rules.games import line_rules
from table.rules.line.rules import LineRules
from table.rules.tricks import Deal


class HonestRound:
    """One round of a line game with all hands known."""

    def __init__(self, rules: LineRules, number: int, rng: random.Random) -> None:
        self.rules, self.rng = rules, rng
        rules.for_round(number)
        self.layout = Layout(rules, (4000.0, 4000.0), placing_matters=rules.enforce_space)
        self.entries: list[Entry] = []
        self.starter = self.deal(number)
        self.end = self.play()

    def deal(self, number: int) -> int:
        rules = self.rules
        tiles = sorted(rules.faces)
        self.rng.shuffle(tiles)
        if rules.key == "chicken-foot":  # the start double is searched and put aside
            double = f"{9 - number}-{9 - number}"
            tiles.remove(double)
            starter = self.rng.randrange(rules.seats)
            self.entries.append(Move(starter, (Show((double,)),)))
        size = rules.hand_size()
        self.hands = [tiles[seat * size : (seat + 1) * size] for seat in range(rules.seats)]
        self.yard = tiles[rules.seats * size :]
        assert len(self.yard) == rules.yard_after_deal()
        if rules.key == "chicken-foot":
            self.lay(starter, double)
            return starter
        best = max((tile for hand in self.hands for tile in hand), key=self.rank)
        if rules.key == "doubles" and best[0] != best[-1]:
            return self.deal(number)
        if rules.key == "block":
            best = self.rng.choice(self.hands[number % rules.seats])  # the start goes round
        starter = next(seat for seat, hand in enumerate(self.hands) if best in hand)
        self.hands[starter].remove(best)
        self.lay(starter, best)
        return self.rules.next_seat(starter)

    @staticmethod
    def rank(tile: str) -> tuple[bool, int, int]:
        high, low = map(int, tile.split("-"))
        return high == low, high + low, high

    def lay(self, seat: int, tile: str, on: str | None = None) -> None:
        play = Play(tile, on)
        self.layout.lay(play)
        self.entries.append(Move(seat, (play,)))

    def play(self) -> str:
        rules, seat, passes = self.rules, self.starter, 0
        while passes < rules.seats:
            unseen = [tile for tile in rules.faces if tile not in self.layout.line.faces]
            if rules.options["dead_position_ends_round"] and not self.layout.line.playable(unseen):
                return self.finish("blocked")
            plays = list(self.layout.line.plays(self.hands[seat]))
            drawn = 0
            while not plays and rules.draw != "none" and len(self.yard) > rules.floor():
                if rules.draw == "one" and drawn == 1:
                    break
                self.hands[seat].append(self.yard.pop())
                drawn += 1
                plays = list(self.layout.line.plays(self.hands[seat]))
            if drawn:
                self.entries.append(Move(seat, (Draw(drawn),)))
            if plays:
                passes = 0
                tile, port = self.rng.choice(plays)
                assert port is not None
                self.hands[seat].remove(tile)
                self.lay(seat, tile, self.layout.line.played[port.at].tile)
                if not self.hands[seat]:
                    return self.finish("out")
            else:
                passes = passes + 1 if rules.draw == "none" or len(self.yard) <= rules.floor() else 0
                self.entries.append(Move(seat, (Press("pass"),)))
            seat = rules.next_seat(seat)
        return self.finish("blocked")

    def finish(self, reason: str) -> str:
        for seat, hand in enumerate(self.hands):
            self.entries.append(Move(seat, (Show(tuple(hand)),)))
        points = [sum(map(self.rules.counted, hand)) for hand in self.hands]
        if reason == "out":
            winner = next(seat for seat, hand in enumerate(self.hands) if not hand)
            result = self.rules.out(winner, points)
        else:
            result = self.rules.blocked(points, [len(hand) for hand in self.hands])
        if not self.rules.scores_in_play:
            self.entries.append(Points(result.scores))
        return reason


Refereed = Callable[[str], list[Record]]


def results(records: list[Record]) -> list[tuple[object, ...]]:
    """What a referee made of a game: every call and every result, without times."""
    calls = [(r.code, r.seat, r.tile, r.status) for r in records if isinstance(r, Violation)]
    return [*calls, *((r.reason, r.winner, r.scores, r.totals) for r in records if isinstance(r, RoundEnded))]


GAMES = [("block", 2), ("block", 4), ("draw", 2), ("doubles", 2), ("doubles", 4), ("chicken-foot", 4)]
GAMES += [("chicken-foot", 8), ("all-fives", 3)]
VARIANTS = [
    ("block", 3, "draw=one"),
    ("block", 2, "draw=until_playable"),
    ("block", 2, "doubles_orientation=crosswise blocked_score=loser_total direction=ccw"),
    ("block", 3, "dead_position_ends_round=true blocked_tie=none hand=5"),
    ("draw", 2, "space=ignore"),
    ("draw", 2, "draw=one turns=forbidden"),
    ("draw", 2, "blocked_tie=fewest_tiles floor=0"),
    ("doubles", 3, "draw=until_playable"),
    ("doubles", 2, "spinner_sides=long_sides_first"),
    (
        "doubles",
        4,
        "doubles_orientation=crosswise blocked_score=difference dead_position_ends_round=true direction=ccw",
    ),
    ("chicken-foot", 3, "opening_trains=6"),
    ("chicken-foot", 4, "start_double_closes=false"),
    ("chicken-foot", 2, "toes=2 draw=until_playable"),
    ("draw", 2, "doubles_orientation=free"),
    ("draw", 2, "doubles_orientation=free turns=forbidden"),
    ("chicken-foot", 5, "dead_position_ends_round=false doubles_orientation=free double_blank=50"),
    ("all-fives", 2, "spinner=none draw=one"),
    ("all-fives", 4, "points=divided doubles_orientation=free count=3"),
]


def play_and_referee(game: str, seats: int, given: dict[str, str], seed: int, rounds: int, refereed: Refereed) -> None:
    """Honest rounds, written down and refereed: no call, and the results the players counted themselves."""
    if game == "block":
        given = {"starter_method": "first", **given}
    options = " ".join(f"{key}={value}" for key, value in given.items())
    head = [Tag("Game", game), Tag("Seats", str(seats)), *([Tag("Options", options)] if options else [])]
    rules = line_rules(game, seats, given)
    rng = random.Random(seed)
    played = [HonestRound(rules, number, rng) for number in range(rounds)]
    text = str(GameRecord(tuple(head), tuple(tuple(one.entries) for one in played)))
    record = read_record(text)
    records = refereed(text)
    assert [r for r in records if isinstance(r, Violation)] == [], text
    ended = [r for r in records if isinstance(r, RoundEnded)]
    assert [r.reason for r in ended] == [one.end for one in played], text
    written = [e.points for entries in record.rounds for e in entries if isinstance(e, Points)]
    assert rules.scores_in_play or [r.scores for r in ended] == written, text
    assert results(refereed(str(record_of(records)))) == results(records)


@pytest.mark.parametrize(("game", "seats"), GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_honest_games_hold_no_violation(game: str, seats: int, seed: int, refereed: Refereed) -> None:
    play_and_referee(game, seats, {}, seed, 2 if game in ("block", "chicken-foot") else 1, refereed)


@pytest.mark.parametrize(("game", "seats", "options"), VARIANTS, ids=[f"{row[0]} {row[2]}" for row in VARIANTS])
def test_honest_games_by_other_rules(game: str, seats: int, options: str, refereed: Refereed) -> None:
    play_and_referee(game, seats, dict(word.split("=") for word in options.split()), 1, 1, refereed)


def honest_deal(deal: Deal, rng: random.Random) -> tuple[Deal, list[Entry]]:
    """A deal of Tien Gow with all hands known; some winners take their trick in, some just lead on."""
    tiles = [tile for tile, copies in tiles_of("chinese").items() for _ in range(copies)]
    rng.shuffle(tiles)
    hands = [tiles[8 * seat : 8 * seat + 8] for seat in range(4)]
    entries: list[Entry] = []
    while deal.to_act is not None:
        seat, tricks = deal.to_act, len(deal.tricks)
        groups = list(deal.legal_replies(hands[seat]) if deal.trick else deal.legal_leads(hands[seat]))
        if groups and (deal.trick is None or rng.random() < 0.7):
            played, up = rng.choice(groups), True
            entries.append(Move(seat, (Group(played),)))
        else:
            assert deal.trick is not None
            played, up = tuple(rng.sample(hands[seat], deal.trick.size)), False
            entries.append(Move(seat, (Discard(len(played), played if rng.random() < 0.5 else ()),)))
        for tile in played:
            hands[seat].remove(tile)
        deal = deal.play(seat, played, up)
        if len(deal.tricks) > tricks and rng.random() < 0.7:
            winner = deal.tricks[-1].winner
            entries.append(Move(winner, (Collect(),)))
    entries.append(Points(deal.scores()))
    return deal, entries


@pytest.mark.parametrize("seed", range(6))
def test_honest_deals_of_tien_gow(seed: int, refereed: Refereed) -> None:
    rng = random.Random(seed)
    deal, first = honest_deal(Deal(rng.randrange(4)), rng)
    again, second = honest_deal(deal.next_deal(), rng)
    head = (Tag("Game", "tien-gow"), Tag("Seats", "4"), Tag("Options", "deals_per_match=2"))
    text = str(GameRecord(head, (tuple(first), tuple(second))))
    records = refereed(text)
    assert [r for r in records if isinstance(r, Violation)] == [], text
    ended = [r for r in records if isinstance(r, RoundEnded)]
    assert [r.scores for r in ended] == [deal.scores(), again.scores()], text
    assert [r.winner for r in ended] == [deal.leader, again.leader]
    assert results(refereed(str(record_of(records)))) == results(records)
    assert sum(isinstance(r, Trick) for r in records) == len(deal.tricks) + len(again.tricks)


FAULTS = """\
[Game "tien-gow"]
[Seats "4"]

Round 1
seat 1: 6-6 6-2
seat 1: takes back 6-2
seat 1: takes back 6-6
seat 1: 5-5 5-5
seat 4: discards 1
seat 4: discards 1
seat 3: 3-3 3-3
seat 3: turns down 3-3 3-3
seat 2: 4-4 4-4
seat 1: collects
"""


def test_faults_in_tricks(refereed: Refereed) -> None:
    called = [(r.code, r.seat, r.status) for r in refereed(FAULTS) if isinstance(r, Violation)]
    assert called == [
        ("INVALID_GROUP", 0, "open"),
        ("INVALID_GROUP", 0, "corrected"),
        ("WRONG_TILE_COUNT", 3, "open"),
        ("WRONG_TILE_COUNT", 3, "corrected"),
        ("NOT_HIGHER", 2, "open"),
        ("NOT_HIGHER", 2, "corrected"),
        ("WRONG_COLLECTOR", 0, "open"),
    ]
    assert results(refereed(str(record_of(refereed(FAULTS))))) == results(refereed(FAULTS))
