"""Write src/pins.h and the wiring pictures from pins.toml; with --check only say whether they agree.

python firmware/wiring/draw.py [--check]
"""

import sys
import tomllib
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PINS_H = HERE.parent / "domino_board" / "src" / "pins.h"


def avr_pin(pin: str) -> tuple[str, int, int]:
    """Port letter, bit and Arduino number of an Uno's pin: D0..D7 are port D, D8..D13 port B, A0..A5 port C."""
    number = int(pin[1:])
    if pin[0] == "A":
        return "C", number, 14 + number
    return ("D", number, number) if number < 8 else ("B", number - 8, number)


def pins_h(table: dict[str, Any]) -> str:
    """PIN_X for the Arduino functions, PIN_X_PORT and PIN_X_BIT for the AVR's registers and the simulated board.

    What both wirings have is at the same pin in both, so that one list serves; ValueError where it is not.
    """
    lines = [
        "/* Written by firmware/wiring/draw.py from pins.toml; do not edit. */",
        "#ifndef DOMINO_PINS_H",
        "#define DOMINO_PINS_H",
        "",
    ]
    known: dict[str, str] = {}
    for variant in table.values():
        for pin in variant["pins"]:
            port, bit, number = avr_pin(pin["pin"])
            name = f"PIN_{pin['name'].upper()}"
            if known.setdefault(name, pin["pin"]) != pin["pin"]:
                raise ValueError(f"pins.toml: {pin['name']} is at {known[name]} in one wiring, {pin['pin']} in another")
            lines.append(f"#define {name} {number} /* {pin['pin']}: {pin['to']} */")
            lines.append(f"#define {name}_PORT PORT{port}")
            lines.append(f"#define {name}_DDR DDR{port}")
            lines.append(f"#define {name}_IN PIN{port}")
            lines.append(f"#define {name}_BIT {bit}")
    return "\n".join([*dict.fromkeys(lines), "", "#endif", ""])


COLOURS = {"out": "#c0392b", "in": "#2471a3", "pull-up": "#1e8449"}


class Picture:
    """An SVG that grows by boxes, wires and words."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
            f'font-size="13"><title>{escape(title)}</title>',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            f'<text x="24" y="34" font-size="17" font-weight="bold">{escape(title)}</text>',
        ]

    def box(self, x: int, y: int, width: int, height: int, fill: str) -> None:
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="#333333"/>'
        )

    def words(self, x: int, y: int, text: str, more: str = "") -> None:
        self.parts.append(f'<text x="{x}" y="{y}" {more}>{escape(text)}</text>')

    def wire(self, x1: int, y1: int, x2: int, y2: int, colour: str) -> None:
        self.parts.append(
            f'<path d="M{x1} {y1} C{(x1 + x2) // 2} {y1} {(x1 + x2) // 2} {y2} {x2} {y2}" fill="none" '
            f'stroke="{colour}" stroke-width="2"/>'
        )

    def text(self) -> str:
        return "\n".join([*self.parts, "</svg>", ""])


CHIPS = {
    "shift": [
        "74HC595, lamps. First chip (SER from D8): red, QA is seat 1 ... QH seat 8.",
        "Second chip (SER from QH' of the first): green. Third, only for RGB lamps: blue.",
        "Each output through 470 ohms to the lamp's anode; common cathode to GND.",
        "Pin 16 to 5 V, pin 8 to GND, pin 10 (SRCLR) to 5 V, 100 nF beside each chip.",
        "74HC165, buttons. First chip (QH to D12): A pass of seat 1, B done of seat 1, C pass",
        "of seat 2 ... H done of seat 4. Second chip (QH to SER, pin 10, of the first): seats 5 to 8.",
        "Each input to its button, the button's other leg to GND, 10 kilohms to 5 V; unused",
        "inputs to 5 V. Pin 16 to 5 V, pins 8 and 15 (CLK INH) to GND, 100 nF beside each chip.",
        "The last 74HC165's own SER (pin 10) to 5 V: with four seats or fewer that is the first, and the only one.",
        "With the rim alone leave the 74HC595 out: the rim shows the seats too.",
    ],
    "direct": ["Lamps: two-colour, common cathode to GND."],
}


def picture(variant: str, table: dict[str, Any]) -> str:
    """One variant's wiring as SVG: the board's pins on the left, what hangs on each on the right."""
    pins = table["pins"]
    notes = [
        *CHIPS[variant],
        "Rim: up to 60 WS2812B, 5 V and GND from the same supply, 1000 uF across them. The firmware keeps it",
        "below 300 mA, so that everything runs from USB.",
    ]
    row = 34
    top = 80
    height = top + row * (len(pins) + 2) + 20 * len(notes) + 60
    out = Picture(880, height, f"Board, {table['about']}")
    out.box(40, top - 24, 170, row * (len(pins) + 2), "#d6eaf8")
    out.words(58, top - 4, "Arduino Uno or Nano", 'font-weight="bold"')
    rows = [(pin["pin"], pin["name"].replace("_", " "), pin["to"], COLOURS[pin["dir"]]) for pin in pins]
    rows.append(("5V, GND", "supply", "5 V and GND of all chips, lamps, buttons and the strip", "#555555"))
    for index, (pin, name, to, colour) in enumerate(rows):
        y = top + row * index + 26
        out.words(202, y, pin, 'text-anchor="end" font-weight="bold"')
        out.words(300, y - 9, name, f'fill="{colour}"')
        out.wire(210, y - 4, 400, y - 4, colour)
        out.box(400, y - 18, 450, 26, "#fdfefe")
        out.words(410, y, to)
    y = top + row * (len(pins) + 2) + 16
    for note in notes:
        out.words(40, y, note)
        y += 20
    legend = "red: the board drives it, blue: the board reads it, green: read, with the chip's own pull-up"
    out.words(40, y + 10, legend, 'fill="#555555"')
    return out.text()


def main(arguments: list[str]) -> int:
    table = tomllib.loads((HERE / "pins.toml").read_text(encoding="utf-8"))
    files = {PINS_H: pins_h(table)}
    files |= {HERE / f"wiring-{variant}.svg": picture(variant, table[variant]) for variant in table}
    stale = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in arguments:
        for path in stale:
            print(f"{path.name} is not as pins.toml says; run firmware/wiring/draw.py", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.write_text(files[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
