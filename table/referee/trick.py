"""The fold of Tien Gow: its facts in order, won tricks turned into columns.

Won tricks are new piles of backs in the winner's strip. Groups and their judging are in `trick_acts`.
"""

from __future__ import annotations

import msgspec

from table.events import (
    UNKNOWN,
    Bumped,
    Button,
    Done,
    Fact,
    Moved,
    OfTile,
    Placed,
    Pose,
    Record,
    Removed,
    SeatBy,
    TrickCollected,
    TrickDown,
    TrickUp,
    Turned,
    numbered,
    tiles_of,
)
from table.rules.tricks import Deal
from table.rules.tricks.options import OPEN

from .fold import STILL_S
from .onboard import CLEAR, as_unclear, nearly_equal, surest
from .trick_acts import Lying, TrickActs

ONE_PILE_W = 0.7  # backs this near to one another are one pile
STILLS_APART_S = 0.9
BACK_CLEAR = 0.75  # a back less sure is no reply
COPIES = tiles_of("chinese")


class TrickFold(TrickActs):
    """One match of Tien Gow."""

    # facts

    def take(self, fact: Fact) -> list[Record]:
        self.now = max(self.now, fact.t)
        completed: Fact = fact
        if isinstance(fact, Placed):
            completed = self._placed(fact)
        elif isinstance(fact, Removed):
            completed = self._removed(fact)
        elif isinstance(fact, Turned):
            completed = self._turned(fact)
        elif isinstance(fact, Moved):
            completed = self._moved(fact)
        elif isinstance(fact, Bumped):
            for tile in self.lying.values():
                tile.pose = fact.moved(tile.pose)
        elif isinstance(fact, Button) and fact.button == "done":
            self._done(fact.seat)
        elif isinstance(fact, Button) and fact.button == "challenge" and fact.seat < self.seats:
            self.advise("CHALLENGE", by=fact.seat, answer="nothing")  # nobody says anything of a hidden hand
        return [completed, *self.answer()]

    def _done(self, seat: int) -> None:
        self.say(Done(t=self.now, seat=seat, by="button"))
        if self.deal is None and not self.lying and seat < self.seats:
            self.deal = Deal(seat, self.options)  # the lots were drawn: this seat has the bank
            self.to_act = seat
        if self.act is not None and self.act.seat == seat and self.act.wrong is None:
            self._judge()

    def _placed(self, fact: Placed) -> Fact:
        before = self.lying.get(fact.id)
        if before is not None and before.role != "unclear":
            before.pose = fact.at
            return _by(fact, before.seat, before.by)
        self.settle_emptied(self.now)  # what goes in a picture is told before what comes
        zone = self._zone(fact.at)
        tile = Lying(fact.id, fact.tile, fact.face, fact.at, fact.n, "play")
        self.lying[fact.id] = tile
        self.asked.discard(fact.id)
        sure = surest(fact.tile, fact.confidence, fact.alternatives)
        if zone is not None and (fact.face != "up" or sure < CLEAR):
            tile.role, tile.seat = "back", zone
            self._strip_changed()
            return _by(fact, zone if fact.seat_by != "arm" else fact.seat, "arm" if fact.seat_by == "arm" else None)
        if fact.face == "up" or fact.face == "unclear":
            name = self._reading(fact)
            if name is None:
                tile.role = "unclear"
                self.ask("UNCLEAR_TILE", fact.id, id=fact.id)
                return _by(as_unclear(fact), *self.seated(fact.seat, fact.seat_by, self._assumed(fact.at)))
            tile.tile, tile.face = name, "up"
            fact = msgspec.structs.replace(fact, tile=name, face="up")
        elif fact.confidence < BACK_CLEAR:
            tile.role = "unclear"  # hardly a tile
            return _by(fact, *self.seated(fact.seat, fact.seat_by, None))
        if zone is not None:
            tile.role, tile.seat = "shown", zone
            if self.over:
                self._audit(tile)
            else:
                self.advise("TILE_EXPOSED", s=zone, tile=tile.tile)
            return _by(fact, zone if fact.seat_by != "arm" else fact.seat, "arm" if fact.seat_by == "arm" else None)
        if self.over:
            return _by(fact, *self.seated(fact.seat, fact.seat_by, None))
        seat, by = self.seated(fact.seat, fact.seat_by, self._assumed(fact.at))
        assert seat is not None
        tile.seat, tile.by = seat, by
        self._lay(tile, seat)
        return _by(fact, seat, by)

    def _reading(self, fact: Placed) -> str | None:
        """Among nearly equal readings the first of which a tile is left; a clear one stays what it is."""
        readings = nearly_equal(fact.tile, fact.confidence, fact.alternatives, self._left)
        if surest(fact.tile, fact.confidence, fact.alternatives) < CLEAR and fact.seat_by != "correction":
            return None
        left = [name for name in readings if self._left(name)]
        if fact.face == "unclear":
            return left[0] if len(left) == 1 else None
        return next(iter(left or readings), None)

    def _left(self, name: str) -> bool:
        return self._copies(name) < COPIES.get(name, 0)

    def _copies(self, name: str) -> int:
        played = 0 if self.deal is None else sum(play.tiles.count(name) for play in self.deal.plays())
        under_way = [] if self.act is None else [self.lying[i].tile for i in self.act.ids if i in self.lying]
        return played + under_way.count(name)

    # taking back, turning, collecting

    def _removed(self, fact: Removed) -> Fact:
        tile = self.lying.pop(fact.id, None)
        self.asked.discard(fact.id)
        seat = None if tile is None else tile.seat
        act = self.act
        if act is not None and fact.id in act.ids and tile is not None:
            at = act.ids.index(fact.id)
            act.ids.remove(fact.id)
            act.told -= at < act.told
            act.t = self.now
            act.gone.append(tile)
            if not act.ids:
                self.emptied, self.act = act, None
            elif act.wrong is not None and act.wrong.code == "WRONG_TILE_COUNT":
                self._judge()
        elif tile is not None and tile.role == "play" and self.deal is not None and tile.trick == len(self.deal.tricks):
            self.swept_t = self.now
        else:
            self._strip_changed()
        self._next_deal_when_cleared()
        return _by(fact, *self.seated(fact.seat, fact.seat_by, seat))

    def settle_emptied(self, t: float) -> None:
        """A called group that is gone was taken back; gone together with the rest of the trick, it was let stand."""
        act, self.emptied = self.emptied, None
        if act is None or act.wrong is None:
            return
        now, self.now = self.now, act.t
        if self.swept_t == act.t and self.deal is not None and self.deal.trick is not None:
            self.close_wrong(act.wrong, "stands")
            up = all(tile.face == "up" for tile in act.gone)
            self._apply(act.seat, tuple(tile.tile for tile in act.gone), up, stands=True)
        else:
            self.close_wrong(act.wrong, "corrected")
        self.now = max(now, t)

    def _next_deal_when_cleared(self) -> None:
        limit = self.options.deals_per_match
        if self.over and not self.lying and (limit == OPEN or self.deals_done < limit):
            self.start_round()

    def _turned(self, fact: Turned) -> Fact:
        tile = self.lying.get(fact.id)
        if tile is None:
            return fact
        tile.pose, tile.face = fact.at, fact.face
        if fact.tile != UNKNOWN:
            tile.tile = fact.tile
        act = self.act
        if act is not None and fact.id in act.ids:
            faces = {self.lying[i].face for i in act.ids if i in self.lying}
            if act.wrong is not None and len(faces) == 1:  # turned tile by tile: judged once all lie the same way
                self._judge()
        elif fact.face == "up" and self.over:
            self._audit(tile)
        elif tile.role == "play" and fact.face == "up":
            self.advise("DISCARD_EXPOSED", tile=tile.tile)
        return _by(fact, *self.seated(fact.seat, fact.seat_by, tile.seat))

    def _audit(self, tile: Lying) -> None:
        """Discards turned up after the deal, where that is agreed: too many of a face, or a face of no such set."""
        if self.deal is None or not self.options.reveal_discards or tile.id in self.audited:
            return
        before = {(fault.code, fault.args) for fault in self.deal.audit(list(self.audited.values()))}
        self.audited[tile.id] = tile.tile
        for fault in self.deal.audit(list(self.audited.values())):
            if (fault.code, fault.args) not in before:
                self.report(fault.code, None, dict(fault.args), self.now, tile.tile)

    def _moved(self, fact: Moved) -> Fact:
        tile = self.lying.get(fact.id)
        if tile is None:
            return fact
        tile.pose = fact.at
        zone = self._zone(fact.at)
        if zone is not None and tile.role == "play" and self.collecting is not None:
            tile.role, tile.seat = "back", zone
        self._strip_changed()
        return _by(fact, *self.seated(fact.seat, fact.seat_by, tile.seat))

    def _strip_changed(self) -> None:
        if self.collecting is not None:
            self.collect_t = self.now
        for wrong in [w for w in self.wrongs if w.kind == "columns" and w.seat is not None]:
            assert wrong.seat is not None
            if self._piles(wrong.seat) == wrong.count:
                self.close_wrong(wrong, "corrected")

    def _piles(self, seat: int) -> int:
        """Piles of backs in a seat's strip: several backs at nearly one place are one."""
        tops: list[Pose] = []
        near = ONE_PILE_W * self.table.width_mm
        for tile in self.lying.values():
            if tile.role == "back" and self._zone(tile.pose) == seat:
                at = tile.pose
                if all((at.x_mm - p.x_mm) ** 2 + (at.y_mm - p.y_mm) ** 2 > near**2 for p in tops):
                    tops.append(at)
        return len(tops)

    def _look_collected(self, rested: bool) -> None:
        """The trick's tiles are gone from the middle: who has them, and in how many piles."""
        if self.collecting is None:
            return
        assert self.deal is not None
        if any(t.role == "play" and t.trick == len(self.deal.tricks) - 1 for t in self.lying.values()):
            return
        due = len(self.deal.tricks[-1].plays[0].tiles)
        gained = [self._piles(seat) - self.piles_before[seat] for seat in range(self.seats)]
        winner = self.collecting
        if gained[winner] != due and not rested:
            return
        takers = [seat for seat in range(self.seats) if gained[seat] > 0]
        seat = winner if gained[winner] > 0 or not takers else takers[0]
        self.say(TrickCollected(t=self.now, seat=seat, count=gained[seat]))
        self.collecting = None
        self.to_act = self.deal.to_act
        if seat != winner:
            self.call("WRONG_COLLECTOR", seat, "columns", {"s": winner}, count=self.piles_before[seat])
        elif takers and gained[winner] != due:
            args = {"s": winner, "n": self.deal.columns[winner]}
            self.call("COLUMN_MISCOUNT", winner, "columns", args, count=self.piles_before[winner] + due)

    # time

    def picture(self, t: float) -> None:
        """A source that gives no more than a picture a second or so gives settled tables, each complete."""
        guessed = self.match.source is None and t - self._looked_t >= STILLS_APART_S
        self.stills = self.match.source == "stills" or guessed
        self._looked_t = t

    def lies(self, tile_id: int) -> bool:
        return tile_id in self.lying

    def start_clocks(self) -> None:
        self.collect_t = self.now
        if self.act is not None:
            self.act.t = self.now

    def close(self, t: float, complete: bool) -> list[Record]:
        if self.paused:
            return self.waiting(t)
        if self.emptied is not None and (complete or self.emptied.t < t):
            self.settle_emptied(self.now)
            before = self.answer()
            return before + self.close(t, complete)
        self.now = max(self.now, t)
        act = self.act
        if act is not None and (complete or act.t < t) and act.told < len(act.ids):
            due = self._due()
            enough = due is not None and len(act.ids) >= due
            if enough or (self.stills and complete) or (self.stills and act.t < t) or t - act.t >= STILL_S:
                self._judge()
        if self.collecting is not None and (complete or self.collect_t < t):
            rested = self.collect_t < t if self.stills else t - self.collect_t >= STILL_S
            self._look_collected(rested)
        return self.answer()

    def finish(self, t: float) -> list[Record]:
        if self.paused:
            return self.waiting(t)
        self.settle_emptied(self.now)
        self.now = max(self.now, t)
        if self.act is not None and self.act.told < len(self.act.ids):
            self._judge()
        self._look_collected(rested=True)
        return self.answer()

    def force(self, fact: Fact) -> list[Record]:
        self.now = max(self.now, fact.t)
        if isinstance(fact, TrickUp | TrickDown) and self.act is not None and self.act.told < len(self.act.ids):
            self._judge()
        elif isinstance(fact, TrickCollected):
            self._look_collected(rested=True)
        return self.answer()


def _by(fact: OfTile, seat: int | None, by: SeatBy | None) -> OfTile:
    return fact if (fact.seat, fact.seat_by) == (seat, by) else numbered(fact, fact.n, seat=seat, seat_by=by)
