"""`dominoref score`: count hands that are typed in, and say who scores what. No camera, no record."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from table.events import Hand, RoundEnded, encode
from table.events.tiles import pips, tiles_of
from table.notation import NotationError, read_tile
from table.rules.games import GAMES, line_rules
from table.rules.line.rules import LineRules
from table.rules.tricks import Payment, TrickOptions, final_payments, group, immediate_payments, ledger
from table.rules.tricks.groups import BIG_SIX, LITTLE_THREE
from table.rules.tricks.payments import ALL_COLUMNS, SEATS
from table.shell.faults import WRONG_USAGE, Fault

HELP = """\
HANDS are the tiles left in each hand, seat 1 first, with / between them and - or nothing for an empty one:

    dominoref score block - / 6-5 3-3 1-0          seat 1 is out
    dominoref score doubles "3-1 / 5-4 / 6-6"      nobody is out: blocked
    dominoref score block 6-5 3-3 1-0              one hand: its pips

In tien-gow they are the columns; seats count from 1:

    dominoref score tien-gow 1 / 4 / 0 / 3 --banker 1 --last 2
    dominoref score tien-gow 0/1/5/2 --banker 4 --last "3: 4-2 2-1"      won by a led Supreme
    dominoref score tien-gow 3/2/0/3 --banker 4 --last 2 --caught 1      Big Six took seat 1's Little Three
    dominoref score tien-gow 4/4/0/0 --banker 1 --last 2 --won "1: 6-6 6-6 6-3 5-4"   a four in an earlier trick
"""

EMPTY = ("-", "nothing")


class NotCounted(ValueError):
    """What was typed can't be counted; the sentence says why."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "score",
        help="count hands typed in and score the round",
        description="Count hands typed in and score the round.",
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="see dominoref games")
    parser.add_argument("hands", nargs="+", metavar="HANDS", help="6-4 5-5 / 3-1 / -")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="as in dominoref games GAME")
    parser.add_argument("--json", action="store_true", help="records hand and round_ended, a JSON line each")
    tricks = parser.add_argument_group("tien-gow")
    tricks.add_argument("--banker", metavar="SEAT", help="who had the bank")
    tricks.add_argument("--last", metavar="SEAT[: TILES]", help="who won the last trick, and with what if it counts")
    tricks.add_argument("--caught", metavar="SEAT", help="whose led Little Three fell to Big Six in the last trick")
    tricks.add_argument("--won", action="append", default=[], metavar="SEAT: TILES", help="an earlier Supreme or four")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    try:
        if options.game not in GAMES:
            raise NotCounted(f"there is no game '{options.game}'; there are {', '.join(GAMES)}")
        given = _options(options.option)
        lines = _tien_gow(options, given) if options.game == "tien-gow" else _by_hands(options, given)
    except (NotCounted, NotationError) as fault:
        raise Fault(str(fault), WRONG_USAGE) from None
    print("\n".join(lines))
    return 0


def _options(pairs: Sequence[str]) -> dict[str, str]:
    for pair in pairs:
        if "=" not in pair:
            raise NotCounted(f"--option takes KEY=VALUE, not '{pair}'")
    return dict((key.strip(), value.strip()) for key, _, value in (pair.partition("=") for pair in pairs))


def split_hands(words: Sequence[str]) -> list[list[str]]:
    """The words of each hand. Without a / each quoted argument is a hand, and unquoted words are all one hand."""
    if "/" in "".join(words):
        texts = " ".join(words).split("/")
    elif any(not word.strip() or " " in word.strip() for word in words):
        texts = list(words)
    else:
        texts = [" ".join(words)]
    return [_hand(text.replace(",", " ").split()) for text in texts]


def _hand(words: list[str]) -> list[str]:
    held = [word for word in words if word.lower() not in EMPTY]
    if held and len(held) < len(words):
        raise NotCounted(f"'{' '.join(words)}': a hand with tiles is not empty; write / between the hands")
    return held


def _by_hands(options: argparse.Namespace, given: Mapping[str, str]) -> list[str]:
    game = GAMES[options.game]
    hands = [tuple(read_tile(word) for word in words) for words in split_hands(options.hands)]
    if game.line is not None:
        _check_inventory(hands, game.set_name)
    if len(hands) == 1 or game.line is None:
        return _counted_only(hands, options.json)
    try:
        rules = line_rules(options.game, len(hands), given)
    except ValueError as fault:
        raise NotCounted(str(fault)) from None
    return _scored(rules, hands, options.json, game.title)


def _check_inventory(hands: Sequence[Sequence[str]], set_name: str) -> None:
    copies = tiles_of(set_name)
    for tile, count in Counter(tile for hand in hands for tile in hand).items():
        if tile not in copies:
            raise NotCounted(f"{tile} is not part of the {set_name} set")
        if count > copies[tile]:
            raise NotCounted(f"{tile} stands there twice; the set has one")


def _counted_only(hands: Sequence[tuple[str, ...]], as_json: bool) -> list[str]:
    counts = [sum(map(pips, hand)) for hand in hands]
    if as_json:
        return [_line(Hand(n=s, t=0.0, seat=s, tiles=hand, pips=counts[s])) for s, hand in enumerate(hands)]
    if len(hands) == 1:
        return [_pips(counts[0])]
    return [f"seat {seat + 1}: {_pips(count)}" for seat, count in enumerate(counts)]


