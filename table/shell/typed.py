"""Lines typed while a match is on -> presses, corrections and commands.

pass 0 · done 0 · challenge 0      a button of a seat (seats from 0)
12 is 6-3 · 12 seat 1 · 12 remove  record 12 was misread, was another seat's, never happened
add 6-3 at 350 420 90 seat 1       a tile the camera missed (x mm, y mm, degrees)
undo                               take the last act back
pause · resume · why 12 · quit
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from table import events
from table.events import UNKNOWN, is_known

HELP = (
    "pass 0, done 0, challenge 0, 12 is 6-3, 12 seat 1, 12 remove, add 6-3 at X Y DEGREES [seat 1], "
    "undo, pause, resume, why 12, quit"
)
BUTTONS: dict[str, Literal["pass", "done", "challenge"]] = {"pass": "pass", "done": "done", "challenge": "challenge"}


class NotUnderstood(ValueError):
    """A typed line that means nothing; the text says what can be typed."""


@dataclass(frozen=True, slots=True)
class Why:
    """The question why a record was made."""

    n: int


class Quit:
    """The wish to end the match here."""


Typed = events.Fact | Why | Quit


def parse_typed(line: str, t: float, seats: int) -> Typed:
    """What a typed line means at time `t`. Raises NotUnderstood."""
    words = line.lower().split()
    if not words:
        raise NotUnderstood(f"type one of: {HELP}")
    first, rest = words[0], words[1:]
    if first in BUTTONS and len(rest) == 1:
        return events.Button(t=t, seat=_seat(rest[0], seats), button=BUTTONS[first])
    if first == "undo" and not rest:
        return events.Correction(t=t, change="undo", by="typed")
    if first == "pause" and not rest:
        return events.Paused(t=t, by="typed")
    if first == "resume" and not rest:
        return events.Resumed(t=t, by="typed")
    if first in ("quit", "exit") and not rest:
        return Quit()
    if first == "why" and len(rest) == 1:
        return Why(_number(rest[0]))
    if first == "add":
        return _added(rest, t, seats)
    if first.isdigit() and len(rest) == 2 and rest[0] == "is":
        return events.Correction(t=t, of=int(first), change={"tile": _tile(rest[1])}, by="typed")
    if first.isdigit() and len(rest) == 2 and rest[0] == "seat":
        return events.Correction(t=t, of=int(first), change={"seat": _seat(rest[1], seats)}, by="typed")
    if first.isdigit() and rest == ["remove"]:
        return events.Correction(t=t, of=int(first), change="remove", by="typed")
    raise NotUnderstood(f"'{line.strip()}' is not understood; type one of: {HELP}")


def _added(words: list[str], t: float, seats: int) -> events.Correction:
    if len(words) not in (5, 7) or words[1] != "at" or (len(words) == 7 and words[5] != "seat"):
        raise NotUnderstood("write: add 6-3 at X Y DEGREES, with `seat 1` behind it if you know whose it is")
    try:
        x, y, angle = (float(word) for word in words[2:5])
    except ValueError:
        raise NotUnderstood(f"{' '.join(words[2:5])}: X and Y are millimetres, then degrees") from None
    added: dict[str, object] = {"tile": _tile(words[0]), "at": {"x_mm": x, "y_mm": y, "angle_deg": angle % 360}}
    if len(words) == 7:
        added["seat"] = _seat(words[6], seats)
    return events.Correction(t=t, change={"add": added}, by="typed")


def _number(word: str) -> int:
    if not word.isdigit():
        raise NotUnderstood(f"{word} is not a record's number")
    return int(word)


def _seat(word: str, seats: int) -> int:
    if not word.isdigit() or int(word) >= seats:
        raise NotUnderstood(f"there is no seat {word}; seats are 0 to {seats - 1}")
    return int(word)


def _tile(word: str) -> str:
    match = re.fullmatch(r"(\d{1,2})-(\d{1,2})", word)
    name = "-".join(map(str, sorted(map(int, match.groups()), reverse=True))) if match else UNKNOWN
    if not is_known(name):
        raise NotUnderstood(f"{word} is not a tile; write it like 6-3")
    return name
