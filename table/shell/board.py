"""`dominoref board`: see what is connected, talk to it, test it, simulate it, write its firmware."""

from __future__ import annotations

import argparse
import contextlib
import json
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from table.board import Board, open_board, simulator_available
from table.board import selftest as walk
from table.board.board import wait_for
from table.board.flash import FlashFault, Image, flash, images, load
from table.board.ports import PortFault, candidates, listed, meddlers, open_port
from table.board.session import Session, Up, WrongVersion
from table.board.simulator import Simulator, SimulatorFault
from table.board.words import Listener, describe, parse_lamp, picture
from table.shell.faults import DONE, UNUSABLE, Fault, complain

ANSWER_S = 4.0  # a board that was reset by opening its port answers within about two seconds


def add_parser(subparsers: Any) -> None:
    """Declare the command and its own sub-commands."""
    parser = subparsers.add_parser("board", help="the board of lights and buttons: list, monitor, test, sim, flash")
    parts = parser.add_subparsers(metavar="ACTION", required=True)

    part = parts.add_parser("list", help="serial ports, and which of them a board answers on")
    part.add_argument("--json", action="store_true", help="a JSON line a port")
    part.add_argument("--no-ask", action="store_true", help="do not open any port")
    part.set_defaults(run=run_list)

    part = parts.add_parser("monitor", help="every message both ways as a line; type `2 illegal` to light a lamp")
    _port(part)
    part.add_argument("--all", action="store_true", help="also heartbeats that say nothing new")
    part.add_argument("--for", dest="seconds", type=float, metavar="S", help="end after S seconds")
    part.set_defaults(run=run_monitor)

    part = parts.add_parser("test", help="walk through the lights and buttons, and write a report")
    _port(part)
    part.add_argument("--report", type=Path, metavar="FILE", help="where to write the report")
    part.set_defaults(run=run_test)

    part = parts.add_parser("sim", help="run the firmware here and draw the board; keys are its buttons")
    part.add_argument("--seats", type=int, default=4, choices=range(2, 9), metavar="2..8")
    part.add_argument("--link", type=Path, metavar="PATH", help="a fixed name for its port")
    part.add_argument("--for", dest="seconds", type=float, metavar="S", help="end after S seconds")
    part.set_defaults(run=run_sim)

    part = parts.add_parser(
        "flash",
        help="write the shipped firmware onto an Uno or Nano",
        description="Write the shipped firmware onto an Uno or Nano (old and new bootloader), read it back, and ask "
        "the board who it is. No compiler and no other program is needed. Nothing else may have the port open; if no "
        "bootloader answers, press the board's reset button just as you start this.",
    )
    part.add_argument("--port", default="auto", help="the port (default: the only candidate)")
    part.add_argument(
        "--variant",
        default="shift",
        help="how it is wired: shift (registers, 2 to 8 seats; the default) or direct (2 seats)",
    )
    part.set_defaults(run=run_flash)

    part = parts.add_parser("flash-info", help="the firmware images that are shipped")
    part.add_argument("--json", action="store_true", help="a JSON line an image")
    part.set_defaults(run=run_flash_info)


