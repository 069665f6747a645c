"""Tiles laid in a line game: what they are, whose they are, and how each is judged."""

from __future__ import annotations

from msgspec.structs import replace

from table.events import UNKNOWN, OfTile, Passed, Placed, Pose, SeatBy
from table.rules.line import Fault
from table.rules.line.contacts import REACH_W

from .line_state import POSE_CODES, Tile, shift_w
from .onboard import CLEAR, READABLE, TOLERANCE_W, as_unclear, nearly_equal, surest
from .strips import Strips

PUT_BACK_W = 0.6  # a retracted tile, or one told anew, this near its place lies there again


Who = tuple[int | None, SeatBy | None]


class Laying(Strips):
    """Tiles that come to lie."""

    # arriving

    def placed(self, fact: Placed) -> tuple[Placed, Who]:
        """Register and judge a tile that lies now; the fact with the reading chosen, and who laid it."""
        readings = self._readings(fact)
        sure = surest(fact.tile, fact.confidence, fact.alternatives)
        tile = Tile(fact.id, fact.tile, fact.face, fact.at, None, None, fact.n)
        tile.early = not self.board.line.played
        before = self.tiles.get(fact.id)
        if before is not None and before.place != "unclear":
            before.pose = fact.at  # the same tile told twice
            return fact, (before.seat, before.by)
        self.tiles[fact.id] = tile
        self.asked.discard(fact.id)
        if fact.face == "down" or self.phase in ("scored", "over"):
            self.touch_strip(tile)
            return fact, (None, None)
        if not readings:
            return self._unclear(tile, fact)
        tile.tile, tile.face = readings[0], "up"
        zone = self.zone(fact.at)
        written = fact.join is not None
        if zone is not None and not written and (self.phase == "reveal" or not self._meets(tile)):
            seat: int = fact.seat if fact.seat is not None and fact.seat_by == "arm" else zone
            if sure < (READABLE if self.phase == "reveal" else CLEAR):
                return self._unclear(tile, fact)
            tile.tile = self._in_stock(readings)
            tile.seat = seat
            self._arrive_in_strip(tile, zone)
            return self._read_as(fact, tile.tile), (seat, "arm" if fact.seat_by == "arm" else None)
        if self.phase == "reveal":
            who = self._who(fact)
            tile.seat, tile.by = who
            if self._meets(tile):
                tile.place = "wrong"
                self.judge(tile, False)
                self.call("PLAY_AFTER_END", tile.seat, "tile", {}, tile=tile.tile, ids=(tile.id,))
            return self._read_as(fact, tile.tile), who
        if self._told_anew(tile) or self._put_back(tile):
            return self._read_as(fact, tile.tile), (tile.seat, tile.by)
        if sure < CLEAR and self._would_be_called(fact, readings):
            return self._unclear(tile, fact)
        player, by = self._who(fact)
        assert player is not None
        unseen = by == "turn" and fact.join is None and not self.wrongs
        if unseen and (not self._meets(tile) if self.board.line.played else self.nothing_told()):
            # what it joins may be told later in the same picture, if two tiles came to be seen at once
            self.loose.append((self.now, tile, readings))
            return self._read_as(fact, tile.tile), (player, by)
        self._play(tile, player, by, readings, fact.join)
        self._join_loose()
        return self._read_as(fact, tile.tile), (player, by)

    def _unclear(self, tile: Tile, fact: Placed) -> tuple[Placed, Who]:
        """Seen, not read: nothing is made of it until it is clear. In a strip during play it need not even be asked."""
        tile.place, tile.tile, tile.face = "unclear", UNKNOWN, "unclear"
        if self.phase == "reveal" or self.zone(fact.at) is None:
            self.ask("UNCLEAR_TILE", fact.id, id=fact.id)
            self._ask_to_spread(fact.at, None)
        who = self._who(fact) if self.phase == "play" else self.seated(fact.seat, fact.seat_by, None)
        return as_unclear(fact), who

    def _would_be_called(self, fact: Placed, readings: list[str]) -> bool:
        """A doubtful picture accuses nobody, and opens no round."""
        if not self.board.line.played or fact.seat_by == "correction":
            return fact.seat_by != "correction"
        return bool(self.board.read(readings, fact.at, None).faults)

    def _who(self, fact: OfTile) -> Who:
        return self.seated(fact.seat, fact.seat_by, self.assumed())

    def _readings(self, fact: Placed) -> list[str]:
        sure = surest(fact.tile, fact.confidence, fact.alternatives)
        if fact.face == "down" or (sure < READABLE / 2 and fact.seat_by != "correction"):
            return []
        readings = nearly_equal(fact.tile, fact.confidence, fact.alternatives, self._free)
        if fact.face == "unclear" and len([r for r in readings if self._free(r)]) != 1:
            return []
        return readings

    def _free(self, tile: str) -> bool:
        return (
            tile in self.rules.faces
            and tile not in self.board.line.faces
            and not any(
                t.tile == tile and t.face == "up" and t.place in ("strip", "wrong") for t in self.tiles.values()
            )
        )

    def _in_stock(self, readings: list[str]) -> str:
        """Inventory chooses among nearly equal readings: a face that lies elsewhere is not here."""
        return next((r for r in readings if self._free(r)), readings[0])

    @staticmethod
    def _read_as(fact: Placed, tile: str) -> Placed:
        """The fact with the reading that was chosen; what it was chosen from stays readable in it."""
        if tile == fact.tile and fact.face == "up":
            return fact
        sure = dict(fact.alternatives).get(tile, fact.confidence)
        others = [(fact.tile, fact.confidence)] if fact.tile not in ("?", tile) else []
        others += [(name, value) for name, value in fact.alternatives if name != tile]
        return replace(fact, tile=tile, face="up", confidence=sure, alternatives=tuple(others))

    def _meets(self, tile: Tile) -> bool:
        return tile.tile in self.rules.faces and self.board.touches(tile.tile, tile.pose)

    def _join_loose(self) -> None:
        """Tiles of this picture that touch the layout now that another was laid."""
        joined = True
        while joined:
            joined = False
            for entry in self.loose:
                _, tile, readings = entry
                if self._meets(tile) and self.phase == "play":
                    self.loose.remove(entry)
                    self._play(tile, self.assumed(), "turn", readings)
                    joined = True
                    break

    def end_picture(self, t: float) -> None:
        """The picture before t is told in full: what is still amiss in it is called, as of its time."""
        self._call_retracted(t)
        loose, self.loose = self.loose, []
        if len(loose) > 1 and not self.board.line.played:
            loose = self.several_first(loose)
        for when, tile, readings in loose:
            now, self.now = self.now, when
            if self.tiles.get(tile.id) is tile:
                self._play(tile, self.assumed(), "turn", readings)
            self.now = now

    def nothing_told(self) -> bool:
        """Whether nothing tells who opens: then several tiles of one picture may be a layout that lay there before."""
        return self.round == 1 and self.starter is None

    def watched_before(self, t: float, tiles: int) -> bool:
        """Whether the first tiles, found at t, were laid while the table was watched.

        Something was told before, or the first of several stills was empty and no seat need have laid twice since.
        """
        empty_before = self.match.source == "stills" and self.match.t < t
        return self.first_t < t or (empty_before and tiles <= self.seats)

    def several_first(self, loose: list[tuple[float, Tile, list[str]]]) -> list[tuple[float, Tile, list[str]]]:
        """Several tiles in the first picture of a layout; those that are left to be played in turn, in order."""
        raise NotImplementedError  # `found`

    def _call_retracted(self, t: float) -> None:
        """Layout tiles gone in a picture before t, and not there again under another id in the same picture."""
        gone, self.gone = self.gone, []
        for when, tile, seat in gone:
            if when > t:
                self.gone.append((when, tile, seat))
                continue
            now, self.now = self.now, when
            owner = -1 if tile.seat is None else tile.seat
            self.call("TILE_RETRACTED", seat, "retracted", {}, tile=tile.tile, ids=(tile.id,), count=owner)
            self.now = now

    def _told_anew(self, tile: Tile) -> bool:
        """A layout tile that comes under another id, its old one gone in this picture or about to go."""
        for old in [old for _, old, _ in self.gone] + [t for t in self.tiles.values() if t.place == "layout"]:
            near = old.where is not None and shift_w(old.where, tile.pose, self.table.width_mm) <= PUT_BACK_W
            if near and old.tile == tile.tile and old.id != tile.id:
                self.gone = [entry for entry in self.gone if entry[1] is not old]
                self.ids[old.index] = tile.id
                tile.place, tile.index, tile.where = "layout", old.index, old.where
                tile.seat, tile.by = old.seat, old.by
                old.place = "other"
                if old.id in self.asked:  # it was missed after a pause
                    self.asked.discard(old.id)
                    self.tiles.pop(old.id, None)
                return True
        return False

    def _put_back(self, tile: Tile) -> bool:
        """A retracted tile that lies in its place again."""
        for wrong in self.wrongs:
            if wrong.kind == "retracted" and wrong.tile == tile.tile:
                index = next(i for i, tile_id in enumerate(self.ids) if tile_id in wrong.ids)
                where = self.board.poses[index]
                if where is not None and shift_w(where, tile.pose, self.table.width_mm) <= PUT_BACK_W:
                    self.ids[index] = tile.id
                    tile.place, tile.index, tile.where = "layout", index, where
                    tile.seat = wrong.seat
                    self.close_wrong(wrong, "corrected")
                    return True
        return False

    # judging

    def _play(
        self, tile: Tile, seat: int, by: SeatBy | None, readings: list[str], join: tuple[int, str] | None = None
    ) -> None:
        """A tile laid by a seat: legal, or a call that can be put right."""
        tile.seat, tile.by = seat, by
        self.turn_found(seat, by)
        self.stand_before(seat)
        if self.phase != "play":
            tile.place = "wrong"
            self.judge(tile, False)
            self.call("PLAY_AFTER_END", seat, "tile", {}, tile=tile.tile, ids=(tile.id,))
            return
        at = (self.ids.index(join[0]), join[1]) if join is not None and join[0] in self.ids else None
        reading = tile.reading = self.board.read(readings, tile.pose, at)
        tile.tile = reading.tile
        opening = not self.board.line.played
        if opening:
            self._first_tile(seat)
            if self.rules.set_aside:
                return self._set_start_double(tile, seat)
        if by == "turn" or self.yard is None:
            self.firm = False
        faults = [*self._turn_faults(seat, by), *reading.faults]
        for wrong in [w for w in self.wrongs if w.kind == "press"]:
            self.close_wrong(wrong, "corrected" if wrong.seat == seat else "stands")
        if faults:
            self._call_tile(tile, seat, faults[0])
            return
        self._undo_pass(seat)
        self._accept(tile, seat)
        if join is None and self.phase == "play":  # a game that is written down has no places
            self._ask_to_spread(tile.pose, tile.index)

    def _first_tile(self, seat: int) -> None:
        if self.to_act is None:
            self.to_act = seat if self.starter is None else self.starter
        if not any(wrong.kind == "deal" for wrong in self.wrongs) and not self.starter_seen:
            self.check_deal()
        self.starter_seen = True
        self.never_counted = self.yard is None

    def _set_start_double(self, tile: Tile, seat: int) -> None:
        """A tile that was put aside before the deal is set: that is nobody's turn."""
        reading = tile.reading
        assert reading is not None
        if reading.faults:
            self._call_tile(tile, seat, reading.faults[0])
            return
        self.judge(tile, True)
        tile.seat = seat
        count = self.hand[seat]
        self.lay_down(tile, seat)
        self.hand[seat] = count  # it was put aside before the deal and is in no hand
        self.played[seat].clear()
        self.accepted = None
        if self.starter is None:
            self.starter, self.turn_open = seat, tile.by == "turn"
        self.to_act = self.starter

    def _turn_faults(self, seat: int, by: SeatBy | None) -> list[Fault]:
        if self.to_act is None or seat == self.to_act:
            return []
        if not self.board.line.played:
            return [Fault("WRONG_STARTER", {"s": self.to_act})]
        if self.last_layer == (seat, self.now) and by == "arm":
            return [Fault("MULTIPLE_TILES", {})]
        if self.last_pass is not None and self.last_pass[0] == seat and self.phase == "play":
            return []  # it takes its pass back
        if self.rules.options["passes"] == "inferred" and self._infer_passes(seat):
            return []
        return [Fault("OUT_OF_TURN", {"s": self.to_act})]

    def _infer_passes(self, seat: int) -> bool:
        """Seats between passed, if each of them may have."""
        between = []
        at = self.to_act
        while at is not None and at != seat:
            between.append(at)
            at = self.next_in_turn(at)
            if len(between) >= self.seats:
                return False
        if not all(self.may_pass(s) for s in between):
            return False
        for s in between:
            self.say(Passed(t=self.now, seat=s, by="inferred"))
            self.pass_turn(s, announced=False)
            if self.phase != "play":
                return False
        return True

    def _call_tile(self, tile: Tile, seat: int, fault: Fault) -> None:
        tile.place = "wrong"
        self.judge(tile, False)
        kind = "pose" if fault.code in POSE_CODES else "many" if fault.code == "MULTIPLE_TILES" else "tile"
        self.accepted = None
        if tile.tile in self.rules.faces and fault.code not in ("DUPLICATE_TILE", "PLAY_AFTER_END"):
            self.show(seat, tile.tile)
        self.call(fault.code, seat, kind, fault.args, tile=tile.tile, ids=(tile.id,))

    def _accept(self, tile: Tile, seat: int) -> None:
        opening = not self.board.line.played
        self.judge(tile, True)
        if opening:
            self._claim_start(seat, tile.tile)
            self.opener_assumed = self.starter is None and tile.by == "turn"
            self.starter = seat
        self.accepted = seat
        self.lay_down(tile, seat)
        if self.phase == "play":
            self.advance(seat)
        elif self.phase == "reveal":
            self.accepted = seat

    def _ask_to_spread(self, pose: Pose, index: int | None) -> None:
        """Toes of a double that lie on one another, or one that cannot be read: the next ones will be read no better.

        `index` is the tile's in the layout, None where it could not be read.
        """
        board, width = self.board, self.table.width_mm
        joint = None if index is None else board.line.played[index].joint
        foot = board.line.position.foot
        double = joint.at if joint is not None else None if foot is None else foot[0]
        if double is None or not self.rules.toes_of(board.line.played, double):
            return
        if index is None:
            crowded = board.overlap(pose, double) > -REACH_W * width
        else:
            toes = [i for i, tile in enumerate(board.line.played) if tile.joint is not None and tile.joint.at == double]
            crowded = any(board.overlap(pose, toe) > TOLERANCE_W * width for toe in toes if toe != index)
        if crowded and double not in self.told_spread:
            self.told_spread.add(double)
            self.advise("TOE_SPREAD")

    def _claim_start(self, seat: int, tile: str) -> None:
        """Whoever opens by rank, and whoever lets it, says that nothing in hand outranks the tile."""
        if self.starter is not None or not self.by_method or not self.rules.by_rank():
            return
        bad = [t for t in self.rules.faces if self.rules.outranks(t, tile)]
        for other in range(self.seats):
            self.claims.make("WRONG_OPENING_TILE" if other == seat else "WRONG_STARTER", other, self.now, bad)
