"""Tien Gow by the rules alone: groups, tricks, columns, payments (rules of the game in `dominoref games tien-gow`).

Tiles and seats go in, not poses. Values are frozen; `Deal.play` gives the next deal and keeps the one before, so
undoing is dropping the newer value. Start with `groups`, then `deal`, then `payments`; `options` has every choice.
"""

from .deal import Deal, Play, Trick, TrickResult
from .faults import Fault, IllegalPlay
from .groups import SUPREME, Group, Shape, all_groups, group, groups_of, rank_name
from .options import TIEN_GOW, TrickOptions
from .payments import Payment, final_payments, immediate_payments, ledger

__all__ = [
    "SUPREME", "TIEN_GOW",
    "Deal", "Fault", "Group", "IllegalPlay", "Payment", "Play", "Shape", "Trick", "TrickOptions", "TrickResult",
    "all_groups", "final_payments", "group", "groups_of", "immediate_payments", "ledger", "rank_name",
]  # fmt: skip
