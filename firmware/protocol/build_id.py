"""Print the build number: a CRC-32 of the firmware's sources, so that a board can say what it was made from."""

import zlib
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "domino_board" / "src"


def build_id() -> int:
    crc = 0
    for path in sorted([*SOURCES.glob("*.c"), *SOURCES.glob("*.h")]):
        crc = zlib.crc32(path.read_bytes(), crc)
    return crc


if __name__ == "__main__":
    print(f"0x{build_id():08X}UL")
