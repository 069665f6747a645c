"""Groups of Tien Gow: what is being laid, when it counts, what it makes of the trick, and what is paid.

A group is judged when its picture is complete and as many tiles lie as are due; a lead, and a reply of too few, when
the next seat acts, on `done`, or after three seconds of rest (in a recording of stills at once). Which seat laid it is
the seat on turn where nobody was seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from table.events import (
    UNKNOWN,
    Judged,
    Match,
    MatchEnded,
    Pose,
    RoundEnded,
    SeatBy,
    Trick,
    TrickDown,
    TrickUp,
    zone_of,
)
from table.rules.tricks import Deal, TrickOptions
from table.rules.tricks.options import OPEN

from .fold import Fold, Wrong

BESIDE_LENGTHS = 1.6  # a tile this near a group under way belongs to it


@dataclass(slots=True)
class Lying:
    """A tile on the table. `role`: `play` before a seat, `back` in a strip, `shown` face up there, `unclear`."""

    id: int
    tile: str
    face: str
    pose: Pose
    n: int
    role: str
    seat: int | None = None
    by: SeatBy | None = None
    trick: int = 0  # which trick of the deal it was laid in


@dataclass(slots=True)
class Act:
    """A group that is being laid, or was called and may still be put right."""

    seat: int
    t: float
    ids: list[int] = field(default_factory=list)
    told: int = 0  # ids that a trick_up or trick_down record was already made of
    wrong: Wrong | None = None
    gone: list[Lying] = field(default_factory=list)  # its tiles that were taken back


class TrickActs(Fold):
    """A match of Tien Gow so far, and its groups."""

    def __init__(self, match: Match) -> None:
        self.options = TrickOptions.from_text(match.options)
        super().__init__(match)
        self.deal: Deal | None = None
        self.deals_done = 0
        self.stills = match.source == "stills"
        self._looked_t = match.t  # when a picture was last told
        self.lying: dict[int, Lying] = {}

    def start_round(self) -> None:
        super().start_round()
        self.deal = self.deal.next_deal() if self.deal is not None and self.deal.over else None
        self.act: Act | None = None
        self.wrongs = []
        self.accepted = None
        self.emptied: Act | None = None  # a group all of whose tiles went in the picture being told
        self.swept_t = -1.0  # when other tiles of the trick under way went
        self.audited: dict[int, str] = {}
        self.collecting: int | None = None  # the winner whose trick still lies there
        self.collect_t = self.now
        self.piles_before: list[int] = [0] * self.seats
        self.over = False
        self.to_act = None if self.deal is None else self.deal.to_act

    def _zone(self, pose: Pose) -> int | None:
        return zone_of(pose.x_mm, pose.y_mm, self.table)

    def _assumed(self, at: Pose) -> int:
        """Who lays here when nobody is seen."""
        act = self.act
        if act is not None and self._beside(at, act) and (act.wrong is None or act.wrong.code == "WRONG_TILE_COUNT"):
            return act.seat
        if act is not None:
            return self._after(act)
        if self.deal is None:
            return 0
        return self.deal.leader if self.deal.to_act is None else self.deal.to_act

    def _after(self, act: Act) -> int:
        """Who acts once an open group is done with."""
        if self.deal is None or act.seat != self.deal.to_act:
            return act.seat if self.deal is None or self.deal.to_act is None else self.deal.to_act
        return self.deal.next_seat(act.seat)

    def _beside(self, at: Pose, act: Act) -> bool:
        reach = BESIDE_LENGTHS * self.table.length_mm
        tiles = [self.lying[i].pose for i in act.ids if i in self.lying]
        return any((at.x_mm - p.x_mm) ** 2 + (at.y_mm - p.y_mm) ** 2 <= reach**2 for p in tiles)

    def _lay(self, tile: Lying, seat: int) -> None:
        if self.act is not None and self.act.seat != seat:
            self._finish_act(seat)
        if self.over:
            return
        if self.deal is None:
            self.deal = Deal(seat, self.options)
            self.to_act = seat
        if self.collecting is not None:
            self.collecting = None  # the winner leads on; nobody saw the trick collected
            self.to_act = self.deal.to_act
        if self.act is None:
            self.act = Act(seat, self.now)
        tile.trick = len(self.deal.tricks)
        self.act.ids.append(tile.id)
        self.act.t = self.now

    def _finish_act(self, actor: int) -> None:
        """Another seat acts: what is under way counts, what was called and is the seat before's stands."""
        act = self.act
        if act is not None and act.wrong is None:
            self._judge()
        act = self.act
        if act is not None and act.wrong is not None and actor != act.seat:
            self.close_wrong(act.wrong, "stands")
            tiles, up = self._group(act)
            self._apply(act.seat, tiles, up, stands=True)

    # judging

    def _group(self, act: Act) -> tuple[tuple[str, ...], bool]:
        lying = [self.lying[i] for i in act.ids if i in self.lying]
        up = all(tile.face == "up" for tile in lying)
        return tuple(tile.tile if up or tile.tile != UNKNOWN else UNKNOWN for tile in lying), up

    def _due(self) -> int | None:
        trick = None if self.deal is None else self.deal.trick
        return None if trick is None else trick.size

    def _judge(self) -> None:
        """The group is complete: say what was laid, and whether it may lie."""
        act = self.act
        assert act is not None
        assert self.deal is not None
        fresh = [i for i in act.ids[act.told :] if i in self.lying]
        tiles, up = self._group(act)
        if fresh:
            faces = tuple(self.lying[i].tile for i in fresh)
            if all(self.lying[i].face == "up" for i in fresh):
                self.say(TrickUp(t=self.now, seat=act.seat, tiles=faces, ids=tuple(fresh)))
            else:
                self.say(TrickDown(t=self.now, seat=act.seat, count=len(fresh), ids=tuple(fresh)))
            act.told = len(act.ids)
        faults = self.deal.faults(act.seat, tiles, up)
        for i in fresh if faults or act.wrong is None else act.ids:
            if i in self.lying:
                self.say(Judged(t=self.now, of=self.lying[i].n, legal=not faults))
        if not faults:
            if act.wrong is not None:
                self.close_wrong(act.wrong, "corrected")
            self._apply(act.seat, tiles, up)
            return
        fault = faults[0]
        args: dict[str, object] = dict(fault.args)
        if act.wrong is not None:
            if act.wrong.code == fault.code:
                act.wrong.ids = set(act.ids)
                return
            self.close_wrong(act.wrong, "corrected")
        named = tiles[0] if len(tiles) == 1 and tiles[0] != UNKNOWN else None
        if len(tiles) > 1:
            args["tiles"] = list(tiles)
        self.accepted = None
        act.wrong = self.call(fault.code, act.seat, "group", args, about=act.t, tile=named, ids=act.ids)

    def _apply(self, seat: int, tiles: tuple[str, ...], up: bool, stands: bool = False) -> None:
        assert self.deal is not None
        tricks = len(self.deal.tricks)
        self.deal = self.deal.play(seat, tiles, up, stands=stands)
        self.act = None
        self.accepted = None if stands else seat
        self.to_act = self.deal.to_act
        if len(self.deal.tricks) > tricks:
            self._trick_done()

    def _trick_done(self) -> None:
        assert self.deal is not None
        result = self.deal.tricks[-1]
        paid = [0] * self.seats
        for payment in result.payments:
            paid[payment.payer] -= payment.amount
            paid[payment.payee] += payment.amount
        self.say(
            Trick(
                t=self.now, leader=result.leader, winner=result.winner, columns=self.deal.columns, payments=tuple(paid)
            )
        )
        self.collecting, self.collect_t = result.winner, self.now
        self.piles_before = [self._piles(seat) for seat in range(self.seats)]
        self.to_act = None
        if self.deal.over:
            self._deal_over()

    def _deal_over(self) -> None:
        assert self.deal is not None
        scores = self.deal.scores()
        for seat in range(self.seats):
            self.totals[seat] += scores[seat]
        winner = self.deal.tricks[-1].winner
        self.say(RoundEnded(t=self.now, reason="last_trick", winner=winner, scores=scores, totals=tuple(self.totals)))
        self.over = True
        self.deals_done += 1
        limit = self.options.deals_per_match
        if limit != OPEN and self.deals_done >= limit:
            best = max(self.totals)
            winners = tuple(seat for seat in range(self.seats) if self.totals[seat] == best)
            self.say(MatchEnded(t=self.now, winners=winners, totals=tuple(self.totals)))

    # what `trick` adds

    def _piles(self, seat: int) -> int:
        """Piles of backs in a seat's strip."""
        raise NotImplementedError

    def settle_emptied(self, t: float) -> None:
        """Whether a group that is gone was taken back or swept up with the trick."""
        raise NotImplementedError
