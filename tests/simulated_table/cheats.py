"""Faults and troubles at a line game's table: what people do wrong or by the way, and what a referee must say to it.

Mixed into `players.LineMatch`. A cheat returns True when the turn is over with it; a trouble never changes the game.
"""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING, Literal

from table.events import Pose, Table, is_double
from table.rules.line import Joint, Line, LineRules
from table.rules.line.layout import LONG, SHORT, Port
from table.rules.line.space import end_of

from .ground import LENGTH, SIZE, Ground, shaken, yard_slots
from .proofs import Claim, Proofs
from .script import NOT_ASKED, Act, FaultDue, Laid, Piece, Script

CHEATS = (
    "wrong_tile", "standing_tile", "out_of_turn", "standing_out_of_turn", "illegal_pass", "pass_without_draw",
    "needless_draw", "extra_draw", "two_at_once", "draw_below_floor", "draw_not_allowed", "draw_out_of_turn",
    "pass_out_of_turn", "double_in_line", "askew", "retracted", "disturbed", "barred", "no_open_end", "duplicate",
)  # fmt: skip
ARMS_NEEDED = frozenset(
    {"out_of_turn", "standing_out_of_turn", "draw_out_of_turn", "retracted", "play_after_end", "wrong_starter"}
)
TROUBLES = ("small_nudge", "nudge", "cup", "lamp", "rest", "pass_taken_back", "misread", "slip")


