"""Boards to test: the native core and the real images in simavr, driven by the same lines in virtual time.

What a machine lacks is skipped with its reason, but is a failure where CI=true.
"""

import fcntl
import functools
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from table.board import messages
from table.board.frames import Decoder, Frame, encode
from table.board.session import Happening, Pressed, Session

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
BUILD = FIRMWARE / "build"
OPTIBOOT = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders/optiboot/optiboot_atmega328.hex")
NEEDS = {
    "cc": "gcc",
    "c++": "g++",
    "make": "make",
    "avr-gcc": "gcc-avr avr-libc",
    "simavr": "simavr libsimavr-dev libelf-dev",
    "arduino": "arduino-core-avr",
    "arm-none-eabi-gcc": "gcc-arm-none-eabi",
}


def lack(what: str) -> None:
    """Skip, or fail in CI, when the machine lacks something."""
    if what == "simavr":
        there = Path("/usr/include/simavr/sim_avr.h").exists()
    elif what == "arduino":
        there = OPTIBOOT.exists()
    else:
        there = shutil.which(what) is not None
    if not there:
        reason = f"needs {what}: apt install {NEEDS.get(what, what)}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


def make(target: str, *needs: str) -> None:
    """Build something below firmware/build."""
    for what in ("make", *needs):
        lack(what)
    _make(target)


