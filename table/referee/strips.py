"""Hand tiles face up before a seat before the reveal: lots, searched tiles, hands for a redeal, tiles exposed."""

from __future__ import annotations

from table.events import Pose, is_double, pips

from .line_state import Tile
from .turns import Turns


class Strips(Turns):
    """What is shown in the seats' strips before the reveal."""

    def _arrive_in_strip(self, tile: Tile, zone: int) -> None:
        """A hand tile face up before a seat: a lot, a searched tile, an exposed one, or the reveal."""
        tile.place = "strip"
        if self.phase == "reveal":
            self.touch_strip(tile)
            return
        seat = zone
        tile.seat = seat
        self._show_after_false_pass()
        if self.phase == "reveal":
            self.touch_strip(tile)
            return
        self.shown_t = self.now
        self.expose(tile, seat)
        if not self.board.line.played:
            self._shown_before_play(tile, seat)
            return
        if (any(count is None for count in self.hand) or self.may_have_drawn) and self._many_show():
            self.end_play("blocked" if self.all_passed else "out")
        else:
            self.known[seat].add(tile.tile)
            self.show(seat, tile.tile)
            self.advise("TILE_EXPOSED", s=seat, tile=tile.tile)
        self.touch_strip(tile)

    def _show_after_false_pass(self) -> None:
        """Hands laid open though the last pass was called: the players let it stand and end the round."""
        wrong = next((w for w in self.wrongs if w.kind == "pass" and w.code == "ILLEGAL_PASS"), None)
        if wrong is not None and self.passes + 1 >= self.seats:
            self.stand(wrong)

    def _many_show(self) -> bool:
        return sum(t.place == "strip" for t in self.tiles.values()) > 1

    @property
    def all_passed(self) -> bool:
        """Whether everybody passed where nobody could count the boneyard: players know whether the round is over."""
        return self.loose_passes >= self.seats and self.may_have_drawn

    def last_tile_shown(self) -> bool:
        """Whether a hand of one tile lies open and the round may be over, where hands are not known."""
        may_be_out = self.last_layer is not None and self._may_be_out(self.last_layer[0])
        over = self.all_passed or (self.may_have_drawn and may_be_out) or self.all_lie_open()
        return over and any(t.place == "strip" for t in self.tiles.values())

    def _may_be_out(self, seat: int) -> bool:
        """Whether a seat may hold nothing: one whose hand nobody counted must at least have had as many turns."""
        if self.hand[seat] is not None:
            return self.hand[seat] == 0
        laid = len(self.played[seat]) + 1 if self.opener_doubted else len(self.board.line.played)
        return laid >= self.rules.hand_size()

    def all_lie_open(self) -> bool:
        """Whether hands that nobody counted must be empty, for every tile of the set is accounted for."""
        left = self.rules.yard_after_deal() if self.yard is None and self.rules.draw == "none" else self.yard
        open_tiles = sum(tile.place in ("layout", "strip") for tile in self.tiles.values())
        return None in self.hand and left is not None and open_tiles + left == len(self.rules.faces)

    def _shown_before_play(self, tile: Tile, seat: int) -> None:
        options = self.rules.options
        method = options["starter_method"]
        if self.rules.set_aside:
            if self.rules.opening_fault(tile.tile) is None:
                self.starter = self.to_act = seat
            return
        if method == "lot" and self.starter is None:
            self._draw_lots(tile, seat)
            return
        if options.get("redeal_without_double") and self._all_hands_lie():
            self._redeal()
            return
        self.advise("TILE_EXPOSED", s=seat, tile=tile.tile)

    def _draw_lots(self, tile: Tile, seat: int) -> None:
        self.lots[seat] = tile.tile
        if len(self.lots) == self.seats:
            best = max(pips(lot) for lot in self.lots.values())
            first = [s for s, lot in self.lots.items() if pips(lot) == best]
            self.lots.clear()
            if len(first) == 1:
                self.starter = self.to_act = first[0]

    def _all_hands_lie(self) -> bool:
        due = self.rules.hand_size()
        return all(
            sum(t.place == "strip" and t.seat == seat for t in self.tiles.values()) >= due for seat in range(self.seats)
        )

    def _redeal(self) -> None:
        for tile in self.tiles.values():
            if tile.place == "strip" and is_double(tile.tile):
                self.report("REDEAL_NOT_DUE", tile.seat, {}, self.now, tile.tile)
                return
        self.redeal()

    # what `reveal` adds

    def touch_strip(self, tile: Tile, before: Pose | None = None) -> None:
        raise NotImplementedError

    def look_for_next_round(self) -> None:
        raise NotImplementedError

    def redeal(self) -> None:
        raise NotImplementedError
