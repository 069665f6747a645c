"""inputs.jsonl: presses, corrections and pauses that came with a recording, one JSON line each, in time order."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from table import events


class InputsError(ValueError):
    """An inputs.jsonl that cannot be used; the text names file, line and what is wrong."""


class _Button(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="button"):
    t: float
    seat: int
    button: Literal["pass", "done", "challenge"]


class _Correction(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="correction"):
    t: float
    change: dict[str, Any] | Literal["remove", "undo"]
    of: int | None = None


class _Paused(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="paused"):
    t: float


class _Resumed(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="resumed"):
    t: float


ADDED = (
    "placed", "removed", "moved", "turned", "boneyard", "taken", "returned", "shown", "revealed",
    "trick_up", "trick_down", "trick_collected", "button", "passed", "done",
)  # fmt: skip
"""What a correction can add: things that happened on the table."""

_Line = _Button | _Correction | _Paused | _Resumed
_decoder: msgspec.json.Decoder[_Line] = msgspec.json.Decoder(_Line)


def read_inputs(path: Path, seats: int) -> list[events.Fact]:
    """The inputs of a recording as facts without a number. Raises InputsError naming the line."""
    try:
        text = path.read_bytes()
    except OSError as fault:
        raise InputsError(f"{path}: cannot be read ({fault.strerror}); mend or remove it") from fault
    facts: list[events.Fact] = []
    last = 0.0
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            given = _decoder.decode(line)
        except msgspec.MsgspecError as fault:
            raise InputsError(f"{path}, line {number}: {fault}; mend that line") from fault
        if not given.t >= last:
            raise InputsError(f"{path}, line {number}: t {given.t:g} is earlier than {last:g} before; sort by t")
        last = given.t
        if isinstance(given, _Button):
            if not 0 <= given.seat < seats:
                raise InputsError(f"{path}, line {number}: there is no seat {given.seat}; seats are 0 to {seats - 1}")
            facts.append(events.Button(t=given.t, seat=given.seat, button=given.button))
        elif isinstance(given, _Paused):
            facts.append(events.Paused(t=given.t))
        elif isinstance(given, _Resumed):
            facts.append(events.Resumed(t=given.t))
        else:
            wrong = correction_fault(given.of, given.change, seats)
            if wrong:
                raise InputsError(f"{path}, line {number}: {wrong}; mend that line")
            facts.append(events.Correction(t=given.t, of=given.of, change=given.change))
    return facts


def correction_fault(of: int | None, change: dict[str, Any] | str, seats: int) -> str | None:
    """What is wrong with a correction, as far as it can be told before the match, or None."""
    if of is not None and of < 0:
        return f"of is {of}; it is the n of a record, 0 or more"
    if isinstance(change, str):
        return None
    key, value = next(iter(change.items())) if len(change) == 1 else ("", None)
    if key == "tile":
        return _tile_fault(value)
    if key == "seat":
        return _seat_fault(value, seats)
    if key != "add":
        return 'change is {"tile":..}, {"seat":..}, {"add":{..}}, "remove" or "undo"'
    if not isinstance(value, dict):
        return 'add is an object such as {"tile":"6-3","at":{"x_mm":..,"y_mm":..,"angle_deg":..},"seat":1}'
    if value.get("type", "placed") not in ADDED:
        return f"add cannot be of type {value['type']}; it is one of {', '.join(ADDED)}"
    tile, seat = value.get("tile"), value.get("seat")
    wrong = _tile_fault(tile) if tile not in (None, events.UNKNOWN) else None
    wrong = wrong or (_seat_fault(seat, seats) if seat is not None else None)
    return f"add: {wrong}" if wrong else None


def _tile_fault(tile: object) -> str | None:
    try:
        events.halves(str(tile))
    except ValueError as fault:
        return str(fault)
    return None


def _seat_fault(seat: object, seats: int) -> str | None:
    if isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < seats:
        return None
    return f"there is no seat {seat}; seats are 0 to {seats - 1}"
