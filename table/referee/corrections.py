"""Corrections: which facts hold once all corrections are heeded, and which records say the same before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from table.events import (
    Button,
    Correction,
    Fact,
    Hand,
    Judged,
    Light,
    OfTile,
    Passed,
    Placed,
    Record,
    Returned,
    Taken,
    Turn,
    Turned,
    Violation,
    halves,
    numbered,
)
from table.events.lines import AnyFact

ADDED_ID = 1_000_000  # ids of tiles that only a correction knows, clear of the tracker's


@dataclass(slots=True)
class Said:
    """One input of the fold and the records in force about it."""

    how: str  # begin | take | close | pass | force | finish
    t: float
    fact: Fact | None = None
    n: int = -1
    said: list[Record] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # of all that was ever said about it

    @property
    def key(self) -> tuple[str, float]:
        return (self.how, self.n if self.n >= 0 else self.t)


def check_correction(fact: Correction, inputs: Sequence[Said]) -> None:
    """Raises ValueError with a sentence when a correction cannot be understood."""
    if fact.of is not None and cause_of(fact.of, inputs) is None:
        raise ValueError(f"correction of record {fact.of}: there is no such record")
    change = fact.change
    if change in ("undo", "remove"):
        if change == "remove" and fact.of is None:
            raise ValueError("a correction that removes needs `of`, the record's n")
        return
    if not isinstance(change, dict) or len(change) != 1 or not set(change) <= {"tile", "seat", "add"}:
        raise ValueError('a correction\'s change is {"tile":..}, {"seat":..}, {"add":{..}}, "remove" or "undo"')
    if fact.of is None and "add" not in change:
        raise ValueError("this correction needs `of`, the record's n")
    if "tile" in change:
        halves(str(change["tile"]))
    elif "seat" in change and not (isinstance(change["seat"], int) and change["seat"] >= 0):
        raise ValueError("a corrected seat is a number from 0")
    elif "add" in change:
        added_fact(fact)


def added_fact(correction: Correction) -> Fact:
    """The fact that a correction adds. Raises ValueError naming what is missing."""
    assert isinstance(correction.change, dict)
    fields = dict(correction.change["add"])
    fields.setdefault("type", "placed")
    fields["t"] = correction.t
    if fields["type"] == "placed":
        fields.setdefault("id", ADDED_ID + max(correction.n, 0))
        fields.setdefault("face", "up")
    if fields.get("seat") is not None:
        fields["seat_by"] = "correction"
    try:
        fact: Fact = msgspec.convert(fields, AnyFact)
    except msgspec.ValidationError as fault:
        raise ValueError(f"what the correction adds is no fact: {fault}") from None
    return numbered(fact, correction.n + 1 if correction.n >= 0 else -1)


def cause_of(n: int, inputs: Sequence[Said]) -> Said | None:
    """The input that the record n is, or was said about."""
    for said in inputs:
        if said.n == n or n in said.numbers:
            return said
    return None


def amended(inputs: Sequence[Said]) -> list[Said]:
    """The inputs as they hold: the same objects where nothing changed, else new ones that share `said`."""
    void: set[int] = set()
    corrections = [(i, said.fact) for i, said in enumerate(inputs) if isinstance(said.fact, Correction)]
    for i, fact in reversed(corrections):
        if i in void or fact.change != "undo":
            continue
        target = _undone(i, fact, inputs, void)
        if target is not None:
            void.add(target)
    facts: dict[int, Fact | None] = {i: said.fact for i, said in enumerate(inputs)}
    extra: dict[int, list[Said]] = {}
    for i in void:
        facts[i] = None
        _drop_followers(i, inputs, facts)
    for i, fact in corrections:
        if i in void or fact.change == "undo":
            continue
        _apply(i, fact, inputs, facts, extra)
    held: list[Said] = []
    for i, said in enumerate(inputs):
        fact_now = facts[i]
        if said.how != "take" or fact_now is said.fact:
            held.append(said)
        elif fact_now is not None:
            held.append(Said(said.how, said.t, fact_now, said.n, said.said, said.numbers))
        held += extra.get(i, [])
    return [said for said in held if not isinstance(said.fact, Correction)]


def _undone(i: int, fact: Correction, inputs: Sequence[Said], void: set[int]) -> int | None:
    if fact.of is not None:
        cause = cause_of(fact.of, inputs)
        return next((k for k, said in enumerate(inputs) if said is cause and said.how == "take"), None)
    for k in range(i - 1, -1, -1):
        earlier = inputs[k].fact
        undo = isinstance(earlier, Correction) and earlier.change == "undo"
        if inputs[k].how == "take" and k not in void and not undo:
            return k
    return None


def _drop_followers(i: int, inputs: Sequence[Said], facts: dict[int, Fact | None]) -> None:
    """With a tile that never lay go the reports of its moving, until its id comes to lie anew."""
    gone = inputs[i].fact
    if not isinstance(gone, Placed):
        return
    for k in range(i + 1, len(inputs)):
        fact = facts[k]
        if isinstance(fact, OfTile) and fact.id == gone.id:
            if isinstance(fact, Placed):
                return
            facts[k] = None


def _apply(
    i: int, fact: Correction, inputs: Sequence[Said], facts: dict[int, Fact | None], extra: dict[int, list[Said]]
) -> None:
    cause = None if fact.of is None else cause_of(fact.of, inputs)
    at = next((k for k, said in enumerate(inputs) if said is cause), i)
    change = fact.change
    if isinstance(change, dict) and "add" in change:
        added = replace(added_fact(fact), t=inputs[at].t)  # it happened then
        extra.setdefault(at, []).append(Said("take", added.t, added, added.n, inputs[i].said, inputs[i].numbers))
        return
    target = facts[at]
    if target is None or at == i:
        return
    if change == "remove":
        if not isinstance(target, Placed):
            at = _placing(at, target, facts)
        facts[at] = None
        _drop_followers(at, inputs, facts)
    elif isinstance(change, dict) and "tile" in change and isinstance(target, OfTile):
        at = _placing(at, target, facts)
        placed = facts[at]
        assert isinstance(placed, OfTile)
        if isinstance(placed, Placed):
            facts[at] = replace(placed, tile=change["tile"], face="up", confidence=1.0, alternatives=())
        else:
            facts[at] = replace(placed, tile=change["tile"])
    elif isinstance(change, dict) and "seat" in change:
        if isinstance(target, OfTile | Taken | Returned):
            facts[at] = replace(target, seat=change["seat"], seat_by="correction")
        elif isinstance(target, Button | Passed):
            facts[at] = replace(target, seat=change["seat"])


def _placing(at: int, target: Fact, facts: dict[int, Fact | None]) -> int:
    """Where the tile of a later fact was placed, or turned up."""
    if isinstance(target, Placed) or not isinstance(target, OfTile):
        return at
    for k in range(at, -1, -1):
        fact = facts[k]
        if isinstance(fact, Placed | Turned) and fact.id == target.id and fact.tile != "?":
            return k
    return at


def same(a: Record, b: Record) -> bool:
    """Whether two records say the same, whenever and wherever they are said."""
    return bool(_plain(a) == _plain(b))


def _plain(record: Record) -> Any:
    changes: dict[str, Any] = {"n": -1, "t": 0.0}
    if hasattr(record, "replaces"):
        changes["replaces"] = None
    return replace(record, **changes)


def subject(record: Record) -> tuple[Any, ...] | None:
    """What a record is about, so that its successor can be found; None for what only the present moment decides."""
    if isinstance(record, Turn | Light):
        return None
    if isinstance(record, Judged):
        return ("judged", record.of)
    if isinstance(record, Violation):
        return ("violation", record.number, record.status)
    if isinstance(record, Hand):
        return ("hand", record.seat)
    return (record.type, getattr(record, "seat", None), getattr(record, "code", None))


def paired(old: Sequence[Record], new: Sequence[Record]) -> list[tuple[Record | None, Record | None]]:
    """Old and new records about the same subjects, in the new order; what is gone comes first."""
    left: dict[tuple[Any, ...], list[Record]] = {}
    for record in old:
        if (about := subject(record)) is not None:
            left.setdefault(about, []).append(record)
    pairs: list[tuple[Record | None, Record | None]] = []
    for record in new:
        about = subject(record)
        if about is not None:
            before = left.get(about)
            pairs.append((before.pop(0) if before else None, record))
    gone: list[tuple[Record | None, Record | None]] = [
        (record, None) for records in left.values() for record in records
    ]
    return gone + pairs
