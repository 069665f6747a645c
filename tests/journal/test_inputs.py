"""inputs.jsonl: presses and corrections as facts in time order; every fault names file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from table import events
from table.journal.inputs import InputsError, read_inputs


def written(folder: Path, *lines: str) -> Path:
    path = folder / "inputs.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_presses_and_corrections(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '{"t":1,"type":"button","seat":0,"button":"pass"}',
        "",
        '{"t":1,"type":"button","seat":1,"button":"challenge"}',
        '{"t":2.5,"type":"correction","of":7,"change":{"tile":"6-3"}}',
        '{"t":2.5,"type":"correction","of":7,"change":{"seat":1}}',
        '{"t":3,"type":"correction","of":7,"change":"remove"}',
        '{"t":3,"type":"correction","change":"undo"}',
        '{"t":4,"type":"correction","change":{"add":{"tile":"6-3","at":{"x_mm":1,"y_mm":2,"angle_deg":3},"seat":0}}}',
    )
    facts = read_inputs(path, seats=2)
    assert [(f.t, f.type) for f in facts] == [
        (1, "button"),
        (1, "button"),
        (2.5, "correction"),
        (2.5, "correction"),
        (3, "correction"),
        (3, "correction"),
        (4, "correction"),
    ]
    assert facts[0] == events.Button(t=1, seat=0, button="pass")
    assert facts[2] == events.Correction(t=2.5, of=7, change={"tile": "6-3"})
    assert all(f.n == events.UNNUMBERED for f in facts)


def test_pauses(tmp_path: Path) -> None:
    path = written(tmp_path, '{"t":1,"type":"paused"}', '{"t":4,"type":"resumed"}')
    assert read_inputs(path, seats=2) == [events.Paused(t=1), events.Resumed(t=4)]


def test_no_inputs_are_no_inputs(tmp_path: Path) -> None:
    assert read_inputs(written(tmp_path), seats=2) == []
    assert read_inputs(written(tmp_path, "", "  "), seats=2) == []


PASS = '{{"t":{},"type":"button","seat":0,"button":"pass"}}'.format


def change(text: str, of: str = "3") -> str:
    return f'{{"t":1,"type":"correction","of":{of},"change":{text}}}'


FAULTS = {
    "no json": ("nonsense", "malformed"),
    "half a line": ('{"t":1,"type":"but', "truncated"),
    "a list": ("[]", "object"),
    "unknown type": ('{"t":1,"type":"press","seat":0}', "press"),
    "unknown key": ('{"t":1,"type":"button","seat":0,"button":"pass","who":"me"}', "who"),
    "unknown button": ('{"t":1,"type":"button","seat":0,"button":"stop"}', "stop"),
    "no seat": ('{"t":1,"type":"button","button":"pass"}', "seat"),
    "no time": ('{"type":"button","seat":0,"button":"pass"}', "`t`"),
    "a time in words": (PASS('"1"'), "float"),
    "NaN": (PASS("NaN"), "malformed"),
    "infinite": (PASS("1e999"), "out of range"),
    "before the start": (PASS("-1"), "earlier"),
    "a seat too many": ('{"t":1,"type":"button","seat":2,"button":"pass"}', "seats are 0 to 1"),
    "a negative seat": ('{"t":1,"type":"button","seat":-1,"button":"pass"}', "seats are 0 to 1"),
    "unknown change": (change('"redo"'), "redo"),
    "no change": (change("{}"), "change is"),
    "two changes": (change('{"tile":"6-3","seat":1}'), "change is"),
    "another change": (change('{"colour":"red"}'), "change is"),
    "no tile": (change('{"tile":"6/3"}'), "6/3"),
    "a tile the wrong way": (change('{"tile":"3-6"}'), "6-3"),
    "a tile that is a number": (change('{"tile":5}'), "no tile"),
    "a corrected seat too many": (change('{"seat":4}'), "no seat 4"),
    "a seat in words": (change('{"seat":"me"}'), "no seat me"),
    "a seat that is true": (change('{"seat":true}'), "no seat"),
    "record before the first": (change('"remove"', "-1"), "of is -1"),
    "record in words": (change('"remove"', '"last"'), "of"),
    "added nothing": (change('{"add":5}'), "add is"),
    "added verdict": (change('{"add":{"type":"judged"}}'), "add cannot"),
    "added list of types": (change('{"add":{"type":[]}}'), "add cannot"),
    "added no tile": (change('{"add":{"tile":"9"}}'), "add: '9' is no tile"),
    "added seat too many": (change('{"add":{"tile":"6-3","seat":2}}'), "add: there is no seat 2"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_the_line(name: str, tmp_path: Path) -> None:
    line, words = FAULTS[name]
    path = written(tmp_path, PASS(0), "", line)
    with pytest.raises(InputsError) as raised:
        read_inputs(path, seats=2)
    said = str(raised.value)
    assert said.startswith(f"{path}, line 3: ")
    assert words in said
    assert "\n" not in said


def test_out_of_order_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(InputsError, match=r"line 2: t 1 is earlier than 2 before; sort by t"):
        read_inputs(written(tmp_path, PASS(2), PASS(1)), seats=2)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputsError, match="cannot be read"):
        read_inputs(tmp_path, seats=2)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "inputs.jsonl"
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(InputsError, match="line 1"):
        read_inputs(path, seats=2)
