"""What the frames of the serial link say, as values. Between bytes and meaning; knows no port.

Layouts and numbers come from protocol.py, which is generated from firmware/protocol/protocol.toml. A payload that does
not fit its layout gives None: the CRC was right, so the other side speaks another language.
"""

import struct
from dataclasses import dataclass, fields

from table.board.frames import Frame
from table.board.protocol import LAYOUTS, MAGIC, PROTOCOL_MAJOR, PROTOCOL_MINOR, SEATS_MAX, MessageId


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp: colour (protocol.Colour) and the pattern's eight slots, bit 0 first."""

    colour: int = 0
    pattern: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of rim: first pixel, number of pixels, colour, pattern (its bits side by side)."""

    start: int
    length: int
    colour: int
    pattern: int = 255


@dataclass(frozen=True, slots=True)
class Hello:
    """Asks who is there."""

    magic: int = MAGIC
    major: int = PROTOCOL_MAJOR
    minor: int = PROTOCOL_MINOR


@dataclass(frozen=True, slots=True)
class State:
    """All that the board shall show. `lights` has one a seat and, last, the table's."""

    session: int
    seen: int
    lights: tuple[Light, ...]
    rim: int = 0
    flags: int = 0
    tune: int = 0
    tune_count: int = 0
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """All presses up to `seen` have arrived."""

    session: int
    seen: int


@dataclass(frozen=True, slots=True)
class Info:
    """Who the board is; after another major version only magic, major and minor can be relied on."""

    magic: int
    major: int
    minor: int
    firmware_major: int
    firmware_minor: int
    firmware_patch: int
    build: int
    variant: int
    seats: int
    buttons: int
    rim: int
    reset_cause: int
    session: int
    last_event: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Ack:
    """The STATE with the frame's sequence number is shown now."""

    session: int
    last_event: int
    dropped: int
    bad_frames: int
    flags: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The frame with this sequence number was whole and is not obeyed; `reason` is a protocol.Refusal."""

    session: int
    reason: int


@dataclass(frozen=True, slots=True)
class PressAge:
    """A press as the board sends it: seat, button, and how long ago it happened (65535: that or longer)."""

    seat: int
    button: int
    age_ms: int


@dataclass(frozen=True, slots=True)
class Events:
    """Presses not yet acknowledged; the first one's number, the others follow."""

    session: int
    first: int
    presses: tuple[PressAge, ...]


Message = Hello | State | Seen | Info | Ack | Refused | Events
_PLAIN: dict[MessageId, type[Hello] | type[Seen] | type[Info] | type[Ack] | type[Refused]] = {
    MessageId.HELLO: Hello,
    MessageId.SEEN: Seen,
    MessageId.INFO: Info,
    MessageId.ACK: Ack,
    MessageId.REFUSED: Refused,
}
_IDS = {kind: number for number, kind in _PLAIN.items()} | {State: MessageId.STATE, Events: MessageId.EVENTS}


def pack(message: Message, sequence: int) -> Frame:
    """The frame that says `message`."""
    number = _IDS[type(message)]
    layout = LAYOUTS[number][0]
    if isinstance(message, State):
        payload = struct.pack(
            layout,
            message.session,
            message.seen,
            len(message.lights) - 1,
            message.rim,
            message.flags,
            message.tune,
            message.tune_count,
            len(message.spans),
        )
        payload += b"".join(bytes((light.colour, light.pattern)) for light in message.lights)
        payload += b"".join(bytes((span.start, span.length, span.colour, span.pattern)) for span in message.spans)
    elif isinstance(message, Events):
        payload = struct.pack(layout, message.session, message.first, len(message.presses))
        for press in message.presses:
            payload += struct.pack("<BH", press.seat << 4 | press.button, press.age_ms)
    else:
        payload = struct.pack(layout, *(getattr(message, field.name) for field in fields(message)))
    return Frame(number, sequence, payload)


def unpack(frame: Frame) -> Message | None:
    """What the frame says, or None when this side does not know it."""
    payload = frame.payload
    try:
        number = MessageId(frame.type)
    except ValueError:
        return None
    layout = LAYOUTS[number][0]
    size = struct.calcsize(layout)
    if number is MessageId.INFO and len(payload) >= 4 and len(payload) != size:
        magic, major, minor = struct.unpack_from("<HBB", payload)
        if major != PROTOCOL_MAJOR:  # a board of another age: enough to say so
            return Info(magic, major, minor, *(0,) * 12)
        payload = payload[:size]  # a newer minor version may add fields
    if len(payload) < size:
        return None
    head = struct.unpack_from(layout, payload)
    tail = payload[size:]
    if number in _PLAIN:
        return None if tail else _PLAIN[number](*head)
    if number is MessageId.EVENTS:
        session, first, count = head
        if len(tail) != 3 * count:
            return None
        pairs = struct.iter_unpack("<BH", tail)
        return Events(session, first, tuple(PressAge(what >> 4, what & 15, age_ms) for what, age_ms in pairs))
    session, seen, seats, rim, flags, tune, tune_count, spans_count = head
    if seats > SEATS_MAX or len(tail) != 2 * (seats + 1) + 4 * spans_count:
        return None
    cut = 2 * (seats + 1)
    lights = tuple(Light(*pair) for pair in struct.iter_unpack("<BB", tail[:cut]))
    spans = tuple(Span(*four) for four in struct.iter_unpack("<BBBB", tail[cut:]))
    return State(session, seen, lights, rim, flags, tune, tune_count, spans)
