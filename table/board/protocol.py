"""Numbers of the serial protocol, written by generate.py from protocol.toml; do not edit."""

from enum import IntEnum, IntFlag
from typing import Final

PROTOCOL_MAJOR: Final = 1
PROTOCOL_MINOR: Final = 0
FIRMWARE: Final = (1, 0, 0)
BAUD: Final = 115200
MAGIC: Final = 20292
PAYLOAD_MAX: Final = 48
SEATS_MAX: Final = 8
BUTTONS_A_SEAT: Final = 2
RIM_MAX: Final = 60
SPANS_MAX: Final = 4
QUEUE_MAX: Final = 16
EVENTS_A_FRAME: Final = 4
HELLO_MS: Final = 200
HELLO_PATIENCE_MS: Final = 3000
HEARTBEAT_MS: Final = 250
ACK_TIMEOUT_MS: Final = 100
QUIET_MS: Final = 20
SILENCE_MS: Final = 1000
FAILSAFE_MS: Final = 1500
EVENTS_REPEAT_MS: Final = 25
PRESS_MS: Final = 5
RELEASE_MS: Final = 20
SLOT_MS: Final = 128
TUNE_SLOT_MS: Final = 64


class Colour(IntEnum):
    OFF = 0
    RED = 1
    GREEN = 2
    AMBER = 3
    BLUE = 4
    CYAN = 5
    WHITE = 6


class Button(IntEnum):
    PASS = 0
    DONE = 1


class ResetCause(IntEnum):
    UNKNOWN = 0
    POWER = 1
    EXTERNAL = 2
    BROWN_OUT = 3
    WATCHDOG = 4
    WARM = 5


class Refusal(IntEnum):
    SESSION = 1
    LENGTH = 2
    VALUE = 3
    UNKNOWN = 4


class Variant(IntEnum):
    HOST = 0
    SHIFT = 1
    DIRECT = 2
    ARDUINO = 3


class StateFlag(IntFlag):
    MUTE = 1


class AckFlag(IntFlag):
    MUTED = 1
    IDLE = 2


class MessageId(IntEnum):
    HELLO = 0x01
    STATE = 0x02
    SEEN = 0x03
    INFO = 0x81
    ACK = 0x82
    REFUSED = 0x83
    EVENTS = 0x84


#: Field names and struct format (little-endian) of each message's fixed part.
LAYOUTS: Final[dict[MessageId, tuple[str, tuple[str, ...]]]] = {
    MessageId.HELLO: ("<HBB", ("magic", "major", "minor")),
    MessageId.STATE: ("<HHBBBHBB", ("session", "seen", "seats", "rim", "flags", "tune", "tune_count", "spans")),
    MessageId.SEEN: ("<HH", ("session", "seen")),
    MessageId.INFO: (
        "<HBBBBBIBBBBBHHH",
        (
            "magic",
            "major",
            "minor",
            "firmware_major",
            "firmware_minor",
            "firmware_patch",
            "build",
            "variant",
            "seats",
            "buttons",
            "rim",
            "reset_cause",
            "session",
            "last_event",
            "dropped",
        ),
    ),
    MessageId.ACK: ("<HHHHB", ("session", "last_event", "dropped", "bad_frames", "flags")),
    MessageId.REFUSED: ("<HB", ("session", "reason")),
    MessageId.EVENTS: ("<HHB", ("session", "first", "count")),
}
