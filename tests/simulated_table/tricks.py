"""Players of Tien Gow, honest ones and cheats: plans deals as a `Script`.

Groups lie before the seats, face up or down; a trick of k tiles becomes k piles of four backs in its winner's strip.
"""

from __future__ import annotations

from random import Random
from typing import Literal

from table.events import Pose, tiles_of
from table.rules.tricks import Deal, TrickOptions

from .ground import shaken, strip_places, table_for
from .script import NOT_ASKED, Act, FaultDue, Laid, Piece, RoundDue, Script, TrickDue

REST_S = 3.4
"""Longer than an unfinished group is waited for."""
CHEATS = (
    "bad_reply", "too_few", "too_many", "bad_lead", "lead_down", "out_of_turn", "wrong_collector", "miscount",
)  # fmt: skip


class TrickMatch:
    """Plans one match of Tien Gow."""

    def __init__(
        self, seed: int, cheating: float = 0.0, trouble: float = 0.0, armed: bool = True, **options: str
    ) -> None:
        """`cheating`, `trouble`: chances an act. `armed`: arms are seen. Options as text."""
        self.rng = Random(f"tien-gow {seed}")
        options.setdefault("deals_per_match", "2")
        if not armed:
            options.setdefault("starter_method", "first")
        self.options = TrickOptions.from_text(options)
        self.table = table_for("tien-gow", 4)
        self.script = Script("tien-gow", 4, seed, dict(options), self.table)
        self.cheating, self.trouble, self.armed = cheating, trouble, armed
        self.lying: dict[str, Piece] = {}
        self.totals = [0] * 4
        self.owner: dict[str, int] = {}

    def plan(self) -> Script:
        """All deals of the match."""
        deal: Deal | None = None
        for _ in range(self.options.deals_per_match):
            if self.lying:
                self._act("clear the table", self.rng.randrange(4), dict.fromkeys(self.lying))
                self.lying = {}
            if deal is None:
                banker = self.rng.randrange(4) if self.armed else 0
                deal = Deal(banker, self.options)
                if self.options.starter_method == "lot":
                    self._act("the lot's winner says so", press=(banker, "done"))
                    self.script.acts[-1].turn = banker
            else:
                deal = deal.next_deal()
                self.script.acts[-1].turn = deal.banker
            deal = self._deal(deal)
        best = max(self.totals)
        self.script.winners = tuple(s for s in range(4) if self.totals[s] == best)
        return self.script

    def _deal(self, deal: Deal) -> Deal:
        keys = [f"{tile}#{k}" for tile, count in tiles_of("chinese").items() for k in range(count)]
        self.rng.shuffle(keys)
        self.hands = [keys[s * 8 : s * 8 + 8] for s in range(4)]
        self.piles = [0] * 4
        while not deal.over:
            self.in_trick: list[str] = []
            done = len(deal.tricks)
            while len(deal.tricks) == done:
                deal = self._turn(deal)
            here = len(self.script.acts) - 1
            result = deal.tricks[-1]
            self.script.tricks.append(TrickDue(here, result.leader, result.winner, deal.columns))
            if deal.over:
                scores = deal.scores()
                self.totals = [a + b for a, b in zip(self.totals, scores, strict=True)]
                self.script.rounds.append(RoundDue(here, "last_trick", result.winner, scores, tuple(self.totals)))
            self.script.acts[-1].turn = None
            if not deal.over:
                self._collect(deal)
        return deal

    # one act

    def _turn(self, deal: Deal) -> Deal:
        seat = deal.to_act
        assert seat is not None
        if self.trouble and self.rng.random() < self.trouble:
            self._some_trouble(seat)
        if self.cheating and self.rng.random() < self.cheating:
            kinds = list(CHEATS[3:6] if deal.trick is None else [*CHEATS[:3], "out_of_turn"])
            after = getattr(self, "_" + self.rng.choice(kinds))(deal, seat)
            if after is not None:
                return after  # type: ignore[no-any-return]
        return self._lead(deal, seat) if deal.trick is None else self._reply(deal, seat)

    def _lead(self, deal: Deal, seat: int) -> Deal:
        groups = list(deal.legal_leads(self._faces(seat)))
        weights = [1 + 2 * len(group) for group in groups]
        group = self.rng.choices(groups, weights)[0]
        keys = self._keys(seat, group)
        rest = REST_S if self.rng.random() < 0.4 else 0.0
        self._lay(seat, keys, True, "lead", legal=True, rest_s=rest)
        after = deal.play(seat, group)
        if rest or not self.armed:
            self.script.acts[-1].turn = after.to_act
        return after

    def _reply(self, deal: Deal, seat: int) -> Deal:
        assert deal.trick is not None
        better = list(deal.legal_replies(self._faces(seat)))
        size = deal.trick.size
        up = bool(better) and self.rng.random() < 0.7
        keys = self._keys(seat, self.rng.choice(better)) if up else self.rng.sample(self.hands[seat], size)
        if size > 1 and self.armed and self.rng.random() < 0.25:
            self._lay(seat, keys[:1], up, "lay the first of them", legal=True)
            self._lay(seat, keys[1:], up, "lay the others", legal=True)
        else:
            self._lay(seat, keys, up, "beat it" if up else "discard", legal=True)
        return self._played(deal, seat, keys, up)

    def _played(self, deal: Deal, seat: int, keys: list[str], up: bool) -> Deal:
        names = tuple(key.split("#")[0] if up else "?" for key in keys)
        after = deal.play(seat, names, up)
        self.script.acts[-1].turn = after.to_act if len(after.tricks) == len(deal.tricks) else None
        return after

    def _lay(self, seat: int, keys: list[str], up: bool, what: str, legal: bool | None, rest_s: float = 0.0) -> None:
        places = self._places(seat)
        taken = sum(key in self.in_trick for key in self.mine(seat))
        changes: dict[str, Piece | None] = {}
        for k, key in enumerate(keys):
            piece = Piece(key.split("#")[0], up, shaken(places[taken + k], self.rng, 0.9, 2.5))
            changes[key] = self.lying[key] = piece
            self.hands[seat].remove(key)
            self.in_trick.append(key)
            self.owner[key] = seat
        self._act(what, seat, changes, rest_s=rest_s)
        if up and legal is not None:
            for key in keys:
                piece = self.lying[key]
                self.script.laid.append(Laid(len(self.script.acts) - 1, key, piece.tile, seat, legal, piece.pose))

    def mine(self, seat: int) -> list[str]:
        return [key for key in self.in_trick if self.owner.get(key) == seat]

    def _places(self, seat: int) -> list[Pose]:
        """Five places side by side before a seat, off its strip."""
        w, h = self.table.size_mm
        edge = self.table.seats[seat].edge
        deep = self.table.seats[seat].depth_mm + 62
        off = [(k - 1.5) * (self.table.width_mm + 6) for k in range(5)]
        if edge == "bottom":
            return [Pose(w / 2 + o, h - deep, 90.0) for o in off]
        if edge == "top":
            return [Pose(w / 2 + o, deep, 90.0) for o in off]
        return [Pose(deep if edge == "left" else w - deep, h / 2 + o, 0.0) for o in off]

    def _faces(self, seat: int) -> list[str]:
        return [key.split("#")[0] for key in self.hands[seat]]

    def _keys(self, seat: int, group: tuple[str, ...]) -> list[str]:
        left = list(self.hands[seat])
        keys = []
        for tile in group:
            key = next(k for k in left if k.split("#")[0] == tile)
            left.remove(key)
            keys.append(key)
        return keys

    # collecting

    def _as_piles(self, keys: list[str], seat: int, first: int) -> dict[str, Piece | None]:
        places = strip_places(self.table, seat, 8, 13.0)
        changes: dict[str, Piece | None] = {}
        for k, key in enumerate(keys):
            place = places[first + k // 4]
            tilted = Pose(place.x_mm, place.y_mm, place.angle_deg + (k // 4) * 0.7)
            changes[key] = Piece(key.split("#")[0], False, tilted, k % 4)
        self.lying |= {key: piece for key, piece in changes.items() if piece is not None}
        return changes

    def _collect(self, deal: Deal) -> None:
        winner = deal.leader
        keys = list(self.in_trick)
        self.rng.shuffle(keys)
        count = len(keys) // 4
        cheat = self.cheating and self.rng.random() < self.cheating
        if cheat and self.rng.random() < 0.5:
            other = self.rng.choice([s for s in range(4) if s != winner])
            self._act("take a trick of another", other, self._as_piles(keys, other, self.piles[other]), rest_s=REST_S)
            due = self._fault("WRONG_COLLECTOR", other, None)
            self._act("hand it over", winner, self._as_piles(keys, winner, self.piles[winner]))
            due.closed = len(self.script.acts) - 1
        elif cheat and count > 1:
            wrong = self._as_piles(keys, winner, self.piles[winner])
            missing = keys[-4:]
            for key in missing:
                del wrong[key]
                self.lying.pop(key)
            self._act("make too few piles", winner, wrong | dict.fromkeys(missing), rest_s=REST_S)
            due = self._fault("COLUMN_MISCOUNT", winner, None)
            right = self._as_piles(keys, winner, self.piles[winner])
            self._act("put the missing pile there", winner, {key: right[key] for key in missing})
            due.closed = len(self.script.acts) - 1
        else:
            self._act("collect the trick", winner, self._as_piles(keys, winner, self.piles[winner]))
        self.piles[winner] += count
        self.script.acts[-1].turn = winner

    # faults

    def _fault(
        self, code: str, seat: int | None, tile: str | None,
        status: Literal["corrected", "stands", "reported"] = "corrected",
    ) -> FaultDue:  # fmt: skip
        here = len(self.script.acts) - 1
        due = FaultDue(code, seat, tile, here, here, status)
        self.script.faults.append(due)
        self.script.acts[-1].turn = NOT_ASKED
        return due

    def _turn_over(self, seat: int, keys: list[str], up: bool) -> None:
        changes: dict[str, Piece | None] = {}
        for key in keys:
            piece = self.lying[key]
            changes[key] = self.lying[key] = Piece(piece.tile, up, shaken(piece.pose, self.rng, 0.8, 1.5))
        self._act("turn it up" if up else "turn it down", seat, changes)

    def _take_back(self, seat: int, keys: list[str]) -> None:
        for key in keys:
            del self.lying[key]
            self.in_trick.remove(key)
            self.hands[seat].append(key)
        self._act("take it back", seat, dict.fromkeys(keys))

    def _bad_reply(self, deal: Deal, seat: int) -> Deal | None:
        """Face up what does not beat the trick; turned down afterwards."""
        assert deal.trick is not None
        for _ in range(10):
            keys = self.rng.sample(self.hands[seat], deal.trick.size)
            names = tuple(key.split("#")[0] for key in keys)
            faults = deal.faults(seat, names, True)
            if not faults:
                continue
            self._lay(seat, keys, True, "show what does not beat it", legal=False)
            due = self._fault(faults[0].code, seat, names[0] if len(names) == 1 else None)
            self._turn_over(seat, keys, False)
            due.closed = len(self.script.acts) - 1
            return self._played(deal, seat, keys, False)
        return None

    def _too_few(self, deal: Deal, seat: int) -> Deal | None:
        assert deal.trick is not None
        size = deal.trick.size
        if size < 2:
            return None
        keys = self.rng.sample(self.hands[seat], size)
        self._lay(seat, keys[:-1], False, "discard too few", legal=None, rest_s=REST_S)
        due = self._fault("WRONG_TILE_COUNT", seat, None)
        self._lay(seat, keys[-1:], False, "add the missing one", legal=None)
        due.closed = len(self.script.acts) - 1
        return self._played(deal, seat, keys, False)

    def _too_many(self, deal: Deal, seat: int) -> Deal | None:
        assert deal.trick is not None
        size = deal.trick.size
        if len(self.hands[seat]) <= size or size > 3:
            return None
        keys = self.rng.sample(self.hands[seat], size + 1)
        self._lay(seat, keys, False, "discard too many", legal=None)
        due = self._fault("WRONG_TILE_COUNT", seat, None)
        self._take_back(seat, keys[-1:])
        due.closed = len(self.script.acts) - 1
        return self._played(deal, seat, keys[:-1], False)

    def _bad_lead(self, deal: Deal, seat: int) -> None:
        for _ in range(10):
            if len(self.hands[seat]) < 2:
                return
            keys = self.rng.sample(self.hands[seat], 2)
            faults = deal.faults(seat, tuple(key.split("#")[0] for key in keys), True)
            if faults:
                self._lay(seat, keys, True, "lead what is no group", legal=False, rest_s=REST_S)
                due = self._fault(faults[0].code, seat, None)
                self._take_back(seat, keys)
                due.closed = len(self.script.acts) - 1
                self.script.acts[-1].turn = seat if deal.tricks or self.options.starter_method == "lot" else NOT_ASKED
                return

    def _lead_down(self, deal: Deal, seat: int) -> Deal | None:
        key = self.rng.choice(self.hands[seat])
        self._lay(seat, [key], False, "lead face down", legal=None, rest_s=REST_S)
        due = self._fault("LEAD_FACE_DOWN", seat, None)
        self._turn_over(seat, [key], True)
        due.closed = len(self.script.acts) - 1
        return self._played(deal, seat, [key], True)

    def _out_of_turn(self, deal: Deal, seat: int) -> None:
        """Another seat lays before it is due, and takes it back."""
        if not self.armed or (not deal.tricks and self.options.starter_method != "lot" and deal.trick is None):
            return
        acted = set() if deal.trick is None else {play.seat for play in deal.trick.plays}
        others = [s for s in range(4) if s != seat and s not in acted]
        if not others:
            return
        other = self.rng.choice(others)
        size = 1 if deal.trick is None else deal.trick.size
        keys = self.rng.sample(self.hands[other], size)
        led = deal.trick is None
        self._lay(other, keys, led, "lay out of turn", legal=False if led else None, rest_s=REST_S)
        name = keys[0].split("#")[0] if led else None
        due = self._fault("WRONG_LEADER" if led else "OUT_OF_TURN", other, name)
        self._take_back(other, keys)
        due.closed = len(self.script.acts) - 1
        self.script.acts[-1].turn = seat

    def _some_trouble(self, seat: int) -> None:
        kind = self.rng.choice(("lamp", "rest"))
        act = self._act(kind, None if kind == "lamp" else seat)
        act.around = kind
        act.value = self.rng.choice((0.65, 0.8, 1.0, 1.15))
        w, h = self.table.size_mm
        act.at, act.rest_s = (w / 2, h / 2), 3.0 if kind == "rest" else 0.0

    def _act(
        self, what: str, seat: int | None = None, changes: dict[str, Piece | None] | None = None,
        press: tuple[int, str] | None = None, rest_s: float = 0.0,
    ) -> Act:  # fmt: skip
        act = Act(what, seat, dict(changes or {}), press=press, rest_s=rest_s)
        self.script.acts.append(act)
        return act
