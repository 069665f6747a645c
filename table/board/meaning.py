"""From the referee's words to lamps and from buttons to words: the third layer of the link. Pure; knows no port.

A meaning never rests on colour alone: each has its own rhythm, so that nobody has to tell red from green.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from table.board.messages import Light, Span, State
from table.board.protocol import RIM_MAX, SEATS_MAX, Button, Colour, StateFlag

#: Eight slots of 128 ms, bit 0 first; each begins lit, so that a new light is seen at once.
PATTERNS: Final[Mapping[str, int]] = {
    "off": 0b00000000,
    "steady": 0b11111111,
    "slow": 0b00001111,
    "fast": 0b01010101,
    "double": 0b00000101,
    "long": 0b00111111,
    "short": 0b00000001,
}
_PATTERN_WORDS: Final[Mapping[str, str]] = {"solid": "steady", "blink": "fast", "flash": "fast", "pulse": "slow"}
_COLOUR_WORDS: Final[Mapping[str, str]] = {"yellow": "amber", "orange": "amber", "none": "off", "black": "off"}

#: Sixteen slots of 64 ms, bit 0 first.
TUNES: Final[Mapping[str, int]] = {"accepted": 0b1, "illegal": 0b111000111, "ask": 0b1001}


@dataclass(frozen=True, slots=True)
class Look:
    """How a meaning is shown when the record does not say it itself."""

    colour: str
    pattern: str


#: `white` has no red on a lamp, so a two-colour lamp shows it green; see firmware/domino_board/src/paint.c.
LOOKS: Final[Mapping[str, Look]] = {
    "turn": Look("white", "steady"),
    "accepted": Look("green", "double"),
    "illegal": Look("red", "fast"),
    "ask": Look("amber", "slow"),
    "idle": Look("off", "off"),
}


def lamp(meaning: str, colour: str | None = None, pattern: str | None = None) -> Light:
    """The lamp for a light record. Unknown words fall back to the meaning's own look, an unknown meaning to dark."""
    look = LOOKS.get(meaning, LOOKS["idle"])
    colour_word = (colour or look.colour).lower()
    colour_word = _COLOUR_WORDS.get(colour_word, colour_word)
    if colour_word.upper() not in Colour.__members__:
        colour_word = look.colour
    pattern_word = (pattern or look.pattern).lower()
    pattern_word = _PATTERN_WORDS.get(pattern_word, pattern_word)
    if meaning in LOOKS and meaning != "turn" and pattern_word == LOOKS["turn"].pattern:
        pattern_word = look.pattern  # only a turn is steady: nobody has to tell two steady lamps apart by colour
    bits = PATTERNS.get(pattern_word, PATTERNS[look.pattern])
    value = Colour[colour_word.upper()]
    return Light(value, bits) if value and bits else Light()


def _field(light: Any, name: str) -> Any:
    return light.get(name) if isinstance(light, Mapping) else getattr(light, name, None)


class Lights:
    """What every lamp shows now, kept from one light record to the next."""

    def __init__(self, seats: int, *, rim: int = 0, mute: bool = False) -> None:
        """`seats` 2..8; `rim` pixels of a WS2812 strip around the table, 0..60."""
        if not 2 <= seats <= SEATS_MAX:
            raise ValueError(f"a board has lights for 2 to {SEATS_MAX} seats, not {seats}")
        if not 0 <= rim <= RIM_MAX:
            raise ValueError(f"the rim has 0 to {RIM_MAX} pixels, not {rim}")
        self.seats = seats
        self.rim = rim
        self.mute = mute
        self._lamps = [Light()] * (seats + 1)
        self._meanings = ["idle"] * (seats + 1)
        self._spans: tuple[Span, ...] = ()
        self._tune = 0
        self._tune_count = 0

    def show(self, lights: Iterable[Any]) -> None:
        """Take over light records (anything with seat, meaning, colour, pattern, or a mapping of them)."""
        loudest = ""
        for light in lights:
            seat = _field(light, "seat")
            index = self.seats if seat == "table" or seat is None else int(seat)
            if not 0 <= index <= self.seats:
                continue  # a seat this board was not made for
            meaning = str(_field(light, "meaning") or "idle")
            self._lamps[index] = lamp(meaning, _field(light, "colour"), _field(light, "pattern"))
            if meaning != self._meanings[index] and meaning in TUNES and loudest != "illegal":
                loudest = meaning
            self._meanings[index] = meaning
        if loudest:
            self._tune = TUNES[loudest]
            self._tune_count = self._tune_count % 255 + 1

    def point(self, fraction: float | None, colour: str = "red", length: int = 3) -> None:
        """Point from the rim at a spot (see `rim_fraction`), or at nothing."""
        self._spans = ()
        if fraction is not None and self.rim:
            length = min(length, self.rim)
            start = (round(fraction * self.rim) - length // 2) % self.rim
            self._spans = (Span(start, length, lamp("illegal", colour, "steady").colour),)

    def state(self) -> State:
        """The whole state, as the board is told it."""
        flags = StateFlag.MUTE if self.mute else 0
        return State(0, 0, tuple(self._lamps), self.rim, int(flags), self._tune, self._tune_count, self._spans)


def rim_fraction(x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> float:
    """Where along the rim, 0..1, the point of the table nearest to (x, y) lies.

    The rim starts at the play area's bottom right corner as imaged, the right hand of seat 0, and runs clockwise:
    along the bottom to the left, up the left side, along the top, down the right side.
    """
    x_mm = min(max(x_mm, 0.0), width_mm)
    y_mm = min(max(y_mm, 0.0), height_mm)
    around = 2 * (width_mm + height_mm)
    ways = (
        (height_mm - y_mm, width_mm - x_mm),
        (x_mm, width_mm + height_mm - y_mm),
        (y_mm, width_mm + height_mm + x_mm),
        (width_mm - x_mm, 2 * width_mm + height_mm + y_mm),
    )
    return min(ways)[1] / around % 1.0


def button_word(button: int, second: str = "done") -> str | None:
    """The referee's word for a button of the board: `pass`, or what the game's second button means."""
    if button == Button.PASS:
        return "pass"
    return second if button == Button.DONE else None
