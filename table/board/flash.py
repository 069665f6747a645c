"""The firmware onto a chip: Intel HEX and the STK500v1 protocol that Optiboot speaks, so that nobody needs avrdude.

Only what an Uno or Nano needs: sync, signature, write and read pages, leave. Numbers are from Atmel's application note
AVR061 (STK500 communication protocol) and Optiboot's own list of what it obeys.
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from table.board.ports import open_port
from table.board.simulator import firmware_folder

_CRC_EOP: Final = 0x20
_IN_SYNC: Final = 0x14
_OK: Final = 0x10
_GET_SYNC: Final = b"\x30"
_ENTER: Final = b"\x50"
_LEAVE: Final = b"\x51"
_LOAD_ADDRESS: Final = b"\x55"
_WRITE_PAGE: Final = b"\x64"
_READ_PAGE: Final = b"\x74"
_READ_SIGNATURE: Final = b"\x75"

PAGE: Final = 128
#: Speed and seconds from reset to the first question: Optiboot on Uno and new Nanos, then the Nano's older bootloader.
TRIES: Final = ((115200, 0.3), (57600, 0.2), (115200, 0.6), (57600, 0.4), (115200, 0.1))
#: Chips whose flash and pins are those of the images.
SIGNATURES: Final = {b"\x1e\x95\x0f": "ATmega328P", b"\x1e\x95\x14": "ATmega328"}
#: The bootloader begins here at the latest (old Nano: 2 KB); an image must end before.
BOOT_AT: Final = 0x7800

Progress = Callable[[str, int, int], None]


class FlashFault(Exception):
    """Flashing failed; the text says at what and what to do."""


@dataclass(frozen=True, slots=True)
class Image:
    """A shipped firmware image."""

    variant: str
    path: Path
    firmware: str
    protocol: str
    build: str
    compiler: str
    sha256: str
    flash_bytes: int
    ram_bytes: int


def images() -> list[Image]:
    """The shipped images. Raises FlashFault when they are missing."""
    folder = firmware_folder() / "prebuilt"
    try:
        record = json.loads((folder / "prebuilt.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FlashFault(
            f"{folder}: the firmware images are not installed ({error}); install dominoref again"
        ) from error
    common = {key: record[key] for key in ("firmware", "protocol", "build", "compiler")}
    keys = ("sha256", "flash_bytes", "ram_bytes")
    return [
        Image(variant, folder / entry["file"], **common, **{key: entry[key] for key in keys})
        for variant, entry in record["images"].items()
    ]


def load(image: Image) -> bytes:
    """The image's bytes, from address 0. Raises FlashFault when the file is not the one that was shipped."""
    data = image.path.read_bytes()
    if hashlib.sha256(data).hexdigest() != image.sha256:
        raise FlashFault(f"{image.path}: the file was changed; install dominoref again")
    return parse_hex(data.decode("ascii"), str(image.path))


def parse_hex(text: str, name: str) -> bytes:
    """The bytes of an Intel HEX file that starts at address 0, gaps as 0xFF. Raises FlashFault."""
    memory: dict[int, int] = {}
    ended = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            if ended or line[0] != ":":
                raise ValueError
            record = bytes.fromhex(line[1:].strip())
            if sum(record) & 0xFF or len(record) != record[0] + 5:
                raise ValueError
        except (ValueError, IndexError):
            raise FlashFault(f"{name}: line {number} is no Intel HEX record") from None
        address = record[1] << 8 | record[2]
        if record[3] == 0:
            memory |= {address + offset: byte for offset, byte in enumerate(record[4:-1])}
        elif record[3] == 1:
            ended = True
        elif record[3] not in (3, 5):  # a start address, which the chip has no use for
            raise FlashFault(f"{name}: line {number} is for a larger chip")
    if not ended or not memory:
        raise FlashFault(f"{name}: the file breaks off")
    if max(memory) >= BOOT_AT:
        raise FlashFault(f"{name}: the image reaches into the bootloader")
    return bytes(memory.get(address, 0xFF) for address in range(max(memory) + 1))


