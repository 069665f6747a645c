"""Measures the board: the real image in simavr and the native core, in virtual time unless it says "on the clock".

    python -m tests.benchmarks.bench_board [--full] [NAME...]

Without --full everything is scaled down to some seconds. Names: latency clock rate presses damage failsafe hour size
"""

import importlib.util
import json
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from table.board.frames import Decoder, Frame, encode
from table.board.messages import Ack, Light, State, pack
from table.board.session import Lost, Session

ROOT = Path(__file__).resolve().parents[2]


def _bench_parts() -> Any:
    """The rigs of tests/firmware/conftest.py, which no package holds."""
    spec = importlib.util.spec_from_file_location("board_rigs", ROOT / "tests" / "firmware" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["board_rigs"] = module
    spec.loader.exec_module(module)
    return module


parts = _bench_parts()


def rig(name: str) -> Any:
    pipe = subprocess.PIPE
    one = parts.Rig(name, subprocess.Popen(parts.command(name), stdin=pipe, stdout=pipe, stderr=pipe, text=True))
    assert one.line() == "port lockstep"
    one.run(30)
    return one


def spread(values: list[float]) -> str:
    ordered = sorted(values)
    at = [ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.95, 0.99)]
    return f"median {statistics.median(ordered):.2f} ms, p95 {at[0]:.2f}, p99 {at[1]:.2f}, worst {ordered[-1]:.2f} ms"


def latency(full: bool) -> None:
    """From the first bit of a STATE on the wire to the changed lamp and to its ACK's last bit, in emulated cycles."""
    chance = random.Random(1)
    for seats, rim in ((2, 0), (4, 0), (8, 0), (8, 60)):
        board = rig("shift")
        info = board.greet()
        lamp, ack = [], []
        for turn in range(500 if full else 60):
            board.run(chance.uniform(5, 30))
            board.lamp_times.clear()
            start = board.clock_us
            lights = tuple(Light(1 + turn % 2, 255) for _ in range(seats))
            board.send(encode(pack(State(info.session, 0, (*lights, Light()), rim=rim), turn % 255 + 1)))
            answers = board.run(20)
            lamp.append((board.lamp_times[0][0] - start) / 1000)
            ack.append((answers[-1][0] - start) / 1000)
        size = len(encode(pack(State(info.session, 0, (*lights, Light()), rim=rim), 1)))
        print(f"latency {seats} seats, rim {rim:2}, {size} bytes: to the lamp {spread(lamp)}; to the ACK {spread(ack)}")
        board.close()


def clock(full: bool) -> None:
    """The same on the clock, through a pseudo-terminal; depends on how busy this machine is."""
    import serial

    for name, program in (("native", ["domino_board_host", "--pty"]), ("simavr", None)):
        if program is None:
            image = ROOT / "firmware" / "prebuilt" / "domino_board_shift.hex"
            program = ["simavr_board", "--hex", str(image), "--pty"]
        parts.make("host", "cc")
        parts.make("sim", "cc", "simavr")
        command = [str(parts.BUILD / program[0]), *program[1:]]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            port = serial.serial_for_url(process.stdout.readline().split()[1], timeout=1)
            session, taken, lit = Session(), [], []
            lamps: list[float] = []
            lines = process.stdout

            def watch(lamps: list[float] = lamps, lines: Any = lines) -> None:
                lamps.extend(time.monotonic() for line in lines if line.startswith("L "))

            threading.Thread(target=watch, daemon=True).start()
            written_at = 0.0
            session.opened(time.monotonic())
            turn = 0
            wanted_at = time.monotonic()
            while turn < (500 if full else 60) and time.monotonic() - wanted_at < 10:
                if data := session.poll(time.monotonic()):
                    written_at = time.monotonic()
                    port.write(data)
                port.timeout = 0.05
                session.receive(port.read(max(1, port.in_waiting)), time.monotonic())
                for happening in session.take():
                    if type(happening).__name__ == "Shown" and happening.revision == turn and turn:
                        taken.append(happening.after * 1000)
                        lit += [(at - written_at) * 1000 for at in lamps[-1:] if at > written_at]
                if session.up and (turn == 0 or len(taken) == turn):
                    turn += 1
                    time.sleep(0.01)
                    wanted_at = time.monotonic()
                    session.want(State(0, 0, (Light(1 + turn % 2, 255),) * 4 + (Light(),)))
            port.close()
            process.kill()
        print(f"clock {name}: message to lamp {spread(lit)}; to ACK {spread(taken)}; over {len(taken)}")


