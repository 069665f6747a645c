"""A pause: what happens on the table meanwhile is taken down and judged only as it lies when play goes on.

A tile that was lifted and lies again where it was has not been touched, a tile that came and went was never there, and
presses say nothing. Pure; the fold asks `net` when it resumes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from table.events import Boneyard, Fact, Moved, OfTile, Placed, Removed, Returned, SeatBy, Taken, Turned


def net(held: Iterable[Fact], lay: Callable[[int], bool], in_layout: Callable[[int], bool]) -> list[Fact]:
    """What is different after a pause, as facts in the order to heed them.

    `lay` tells whether a tile lay there before, `in_layout` whether it was part of the layout: such a tile that is gone
    comes last, for it may lie there again under another id.
    """
    tiles: dict[int, list[OfTile]] = {}
    drawn: dict[tuple[int | None, SeatBy | None], list[Taken | Returned]] = {}
    yard: Boneyard | None = None
    for fact in held:
        if isinstance(fact, OfTile):
            tiles.setdefault(fact.id, []).append(fact)
        elif isinstance(fact, Taken | Returned):
            drawn.setdefault((fact.seat, fact.seat_by), []).append(fact)
        elif isinstance(fact, Boneyard):
            yard = fact
    gone: list[Fact] = []
    changed: list[Fact] = []
    came: list[Fact] = []
    for tile_id, facts in tiles.items():
        last = facts[-1]
        if lay(tile_id):
            if isinstance(last, Removed):
                gone.append(last)
            else:
                changed += _changes(facts)
        elif not isinstance(last, Removed):
            came.append(_as_it_lies(facts))
    taken = [act for acts in drawn.values() if (act := _sum(acts)) is not None]
    gone.sort(key=lambda fact: isinstance(fact, OfTile) and in_layout(fact.id))
    early = [fact for fact in gone if isinstance(fact, OfTile) and not in_layout(fact.id)]
    return [*early, *changed, *taken, *([] if yard is None else [yard]), *came, *gone[len(early) :]]


def _changes(facts: list[OfTile]) -> list[Fact]:
    """A tile that lay before and lies now: turned, if it was, and where it is."""
    last = facts[-1]
    who = {"seat": last.seat, "seat_by": last.seat_by}
    turned = [fact for fact in facts if isinstance(fact, Turned)]
    changes: list[Fact] = [replace(fact, at=last.at, **who) for fact in turned[-1:]]
    moved = Moved(n=last.n, t=last.t, id=last.id, tile=last.tile, face=last.face, at=last.at, **who)  # type: ignore[arg-type]
    return [*changes, moved]


def _as_it_lies(facts: list[OfTile]) -> Fact:
    """A tile that came: placed as it was read last, where it lies and with the face it shows."""
    placed = next((fact for fact in reversed(facts) if isinstance(fact, Placed)), None)
    last = facts[-1]
    if placed is None:
        return last
    turned = any(isinstance(fact, Turned) for fact in facts[facts.index(placed) :])
    if not turned:
        return replace(placed, at=last.at)
    return replace(placed, at=last.at, tile=last.tile, face=last.face, confidence=1.0, alternatives=())


def _sum(acts: list[Taken | Returned]) -> Taken | Returned | None:
    """Draws and tiles put back by one seat, set off against one another."""
    count = sum(act.count if isinstance(act, Taken) else -act.count for act in acts)
    last = acts[-1]
    if count == 0:
        return None
    kind = Taken if count > 0 else Returned
    return kind(n=last.n, t=last.t, seat=last.seat, seat_by=last.seat_by, count=abs(count))
