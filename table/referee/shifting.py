"""Tiles taken back, moved and turned in a line game: misplays put right, the layout disturbed."""

from __future__ import annotations

from table.events import Moved, Placed, Removed, Turned

from .fold import Wrong
from .laying import Who
from .line_state import Tile, shift_w, turn_deg
from .opener import Opener

DISTURBED_W, DISTURBED_DEG = 0.5, 10.0  # section 7: more than half a width or 10 degrees


class Shifting(Opener):
    """Tiles that lay already."""

    def removed(self, fact: Removed) -> Who:
        tile = self.tiles.pop(fact.id, None)
        self.asked.discard(fact.id)
        if tile is None or self.phase in ("scored", "over"):
            self.look_for_next_round()
            return self.seated(fact.seat, fact.seat_by, None if tile is None else tile.seat)
        wrong = self._wrong_of(fact.id)
        if tile.place == "strip":
            self._back_in_hand(tile)
            self.touch_strip(tile)
            return (fact.seat, "arm") if fact.seat_by == "arm" else (tile.seat, None)
        if wrong is not None and tile.place == "wrong":
            self._take_back(tile, wrong)
            return self.seated(fact.seat, fact.seat_by, tile.seat)
        if tile.place == "layout" and self.phase == "play" and self.resuming:
            self.tiles[fact.id] = tile
            self.differs(tile)
            return None, None
        if tile.place == "layout" and self.phase == "play":
            seat, by = self.seated(fact.seat, fact.seat_by, self.to_act)
            if wrong is not None:
                wrong.ids.discard(fact.id)
            self.gone.append((self.now, tile, seat))
            return seat, by
        return self.seated(fact.seat, fact.seat_by, tile.seat)

    def _back_in_hand(self, tile: Tile) -> None:
        """A tile shown before play is known to be in the hand once it is taken back there; lots are not."""
        lots = self.rules.options["starter_method"] in ("lot", "search")
        if tile.seat is not None and self.phase == "play" and not (tile.early and lots):
            self.known[tile.seat].add(tile.tile)

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
        tile.early = False
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
        if tile.place == "apart" and self.phase == "play" and self.take_in(tile):
            return self.seated(fact.seat, fact.seat_by, None)
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
        if away and self.resuming:
            self.differs(tile)
        elif away and wrong is None:
            same = next(
                (w for w in self.wrongs if w.kind == "disturbed" and w.about == self.now and w.seat == seat), None
            )
            if same is not None:
                same.ids.add(tile.id)
            else:
                self.call("LAYOUT_DISTURBED", seat, "disturbed", {}, tile=tile.tile, ids=(tile.id,))
        elif not away and tile.id in self.asked:
            self.asked.discard(tile.id)
        elif not away and wrong is not None and wrong.kind == "disturbed":
            if len(wrong.ids) > 1:
                wrong.ids.discard(tile.id)
            else:
                self.close_wrong(wrong, "corrected")

    def lies(self, tile_id: int) -> bool:
        return tile_id in self.tiles

    def in_layout(self, tile_id: int) -> bool:
        tile = self.tiles.get(tile_id)
        return tile is not None and tile.place == "layout"

    def start_clocks(self) -> None:
        self.strip_t = dict.fromkeys(self.strip_t, self.now)

    def differs(self, tile: Tile) -> None:
        """A layout tile that is not where it lay before a pause: nobody is to blame, but it has to go back."""
        self.ask("TABLE_DIFFERS", tile.id, id=tile.id, tile=tile.tile, missing=True)

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
        tile.pose, tile.early = fact.at, False
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
