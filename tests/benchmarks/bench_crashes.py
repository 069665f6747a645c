"""Matches that are killed, journals cut off, cameras and boards pulled out: does every match come to the same end?

    python -m tests.benchmarks.bench_crashes [--kills N] [--cuts N] [--pulls N] [--seed S]

`--kills`: a process that plays into a journal on disk is killed (SIGKILL) at a random moment and the match gone on
with; nothing that it had acknowledged may be missing, and the end must be that of the match played without a break,
byte for byte. `--cuts`: the same for journals cut off at random bytes. `--pulls`: the camera or the board is gone for a
while at random moments of whole honest matches; what is laid meanwhile is seen when the camera is back, by nobody's
arm, presses come when they are made. Rounds and scores must be right, and nobody is accused.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import time
from pathlib import Path
from random import Random

from msgspec.structs import replace

from table import events
from table.journal.journal import read_records
from tests.simulated_table.crashing import Game, Look, a_script, difference, looks_of, resumed, whole
from tests.simulated_table.players import LineMatch
from tests.simulated_table.script import Script

EACH = 10
"""So many breaks are tried of one match."""
LONGEST_LOSS_LOOKS = 5
"""Longer than an act: a tile is laid unseen, and a press may come before the camera is back."""
GAMES = (("block", 2), ("draw", 2), ("doubles", 3), ("all-fives", 2), ("chicken-foot", 3))


def killed(script: Script, path: Path, share: float) -> int:
    """Play in a process of its own, kill it after a share of the match's records; return how many it acknowledged."""
    path.unlink(missing_ok=True)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as told:
            Game(script, path, durable=True).play(looks_of(script), lambda n: print(n, file=told, flush=True))
        os._exit(0)
    os.close(writing)
    wanted, said = share, 0
    with os.fdopen(reading) as told:
        for line in told:
            said = int(line)
            if said >= wanted:
                break
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        # What it said between our last look and its end it had acknowledged as well.
        for line in told:
            if line.endswith("\n"):
                said = int(line)
    return said


def kill_all(count: int, first: int, folder: Path) -> None:
    begun, lost, differ = time.perf_counter(), 0, 0
    for k in range(count):
        seed = first + k // EACH
        if k % EACH == 0:
            script = a_script(seed)
            full = whole(script, folder / "whole.jsonl")
        path = folder / "killed.jsonl"
        said = killed(script, path, Random(first + k).uniform(1, full.count(b"\n")))
        kept = path.read_bytes()
        if len(read_records(path)) < said:
            lost += 1
            print(f"    match {seed}, kill {k}: of {said} records {len(read_records(path))} are kept", flush=True)
        words = difference(full, resumed(script, path, kept))
        if words:
            differ += 1
            print(f"    match {seed}, kill {k}: {words}", flush=True)
    print(
        f"killed: {count - lost}/{count} kept all that was acknowledged, {count - differ}/{count} came to the same end"
        f"  {time.perf_counter() - begun:.0f} s",
        flush=True,
    )


def cut_all(count: int, first: int, folder: Path) -> None:
    begun, differ = time.perf_counter(), 0
    for k in range(count):
        seed = first + k // EACH
        if k % EACH == 0:
            script = a_script(seed)
            full = whole(script, folder / "whole.jsonl")
        cut = Random(first + k).randrange(full.index(b"\n") + 1, len(full))
        words = difference(full, resumed(script, folder / "cut.jsonl", full[:cut]))
        if words:
            differ += 1
            print(f"    match {seed} cut at byte {cut}: {words}", flush=True)
    spent = time.perf_counter() - begun
    print(f"journals cut off: {count - differ}/{count} came to the same end  {spent:.0f} s", flush=True)


def pulled(script: Script, rng: Random, pulls: int, path: Path) -> list[events.Record]:
    """The match with camera and board gone for a while, in turn, at random moments."""
    path.unlink(missing_ok=True)
    game = Game(script, path)
    looks = looks_of(script)
    starts = sorted(rng.sample(range(1, len(looks) - LONGEST_LOSS_LOOKS), pulls))
    lost_until = {"CAMERA": -1, "BOARD": -1}
    missed: list[events.Fact] = []
    for k, look in enumerate(looks):
        for gear, until in lost_until.items():
            if until == k:
                game.session.note(f"{gear}_BACK", "back", {}, look.t)
        if starts and starts[0] == k:
            gear = "CAMERA" if len(starts) % 2 else "BOARD"
            starts.pop(0)
            if lost_until[gear] < k:
                lost_until[gear] = k + rng.randrange(1, LONGEST_LOSS_LOOKS)
                game.session.note(f"{gear}_LOST", "lost", {}, look.t)
        if k < lost_until["CAMERA"]:
            for fact in look.facts:
                if isinstance(fact, events.Button):
                    game.session.input(fact)
                else:
                    missed.append(unseen(fact))
            game.session.tick(look.t)
        else:
            game.show(Look(look.t, [replace(fact, t=look.t) for fact in missed] + look.facts))
            missed = []
    game.session.finish()
    game.journal.close()
    return read_records(path)


def unseen(fact: events.Fact) -> events.Fact:
    """The fact when nobody's arm was seen."""
    return replace(fact, seat=None, seat_by=None) if hasattr(fact, "seat_by") else fact


def pull_all(count: int, first: int, folder: Path) -> None:
    begun, right, matches, accused = time.perf_counter(), 0, 0, 0
    for k in range(0, count, EACH):
        game, seats = GAMES[k // EACH % len(GAMES)]
        script = LineMatch(game, seats, first + k // EACH).plan(1)
        records = pulled(script, Random(first + k), EACH, folder / "pulled.jsonl")
        told = [(r.reason, r.winner, r.scores, r.totals) for r in records if isinstance(r, events.RoundEnded)]
        due = [(r.reason, r.winner, r.scores, r.totals) for r in script.rounds]
        matches += 1
        right += told == due
        accused += len({r.number for r in records if isinstance(r, events.Violation)})
        if told != due:
            print(f"    match {first + k // EACH}: rounds {due}, told {told}", flush=True)
    spent = time.perf_counter() - begun
    print(
        f"pulled {count} times: {right}/{matches} matches end with the right scores, {accused} false alarms"
        f"  {spent:.0f} s",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for what, count in (("kills", 200), ("cuts", 200), ("pulls", 50)):
        parser.add_argument(f"--{what}", type=int, default=count, metavar="N")
    parser.add_argument("--seed", type=int, default=1000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, tried in (("kills", kill_all), ("cuts", cut_all), ("pulls", pull_all)):
            if getattr(asked, what):
                tried(getattr(asked, what), asked.seed, folder)


if __name__ == "__main__":
    main()
