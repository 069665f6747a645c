"""`dominoref count` on painted pictures: the contract's JSON, the table for people, seats and overlays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from table.shell.count import smallest_set
from tests.painted import SIZE_PX, TABLE_TOML, Table, write_stills
from tests.shell.conftest import Dominoref
from vision.sources.pictures import read_picture


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """6-4 in the first seat's strip, 2-2 in the second's, a back in the middle and a tile beside the play area."""
    table = Table()
    table.lay("6-4", 300, 410, 0)
    table.lay("2-2", 100, 30, 90)
    table.lay("back", 300, 220, 30)
    return write_stills(tmp_path / "pictures", [table.picture()]) / "000.png"


def counted(dominoref: Dominoref, *words: object) -> list[dict[str, Any]]:
    code, out, err = dominoref("count", *words, "--json")
    assert (code, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def test_a_line_a_picture(dominoref: Dominoref, picture: Path) -> None:
    lines = counted(dominoref, picture, picture)
    assert lines[0] == lines[1]
    line = lines[0]
    assert list(line) == ["image", "set", "pips", "tiles"]
    assert (line["image"], line["set"], line["pips"]) == (str(picture), "double-six", 14)
    assert sorted((t["tile"], t["face"]) for t in line["tiles"]) == [("2-2", "up"), ("6-4", "up"), ("?", "down")]
    tile = next(t for t in line["tiles"] if t["tile"] == "6-4")
    assert list(tile) == ["tile", "face", "quad", "confidence"]
    (x0, _), (x1, _), (x2, _), (x3, _) = tile["quad"]
    assert max(x0, x3) < min(x1, x2), "corners 0 and 3 are at the half named first"


def test_with_a_table_every_tile_has_a_place_and_a_seat(dominoref: Dominoref, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TABLE_TOML)
    (line,) = counted(dominoref, picture, "--table", tmp_path / "table.toml")
    assert line["seats"] == [{"seat": 0, "pips": 10}, {"seat": 1, "pips": 4}]
    assert {t["tile"]: t["seat"] for t in line["tiles"]} == {"6-4": 0, "2-2": 1, "?": None}
    at = next(t["at"] for t in line["tiles"] if t["tile"] == "6-4")
    assert (at["x_mm"], at["y_mm"], at["angle_deg"] % 180) == pytest.approx((300, 410, 0), abs=2)


def test_a_table_for_people(dominoref: Dominoref, picture: Path) -> None:
    code, out, err = dominoref("count", picture, picture)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].endswith("000.png: 2 tiles, 14 pips (double-six)")
    assert [line.split() for line in lines[1:4]] == [["6-4", "10", "pips"], ["2-2", "4", "pips"], ["1", "face", "down"]]
    assert lines[-1] == "all pictures: 28 pips"


def test_overlays(dominoref: Dominoref, picture: Path, tmp_path: Path) -> None:
    counted(dominoref, picture, "--overlay", tmp_path / "one.png")
    counted(dominoref, picture, picture, "--overlay", tmp_path / "folder")
    for made in (tmp_path / "one.png", tmp_path / "folder" / "000.overlay.jpg"):
        drawn = read_picture(made)
        assert drawn.shape == (SIZE_PX[1], SIZE_PX[0], 3)
        assert abs(drawn.astype(int) - read_picture(picture)).max() > 100


@pytest.mark.parametrize("name", ["overlay.xyz", "none/overlay.jpg"])
def test_an_overlay_that_cannot_be_written_is_said(
    name: str, dominoref: Dominoref, picture: Path, tmp_path: Path
) -> None:
    code, _, err = dominoref("count", picture, "--overlay", tmp_path / name)
    assert (code, len(err.splitlines())) == (1, 1)
    assert "overlay" in err


@pytest.mark.parametrize(
    ("tiles", "name"),
    [
        ([], "double-six"),
        (["6-6", "?"], "double-six"),
        (["6-6", "7-0"], "double-nine"),
        (["12-1"], "double-twelve"),
        (["10-9"], "double-twelve"),
    ],
)
def test_the_smallest_set_that_holds_them(tiles: list[str], name: str) -> None:
    assert smallest_set(tiles) == name


def test_tiles_too_small_to_be_read_well_and_no_tiles_are_said(dominoref: Dominoref, picture: Path) -> None:
    image = read_picture(picture)
    near, bare = picture.with_name("near.png"), picture.with_name("bare.png")
    cv2.imwrite(str(near), cv2.resize(image, None, fx=3, fy=3))
    cv2.imwrite(str(bare), np.full_like(image, 90))
    said = {path: dominoref("count", path)[1] for path in (picture, near, bare)}
    assert "only 25 px long; below 30 px readings are doubtful" in said[picture]
    assert "px" not in said[near]
    assert "no tiles found" in said[bare]
