"""Faults around a round: a wrong first tile, two tiles in one reach, a tile after the end, a hand not shown whole."""

from __future__ import annotations

from .script import Laid, Piece
from .table_state import TableState

SETTLE_REST_S = 3.8
"""A strip has been still for long enough."""


class WrongRounds(TableState):
    """Needs the state of `players.LineMatch`."""

    def _two_tiles(self, seat: int) -> bool:
        """A legal tile, and in the same reach another that joins it; the other is taken back."""
        if len(self.hands[seat]) < 4 or not self.legal(seat):
            return False
        self.play(seat)
        at = len(self.line.played) - 1
        for tile, port in [] if self.over else self.legal(seat):
            places = self.ground.places(self.line, self.poses, tile, port) if port.at == at else []
            if not places:
                continue
            pose = places[0][1]
            self.lying[tile] = self.script.acts[-1].changes[tile] = Piece(tile, True, pose)
            self.script.laid.append(Laid(self.here, tile, tile, seat, False, pose))
            due = self.fault("MULTIPLE_TILES", seat, tile)
            self.shown(seat, tile)
            self._take_back(seat, tile, due)
            break
        return True

    def wrong_opening(self, seat: int) -> None:
        """The right seat begins with a tile that does not open the round."""
        for tile in self.hands[seat]:
            fault = self.rules.opening_fault(tile)
            if fault is not None:
                due = self._bad_tile(seat, tile, None, self.ground.first_place(), fault.code, "open with a wrong tile")
                self._take_back(seat, tile, due)
                return

    def play_after_end(self) -> None:
        """Somebody lays on when the round is over."""
        for seat in self.rng.sample(range(self.seats), self.seats):
            for tile in self.hands[seat]:
                port = self.rng.choice(self.line.position.ports)
                places = self.ground.places(self.line, self.poses, tile, port)
                if places:
                    pose = places[0][1]
                    self.lying[tile] = Piece(tile, True, pose)
                    self.act("lay a tile after the end", seat, {tile: self.lying[tile]})
                    self.script.laid.append(Laid(self.here, tile, tile, seat, False, pose))
                    due = self.fault("PLAY_AFTER_END", seat, tile)
                    del self.lying[tile]
                    self.act("take it back", seat, {tile: None})
                    due.closed = self.here
                    return

    def show_too_few(self, seat: int, hand: list[str]) -> None:
        """All of the hand but one tile; the last after it was asked for."""
        self.show(seat, hand[:-1], "show the hand but one tile")
        self.act("wait", rest_s=SETTLE_REST_S)
        due = self.fault("REVEAL_MISMATCH", seat, None)
        self.show(seat, hand[-1:], "show the missing tile")
        self.act("wait", rest_s=SETTLE_REST_S)
        due.closed = self.here
