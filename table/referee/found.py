"""A layout that lies on the table when watching begins: taken as it lies, for nobody saw who laid what.

Decided here (the rules say only who is assumed to lay first): tiles of one picture before any was played are a layout
that was found, when nobody was seen and nothing was told before them. They are put into an order in which each may
have been played; none is held against anybody, no hand is counted from then on, and who acts first has the turn.
Where the table was watched before, they were laid in turn; only their order is looked for. Each still is looked at in
full, so a first one that told of nothing was of an empty table; a film may have begun behind somebody's arm.

Who opened, where nobody was seen and nothing tells, is assumed to be seat 0. If the next arm that is seen is of a seat
that would not be on turn then, the seat before it opened. A press tells nothing: it may be the wrong button.
"""

from __future__ import annotations

from typing import Any

from table.events import Judged, Score, SeatBy, is_double

from .laying import Laying
from .line_state import Tile
from .onboard import Onboard, Reading

Loose = tuple[float, Tile, list[str]]
Found = list[tuple[Loose, Reading]]


class FoundLying(Laying):
    """Tiles that were there before anything was seen to be played."""

    def several_first(self, loose: list[Loose]) -> list[Loose]:
        """Several tiles in the first picture of a layout; those that are left to be played in turn, in order."""
        order = self._likely_order(loose)
        if self.watched_before(loose[0][0], len(loose)):
            found = [entry for entry, _ in order]
            return found + [entry for entry in loose if entry not in found]
        self.firm = False
        self.hand = [None] * self.seats
        self.starter_seen = self.turn_open = True
        self.starter = self.to_act = None
        for (when, tile, _), reading in order:
            self.now = when
            self._lies(tile, reading)
        self.look_ahead()
        for entry in loose:
            if entry[1].place != "layout":
                entry[1].place = "apart"
                self.ask("TABLE_DIFFERS", entry[1].id, id=entry[1].id, tile=entry[1].tile)
        return []

    def _lies(self, tile: Tile, reading: Reading) -> None:
        """The tile belongs to the layout; whose it was is not known."""
        tile.reading, tile.tile = reading, reading.tile
        joins = () if reading.joint is None else (self.ids[reading.joint.at],)
        self.say(Judged(t=self.now, of=tile.n, legal=True, joins=joins, end=reading.end))
        tile.index = self.board.add(tile.tile, reading.joint, tile.pose)
        self.ids.append(tile.id)
        tile.place, tile.where, tile.seat, tile.by = "layout", tile.pose, None, None

    def take_in(self, tile: Tile) -> bool:
        """A tile that was found apart, and now lies where it may have been played all along."""
        reading = self.board.read([tile.tile], tile.pose)
        if reading.faults or reading.joint is None:
            return False
        self.asked.discard(tile.id)
        self._lies(tile, reading)
        return True

    def _likely_order(self, loose: list[Loose]) -> Found:
        """An order in which as many as possible may have been played; tiles that fit in none are not in it."""
        best: Found = []
        for first in loose:
            order = self._order_from(first, loose)
            if len(order) > len(best):
                best = order
            if len(best) == len(loose):
                break
        return best

    def _order_from(self, first: Loose, loose: list[Loose]) -> Found:
        board = Onboard(self.rules, self.table)
        opening = board.read(first[2], first[1].pose)
        if opening.faults:
            return []
        board.add(opening.tile, None, first[1].pose)
        order: Found = [(first, opening)]
        # doubles last: what hangs on one can only follow it, and a foot once begun has to be finished
        left = sorted((entry for entry in loose if entry is not first), key=lambda entry: is_double(entry[2][0]))
        while True:
            for entry in left:
                tile, readings = entry[1], entry[2]
                reading = board.read(readings, tile.pose)
                if not reading.faults:
                    board.add(reading.tile, reading.joint, tile.pose)
                    order.append((entry, reading))
                    left.remove(entry)
                    break
            else:
                return order

    # who opened

    def turn_found(self, seat: int, by: SeatBy | None) -> None:
        if self.turn_open:
            self.turn_open, self.to_act = False, seat
            if self.starter is not None:
                self.starter = seat
        elif self.opener_assumed and by != "turn":
            if by != "button" and self.to_act is not None and seat != self.to_act and self._only_opened():
                self._reseat((seat - self.to_act) % self.seats)
            self.opener_assumed = seat != self.to_act

    def _only_opened(self) -> bool:
        """Whether a round is at its first tile, and all that is known of hands was laid or drawn since."""
        of_others = self.wrongs or self.searched or any(self.known)
        shown = zip(self.claims.shown, self.played, strict=True)
        return len(self.board.line.played) == 1 and not of_others and all(set(s) <= set(p) for s, p in shown)

    def _reseat(self, by: int) -> None:
        """What was assumed of seats since the opening holds for those so many seats on."""

        def shifted(values: list[Any]) -> list[Any]:
            return [values[seat - by] for seat in range(self.seats)]

        def on(seat: int | None) -> int | None:
            return None if seat is None else (seat + by) % self.seats

        self.hand, self.played = shifted(self.hand), shifted(self.played)
        self.starter, self.to_act, self.accepted = on(self.starter), on(self.to_act), on(self.accepted)
        if self.last_layer is not None:
            self.last_layer = ((self.last_layer[0] + by) % self.seats, self.last_layer[1])
        for tile in self.tiles.values():
            if tile.place == "layout" and tile.by == "turn":
                tile.seat = on(tile.seat)
        self.claims.reseat(by)
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
