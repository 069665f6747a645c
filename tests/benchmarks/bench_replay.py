"""Replay of the demonstration recording against decoding it alone, and how long the command takes to start."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path

from table.shell.replay import frames_due, make_session, open_match
from table.shell.table_setup import find_setup
from vision.sources.frames import Video
from vision.sources.recording import open_recording

ROUNDS = 2


def main() -> None:
    with resources.as_file(resources.files("table").joinpath("demo")) as folder:
        decode, replay, frames = [], [], 0
        for _ in range(ROUNDS):
            began = time.process_time()
            frames = sum(1 for _ in Video(folder / "video.mp4"))
            decode.append(time.process_time() - began)
            replay.append(_replay_seconds(folder))
    ratios = [b / a for a, b in zip(decode, replay, strict=True)]
    print(f"decoding {frames} frames of 1280x720: {frames / statistics.median(decode):.0f} a second of processor time")
    print(f"refereeing them: {frames / statistics.median(replay):.0f} a second of processor time")
    spread = f"of {ROUNDS} runs {min(ratios):.2f} to {max(ratios):.2f}"
    print(f"refereeing / decoding: {statistics.median(ratios):.2f} ({spread})")
    print(f"dominoref --version / python -c pass: {_start_ratio():.1f}")


def _replay_seconds(folder: Path) -> float:
    recording = open_recording(folder)
    setup = find_setup(None, recording.table, recording.frames, recording.frames.size_px, None)
    options = argparse.Namespace(game="block", option=["starter_method=first"])
    session = make_session(open_match(options, setup), setup, [])
    session.begin()
    began = time.process_time()
    for step in frames_due(recording.frames, session):
        if isinstance(step, float):
            session.tick(step)
        else:
            session.frame(step)
    return time.process_time() - began


def _start_ratio() -> float:
    command = [sys.executable, "-c", "import sys; from table.shell.main import main; sys.exit(main(['--version']))"]
    return _wall(command) / _wall([sys.executable, "-c", "pass"])


def _wall(command: list[str]) -> float:
    times = []
    for _ in range(7):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


if __name__ == "__main__":
    main()
