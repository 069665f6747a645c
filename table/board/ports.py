"""Serial ports: finding candidates, opening one for ourselves alone, and saying plainly why that failed.

A USB id tells which bridge chip is there, never that a domino board hangs on it: only its answer to HELLO decides, and
a port that is no candidate is never written to unless a person named it (printers and modems live there too).
"""

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from table.board.protocol import BAUD

#: USB vendor (and product, where the vendor makes other things too) of what Arduino boards and their clones carry.
#: Sources: Arduino's boards.txt (2341, 2A03), the bridge makers' default ids.
_BRIDGES: Final[dict[tuple[int, int | None], str]] = {
    (0x2341, None): "Arduino",
    (0x2A03, None): "Arduino",
    (0x1A86, 0x7523): "CH340 bridge",
    (0x1A86, 0x5523): "CH341 bridge",
    (0x1A86, 0x55D4): "CH9102 bridge",
    (0x0403, 0x6001): "FTDI bridge",
    (0x0403, 0x6015): "FTDI bridge",
    (0x10C4, 0xEA60): "CP210x bridge",
    (0x2E8A, None): "Raspberry Pi Pico",
}


class PortFault(Exception):
    """A port cannot be used. `kind` is `missing`, `permission`, `busy` or `other`; the text says what to do."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Candidate:
    """A port on which a board may hang. `same` is what stays when it is plugged in again."""

    device: str
    chip: str
    description: str
    same: str


def _chip(vendor: int | None, product: int | None) -> str | None:
    if vendor is None:
        return None
    return _BRIDGES.get((vendor, product)) or _BRIDGES.get((vendor, None))


def listed() -> Iterator[tuple[Any, str | None]]:
    """All serial ports the system names, each with its bridge chip when it is a candidate."""
    from serial.tools import list_ports

    for port in sorted(list_ports.comports(), key=lambda port: str(port.device)):
        yield port, _chip(port.vid, port.pid)


def candidates() -> list[Candidate]:
    """The ports that are worth asking."""
    found = []
    for port, chip in listed():
        if chip is not None:
            same = port.serial_number or port.location or port.device
            found.append(Candidate(port.device, chip, port.description or "", f"{port.vid}:{port.pid}:{same}"))
    return found


def open_port(name: str, baud: int = BAUD) -> Any:
    """A pyserial port opened for us alone; reading returns at once with what is there. Raises PortFault."""
    # Only now: pyserial needs the system's own terminal module, and a game without a board does not need pyserial.
    import serial

    try:
        port = serial.serial_for_url(name, do_not_open=True)
        port.baudrate = baud
        port.timeout = 0
        port.write_timeout = 0.2
        if "://" not in name:
            port.exclusive = True
        port.open()
    except (OSError, ValueError) as error:
        raise explain(name, error) from error
    return port


def explain(name: str, error: BaseException) -> PortFault:
    """The fault in words for a person: what, and what to do."""
    number = _errno(error)
    if number == errno.ENOENT or isinstance(error, FileNotFoundError):
        return PortFault("missing", f"{name}: no such port; plug the board in, or see `dominoref board list`")
    if number in (errno.EACCES, errno.EPERM):
        return PortFault("permission", f"{name}: no permission; {_permission_cure(name)}")
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK):
        who = holder(name) or "another program"
        cure = _MEDDLERS.get(who.partition(" ")[0], "close it and try again")
        return PortFault("busy", f"{name}: in use by {who}; {cure}")
    if number in (errno.ENOTTY, errno.EINVAL, errno.EISDIR, errno.ENODEV, errno.ENXIO):
        return PortFault("other", f"{name}: is no serial port; `dominoref board list` shows those there are")
    if sys.platform == "win32" and "PermissionError" in str(error):
        return PortFault("busy", f"{name}: in use by another program; close it and try again")
    text = str(error).strip() or type(error).__name__
    return PortFault("other", f"{name}: {text}; see `dominoref board list`")


def _errno(error: BaseException) -> int | None:
    number = getattr(error, "errno", None)
    if not isinstance(number, int) and error.args:
        number = error.args[0]  # termios' own error has no other place for it
    if isinstance(number, int):
        return number
    cause = error.__cause__ or error.__context__
    return _errno(cause) if cause is not None else None


def _permission_cure(name: str) -> str:
    group = "dialout"
    with contextlib.suppress(OSError, ImportError, KeyError):
        import grp  # not there on Windows

        group = grp.getgrgid(os.stat(name).st_gid).gr_name
    return f"run `sudo usermod -aG {group} $USER`, then log out and in (the port belongs to the group {group})"


def holder(name: str) -> str | None:
    """The program that has the port open, as `name (pid)`, where the system lets us see it."""
    try:
        target = os.path.realpath(name)
        processes = [entry for entry in os.listdir("/proc") if entry.isdigit()]
    except OSError:
        return None
    for process in processes:
        if int(process) == os.getpid():
            continue
        try:
            for handle in os.listdir(f"/proc/{process}/fd"):
                with contextlib.suppress(OSError):
                    if os.readlink(f"/proc/{process}/fd/{handle}") == target:
                        return f"{Path(f'/proc/{process}/comm').read_text().strip()} (process {process})"
        except OSError:
            continue  # not ours to look into, or just gone
    return None


#: Services known to take serial ports away, and the cure.
_MEDDLERS: Final[dict[str, str]] = {
    "ModemManager": "it probes new ports for some seconds as if they were modems: "
    "`sudo systemctl disable --now ModemManager`, or wait and try again",
    "brltty": "it takes CH340 and CP210x bridges for braille displays and the port vanishes: `sudo apt remove brltty`",
}


def meddlers(process_folder: Path = Path("/proc")) -> list[str]:
    """A sentence for each running service that may hold the port."""
    running = set()
    with contextlib.suppress(OSError):
        for entry in process_folder.iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    running.add((entry / "comm").read_text().strip())
    return [f"{name} is running; {cure}" for name, cure in _MEDDLERS.items() if name in running]
