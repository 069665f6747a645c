"""`dominoref play` before a camera on the network, on this machine: idle cost, time to the light, memory.

    python -m tests.benchmarks.bench_live [--idle S] [--games N] [--minutes M]

A server sends the demonstration recording as MJPEG, 1280x720 at 30 pictures a second. Idle: the share of one core
that `play` uses while the first, empty table is sent. Light: from the moment the picture in which the arm has left is
sent to the moment the verdict's light is written, by the wall clock. Memory: the recording is refereed over and over in
one process, as many minutes of table time as asked; its resident size after the first time round and at the end.
"""

from __future__ import annotations

import argparse
import http.server
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import cv2

from table.shell.replay import make_session, open_match
from table.shell.table_setup import find_setup
from vision.sources.frames import Frame, Video
from vision.sources.recording import open_recording

RATE_HZ = 30.0
WARM_S = 8.0
"""Until the program is loaded and the table has been seen."""
ROUND_PAUSE_S = 2.0
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
PLAY = "import sys; from table.shell.main import main; sys.exit(main(sys.argv[1:]))"


class Sender(http.server.ThreadingHTTPServer):
    """Sends whatever picture is current, RATE_HZ times a second."""

    daemon_threads = True

    def __init__(self, first: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.picture = first
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/video"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Sender

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        due = time.monotonic()
        try:
            while True:
                head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(self.server.picture)}\r\n\r\n"
                self.wfile.write(head.encode() + self.server.picture + b"\r\n")
                due += 1 / RATE_HZ
                time.sleep(max(0.0, due - time.monotonic()))
        except OSError:
            return

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is said."""


def jpegs(video: Path) -> list[tuple[float, bytes]]:
    """The recording's pictures with their times, as a webcam codes them."""
    found = []
    for frame in Video(video):
        _, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 85])
        found.append((frame.t, data.tobytes()))
    return found


class Player:
    """`dominoref play` as a process of its own."""

    def __init__(self, sender: Sender, table: Path, folder: Path) -> None:
        self.events = folder / "events.jsonl"
        command = [
            sys.executable, "-c", PLAY, "play", "--game", "block", "--option", "starter_method=first",
            "--board", "none", "--camera", sender.address, "--table", str(table), "--events", str(self.events),
        ]  # fmt: skip
        self.process = subprocess.Popen(
            command, env=os.environ | {"XDG_STATE_HOME": str(folder)}, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def idle_share(player: Player, seconds: float) -> float:
    """Share of one core over so many seconds."""
    before, begun = player.cpu_s(), time.monotonic()
    time.sleep(seconds)
    return (player.cpu_s() - before) / (time.monotonic() - begun)


def light_times(sender: Sender, player: Player, pictures: list[tuple[float, bytes]], truth: list[dict[str, object]],
                games: int) -> list[float]:  # fmt: skip
    """Seconds from an arm's leaving to the light, one a tile laid or taken."""
    laid = [float(str(act["arm_left"])) for act in truth if act["type"] in ("placed", "removed")]
    delays: list[float] = []
    for _ in range(games):
        left_at: list[float] = []
        seen = _lights(player.events)
        told: list[float] = []
        begun = time.monotonic()
        for t, data in pictures:
            time.sleep(max(0.0, begun + t - time.monotonic()))
            sender.picture = data
            left_at += [time.monotonic() for due in laid if due <= t and due > t - 1 / 15]
            now = _lights(player.events)
            told += [time.monotonic()] * (now - seen)
            seen = now
        time.sleep(ROUND_PAUSE_S)
        for at in left_at:
            after = [when - at for when in told if -0.5 < when - at < 5.0]
            delays += after[:1]
        sender.picture = pictures[0][1]
        time.sleep(ROUND_PAUSE_S)
    return delays


def _lights(path: Path) -> int:
    """How many moments a light that accepts or refuses has been told at."""
    lines = [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []
    return len({line["t"] for line in lines if line["type"] == "light" and line["meaning"] in ("accepted", "illegal")})


def resident_mib() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def memory(folder: Path, minutes: float, say: Callable[[str], None]) -> None:
    """The recording over and over, as one long match."""
    recording = open_recording(folder)
    setup = find_setup(None, recording.table, recording.frames, recording.frames.size_px, None)
    records: list[int] = []
    options = argparse.Namespace(game="block", option=["starter_method=first"])
    session = make_session(open_match(options, setup), setup, [lambda told: records.append(len(told))])
    session.begin()
    offset, last, start = 0.0, 0.0, 0.0
    while offset < 60 * minutes:
        for frame in recording.frames:
            last = offset + frame.t
            if last >= session.due_t:
                session.frame(Frame(last, frame.image))
        offset = last + 1.0
        start = start or resident_mib()
    say(f"memory: {start:.0f} MiB after the first minute, {resident_mib():.0f} MiB after {offset / 60:.0f} minutes "
        f"of table time ({sum(records)} records)")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--idle", type=float, default=20.0, metavar="S")
    parser.add_argument("--games", type=int, default=1, metavar="N")
    parser.add_argument("--minutes", type=float, default=60.0, metavar="M")
    asked = parser.parse_args()
    with (
        resources.as_file(resources.files("table").joinpath("demo")) as folder,
        tempfile.TemporaryDirectory() as name,
    ):
        if asked.idle or asked.games:
            pictures = jpegs(folder / "video.mp4")
            truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
            sender = Sender(pictures[0][1])
            player = Player(sender, folder / "table.toml", Path(name))
            try:
                while not player.events.exists():
                    time.sleep(0.2)
                time.sleep(WARM_S)
                if asked.idle:
                    print(f"idle at {RATE_HZ:.0f} pictures a second: {idle_share(player, asked.idle):.0%} of a core")
                if asked.games:
                    delays = light_times(sender, player, pictures, truth, asked.games)
                    print(f"from the arm's leaving to the light: median {statistics.median(delays):.2f} s, "
                          f"worst {max(delays):.2f} s, of {len(delays)} acts")  # fmt: skip
            finally:
                player.close()
        if asked.minutes:
            memory(folder, asked.minutes, print)


if __name__ == "__main__":
    main()
