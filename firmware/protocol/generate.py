"""Write protocol.h and table/board/protocol.py from protocol.toml; with --check only say whether they agree.

python firmware/protocol/generate.py [--check]
"""

import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
C_FILE = ROOT / "firmware" / "domino_board" / "src" / "protocol.h"
PYTHON_FILE = ROOT / "table" / "board" / "protocol.py"
SIZES = {"u8": 1, "u16": 2, "u32": 4}
STRUCT_CODES = {"u8": "B", "u16": "H", "u32": "I"}


def c_header(definition: dict[str, Any]) -> str:
    """The C side: one enum a section, and each field's offset in its payload."""
    lines = [
        "/* Written by firmware/protocol/generate.py from protocol.toml; do not edit. */",
        "#ifndef DOMINO_PROTOCOL_H",
        "#define DOMINO_PROTOCOL_H",
        "",
    ]
    major, minor, patch = definition["version"]["firmware"]
    numbers: dict[str, int] = {
        "PROTOCOL_MAJOR": definition["version"]["major"],
        "PROTOCOL_MINOR": definition["version"]["minor"],
        "FIRMWARE_MAJOR": major,
        "FIRMWARE_MINOR": minor,
        "FIRMWARE_PATCH": patch,
    }
    numbers |= {name.upper(): value for name, value in (definition["limits"] | definition["timing"]).items()}
    # Macros, not enumerators: int has 16 bits on the AVR, and the preprocessor must be able to read them.
    lines += [f"#define {name} {value}{'UL' if value > 32767 else ''}" for name, value in numbers.items()]
    for prefix, group in (("", definition["enum"]), ("FLAG_", definition["flag"])):
        for kind, values in group.items():
            body = ", ".join(f"{prefix}{kind.upper()}_{name.upper()} = {value}" for name, value in values.items())
            lines += ["", f"enum {{ {body} }};"]
    for message in definition["message"]:
        name = message["name"].upper()
        lines += ["", f"/* {message['about']} */", f"#define MESSAGE_{name} 0x{message['id']:02X}"]
        offset = 0
        for field, kind in message["fields"]:
            lines.append(f"#define {name}_{field.upper()}_AT {offset}")
            offset += SIZES[kind]
        lines.append(f"#define {name}_SIZE {offset}")
    return "\n".join([*lines, "", "#endif", ""])


def python_module(definition: dict[str, Any]) -> str:
    """The Python side: constants, enums and each payload's struct format."""
    lines = [
        '"""Numbers of the serial protocol, written by generate.py from protocol.toml; do not edit."""',
        "",
        "from enum import IntEnum, IntFlag",
        "from typing import Final",
        "",
        f"PROTOCOL_MAJOR: Final = {definition['version']['major']}",
        f"PROTOCOL_MINOR: Final = {definition['version']['minor']}",
        f"FIRMWARE: Final = {tuple(definition['version']['firmware'])!r}",
    ]
    for name, value in (definition["limits"] | definition["timing"]).items():
        lines.append(f"{name.upper()}: Final = {value}")
    for base, group in (("IntEnum", definition["enum"]), ("IntFlag", definition["flag"])):
        for kind, values in group.items():
            suffix = "Flag" if base == "IntFlag" else ""
            class_name = "".join(part.title() for part in kind.split("_")) + suffix
            lines += ["", "", f"class {class_name}({base}):"]
            lines += [f"    {name.upper()} = {value}" for name, value in values.items()]
    lines += ["", "", "class MessageId(IntEnum):"]
    lines += [f"    {message['name'].upper()} = 0x{message['id']:02X}" for message in definition["message"]]
    lines += [
        "",
        "",
        "#: Field names and struct format (little-endian) of each message's fixed part.",
    ]
    lines.append("LAYOUTS: Final[dict[MessageId, tuple[str, tuple[str, ...]]]] = {")
    for message in definition["message"]:
        codes = "<" + "".join(STRUCT_CODES[kind] for _, kind in message["fields"])
        names = ", ".join(f'"{field}"' for field, _ in message["fields"])
        line = f'    MessageId.{message["name"].upper()}: ("{codes}", ({names})),'
        if len(line) > 118:
            line = (
                f'    MessageId.{message["name"].upper()}: (\n        "{codes}",\n        (\n'
                + "".join(f'            "{field}",\n' for field, _ in message["fields"])
                + "        ),\n    ),"
            )
        lines.append(line)
    return "\n".join([*lines, "}", ""])


def main(arguments: list[str]) -> int:
    definition = tomllib.loads((HERE / "protocol.toml").read_text(encoding="utf-8"))
    stale = []
    for path, text in ((C_FILE, c_header(definition)), (PYTHON_FILE, python_module(definition))):
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(str(path.relative_to(ROOT)))
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    if stale and "--check" in arguments:
        print(f"not as protocol.toml says: {', '.join(stale)}; run firmware/protocol/generate.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
