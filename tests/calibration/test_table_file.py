"""table.toml: what may stand in it, what is refused with the key named, and writing it again."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import UNSET

from calibration.table_file import (
    DEFAULT_LENGTH_MM,
    SeatStrip,
    TableFileError,
    even_seats,
    parse_table,
    read_table,
    table_text,
    write_table,
)

AREA = "[play_area]\nsize_mm = [700, 500]\ncorners_px = [[100, 90], [1100, 80], [1200, 650], [50, 660]]\n"
FULL = (
    "[camera]\nsize_px = [1280, 720]\nmatrix = [[900.0, 0.0, 639.5], [0.0, 900.0, 359.5], [0.0, 0.0, 1.0]]\n"
    "distortion = [-0.1, 0.01, 0.0, 0.0, 0.0]\n"
    + AREA
    + '[markers]\nsize_mm = 40\n[tiles]\nset = "double-nine"\nlength_mm = 48\nwidth_mm = 24\nthickness_mm = 8\n'
    '[boneyard]\nrect_mm = [10, 10, 100, 200]\n[[seats]]\nedge = "bottom"\n[[seats]]\nedge = "top"\nspan = [0.0, 0.5]\n'
    "depth_mm = 70\n"
)


def test_all_that_may_stand_there() -> None:
    table = parse_table(FULL.encode())
    assert table.tile_mm() == (48, 24, 8)
    assert table.seat_strips() == [SeatStrip("bottom", (0, 1), 60.0), SeatStrip("top", (0.0, 0.5), 70)]
    assert table.plane((1280, 720)).focal_source == "given"
    assert table.boneyard is not UNSET
    assert table.boneyard.rect_mm == (10, 10, 100, 200)


def test_the_least_that_must_stand_there() -> None:
    table = parse_table(AREA.encode())
    assert table.tile_mm() == (DEFAULT_LENGTH_MM, DEFAULT_LENGTH_MM / 2, DEFAULT_LENGTH_MM / 6)
    assert [s.edge for s in table.seat_strips()] == ["bottom", "top"]
    assert [s.edge for s in table.seat_strips(4)] == ["bottom", "left", "top", "right"]
    assert table.seat_strips()[0].depth_mm == 1.25 * DEFAULT_LENGTH_MM
    assert table.plane((1280, 720)).size_px == (1280, 720)


@pytest.mark.parametrize("text", [AREA, FULL])
def test_written_again_it_is_the_same(text: str, tmp_path: Path) -> None:
    table = parse_table(text.encode())
    assert parse_table(table_text(table).encode()) == table
    path = tmp_path / "table.toml"
    path.write_text("old")
    write_table(path, table)
    assert read_table(path) == table
    assert [p.name for p in tmp_path.iterdir()] == ["table.toml"]


def area(corners: str = "[[100, 90], [1100, 80], [1200, 650], [50, 660]]", size: str = "[700, 500]") -> str:
    return f"[play_area]\nsize_mm = {size}\ncorners_px = {corners}\n"


TILES = "[tiles]\nlength_mm = {}\n"
FAULTS: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "play_area"),
    "no toml": ("[play_area\n", "TOML"),
    "not text": (b"\xff\xfe\x00", ""),
    "unknown table": (AREA + "[lamp]\nx = 1\n", "lamp"),
    "unknown key": (AREA + "[tiles]\nlenght_mm = 48\n", "lenght_mm"),
    "a word for a number": (AREA + '[tiles]\nlength_mm = "48"\n', "tiles.length_mm"),
    "unknown set": (AREA + '[tiles]\nset = "double-five"\n', "tiles.set"),
    "unknown edge": (AREA + '[[seats]]\nedge = "north"\n', "seats"),
    "no size": ("[play_area]\ncorners_px = [[1,1],[9,1],[9,9],[1,9]]\n", "size_mm"),
    "NaN corner": (area("[[nan, 90], [1100, 80], [1200, 650], [50, 660]]"), "corners_px"),
    "infinite size": (area(size="[inf, 500]"), "size_mm"),
    "NaN size": (area(size="[nan, 500]"), "size_mm"),
    "size of nothing": (area(size="[0, 500]"), "size_mm"),
    "negative size": (area(size="[700, -500]"), "size_mm"),
    "three corners": (area("[[100, 90], [1100, 80], [1200, 650]]"), "corners_px"),
    "counter-clockwise": (area("[[100, 90], [50, 660], [1200, 650], [1100, 80]]"), "counter-clockwise"),
    "crossing corners": (area("[[100, 90], [1200, 650], [1100, 80], [50, 660]]"), "corners_px"),
    "corners on a line": (area("[[0, 0], [10, 10], [20, 20], [30, 30]]"), "corners_px"),
    "twice the same corner": (area("[[100, 90], [100, 90], [1200, 650], [50, 660]]"), "corners_px"),
    "a corner far outside": (
        "[camera]\nsize_px = [1280, 720]\n" + area("[[100, 90], [99999, 80], [1200, 650], [50, 660]]"),
        "corners_px",
    ),
    "size_px of nothing": (AREA + "[camera]\nsize_px = [0, 720]\n", "size_px"),
    "a matrix of no lens": (
        AREA + "[camera]\nsize_px = [1280, 720]\nmatrix = [[0.0,0,1],[0,900.0,1],[0,0,1]]\n",
        "camera.matrix",
    ),
    "NaN in the lens": (
        AREA + "[camera]\nsize_px = [1280, 720]\nmatrix = [[900.0,0,nan],[0,900.0,1],[0,0,1]]\n",
        "camera.matrix",
    ),
    "falling span": (AREA + '[[seats]]\nedge = "top"\nspan = [0.6, 0.2]\n', "span"),
    "span outside": (AREA + '[[seats]]\nedge = "top"\nspan = [0.0, 1.2]\n', "span"),
    "nine seats": (AREA + '[[seats]]\nedge = "top"\n' * 9, "seats"),
    "tiny tiles": (AREA + TILES.format(2), "tiles"),
    "huge tiles": (AREA + TILES.format(2000), "tiles"),
    "wider than long": (AREA + TILES.format(48) + "width_mm = 60\n", "tiles"),
    "thicker than wide": (AREA + TILES.format(48) + "thickness_mm = 30\n", "tiles"),
    "a table for giants": (area(size="[600000, 440000]"), "play_area.size_mm"),
    "a table for ants": (area(size="[1, 1]"), "play_area.size_mm"),
    "a yard elsewhere": (AREA + "[boneyard]\nrect_mm = [-500, -500, 100, 100]\n", "boneyard.rect_mm"),
    "a yard larger than the table": (AREA + "[boneyard]\nrect_mm = [0, 0, 5000, 5000]\n", "boneyard.rect_mm"),
    "a strip deeper than the table": (AREA + '[[seats]]\nedge = "top"\ndepth_mm = 1000\n', "seats[0].depth_mm"),
    "a yard of nothing": (AREA + "[boneyard]\nrect_mm = [10, 10, 0, 50]\n", "boneyard"),
    "NaN yard": (AREA + "[boneyard]\nrect_mm = [nan, 10, 50, 50]\n", "boneyard"),
    "negative marker": (AREA + "[markers]\nsize_mm = -4\n", "markers"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_the_file_and_the_key(name: str, tmp_path: Path) -> None:
    text, key = FAULTS[name]
    path = tmp_path / "table.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(TableFileError) as raised:
        read_table(path)
    said = str(raised.value)
    assert said.startswith(f"{path}: ")
    assert key in said
    assert "\n" not in said


def test_a_file_that_is_not_there_names_calibrate(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match=r"nowhere.toml.*dominoref calibrate"):
        read_table(tmp_path / "nowhere.toml")
    with pytest.raises(TableFileError, match="cannot be read"):
        read_table(tmp_path)


def test_another_picture_size_is_refused_not_scaled() -> None:
    with pytest.raises(TableFileError, match=r"1280x720.*640x360"):
        parse_table(FULL.encode()).plane((640, 360))


def test_seats_that_disagree_are_refused() -> None:
    with pytest.raises(TableFileError, match="2 seats, 3 were asked for"):
        parse_table(FULL.encode()).seat_strips(3)


@pytest.mark.parametrize("count", range(1, 9))
def test_even_seats_fill_the_edges_without_overlap(count: int) -> None:
    strips = even_seats(count)
    assert len(strips) == count
    assert strips[0].edge == "bottom"
    order = [("bottom", "left", "top", "right").index(s.edge) for s in strips]
    assert order == sorted(order)
    for edge in ("bottom", "left", "top", "right"):
        spans = [s.span for s in strips if s.edge == edge]
        assert all(a[1] == pytest.approx(b[0]) for a, b in pairwise(spans))
        assert not spans or (spans[0][0], spans[-1][1]) == (0, 1)
