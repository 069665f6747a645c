"""A round of a line game with all hands known: what may be done, done and undone.

For trying rules out, counting continuations and playing at random; the referee, who sees no hands, does not use it.
Placement is not judged here, only which ends match.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from .layout import Line, Port
from .rules import LineRules, Outcome

PASS: Final = "pass"
DRAW: Final = "draw"
PLAY: Final = "play"


class Move(NamedTuple):
    """What a seat can do; a draw takes the last tile of the boneyard."""

    kind: Literal["play", "draw", "pass"]
    tile: str = ""
    port: Port | None = None


class _Before(NamedTuple):
    to_act: int
    passes: int
    drawn: int
    reason: str
    move: Move
    tile: str  # the one played or drawn


class LineRound:
    """One round. `moves`, `push`, `pop`; over when `reason` is `out` or `blocked`."""

    __slots__ = ("_stack", "drawn", "hands", "line", "passes", "reason", "rules", "to_act", "yard")

    def __init__(self, rules: LineRules, hands: Sequence[Sequence[str]], yard: Sequence[str], starter: int) -> None:
        self.rules = rules
        self.line = Line(rules)
        self.hands = [list(hand) for hand in hands]
        self.yard = list(yard)
        self.to_act = starter
        self.passes = self.drawn = 0
        self.reason = ""
        self._stack: list[_Before] = []

    @classmethod
    def dealt(cls, rules: LineRules, rng: random.Random) -> LineRound:
        """A shuffled deal; where a double has to open, its holder starts (dealt again until somebody can)."""
        while True:
            tiles = list(rules.faces)
            rng.shuffle(tiles)
            size = rules.hand_size()
            aside = [t for t in tiles if rules.opening_fault(t) is None] if rules.dealt_from() < len(tiles) else []
            tiles = [tile for tile in tiles if tile not in aside]
            hands = [tiles[seat * size : (seat + 1) * size] for seat in range(rules.seats)]
            deal = cls(rules, hands, tiles[rules.seats * size :], rng.randrange(rules.seats))
            if aside:  # a start double that was put aside is set before the first turn
                deal.line.push(aside[0])
                return deal
            starter = deal._holder()
            if starter is not None:
                deal.to_act = starter
                return deal

    def _holder(self) -> int | None:
        """Who must open: the seat whose best opening tile outranks the others'."""
        best: tuple[str, int] | None = None
        for seat, hand in enumerate(self.hands):
            for tile in hand:
                fits = self.rules.opening_fault(tile) is None
                if fits and (best is None or self.rules.outranks(tile, best[0])):
                    best = (tile, seat)
        return None if best is None else best[1]

    def moves(self) -> Iterator[Move]:
        """What the seat on turn may do: its plays, else a draw, else a pass."""
        if self.reason:
            return
        if not self.line.played:
            yield from (Move(PLAY, tile) for tile in self.rules.leads(self.hands[self.to_act]))
            return
        any_play = False
        for tile, port in self.line.plays(self.hands[self.to_act]):
            any_play = True
            yield Move(PLAY, tile, port)
        if any_play:
            return
        yield Move(DRAW) if self._may_draw() else Move(PASS)

    def _may_draw(self) -> bool:
        rules = self.rules
        if rules.draw == "none" or len(self.yard) <= rules.floor():
            return False
        return rules.draw == "until_playable" or self.drawn == 0

    def push(self, move: Move) -> None:
        """Do a move. It must be one of `moves`, which is not checked."""
        tile = self.yard[-1] if move.kind == DRAW else move.tile
        self._stack.append(_Before(self.to_act, self.passes, self.drawn, self.reason, move, tile))
        seat, rules, line = self.to_act, self.rules, self.line
        if move.kind == DRAW:
            self.hands[seat].append(self.yard.pop())
            self.drawn += 1
            return
        self.drawn = 0
        self.to_act = rules.next_seat(seat)
        if move.kind == PASS:
            at_floor = rules.draw == "none" or len(self.yard) <= rules.floor()
            self.passes = self.passes + 1 if at_floor else 0
            if self.passes >= rules.seats:
                self.reason = "blocked"
            return
        self.hands[seat].remove(move.tile)
        line.push(move.tile, None if move.port is None else line.joint_for(move.port, move.tile), move.port)
        self.passes = 0
        if not self.hands[seat]:
            self.reason = "out"
        elif rules.options["dead_position_ends_round"] and not any(line.plays(rules.faces)):
            self.reason = "blocked"

    def pop(self) -> Move:
        """Undo the last move."""
        self.to_act, self.passes, self.drawn, self.reason, move, tile = self._stack.pop()
        if move.kind == DRAW:
            self.hands[self.to_act].remove(tile)
            self.yard.append(tile)
        elif move.kind == PLAY:
            self.line.pop()
            self.hands[self.to_act].append(move.tile)
        return move

    def outcome(self) -> Outcome:
        """The result of a round that is over."""
        points = [sum(map(self.rules.counted, hand)) for hand in self.hands]
        if self.reason == "out":
            return self.rules.out(next(s for s, hand in enumerate(self.hands) if not hand), points)
        return self.rules.blocked(points, [len(hand) for hand in self.hands])

    def continuations(self, depth: int) -> int:
        """How many ways the round can go on for so many moves: an oracle for the rules."""
        if depth == 0 or self.reason:
            return 1
        total = 0
        for move in list(self.moves()):
            self.push(move)
            total += self.continuations(depth - 1)
            self.pop()
        return total
