"""inputs.jsonl: presses and corrections that came with a recording, one JSON line each, in time order."""

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


_decoder: msgspec.json.Decoder[_Button | _Correction] = msgspec.json.Decoder(_Button | _Correction)


def read_inputs(path: Path, seats: int) -> list[events.Fact]:
    """The inputs of a recording as facts without a number. Raises InputsError naming the line."""
    try:
        text = path.read_bytes()
    except OSError as fault:
        raise InputsError(f"{path}: cannot be read ({fault.strerror})") from fault
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
        else:
            facts.append(events.Correction(t=given.t, of=given.of, change=given.change))
    return facts
