"""Tiles laid, taken back, moved and turned in a line game, and how each is judged."""

from __future__ import annotations

from msgspec.structs import replace

from table.events import Moved, OfTile, Passed, Placed, Pose, Removed, SeatBy, Turned, is_double, pips
from table.rules.chicken_foot import ChickenFoot
from table.rules.line import Fault

from .fold import Wrong
from .line_state import POSE_CODES, Tile, shift_w, turn_deg
from .onboard import nearly_equal
from .turns import Turns

DISTURBED_W, DISTURBED_DEG = 0.5, 10.0  # section 7: more than half a width or 10 degrees
PUT_BACK_W = 0.6  # a disturbed or retracted tile this near its place lies there again

Who = tuple[int | None, SeatBy | None]


class Laying(Turns):
    """Tiles of a line game in view."""

    # arriving

    def placed(self, fact: Placed) -> tuple[Placed, Who]:
        """Register and judge a tile that lies now; the fact with the reading chosen, and who laid it."""
        readings = self._readings(fact)
        tile = Tile(fact.id, fact.tile, fact.face, fact.at, None, None, fact.n)
        before = self.tiles.get(fact.id)
        if before is not None and before.place != "unclear":
            before.pose = fact.at  # the same tile told twice
            return fact, (before.seat, before.by)
        self.tiles[fact.id] = tile
        if fact.face == "down" or self.phase in ("scored", "over"):
            self.touch_strip(tile)
            return fact, (None, None)
        if not readings:
            tile.place = "unclear"
            self.ask("UNCLEAR_TILE", id=fact.id)
            return fact, self._who(fact)
        self.asking = self.asking and any(t.place == "unclear" for t in self.tiles.values())
        tile.tile, tile.face = readings[0], "up"
        zone = self.zone(fact.at)
        written = fact.join is not None
        if zone is not None and not written and (self.phase == "reveal" or not self._meets(tile)):
            seat: int = fact.seat if fact.seat is not None and fact.seat_by == "arm" else zone
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
        player, by = self._who(fact)
        assert player is not None
        self._play(tile, player, by, readings, fact.join)
        return self._read_as(fact, tile.tile), (player, by)

    def _who(self, fact: OfTile) -> Who:
        return self.seated(fact.seat, fact.seat_by, self.assumed())

    def _readings(self, fact: Placed) -> list[str]:
        if fact.face == "down":
            return []
        readings = nearly_equal(fact.tile, fact.confidence, fact.alternatives)
        if fact.face == "unclear" and len([r for r in readings if r in self.rules.faces and self._free(r)]) != 1:
            return []
        return readings

    def _free(self, tile: str) -> bool:
        return tile not in self.board.line.faces and not any(
            t.tile == tile and t.face == "up" and t.place in ("strip", "wrong") for t in self.tiles.values()
        )

    def _in_stock(self, readings: list[str]) -> str:
        """Inventory chooses among nearly equal readings: a face that lies elsewhere is not here."""
        return next((r for r in readings if r in self.rules.faces and self._free(r)), readings[0])

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

    def call_retracted(self, t: float) -> None:
        """Layout tiles gone in a picture before t, and not there again under another id in the same picture."""
        gone, self.gone = self.gone, []
        for when, tile, seat in gone:
            if when > t:
                self.gone.append((when, tile, seat))
                continue
            now, self.now = self.now, when
            owner = tile.seat if tile.seat is not None else 0
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
            if self._sets_only():
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

    def _first_tile(self, seat: int) -> None:
        if self.to_act is None:
            self.to_act = seat if self.starter is None else self.starter
        if not any(wrong.kind == "deal" for wrong in self.wrongs) and not self.starter_seen:
            self.check_deal()
        self.starter_seen = True

    def _sets_only(self) -> bool:
        """Chicken foot with a searched start double: setting it is nobody's turn."""
        return isinstance(self.rules, ChickenFoot) and not self.rules.holder

    def _set_start_double(self, tile: Tile, seat: int) -> None:
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
        self.starter = seat if self.starter is None else self.starter
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
            self.starter = seat
        self.accepted = seat
        self.lay_down(tile, seat)
        if self.phase == "play":
            self.advance(seat)
        elif self.phase == "reveal":
            self.accepted = seat

    def _claim_start(self, seat: int, tile: str) -> None:
        """Whoever opens by rank, and whoever lets it, says that nothing in hand outranks the tile."""
        if self.starter is not None or not self.rules.by_rank():
            return
        bad = [t for t in self.rules.faces if self.rules.outranks(t, tile)]
        for other in range(self.seats):
            self.claims.make("WRONG_OPENING_TILE" if other == seat else "WRONG_STARTER", other, self.now, bad)

    # taking back, moving, turning

    def removed(self, fact: Removed) -> Who:
        tile = self.tiles.pop(fact.id, None)
        if tile is None or self.phase in ("scored", "over"):
            self.look_for_next_round()
            return self.seated(fact.seat, fact.seat_by, None if tile is None else tile.seat)
        wrong = self._wrong_of(fact.id)
        if tile.place == "strip":
            self.touch_strip(tile)
            return (fact.seat, "arm") if fact.seat_by == "arm" else (tile.seat, None)
        if wrong is not None and tile.place == "wrong":
            self._take_back(tile, wrong)
            return self.seated(fact.seat, fact.seat_by, tile.seat)
        if tile.place == "layout" and self.phase == "play":
            seat, by = self.seated(fact.seat, fact.seat_by, self.to_act)
            if wrong is not None:
                wrong.ids.discard(fact.id)
            self.gone.append((self.now, tile, seat))
            return seat, by
        if tile.place == "unclear":
            self.asking = any(t.place == "unclear" for t in self.tiles.values())
        return self.seated(fact.seat, fact.seat_by, tile.seat)

    def _take_back(self, tile: Tile, wrong: Wrong) -> None:
        wrong.ids.discard(tile.id)
        if not wrong.ids:
            if tile.seat is not None and wrong.code not in ("DUPLICATE_TILE", "FOREIGN_TILE"):
                self.known[tile.seat].add(tile.tile)
            wrong.ids.add(tile.id)
            self.close_wrong(wrong, "corrected")

    def moved(self, fact: Moved) -> Who:
        tile = self.tiles.get(fact.id)
        if tile is None:
            return self.seated(fact.seat, fact.seat_by, None)
        before, tile.pose = tile.pose, fact.at
        wrong = self._wrong_of(fact.id)
        if tile.place == "layout" and self.phase == "play":
            seat, by = self.seated(fact.seat, fact.seat_by, self.to_act if wrong is None else wrong.seat)
            self.board.poses[tile.index] = fact.at
            self._watch_place(tile, seat, wrong)
            return seat, by
        if tile.place == "wrong" and wrong is not None:
            seat, by = self.seated(fact.seat, fact.seat_by, tile.seat)
            self._judge_again(tile, wrong)
            return seat, by
        if tile.place == "strip":
            who = (fact.seat, fact.seat_by) if fact.seat_by == "arm" else (tile.seat, None)
            if (
                self.phase == "play"
                and self.zone(fact.at) is None
                and (self._meets(tile) or not self.board.line.played)
            ):
                tile.n = fact.n
                assert tile.seat is not None
                self._play(tile, tile.seat, "arm", [tile.tile])
                return who
            self.touch_strip(tile, before)
            return who
        if tile.place == "other":
            self.touch_strip(tile, before)
        return self.seated(fact.seat, fact.seat_by, tile.seat)

    def _watch_place(self, tile: Tile, seat: int | None, wrong: Wrong | None) -> None:
        """A layout tile moved away from its place is called once a reach, and closed when all lie there again."""
        assert tile.where is not None
        away = (
            tile.face != "up"
            or shift_w(tile.where, tile.pose, self.table.width_mm) > DISTURBED_W
            or turn_deg(tile.where, tile.pose) > DISTURBED_DEG
        )
        if away and wrong is None:
            same = next(
                (w for w in self.wrongs if w.kind == "disturbed" and w.about == self.now and w.seat == seat), None
            )
            if same is not None:
                same.ids.add(tile.id)
            else:
                self.call("LAYOUT_DISTURBED", seat, "disturbed", {}, tile=tile.tile, ids=(tile.id,))
        elif not away and wrong is not None and wrong.kind == "disturbed":
            if len(wrong.ids) > 1:
                wrong.ids.discard(tile.id)
            else:
                self.close_wrong(wrong, "corrected")

    def _judge_again(self, tile: Tile, wrong: Wrong) -> None:
        """A wrong tile that was moved: put right, still wrong, or taken back to its seat."""
        if self.zone(tile.pose) is not None and not self._meets(tile):
            self._take_back(tile, wrong)
            tile.place = "strip"
            return
        if self.phase != "play" or tile.seat is None:
            return
        tile.reading = self.board.read([tile.tile], tile.pose)
        faults = list(tile.reading.faults)
        if wrong.code in ("OUT_OF_TURN", "MULTIPLE_TILES", "WRONG_STARTER"):
            return
        if not faults:
            wrong.ids = {tile.id}
            self.close_wrong(wrong, "corrected")
            self._accept(tile, tile.seat)
        elif faults[0].code != wrong.code:
            self.close_wrong(wrong, "corrected")
            self._call_tile(tile, tile.seat, faults[0])

    def turned(self, fact: Turned) -> tuple[Turned | Placed, Who]:
        tile = self.tiles.get(fact.id)
        if tile is None:
            return fact, self.seated(fact.seat, fact.seat_by, None)
        tile.pose = fact.at
        was, tile.face = tile.face, fact.face
        if tile.place == "layout":
            seat, by = self.seated(fact.seat, fact.seat_by, self.to_act)
            if self.phase == "play":
                self._watch_place(tile, seat, self._wrong_of(fact.id))
            return fact, (seat, by)
        if tile.place == "wrong" and fact.face == "down":
            wrong = self._wrong_of(fact.id)
            if wrong is not None:
                self._take_back(tile, wrong)
            tile.place = "other"
        elif was != "up" and fact.face == "up" and fact.tile != "?" and tile.place in ("other", "unclear"):
            del self.tiles[fact.id]
            as_placed = Placed(
                n=fact.n,
                t=fact.t,
                id=fact.id,
                tile=fact.tile,
                face="up",
                at=fact.at,
                seat=fact.seat,
                seat_by=fact.seat_by,
            )
            return fact, self.placed(as_placed)[1]
        self.touch_strip(tile)
        return fact, self.seated(fact.seat, fact.seat_by, tile.seat)

    def _wrong_of(self, tile_id: int) -> Wrong | None:
        return next((wrong for wrong in self.wrongs if tile_id in wrong.ids and wrong.kind != "retracted"), None)

    # strips

    def _arrive_in_strip(self, tile: Tile, zone: int) -> None:
        """A hand tile face up before a seat: a lot, a searched tile, an exposed one, or the reveal."""
        tile.place = "strip"
        if self.phase == "reveal":
            self.touch_strip(tile)
            return
        seat = zone
        tile.seat = seat
        self._show_after_false_pass()
        if self.phase == "reveal":
            self.touch_strip(tile)
            return
        self.expose(tile, seat)
        if not self.board.line.played:
            self._shown_before_play(tile, seat)
            return
        if self.loose_passes >= self.seats and self.yard is None and self.rules.draw != "none":
            self.end_play("blocked")  # everybody passed and nobody could count the boneyard: they end the round
        elif any(count is None for count in self.hand) and self._many_show():
            self.end_play("out")
        else:
            self.known[seat].add(tile.tile)
            self.show(seat, tile.tile)
            self.advise("TILE_EXPOSED", s=seat, tile=tile.tile)
        self.touch_strip(tile)

    def _show_after_false_pass(self) -> None:
        """Hands laid open though the last pass was called: the players let it stand and end the round."""
        wrong = next((w for w in self.wrongs if w.kind == "pass" and w.code == "ILLEGAL_PASS"), None)
        if wrong is not None and self.passes + 1 >= self.seats:
            self.stand(wrong)

    def _many_show(self) -> bool:
        return sum(t.place == "strip" for t in self.tiles.values()) > 1

    def _shown_before_play(self, tile: Tile, seat: int) -> None:
        options = self.rules.options
        method = options["starter_method"]
        if isinstance(self.rules, ChickenFoot) and method == "search":
            if tile.tile == f"{self.rules.start}-{self.rules.start}":
                self.starter = self.to_act = seat
            return
        if method == "lot" and self.starter is None:
            self._draw_lots(tile, seat)
            return
        self.known[seat].add(tile.tile)
        if options.get("redeal_without_double") and self._all_hands_lie():
            self._redeal()
            return
        self.advise("TILE_EXPOSED", s=seat, tile=tile.tile)

    def _draw_lots(self, tile: Tile, seat: int) -> None:
        self.lots[seat] = tile.tile
        if len(self.lots) == self.seats:
            best = max(pips(lot) for lot in self.lots.values())
            first = [s for s, lot in self.lots.items() if pips(lot) == best]
            self.lots.clear()
            if len(first) == 1:
                self.starter = self.to_act = first[0]

    def _all_hands_lie(self) -> bool:
        due = self.rules.hand_size()
        return all(
            sum(t.place == "strip" and t.seat == seat for t in self.tiles.values()) >= due for seat in range(self.seats)
        )

    def _redeal(self) -> None:
        for tile in self.tiles.values():
            if tile.place == "strip" and is_double(tile.tile):
                self.report("REDEAL_NOT_DUE", tile.seat, {}, self.now, tile.tile)
                return
        self.redeal()

    # what `reveal` adds

    def touch_strip(self, tile: Tile, before: Pose | None = None) -> None:
        raise NotImplementedError

    def look_for_next_round(self) -> None:
        raise NotImplementedError

    def redeal(self) -> None:
        raise NotImplementedError
