"""The layout as it lies on the table: the line engine together with the poses of its tiles.

Chooses the join a pose means and, among readings the picture leaves nearly equal, the one the rules allow; never a
legal tile in place of a clear illegal one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from table.events import UNKNOWN, Placed, Pose, Table, in_boneyard, is_double
from table.rules.line import Fault, Joint, Line, LineRules
from table.rules.line.contacts import ABOUT_AS_NEAR_W, Contact, Laid, Size, contacts, meets
from table.rules.line.layout import Port
from table.rules.line.space import TOUCH_MM, End, Room, end_of, fits, footprints, outside_mm, overlap_mm, pose_faults

TOLERANCE_W = 0.25  # a tile may stick out or overlap so much, in tile widths
DRIFT_W = 0.25  # so far a tile may be shoved untold; toes of one foot lie so close that it matters whose end is touched
FAR_W = 1.6  # gap up to which a tile is still meant for an end, where the gap is judged
CLEAR, READABLE = 0.5, 0.3  # surer readings may accuse; may count in a hand. What is less sure is asked about
NEARLY_EQUAL = 0.7  # a reading less sure than this share of the best one was told apart by the picture
WELL_BEHIND = 0.25  # a share of the best reading at which another is heard when the best one cannot be
DOUBTFUL, STILL_POSSIBLE = 0.7, 0.2  # a best reading less sure than the one leaves all that are surer than the other


@dataclass(frozen=True, slots=True)
class Reading:
    """How the referee takes a tile: its name, where it joins, the end it meets, and what is wrong."""

    tile: str
    joint: Joint | None
    end: int | None
    faults: tuple[Fault, ...]


def surest(tile: str, confidence: float, alternatives: Sequence[tuple[str, float]]) -> float:
    """How sure the best reading is; 0 when nothing was read."""
    return max((sure for name, sure in [(tile, confidence), *alternatives] if name != "?"), default=0.0)


def as_unclear(fact: Placed) -> Placed:
    """The fact as one of a tile that was seen and not read; what it might be stays in the alternatives."""
    if fact.tile == UNKNOWN:
        return replace(fact, face="unclear")
    others = ((fact.tile, fact.confidence), *fact.alternatives)
    return replace(fact, tile=UNKNOWN, face="unclear", alternatives=others)


def nearly_equal(
    tile: str, confidence: float, alternatives: Sequence[tuple[str, float]], there: Callable[[str], bool]
) -> list[str]:
    """The readings that the picture leaves nearly equal, the surest first; empty when nothing was read.

    `there` tells whether a tile may still come: when none of them may, for they lie elsewhere or are of no such set,
    the picture is in doubt of itself, and readings well behind are heard, too.
    """
    ranked = sorted(
        {tile: confidence, **dict(alternatives)}.items(), key=lambda item: (-item[1], item[0] != tile, item[0])
    )
    known = [(name, sure) for name, sure in ranked if name != "?"]
    if not known:
        return []
    best = known[0][1]
    least = STILL_POSSIBLE if best < DOUBTFUL else NEARLY_EQUAL * best
    readings = [name for name, sure in known if sure >= min(least, best)]
    if not any(map(there, readings)):
        readings += [name for name, sure in known if min(least, best) > sure >= WELL_BEHIND * best and there(name)]
    return readings


@dataclass(slots=True)
class Onboard:
    """A line with poses. `poses[i]` is where the tile with index i lies, None in a game that is only written down."""

    rules: LineRules
    table: Table
    line: Line = field(init=False)
    poses: list[Pose | None] = field(default_factory=list)
    size: Size = field(init=False)

    def __post_init__(self) -> None:
        self.line = Line(self.rules)
        self.size = Size(self.table.length_mm, self.table.width_mm)

    @property
    def measured(self) -> bool:
        """Whether every tile's place is known, so that room can be judged."""
        return all(pose is not None for pose in self.poses)

    def laid(self) -> list[Laid]:
        played = self.line.played
        return [Laid(i, played[i].tile, pose) for i, pose in enumerate(self.poses) if pose is not None]

    def touches(self, tile: str, pose: Pose) -> bool:
        return meets(tile, pose, self.laid(), self.size)

    def read(self, tiles: Sequence[str], pose: Pose, join: tuple[int, str] | None = None) -> Reading:
        """The best reading of a tile at a pose. `join` names tile index and side in a game that is written down."""
        readings: list[Reading] = []
        for tile in tiles:
            readings += self._readings(tile, pose, join)
        for reading in readings:
            if not reading.faults:
                return reading
        for reading in readings:
            if reading.tile in self.rules.faces and reading.tile not in self.line.faces and reading.end is not None:
                return reading
        return readings[0]

    def _readings(self, tile: str, pose: Pose, join: tuple[int, str] | None) -> list[Reading]:
        line = self.line
        joints: list[Joint | None] = [None]
        if join is not None:
            joints = [self._written_joint(tile, join)]
        elif line.played and tile in self.rules.faces:
            found = contacts(tile, pose, self.laid(), self.size)
            if not found and self.rules.enforce_space:  # too far from its end to touch is a fault of its own
                found = contacts(tile, pose, self.laid(), self.size, FAR_W)
            near = [c for c in found if abs(c.off_w) <= abs(found[0].off_w) + self._slack_w(c, found[0])]
            joints = [c.joint for c in near] or [None]
        readings = []
        for joint in joints:
            port = None if joint is None else line.port_at(joint)
            faults = line.check(tile, joint)
            if joint is not None and join is None and tile in self.rules.faces:
                faults = faults + self._place_faults(tile, pose, joint, port)
            readings.append(Reading(tile, joint, None if port is None else port.value, tuple(faults)))
        return readings

    def _slack_w(self, contact: Contact, best: Contact) -> float:
        """How much further away than the best touch another one may be to be heard, in tile widths."""
        beside = self.line.played[best.joint.at].joint
        covered = beside is not None and beside.own == best.joint.side and beside.at == contact.joint.at
        return ABOUT_AS_NEAR_W + (DRIFT_W if covered else 0.0)

    def _written_joint(self, tile: str, join: tuple[int, str]) -> Joint:
        index, side = join
        port = next((p for p in self.line.position.ports if p.at == index and p.side in (side, "*")), None)
        own = "a" if port is None else self.line.joint_for(port, tile).own
        return Joint(index, side, own)

    def _place_faults(self, tile: str, pose: Pose, joint: Joint, port: Port | None) -> list[Fault]:
        """Section 9: how the tile lies and whether there is room, where the game judges that."""
        on_pose = self.poses[joint.at]
        if not self.rules.enforce_space or port is None or on_pose is None:
            return []
        high, low = map(int, tile.split("-"))
        matching = "a" if high == port.value else "b"
        options = self.rules.options
        codes = pose_faults(
            tile, pose, self.line.played[joint.at].tile, on_pose, Joint(joint.at, port.side, joint.own), matching,
            self.axis_deg, self.size, float(int(options["axis_tolerance_deg"])),  # type: ignore[arg-type]
            options["turns"] == "allowed", self.rules.crosswise,
        )  # fmt: skip
        if port.value in (high, low) and not self._has_room(pose, joint.at):
            codes.append("NO_SPACE")
        return [Fault(code, {"tile": tile, "v": port.value}) for code in codes if code != "DOUBLE_NOT_CROSSWISE"] + [
            Fault("DOUBLE_NOT_CROSSWISE", {"tile": tile}) for code in codes if code == "DOUBLE_NOT_CROSSWISE"
        ]

    @property
    def axis_deg(self) -> float:
        """Layout axes are fixed by the first tile."""
        first = self.poses[0]
        return 0.0 if first is None else first.angle_deg

    def _has_room(self, pose: Pose, joined: int) -> bool:
        slack = TOLERANCE_W * self.size.width
        if outside_mm(pose, self.size, self.table.size_mm) > slack:
            return False
        others = [other for index, other in enumerate(self.poses) if other is not None and index != joined]
        on = self.poses[joined]
        # how near it lies to the tile it joins is judged by how they touch; only lying on top of it is no room
        on_top = on is not None and overlap_mm(pose, on, self.size) > 1.4 * slack
        return not on_top and all(overlap_mm(pose, other, self.size) <= slack for other in others)

    def overlap(self, pose: Pose, index: int) -> float:
        """How deep a tile at a pose lies in one of the layout, in mm; negative: how far apart they are, at least."""
        on = self.poses[index]
        return -math.inf if on is None else overlap_mm(pose, on, self.size)

    def add(self, tile: str, joint: Joint | None, pose: Pose | None) -> int:
        """The tile lies from now on; its index."""
        self.poses.append(pose)
        return self.line.push(tile, joint)

    def take_out(self, index: int) -> None:
        """A tile that was taken away although play went on."""
        self.poses[index] = None
        self.line.take_out(index)

    # what can still be played

    def unseen(self) -> list[str]:
        return [tile for tile in self.rules.faces if tile not in self.line.faces]

    def playable(self, tiles: Iterable[str], sure: bool = False) -> frozenset[str]:
        """The tiles that can be played. Where space counts: if they fit at all; with `sure`, with room to spare."""
        if not self.rules.enforce_space or not self.measured or not self.line.played:
            return self.line.playable(tiles)
        room: dict[tuple[Port, bool], bool] = {}
        result = set()
        for tile, port in self.line.plays(tiles):
            assert port is not None
            high, low = tile.split("-")
            key = (port, high == low)
            if key not in room:
                room[key] = self.usable(port, high == low, -TOLERANCE_W if sure else TOLERANCE_W)
            if room[key]:
                result.add(tile)
        return frozenset(result)

    def usable(self, port: Port, double: bool, tolerance_w: float = 0.0) -> bool:
        """Whether some footprint of that kind fits at an end, give or take tile widths (negative: room to spare)."""
        others = [pose for pose in self.poses if pose is not None]
        on = self.poses[port.at]
        room, joined = Room(self.table.size_mm, others), None if on is None else others.index(on)
        return any(self._free(pose, room, joined, tolerance_w) for pose in self._places(port, double))

    def _places(self, port: Port, double: bool) -> Iterable[Pose]:
        on = self.poses[port.at]
        assert on is not None
        end: End = end_of(on, port.side, self.size)
        played = self.line.played[port.at]
        turns = self.rules.options.get("turns") == "allowed"
        return (spot.pose for spot in footprints(end, double, played.high == played.low, turns, self.size))

    def _free(self, pose: Pose, room: Room, joined: int | None, tolerance_w: float) -> bool:
        if tolerance_w < 0:
            # the boneyard's tiles are obstacles whose places are not told, so a place there is never sure
            ends = [(pose.x_mm, pose.y_mm), *pose.halves_mm(self.size.length)]
            if any(in_boneyard(x, y, self.table) for x, y in ends):
                return False
        return fits(pose, self.size, room, tolerance_w * self.size.width or TOUCH_MM, joined)

    def is_dead(self) -> bool:
        """No tile outside the layout can ever be played."""
        unseen = self.unseen()
        if not self.rules.enforce_space or not self.measured or not self.line.played:
            return not any(True for _ in self.line.plays(unseen))
        kinds = {(port, is_double(tile)) for tile, port in self.line.plays(unseen) if port is not None}
        return not any(self.usable(port, double, TOLERANCE_W) for port, double in kinds)

    def blocked_ends(self) -> list[int]:
        """Values of open ends at which nothing fits, where space counts."""
        if not self.rules.enforce_space or not self.measured:
            return []
        ports = self.line.position.ports
        return [p.value for p in ports if not self.usable(p, False) and not self.usable(p, True)]
