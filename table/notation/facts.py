"""A written game as the facts a table would have reported, line by line, for the referee to judge.

Every line is a second. Seats are as written, so nothing is assumed; the boneyard is counted from the deal on. No rule
is decided here, only what the words mean on a table: what can't be laid down raises IllegalMove or AmbiguousMove.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from table.events import (
    UNKNOWN,
    Boneyard,
    Button,
    Fact,
    Match,
    Moved,
    Placed,
    Pose,
    Removed,
    Returned,
    Strip,
    Taken,
    Turned,
    default_table,
)
from table.rules.games import game_of, line_rules
from table.rules.line.rules import LineRules

from .acts import Act, Collect, Discard, Draw, Group, Play, Press, Return, Show, Straighten, TakeBack, TurnDown
from .errors import IllegalMove
from .laying import WIDTH_MM, Layout, Spot
from .record import Comment, Entry, GameRecord, Move, Points, Yard

SIZE_MM = 8000.0  # wide enough for every tile of a set in one straight line
_SPACING_MM = 1.2 * WIDTH_MM
_GROUP_DEPTH_MM = 200.0  # groups lie in front of the seat, inside of its strip


@dataclass(frozen=True, slots=True)
class Step:
    """What one line of the record reports. `t` in seconds; `points` are the scores written down for the round."""

    line: int
    t: float
    facts: tuple[Fact, ...]
    round_starts: bool = False  # the table was cleared and dealt
    round_ends: bool = False  # the hands lie, nothing more comes in this round
    points: tuple[int, ...] | None = None


def match_of(record: GameRecord) -> Match:
    """The first fact. Raises ValueError for options that the game does not have."""
    game = game_of(record.game)
    return Match(
        t=0.0,
        game=record.game,
        options=record.options,
        seats=record.seats,
        tile_set=record.tag("Set") or game.set_name,
        names=record.names,
        table=default_table(record.seats, (SIZE_MM, SIZE_MM), boneyard=True),
        source="stills",  # each line is a settled table: a count of tiles is final at once
    )


def steps_of(record: GameRecord) -> Iterator[Step]:
    """The steps of a written game, in order. Raises NotationError at a line that cannot be laid down."""
    return _Writer(record).steps()


@dataclass(slots=True)
class _Lying:
    """A tile on the table: its id and the last pose told."""

    id: int
    tile: str
    pose: Pose
    seat: int
    face: str = "up"


@dataclass
class _Writer:
    record: GameRecord
    t: float = 0.0
    ids: int = 0
    yard: int | None = None
    rules: LineRules | None = field(init=False, default=None)
    layout: Layout | None = None
    lying: list[_Lying] = field(default_factory=list)  # tiles on the layout or in the trick
    laid_ids: list[int] = field(default_factory=list)  # by number in the line
    shown: list[_Lying] = field(default_factory=list)  # tiles laid open in a strip
    piles: list[_Lying] = field(default_factory=list)  # backs of tricks that were taken in
    columns: dict[int, int] = field(default_factory=dict)  # piles before each seat
    trick: dict[int, int] = field(default_factory=dict)  # tiles of each seat in this trick, the leader's first

    def __post_init__(self) -> None:
        if game_of(self.record.game).line is not None:
            self.rules = line_rules(self.record.game, self.record.seats, self.record.options)

    def steps(self) -> Iterator[Step]:
        for number, entries in enumerate(self.record.rounds):
            yield from self._round(number, entries)

    def _round(self, number: int, entries: Sequence[Entry]) -> Iterator[Step]:
        self.t += 1.0
        first = next((entry.line for entry in entries if not isinstance(entry, Comment)), 0)
        yield Step(first, self.t, (*self._clear(), *self._deal(number, entries)), round_starts=True)
        points = None
        line = 0
        for entry in entries:
            match entry:
                case Move():
                    self.t += 1.0
                    line = entry.line
                    yield Step(line, self.t, tuple(self._move(entry)))
                case Yard():
                    self.t += 1.0
                    self.yard = entry.count
                    yield Step(entry.line, self.t, (Boneyard(t=self.t, count=entry.count),))
                case Points():
                    points, line = entry.points, entry.line
        self.t += 4.0  # strips have been still for long enough
        yield Step(line, self.t, (), round_ends=True, points=points)

    def _clear(self) -> Iterator[Fact]:
        """After a round the table is emptied."""
        for lying in (*self.lying, *self.shown, *self.piles):
            yield Removed(t=self.t, id=lying.id, tile=lying.tile, face=lying.face, at=lying.pose)  # type: ignore[arg-type]
        self.lying, self.shown, self.piles, self.laid_ids = [], [], [], []
        self.columns, self.trick = {}, {}

    def _deal(self, number: int, entries: Sequence[Entry]) -> Iterator[Fact]:
        if self.rules is None:
            return
        self.rules.for_round(number)
        self.layout = Layout(self.rules, (SIZE_MM / 2, SIZE_MM / 2), placing_matters=self.rules.enforce_space)
        first = next((entry for entry in entries if isinstance(entry, Yard | Move)), None)
        if not isinstance(first, Yard):  # nobody counted, so the deal was right
            self.yard = self.rules.yard_after_deal()
            yield Boneyard(t=self.t, count=self.yard)

    def _move(self, move: Move) -> Iterator[Fact]:
        opening = self.layout is not None and not self.layout.line.played
        again = opening and any(shown.seat == move.seat for shown in self.shown)  # equal lots are drawn again
        if (move.numbered and not any(map(self._ends_round, move.acts))) or again:
            yield from self._put_away()
        for act in move.acts:
            yield from self._act(move.seat, act, move.line)

    @staticmethod
    def _ends_round(act: Act) -> bool:
        return isinstance(act, Press) and act.button == "done"

    def _put_away(self) -> Iterator[Fact]:
        """Lots and searched tiles go back before play goes on."""
        for shown in self.shown:
            yield self._removed(shown, shown.seat)
        self.shown = []

    def _act(self, seat: int, act: Act, line: int) -> Iterator[Fact]:
        match act:
            case Play():
                yield self._play(seat, act, line)
            case Group(tiles):
                yield from self._trick(seat, tiles, "up")
            case Discard(count):
                yield from self._trick(seat, (UNKNOWN,) * count, "down")
            case TurnDown(tiles):
                for tile in tiles:
                    yield self._turn_down(seat, tile, line)
            case Collect(columns):
                yield from self._collect(seat, columns, line)
            case Draw(count):
                yield Taken(t=self.t, seat=seat, count=count, seat_by="arm")
                yield from self._yard_by(-count, line)
            case Return(count):
                yield Returned(t=self.t, seat=seat, count=count, seat_by="arm")
                yield from self._yard_by(count, line)
            case TakeBack(tiles):
                for tile in tiles:
                    yield self._take_back(seat, tile, line)
            case Straighten(tile):
                yield self._straighten(seat, tile, line)
            case Show(tiles):
                yield from self._show(seat, tiles)
            case Press(button):
                yield Button(t=self.t, seat=seat, button=button)

    def _yard_by(self, change: int, line: int) -> Iterator[Fact]:
        if self.yard is None:
            return
        if self.yard + change < 0:
            raise IllegalMove(f"only {self.yard} tiles are left in the boneyard", line)
        self.yard += change
        yield Boneyard(t=self.t, count=self.yard)

    def _next_id(self) -> int:
        self.ids += 1
        return self.ids - 1

    def _play(self, seat: int, play: Play, line: int) -> Placed:
        if self.layout is None:  # a game without rules: side by side in the middle
            spot = Spot(play.tile, self._beside(len(self.lying)), len(self.lying), None)
        else:
            spot = self.layout.lay(play, line)
        lying = _Lying(self._next_id(), play.tile, spot.pose, seat)
        self.lying.append(lying)
        join = self._join(play, spot)
        self.laid_ids[spot.at :] = [lying.id]
        return Placed(
            t=self.t, id=lying.id, tile=play.tile, face="up", at=spot.pose, seat=seat, seat_by="arm", join=join
        )

    def _join(self, play: Play, spot: Spot) -> tuple[int, str] | None:
        """The place told outright; None where the pose shall be judged."""
        rules = self.rules
        if spot.joint is None or rules is None or rules.enforce_space or (rules.crosswise and play.lying == "in line"):
            return None
        return self.laid_ids[spot.joint.at], spot.joint.side

    @staticmethod
    def _beside(place: int) -> Pose:
        row, column = divmod(place, 20)
        return Pose(SIZE_MM / 2 + 2 * _SPACING_MM * column, SIZE_MM / 2 + 3 * _SPACING_MM * row, 90.0)

    def _find(self, tile: str, line: int) -> _Lying:
        for lying in reversed(self.lying):
            if lying.tile == tile and lying.face == "up":
                return lying
        raise IllegalMove(f"{tile} does not lie on the table", line)

    def _take_back(self, seat: int, tile: str, line: int) -> Removed:
        lying = self._find(tile, line)
        if self.layout is not None:
            self.layout.take_back(tile, line)
        self.lying.remove(lying)
        return self._removed(lying, seat)

    def _removed(self, lying: _Lying, seat: int) -> Removed:
        return Removed(
            t=self.t,
            id=lying.id,
            tile=lying.tile,
            face=lying.face,  # type: ignore[arg-type]
            at=lying.pose,
            seat=seat,
            seat_by="arm",
        )

    def _straighten(self, seat: int, tile: str, line: int) -> Moved:
        if self.layout is None:
            raise IllegalMove(f"nothing is askew in this game, so {tile} can't be straightened", line)
        lying = self._find(tile, line)
        lying.pose = self.layout.straighten(tile, line).pose
        return Moved(t=self.t, id=lying.id, tile=tile, face="up", at=lying.pose, seat=seat, seat_by="arm")

    def _show(self, seat: int, tiles: Sequence[str]) -> Iterator[Fact]:
        for tile in tiles:
            place = sum(shown.seat == seat for shown in self.shown)
            face = "down" if tile == UNKNOWN else "up"
            shown = _Lying(self._next_id(), tile, self._before_seat(seat, place, 30.0), seat, face)
            self.shown.append(shown)
            yield self._placed(shown)

    def _placed(self, lying: _Lying) -> Placed:
        return Placed(
            t=self.t,
            id=lying.id,
            tile=lying.tile,
            face=lying.face,  # type: ignore[arg-type]
            at=lying.pose,
            seat=lying.seat,
            seat_by="arm",
        )

    def _before_seat(self, seat: int, place: int, depth_mm: float) -> Pose:
        """The pose of the tile number `place` of a row that lies `depth_mm` inside of a seat's edge."""
        strips: tuple[Strip, ...] = default_table(self.record.seats, (SIZE_MM, SIZE_MM)).seats
        edge, (start, _) = strips[seat].edge, strips[seat].span
        along = start * SIZE_MM + SIZE_MM / 4 + place * _SPACING_MM
        far, deep = SIZE_MM - along, SIZE_MM - depth_mm
        x, y, angle = {
            "bottom": (far, deep, 90.0),
            "left": (depth_mm, far, 0.0),
            "top": (along, depth_mm, 90.0),
            "right": (deep, along, 0.0),
        }[edge]
        return Pose(x, y, angle)

    # tricks

    def _trick(self, seat: int, tiles: Sequence[str], face: str) -> Iterator[Fact]:
        due = next(iter(self.trick.values()), 0)
        if len(self.trick) == self.record.seats and self.trick.get(seat, 0) >= due:
            self.trick = {}
        self.trick[seat] = self.trick.get(seat, 0) + len(tiles)
        for tile in tiles:
            place = sum(lying.seat == seat for lying in self.lying)
            lying = _Lying(self._next_id(), tile, self._before_seat(seat, place, _GROUP_DEPTH_MM), seat, face)
            self.lying.append(lying)
            yield self._placed(lying)

    def _collect(self, seat: int, columns: int | None, line: int) -> Iterator[Fact]:
        """The tiles in the middle go away, and stand as piles of four backs before the seat."""
        if not self.trick:
            raise IllegalMove("there is no trick to collect", line)
        for lying in self.lying:
            yield self._removed(lying, seat)
        before = self.columns.get(seat, 0)
        after = before + next(iter(self.trick.values())) if columns is None else columns
        self.columns[seat] = after
        self.lying, self.trick = [], {}
        for pile in range(before, after):
            for _ in range(self.record.seats):
                back = _Lying(self._next_id(), UNKNOWN, self._before_seat(seat, pile, 30.0), seat, "down")
                self.piles.append(back)
                yield self._placed(back)

    def _turn_down(self, seat: int, tile: str, line: int) -> Turned:
        lying = self._find(tile, line)
        lying.face = "down"
        return Turned(t=self.t, id=lying.id, tile=tile, face="down", at=lying.pose, seat=seat, seat_by="arm")
