"""What a seat is told that presses `challenge`: whether the last hidden act of another seat is proven false.

The rules leave open what a challenge asks; decided here: it asks about the newest pass, draw or start of another seat.
Before the hands lie only what was said already is said; a proof that waits for the reveal is no proof yet. Afterwards
an act is right where the hand is known exactly (P4), and else only not disproven. It costs nothing and stops nothing.
"""

from __future__ import annotations

from typing import Any

from .claims import Claims

ACTS = {"ILLEGAL_PASS": "pass", "DRAW_WITH_MOVE": "draw", "WRONG_STARTER": "start", "WRONG_OPENING_TILE": "start"}


def answer(claims: Claims, by: int, hands_lie: bool) -> dict[str, Any]:
    """The args of the advice CHALLENGE; `answer` in them is `nothing`, `proven`, `open`, `right` or `undecided`."""
    claim = next((c for c in reversed(claims.claims) if c.seat != by and not c.void), None)
    if claim is None:
        return {"by": by, "answer": "nothing"}
    args: dict[str, Any] = {"by": by, "s": claim.seat, "act": ACTS[claim.code], "t": claim.t}
    if claim.told:
        return {**args, "answer": "proven", "tile": claim.tile} | ({"times": claim.among} if claim.among else {})
    if not hands_lie:
        return {**args, "answer": "open"}
    return {**args, "answer": "right" if claims.is_exact(claim) else "undecided"}
