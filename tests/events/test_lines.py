"""Records and their lines: names and fields of the contract, nothing lost on the way."""

import json

import pytest

from table.events import (
    Boneyard,
    Button,
    Correction,
    Judged,
    Light,
    Match,
    Placed,
    Pose,
    Turn,
    Violation,
    as_dict,
    decode,
    default_table,
    encode,
    numbered,
)

SAMPLES = [
    Match(
        n=0,
        t=0.0,
        game="block",
        seats=2,
        tile_set="double-six",
        options={"passes": "announced"},
        table=default_table(2),
    ),
    Placed(n=3, t=1.5, id=4, tile="6-4", face="up", at=Pose(100.0, 50.5, 90.0), alternatives=(("6-3", 0.01),)),
    Boneyard(n=4, t=2.0, count=None),
    Button(n=5, t=2.0, seat=1, button="pass"),
    Correction(n=6, t=3.0, of=3, change={"tile": "6-3"}),
    Correction(n=7, t=3.0, of=6, change="undo"),
    Judged(n=8, t=3.0, of=3, legal=None, replaces=2),
    Turn(n=9, t=3.0, seat=None),
    Violation(
        n=10,
        t=3.0,
        code="END_MISMATCH",
        args={"v": 3},
        message="No 3.",
        seat=0,
        tile="6-4",
        id=4,
        number=1,
        status="open",
        about=1.5,
    ),
    Light(n=11, t=3.0, seat="table", meaning="idle", colour="off", pattern="off"),
]


@pytest.mark.parametrize("record", SAMPLES, ids=lambda r: r.type)
def test_a_line_brings_back_the_record(record):
    assert decode(encode(record)) == record


def test_fields_are_the_contracts():
    line = json.loads(encode(SAMPLES[1]))
    assert list(line)[:3] == ["n", "t", "type"]
    assert line == {
        "n": 3, "t": 1.5, "type": "placed", "id": 4, "tile": "6-4", "face": "up",
        "at": {"x_mm": 100.0, "y_mm": 50.5, "angle_deg": 90.0}, "seat": None, "seat_by": None,
        "confidence": 1.0, "alternatives": [["6-3", 0.01]],
    }  # fmt: skip
    assert json.loads(encode(SAMPLES[0]))["set"] == "double-six"


def test_optional_fields_are_left_out_and_others_are_null():
    assert "replaces" not in as_dict(Turn(n=1, t=0.0, seat=None))
    assert as_dict(Turn(n=1, t=0.0, seat=None))["seat"] is None
    assert as_dict(Boneyard(n=1, t=0.0, count=None))["count"] is None


def test_a_fact_without_a_place_says_so_and_gets_one():
    fact = Boneyard(t=1.0, count=14)
    assert "n" not in as_dict(fact)
    assert numbered(fact, 7) == Boneyard(t=1.0, n=7, count=14)


@pytest.mark.parametrize(
    "line", ["", "{}", '{"type":"sneezed","t":1}', '{"type":"boneyard"}', '{"type":"turn","t":1,"seat":"x"}']
)
def test_a_foreign_line_is_a_value_error(line):
    with pytest.raises(ValueError, match="not a record"):
        decode(line)
