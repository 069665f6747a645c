"""Makes the weights of the eye from nothing but a seed: `python -m vision.training --work DIR [--seed 1] [--out DIR]`.

Draws the pool of scenes, trains both nets on it (one thread each, side by side), and writes them as ONNX. Takes about
two hours on two cores and 6 GB in DIR; stopped half-way, the same command goes on where it was. The same seed gives
the same nets on one kind of processor; what sums in another order moves the figures by less than 0.2 points. Then
`python -m vision.training.calibrate` prints the tuples of vision/confidence.py for the new nets.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

SHARDS = 64
SCENES = 200  # a shard
STEPS = {"localiser": 13_000, "reader": 11_000}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for scenes and half-way states")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, help="folder for the ONNX files; DIR/weights when not given")
    options = parser.parse_args()
    pool, nets = options.work / "pool", options.work / "nets"
    nets.mkdir(parents=True, exist_ok=True)
    seed, shards = str(options.seed), str(SHARDS)
    jobs = [_started("samples", nets, "--out", str(pool), "--seed", seed, "--shards", shards, "--scenes", str(SCENES))]
    for net, steps in STEPS.items():
        where = ("--pool", str(pool), "--out", str(nets), "--seed", seed, "--shards", shards)
        jobs.append(_started("train", nets, net, *where, "--steps", str(steps), log=net))
    if any(job.wait() for job in jobs):
        sys.exit(f"the training stopped early; the logs in {nets} say why")
    out = options.out or options.work / "weights"
    out.mkdir(parents=True, exist_ok=True)
    if _started("export", nets, "--checkpoints", str(nets), "--out", str(out)).wait():
        sys.exit(f"the nets could not be written as ONNX; {nets / 'export.log'} says why")
    print(f"weights in {out}; figures on held-out scenes at the end of {nets}/localiser.log and reader.log")


def _started(module: str, logs: Path, *arguments: str, log: str = "") -> subprocess.Popen[bytes]:
    with (logs / f"{log or module}.log").open("ab") as file:
        command = [sys.executable, "-m", f"vision.training.{module}", *arguments]
        return subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)


if __name__ == "__main__":
    main()