def _port(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", default="auto", help="auto, sim, or the port's name")
    parser.add_argument("--seats", type=int, default=4, choices=range(2, 9), metavar="2..8")
    parser.add_argument(
        "--rim", type=int, default=0, choices=range(61), metavar="0..60", help="pixels of the LED strip"
    )


# ---- list ----


def run_list(options: argparse.Namespace) -> int:
    """Print the ports; ask the candidates who they are."""
    found = 0
    for port, chip in listed():
        entry: dict[str, Any] = {
            "port": port.device,
            "description": port.description if port.description != "n/a" else None,
            "candidate": chip,
            "board": None,
            "fault": None,
        }
        if chip and not options.no_ask:
            entry["board"], entry["fault"] = _ask_who(port.device)
        found += entry["board"] is not None
        if options.json:
            print(json.dumps(entry))
        else:
            what = entry["board"] or entry["fault"] or (f"{chip}, not asked" if chip else "not asked: no known chip")
            print(f"{port.device}  {what}")
    if not found and not options.no_ask:
        reason = simulator_available()
        hint = "`dominoref board sim` runs one without hardware" if reason is None else reason
        print(f"dominoref: no board found; plug one in, or name its port with --port; {hint}", file=sys.stderr)
    for sentence in meddlers():
        complain(sentence)
    return DONE


def _ask_who(name: str) -> tuple[str | None, str | None]:
    """The board at a port in words, or why there is none."""
    try:
        port = open_port(name)
    except PortFault as fault:
        return None, str(fault)
    session = Session()
    session.opened(time.monotonic())
    end = time.monotonic() + ANSWER_S
    try:
        while (now := time.monotonic()) < end:
            if data := session.poll(now):
                port.write(data)
            session.receive(port.read(4096), now)
            for happening in session.take():
                if isinstance(happening, Up):
                    return describe(happening.info), None
                if isinstance(happening, WrongVersion):
                    info = happening.info
                    return None, f"speaks protocol {info.major}.{info.minor}, not ours; run `dominoref board flash`"
            time.sleep(0.02)
    except (OSError, ValueError) as error:
        return None, f"the connection broke: {error}"
    finally:
        with contextlib.suppress(Exception):
            port.close()
    return None, "does not answer; if it is an Uno or Nano, run `dominoref board flash`"


# ---- monitor and test ----


def _connect(options: argparse.Namespace, tap: Callable[[str, bytes], None] | None = None) -> Board:
    """The board that was asked for, answering. Raises Fault."""
    if options.port == "none":
        raise Fault("--port none: there is nothing to talk to; use auto, sim or a port's name", 2)
    board = open_board(options.port, options.seats, rim=options.rim, tap=tap)
    patience_s = (
        60.0 if options.port == "sim" else ANSWER_S * max(1, len(candidates()) if options.port == "auto" else 1)
    )
    if not wait_for(board, patience_s):
        state = board.state
        events = board.events()
        board.close()
        raise Fault(events[-1].message if events else state)
    return board


def _typed() -> queue.Queue[str | None]:
    """Lines from the keyboard, then None; read by a thread, so that nothing waits for them."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in sys.stdin:
                lines.put(line.strip())
        lines.put(None)

    threading.Thread(target=read, name="typed lines", daemon=True).start()
    return lines


def run_monitor(options: argparse.Namespace) -> int:
    """Print what goes both ways until the end of the input, --for or Ctrl-C."""
    said: queue.Queue[tuple[float, str, bytes]] = queue.Queue()
    began = time.monotonic()
    listener = Listener(everything=options.all)
    board = _connect(options, tap=lambda direction, data: said.put((time.monotonic(), direction, data)))
    typed = _typed()
    try:
        while options.seconds is None or time.monotonic() - began < options.seconds:
            with contextlib.suppress(queue.Empty):
                at, direction, data = said.get(timeout=0.05)
                for line in listener.lines(direction, data):
                    print(f"{at - began:9.3f} {line}", flush=True)
            for event in board.events():
                complain(event.message)
            board.presses(0.0)
            with contextlib.suppress(queue.Empty):
                line_typed = typed.get_nowait()
                if line_typed is None and options.seconds is None:
                    break
                if line_typed:
                    _obey(board, line_typed, options.seats)
    finally:
        board.close()
    return DONE


def _obey(board: Board, line: str, seats: int) -> None:
    try:
        board.show([parse_lamp(line, seats)])
    except ValueError as error:
        complain(error)


def run_test(options: argparse.Namespace) -> int:
    """Walk through lights and buttons; status 1 when something was wrong."""
    board = _connect(options)
    try:
        report = walk.run(board, options.seats, _ask, lambda line: print(line, file=sys.stderr, flush=True))
    finally:
        board.close()
    print(report.text())
    if options.report:
        options.report.write_text(report.text() + "\n", encoding="utf-8")
    return DONE if report.complete and not report.faults else UNUSABLE


def _ask(question: str) -> bool | None:
    while True:
        print(f"{question} [y/n/q] ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        if not answer or answer.strip().lower() in ("q", "quit"):
            return None
        if answer.strip().lower() in ("", "y", "yes"):
            return True
        if answer.strip().lower() in ("n", "no"):
            return False


# ---- sim ----

PASS_KEYS = "12345678"
DONE_KEYS = "qwertyui"


@contextlib.contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """A function that gives a key pressed meanwhile, without waiting; none where there is no terminal."""
    if not sys.stdin.isatty() or sys.platform == "win32":
        yield lambda: ""
        return
    import select
    import termios
    import tty

    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle)
        yield lambda: sys.stdin.read(1) if select.select([handle], [], [], 0)[0] else ""
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def run_sim(options: argparse.Namespace) -> int:
    """Run the simulated board until x, --for or Ctrl-C."""
    try:
        simulator = Simulator(link=options.link)
    except SimulatorFault as fault:
        raise Fault(str(fault)) from fault
    drawn = sys.stdout.isatty()
    print(f"port {simulator.port}", flush=True)
    if drawn:
        keys = f"keys {PASS_KEYS[0]}..{PASS_KEYS[options.seats - 1]} pass, {DONE_KEYS[: options.seats]} done"
        print(f"{keys}, m mute, 0 reset, x end; use it with `dominoref play --board {simulator.port}`")
    began = time.monotonic()
    last = ""
    muted = False
    try:
        with _keys() as pressed:
            while options.seconds is None or time.monotonic() - began < options.seconds:
                shown = picture(simulator.lamps, options.seats, colour=drawn)
                if shown != last:
                    print(f"\r{shown}\x1b[K" if drawn else shown, end="" if drawn else "\n", flush=True)
                    last = shown
                key = pressed()
                if key == "x":
                    break
                if key == "m":
                    muted = not muted
                    simulator.mute(muted)
                elif key == "0":
                    simulator.reset()
                for button, row in enumerate((PASS_KEYS, DONE_KEYS)):
                    if key and key in row[: options.seats]:
                        simulator.hold(row.index(key), button)
                        time.sleep(0.05)
                        simulator.release(row.index(key), button)
                time.sleep(0.01)
    finally:
        simulator.close()
        if drawn:
            print()
    return DONE


# ---- flash ----


def run_flash(options: argparse.Namespace) -> int:
    """Write and verify; then ask the board who it is."""
    try:
        image = _image(options.variant)
        data = load(image)
        port = options.port if options.port != "auto" else _only_candidate()
        chip = flash(port, data, progress=_progress())
    except (FlashFault, PortFault) as fault:
        raise Fault(str(fault)) from fault
    print(f"{port}: {chip}, {len(data)} bytes written and read back, firmware {image.firmware}")
    who, why = _ask_who(port)
    if who is None:
        raise Fault(f"{port}: written, but the board {why}")
    print(f"{port}: {who}")
    return DONE


def _image(variant: str) -> Image:
    known = {image.variant: image for image in images()}
    if variant not in known:
        raise Fault(f"--variant {variant}: no such image; {' or '.join(known)}", 2)
    return known[variant]


def _only_candidate() -> str:
    found = candidates()
    if len(found) == 1:
        return found[0].device
    if not found:
        raise Fault("no board is plugged in that could be flashed; name its port with --port")
    raise Fault(f"several ports could be meant: {', '.join(one.device for one in found)}; name one with --port")


def _progress() -> Callable[[str, int, int], None]:
    shown = sys.stderr.isatty()

    def progress(what: str, done: int, of: int) -> None:
        if shown:
            print(f"\r{what} {done}/{of}\x1b[K", end="\n" if done == of else "", file=sys.stderr, flush=True)

    return progress


def run_flash_info(options: argparse.Namespace) -> int:
    """Print the shipped images."""
    try:
        found = images()
    except FlashFault as fault:
        raise Fault(str(fault)) from fault
    for image in found:
        record = {
            "variant": image.variant,
            "file": str(image.path),
            "firmware": image.firmware,
            "protocol": image.protocol,
            "build": image.build,
            "compiler": image.compiler,
            "sha256": image.sha256,
            "flash_bytes": image.flash_bytes,
            "ram_bytes": image.ram_bytes,
        }
        if options.json:
            print(json.dumps(record))
        else:
            print(
                f"{image.variant}: " + ", ".join(f"{key} {value}" for key, value in record.items() if key != "variant")
            )
    return DONE
