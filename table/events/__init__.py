"""The vocabulary of facts and verdicts (the contract's Records): everything the table says and is told.

Start with `records` (facts), then `verdicts`; `place` has poses and zones, `tiles` the sets, `lines` the JSON lines.
Nothing here does I/O or knows a rule.
"""

from .lines import AnyFact, AnyRecord, AnyVerdict, as_dict, decode, encode
from .place import DEFAULT_EDGES, EDGES, Edge, Pose, Strip, Table, default_strips, default_table, in_boneyard, zone_of
from .records import (
    UNNUMBERED,
    Boneyard,
    Bumped,
    Button,
    Correction,
    Done,
    Fact,
    Match,
    Moved,
    OfTile,
    Passed,
    Paused,
    Placed,
    Record,
    Removed,
    Resumed,
    Returned,
    Revealed,
    RoundStarted,
    SeatBy,
    Shown,
    Taken,
    TrickCollected,
    TrickDown,
    TrickUp,
    Turned,
    numbered,
)
from .tiles import SETS, UNKNOWN, halves, is_double, is_known, pips, tile_name, tiles_of
from .verdicts import (
    Advice,
    Attention,
    Hand,
    Judged,
    Light,
    MatchEnded,
    RoundEnded,
    Score,
    Status,
    Trick,
    Turn,
    Verdict,
    Violation,
)

__all__ = [
    "DEFAULT_EDGES", "EDGES", "SETS", "UNKNOWN", "UNNUMBERED",
    "Advice", "AnyFact", "AnyRecord", "AnyVerdict", "Attention", "Boneyard", "Bumped", "Button", "Correction", "Done",
    "Edge", "Fact", "Hand", "Judged", "Light", "Match", "MatchEnded", "Moved", "OfTile", "Passed", "Paused", "Placed",
    "Pose", "Record", "Removed", "Resumed", "Returned", "Revealed", "RoundEnded", "RoundStarted", "Score", "SeatBy",
    "Shown", "Status", "Strip", "Table", "Taken", "Trick", "TrickCollected", "TrickDown", "TrickUp", "Turn", "Turned",
    "Verdict", "Violation",
    "as_dict", "decode", "default_strips", "default_table", "encode", "halves", "in_boneyard", "is_double", "is_known",
    "numbered", "pips", "tile_name", "tiles_of", "zone_of",
]  # fmt: skip
