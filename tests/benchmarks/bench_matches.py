"""Simulated matches of every game, honest and with cheats, refereed and held against their truth; prints figures.

    python tests/benchmarks/bench_matches.py [--facts N] [--stills N] [--sparse N] [--motion N]
                                             [--game GAME]... [--seed S] [--real-eye] [--show]

N whole matches a game in each way of telling: facts alone, one still an act, a few pictures an act, full motion at 15
pictures a second. A quarter of them have cheats. The eye is a perfect one unless `--real-eye`. `--show` prints every
difference from the truth. Matches that are broken off are in `bench_crashes`.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from tests.simulated_table.comparing import Comparison, Findings
from tests.simulated_table.facts import told_by_facts
from tests.simulated_table.ground import NoRoom
from tests.simulated_table.players import LineMatch
from tests.simulated_table.script import Script
from tests.simulated_table.tricks import TrickMatch
from tests.simulated_table.watching import Film, watched

GAMES = ("block", "draw", "doubles", "all-fives", "chicken-foot", "tien-gow")
SEATS = {"block": (2, 2, 4), "draw": (2,), "doubles": (3, 2, 4), "all-fives": (2, 4), "chicken-foot": (4, 3)}
# Short matches: a round or a few, to the end of the match.
SHORT: dict[str, dict[str, str]] = {
    "block": {"target": "20"},
    "draw": {"target": "20"},
    "doubles": {"target": "20"},
    "all-fives": {"target": "40"},
    "chicken-foot": {"rounds": "9,8"},
    "tien-gow": {"deals_per_match": "1"},
}
REAL_EYE_PX = 1600
ENDED = "fault's end"


def planned(game: str, seed: int, cheating: bool, armed: bool) -> Script | None:
    """One match; None where a round did not fit on the table."""
    cheat = 0.25 if cheating else 0.0
    if game == "tien-gow":
        return TrickMatch(seed, cheat / 2, 0.1, armed, **SHORT[game]).plan()
    seats = SEATS[game][seed % len(SEATS[game])]
    try:
        return LineMatch(game, seats, seed, cheat, 0.15, armed, **SHORT[game]).plan()
    except NoRoom:
        return None


def one_match(script: Script, way: str, seed: int, real_eye: bool) -> Findings:
    """The match told in one of the ways, and compared."""
    armed = way != "stills"
    if way == "facts":
        return Comparison(script, told_by_facts(script)).compare()
    width, eye = 760, None
    if real_eye:
        from vision.eye import Eye

        width = REAL_EYE_PX
        film = Film(script, way, width, seed)  # type: ignore[arg-type]
        sets = {"tien-gow": "chinese", "chicken-foot": "double-nine"}
        eye = Eye(sets.get(script.game, "double-six"), film.plane, film.stage.tile_mm)
    told = watched(script, way, seed, width, eye)  # type: ignore[arg-type]
    return Comparison(script, told, armed).compare()


def line(name: str, sums: Counter[str], spent: float) -> str:
    """One row of the table."""

    def share(key: str) -> str:
        return f"{sums[key] - sums[key + ' wrong']}/{sums[key]}"

    wrong_words = ("false alarms", "tiles that do not lie", "asked in vain", "false rounds", "times", "numbers")
    return (
        f"{name:22.22} matches {sums['clean']}/{sums['matches']} clean  rounds {share('result')}  won {share('match')}"
        f"  tiles {share('laid')}  seats {share('seat')}  judged {share('judged')}  turns {share('turn')}"
        f"  boneyard {share('boneyard')}  faults {share('fault')} ended {share(ENDED)}"
        f"  false alarms {sums['false alarms']}  other false {sum(sums[word] for word in wrong_words[1:])}"
        f"  idle advice {sums['idle advice']}  {spent:.0f} s"
    )


def play_all(way: str, count: int, games: list[str], first: int, real_eye: bool, show: bool) -> None:
    """A row a game for one way of telling."""
    for game in games:
        sums: Counter[str] = Counter()
        begun = time.perf_counter()
        for k in range(count):
            seed = first + k
            script = planned(game, seed, cheating=k % 4 == 3, armed=way != "stills")
            if script is None:
                continue
            found = one_match(script, way, seed, real_eye)
            sums.update(found.counts)
            sums.update({"matches": 1, "clean": int(found.clean)})
            if show and found.words:
                for words in found.words[:6]:
                    print(f"    {game} {seed} {way}: {words}", flush=True)
        print(line(f"{game}, {way}", sums, time.perf_counter() - begun), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for way, count in (("facts", 40), ("stills", 2), ("sparse", 2), ("motion", 0)):
        parser.add_argument(f"--{way}", type=int, default=count, metavar="N")
    parser.add_argument("--game", action="append", choices=GAMES)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--real-eye", action="store_true")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    games = asked.game or list(GAMES)
    for way in ("facts", "stills", "sparse", "motion"):
        if getattr(asked, way):
            play_all(way, getattr(asked, way), games, asked.seed, asked.real_eye, asked.show)


if __name__ == "__main__":
    main()
