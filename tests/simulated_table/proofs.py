"""What follows from hidden hands, as an observer with perfect eyes could prove it (section 5 of the rules).

Written apart from the referee, to hold its reports against: claims made by passes and draws, P1 to P3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass


@dataclass(slots=True)
class Claim:
    code: str
    seat: int
    bad: frozenset[str]
    when: int
    told: bool = False


class Proofs:
    """All claims of one round."""

    def __init__(self) -> None:
        self.when = 0
        self.claims: list[Claim] = []
        self.shown: dict[str, tuple[int, int]] = {}
        self.draws: list[tuple[int, int]] = []

    def claim(self, code: str, seat: int, bad: Iterable[str]) -> Claim:
        """An act that says something about a hand."""
        self.when += 1
        claim = Claim(code, seat, frozenset(bad), self.when)
        self.claims.append(claim)
        return claim

    def draw(self, seat: int, count: int = 1) -> None:
        self.when += 1
        self.draws += [(seat, self.when)] * count

    def show(self, seat: int, tile: str) -> list[Claim]:
        """A tile of a seat is seen; the claims that are false now."""
        self.when += 1
        if tile in self.shown:
            return []
        self.shown[tile] = (seat, self.when)
        false = []
        for claim in self.claims:
            if claim.told or claim.seat != seat or tile not in claim.bad:
                continue
            against = sum(
                name in claim.bad for name, (who, when) in self.shown.items() if who == seat and when > claim.when
            )
            explained = sum(who == seat and when > claim.when for who, when in self.draws)
            if against > explained:
                claim.told = True
                false.append(claim)
        return false


def at_once(
    bad: Collection[str], possible: Collection[str], count: int, known: Collection[str]
) -> tuple[bool, str | None]:
    """P3 and P2: is a claim false as it is made, and by which tile (P2 names none)?"""
    held = sorted(set(known) & set(bad))
    if held:
        return True, held[0]
    return count > sum(tile not in bad for tile in possible), None
