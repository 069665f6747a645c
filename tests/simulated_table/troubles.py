"""What happens at a table and is nobody's fault: nudges, a cup, a lamp, an arm at rest, slips and wrong readings."""

from __future__ import annotations

from table.events import Pose
from table.rules.line.layout import LONG, SHORT
from table.rules.line.space import end_of

from .ground import SIZE
from .script import NOT_ASKED, Piece
from .table_state import TableState

TROUBLES = ("small_nudge", "nudge", "cup", "lamp", "rest", "company", "bump", "pass_taken_back", "misread", "slip")


class Troubles(TableState):
    """Each leaves the game as it was, but a tile may have been laid."""

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

    def _company(self, seat: int) -> None:
        """A tile is laid while another seat's arm lies on the table before it."""
        other = self._other(seat)
        if other is not None and self.legal(seat):
            self.play(seat)
            self.script.acts[-1].company = other

    def _bump(self, seat: int) -> None:
        """Somebody knocks against the table: less than a nudge, and all together."""
        self._around(None, "bump", by=(self.rng.uniform(-1, 1), self.rng.uniform(-1, 1), 0.0))

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
