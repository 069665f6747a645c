"""Dominoes as text: a game written down move by move, and a position in one line.

Start with `record` (read_record, str(record)), then `position`; `acts` has the words for what players do. Reading and
printing are inverse. `laying` and `facts` set a written game up for the referee, `lines` the engine's layouts. No I/O.
"""

from .acts import (
    Act,
    Collect,
    Discard,
    Draw,
    Group,
    Play,
    Press,
    Return,
    Show,
    Straighten,
    TakeBack,
    TurnDown,
    read_act,
    read_tile,
)
from .errors import AmbiguousMove, IllegalMove, InvalidMove, NotationError
from .lines import laid_of, line_of, position_of_deal
from .position import InTrick, Laid, Position, read_position
from .record import Comment, Entry, GameRecord, Move, Points, Tag, Yard, read_record

__all__ = [
    "Act", "AmbiguousMove", "Collect", "Comment", "Discard", "Draw", "Entry", "GameRecord", "Group", "IllegalMove",
    "InTrick", "InvalidMove", "Laid", "Move", "NotationError", "Play", "Points", "Position", "Press", "Return", "Show",
    "Straighten", "Tag", "TakeBack", "TurnDown", "Yard",
    "laid_of", "line_of", "position_of_deal", "read_act", "read_position", "read_record", "read_tile",
]  # fmt: skip