def _pips(count: int) -> str:
    return f"{count} pip" if count == 1 else f"{count} pips"


def _scored(rules: LineRules, hands: Sequence[tuple[str, ...]], as_json: bool, title: str) -> list[str]:
    counts = [sum(map(rules.counted, hand)) for hand in hands]
    out = [seat for seat, hand in enumerate(hands) if not hand]
    if len(out) > 1:
        raise NotCounted("only one hand can be empty when a round ends")
    result = rules.out(out[0], counts) if out else rules.blocked(counts, [len(hand) for hand in hands])
    if as_json:
        records = [_line(Hand(n=s, t=0.0, seat=s, tiles=hand, pips=counts[s])) for s, hand in enumerate(hands)]
        ended = RoundEnded(
            n=len(hands),
            t=0.0,
            reason="out" if out else "blocked",
            winner=result.winner,
            scores=result.scores,
            totals=result.scores,
        )
        return [*records, _line(ended)]
    lines = [f"{title}: {f'seat {out[0] + 1} is out' if out else 'blocked'}."]
    for seat, hand in enumerate(hands):
        lines.append(
            f"  seat {seat + 1}  {result.scores[seat]:+4d}  {counts[seat]:3d} in hand  {' '.join(hand)}".rstrip()
        )
    if result.winner is None:
        lines.append("Nobody wins the round.")
    elif rules.low_wins:
        lines.append(f"Seat {result.winner + 1} wins the round; the lowest total wins the match.")
    else:
        lines.append(f"Seat {result.winner + 1} wins the round and scores {result.scores[result.winner]}.")
    return lines


def _line(record: Hand | RoundEnded) -> str:
    return encode(record).decode()


def _tien_gow(options: argparse.Namespace, given: Mapping[str, str]) -> list[str]:
    try:
        choices = TrickOptions.from_text(given)
    except ValueError as fault:
        raise NotCounted(str(fault)) from None
    columns = _columns(split_hands(options.hands))
    if options.banker is None or options.last is None:
        raise NotCounted("tien-gow needs --banker SEAT and --last SEAT (who won the last trick)")
    banker = _seat(options.banker)
    winner, won = _won(options.last)
    if columns[winner] == 0:
        raise NotCounted(f"seat {winner + 1} won the last trick, so it has a column at least")
    leader, led = winner, won
    if options.caught is not None:
        leader, led = _seat(options.caught), (LITTLE_THREE,)
        if won not in ((), (BIG_SIX,)) or leader == winner:
            raise NotCounted("--caught names the seat whose Little Three fell to another's Big Six")
        won = (BIG_SIX,)
    payments: list[Payment] = []
    for text in options.won:
        seat, tiles = _won(text)
        payments += immediate_payments(seat, tiles, True, banker, choices, last=False)
    payments += immediate_payments(winner, won, True, banker, choices, last=True)
    payments += final_payments(columns, winner, banker, choices, led=led, leader=leader, won=won)
    scores = ledger(payments)
    if options.json:
        ended = RoundEnded(n=0, t=0.0, reason="last_trick", winner=winner, scores=scores, totals=scores)
        return [_line(ended)]
    lines = [f"Tien Gow: seat {winner + 1} won the last trick, seat {banker + 1} had the bank."]
    for seat in range(SEATS):
        lines.append(f"  seat {seat + 1}  {scores[seat]:+4d}  {columns[seat]} column{'s' * (columns[seat] != 1)}")
    lines += [f"  {_sentence(payment)}" for payment in payments]
    return [*lines, f"Seat {winner + 1} has the bank next."]


def _columns(hands: Sequence[Sequence[str]]) -> tuple[int, ...]:
    words = [word for hand in hands for word in hand]
    if len(words) != SEATS or not all(re.fullmatch(r"\d{1,2}", word) for word in words):
        raise NotCounted("tien-gow takes four column counts, for example 1 / 4 / 0 / 3")
    columns = tuple(map(int, words))
    if sum(columns) != ALL_COLUMNS:
        raise NotCounted(f"the columns of a deal add up to {ALL_COLUMNS}, these to {sum(columns)}")
    return columns


def _seat(text: str) -> int:
    word = text.lower().removeprefix("seat").strip()
    if word not in ("1", "2", "3", "4"):
        raise NotCounted(f"'{text}' is no seat; seats are 1 to 4")
    return int(word) - 1


def _won(text: str) -> tuple[int, tuple[str, ...]]:
    seat, _, tiles = text.partition(":")
    won = tuple(map(read_tile, tiles.split()))
    if won and group(won) is None:
        raise NotCounted(f"{' '.join(won)} do not form a group")
    return _seat(seat), won


def _sentence(payment: Payment) -> str:
    why = {
        "supreme": "for the Supreme",
        "four": "for the four",
        "columns": "for columns",
        "surplus": "for more than four columns",
        "covered": f"instead of seat {(payment.instead_of or 0) + 1}",
    }[payment.reason]
    return f"seat {payment.payer + 1} pays {payment.amount} to seat {payment.payee + 1} {why}"
