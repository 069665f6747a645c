"""`free`: no rules, no turn, no inventory. What lies is told, nothing is judged."""

from __future__ import annotations

from table.events import Bumped, Fact, Judged, Match, OfTile, Placed, Pose, Record, Removed, Returned, Taken, numbered
from table.rules.line.contacts import Laid, Size, contacts

from .fold import Fold
from .onboard import READABLE, as_unclear, surest

TOUCHING_W = 0.5  # nearer than this tiles are told to be joined


class FreeFold(Fold):
    """Watching a table without a game."""

    def __init__(self, match: Match) -> None:
        if match.options:
            raise ValueError(f"free has no option '{next(iter(match.options))}'; it has none")
        super().__init__(match)
        self._lying: dict[int, tuple[str, Pose]] = {}

    def turn_shown(self) -> int | None:
        return None

    def _say_turn(self) -> None:
        """There is no turn to tell."""

    def lies(self, tile_id: int) -> bool:
        return tile_id in self._lying

    def take(self, fact: Fact) -> list[Record]:
        self.now = max(self.now, fact.t)
        if isinstance(fact, OfTile | Taken | Returned) and fact.seat_by == "turn":
            fact = numbered(fact, fact.n, seat=None, seat_by=None)
        guess = isinstance(fact, Placed) and surest(fact.tile, fact.confidence, fact.alternatives) < READABLE / 2
        if guess and isinstance(fact, Placed) and fact.face == "up":
            fact = as_unclear(fact)  # a guess is not told as a reading
        if isinstance(fact, Placed):
            joins = self._touching(fact)
            self.say(Judged(t=self.now, of=fact.n, legal=None, joins=joins, end=None))
        if isinstance(fact, Bumped):
            self._lying = {i: (tile, fact.moved(pose)) for i, (tile, pose) in self._lying.items()}
        elif isinstance(fact, Removed):
            self._lying.pop(fact.id, None)
        elif isinstance(fact, OfTile) and fact.tile != "?":
            self._lying[fact.id] = (fact.tile, fact.at)
        return [fact, *self.answer()]

    def _touching(self, fact: Placed) -> tuple[int, ...]:
        if fact.tile == "?" or fact.face != "up":
            return ()
        laid = [Laid(i, tile, pose) for i, (tile, pose) in self._lying.items()]
        found = contacts(fact.tile, fact.at, laid, Size(self.table.length_mm, self.table.width_mm))
        return tuple(sorted({contact.joint.at for contact in found if contact.off_w <= TOUCHING_W}))
