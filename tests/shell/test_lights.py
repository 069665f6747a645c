"""The board during a game: lights as told, the rim points at what may not lie there, the settings say what is wired."""

from __future__ import annotations

import pytest

from table import events
from table.board.board import Board
from table.board.meaning import Lights as Lamps
from table.shell.faults import Fault
from table.shell.lights import Lights, open_lights
from table.shell.settings import BoardSettings

TABLE = events.Table((800.0, 600.0), 50.0, 25.0, 8.0, ())
MATCH = events.Match(t=0.0, n=0, game="block", seats=2, tile_set="double-six", table=TABLE)


def placed(n: int, x_mm: float, y_mm: float) -> events.Placed:
    at = events.Pose(x_mm, y_mm, 0.0)
    return events.Placed(
        n=n, t=1.0, id=n, tile="6-4", face="up", at=at, seat=0, seat_by="turn", confidence=1.0, alternatives=()
    )


def judged(of: int, legal: bool) -> events.Judged:
    return events.Judged(n=of + 1, t=1.0, of=of, legal=legal, joins=(), end=None)


def light(seat: int, meaning: str) -> events.Light:
    return events.Light(n=9, t=1.0, seat=seat, meaning=meaning, colour="red", pattern="fast")  # type: ignore[arg-type]


def pixels(board: Board) -> list[tuple[int, int]]:
    return [(span.start, span.length) for span in board.lights.state().spans]


def test_the_rim_points_at_what_may_not_lie_there_until_it_is_put_right() -> None:
    board = Board(2, None, lights=Lamps(2, rim=56))  # a pixel each 50 mm of the edge
    lights = Lights(board, TABLE.size_mm)
    lights([placed(1, 400, 590), judged(1, legal=True), light(0, "accepted")])
    assert pixels(board) == []
    lights([placed(3, 400, 590), judged(3, legal=False), light(0, "illegal")])
    assert pixels(board) == [(7, 3)]  # the middle of the lower edge, eight pixels from its right end
    lights([light(1, "ask")])
    assert pixels(board) == [(7, 3)]
    lights([light(0, "turn")])
    assert pixels(board) == []


def test_without_a_known_table_nothing_is_pointed_at() -> None:
    board = Board(2, None, lights=Lamps(2, rim=56))
    lights = Lights(board)
    lights([placed(3, 400, 590), judged(3, legal=False), light(0, "illegal")])
    assert pixels(board) == []
    assert board.lights.state().lights[0].colour


def test_what_is_wired_comes_from_the_settings(tmp_path, monkeypatch) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[board]\nrim = 40\nsecond_button = "challenge"\nmute = true\n')
    monkeypatch.setenv("DOMINOREF_CONFIG", str(file))
    with open_lights("none", MATCH) as lights:
        state = lights.board.lights.state()
        assert (state.rim, state.flags) == (40, 1)
        assert lights.board.second_button == "challenge"
    file.write_text("[board]\nrim = 61\n")
    with pytest.raises(Fault, match=r"<= 60.*board\.rim"):
        open_lights("none", MATCH)


def test_one_player_sits_at_the_first_place_of_a_board_for_two() -> None:
    alone = events.Match(t=0.0, n=0, game="free", seats=1, tile_set="double-six", table=TABLE)
    with open_lights("none", alone, BoardSettings()) as lights:
        assert lights.board.seats == 2
