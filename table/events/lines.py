"""Records as JSON lines and back.

The order of the fields is fixed, so the same records are the same bytes.
"""

from __future__ import annotations

from typing import Any

import msgspec

from .records import (
    UNNUMBERED,
    Boneyard,
    Bumped,
    Button,
    Correction,
    Done,
    Match,
    Moved,
    Passed,
    Paused,
    Placed,
    Record,
    Removed,
    Resumed,
    Returned,
    Revealed,
    RoundStarted,
    Shown,
    Taken,
    TrickCollected,
    TrickDown,
    TrickUp,
    Turned,
)
from .verdicts import Advice, Attention, Hand, Judged, Light, MatchEnded, RoundEnded, Score, Trick, Turn, Violation

AnyFact = (
    Match
    | RoundStarted
    | Placed
    | Removed
    | Moved
    | Turned
    | Bumped
    | Boneyard
    | Shown
    | Taken
    | Returned
    | TrickUp
    | TrickDown
    | TrickCollected
    | Revealed
    | Button
    | Passed
    | Done
    | Correction
    | Paused
    | Resumed
)
AnyVerdict = Judged | Turn | Violation | Advice | Attention | Trick | Hand | Score | RoundEnded | MatchEnded | Light
AnyRecord = AnyFact | AnyVerdict

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyRecord)


def as_dict(record: Record) -> dict[str, Any]:
    """The record as plain values, `n`, `t` and `type` first, without the optional fields that are null."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    first = {} if record.n == UNNUMBERED else {"n": record.n}
    first |= {"t": plain.pop("t"), "type": plain.pop("type")}
    plain.pop("n")
    return first | {k: v for k, v in plain.items() if v is not None or k not in record.optional}


def encode(record: Record) -> bytes:
    """One JSON line without its line break, UTF-8."""
    return msgspec.json.encode(as_dict(record))


def decode(line: bytes | str) -> AnyRecord:
    """A record from its line. Raises ValueError naming what does not fit the contract."""
    try:
        record: AnyRecord = _decoder.decode(line)
    except msgspec.MsgspecError as fault:
        raise ValueError(f"not a record of this format: {fault}") from None
    return record
