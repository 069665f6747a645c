"""What can be wrong with a play in a trick: a code, what fills its sentence in, and the sentence."""

from __future__ import annotations

from typing import NamedTuple

MESSAGES = {
    "OUT_OF_TURN": "It is seat {s}'s turn.",
    "PLAY_AFTER_END": "The round is over.",
    "FOREIGN_TILE": "{tile} is not part of this set.",
    "TOO_MANY_COPIES": "There are too many {tile} tiles.",
    "WRONG_LEADER": "Seat {s} leads this trick.",
    "LEAD_FACE_DOWN": "A lead is played face up.",
    "INVALID_GROUP": "These tiles do not form a group.",
    "WRONG_TILE_COUNT": "Play {k} tile(s).",
    "WRONG_COMPOSITION": "Needs {c} civil and {m} military tiles.",
    "NOT_HIGHER": "Not higher; discard face down.",
    "SUPREME_LED": "Nothing beats a led Supreme.",
    "SUPREME_NOT_LED": "Supreme wins only when led.",
    "QUICK_DEATH": "No columns yet: discard the last single face down.",
    "WRONG_COLLECTOR": "Seat {s} won this trick.",
    "COLUMN_MISCOUNT": "Seat {s} should have {n} columns.",
    "DISCARD_EXPOSED": "A face-down tile was turned.",
}


class Fault(NamedTuple):
    """One reason why a play is not allowed. `args` are (name, value) pairs; seats in them count from 0."""

    code: str
    args: tuple[tuple[str, int | str], ...] = ()


class IllegalPlay(ValueError):
    """A play the rules forbid was asked for without saying that it stands."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        super().__init__(" ".join(message(fault) for fault in faults))


def message(fault: Fault) -> str:
    """The sentence for people; they count seats from 1."""
    shown = {name: int(value) + 1 if name == "s" else value for name, value in fault.args}
    return MESSAGES[fault.code].format(**shown)
