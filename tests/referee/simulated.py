"""Rounds of line games played at random by players with hidden hands, told to a referee as the camera would.

Honest players sometimes lay a wrong tile and take it back, show a tile, or take theirs back unseen; a cheat now and
then passes or draws though it could play. Used by the property tests and by the benchmark.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from table.events import (
    Boneyard,
    Button,
    Fact,
    Match,
    Placed,
    Pose,
    Record,
    Removed,
    Table,
    Taken,
    Violation,
    default_strips,
    is_double,
)
from table.referee import Referee
from table.referee.onboard import Onboard
from table.rules.games import game_of, line_rules
from table.rules.line import Port
from table.rules.line.contacts import contacts
from table.rules.line.space import TOUCH_MM, Room, end_of, fits, footprints

HIDDEN = (
    "ILLEGAL_PASS", "DRAW_WITH_MOVE", "WRONG_STARTER", "WRONG_OPENING_TILE", "REVEAL_MISMATCH", "PLAY_AFTER_END",
)  # fmt: skip
SIZE = (1600.0, 1200.0)


@dataclass
class Played:
    """What came of a round: the records, how it ended, who cheated and how often."""

    records: list[Record] = field(default_factory=list)
    cheats: dict[int, int] = field(default_factory=dict)
    cheated_by: Counter[str] = field(default_factory=Counter)  # `pass`, or `draw` that was not needed
    facts: int = 0
    ended: bool = False

    def accused(self) -> set[int | None]:
        """Seats told to have hidden something, to hold too many or too few tiles, or to have played on."""
        last = {call.number: call for call in self.called()}
        return {call.seat for call in last.values() if call.code in HIDDEN and call.status != "corrected"}

    def called(self) -> list[Violation]:
        return [r for r in self.records if isinstance(r, Violation)]


class Simulated:
    """One round. `seen`: arms show who acts, else every seat is assumed. `cheat`: how often who can, cheats.

    `counted`: the boneyard is marked and counted; else draws happen and nobody sees them. `anyone_opens`: who opens is
    not seen either, and need not be seat 0, which it is taken to be.
    """

    def __init__(
        self, game: str, seats: int, rng: random.Random, *, seen: bool = True, cheat: float = 0.0, slips: float = 0.0,
        counted: bool = True, anyone_opens: bool = False, **options: str,
    ) -> None:  # fmt: skip
        self.anyone_opens = anyone_opens
        self.rng, self.seen, self.cheat, self.slips, self.counted = rng, seen, cheat, slips, counted
        self.rules = line_rules(game, seats, options)
        zone = (1450.0, 300.0, 120.0, 500.0) if counted else None
        self.table = Table(SIZE, 50.0, 25.0, 9.0, default_strips(seats, 50.0), zone)
        self.board = Onboard(self.rules, self.table)
        self.match = Match(
            t=0.0, game=game, options=options, seats=seats, tile_set=game_of(game).set_name, table=self.table
        )
        self.referee = Referee(self.match)
        self.result = Played()
        self.t = 0.0
        self.spaced = self.rules.enforce_space
        self.ids = {tile: i for i, tile in enumerate(self.rules.faces)}
        self._next_id = len(self.ids)

    # telling

    def tell(self, fact: Fact) -> None:
        if isinstance(fact, Taken | Boneyard) and not self.counted:
            return
        self.result.facts += 1
        self.result.records += self.referee.take(fact)

    def who(self, seat: int) -> dict[str, object]:
        return {"seat": seat, "seat_by": "arm"} if self.seen else {}

    def later(self) -> float:
        self.t += 1.0
        return self.t

    # the round

    def play(self) -> Played:
        """From the deal to the score."""
        self.result.records += self.referee.begin()
        starter = self._deal()
        self.tell(Boneyard(t=self.later(), count=len(self.yard)))
        seat, passes, turns = self._open(starter), 0, 0
        while self.reason == "" and turns < 500:
            turns += 1
            passed = self._turn(seat)
            passes = passes + 1 if passed else 0
            if passes == self.rules.seats:
                self.reason = "blocked"
            self._check()
            seat = self.rules.next_seat(seat)
        assert self.reason, "the round does not end"
        self._reveal()
        return self.result

    def _deal(self) -> int:
        rules, rng = self.rules, self.rng
        while True:
            tiles = list(rules.faces)
            rng.shuffle(tiles)
            size, seats = rules.hand_size(), rules.seats
            self.hands = [tiles[s * size : (s + 1) * size] for s in range(seats)]
            self.yard = tiles[seats * size :]
            self.reason = ""
            by_rank = rules.options["starter_method"] in ("highest", "highest_double", "holder")
            if not by_rank:
                return rng.randrange(seats) if self.anyone_opens else 0
            best: tuple[str, int] | None = None
            for seat, hand in enumerate(self.hands):
                for tile in hand:
                    fits = rules.opening_fault(tile) is None
                    if fits and (best is None or rules.outranks(tile, best[0])):
                        best = (tile, seat)
            if best is None:
                continue
            if not (self.seen or self.anyone_opens) and best[1] != 0:  # unseen, the first to lay is taken to be seat 0
                self.hands[0], self.hands[best[1]] = self.hands[best[1]], self.hands[0]
                return 0
            return best[1]

    def _open(self, starter: int) -> int:
        rules = self.rules
        leads = rules.leads(self.hands[starter])
        if rules.options.get("opening_double") == "required_if_held":
            leads = [tile for tile in leads if is_double(tile)] or leads
        self._lay(starter, self.rng.choice(leads), None)
        return rules.next_seat(starter)

    def _plays(self, seat: int) -> list[tuple[str, Port]]:
        plays = [(tile, port) for tile, port in self.board.line.plays(self.hands[seat]) if port is not None]
        if self.spaced:
            plays = [(tile, port) for tile, port in plays if self._poses(tile, port)]
        return plays

    def _poses(self, tile: str, port: Port) -> list[Pose]:
        on = self.board.poses[port.at]
        assert on is not None
        high, low = map(int, tile.split("-"))
        end = end_of(on, port.side, self.board.size)
        double = self.board.line.played[port.at].high == self.board.line.played[port.at].low
        others = [pose for pose in self.board.poses if pose is not None]
        room = Room(SIZE, others)
        poses = []
        turns = self.rules.options["turns"] == "allowed"
        for kind, pose in footprints(end, high == low, double, turns, self.board.size):
            if fits(pose, self.board.size, room, TOUCH_MM, others.index(on)):
                # the matching half towards the end: the first half named is the higher
                flip = high != port.value
                if kind == "right":
                    flip = not flip
                poses.append(Pose(pose.x_mm, pose.y_mm, (pose.angle_deg + 180 * flip) % 360))
        return poses

    def _turn(self, seat: int) -> bool:
        """One seat's turn; whether it ended in a pass with nothing left to draw."""
        rules, rng, hand = self.rules, self.rng, self.hands[seat]
        drawn = 0
        if rng.random() < self.slips:
            self._slip(seat)
        while True:
            plays = self._plays(seat)
            may_draw = rules.draw != "none" and len(self.yard) > rules.floor()
            may_draw = may_draw and (rules.draw == "until_playable" or drawn == 0)
            cheats = bool(plays) and self.cheat > 0 and rng.random() < self.cheat
            if plays and not cheats:
                tile, port = rng.choice(plays)
                self._lay(seat, tile, port)
                return False
            if cheats:
                self.result.cheats[seat] = self.result.cheats.get(seat, 0) + 1
                self.result.cheated_by["draw" if may_draw else "pass"] += 1
            if not may_draw:
                self.tell(Button(t=self.later(), seat=seat, button="pass"))
                return rules.draw == "none" or len(self.yard) <= rules.floor()
            hand.append(self.yard.pop())
            drawn += 1
            t = self.later()
            self.tell(Taken(t=t, count=1, **self.who(seat)))  # type: ignore[arg-type]
            self.tell(Boneyard(t=t, count=len(self.yard)))

    def _lay(self, seat: int, tile: str, port: Port | None) -> None:
        line = self.board.line
        joint = None if port is None else line.joint_for(port, tile)
        at = Pose(SIZE[0] / 2, SIZE[1] / 2, 0.0)
        join = None if port is None else (self.ids[line.played[port.at].tile], port.side)
        if self.spaced:
            join = None
            if port is not None:
                at = self.rng.choice(self._poses(tile, port))
                met = contacts(tile, at, self.board.laid(), self.board.size)
                joint = next(c.joint for c in met if (c.joint.at, c.joint.side) == (port.at, port.side))
        self.tell(
            Placed(t=self.later(), id=self.ids[tile], tile=tile, face="up", at=at, join=join, **self.who(seat))  # type: ignore[arg-type]
        )
        self.board.add(tile, joint, at if self.spaced else None)
        self.hands[seat].remove(tile)
        dead = self.rules.options["dead_position_ends_round"] and self.board.is_dead()
        if not self.hands[seat]:
            self.reason = "out"
        elif dead:
            self.reason = "blocked"

    def _slip(self, seat: int) -> None:
        """An honest mistake: a tile shown, or laid where it may not lie, and taken back."""
        tile = self.rng.choice(self.hands[seat])
        t = self.later()
        if self.rng.random() < 0.5:
            at = Pose(SIZE[0] / 2, SIZE[1] - 30, 90.0) if seat == 0 else self._strip(seat)
            self.tell(Placed(t=t, id=self._next_id, tile=tile, face="up", at=at))
        else:
            at = Pose(200.0, 200.0, 0.0)
            self.tell(Placed(t=t, id=self._next_id, tile=tile, face="up", at=at, **self.who(seat)))  # type: ignore[arg-type]
        self.tell(Removed(t=self.later(), id=self._next_id, tile=tile, face="up", at=at, **self.who(seat)))  # type: ignore[arg-type]
        self._next_id += 1

    def _strip(self, seat: int, place: int = 0) -> Pose:
        w, h = SIZE
        step = 150.0 + 30.0 * place
        strip = self.table.seats[seat]
        along = strip.span[0] * 0.9
        if strip.edge == "bottom":
            return Pose(w - along * w - step, h - 30, 90.0)
        if strip.edge == "top":
            return Pose(along * w + step, 30.0, 90.0)
        if strip.edge == "left":
            return Pose(30.0, h - along * h - step, 0.0)
        return Pose(w - 30, along * h + step, 0.0)

    def _reveal(self) -> None:
        t = self.later()
        for seat, hand in enumerate(self.hands):
            for i, tile in enumerate(hand):
                self.tell(Placed(t=t, id=self._next_id, tile=tile, face="up", at=self._strip(seat, i)))
                self._next_id += 1
        self.result.records += self.referee.finish(t)
        self.result.ended = any(r.type == "round_ended" for r in self.result.records)

    def _check(self) -> None:
        """Every tile is somewhere, once; the referee's counts are the true ones."""
        fold = self.referee._fold
        there = [*self.board.line.faces, *self.yard, *(tile for hand in self.hands for tile in hand)]
        assert sorted(there) == sorted(self.rules.faces)
        if not self.reason:
            held = [len(hand) for hand in self.hands]
            if self.anyone_opens:
                pass  # the hands tell, if anything does
            elif self.counted or self.rules.draw == "none":
                assert fold.hand == held  # type: ignore[attr-defined]
            else:  # what was drawn is not known
                assert all(known <= truly for known, truly in zip(fold.hand, held, strict=True))  # type: ignore[attr-defined]
            same_ends = fold.board.line.position.values() == self.board.line.position.values()  # type: ignore[attr-defined]
            # a tile between both ends closes the ring: it may have been meant for either, and nobody plays any more
            ring_closed = self.spaced and self.board.is_dead() and fold.board.is_dead()  # type: ignore[attr-defined]
            assert same_ends or ring_closed
