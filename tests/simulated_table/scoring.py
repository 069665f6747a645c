"""The end of a round of a line game at the simulated table: hands shown, scores added up anew, who starts next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cheats import Cheats
from .ground import NoRoom
from .script import FaultDue, RoundDue
from .wrong_rounds import SETTLE_REST_S


class Scoring(Cheats):
    """Needs the state of `players.LineMatch`."""

    if TYPE_CHECKING:
        totals: list[int]
        rounds_done: int
        rounds_won: list[int]
        round_scores: list[int]
        starter: int | None
        options: dict[str, object]
        late: list[FaultDue]

        cheating: float

    def _reveal(self) -> None:
        rng = self.rng
        order = [s for s in range(self.seats) if self.hands[s]]
        rng.shuffle(order)
        if self.armed and self.cheating and rng.random() < self.cheating:
            self.play_after_end()
        short = rng.choice(order) if order and self.armed and rng.random() < self.cheating else None
        first = len(self.script.acts)
        for seat in order:
            hand = list(self.hands[seat])
            rng.shuffle(hand)
            if len(hand) > 12:
                raise NoRoom  # a hand longer than the strip is made for
            if seat == short and len(hand) > 1:
                self.show_too_few(seat, hand)
                continue
            self.show(seat, hand, "show the hand")
            self.script.acts[-1].turn = None
        self.act("wait", rest_s=SETTLE_REST_S)
        self.script.acts[-1].turn = None
        here = len(self.script.acts) - 1
        for seat in order:
            for tile in sorted(self.hands[seat]):
                for claim in self.proofs.show(seat, tile):
                    self.script.faults.append(FaultDue(claim.code, claim.seat, tile, first, here, "reported"))
        for due in self.late:
            due.waits = here
        self._score(here)

    def _score(self, here: int) -> None:
        counted = [sum(map(self.rules.counted, hand)) for hand in self.hands]
        winner, scores = self._outcome(counted)
        for seat in range(self.seats):
            self.totals[seat] += scores[seat]
        told = tuple(s + r for s, r in zip(scores, self.round_scores, strict=True))
        hands = tuple(tuple(sorted(hand)) for hand in self.hands)
        reason = "out" if self.over == "out" else "blocked"
        self.script.rounds.append(RoundDue(here, reason, winner, told, tuple(self.totals), hands))
        self.rounds_done += 1
        if winner is not None:
            self.rounds_won[winner] += 1
        self._next_round(winner)

    def _outcome(self, points: list[int]) -> tuple[int | None, list[int]]:
        """Who wins the round and what everybody scores, from the points left in the hands."""
        seats = range(self.seats)
        game, low = self.game, min(points)
        out = self.over == "out"
        if game == "chicken-foot":
            best = [s for s in seats if points[s] == low]
            winner = next((s for s in seats if not self.hands[s]), None) if out else None
            if winner is None and len(best) == 1:
                winner = best[0]
            return winner, [0 if out and s == winner else points[s] for s in seats]
        if out:
            winner = next(s for s in seats if not self.hands[s])
            gain = sum(points)
        else:
            best = [s for s in seats if points[s] == low]
            if len(best) > 1 and game == "block":
                fewest = min(len(self.hands[s]) for s in best)
                best = [s for s in best if len(self.hands[s]) == fewest]
            if len(best) > 1:
                return None, [0 for _ in seats]
            winner = best[0]
            gain = sum(points) - points[winner] if game == "doubles" else sum(p - low for p in points)
        if game == "all-fives":
            gain = (gain + 2) // 5 * 5
        return winner, [gain if s == winner else 0 for s in seats]

    def _next_round(self, winner: int | None) -> None:
        opener = self.starter
        if self.game == "chicken-foot":
            if self.rounds_done >= len(self.rules.rounds):  # type: ignore[attr-defined]
                self._match_over(min(self.totals))
            return
        target = self.options["target"]
        assert isinstance(target, int)
        if max(self.totals) >= target:
            self._match_over(max(self.totals))
            return
        how = self.options["next_starter"]
        if how == "method":
            self.starter = None
        elif how == "alternate":
            assert opener is not None
            self.starter = self.rules.next_seat(opener)
        elif winner is not None:
            self.starter = winner

    def _match_over(self, best: int) -> None:
        self.script.winners = tuple(s for s in range(self.seats) if self.totals[s] == best)
