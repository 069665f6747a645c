"""A layout that lies on the table when watching begins: taken as it lies, for nobody saw who laid what.

Decided here (the rules say only who is assumed to lay first): tiles of one picture before any was played are a layout
that was found, when nobody was seen and nothing was told before them. They are put into an order in which each may
have been played; none is held against anybody, no hand is counted from then on, and who acts first has the turn.
Where the table was watched before, they were laid in turn; only their order is looked for. Each still is looked at in
full, so a first one that told of nothing was of an empty table; a film may have begun behind somebody's arm.
"""

from __future__ import annotations

from table.events import Judged, is_double

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
