"""Faults at a line game's table: what people do wrong with tiles, and what a referee must say to it.

Mixed into `players.LineMatch`. A cheat returns True when the turn is over with it; a trouble never changes the game.
"""

from __future__ import annotations

import math

from table.events import Pose, is_double
from table.rules.line import Joint
from table.rules.line.layout import LONG, SHORT
from table.rules.line.space import end_of

from .ground import LENGTH, SIZE, shaken
from .script import FaultDue, Laid, Piece
from .troubles import TROUBLES, Troubles
from .wrong_draws import WrongDraws
from .wrong_rounds import WrongRounds

CHEATS = (
    "wrong_tile", "standing_tile", "out_of_turn", "standing_out_of_turn", "illegal_pass", "pass_without_draw",
    "needless_draw", "extra_draw", "two_at_once", "draw_below_floor", "draw_not_allowed", "draw_out_of_turn",
    "pass_out_of_turn", "double_in_line", "askew", "retracted", "disturbed", "barred", "no_open_end", "duplicate",
    "two_tiles",
)  # fmt: skip
# Where no arm is seen, a press out of turn leaves in doubt who opened, and nothing is held against anybody after it.
ARMS_NEEDED = frozenset(
    {"out_of_turn", "standing_out_of_turn", "draw_out_of_turn", "pass_out_of_turn", "retracted", "two_tiles"}
)


class Cheats(WrongDraws, WrongRounds, Troubles):
    """Needs the state of `players.LineMatch`."""

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

    # tiles

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
