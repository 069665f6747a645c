"""Claims about hidden hands and their proof (section 5 of the rules: P1 to P4).

A pass, a draw or a start says that no tile in a hand would have contradicted it. Whatever the seat shows later is held
against that. P1 with no draw to explain a tile is P4's conviction; P2 and P3 prove at once. Doubt convicts nobody:
who is told about a proof decides, by `firm`, whether it may be said before the reveal.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field


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


@dataclass(slots=True)
class Claims:
    """The claims of one round, and what every seat showed, drew and put back, in the order of acts."""

    seats: int
    acts: int = 0
    claims: list[Claim] = field(default_factory=list)
    called: dict[int, Claim] = field(default_factory=dict)  # by the number of the open violation that rests on it
    shown: list[dict[str, int]] = field(init=False)
    drawn: list[list[tuple[int, int]]] = field(init=False)

    def __post_init__(self) -> None:
        self.shown = [{} for _ in range(self.seats)]
        self.drawn = [[] for _ in range(self.seats)]

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
