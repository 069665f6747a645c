"""Who pays whom: at once for a Supreme or a four, and at the end of the deal for columns. All ledgers sum to 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from .groups import BIG_SIX, FOUR, LITTLE_THREE, SUPREME, group
from .options import TrickOptions

SEATS = 4
ALL_COLUMNS = 8  # one a tile of a hand; a sweep takes them all
Reason = Literal["supreme", "four", "columns", "surplus", "covered"]


class Payment(NamedTuple):
    """`payer` gives `payee` `amount` points (at least 1). `covered`: for another seat, by responsibility."""

    payer: int
    payee: int
    amount: int
    reason: Reason
    instead_of: int | None = None  # the seat that owed a covered payment


def ledger(payments: Iterable[Payment]) -> tuple[int, ...]:
    """What each seat gained (or lost, negative)."""
    gained = [0] * SEATS
    for payment in payments:
        gained[payment.payer] -= payment.amount
        gained[payment.payee] += payment.amount
    return tuple(gained)


def banker_factor(options: TrickOptions, streak: int) -> int:
    """What payments to or from the banker are multiplied by; `streak` is how many deals it has held the bank before."""
    return 2 + streak if options.banker_factor == "streak" else 2


def immediate_payments(
    winner: int, tiles: Sequence[str], led: bool, banker: int, options: TrickOptions, *, last: bool, streak: int = 0
) -> tuple[Payment, ...]:
    """What the others pay at once when `tiles` win a trick (002-25, 002-26). `led`: the winner led it too."""
    won = group(tiles)
    if won is None or (last and not options.immediate_on_last_trick):
        return ()
    reason: Reason
    if won.shape == SUPREME and led:
        amount, reason = options.immediate_supreme, "supreme"
    elif won.shape == FOUR:  # "winning four people" (002-26) read as the group of four tiles: A-002-1
        amount, reason = options.immediate_four, "four"
    else:
        return ()
    factor = banker_factor(options, streak)
    return tuple(
        Payment(seat, winner, amount * (factor if banker in (seat, winner) else 1), reason)
        for seat in range(SEATS)
        if seat != winner and amount
    )


def final_payments(
    columns: Sequence[int],
    winner: int,
    banker: int,
    options: TrickOptions,
    *,
    led: Sequence[str],
    leader: int,
    won: Sequence[str],
    streak: int = 0,
) -> tuple[Payment, ...]:
    """The settlement after the last trick: `leader` led it with `led`, `winner` took it with `won` (002-22..31).

    `columns` are those of the whole deal, the last trick's with them.
    """
    multiplier = last_trick_multiplier(won, led_by_winner=leader == winner, options=options)
    if columns[winner] == ALL_COLUMNS:
        multiplier *= options.sweep_multiplier
    factor = banker_factor(options, streak)
    payments: list[Payment] = []
    for seat in range(SEATS):
        if seat == winner:
            continue
        base = 5 if columns[seat] == 0 else 4 - columns[seat]
        surplus = base < 0
        amount = abs(base)
        if not (surplus and options.multipliers_apply_to == "winnings_only"):
            amount *= multiplier
        # The variant frees only the seat that lost the bank and collects; a winning banker pays double either way.
        if banker == winner or (banker == seat and (options.banker_surplus_doubled or not surplus)):
            amount *= factor
        if surplus:
            payments.append(Payment(winner, seat, amount, "surplus"))
        elif amount:
            payments.append(Payment(seat, winner, amount, "columns"))
    if options.responsibility and leader != winner and tuple(led) == (LITTLE_THREE,) and tuple(won) == (BIG_SIX,):
        # 002-31: "to" or "for" the two others; read as for (A-002-6), at what each of them owed (A-002-7).
        payments = [
            Payment(leader, winner, p.amount, "covered", p.payer) if p.reason == "columns" and p.payer != leader else p
            for p in payments
        ]
    return tuple(payments)


def last_trick_multiplier(won: Sequence[str], *, led_by_winner: bool, options: TrickOptions) -> int:
    """How a last trick won with these tiles enlarges the final payments (002-27)."""
    best = group(won)
    if best is None:
        return 1
    if best.shape == FOUR:
        return options.last_trick("four")
    if best.shape == SUPREME and led_by_winner:
        return options.last_trick("supreme")
    if tuple(won) == (LITTLE_THREE,) and led_by_winner:
        return options.last_trick("little_three")
    return 1
