"""Who opened, where nobody was seen to and nothing tells: seat 0 by assumption, until something tells otherwise.

Decided here (the rules say only who is assumed to lay first): as long as nobody was seen to act, all acts hang on who
opened. If the first arm that is seen is of a seat that would not be on turn then, another seat opened, and all that was
assumed goes with it; nobody is called out of turn for it. If nobody is ever seen, the hands tell: where they lie as
they would had another seat opened, it did.

A press of such a seat is called out of turn, as ever: it may be the wrong button, or a habit from the chess clock. But
it may also be that another seat opened and this one is on turn. So whoever is told to act next has the turn, no hand is
counted from then on, and nothing is held against anybody that rests on who laid what.
"""

from __future__ import annotations

from typing import Any

from table.events import Score, SeatBy

from .found import FoundLying


class Opener(FoundLying):
    """Rounds that somebody opened unseen."""

    def turn_found(self, seat: int, by: SeatBy | None) -> None:
        if self.turn_open:
            self.turn_open, self.to_act = False, seat
            if self.starter is not None:
                self.starter = seat
        elif self.turn_doubted and by != "turn":
            self.turn_doubted, self.to_act = False, seat
        elif self.opener_assumed and by != "turn":
            self.opener_assumed = False
            due = self.assumed()  # once an open wrong stands
            if self.to_act is None or seat in (self.to_act, due):
                return
            passed_over = self.rules.options["passes"] == "inferred" and len(self.board.line.played) > 1
            if by == "button" or passed_over:
                self.opener_doubted = self.turn_doubted = True
                self.hand = [None] * self.seats
                self.draws = 0
            else:
                self.reseat((seat - due) % self.seats)

    def reseat(self, by: int) -> None:
        """What was assumed of seats since the opening holds for those so many seats on."""

        def shifted(values: list[Any]) -> list[Any]:
            return [values[seat - by] for seat in range(self.seats)]

        def on(seat: int | None) -> int | None:
            return None if seat is None else (seat + by) % self.seats

        self.hand, self.played, self.known = shifted(self.hand), shifted(self.played), shifted(self.known)
        self.starter, self.to_act, self.accepted = on(self.starter), on(self.to_act), on(self.accepted)
        self.out_seat = on(self.out_seat)
        if self.last_layer is not None:
            self.last_layer = ((self.last_layer[0] + by) % self.seats, self.last_layer[1])
        for tile in self.tiles.values():
            if tile.place in ("layout", "wrong") and tile.by == "turn":
                tile.seat = on(tile.seat)
        for wrong in self.wrongs:
            if wrong.kind != "reveal":
                wrong.seat = on(wrong.seat)
            if wrong.kind == "retracted" and wrong.count >= 0:
                wrong.count = (wrong.count + by) % self.seats
        self.claims.reseat(by)
        if self.hand_shown or self.searched:
            # some of it was told by whose strip a tile lay in, or who drew, and does not go with the turn
            self.known = [set() for _ in range(self.seats)]
            self.claims.drop()
        if self.searched:
            self.hand = [None] * self.seats
        before, self.round_scores = self.round_scores, shifted(self.round_scores)
        for seat, (was, is_now) in enumerate(zip(before, self.round_scores, strict=True)):
            if is_now != was:
                self.totals[seat] += is_now - was
                self.say(Score(t=self.now, seat=seat, points=is_now - was, total=self.totals[seat]))

    @property
    def opener_open(self) -> bool:
        """Whether hands of as many tiles would be left had another seat opened, and nobody was ever seen to act."""
        turned = [self.hand[k:] + self.hand[:k] for k in range(1, self.seats)]
        return self.opener_assumed and self.hand in turned

    def opener_by_hands(self, lying: dict[int, set[int]]) -> bool:
        """Had another seat opened, would as many tiles be due of these seats as lie there? If so, it did.

        `lying` has more than one count where what lay there before play may or may not be of the hand.
        """
        for by in range(self.seats if self.opener_assumed else 0):
            dues = [(self.hand[seat - by], counts) for seat, counts in lying.items()]
            if all(due is None or due in counts or (self.may_have_drawn and due < max(counts)) for due, counts in dues):
                if by:
                    self.reseat(by)
                return True
        return False
