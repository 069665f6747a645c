"""The board as a process: the firmware's own C core, built with the machine's compiler when it is first wanted.

The process sits behind a pseudo-terminal (a loopback socket where there is none) and pyserial opens it like any board.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_PACKED = Path(__file__).resolve().parent / "_firmware"  # inside an installed wheel
_CHECKOUT = Path(__file__).resolve().parents[2] / "firmware"


class SimulatorFault(Exception):
    """The simulator cannot be built or started; the text says why and what to do."""


def firmware_folder() -> Path:
    """Where the firmware's sources and prebuilt images are, in a checkout or in an installed wheel."""
    return _CHECKOUT if (_CHECKOUT / "domino_board" / "src").is_dir() else _PACKED


def sources() -> list[Path]:
    """The C files of the simulator."""
    folder = firmware_folder()
    names = ("frame.c", "board.c", "paint.c", "loop.c")
    core = [folder / "domino_board" / "src" / name for name in names]
    return [*core, *(folder / "host" / name for name in ("port_host.c", "desk.c"))]


def compiler() -> str | None:
    """The machine's C compiler: $CC, cc, gcc or clang."""
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        if name and (path := shutil.which(name)):
            return path
    return None


def simulator_available() -> str | None:
    """None when the simulator can be had, else why not, in a sentence for a person."""
    if sys.platform == "win32":
        return "the board simulator needs Linux or macOS"
    if not all(path.is_file() for path in sources()):
        return "the firmware's sources are not installed"
    if compiler() is None:
        return "the board simulator needs a C compiler (cc), for example `sudo apt install gcc`"
    return None


def cache_folder() -> Path:
    """The user's cache folder for built simulators."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "dominoref" / "board"


def build() -> Path:
    """The simulator's program, built if it is not in the cache. Raises SimulatorFault."""
    reason = simulator_available()
    if reason is not None:
        raise SimulatorFault(reason)
    files = sources()
    cc = compiler()
    assert cc is not None
    digest = hashlib.sha256(cc.encode())
    for path in [*files, *sorted(path for folder in {file.parent for file in files} for path in folder.glob("*.h"))]:
        digest.update(path.read_bytes())
    name = f"domino_board_host-{digest.hexdigest()[:16]}"
    for folder in (cache_folder(), Path(tempfile.gettempdir()) / f"dominoref-board-{os.getuid()}"):
        program = folder / name
        if program.is_file() and os.access(program, os.X_OK) and program.stat().st_uid == os.getuid():
            return program
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder.stat().st_uid != os.getuid():
                continue  # somebody else's, in the temporary folder
            # Others on this machine may be building the same: each into a file of its own, the last one stays.
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                made = Path(scratch) / name
                _compile(cc, files, made)
                os.replace(made, program)
        except OSError:
            continue  # no room or no permission there
        return program
    raise SimulatorFault(f"no place to build the board simulator in: neither {cache_folder()} nor the temporary folder")


def _compile(cc: str, files: list[Path], made: Path) -> None:
    command = [cc, "-std=c99", "-O2", f"-I{files[0].parent}", *map(str, files), "-o", str(made)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        first = next((line for line in result.stderr.splitlines() if line.strip()), "no message")
        raise SimulatorFault(f"the C compiler failed on the board simulator: {first}")


@dataclass(frozen=True, slots=True)
class Lamps:
    """Lamps as seen on the simulated board: bit n is seat n, bit 8 the table; `buzzer` sounds; `rim` is RGB bytes."""

    red: int = 0
    green: int = 0
    blue: int = 0
    buzzer: bool = False
    rim: bytes = b""


class Simulator:
    """A running simulated board. `port` is what pyserial opens; the methods are the hands on its buttons and cable."""

    def __init__(self, *, use_socket: bool = False, link: Path | None = None, program: Path | None = None) -> None:
        """`link`: a symlink kept pointing at the pseudo-terminal, also after `plug`. Raises SimulatorFault."""
        program = program or build()
        has_pty = hasattr(os, "openpty")
        arguments = ["--socket"] if use_socket or not has_pty else ["--pty"]
        if link is not None and arguments == ["--pty"]:
            arguments += ["--link", str(link)]
        try:
            self._process = subprocess.Popen(
                [str(program), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        except OSError as error:
            raise SimulatorFault(f"the board simulator does not start: {error}") from error
        assert self._process.stdout is not None
        self.lamps = Lamps()
        self.on_change: Callable[[Lamps], None] | None = None
        self._contacts = 0
        self._plugged = threading.Event()
        line = self._process.stdout.readline()
        if not line.startswith("port "):
            words = self._process.communicate()[1].strip()
            raise SimulatorFault(f"the board simulator does not start: {words or line.strip() or 'no message'}")
        self.port = line.split(maxsplit=1)[1].strip()
        self._reader = threading.Thread(target=self._read, name="board simulator", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            kind, _, rest = line.strip().partition(" ")
            words = rest.split()
            old = self.lamps
            if kind == "L":
                red, green, blue = (int(word, 16) for word in words[1:4])
                self.lamps = Lamps(red, green, blue, old.buzzer, old.rim)
            elif kind == "Z":
                self.lamps = Lamps(old.red, old.green, old.blue, words[1] == "1", old.rim)
            elif kind == "W":
                rim = bytes.fromhex(words[1]) if len(words) > 1 else b""
                self.lamps = Lamps(old.red, old.green, old.blue, old.buzzer, rim)
            elif kind == "port":
                self.port = rest
                self._plugged.set()
            if self.on_change is not None and self.lamps != old:
                self.on_change(self.lamps)

    def _tell(self, line: str) -> None:
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            pass  # it has ended; the link notices by itself

    def hold(self, seat: int, button: int) -> None:
        """Press a button and keep it down."""
        self._contacts |= 1 << (2 * seat + button)
        self._tell(f"B {self._contacts:x}")

    def release(self, seat: int, button: int) -> None:
        """Let a button go."""
        self._contacts &= ~(1 << (2 * seat + button))
        self._tell(f"B {self._contacts:x}")

    def mute(self, on: bool) -> None:
        """Move the mute switch."""
        self._tell(f"M {int(on)}")

    def reset(self) -> None:
        """Press the reset button: the board loses its memory."""
        self._tell("R")

    def pull(self) -> None:
        """Pull the cable; the board keeps its power."""
        self._tell("U")

    def plug(self) -> None:
        """Plug the cable in again; waits for the new port."""
        self._plugged.clear()
        self._tell("V")
        self._plugged.wait(5)

    def close(self) -> None:
        """End the process."""
        if self._process.poll() is None:
            self._tell("Q")
            try:
                self._process.wait(2)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._reader.join(2)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
