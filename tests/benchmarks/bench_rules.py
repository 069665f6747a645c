"""Rounds by the thousand: speed against the PyPI package dominoes in one run, honest players, and cheats caught.

    python tests/benchmarks/bench_rules.py [--rounds 10000] [--games block,draw,...] [--minutes 30] [--seed 7]

The games take turns of a few hundred rounds, so that at any time each has played as many; `--minutes` ends after the
turn in which they are over. Prints figures, asserts nothing but that no honest player is accused and every round ends.
A false pass is nearly always proven. A needless draw is proven only where no honest course of play would have shown
the same: whoever draws once and then lays a tile that fitted before may have drawn just that one.
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

KEPT = 50
A_TURN = 250
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


class Series:
    """Rounds of one game played one way, and what came of them; the first are kept to time the referee alone."""

    def __init__(self, game: str, cheat: float, seen: bool, seed: int, anyone_opens: bool = False) -> None:
        self.game, self.cheat, self.seen, self.anyone_opens = game, cheat, seen, anyone_opens
        self.rng = random.Random(seed)
        self.kept: list[Simulated] = []
        self.played = self.accused = self.facts = 0
        self.cheated: Counter[str] = Counter()
        self.caught: Counter[str] = Counter()

    def play(self, count: int) -> None:
        for _ in range(count):
            seats, options = self.rng.choice(SEATS[self.game]), OPTIONS.get(self.game, {})
            match = Simulated(
                self.game, seats, self.rng, seen=self.seen, cheat=self.cheat, slips=0.05,
                anyone_opens=self.anyone_opens, **options,
            )  # fmt: skip
            result = match.play()
            assert result.ended, f"{self.game}: round {self.played} has no result"
            self.played += 1
            accused = len(result.accused() - set(result.cheats))
            if accused:
                print(f"{self.game}: honest accused in round {self.played} (seen {self.seen}, cheat {self.cheat})")
            self.accused += accused
            if result.cheats:
                how = "with a false pass" if result.cheated_by["pass"] else "with needless draws alone"
                self.cheated[how] += 1
                self.caught[how] += bool(result.accused())
            self.facts += result.facts
            if len(self.kept) < KEPT:
                self.kept.append(match)

    def print(self) -> None:
        seats = "seen" if self.seen else "assumed, whoever opened" if self.anyone_opens else "assumed"
        cheats = f", {self.cheat:.0%} of all turns that could cheat" if self.cheat else ""
        print(f"{self.game:13} {self.played} rounds, seats {seats}{cheats}: honest accused {self.accused}", flush=True)
        if self.cheated:
            told, all_told = self.caught.total(), self.cheated.total()
            kinds = "; ".join(f"{how} {self.caught[how]} of {self.cheated[how]}" for how in sorted(self.cheated))
            print(f"{self.game:13} caught in {told} of {all_told} rounds ({told / all_told:.1%}): {kinds}", flush=True)


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


def series_of(game: str, seed: int) -> list[tuple[Series, int]]:
    """A game's series, and of how many rounds one of each is played: cheats are a tenth as many."""
    honest = [(Series(game, 0.0, seen, seed), 1) for seen in (True, False)]
    honest.append((Series(game, 0.0, False, seed, anyone_opens=True), 4))
    return honest + [(Series(game, cheat, True, seed), 10) for cheat in (0.15, 0.3)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--games", default=",".join(SEATS))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    options = parser.parse_args()
    began = time.monotonic()
    playouts_a_second()
    differences(1000)
    games = {game: series_of(game, options.seed) for game in options.games.split(",")}
    done = 0
    try:
        while done < options.rounds and time.monotonic() - began < 60 * options.minutes:
            turn = min(A_TURN, options.rounds - done)
            done += turn
            for every in games.values():
                for series, one_of in every:
                    series.play(max(1, done // one_of) - series.played)
            print(f"{done} rounds each", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print(f"stopped on the way to {done} rounds each", file=sys.stderr, flush=True)
    for game, every in games.items():
        for series, _ in every:
            series.print()
        time_a_fact(game, every[0][0].kept)
    assert not any(series.accused for every in games.values() for series, _ in every)


if __name__ == "__main__":
    main()