def rate(full: bool) -> None:
    """Acknowledged STATEs a second, each sent when the last one's ACK has arrived, against what the wire allows."""
    for seats, rim in ((2, 0), (8, 0), (8, 60)):
        board = rig("shift")
        info = board.greet()
        state = State(info.session, 0, (Light(1, 255),) * seats + (Light(),), rim=rim)
        decoder = Decoder()
        done, out_bytes, in_bytes = 0, 0, 0
        start = board.clock_us
        while board.clock_us - start < (5e6 if full else 5e5):
            wire = encode(pack(state, done % 255 + 1))
            board.send(wire)
            out_bytes += len(wire)
            got: list[Frame] = []
            while not got:
                for _, data in board.run(0.1):
                    in_bytes += len(data)
                    got += decoder.feed(data)
            done += 1
        seconds = (board.clock_us - start) / 1e6
        limit = done / ((out_bytes + in_bytes) * 10 / 115200)
        print(
            f"rate {seats} seats, rim {rim:2}: {done / seconds:.0f} acknowledged frames a second; the wire allows "
            f"{limit:.0f}, {done / seconds / limit:.0%}"
        )
        board.close()


def presses(full: bool) -> None:
    """Presses with bounce over a cable that flips 1 % of all bits both ways, loses frames and is pulled twice."""
    count = 1000 if full else 60
    for name in ("host", "shift"):
        chance = random.Random(7)

        def damage(data: bytes, chance: random.Random = chance) -> bytes:
            if chance.random() < 0.05:
                return b""  # lost altogether
            return bytes(byte ^ sum(1 << bit for bit in range(8) if chance.random() < 0.01) for byte in data)

        board = rig(name)
        computer = parts.Conversation(board, down=damage, up=damage)
        computer.run(60000, until=lambda computer=computer: computer.session.up)
        expected = []
        began = time.monotonic()
        for number in range(count):
            contact = chance.randrange(16)
            expected.append((contact // 2, contact % 2))
            if number in (count // 3, 2 * count // 3):
                computer.pull()
            for level in (1, 0, 1, 0, 1):
                board.tell(f"B {level << contact:x}")
                computer.run(1)
            computer.run(15)
            for level in (0, 1, 0):
                board.tell(f"B {level << contact:x}")
                computer.run(1)
            computer.run(25)
            if not computer.plugged:
                computer.run(600)
                computer.plug()
            computer.run(120000, until=lambda n=number, computer=computer: len(computer.pressed) >= n - 8)
        computer.run(120000, until=lambda computer=computer: len(computer.pressed) >= count)
        computer.run(2000)
        right = [(press.seat, press.button) for press in computer.pressed] == expected
        in_order = [press.number for press in computer.pressed] == list(range(1, count + 1))
        lost = sum(isinstance(happening, Lost) for happening in computer.happenings)
        up, down = computer.session.bad_frames_here, computer.session.bad_frames_there
        print(
            f"presses {name}: {len(computer.pressed)} of {count} arrived, each once and in order: "
            f"{right and in_order}, reported lost {lost}; damaged frames {up} up, {down} down; "
            f"{board.clock_us / 1e6:.0f} s of table time in {time.monotonic() - began:.0f} s"
        )
        board.close()


def damage(full: bool) -> None:
    """Random and damaged frames on both sides: none may change a lamp or pass for another message."""
    count = 100_000 if full else 5000
    chance = random.Random(3)
    decoder = Decoder()
    wrong = good = 0
    for _ in range(count):
        frame = Frame(chance.randrange(256), chance.randrange(256), chance.randbytes(chance.randrange(49)))
        wire = bytearray(encode(frame))
        if chance.random() < 0.5:
            for _ in range(chance.randrange(1, 9)):
                wire[chance.randrange(len(wire))] ^= 1 << chance.randrange(8)
        else:
            wire = bytearray(b"\0" + chance.randbytes(len(wire)) + b"\0")
        for got in decoder.feed(bytes(wire)):
            good += 1
            wrong += got != frame
    print(f"damage python: {count} damaged frames, {decoder.bad_frames} refused, {wrong} wrong, {good} whole after all")
    counts = {}
    for name, share in (("sanitized", count), ("shift", count if full else count // 10)):
        board = rig(name)
        if name == "shift":  # the emulated board counts its lives from 0, the other from 1: the same bytes for both
            board.tell("R")
            board.run(30)
        info = board.greet()
        assert info.session == 1
        keep = State(info.session, 0, (Light(2, 255), Light(), Light()))
        other = State(info.session, 0, (Light(1, 255), Light(1, 255), Light(1, 255)))
        chance = random.Random(5)
        board.ask(keep)
        changed = 0
        board.lamp_times.clear()
        batch = b""
        for number in range(share):
            wire = bytearray(encode(pack(other, number % 255 + 1)))
            inside = len(wire) - 2  # damage to the zeros at both ends leaves a frame whole
            kind = chance.randrange(3)
            if kind == 0:
                for _ in range(chance.randrange(1, 9)):
                    wire[1 + chance.randrange(inside)] ^= 1 << chance.randrange(8)
                if bytes(wire) == encode(pack(other, number % 255 + 1)):
                    wire[3] ^= 1
            elif kind == 1:
                del wire[2 : 3 + chance.randrange(inside - 2)]
            else:
                wire = bytearray(chance.randbytes(chance.randrange(1, 60)) + b"\0")
            batch += bytes(wire)
            if number % 20 == 19:
                board.send(batch)
                board.run(120)  # 60 bytes take 5.2 ms on the wire
                batch = b""
            if number % 100 == 99:
                changed += sum(red & 255 != 0 or green & 255 not in (0, 1) for _, red, green, _ in board.lamp_times)
                board.lamp_times.clear()
                [ack] = board.ask(keep, 7)
                assert isinstance(ack, Ack)
                counts[name, number] = ack.bad_frames
        print(f"damage {name}: {share} damaged frames, {changed} wrong lights, still answering")
        board.close()
    same = [counts["sanitized", number] == value for (name, number), value in counts.items() if name == "shift"]
    print(f"damage native against AVR: {sum(same)} of {len(same)} counts of refused frames are equal")


def failsafe(full: bool) -> None:
    """The computer vanishes; the board is reset in the middle of a game."""
    for name in ("host", "shift", "direct"):
        off, back = [], []
        for turn in range(50 if full else 5):
            board = rig(name)
            computer = parts.Conversation(board)
            computer.session.want(State(0, 0, (Light(1, 255), Light(2, 255), Light())))
            assert computer.run(3000, until=lambda board=board: board.lamps == (1, 2, 0))
            computer.run(37 * turn % 250)
            board.tell("R")
            start = board.clock_us
            computer.run(2)
            assert computer.run(5000, until=lambda board=board: board.lamps == (1, 2, 0))
            back.append((board.clock_us - start) / 1e6)
            computer.run(300 + 13 * turn)
            start = board.clock_us
            board.lamp_times.clear()
            board.run(4000)
            off.append(next(at - start for at, red, green, _ in board.lamp_times if not (red | green) & 255) / 1e6)
            board.close()
        print(
            f"failsafe {name}: idle {max(off):.2f} s after the computer died (worst of {len(off)}); "
            f"right lights {max(back):.2f} s after a reset (worst)"
        )


def hour(full: bool) -> None:
    """Table time: a light changes every 3 s, somebody presses every 10 s."""
    minutes = 60 if full else 1
    board = rig("shift")
    computer = parts.Conversation(board)
    began = time.monotonic()
    computer.run(1000)
    pressed = 0
    for tick in range(minutes * 20):
        computer.session.want(State(0, 0, tuple(Light(1 + (tick + seat) % 3, 255) for seat in range(5)), rim=60))
        if tick % 3 == 0:
            pressed += 1
            board.tell(f"B {1 << tick % 8:x}")
            computer.run(40)
            board.tell("B 0")
            computer.run(2960, step_ms=10)
        else:
            computer.run(3000, step_ms=10)
    bad = computer.session.bad_frames_here + computer.session.bad_frames_there
    odd = [type(h).__name__ for h in computer.happenings if type(h).__name__ not in ("Shown", "Pressed")]
    print(
        f"hour: {board.clock_us / 6e7:.1f} minutes of table time in {time.monotonic() - began:.0f} s; "
        f"{len(computer.pressed)} of {pressed} presses arrived; damaged frames {bad}; "
        f"resets {board.resets - 1}; other events {odd}; overruns {board.stats()[1]}"
    )
    board.close()


def size(full: bool) -> None:
    """Flash and RAM of the shipped images, deepest stack seen, pulse widths on the strip."""
    record = json.loads((ROOT / "firmware" / "prebuilt" / "prebuilt.json").read_text())
    for name, entry in record["images"].items():
        flash, ram = entry["flash_bytes"], entry["ram_bytes"]
        board = rig(name)
        computer = parts.Conversation(board)
        computer.session.want(State(0, 0, (Light(6, 255),) * (board.seats + 1), rim=60))
        board.run(30)
        board.tell("B f")
        computer.run(3000)
        untouched = board.stats()[4]
        cycles = board.rims[-1].cycles
        current = max(sum(rim.rgb) * 20 / 255 + len(rim.rgb) / 3 for rim in board.rims)
        print(
            f"size {name}: {flash} bytes of flash ({flash / 32768:.0%}), {ram} of RAM ({ram / 2048:.0%}), "
            f"{2048 - ram - untouched} of stack; strip high {cycles[0] * 62.5:.0f}..{cycles[1] * 62.5:.0f} ns (0), "
            f"{cycles[2] * 62.5:.0f}..{cycles[3] * 62.5:.0f} ns (1), "
            f"bit {cycles[4] * 62.5:.0f}..{cycles[5] * 62.5:.0f} ns; 60 white pixels take {current:.0f} mA"
        )
        board.close()


PARTS: dict[str, Callable[[bool], None]] = {
    "latency": latency,
    "clock": clock,
    "rate": rate,
    "presses": presses,
    "damage": damage,
    "failsafe": failsafe,
    "hour": hour,
    "size": size,
}


def main(arguments: list[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    full = "--full" in given
    for name in [word for word in given if word in PARTS] or PARTS:
        PARTS[name](full)
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
