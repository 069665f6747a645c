"""Between the engines and the position in one line: layouts and tricks as text, and a layout set up from text."""

from __future__ import annotations

from table.events.tiles import UNKNOWN, tile_name
from table.rules.line.layout import Line, Played
from table.rules.line.rules import LineRules
from table.rules.tricks import Deal

from .errors import IllegalMove, NotationError
from .position import InTrick, Laid, Position

ROWS = ("block", "draw")  # one line, and nothing depends on where it was begun


def laid_of(line: Line) -> Laid | None:
    """The layout as a position holds it, None when nothing lies: a row from one end to the other, or branches.

    A row begins with the tile set first if that is an end, else with the end on the side of its higher half. Branches
    begin at the tile set first, or at the spinner in a game with one: which double that is matters for what follows.
    """
    if not line.played:
        return None
    neighbours: dict[int, list[int]] = {at: [] for at in range(len(line.played))}
    for at, played in enumerate(line.played):
        if played.joint is not None:
            neighbours[played.joint.at].append(at)
            neighbours[at].append(played.joint.at)
    start, before = line.position.spinner or 0, -1
    if line.rules.key in ROWS and len(neighbours[0]) == 2 and all(len(around) <= 2 for around in neighbours.values()):
        way = max(neighbours[0], key=lambda at: (_touching(line, 0, at), -at))
        while way >= 0:
            before, start = start, way
            way = next((at for at in neighbours[start] if at != before), -1)
    return _branch(line, neighbours, start, -1)


def _touching(line: Line, at: int, other: int) -> int:
    """The number of the half of the tile `at` that touches its neighbour `other`."""
    played = line.played[at]
    joint = played.joint
    if joint is not None and joint.at == other:
        return played.low if joint.own == "b" else played.high
    return _side(played, line.played[other])


def _side(parent: Played, child: Played) -> int:
    assert child.joint is not None
    return parent.low if child.joint.side == "b" else parent.high


def _branch(line: Line, neighbours: dict[int, list[int]], at: int, before: int) -> Laid:
    played = line.played[at]
    after = [other for other in neighbours[at] if other != before]
    if before >= 0:
        near = _touching(line, at, before)
    elif len(after) == 1:
        near = played.high + played.low - _touching(line, at, after[0])
    else:
        near = played.high
    far = played.high + played.low - near
    return Laid(near, far, tuple(_branch(line, neighbours, other, at) for other in after))


def line_of(position: Position, rules: LineRules) -> Line:
    """The layout of a position under a game's rules. Raises NotationError where tiles do not meet or no end is open."""
    line = Line(rules)
    if isinstance(position.table, tuple):
        raise NotationError(f"{position.game} has no line of tiles")
    if position.table is not None:
        at = line.push(tile_name(position.table.near, position.table.far))
        for arm in position.table.arms:
            _join(line, at, arm)
    return line


def _join(line: Line, at: int, laid: Laid) -> None:
    tile = tile_name(laid.near, laid.far)
    port = next((port for port in line.position.ports if port.at == at and port.value == laid.near), None)
    if port is None:
        raise IllegalMove(f"{tile} can't join {line.played[at].tile}: no {laid.near} is open there")
    here = line.push(tile, line.joint_for(port, tile), port)
    for arm in laid.arms:
        _join(line, here, arm)


def position_of_deal(deal: Deal) -> Position:
    """A deal of tricks as it stands; a play face down shows backs, whatever is known of it."""
    plays = deal.trick.plays if deal.trick else ()
    return Position(
        "tien-gow",
        tuple(InTrick(play.seat, play.tiles if play.up else (UNKNOWN,) * len(play.tiles)) for play in plays),
        to_act=deal.to_act,
        hands=deal.left,
        columns=deal.columns,
        banker=deal.banker,
    )