@functools.cache
def _make(target: str) -> None:
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # somebody else may be testing in the same checkout
        result = subprocess.run(["make", "-C", str(FIRMWARE), target], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[-3000:]


@dataclass
class Rim:
    """A painted rim: when, RGB bytes, and on the AVR the cycles (least, most) of a 0, a 1 and a whole bit."""

    at_us: int
    rgb: bytes
    cycles: tuple[int, ...] = ()


@dataclass
class Rig:
    """A board on the bench. Time passes only in `run`."""

    name: str
    process: subprocess.Popen[str]
    lamps: tuple[int, int, int] = (0, 0, 0)
    lamp_times: list[tuple[int, int, int, int]] = field(default_factory=list)
    buzzes: list[tuple[int, bool]] = field(default_factory=list)
    rims: list[Rim] = field(default_factory=list)
    received: list[tuple[int, bytes]] = field(default_factory=list)
    resets: int = 0
    clock_us: int = 0

    @property
    def is_avr(self) -> bool:
        return self.name != "host"

    @property
    def seats(self) -> int:
        return 2 if self.name == "direct" else 8

    @property
    def rim(self) -> int:
        return 0 if self.name == "sketch" else 60

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")

    def send(self, data: bytes) -> None:
        if data:
            self.tell("X " + data.hex())

    def run(self, ms: float) -> list[tuple[int, bytes]]:
        """Let time pass; what the board sent meanwhile, each with its time in us."""
        self.tell(f"T {round(ms * 1000)}")
        assert self.process.stdin is not None
        self.process.stdin.flush()
        self.clock_us += round(ms * 1000)
        sent: list[tuple[int, bytes]] = []
        while (line := self.line()) != ".":
            kind, _, rest = line.partition(" ")
            words = rest.split()
            if kind == "Y":
                sent.append((int(words[0]), bytes.fromhex(words[1])))
            elif kind == "L":
                red, green, blue = (int(word, 16) for word in words[1:])
                self.lamps = (red, green, blue)
                self.lamp_times.append((int(words[0]), red, green, blue))
            elif kind == "Z":
                self.buzzes.append((int(words[0]), words[1] == "1"))
            elif kind == "W":
                rgb = bytes.fromhex(words[1]) if len(words) > 1 else b""
                self.rims.append(Rim(int(words[0]), rgb, tuple(map(int, words[2:]))))
            elif kind == "R":
                self.resets += 1
            else:
                raise AssertionError(f"the board said {line!r}")
        self.received += sent
        return sent

    def line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"the board ended with {self.process.wait()}: {self.process.stderr and self.process.stderr.read()}"
        return line.strip()

    def stats(self) -> list[int]:
        """On the AVR: cycles, overruns, received, sent, untouched RAM."""
        self.tell("S")
        assert self.process.stdin is not None
        self.process.stdin.flush()
        return [int(word) for word in self.line().split()[1:]]

    def frames(self, ms: float) -> list[Frame]:
        """The frames that the board sends in this time; all must be whole."""
        decoder = Decoder()
        frames = [frame for _, data in self.run(ms) for frame in decoder.feed(data)]
        assert decoder.bad_frames == 0
        return frames

    def ask(self, message: messages.Message, sequence: int = 1, ms: float = 20) -> list[messages.Message]:
        """Send a message and return what comes back."""
        self.send(encode(messages.pack(message, sequence)))
        answers = [messages.unpack(frame) for frame in self.frames(ms)]
        assert None not in answers
        return [answer for answer in answers if answer is not None]

    def greet(self) -> messages.Info:
        """HELLO until INFO."""
        for _ in range(10):
            for answer in self.ask(messages.Hello()):
                if isinstance(answer, messages.Info):
                    return answer
        raise AssertionError("no INFO")

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


Mangle = Callable[[bytes], bytes]


class Conversation:
    """The computer's side (the real Session) talking to a rig in virtual time, a millisecond at a time."""

    def __init__(self, rig: Rig, *, down: Mangle = bytes, up: Mangle = bytes) -> None:
        self.rig = rig
        self.session = Session()
        self.down = down
        self.up = up
        self.plugged = True
        self.happenings: list[Happening] = []
        self.pressed: list[Pressed] = []
        self.session.opened(self.now)

    @property
    def now(self) -> float:
        return self.rig.clock_us / 1e6

    def run(self, ms: int, *, until: Callable[[], bool] | None = None, step_ms: int = 1) -> bool:
        """Let `ms` pass, or less when `until` becomes true; a longer step is quicker and makes the computer slower."""
        for _ in range(ms // step_ms):
            if self.plugged:
                self.rig.send(self.down(self.session.poll(self.now)))
            for _, data in self.rig.run(step_ms):
                if self.plugged:
                    self.session.receive(self.up(data), self.now)
            for happening in self.session.take():
                self.happenings.append(happening)
                if isinstance(happening, Pressed):
                    self.pressed.append(happening)
            if until is not None and until():
                return True
        return False

    def pull(self) -> None:
        self.plugged = False
        self.session.closed("pulled")

    def plug(self) -> None:
        self.plugged = True
        self.session.opened(self.now)


def command(name: str) -> list[str]:
    """The program of a rig, built if need be."""
    if name == "host":
        make("host", "cc")
        return [str(BUILD / "domino_board_host"), "--lockstep"]
    if name == "sanitized":
        make("sanitized", "cc")
        return [str(BUILD / "domino_board_sanitized"), "--lockstep"]
    make("sim", "cc", "simavr")
    if name == "optiboot":  # an erased chip with only the bootloader
        lack("arduino")
        return [str(BUILD / "simavr_board"), "--boot", str(OPTIBOOT), "--lockstep"]
    if name.startswith("sketch"):  # with Arduino's functions, or (as the IDE builds it for an Uno) without
        make("sketch", "avr-gcc", "arduino")
        image = BUILD / ("sketch_uno.hex" if name == "sketch_uno" else "sketch_api.hex")
    else:
        image = FIRMWARE / "prebuilt" / f"domino_board_{name}.hex"  # the very file that is shipped
    extra = ["--direct"] if name == "direct" else []
    return [str(BUILD / "simavr_board"), "--hex", str(image), *extra, "--lockstep"]


@pytest.fixture
def board() -> Iterator[Callable[[str], Rig]]:
    """Opens boards by name: host, sanitized, shift, direct, sketch, sketch_uno, optiboot."""
    rigs: list[Rig] = []

    def open_rig(name: str) -> Rig:
        pipe = subprocess.PIPE
        process = subprocess.Popen(command(name), stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        rig = Rig(name, process)
        rigs.append(rig)
        assert rig.line() == "port lockstep"
        return rig

    yield open_rig
    for rig in rigs:
        rig.close()


@pytest.fixture(params=["host", "shift", "direct", "sketch"])
def rig(request: pytest.FixtureRequest, board: Callable[[str], Rig]) -> Rig:
    """Each kind of board in turn, started and past its boot."""
    rig = board(request.param)
    rig.run(30)
    return rig


@pytest.fixture(params=["host", "shift", "direct"])
def rim_rig(request: pytest.FixtureRequest, board: Callable[[str], Rig]) -> Rig:
    """The boards that drive a rim."""
    rig = board(request.param)
    rig.run(30)
    return rig


@pytest.fixture
def talk() -> type[Conversation]:
    """The class of conversations with a rig."""
    return Conversation


@pytest.fixture(scope="session")
def firmware() -> Path:
    """The firmware's folder."""
    return FIRMWARE


@pytest.fixture
def built() -> Callable[..., Path]:
    """Makes a target of firmware/Makefile and gives the build folder."""

    def build(target: str, *needs: str) -> Path:
        make(target, *needs)
        return BUILD

    return build
