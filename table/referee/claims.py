"""Claims about hidden hands and their proof (section 5 of the rules: P1 to P4).

A pass, a draw or a start says that no tile in a hand would have contradicted it. Whatever the seat shows later is held
against that. P1 with no draw to explain a tile is P4's conviction; P2 and P3 prove at once. Doubt convicts nobody:
who is told about a proof decides, by `firm`, whether it may be said before the reveal.

P1 is exact for one claim, not for several: a draw that has to explain a tile of a later claim can't explain one of an
earlier claim as well. `together` finds such claims once all hands lie, so that the proof of a seat is complete: what it
leaves unproven, an honest course of the same acts would have shown just so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

ACTS = ("ILLEGAL_PASS", "DRAW_WITH_MOVE")  # the claims that are acts of a turn


@dataclass(slots=True)
class Claim:
    """What a seat said by an act at a moment of the count of acts. `bad` tiles would contradict it."""

    code: str
    seat: int
    t: float
    at: int
    bad: frozenset[str]
    tile: str | None = None  # the tile that proved it
    proven: bool = False
    told: bool = False
    void: bool = False
    among: list[float] = field(default_factory=list)  # when it was told as one of several acts: the times of all


@dataclass(slots=True)
class Claims:
    """The claims of one round, and what every seat showed, drew and put back, in the order of acts."""

    seats: int
    acts: int = 0
    claims: list[Claim] = field(default_factory=list)
    called: dict[int, Claim] = field(default_factory=dict)  # by the number of the open violation that rests on it
    shown: list[dict[str, int]] = field(init=False)
    drawn: list[list[tuple[int, int]]] = field(init=False)
    last_back: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.shown = [{} for _ in range(self.seats)]
        self.drawn = [[] for _ in range(self.seats)]
        self.last_back = [0] * self.seats  # the act at which each seat last put tiles back

    def make(self, code: str, seat: int, t: float, bad: Collection[str]) -> Claim:
        """A new claim, made by an act of its own."""
        self.acts += 1
        claim = Claim(code, seat, t, self.acts, frozenset(bad))
        self.claims.append(claim)
        return claim

    def draw(self, seat: int, count: int) -> None:
        """Tiles taken. A draw comes after the claim it makes, so its own tiles can explain what is shown later."""
        self.acts += 1
        self.drawn[seat].append((self.acts, count))

    def put_back(self, seat: int) -> None:
        """Tiles that a seat put back unseen."""
        self.acts += 1
        self.last_back[seat] = self.acts

    def reseat(self, by: int) -> None:
        """All of it was of the seats so many further on."""
        for claim in self.claims:
            claim.seat = (claim.seat + by) % self.seats
        turn = [(seat - by) % self.seats for seat in range(self.seats)]
        self.shown = [self.shown[seat] for seat in turn]
        self.drawn = [self.drawn[seat] for seat in turn]
        self.last_back = [self.last_back[seat] for seat in turn]

    def drop(self) -> None:
        """Nobody knows any more whose they were."""
        for claim in self.claims:
            claim.void = True

    def is_exact(self, claim: Claim) -> bool:
        """P4: whether the hand at the claim is just what the seat showed afterwards, once all of it lies open."""
        seat = claim.seat
        return self.last_back[seat] < claim.at and not any(when > claim.at for when, _ in self.drawn[seat])

    def show(self, seat: int, tile: str) -> list[Claim]:
        """A tile seen to have been in a hand; the claims it proves false (P1)."""
        self.acts += 1
        if tile in self.shown[seat]:
            return []
        self.shown[seat][tile] = self.acts
        proven = []
        for claim in self.claims:
            if claim.seat == seat and not claim.proven and not claim.void and tile in claim.bad:
                against = sum(t in claim.bad and when > claim.at for t, when in self.shown[seat].items())
                explaining = sum(count for when, count in self.drawn[seat] if when > claim.at)
                if against > explaining:
                    claim.proven, claim.tile = True, tile
                    proven.append(claim)
        return proven

    def together(self) -> list[list[Claim]]:
        """Claims none of which P1 proves false and which can't all be true; in each of the sets one at least is false.

        No claim is in two sets, so every set is an act of its own. Each set is as small as it can be.
        """
        found = []
        for seat in range(self.seats):
            doubtful = [c for c in self.claims if c.seat == seat and c.code in ACTS and not c.proven and not c.void]
            while not self._can_all_be_true(seat, doubtful):
                least = list(doubtful)
                for claim in doubtful:
                    without = [other for other in least if other is not claim]
                    if not self._can_all_be_true(seat, without):
                        least = without
                found.append(least)
                doubtful = [claim for claim in doubtful if claim not in least]
        return found

    def _can_all_be_true(self, seat: int, claims: Sequence[Claim]) -> bool:
        """Whether every shown tile that a claim denies can be another draw between that claim and the showing."""
        owed = []  # when the tile was shown, and the last claim that denies it
        for tile, when in self.shown[seat].items():
            denied = [claim.at for claim in claims if tile in claim.bad and claim.at < when]
            if denied:
                owed.append((when, max(denied)))
        owed.sort()
        for when, count in self.drawn[seat]:  # each draw for the tile that is shown soonest of those it can be
            for _ in range(count):
                fitting = next((entry for entry in owed if entry[1] < when < entry[0]), None)
                if fitting is not None:
                    owed.remove(fitting)
        return not owed

    def denied(self, claims: Sequence[Claim]) -> list[str]:
        """The tiles a seat showed after one of these claims that denies them."""
        shown = self.shown[claims[0].seat]
        return sorted(t for t, when in shown.items() if any(t in c.bad and c.at < when for c in claims))

    def at_once(self, claim: Claim, possible: Collection[str], hand_count: int | None, known: Collection[str]) -> bool:
        """P3 and P2: whether a claim is false as it is made. `possible` are the tiles that can be in the hand."""
        contradicting = sorted(tile for tile in known if tile in claim.bad)
        if contradicting:
            claim.proven, claim.tile = True, contradicting[0]
            return True
        if hand_count is not None and hand_count > sum(tile not in claim.bad for tile in possible):
            claim.proven = True
            return True
        return False
