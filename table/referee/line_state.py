"""The state of a round of a line game, and the acts that change it without judging: laying down, standing, advancing.

`turns` judges draws and passes, `laying` tiles, `reveal` the end; `line` is the whole.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from table.events import Bumped, Judged, Match, Pose, Score, SeatBy, Shown, zone_of
from table.rules.games import line_rules
from table.rules.line import Joint

from .claims import Claim, Claims
from .fold import Fold, Wrong
from .onboard import Onboard, Reading

TILE_KINDS = ("tile", "pose", "many")  # wrongs that are a tile lying where it may not
POSE_CODES = ("OFF_AXIS", "SIDES_NOT_ADJACENT", "DOUBLE_NOT_CROSSWISE", "TILE_NOT_PERPENDICULAR", "NO_SPACE")


@dataclass(slots=True)
class Tile:
    """One physical tile in view."""

    id: int
    tile: str
    face: str
    pose: Pose
    seat: int | None
    by: SeatBy | None
    n: int  # of the fact that brought it
    place: str = "other"  # layout | wrong | strip | other | unclear | apart (found where it cannot have been played)
    index: int = -1  # in the layout
    reading: Reading | None = None
    early: bool = False  # lay there before the round's first tile and was not touched since
    where: Pose | None = None  # its place in the layout: what it must stay at


def shift_w(a: Pose, b: Pose, width: float) -> float:
    """How far apart two poses are, in tile widths."""
    return float(((a.x_mm - b.x_mm) ** 2 + (a.y_mm - b.y_mm) ** 2) ** 0.5 / width)


def turn_deg(a: Pose, b: Pose) -> float:
    """The angle between the long axes, 0 to 90."""
    return abs((a.angle_deg - b.angle_deg + 90) % 180 - 90)


class LineState(Fold):
    """One match of a line game, so far."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.rules = line_rules(match.game, match.seats, match.options)
        self.rounds_won = [0] * self.seats
        self.rounds_done = 0
        self.starter: int | None = None
        self.last_winner: int | None = None
        self.yard: int | None = None
        self.reckoned: int | None = None  # what the boneyard must hold by the last count and all that was told since
        self.tiles: dict[int, Tile] = {}
        self.first_t = math.inf  # of the first fact that was told
        self.opener_assumed = self.opener_doubted = False

    def start_round(self) -> None:
        opener_in_doubt = self.opener_doubted or (self.opener_assumed and self.opener_open)
        super().start_round()
        rules = self.rules
        rules.for_round(self.rounds_done)
        self.phase = "play"  # play | reveal | scored | over
        self.board = Onboard(rules, self.table)
        self.ids: list[int] = []  # of the tiles in the layout, by index
        self.hand: list[int | None] = [rules.hand_size()] * self.seats  # at least, where draws may go unseen
        self.never_counted = False  # nobody counted the boneyard when play began
        self.drew_unseen = False  # somebody shows more tiles than it was seen to have
        self.known: list[set[str]] = [set() for _ in range(self.seats)]
        self.played: list[list[str]] = [[] for _ in range(self.seats)]
        self.claims = Claims(self.seats)
        self.waiting_proofs: list[Claim] = []
        self.firm = True  # every actor was seen and the boneyard counted, so proofs need not wait
        self.passes = self.loose_passes = self.draws = 0
        self.turn_counted = True  # whether the boneyard could be counted all through this turn
        self.last_pass: tuple[int, Claim | None] | None = None  # a pass that can still be undone by playing
        self.last_layer: tuple[int, float] | None = None
        self.reason = ""
        self.out_seat: int | None = None
        self.wrongs = []
        self.asked &= {"boneyard"}
        self.accepted = None
        self.gone: list[tuple[float, Tile, int | None]] = []  # layout tiles taken away in the picture being told
        self.loose: list[tuple[float, Tile, list[str]]] = []  # tiles of that picture that touch nothing yet
        self.lots: dict[int, str] = {}
        self.searched: dict[int, int] = {}  # tiles that seats drew after the deal, looking for the start double
        self.late: list[int] = []  # seats with a fault reported late, for the penalty
        self.round_scores = [0] * self.seats
        self.told_dead = False
        self.told_spread: set[int] = set()  # doubles whose toes were asked to be spread
        self.told_blocked: set[int] = set()
        self.strip_t: dict[int, float] = {}
        self.shown_t = self.now  # when a tile was last laid open during play
        self.revealed: dict[int, tuple[str, ...]] = {}
        self.hands_lie = False  # all of them, and as many tiles as were due
        self.started_t = self.now
        following = [rules.next_starter(seat, self.last_winner) for seat in range(self.seats)]
        self.likely_starter = None if self.starter is None else following[self.starter]
        if opener_in_doubt and len(set(following)) > 1:
            self.starter = None
        else:
            self.starter = self.likely_starter
        self.by_method = self.likely_starter is None  # who starts is found out by the game's method
        self.starter_seen = False
        self.turn_open = False  # nobody's turn led here, so who acts first has it
        self.opener_assumed = False  # nobody was seen to open, or to act since
        self.turn_doubted = False  # a press told that it may be another seat's turn
        self.opener_doubted = False  # a press spoke against what was assumed of who opened
        self.hand_shown = False  # a hand tile lay open before a seat
        self.to_act = self.starter

    @property
    def may_have_drawn(self) -> bool:
        """Whether tiles may have been drawn that nobody could count, so that hands may hold more than is known."""
        return self.rules.draw != "none" and (self.never_counted or self.yard is None)

    # who

    def next_in_turn(self, seat: int) -> int:
        """The next seat; one that is out while a foot is being finished is passed over."""
        following = self.rules.next_seat(seat)
        while following == self.out_seat and following != seat:
            following = self.rules.next_seat(following)
        return following

    def turn_found(self, seat: int, by: SeatBy | None) -> None:
        """A seat acts: where nobody knew whose turn it was, that may tell."""
        raise NotImplementedError  # `opener`

    @property
    def opener_open(self) -> bool:
        """Whether another seat may have opened as well, for all that was seen."""
        raise NotImplementedError  # `opener`

    def wrong_tile(self) -> Wrong | None:
        return next((wrong for wrong in self.wrongs if wrong.kind in TILE_KINDS), None)

    def after_standing(self, wrong: Wrong) -> int | None:
        """Who acts once an open wrong stands: the next seat; if it was out of turn, still the seat on turn."""
        if wrong.seat is None or wrong.seat != self.to_act:
            return self.to_act
        return self.next_in_turn(wrong.seat)

    def assumed(self) -> int:
        """Who acts when nobody is seen."""
        wrong = self.wrong_tile()
        seat = self.to_act if wrong is None else self.after_standing(wrong)
        if seat is None:
            seat = self.likely_starter if self.starter is None else self.starter
        return 0 if seat is None else seat

    def stand_before(self, actor: int) -> None:
        """The next seat's act turns what is still open into something that stands."""
        for wrong in list(self.wrongs):
            if wrong.kind == "reveal" or wrong.seat == actor:
                continue
            if wrong.kind in ("disturbed", "deal") or actor == self.after_standing(wrong):
                self.stand(wrong)

    def stand(self, wrong: Wrong) -> None:
        on_turn = wrong.seat is not None and wrong.seat == self.to_act
        self.close_wrong(wrong, "stands")
        if wrong.kind in TILE_KINDS:
            for tile_id in sorted(wrong.ids):
                tile = self.tiles.get(tile_id)
                if tile is not None and tile.seat is not None:
                    self.lay_down(tile, tile.seat)
            if on_turn and wrong.seat is not None and self.phase == "play":
                self.advance(wrong.seat)
        elif wrong.kind == "pass" and on_turn and wrong.seat is not None:
            # a pass that was proven false is still a pass, one without the draw that was due never ends a round
            self.passes = self.passes + 1 if wrong.code == "ILLEGAL_PASS" and self.at_floor() else 0
            self.advance(wrong.seat)
            self.end_when_blocked()
        elif wrong.kind == "disturbed":
            for tile_id in wrong.ids:
                if (tile := self.tiles.get(tile_id)) is not None:
                    tile.where = tile.pose
        elif wrong.kind == "retracted" and wrong.tile is not None:
            self.take_out(wrong)

    def take_out(self, wrong: Wrong) -> None:
        for index, tile_id in enumerate(self.ids):
            if tile_id in wrong.ids:
                self.board.take_out(index)
                self.ids[index] = -1
        owner = wrong.count
        if owner < 0:
            return  # nobody knows whose it was
        self.change_hand(owner, 1)
        if wrong.tile is not None:
            self.known[owner].add(wrong.tile)

    # what lies

    def lay_down(self, tile: Tile, seat: int) -> None:
        """The tile belongs to the layout from now on, legal or standing."""
        reading = tile.reading
        joint = None if reading is None else reading.joint
        tile.index = self.board.add(tile.tile, joint, tile.pose)
        self.ids.append(tile.id)
        tile.place, tile.where = "layout", tile.pose
        self.change_hand(seat, -1)
        self.played[seat].append(tile.tile)
        self.show(seat, tile.tile)
        self.known[seat].discard(tile.tile)
        self.passes = self.loose_passes = 0
        self.last_pass = None
        self.last_layer = (seat, self.now)
        if self.rules.scores_in_play and self.wrong_tile() is None:
            points = self.rules.points(self.board.line.position, self.board.line.played)
            if points:
                self.round_scores[seat] += points
                self.totals[seat] += points
                self.say(Score(t=self.now, seat=seat, points=points, total=self.totals[seat]))
        self.after_laying(tile, seat)

    def after_laying(self, tile: Tile, seat: int) -> None:
        """Whether the round is over now."""
        foot = self.board.line.position.foot
        if self.hand[seat] == 0 and self.out_seat is None and not self.may_have_drawn:
            if foot is not None and self.rules.options.get("out_on_double") == "foot_first":
                self.out_seat = seat
            else:
                self.end_play("out")
                return
        if self.out_seat is not None and foot is None:
            self.end_play("out")
            return
        self.look_ahead()

    def look_ahead(self) -> None:
        """Positions nobody can play in, and ends without room."""
        if not self.told_dead and self.board.is_dead():
            self.told_dead = True
            self.advise("DEAD_POSITION")
            if self.rules.options["dead_position_ends_round"]:
                self.end_play("out" if self.out_seat is not None else "blocked")
                return
        for value in self.board.blocked_ends():
            if value not in self.told_blocked:
                self.told_blocked.add(value)
                self.advise("END_BLOCKED", v=value)

    def advance(self, seat: int) -> None:
        self.to_act = self.next_in_turn(seat)
        self.draws = 0
        self.turn_counted = self.yard is not None

    def change_hand(self, seat: int, by: int) -> None:
        count = self.hand[seat]
        if count is not None:
            self.hand[seat] = max(count + by, 0)

    def judge(self, tile: Tile, legal: bool) -> None:
        reading = tile.reading
        joint: Joint | None = None if reading is None else reading.joint
        joins = () if joint is None else (self.ids[joint.at],)
        self.say(Judged(t=self.now, of=tile.n, legal=legal, joins=joins, end=None if reading is None else reading.end))

    def bumped(self, fact: Bumped) -> None:
        """Everything lies elsewhere now, in the same arrangement: nobody moved a tile."""
        for tile in self.tiles.values():
            tile.pose = fact.moved(tile.pose)
            tile.where = None if tile.where is None else fact.moved(tile.where)
        self.board.poses = [None if pose is None else fact.moved(pose) for pose in self.board.poses]

    def zone(self, pose: Pose) -> int | None:
        return zone_of(pose.x_mm, pose.y_mm, self.table)

    def expose(self, tile: Tile, seat: int) -> None:
        """A hand tile lies face up in its seat's strip."""
        tile.place, tile.seat = "strip", seat
        self.hand_shown = True
        self.say(Shown(t=self.now, seat=seat, tiles=(tile.tile,), ids=(tile.id,)))

    # proofs

    def show(self, seat: int, tile: str) -> None:
        for claim in self.claims.show(seat, tile):
            self.prove(claim)

    def prove(self, claim: Claim) -> None:
        """A claim is proven false: said at once when nothing about it is assumed, else at the reveal."""
        if self.firm:
            self.tell(claim)
        else:
            self.waiting_proofs.append(claim)

    def tell(self, claim: Claim) -> None:
        if claim.told or claim.void:
            return
        claim.told = True
        self.late.append(claim.seat)
        self.report(claim.code, claim.seat, {"s": claim.seat, "t": claim.t, "tile": claim.tile}, claim.t, claim.tile)

    def tell_together(self, claims: Sequence[Claim]) -> None:
        """Several acts of one seat of which at least one was false: said once, about the last of them."""
        last = claims[-1]
        for claim in claims:
            claim.told, claim.among = True, [other.t for other in claims]
        self.late.append(last.seat)
        args = {"s": last.seat, "t": last.t, "tile": None, "times": last.among}
        self.report(last.code, last.seat, {**args, "tiles": self.claims.denied(claims)}, last.t, None)

    def at_floor(self) -> bool:
        """Whether nothing more may be drawn."""
        return self.rules.draw == "none" or (self.yard is not None and self.yard <= self.rules.floor())

    def end_when_blocked(self) -> None:
        """Everybody passed in a row, and nobody could draw."""
        if self.phase == "play" and self.passes >= self.seats - (self.out_seat is not None):
            self.end_play("out" if self.out_seat is not None else "blocked")

    def end_play(self, reason: str) -> None:
        """The last tile is laid or nobody can play: hands are shown now."""
        self.phase, self.reason = "reveal", reason
        self.to_act = None
        self.accepted = None
