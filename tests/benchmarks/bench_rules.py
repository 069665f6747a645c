"""Rounds by the thousand: speed against the PyPI package dominoes in one run, honest players, and cheats caught.

    python tests/benchmarks/bench_rules.py [--rounds 10000] [--games block,draw,...]

Prints figures, asserts nothing but that no honest player is accused and every round ends. A false pass is nearly always
proven. A needless draw is proven only where no honest course of play would have shown the same: whoever draws once and
then lays a tile that fitted before may have drawn just that one.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "referee")]

from simulated import Simulated  # noqa: E402

from table.events import Fact  # noqa: E402
from table.referee import Referee  # noqa: E402
from table.rules.games import line_rules  # noqa: E402
from table.rules.line import LineRound  # noqa: E402

OPTIONS = {"block": {"starter_method": "first"}, "chicken-foot": {"starter_method": "holder"}}
SEATS = {
    "block": [2],
    "draw": [2],
    "doubles": [2, 3, 4],
    "chicken-foot": [2, 3, 4, 5, 6, 7, 8],
    "all-fives": [2, 3, 4],
}


def playouts_a_second(games: int = 1000) -> None:
    """Random four-handed block games, ours with push, pop and all, and theirs."""
    rng = random.Random(1)
    rules = line_rules("block", 4, {"starter_method": "first"})
    began = time.process_time()
    for _ in range(games):
        deal, moves = LineRound.dealt(rules, rng), 0
        while not deal.reason:
            deal.push(rng.choice(list(deal.moves())))
            moves += 1
        for _ in range(moves):
            deal.pop()
    ours = games / (time.process_time() - began)
    print(f"block playouts a second, played and taken back: {ours:.0f}", end="")
    try:
        import dominoes
    except ImportError:
        print("; the package dominoes is not installed")
        return
    began = time.process_time()
    for seed in range(games):
        random.seed(seed)
        game = dominoes.Game.new(starting_player=0)
        while game.result is None:
            game.make_move(*random.choice(game.valid_moves))
    theirs = games / (time.process_time() - began)
    print(f"; dominoes {theirs:.0f}; ratio {ours / theirs:.2f}")


def differences(games: int) -> None:
    """Block against the package dominoes, game by game: legal plays, ends, blocks and scores."""
    path = ROOT / "tests" / "rules" / "test_against_dominoes.py"
    spec = importlib.util.spec_from_file_location("against_dominoes", path)
    assert spec is not None
    assert spec.loader is not None
    against = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(against)
    except BaseException as missing:  # pytest skips what cannot be imported
        print(f"no comparison with the package dominoes: {missing}")
        return
    reasons = Counter(against.compare(seed) for seed in range(games))
    print(f"block and dominoes agree in {reasons.total()} games of {games}: {dict(reasons)}", flush=True)


def rounds(game: str, count: int, cheat: float, seen: bool) -> list[Simulated]:
    """Play and print; some of the rounds, to time the referee alone."""
    rng = random.Random(7)
    kept: list[Simulated] = []
    accused = facts = 0
    cheated: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    for i in range(count):
        match = Simulated(
            game, rng.choice(SEATS[game]), rng, seen=seen, cheat=cheat, slips=0.05, **OPTIONS.get(game, {})
        )
        result = match.play()
        assert result.ended, f"{game}: round {i} has no result"
        accused += len(result.accused() - set(result.cheats))
        if result.cheats:
            how = "with a false pass" if result.cheated_by["pass"] else "with needless draws alone"
            cheated[how] += 1
            caught[how] += bool(result.accused())
        facts += result.facts
        if len(kept) < 50:
            kept.append(match)
    print(f"{game:13} {count} rounds, seats {'seen' if seen else 'assumed'}: honest accused {accused}")
    if cheated:
        told, all_told = caught.total(), cheated.total()
        kinds = "; ".join(f"{how} {caught[how]} of {cheated[how]}" for how in sorted(cheated))
        print(f"{game:13} cheats ({cheat:.0%} of all turns that could) caught in {told} of {all_told} rounds", end=" ")
        print(f"({told / all_told:.1%}): {kinds}", flush=True)
    assert accused == 0
    return kept


def time_a_fact(game: str, played: list[Simulated], passes: int = 3) -> None:
    """Referee time a fact, everything included, mean and worst, processor time.

    Each round is told several times and each fact's best time counts, so that what is slow is the fact itself and not
    a collection of garbage or another process that emptied the caches.
    """
    spent: list[float] = []
    for match in played:
        facts = [record for record in match.result.records[1:] if isinstance(record, Fact)]
        told = [_times(match, facts) for _ in range(passes)]
        spent += map(min, zip(*told, strict=True))
    print(
        f"{game:13} a fact takes the referee {1e3 * sum(spent) / len(spent):.3f} ms, at worst {1e3 * max(spent):.2f} ms"
    )


def _times(match: Simulated, facts: list[Fact]) -> list[float]:
    referee = Referee(match.match)
    referee.begin()
    times = []
    for fact in facts:
        began = time.process_time()
        referee.take(fact)
        times.append(time.process_time() - began)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--games", default=",".join(SEATS))
    options = parser.parse_args()
    playouts_a_second()
    differences(1000)
    for game in options.games.split(","):
        kept = rounds(game, options.rounds, 0.0, seen=True)
        time_a_fact(game, kept)
        rounds(game, options.rounds, 0.0, seen=False)
        for cheat in (0.15, 0.3):
            rounds(game, max(1, options.rounds // 10), cheat, seen=True)


if __name__ == "__main__":
    main()
