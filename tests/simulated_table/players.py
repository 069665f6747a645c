"""Players of the line games, honest ones and cheats: plans a whole match as a `Script`.

Hands are hidden from the referee, not from here: every act is planned from real hands, with what a referee must say.
The rules engine says what may be played; scores are added up here anew. Cheating is in `cheats`.
"""

from __future__ import annotations

from random import Random

from table.events import Pose, is_double, pips
from table.referee.onboard import Onboard
from table.rules.chicken_foot import ChickenFoot
from table.rules.draw import start_rank
from table.rules.games import line_rules
from table.rules.line import Joint
from table.rules.line.layout import Port

from .cheats import CHEATS
from .ground import Ground, NoRoom, shaken, strip_places, table_for, yard_slots
from .proofs import Claim, Proofs, at_once
from .scoring import Scoring
from .script import NOT_ASKED, Act, FaultDue, Laid, Piece, Script
from .troubles import TROUBLES


class LineMatch(Scoring):
    """Plans one match of a line game."""

    def __init__(
        self,
        game: str,
        seats: int,
        seed: int,
        cheating: float = 0.0,
        trouble: float = 0.0,
        armed: bool = True,
        kinds: tuple[str, ...] = CHEATS,
        troubles: tuple[str, ...] = TROUBLES,
        **options: str,
    ) -> None:
        """`cheating` and `trouble` (nudges, cups, lamps): chances a turn. Options as text.

        `armed`: arms are seen, so also what only an arm tells may happen. `kinds`, `troubles`: which may.
        """
        self.armed, self.kinds, self.troubles = armed, kinds, troubles
        if not armed and game in ("draw", "doubles", "all-fives"):
            options.setdefault("starter_method", "first")  # unseen, whoever starts is taken for seat 0
        self.rng = Random(f"{game} {seats} {seed}")
        if game == "block" and seats != 2:
            options.setdefault("players", str(seats))
        self.rules = line_rules(game, seats, options)
        table = table_for(game, seats)
        self.script = Script(game, seats, seed, dict(options), table)
        self.game, self.seats, self.table = game, seats, table
        self.cheating, self.trouble = cheating, trouble
        self.options = self.rules.options
        self.totals = [0] * seats
        self.rounds_done = 0
        self.rounds_won = [0] * seats
        self.starter: int | None = None
        self.lying: dict[str, Piece] = {}
        self.yard: dict[str, Piece] = {}
        self.to_act: int | None = None

    # the match

    def plan(self, most_rounds: int = 40) -> Script:
        """The whole match. Raises NoRoom when some round did not fit on the table after many tries."""
        while self.script.winners is None and self.rounds_done < most_rounds:
            self._round()
        return self.script

    def _round(self) -> None:
        marks = (len(self.script.acts), len(self.script.laid), len(self.script.faults), len(self.script.rounds))
        kept = (list(self.totals), self.rounds_done, list(self.rounds_won), self.starter)
        lying = dict(self.lying), dict(self.yard)
        for _ in range(30):
            try:
                self._play_round()
                return
            except NoRoom:
                script = self.script
                del script.acts[marks[0] :], script.laid[marks[1] :], script.faults[marks[2] :]
                del script.rounds[marks[3] :]
                self.totals, self.rounds_done, self.rounds_won, self.starter = (
                    list(kept[0]),
                    kept[1],
                    list(kept[2]),
                    kept[3],
                )
                self.lying, self.yard = dict(lying[0]), dict(lying[1])
        raise NoRoom

    def _play_round(self) -> None:
        rules, rng = self.rules, self.rng
        rules.for_round(self.rounds_done)
        self.board = Onboard(rules, self.table)
        self.line = self.board.line
        self.poses: list[Pose | None] = self.board.poses
        self.keys: list[str] = []
        self.ground = Ground(self.table, rng, rules.enforce_space)
        self.proofs = Proofs()
        self.known: list[set[str]] = [set() for _ in range(self.seats)]
        self.passes = self.draws_this_turn = 0
        self.last_passed: tuple[int, Claim] | None = None
        self.late: list[FaultDue] = []
        self.round_scores = [0] * self.seats
        self._nudged_once = set()
        self.over = ""
        self.drawn = False
        self.to_act = None
        self._prepare()
        self._open()
        while not self.over:
            assert self.to_act is not None
            self._turn(self.to_act)
        self._reveal()

    # before the first tile

    def _prepare(self) -> None:
        """The table is cleared, lots or the start double are drawn, tiles are dealt."""
        if self.lying or self.yard:
            gone = dict.fromkeys(self.lying)
            self.lying = {}
            self.act("clear the layout", self.rng.randrange(self.seats), gone)
        if self.game == "chicken-foot" and self.options["starter_method"] == "search":
            self._search()
        elif self.game == "block" and self.options["starter_method"] == "lot" and self.starter is None:
            self._draw_lots()
        self._deal()

    def _lay_yard(self, tiles: list[str], what: str) -> None:
        slots = self.rng.sample(yard_slots(self.table), len(tiles))
        changes: dict[str, Piece | None] = dict.fromkeys(self.yard)
        self.yard = {}
        for tile, slot in zip(tiles, slots, strict=True):
            self.yard[tile] = Piece(tile, False, shaken(slot, self.rng, 1.5, 4.0))
        changes |= self.yard
        self.act(what, self.rng.randrange(self.seats), changes)

    def _deal(self) -> None:
        rules, rng = self.rules, self.rng
        faces = [tile for tile in rules.faces if not self._set_aside(tile)]
        size = rules.hand_size()
        while True:
            rng.shuffle(faces)
            self.hands = [faces[s * size : (s + 1) * size] for s in range(self.seats)]
            if self.game != "doubles" or any(is_double(t) for hand in self.hands for t in hand):
                break
        rest = faces[self.seats * size :]
        self._lay_yard(rest, "deal")

    def _set_aside(self, tile: str) -> bool:
        rules = self.rules
        return isinstance(rules, ChickenFoot) and not rules.holder and tile == f"{rules.start}-{rules.start}"

    def _draw_lots(self) -> None:
        faces = list(self.rules.faces)
        slots = len(yard_slots(self.table))
        assert slots >= len(faces), slots
        while True:
            self.rng.shuffle(faces)
            self._lay_yard(faces, "mix the tiles")
            lots = self.rng.sample(faces, self.seats)
            for seat, tile in enumerate(lots):
                self.show(seat, [tile], "draw a lot")
            best = max(map(pips, lots))
            gone = dict.fromkeys(self.lying)
            self.lying = {}
            self.act("put the lots back", 0, gone)
            first = [s for s in range(self.seats) if pips(lots[s]) == best]
            if len(first) == 1:
                self.starter = first[0]
                return

    def _search(self) -> None:
        rules = self.rules
        assert isinstance(rules, ChickenFoot)
        double = f"{rules.start}-{rules.start}"
        others = self.rng.sample([t for t in rules.faces if t != double], self.rng.randrange(0, 6))
        first = self.rounds_done % self.seats
        seat = first
        for i, tile in enumerate([*others, double]):
            seat = (first + i * rules.step) % self.seats
            self.show(seat, [tile], "search for the start double")
        self.starter = seat
        gone = dict.fromkeys(self.lying)
        self.lying = {}
        self.act("put the searched tiles aside", seat, gone)

    def show(self, seat: int, tiles: list[str], what: str) -> None:
        """Tiles face up in a seat's strip, beside those that lie there."""
        before = [k for k, piece in self.lying.items() if piece.up and self._strip(piece) == seat]
        places = strip_places(self.table, seat, 12)[len(before) :]
        changes: dict[str, Piece | None] = {}
        for tile, place in zip(tiles, places, strict=False):
            turned = place if self.rng.random() < 0.5 else Pose(place.x_mm, place.y_mm, place.angle_deg + 180)
            changes[tile] = Piece(tile, True, shaken(turned, self.rng, 0.8, 2.0))
            self.yard.pop(tile, None)
        self.lying |= {key: piece for key, piece in changes.items() if piece is not None}
        self.act(what, seat, changes)

    def _strip(self, piece: Piece) -> int | None:
        from table.events import zone_of

        return zone_of(piece.pose.x_mm, piece.pose.y_mm, self.table)

    def _open(self) -> None:
        """The first tile."""
        seat, tile = self._opening()
        if isinstance(self.rules, ChickenFoot) and not self.rules.holder:
            self.to_act = self.starter
            self.lay_first(seat, f"{self.rules.start}-{self.rules.start}", in_hand=False)
            self.to_act = seat
            self.script.acts[-1].turn = seat
            return
        self.to_act = seat if self._start_known else None
        self.script.acts[-1].turn = self.to_act
        if tile is None:
            tile = self.rng.choice(self.hands[seat])
        if self.cheating and self.rng.random() < self.cheating:
            self.cheat_opening(seat)
        if self.cheating and self._start_known and self.rng.random() < self.cheating:
            self.wrong_opening(seat)
        self.lay_first(seat, tile)

    @property
    def _start_known(self) -> bool:
        return self.starter is not None

    def _opening(self) -> tuple[int, str | None]:
        """Who starts and with which tile (None: any)."""
        if self.starter is not None:
            return self.starter, None
        method = self.options["starter_method"]
        if method == "first":
            return 0, None
        if self.game in ("draw", "doubles", "all-fives"):
            best = max((t for hand in self.hands for t in hand), key=start_rank)
            return next(s for s in range(self.seats) if best in self.hands[s]), best
        if method == "highest_double":
            tops = [max((pips(t) for t in hand if is_double(t)), default=-1) for hand in self.hands]
            return tops.index(max(tops)), None
        totals = [sum(map(pips, hand)) for hand in self.hands]
        return totals.index(max(totals)), None

    def lay_first(self, seat: int, tile: str, in_hand: bool = True) -> None:
        pose = self.ground.first_place()
        for _ in range(50):
            if self.ground.inside(pose):
                break
            pose = self.ground.first_place()
        else:
            raise NoRoom
        self._commit(seat, tile, None, pose, in_hand)

    # a turn

    def _turn(self, seat: int) -> None:
        if self.trouble and self.rng.random() < self.trouble:
            self.some_trouble(seat)
            if self.over or self.to_act != seat:
                return
        if self.cheating and self.rng.random() < self.cheating and self.some_cheat(seat):
            return
        self.honest_turn(seat)

    def honest_turn(self, seat: int) -> None:
        """Play, or draw and play, or pass."""
        while True:
            if self.legal(seat):
                self.play(seat)
                return
            if not self.may_draw():
                break
            self.take(seat)
        self.press_pass(seat)

    def legal(self, seat: int) -> list[tuple[str, Port]]:
        return [(tile, port) for tile, port in self.line.plays(self.hands[seat]) if port is not None]

    def play(self, seat: int, what: str = "lay a tile") -> None:
        """A legal tile at a good place. Raises NoRoom."""
        options = self.legal(seat)
        self.rng.shuffle(options)
        if self.rng.random() < 0.3:
            options.sort(key=lambda option: -pips(option[0]))
        tight = self.game == "chicken-foot"
        for tile, port in [*options, *options]:
            places = self.ground.places(self.line, self.poses, tile, port)
            if tight and is_double(tile) and places and self.ground.cost >= 40 and options[-1][0] != tile:
                continue  # no room for its toes: something else first
            if places:
                joint, pose = places[0]
                self._commit(seat, tile, joint, pose, what=what)
                return
        raise NoRoom

    def may_draw(self) -> bool:
        if self.rules.draw == "none" or len(self.yard) <= self.rules.floor():
            return False
        return self.rules.draw == "until_playable" or self.draws_this_turn == 0

    def _commit(
        self, seat: int, tile: str, joint: Joint | None, pose: Pose, in_hand: bool = True, what: str = "lay a tile"
    ) -> None:
        """A legal tile lies, and what follows."""
        opening = not self.line.played
        if opening and in_hand:
            self._claim_start(seat, tile)
        self.poses.append(pose)
        self.line.push(tile, joint)
        self.keys.append(tile)
        piece = Piece(tile, True, pose)
        self.lying[tile] = piece
        self.act(what, seat, {tile: piece})
        here = len(self.script.acts) - 1
        self.script.laid.append(Laid(here, tile, tile, seat, True, pose))
        self.passes, self.last_passed = 0, None
        if in_hand:
            self.hands[seat].remove(tile)
            self.known[seat].discard(tile)
            self.shown(seat, tile)
            if self.rules.scores_in_play:
                points = self.rules.points(self.line.position, self.line.played)  # type: ignore[attr-defined]
                self.round_scores[seat] += points
                self.totals[seat] += points
        if opening:
            self.starter = seat
        self.after_tile(seat)

    def after_tile(self, seat: int) -> None:
        """A tile lies for good: is the round over, whose turn is it?"""
        unseen = [t for t in self.rules.faces if t not in self.line.faces]
        if not self.hands[seat]:
            self.over = "out"
        elif self.options["dead_position_ends_round"] and not self.line.playable(unseen):
            self.over = "blocked"
        self.next_turn(seat)

    def next_turn(self, seat: int) -> None:
        self.draws_this_turn = 0
        self.to_act = None if self.over else self.rules.next_seat(seat)
        self.script.acts[-1].turn = self.to_act

    def _claim_start(self, seat: int, tile: str) -> None:
        if self.starter is not None or self.options["starter_method"] not in ("highest", "highest_double"):
            return
        if self.game == "block" or self.options.get("open_with_qualifier") is False:
            return
        bad = [t for t in self.rules.faces if self.rules.outranks(t, tile)]
        for other in range(self.seats):
            self.proofs.claim("WRONG_OPENING_TILE" if other == seat else "WRONG_STARTER", other, bad)

    # draws and passes

    def take(self, seat: int, count: int = 1, claim: bool = True) -> None:
        """Draw tiles."""
        if claim:
            self.proofs.claim("DRAW_WITH_MOVE", seat, self.bad())
        self.proofs.draw(seat, count)
        self.draws_this_turn += count
        self.act("draw", seat, dict.fromkeys(self.out_of_yard(seat, count)))
        self.script.acts[-1].turn = self.to_act

    def out_of_yard(self, seat: int, count: int) -> list[str]:
        self.drawn = True
        keys = self.rng.sample(sorted(self.yard), count)
        for key in keys:
            del self.yard[key]
            self.hands[seat].append(key)
        return keys

    def bad(self) -> frozenset[str]:
        return self.board.playable(self.board.unseen(), sure=True)

    def possible(self, seat: int) -> list[str]:
        others = set().union(*(self.known[s] for s in range(self.seats) if s != seat))
        return [t for t in self.board.unseen() if t not in others]

    def proven_at_once(self, seat: int) -> tuple[bool, str | None]:
        return at_once(self.bad(), self.possible(seat), len(self.hands[seat]), self.known[seat])

    def press_pass(self, seat: int) -> None:
        """An announced pass, true or not."""
        claim = self.proofs.claim("ILLEGAL_PASS", seat, self.bad())
        at_floor = self.rules.draw == "none" or len(self.yard) <= self.rules.floor()
        self.passes = self.passes + 1 if at_floor else 0
        self.last_passed = (seat, claim)
        self.act("pass", press=(seat, "pass"))
        if self.passes >= self.seats:
            self.over = "blocked"
        self.next_turn(seat)

    def shown(self, seat: int, tile: str) -> None:
        """A tile of a hand is seen; claims it proves false are due now."""
        here = len(self.script.acts) - 1
        for claim in self.proofs.show(seat, tile):
            due = FaultDue(claim.code, claim.seat, tile, here, here, "reported")
            self.late.append(due)
            self.script.faults.append(due)

    # the script

    def act(
        self,
        what: str,
        seat: int | None = None,
        changes: dict[str, Piece | None] | None = None,
        press: tuple[int, str] | None = None,
        rest_s: float = 0.0,
    ) -> Act:
        act = Act(what, seat, dict(changes or {}), press=press, rest_s=rest_s, turn=NOT_ASKED, yard=len(self.yard))
        self.script.acts.append(act)
        return act
