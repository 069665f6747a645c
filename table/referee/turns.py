"""Draws and passes: what the rules allow, and what each claims about the hand."""

from __future__ import annotations

from table.events import Boneyard, Passed, Returned, SeatBy, Taken, numbered

from .claims import Claim
from .line_state import LineState


class Turns(LineState):
    """Draws and passes of a line game."""

    @property
    def playing(self) -> bool:
        return self.phase == "play" and bool(self.board.line.played)

    # the boneyard

    def boneyard(self, fact: Boneyard) -> None:
        was = self.yard
        if fact.count is not None:
            self._account_for(fact.count)
        was_open, self.yard = self.may_have_drawn, fact.count
        if was_open and not self.may_have_drawn and self.playing and self.last_layer is not None:
            seat = self.last_layer[0]
            if self.hand[seat] == 0 and self.board.line.position.foot is None:
                self.end_play("out")  # nothing was drawn meanwhile, so the tile laid last was the seat's last
        if fact.count is None:
            self.firm = self.turn_counted = False
            if was is not None or "boneyard" not in self.asked:
                self.advise("YARD_UNCLEAR")
            self.asked.add("boneyard")
        else:
            self.asked.discard("boneyard")
        for wrong in [w for w in self.wrongs if w.kind == "deal"]:
            if fact.count == wrong.args["e"]:
                self.close_wrong(wrong, "corrected")
                dealt = self.rules.hand_size()
                self.hand = [dealt - len(self.played[seat]) for seat in range(self.seats)]

    def _account_for(self, count: int) -> None:
        """Tiles that came or went while nobody could count them were taken or put back by the seat on turn."""
        missing = 0 if self.reckoned is None else self.reckoned - count
        if missing and self.playing and not self._mends_deal(missing):
            self.yard = self.reckoned
            act: Taken | Returned
            if missing > 0:
                act = Taken(t=self.now, count=missing)
                seat, by = self.take_tiles(act)
            else:
                act = Returned(t=self.now, count=-missing)
                seat, by = self.return_tiles(act)
            self.said.insert(0, numbered(act, act.n, seat=seat, seat_by=by))
        self.reckoned = count

    def _mends_deal(self, taken: int) -> bool:
        """Whether tiles taken (negative: put back) put a wrong deal right, and are no act of play."""
        wrong = next((w for w in self.wrongs if w.kind == "deal"), None)
        return wrong is not None and taken * (wrong.args["k"] - wrong.args["e"]) > 0

    def check_deal(self) -> None:
        """Before the first tile: as many left as the deal leaves."""
        due, rules = self.rules.yard_after_deal(), self.rules
        if self.yard is None or self.yard == due:
            return
        if rules.options.get("starter_method") == "holder" and self.yard < due:
            # nobody was dealt the start double, so seats drew until it was found, and keep what they drew
            known = sum(self.searched.values()) == due - self.yard
            self.hand = [rules.hand_size() + self.searched.get(s, 0) if known else None for s in range(self.seats)]
            return
        self.call("WRONG_DEAL", None, "deal", {"h": rules.hand_size(), "e": due, "k": self.yard})
        self.hand = [None] * self.seats  # somebody holds more or less; the reveal will tell

    def take_tiles(self, fact: Taken) -> tuple[int | None, SeatBy | None]:
        if not self.playing or self._mends_deal(fact.count):
            if self.yard is not None and self.yard <= self.rules.yard_after_deal() and fact.seat is not None:
                self.searched[fact.seat] = self.searched.get(fact.seat, 0) + fact.count
            self.reckoned = None
            return fact.seat, fact.seat_by
        seat, by = self.seated(fact.seat, fact.seat_by, self.assumed())
        assert seat is not None
        if self.reckoned is not None:
            self.reckoned -= fact.count
        self.turn_found(seat, by)
        self.stand_before(seat)
        if not self.playing:
            return seat, by
        self.firm = self.firm and by != "turn" and self.yard is not None
        count = fact.count
        returned = next((w for w in self.wrongs if w.kind == "returned" and w.seat == seat), None)
        if returned is not None:
            self.change_hand(seat, count)
            self.claims.draw(seat, count)
            returned.count -= count
            if returned.count <= 0:
                self.close_wrong(returned, "corrected")
            return seat, by
        self._undo_pass(seat)
        excess, code, args = self._excess(seat, count)
        claim = None
        if excess < count:
            claim = self._claim("DRAW_WITH_MOVE", seat)
        self.claims.draw(seat, count)
        self.change_hand(seat, count)
        self.draws += count
        if excess:
            self._call_draw(code, seat, args, excess)
        elif claim is not None and claim.proven and self.firm:
            claim.told = True
            told = {"s": seat, "t": claim.t, "tile": claim.tile}
            wrong = self.call("DRAW_WITH_MOVE", seat, "draw", told, tile=claim.tile, count=count)
            self.draw_claims[wrong.number] = claim
        return seat, by

    def _call_draw(self, code: str, seat: int, args: dict[str, object], excess: int) -> None:
        already = next((w for w in self.wrongs if w.kind == "draw" and w.seat == seat and w.code == code), None)
        if already is not None:
            already.count += excess
        else:
            self.call(code, seat, "draw", args, count=excess)

    def _excess(self, seat: int, count: int) -> tuple[int, str, dict[str, object]]:
        """How many of the tiles just taken were too many, and why."""
        rules = self.rules
        if seat != self.to_act:
            return count, "OUT_OF_TURN", {"s": self.to_act}
        if rules.draw == "none":
            return count, "DRAW_NOT_ALLOWED", {}
        by_floor = count if self.yard is None else max(0, self.yard - rules.floor())
        if by_floor < count:
            return count - by_floor, "DRAW_BELOW_FLOOR", {"f": rules.floor()}
        if rules.draw == "one" and self.draws + count > 1:
            return count - max(0, 1 - self.draws), "EXTRA_DRAW", {}
        return 0, "", {}

    def return_tiles(self, fact: Returned) -> tuple[int | None, SeatBy | None]:
        if not self.playing or self._mends_deal(-fact.count):
            self.reckoned = None
            return fact.seat, fact.seat_by
        wrong = next((w for w in self.wrongs if w.kind == "draw"), None)
        assumed = self.assumed() if wrong is None or wrong.seat is None else wrong.seat
        seat, by = self.seated(fact.seat, fact.seat_by, assumed)
        assert seat is not None
        self.firm = self.firm and by != "turn"
        count = fact.count
        if self.reckoned is not None:
            self.reckoned += count
        self.change_hand(seat, -count)
        self.claims.put_back(seat)
        self.known[seat].clear()
        wrong = next((w for w in self.wrongs if w.kind == "draw" and w.seat == seat), None)
        if wrong is not None:
            back = min(count, wrong.count)
            wrong.count -= back
            self.draws = max(0, self.draws - back)
            count -= back
            if wrong.count <= 0:
                claim = self.draw_claims.pop(wrong.number, None)
                if claim is not None:
                    claim.void = True
                self.close_wrong(wrong, "corrected")
        if count:
            self.call("TILE_RETURNED", seat, "returned", {}, count=count)
        return seat, by

    # passes

    def press_pass(self, seat: int) -> None:
        if not self.playing or self.out_seat == seat:
            return
        if any(w.kind in (*("tile", "pose", "many"), "pass") and w.seat == seat for w in self.wrongs):
            return  # a wrong tile is taken back, not passed over; a second press says nothing new
        self.turn_found(seat, "button")
        self.stand_before(seat)
        if not self.playing:
            return
        if seat != self.to_act:
            if self.last_pass is None or self.last_pass[0] != seat:
                self.call("OUT_OF_TURN", seat, "press", {"s": self.to_act})
            return
        self.say(Passed(t=self.now, seat=seat, by="button"))
        self.pass_turn(seat, announced=True)

    def pass_turn(self, seat: int, announced: bool) -> None:
        rules = self.rules
        for wrong in [w for w in self.wrongs if w.kind == "press"]:
            self.close_wrong(wrong, "stands")
        at_floor = self.at_floor()
        claim = None
        if announced:
            self.firm = self.firm and (self.yard is not None)
            could_draw = rules.draw == "until_playable" or self.draws == 0
            if not at_floor and self.turn_counted and could_draw:
                self.call("PASS_WITHOUT_DRAW", seat, "pass", {})
                return
            claim = self._claim("ILLEGAL_PASS", seat)
            if claim.proven and self.firm:
                claim.told = True
                told = {"s": seat, "t": claim.t, "tile": claim.tile}
                wrong = self.call("ILLEGAL_PASS", seat, "pass", told, tile=claim.tile)
                self.draw_claims[wrong.number] = claim
                return
        self.passes = self.passes + 1 if at_floor else 0
        self.loose_passes += 1
        self.last_pass = (seat, claim)
        self.accepted = None
        self.advance(seat)
        self.end_when_blocked()

    def may_pass(self, seat: int) -> bool:
        """Whether the rules would let a seat pass that nobody heard passing."""
        if self.yard is None or self.at_floor():
            return True
        return self.rules.draw == "one" and seat == self.to_act and self.draws > 0

    def _undo_pass(self, seat: int) -> None:
        """Who passed and then goes on before anybody else acted, has not passed."""
        for wrong in [w for w in self.wrongs if w.kind == "pass" and w.seat == seat]:
            claim = self.draw_claims.pop(wrong.number, None)
            if claim is not None:
                claim.void = True
            self.close_wrong(wrong, "corrected")
        if self.last_pass is not None and self.last_pass[0] == seat and seat != self.to_act:
            claim = self.last_pass[1]
            if claim is not None:
                claim.void = True
            self.passes = max(0, self.passes - 1)
            self.loose_passes -= 1
            self.to_act = seat
            self.draws = 0
        self.last_pass = None

    # claims

    @property
    def draw_claims(self) -> dict[int, Claim]:
        """The claims that open violations of this round rest on, by the violation's number."""
        return self.claims.called

    def possible(self, seat: int) -> list[str]:
        """Tiles that can be in a hand now."""
        others = set().union(*(self.known[s] for s in range(self.seats) if s != seat))
        seen = [tile for tile in self.tiles.values() if tile.place in ("wrong", "strip") and not tile.early]
        lying = {tile.tile for tile in seen if tile.seat != seat}
        return [tile for tile in self.board.unseen() if tile not in others and tile not in lying]

    def _claim(self, code: str, seat: int) -> Claim:
        """A pass or a draw says that nothing in the hand can be played."""
        unseen = self.board.unseen()
        claim = self.claims.make(code, seat, self.now, self.board.playable(unseen, sure=True))
        held = self.known[seat] - {w.tile for w in self.wrongs if w.tile is not None and w.kind in ("tile", "pose")}
        self.claims.at_once(claim, self.possible(seat), self.hand[seat], held)
        if claim.proven and not self.firm:
            self.waiting_proofs.append(claim)
        return claim
