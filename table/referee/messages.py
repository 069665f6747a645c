"""What the referee says to people: one plain sentence a code, filled from its args.

Seats are counted from 1 for people, or called by their names; args keep the seat numbers for translators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SENTENCES = {
    "OUT_OF_TURN": "It is {seat}'s turn.",
    "PLAY_AFTER_END": "The round is over.",
    "WRONG_DEAL": "{h} tiles each: {e} should be left, {k} are.",
    "WRONG_STARTER": "{Seat} starts this round.",
    "WRONG_OPENING_TILE": "The round opens with {tile}.",
    "FOREIGN_TILE": "{tile} is not part of this set.",
    "DUPLICATE_TILE": "{tile} is already on the table.",
    "NOT_AN_OPEN_END": "Nothing can be joined there.",
    "END_MISMATCH": "{tile} has no {v}.",
    "END_MISMATCH/turned": "The {touching} of {tile} touches the {v}; turn it round.",
    "MULTIPLE_TILES": "One tile per turn.",
    "TILE_RETRACTED": "A tile once played stays.",
    "LAYOUT_DISTURBED": "The layout moved; please put it back.",
    "DRAW_NOT_ALLOWED": "There is no drawing in this game.",
    "EXTRA_DRAW": "Only one tile may be drawn.",
    "DRAW_BELOW_FLOOR": "The last {f} stay in the boneyard.",
    "TILE_RETURNED": "A drawn tile cannot go back.",
    "PASS_WITHOUT_DRAW": "Draw before you pass.",
    "ILLEGAL_PASS": "{Seat} passed at {at} holding {tile}.",
    "DRAW_WITH_MOVE": "{Seat} drew at {at} holding {tile}.",
    "ILLEGAL_PASS/times": "{Seat} passed or drew holding a tile that fits, at {times}.",
    "DRAW_WITH_MOVE/times": "{Seat} passed or drew holding a tile that fits, at {times}.",
    "REVEAL_MISMATCH": "{Seat} should show {n} tiles, shows {m}.",
    "TILE_EXPOSED": "A hidden tile was shown.",
    "YARD_UNCLEAR": "Please spread the boneyard.",
    "UNCLEAR_TILE": "Please straighten or uncover the tile that cannot be read.",
    "TABLE_DIFFERS": "{tile} lies where it cannot have been played; please look.",
    "TABLE_DIFFERS/missing": "{tile} does not lie where it lay; please put it back.",
    "DEAD_POSITION": "Nobody can play any more.",
    "OPENING_DOUBLE_CUSTOM": "It is customary to open with a double.",
    "REDEAL_NOT_DUE": "A double was dealt; no redeal.",
    "NUMBER_LOCKED": "{v} is locked until {v}-{v} is on the table.",
    "OFF_AXIS": "Lay the tile straight.",
    "SIDES_NOT_ADJACENT": "The matching halves must touch.",
    "DOUBLE_NOT_CROSSWISE": "A double stands across the line.",
    "TILE_NOT_PERPENDICULAR": "The tile must point away from the double.",
    "NO_SPACE": "There is no room for {tile} at this end.",
    "END_BLOCKED": "The {v} end is blocked.",
    "WRONG_START_DOUBLE": "This round starts with {n}-{n}.",
    "OPENING_INCOMPLETE": "Start {k} more train(s) on {n}-{n} first.",
    "START_DOUBLE_CLOSED": "All trains are started; play on a train.",
    "FOOT_PENDING": "Finish the chicken foot on {d}: {k} to go.",
    "CHALLENGE/nothing": "There is no pass, draw or start of another seat to challenge.",
    "CHALLENGE/open": "Nothing proves the {act} of {seat} at {at} false so far; the hands may tell.",
    "CHALLENGE/proven": "It is proven: {seat} made the {act} at {at} holding {tile}.",
    "CHALLENGE/times": "It is proven: {seat} passed or drew holding a tile that fits, at {times}.",
    "CHALLENGE/right": "The {act} of {seat} at {at} was right: no tile in the hand stood against it.",
    "CHALLENGE/undecided": "The {act} of {seat} at {at} is not disproven: later draws may explain what was shown.",
    "TOE_SPREAD": "Spread the toes so each can be read.",
    "WRONG_LEADER": "{Seat} leads this trick.",
    "LEAD_FACE_DOWN": "A lead is played face up.",
    "INVALID_GROUP": "These tiles do not form a group.",
    "WRONG_TILE_COUNT": "Play {k} tile(s).",
    "WRONG_COMPOSITION": "Needs {c} civil and {m} military tiles.",
    "NOT_HIGHER": "Not higher; discard face down.",
    "SUPREME_LED": "Nothing beats a led Supreme.",
    "SUPREME_NOT_LED": "Supreme wins only when led.",
    "QUICK_DEATH": "No columns yet: discard the last single face down.",
    "DISCARD_EXPOSED": "A face-down tile was turned.",
    "WRONG_COLLECTOR": "{Seat} won this trick.",
    "COLUMN_MISCOUNT": "{Seat} should have {n} columns.",
    "TOO_MANY_COPIES": "There are too many {tile} tiles.",
}


def clock(t: float) -> str:
    """A moment of the recording as people write it: minutes and seconds."""
    minutes, seconds = divmod(t, 60)
    return f"{int(minutes)}:{seconds:04.1f}"


def sentence(code: str, args: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """The sentence of a code. `args["s"]` is a seat, `args["t"]` a moment in seconds."""
    words: dict[str, Any] = dict(args)
    if isinstance(args.get("s"), int):
        seat = args["s"]
        name = names[seat] if seat < len(names) and names[seat] else f"seat {seat + 1}"
        words["seat"], words["Seat"] = name, name[0].upper() + name[1:]
    if "t" in args:
        words["at"] = clock(float(args["t"]))
    words["tile"] = args.get("tile") or "a tile that fits"
    form = code
    if code == "END_MISMATCH" and "touching" in args:
        form = "END_MISMATCH/turned"
    elif "missing" in args:
        form = "TABLE_DIFFERS/missing"
    elif "times" in args:  # one of several acts
        form, words["times"] = f"{code}/times", " or ".join(clock(float(t)) for t in args["times"])
    elif "answer" in args:
        form = f"{code}/{args['answer']}"
    text = SENTENCES[form].format_map(words)
    return text[0].upper() + text[1:]