class Cheats:
    """Needs the state of `players.LineMatch`."""

    if TYPE_CHECKING:
        script: Script
        game: str
        rules: LineRules
        rng: Random
        table: Table
        seats: int
        line: Line
        ground: Ground
        proofs: Proofs
        poses: list[Pose | None]
        keys: list[str]
        hands: list[list[str]]
        known: list[set[str]]
        lying: dict[str, Piece]
        yard: dict[str, Piece]
        last_passed: tuple[int, Claim] | None
        to_act: int | None
        over: str
        draws_this_turn: int
        passes: int

        def act(self, what: str, seat: int | None = None, changes: dict[str, Piece | None] | None = None,
                press: tuple[int, str] | None = None, rest_s: float = 0.0) -> Act: ...  # fmt: skip
        def legal(self, seat: int) -> list[tuple[str, Port]]: ...
        def play(self, seat: int, what: str = "") -> None: ...
        def honest_turn(self, seat: int) -> None: ...
        def shown(self, seat: int, tile: str) -> None: ...
        def take(self, seat: int, count: int = 1, claim: bool = True) -> None: ...
        def out_of_yard(self, seat: int, count: int) -> list[str]: ...
        def press_pass(self, seat: int) -> None: ...
        def may_draw(self) -> bool: ...
        def proven_at_once(self, seat: int) -> tuple[bool, str | None]: ...
        def next_turn(self, seat: int) -> None: ...
        def _commit(self, seat: int, tile: str, joint: Joint | None, pose: Pose, in_hand: bool = True,
                    what: str = "") -> None: ...  # fmt: skip

        _nudged_once: set[str]

    armed = True
    kinds: tuple[str, ...] = CHEATS
    troubles: tuple[str, ...] = TROUBLES

    # choosing

    def some_cheat(self, seat: int) -> bool:
        """One fault that is possible now, or none; True when the turn is over with it."""
        kinds = [k for k in self.kinds if (self.armed or k not in ARMS_NEEDED) and hasattr(self, "_" + k)]
        self.rng.shuffle(kinds)
        for kind in kinds[:8]:
            before = len(self.script.acts)
            over = bool(getattr(self, "_" + kind)(seat))
            if over or len(self.script.acts) > before:
                return over
        return False

    def some_trouble(self, seat: int) -> None:
        if self.line.played:
            getattr(self, "_" + self.rng.choice(self.troubles))(seat)

    @property
    def here(self) -> int:
        return len(self.script.acts) - 1

    def fault(
        self, code: str, seat: int | None, tile: str | None,
        status: Literal["corrected", "stands", "reported"] = "corrected",
    ) -> FaultDue:  # fmt: skip
        """The act just made must be called."""
        due = FaultDue(code, seat, tile, self.here, self.here, status)
        self.script.faults.append(due)
        self.script.acts[-1].turn = NOT_ASKED
        return due

    # tiles

    def _bad_tile(self, seat: int, tile: str, joint: Joint | None, pose: Pose, code: str, what: str) -> FaultDue:
        piece = Piece(tile, True, pose)
        self.lying[tile] = piece
        self.act(what, seat, {tile: piece})
        self.script.laid.append(Laid(self.here, tile, tile, seat, False, pose))
        due = self.fault(code, seat, tile)
        self.shown(seat, tile)
        return due

    def _take_back(self, seat: int, tile: str, due: FaultDue) -> None:
        del self.lying[tile]
        self.act("take it back", seat, {tile: None})
        self.known[seat].add(tile)
        due.closed = self.here
        self.script.acts[-1].turn = self.to_act

    def _mismatch(self, seat: int) -> tuple[str, Joint, Pose] | None:
        """A tile of the hand laid where it does not fit."""
        ports = list(self.line.position.ports)
        self.rng.shuffle(ports)
        for port in ports[:4]:
            unfit = [t for t in self.hands[seat] if str(port.value) not in t.split("-")]
            self.rng.shuffle(unfit)
            for tile in unfit[:2]:
                places = self.ground.places(self.line, self.poses, tile, port)
                if places and places[0][0].side not in ("",):
                    return tile, *places[0]
        return None

    def _wrong_tile(self, seat: int) -> bool:
        found = self._mismatch(seat)
        if found:
            tile, joint, pose = found
            due = self._bad_tile(seat, tile, joint, pose, "END_MISMATCH", "lay a tile that does not fit")
            self._take_back(seat, tile, due)
        return False

    def _standing_tile(self, seat: int) -> bool:
        if self.game in ("all-fives", "chicken-foot") or len(self.hands[seat]) < 2:
            return False
        found = self._mismatch(seat)
        if not found:
            return False
        tile, joint, pose = found
        due = self._bad_tile(seat, tile, joint, pose, "END_MISMATCH", "lay a tile that does not fit")
        self._stands(seat, tile, joint, pose)
        self._next_acts(self.rules.next_seat(seat), due)
        return True

    def _stands(self, seat: int, tile: str, joint: Joint, pose: Pose) -> None:
        self.poses.append(pose)
        self.line.push(tile, joint)
        self.keys.append(tile)
        self.hands[seat].remove(tile)
        self.known[seat].discard(tile)
        self.passes, self.last_passed = 0, None

    def _next_acts(self, seat: int, due: FaultDue) -> None:
        """The seat that acts next, which makes what was open stand."""
        due.status = "stands"
        self.draws_this_turn = 0
        self.to_act = seat
        first = self.here + 1
        self.honest_turn(seat)
        due.closed = first

    def _other(self, seat: int) -> int | None:
        passed = None if self.last_passed is None else self.last_passed[0]
        others = [s for s in range(self.seats) if s not in (seat, passed)]
        return self.rng.choice(others) if others else None

    def _out_of_turn_tile(self, seat: int) -> tuple[int, str, Joint, Pose] | None:
        other = self._other(seat)
        if other is None or len(self.hands[other]) < 2:
            return None
        for tile, port in self.legal(other)[:3]:
            places = self.ground.places(self.line, self.poses, tile, port)
            if places:
                return other, tile, *places[0]
        return None

    def _out_of_turn(self, seat: int) -> bool:
        found = self._out_of_turn_tile(seat)
        if found:
            other, tile, joint, pose = found
            due = self._bad_tile(other, tile, joint, pose, "OUT_OF_TURN", "lay a tile out of turn")
            self._take_back(other, tile, due)
        return False

    def _standing_out_of_turn(self, seat: int) -> bool:
        found = self._out_of_turn_tile(seat)
        if not found or self.game in ("all-fives", "chicken-foot"):
            return False
        other, tile, joint, pose = found
        due = self._bad_tile(other, tile, joint, pose, "OUT_OF_TURN", "lay a tile out of turn")
        draws = self.draws_this_turn
        self._stands(other, tile, joint, pose)
        self._next_acts(seat, due)
        assert draws == 0
        return True

    def _barred(self, seat: int) -> bool:
        """A tile that matches where the game does not let it (locked number, owed foot, trains to start)."""
        for port in self.rng.sample(self.line.position.ports, len(self.line.position.ports)):
            for tile in self.hands[seat]:
                high, low = map(int, tile.split("-"))
                bar = self.rules.gate(self.line.position, high, low, port)
                if port.value in (high, low) and bar is not None:
                    places = self.ground.places(self.line, self.poses, tile, port)
                    if places:
                        due = self._bad_tile(seat, tile, *places[0], bar.code, "lay a tile that is barred")
                        self._take_back(seat, tile, due)
                        return False
        return False

    def _no_open_end(self, seat: int) -> bool:
        """A tile laid at a double's closed side."""
        if self.game not in ("block", "draw"):
            return False
        for at, played in enumerate(self.line.played):
            if played.high != played.low or any(port.at == at for port in self.line.position.ports):
                continue
            on = self.poses[at]
            used = {p.joint.side for p in self.line.played if p.joint is not None and p.joint.at == at}
            used |= {played.joint.own} if played.joint is not None else set()
            sides = [s for s in (SHORT if used & set(LONG) else LONG) if s not in used]
            tiles = [t for t in self.hands[seat] if str(played.high) in t.split("-")]
            if not sides or not tiles or on is None:
                continue
            end = end_of(on, self.rng.choice(sides), SIZE)
            along = math.degrees(math.atan2(end.dy, end.dx))
            tile = tiles[0]
            angle = along if int(tile.split("-")[0]) == played.high else along + 180
            out = LENGTH / 2 + 1.5
            pose = Pose(end.x + end.dx * out, end.y + end.dy * out, angle % 360)
            if not self.ground.is_free(pose, self.poses, 11.0, {at: -0.2}):
                continue
            due = self._bad_tile(seat, tile, None, pose, "NOT_AN_OPEN_END", "lay a tile where nothing is open")
            self._take_back(seat, tile, due)
            return False
        return False

    def _duplicate(self, seat: int) -> bool:
        """A tile of another set that lies already."""
        port = self.rng.choice(self.line.position.ports)
        twins = [p.tile for p in self.line.played if str(port.value) in p.tile.split("-") and not is_double(p.tile)]
        if not twins:
            return False
        tile = self.rng.choice(twins)
        places = self.ground.places(self.line, self.poses, tile, port)
        if not places:
            return False
        key, pose = tile + "'", places[0][1]
        self.lying[key] = Piece(tile, True, pose)
        self.act("lay a tile of another set", seat, {key: self.lying[key]})
        self.script.laid.append(Laid(self.here, key, tile, seat, False, pose))
        due = self.fault("DUPLICATE_TILE", seat, tile)
        del self.lying[key]
        self.act("take it back", seat, {key: None})
        due.closed = self.here
        self.script.acts[-1].turn = self.to_act
        return False

    def _double_in_line(self, seat: int) -> bool:
        """A double laid along the line and then turned across."""
        if not self.rules.crosswise:
            return False
        for tile, port in self.legal(seat):
            on = self.poses[port.at]
            parent = self.line.played[port.at]
            if not is_double(tile) or on is None or parent.high == parent.low or port.side not in ("a", "b"):
                continue
            places = self.ground.places(self.line, self.poses, tile, port)
            end = end_of(on, port.side, SIZE)
            along = math.degrees(math.atan2(end.dy, end.dx))
            out = LENGTH / 2 + 2.0
            pose = Pose(end.x + end.dx * out, end.y + end.dy * out, (along + self.rng.gauss(0, 2)) % 360)
            if places and self.ground.is_free(pose, self.poses, 8.0, {port.at: -0.2}):
                due = self._bad_tile(seat, tile, None, pose, "DOUBLE_NOT_CROSSWISE", "lay a double along the line")
                self._put_right(seat, tile, places[0], due)
                return True
        return False

    def _askew(self, seat: int) -> bool:
        """Draw: a tile laid at an angle, then straight."""
        if not self.rules.enforce_space:
            return False
        for tile, port in self.legal(seat):
            parent = self.line.played[port.at]
            if is_double(tile) or parent.high == parent.low:
                continue
            places = self.ground.places(self.line, self.poses, tile, port)
            if not places:
                continue
            joint, right = places[0]
            turn = self.rng.choice((-1, 1)) * self.rng.uniform(27, 36)
            halves = right.halves_mm(LENGTH)
            x, y = halves[0] if joint.own == "a" else halves[1]
            end = end_of(self.poses[port.at], port.side, SIZE)  # type: ignore[arg-type]
            x, y = x + end.dx * 4, y + end.dy * 4
            angle = right.angle_deg + turn
            sign = 1 if joint.own == "a" else -1
            pose = Pose(
                x + sign * math.cos(math.radians(angle)) * LENGTH / 4,
                y + sign * math.sin(math.radians(angle)) * LENGTH / 4,
                angle % 360,
            )
            if self.ground.is_free(pose, self.poses, 8.0, {port.at: 0.2}):
                due = self._bad_tile(seat, tile, joint, pose, "OFF_AXIS", "lay a tile askew")
                self._put_right(seat, tile, places[0], due)
                return True
        return False

    def _put_right(self, seat: int, tile: str, place: tuple[Joint, Pose], due: FaultDue) -> None:
        """The tile is moved to where it belongs: that ends the turn."""
        laid = len(self.script.laid)
        self._commit(seat, tile, *place, what="put it right")
        del self.script.laid[laid:]  # it is the same tile, moved
        due.closed = self.here

    # the layout

    def _leaf(self) -> int | None:
        """The tile laid last, when nothing is joined to it."""
        at = len(self.line.played) - 1
        return at if at > 0 and self.poses[at] is not None else None

    def _retracted(self, seat: int) -> bool:
        at = self._leaf()
        if at is None or self.script.laid[-1].key != self.keys[at] or not self.script.laid[-1].legal:
            return False
        tile, who, pose = self.keys[at], self.script.laid[-1].seat, self.poses[at]
        assert pose is not None
        self.act("take a tile back that was laid", who, {tile: None})
        due = self.fault("TILE_RETRACTED", who, tile)
        back = shaken(pose, self.rng, 0.8, 1.0)
        self.poses[at] = pose
        self.lying[tile] = Piece(tile, True, back)
        self.act("put it back", who, {tile: self.lying[tile]})
        due.closed = self.here
        self.script.acts[-1].turn = self.to_act
        return False

    def _disturbed(self, seat: int) -> bool:
        at = self._leaf()
        if at is None:
            return False
        pose, tile = self.poses[at], self.keys[at]
        assert pose is not None
        for _ in range(8):
            away = self.rng.uniform(16, 22)
            turn = self.rng.uniform(0, 2 * math.pi)
            moved = Pose(pose.x_mm + away * math.cos(turn), pose.y_mm + away * math.sin(turn), pose.angle_deg)
            others = [p for i, p in enumerate(self.poses) if i != at]
            if self.ground.is_free(moved, others, 2.0, {}):
                self.act("push a tile of the layout", seat, {tile: Piece(tile, True, moved)})
                due = self.fault("LAYOUT_DISTURBED", seat, tile)
                self.lying[tile] = Piece(tile, True, pose)
                self.act("push it back", seat, {tile: self.lying[tile]})
                due.closed = self.here
                self.script.acts[-1].turn = self.to_act
                return False
        return False

    # draws and passes

    def _allowed_to_pass(self) -> bool:
        if self.rules.draw == "none" or len(self.yard) <= self.rules.floor():
            return True
        return self.rules.draw == "one" and self.draws_this_turn > 0

    def _illegal_pass(self, seat: int) -> bool:
        if not self.legal(seat) or not self._allowed_to_pass():
            return False
        proven, tile = self.proven_at_once(seat)
        if not proven:
            self.press_pass(seat)
            return True
        self.act("pass", press=(seat, "pass"))
        due = self.fault("ILLEGAL_PASS", seat, tile)
        self.play(seat, "play after all")
        due.closed = self.here
        return True

    def _pass_without_draw(self, seat: int) -> bool:
        if self._allowed_to_pass():
            return False
        self.act("pass", press=(seat, "pass"))
        due = self.fault("PASS_WITHOUT_DRAW", seat, None)
        first = self.here + 1
        self.honest_turn(seat)
        due.closed = first
        return True

    def _needless_draw(self, seat: int) -> bool:
        if self.legal(seat) and self.may_draw() and not self.proven_at_once(seat)[0]:
            self.take(seat)
        return False

    def _put_into_yard(self, seat: int, tiles: list[str], due: FaultDue) -> None:
        free = [
            slot for slot in yard_slots(self.table)
            if all(math.hypot(slot.x_mm - p.pose.x_mm, slot.y_mm - p.pose.y_mm) > 24 for p in self.yard.values())
        ]  # fmt: skip
        changes: dict[str, Piece | None] = {}
        for tile, slot in zip(tiles, self.rng.sample(free, len(tiles)), strict=True):
            self.hands[seat].remove(tile)
            self.yard[tile] = Piece(tile, False, shaken(slot, self.rng, 1.0, 3.0))
            changes[tile] = self.yard[tile]
        self.known[seat].clear()
        self.act("put it back", seat, changes)
        due.closed = self.here
        self.script.acts[-1].turn = self.to_act

    def _wrong_draw(self, seat: int, count: int, code: str) -> tuple[list[str], FaultDue]:
        self.proofs.draw(seat, count)
        keys = self.out_of_yard(seat, count)
        self.act("draw", seat, dict.fromkeys(keys))
        return keys, self.fault(code, seat, None)

    def _extra_draw(self, seat: int) -> bool:
        if self.rules.draw != "one" or self.legal(seat) or not self.may_draw():
            return False
        if len(self.yard) <= self.rules.floor() + 2:
            return False
        self.take(seat)
        if not self.legal(seat):
            keys, due = self._wrong_draw(seat, 1, "EXTRA_DRAW")
            self._put_into_yard(seat, keys, due)
        return False

    def _two_at_once(self, seat: int) -> bool:
        if self.rules.draw != "one" or self.legal(seat) or self.draws_this_turn:
            return False
        if len(self.yard) <= self.rules.floor() + 2:
            return False
        self.proofs.claim("DRAW_WITH_MOVE", seat, self.board.playable(self.board.unseen(), sure=True))  # type: ignore[attr-defined]
        keys, due = self._wrong_draw(seat, 2, "EXTRA_DRAW")
        self.draws_this_turn = 1
        self._put_into_yard(seat, keys[1:], due)
        return False

    def _draw_below_floor(self, seat: int) -> bool:
        if self.rules.draw == "none" or len(self.yard) > self.rules.floor() or not self.yard:
            return False
        keys, due = self._wrong_draw(seat, 1, "DRAW_BELOW_FLOOR")
        self._put_into_yard(seat, keys, due)
        return False

    def _draw_not_allowed(self, seat: int) -> bool:
        if self.rules.draw != "none" or not self.yard:
            return False
        keys, due = self._wrong_draw(seat, 1, "DRAW_NOT_ALLOWED")
        self._put_into_yard(seat, keys, due)
        return False

    def _draw_out_of_turn(self, seat: int) -> bool:
        other = self._other(seat)
        if other is None or not self.yard:
            return False
        keys, due = self._wrong_draw(other, 1, "OUT_OF_TURN")
        self._put_into_yard(other, keys, due)
        return False

    def _pass_out_of_turn(self, seat: int) -> bool:
        other = self._other(seat)
        if other is None:
            return False
        self.act("press pass out of turn", press=(other, "pass"))
        due = self.fault("OUT_OF_TURN", other, None, "stands")
        first = self.here + 1
        self.honest_turn(seat)
        due.closed = first
        return True

    def cheat_opening(self, seat: int) -> None:
        """Somebody else lays the first tile, where it is known who starts."""
        if not self.armed or self.to_act is None:
            return
        other = self.rng.choice([s for s in range(self.seats) if s != seat])
        tile = self.rng.choice(self.hands[other])
        if self.rules.opening_fault(tile) is not None:
            return
        pose = self.ground.first_place()
        due = self._bad_tile(other, tile, None, pose, "WRONG_STARTER", "lay the first tile out of turn")
        self._take_back(other, tile, due)

    # troubles that are nobody's fault

    def _shift(self, low: float, high: float) -> tuple[str, Pose] | None:
        at = self._leaf()
        if at is None or self.script.acts[-1].what.startswith("nudge") or self.keys[at] in self._nudged_once:
            return None
        pose, joint = self.poses[at], self.line.played[at].joint
        on = None if joint is None else self.poses[joint.at]
        if pose is None or on is None or joint is None:
            return None
        end = end_of(on, joint.side, SIZE) if joint.side in (*LONG, *SHORT, "a", "b") else None
        if end is None:
            return None
        away = self.rng.uniform(low, high)
        moved = Pose(pose.x_mm + end.dx * away, pose.y_mm + end.dy * away, pose.angle_deg)
        if not self.ground.is_free(moved, [p for i, p in enumerate(self.poses) if i != at], 0.3, {}):
            return None
        self.poses[at] = moved
        self._nudged_once.add(self.keys[at])  # more of it would add up to a fault
        return self.keys[at], moved

    def _nudged(self, seat: int, low: float, high: float) -> None:
        found = self._shift(low, high)
        if found:
            tile, pose = found
            self.lying[tile] = Piece(tile, True, pose)
            self.act("nudge a tile", seat, {tile: self.lying[tile]})
            self.script.acts[-1].turn = self.to_act

    def _small_nudge(self, seat: int) -> None:
        self._nudged(seat, 2.0, 4.5)

    def _nudge(self, seat: int) -> None:
        if not self.rules.enforce_space:  # there a gap is a fault of its own
            self._nudged(seat, 8.0, 10.5)

    def _around(self, seat: int | None, around: str, **values: object) -> None:
        act = self.act(around, seat)
        act.around = around
        for name, value in values.items():
            setattr(act, name, value)
        act.turn = self.to_act

    def _cup(self, seat: int) -> None:
        pose = next(p for p in self.rng.sample(self.poses, len(self.poses)) if p is not None)
        spot = (pose.x_mm + self.rng.uniform(-20, 20), pose.y_mm + self.rng.uniform(-20, 20))
        self._around(seat, "cup", at=spot)
        self._around(seat, "uncup", at=spot)

    def _lamp(self, seat: int) -> None:
        self._around(None, "lamp", value=self.rng.choice((0.62, 0.75, 0.9, 1.0, 1.15)))

    def _rest(self, seat: int) -> None:
        pose = next(p for p in self.rng.sample(self.poses, len(self.poses)) if p is not None)
        self._around(seat, "rest", at=(pose.x_mm, pose.y_mm), rest_s=3.0)

    def _misread(self, seat: int) -> None:
        """A legal tile that the eye takes for another; somebody types what it is."""
        if len(self.hands[seat]) < 2 or not self.legal(seat):
            return
        self.play(seat)
        tile = self.script.laid[-1].tile
        free = [t for t in self.rules.faces if t not in self.line.faces]
        if self.over or not free or self.game == "chicken-foot":
            return
        act, laid = self.script.acts[-1], self.script.laid[-1]
        for due in self.script.faults:
            if due.first == self.here:
                due.last += 1  # what the tile proves is known once it is known
        wrong = self.rng.choice(free)
        act.misread, act.turn = {tile: wrong}, NOT_ASKED
        laid.misread, laid.legal = wrong, None
        self.act("type what it is", None).correction = (wrong, {"tile": tile})
        self.script.acts[-1].turn = self.to_act

    def _slip(self, seat: int) -> None:
        """A pass pressed out of turn and undone by a typed word."""
        other = self._other(seat)
        if other is not None:
            self.act("press pass by a slip", press=(other, "pass")).misread = {"press": "slip"}
            self.act("undo it", None).correction = ("press", "undo")
            self.script.acts[-1].turn = self.to_act

    def _pass_taken_back(self, seat: int) -> None:
        """A pass pressed by mistake; the seat plays before anybody else acts."""
        if not self.armed or not self.legal(seat) or not self._allowed_to_pass() or self.proven_at_once(seat)[0]:
            return
        if self.passes + 1 >= self.seats:
            return
        passes, passed = self.passes, self.last_passed
        self.act("pass by mistake", press=(seat, "pass"))
        self.script.acts[-1].turn = self.rules.next_seat(seat)
        self.passes, self.last_passed = passes, passed
        self.play(seat, "play after all")
