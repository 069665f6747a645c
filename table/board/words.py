"""Frames and lamps as lines for people, and people's lines as lamps. Pure text; used by the board's tools."""

from collections.abc import Iterator
from typing import Final

from table.board import messages
from table.board.frames import Decoder
from table.board.meaning import LOOKS, PATTERNS
from table.board.protocol import AckFlag, Button, Colour, Refusal, ResetCause, StateFlag, Variant
from table.board.simulator import Lamps

_PATTERN_NAMES: Final = {bits: name for name, bits in PATTERNS.items()}


def _name(kind: type[Colour | Button | Refusal | ResetCause | Variant], value: int) -> str:
    try:
        return str(kind(value).name).lower().replace("_", " ")
    except ValueError:
        return str(value)


def lamp_words(light: messages.Light) -> str:
    """A lamp, as `red fast`."""
    if light.colour == Colour.OFF or light.pattern == 0:
        return "dark"
    return f"{_name(Colour, light.colour)} {_PATTERN_NAMES.get(light.pattern, format(light.pattern, '08b'))}"


def describe(info: messages.Info) -> str:
    """A board, as it introduced itself."""
    return (
        f"{_name(Variant, info.variant)} board, firmware {info.firmware_major}.{info.firmware_minor}."
        f"{info.firmware_patch} (build {info.build:08x}), protocol {info.major}.{info.minor}, {info.seats} seats, "
        f"{info.buttons} buttons a seat, " + (f"rim up to {info.rim} pixels" if info.rim else "no rim")
    )


def message_words(message: messages.Message) -> str:
    """A message in one line."""
    match message:
        case messages.Hello():
            return f"HELLO protocol {message.major}.{message.minor}"
        case messages.Info():
            cause = _name(ResetCause, message.reset_cause)
            return f"INFO {describe(message)}; life {message.session} began by {cause}; {message.last_event} presses"
        case messages.State():
            seats = [f"{seat + 1} {lamp_words(light)}" for seat, light in enumerate(message.lights[:-1])]
            lit = [words for words in seats if not words.endswith("dark")]
            words = [", ".join(lit) or "all dark", f"table {lamp_words(message.lights[-1])}", f"seen {message.seen}"]
            if message.rim:
                words.append(f"rim {message.rim}")
            words += [
                f"rim {span.start}+{span.length} {lamp_words(messages.Light(span.colour, span.pattern))}"
                for span in message.spans
            ]
            if message.flags & StateFlag.MUTE:
                words.append("mute")
            return f"STATE life {message.session}: " + "; ".join(words)
        case messages.Seen():
            return f"SEEN presses up to {message.seen}"
        case messages.Ack():
            words = [f"ACK {message.last_event} presses"]
            if message.dropped:
                words.append(f"{message.dropped} dropped")
            if message.bad_frames:
                words.append(f"{message.bad_frames} damaged frames")
            if message.flags & AckFlag.MUTED:
                words.append("muted by its switch")
            if message.flags & AckFlag.IDLE:
                words.append("was idle")
            return ", ".join(words)
        case messages.Refused():
            return f"REFUSED ({_name(Refusal, message.reason)})"
        case messages.Events():
            presses = [
                f"{message.first + offset}: seat {press.seat + 1} {_name(Button, press.button)} {press.age_ms} ms ago"
                for offset, press in enumerate(message.presses)
            ]
            return "PRESSES " + ", ".join(presses)


class Listener:
    """Turns bytes of both directions into lines; heartbeats that say nothing new are left out unless `everything`."""

    def __init__(self, *, everything: bool = False) -> None:
        self._everything = everything
        self._decoders = {">": Decoder(), "<": Decoder()}
        self._last: dict[str, str] = {}
        self._quiet: set[int] = set()

    def lines(self, direction: str, data: bytes) -> Iterator[str]:
        """The lines for `data` that went to (`>`) or came from (`<`) the board."""
        decoder = self._decoders[direction]
        bad = decoder.bad_frames
        for frame in decoder.feed(data):
            message = messages.unpack(frame)
            words = f"unknown message {frame.type:#04x}" if message is None else message_words(message)
            kind = f"{direction}{frame.type}"
            repeated = self._last.get(kind) == words
            self._last[kind] = words
            if self._everything or not repeated or frame.type not in (2, 0x82):
                yield f"{direction} {frame.sequence:3} {words}"
        if decoder.bad_frames > bad:
            yield f"{direction}     {decoder.bad_frames - bad} damaged"


def parse_lamp(line: str, seats: int) -> dict[str, object]:
    """A typed line `SEAT MEANING [COLOUR [PATTERN]]` as a light record; seats count from 1. Raises ValueError."""
    words = line.split()
    if len(words) < 2:
        raise ValueError(f"type a seat (1..{seats} or table) and a meaning ({', '.join(LOOKS)})")
    place, meaning, *rest = words
    if place == "table":
        seat: int | str = "table"
    elif place.isdigit() and 1 <= int(place) <= seats:
        seat = int(place) - 1
    else:
        raise ValueError(f"{place}: no such seat; 1..{seats} or table")
    if meaning not in LOOKS:
        raise ValueError(f"{meaning}: no such meaning; {', '.join(LOOKS)}")
    return {"seat": seat, "meaning": meaning, **dict(zip(("colour", "pattern"), rest, strict=False))}


_CODES: Final = {"red": 31, "green": 32, "amber": 33, "blue": 34, "cyan": 36, "white": 37, "magenta": 35}
_MIXED: Final = {
    0: "dark",
    1: "red",
    2: "green",
    3: "amber",
    4: "blue",
    5: "magenta",
    6: "white",
    7: "white",
}


def lamp_colour(lamps: Lamps, bit: int) -> str:
    """What a lamp looks like; green and blue together are how `white` is lit (see paint.c)."""
    return _MIXED[(lamps.red >> bit & 1) | (lamps.green >> bit & 1) << 1 | (lamps.blue >> bit & 1) << 2]


def picture(lamps: Lamps, seats: int, *, colour: bool) -> str:
    """The board in one line: a letter a lamp (of its colour, `.` when dark), the table's last, then the buzzer."""

    def letter(bit: int) -> str:
        word = lamp_colour(lamps, bit)
        if word == "dark":
            return "."
        return f"\x1b[{_CODES[word]};1m{word[0].upper()}\x1b[0m" if colour else word[0].upper()

    places = "  ".join(f"{seat + 1}:{letter(seat)}" for seat in range(seats))
    return f"{places}   table:{letter(8)}   {'BEEP' if lamps.buzzer else '    '}"
