"""The end of a round of a line game: hands counted as they are laid open, hidden faults proven, scores."""

from __future__ import annotations

from table.events import Hand, MatchEnded, Pose, Revealed, RoundEnded, is_double, pips
from table.rules.line import Outcome

from .fold import STILL_S
from .line_state import Tile
from .shifting import Shifting


class Reveal(Shifting):
    """Hands shown, and what follows."""

    def touch_strip(self, tile: Tile, before: Pose | None = None) -> None:
        """Something changed in a seat's strip: it is not still any more."""
        if self.phase != "reveal":
            return
        for pose in (tile.pose, before):
            seat = None if pose is None else self.zone(pose)
            if seat is None and tile.place == "strip":
                seat = tile.seat
            if seat is not None:
                self.strip_t[seat] = self.now
                self.revealed.pop(seat, None)

    def _lying(self, seat: int) -> list[Tile]:
        """What lies open or as a back in a seat's strip."""
        return [
            tile
            for tile in self.tiles.values()
            if (tile.place == "strip" and tile.seat == seat)
            or (tile.place in ("other", "unclear") and self.zone(tile.pose) == seat)
        ]

    def end_by_last_tile(self, force: bool = False) -> None:
        """A hand of one tile that has been shown for a while: by mistake it would have been taken back."""
        still = force or self.now - self.shown_t >= STILL_S
        if self.phase == "play" and still and self.last_tile_shown():
            self.end_play("blocked" if self.all_passed else "out")
            self.strip_t = dict.fromkeys(range(self.seats), self.shown_t)

    def look_at_strips(self, force: bool = False, seats: range | None = None) -> None:
        """Count the hands whose strips are still, in seat order."""
        if self.phase != "reveal":
            return
        looked_at = seats or range(self.seats)
        if force and any(map(self._lying, looked_at)):
            self._who_opened()
        for seat in looked_at:
            lying = self._lying(seat)
            if seat in self.revealed or not lying:
                continue
            if force or self.now - self.strip_t.get(seat, self.now) >= STILL_S:
                self._who_opened(seat)
                self._reveal(seat, lying, force)
        self._settle_when_all_lie(force)

    def _who_opened(self, ready: int | None = None) -> None:
        """Where nobody was seen, the hands may tell: all of them, or up to now those whose seats are ready."""
        lying = [self._lying(seat) for seat in range(self.seats)]
        counts = {s: {len(tiles), sum(not tile.early for tile in tiles)} for s, tiles in enumerate(lying)}
        some = {s: count for s, count in counts.items() if lying[s]}
        done = {s: count for s, count in some.items() if s == ready or s in self.revealed}
        if any(map(self.opener_by_hands, (counts, some, done) if ready is None else (done,))):
            for wrong in [w for w in self.wrongs if w.kind == "reveal" and w.seat in counts]:
                if wrong.seat is not None and self.hand[wrong.seat] in counts[wrong.seat]:
                    self.close_wrong(wrong, "corrected")

    def _reveal(self, seat: int, lying: list[Tile], force: bool) -> None:
        due = self.hand[seat]
        if due is not None and len(lying) != due and sum(not tile.early for tile in lying) == due:
            lying = [tile for tile in lying if not tile.early]  # what lay there before the first tile is no hand tile
        if due is not None and self.may_have_drawn and len(lying) > due:
            self.drew_unseen, due = True, None
        faces = sorted(tile.tile for tile in lying if tile.face == "up" and tile.place == "strip")
        backs = len(lying) - len(faces)
        wrong = next((w for w in self.wrongs if w.kind == "reveal" and w.seat == seat), None)
        if due is not None and len(lying) != due:
            args = {"s": seat, "n": due, "m": len(lying)}
            if wrong is None or wrong.args != args:
                if wrong is not None:
                    self.close_wrong(wrong, "corrected")
                self.call("REVEAL_MISMATCH", seat, "reveal", args, about=self.strip_t.get(seat, self.now))
            if not force:
                return  # the rest may still come
        elif wrong is not None:
            self.close_wrong(wrong, "corrected")
        ids = tuple(sorted(tile.id for tile in lying))
        self.say(Revealed(t=self.now, seat=seat, tiles=tuple(faces), backs=backs, ids=ids))
        self.revealed[seat] = tuple(faces)
        self.say(Hand(t=self.now, seat=seat, tiles=tuple(faces), pips=sum(map(pips, faces))))

    def _settle_when_all_lie(self, force: bool) -> None:
        for seat in range(self.seats):
            if seat in self.revealed:
                continue
            if self.hand[seat] == 0 and not self._lying(seat):
                continue
            complete = self.hand[seat] is None and (force or self.all_lie_open())
            if complete and self.revealed and not self._lying(seat):
                continue  # the deal was wrong, so who shows nothing while the others do is out
            return
        if self.revealed or (all(count == 0 for count in self.hand) and not self.may_have_drawn):
            self._settle()

    def _settle(self) -> None:
        """All hands lie: proofs, scores, totals, the match."""
        for seat in range(self.seats):
            if seat not in self.revealed:
                self.say(Hand(t=self.now, seat=seat, tiles=(), pips=0))
                self.revealed[seat] = ()
        counted = not self.drew_unseen and not any(wrong.kind == "reveal" for wrong in self.wrongs)
        for wrong in [w for w in self.wrongs if w.kind == "reveal"]:
            self.close_wrong(wrong, "stands")
        before = list(self.waiting_proofs)
        for seat in range(self.seats):
            for tile in self.revealed[seat]:
                for claim in self.claims.show(seat, tile):
                    before.append(claim)
        counted = counted and not self.opener_open and not self.opener_doubted
        self.hands_lie = counted
        if counted:  # a wrong count means that somebody else may have laid or taken what was only assumed
            for claim in before:
                self.tell(claim)
            for claims in self.claims.together():
                self.tell_together(claims)
            self._check_start()
        self._score()

    def _check_start(self) -> None:
        """Where who should have started is known only now, from all that each seat held."""
        if not self.rules.start_shown_by_hands or self.starter is None or self.may_have_drawn:
            return
        if any(self.claims.drawn) or any(self.claims.last_back) or not self.board.line.played:
            return
        held = [[*self.played[seat], *self.revealed[seat]] for seat in range(self.seats)]
        opening, options = self.board.line.played[0].tile, self.rules.options
        doubles = [sorted(tile for tile in hand if is_double(tile)) for hand in held]
        if doubles[self.starter] and not is_double(opening):
            if options["opening_double"] == "required_if_held":
                self.late.append(self.starter)
                args = {"tile": "a double", "s": self.starter}
                self.report("WRONG_OPENING_TILE", self.starter, args, self.started_t, opening)
            else:
                self.advise("OPENING_DOUBLE_CUSTOM")
        if not self.by_method:
            return
        if options["starter_method"] == "highest_total":
            totals = [sum(map(pips, hand)) for hand in held]
            best = max(totals)
            if totals[self.starter] < best and totals.count(best) == 1:
                self._wrong_start(totals.index(best), None)
        elif options["starter_method"] == "highest_double":
            top = [max((pips(tile) for tile in seat), default=-1) for seat in doubles]
            if max(top) > top[self.starter]:
                seat = top.index(max(top))
                self._wrong_start(seat, doubles[seat][-1])

    def _wrong_start(self, seat: int, tile: str | None) -> None:
        self.late.append(seat)
        self.report("WRONG_STARTER", seat, {"s": seat}, self.started_t, tile)

    def _score(self) -> None:
        points = [sum(map(self.rules.counted, self.revealed[seat])) for seat in range(self.seats)]
        counts = [len(self.revealed[seat]) for seat in range(self.seats)]
        empty = [seat for seat in range(self.seats) if counts[seat] == 0 and self.hand[seat] != 0]
        if (self.may_have_drawn or None in self.hand) and self.last_layer is not None:
            # hands were not known when play ended; whoever shows nothing after laying the last tile went out
            last = self.last_layer[0]
            laid_all = counts[last] == 0 and self.hand[last] == 0 and not self.passes
            if laid_all or (None in self.hand and not self.loose_passes and counts.count(0) == 1):
                self.reason = "out"
            elif all(counts):
                self.reason = "blocked"
        if self.reason == "out":
            out = [seat for seat in range(self.seats) if self.hand[seat] == 0]
            out.sort(key=lambda seat: counts[seat] > 0)  # who shows nothing, where hands may hold more than was seen
            winner = next(iter([*out, *empty]), None)
            outcome = Outcome(None, (0,) * self.seats) if winner is None else self.rules.out(winner, points)
        else:
            outcome = self.rules.blocked(points, counts)
        scores = [a + b for a, b in zip(outcome.scores, self.round_scores, strict=True)]
        penalty = self.rules.options["late_penalty"]
        assert isinstance(penalty, int)
        for seat in self.late:
            scores[seat] += penalty if self.rules.low_wins else -penalty
        for seat in range(self.seats):
            self.totals[seat] += scores[seat] - self.round_scores[seat]
        self._end_round("out" if self.reason == "out" else "blocked", outcome.winner, scores)

    def _end_round(self, reason: str, winner: int | None, scores: list[int]) -> None:
        self.phase = "scored"
        self.to_act = self.accepted = None
        self.last_winner = winner
        self.say(
            RoundEnded(t=self.now, reason=reason, winner=winner, scores=tuple(scores), totals=tuple(self.totals))  # type: ignore[arg-type]
        )
        if reason == "redeal":
            return
        self.rounds_done += 1
        if winner is not None:
            self.rounds_won[winner] += 1
        winners = self.rules.match_winners(self.totals, self.rounds_won, self.rounds_done)
        if winners:
            self.phase = "over"
            self.say(MatchEnded(t=self.now, winners=winners, totals=tuple(self.totals)))

    def redeal(self) -> None:
        """Nobody was dealt a double: the hands go back and the round is dealt again."""
        self._end_round("redeal", None, [0] * self.seats)

    def look_for_next_round(self) -> None:
        """The table was cleared after a round: the next begins."""
        if self.phase == "scored" and not any(
            tile.place in ("layout", "strip", "wrong") for tile in self.tiles.values()
        ):
            self.tiles.clear()
            self.start_round()