class _Stk500:
    """A conversation with the bootloader over an open port."""

    def __init__(self, port: Any, sleep: Callable[[float], None]) -> None:
        self.port = port
        self.sleep = sleep

    def _read(self, count: int, seconds: float) -> bytes:
        self.port.timeout = seconds
        return bytes(self.port.read(count))

    def command(self, command: bytes, answer: int = 0, seconds: float = 1.0) -> bytes:
        """Send a command; its answer without the frame. Raises FlashFault."""
        self.port.write(command + bytes((_CRC_EOP,)))
        got = self._read(answer + 2, seconds)
        if len(got) != answer + 2 or got[0] != _IN_SYNC or got[-1] != _OK:
            raise FlashFault("the bootloader stopped answering; press the board's reset button and try again")
        return got[1:-1]

    def sync(self) -> bool:
        """Ask whether the bootloader answers, a few times."""
        for _ in range(3):
            self.port.reset_input_buffer()
            self.port.write(_GET_SYNC + bytes((_CRC_EOP,)))
            if self._read(2, 0.25) == bytes((_IN_SYNC, _OK)):
                self.sleep(0.05)  # a late answer to an earlier question must not pass for the next one's
                self.port.reset_input_buffer()
                return True
        return False

    def address(self, address: int) -> None:
        word = address // 2
        self.command(_LOAD_ADDRESS + bytes((word & 0xFF, word >> 8)))


def _reset(port: Any) -> None:
    """Pulse DTR, which resets an Uno or Nano into its bootloader; a port without that line is left as it is."""
    with contextlib.suppress(OSError):
        port.dtr = False
        port.rts = False
        time.sleep(0.05)
        port.dtr = True
        port.rts = True
        time.sleep(0.05)


def flash(
    name: str,
    image: bytes,
    *,
    progress: Progress = lambda what, done, of: None,
    reset: Callable[[Any], None] = _reset,
    open_with: Callable[[str, int], Any] = open_port,
    sleep: Callable[[float], None] = time.sleep,
) -> str:
    """Write `image` through the bootloader at port `name` and read it back; the chip's name.

    Raises FlashFault and PortFault.
    """
    for baud, wait_s in TRIES:
        port = open_with(name, baud)
        try:
            reset(port)
            # Optiboot blinks some 0.3 s before it listens; half a question left in its buffer makes it give up.
            sleep(wait_s)
            loader = _Stk500(port, sleep)
            if loader.sync():
                return _write(loader, image, progress)
        except OSError as error:
            raise FlashFault(f"{name}: the connection broke ({error}); plug the board in again and repeat") from error
        finally:
            with contextlib.suppress(Exception):
                port.close()
    raise FlashFault(
        f"{name}: no bootloader answers; is it an Uno or Nano? Press its reset button just as you start this again"
    )


def _write(loader: _Stk500, image: bytes, progress: Progress) -> str:
    signature = loader.command(_READ_SIGNATURE, answer=3)
    if signature not in SIGNATURES:
        raise FlashFault(f"the chip says {signature.hex(' ')}, which is no ATmega328P; nothing was written")
    loader.command(_ENTER)
    pages = [image[at : at + PAGE].ljust(PAGE, b"\xff") for at in range(0, len(image), PAGE)]
    size = bytes((PAGE >> 8, PAGE & 0xFF)) + b"F"
    for index, page in enumerate(pages):
        loader.address(index * PAGE)
        loader.command(_WRITE_PAGE + size + page)
        progress("writing", index + 1, len(pages))
    for index, page in enumerate(pages):
        loader.address(index * PAGE)
        if loader.command(_READ_PAGE + size, answer=PAGE) != page:
            raise FlashFault(f"page {index + 1} of {len(pages)} does not read as it was written; try again")
        progress("checking", index + 1, len(pages))
    loader.command(_LEAVE)
    return SIGNATURES[signature]
