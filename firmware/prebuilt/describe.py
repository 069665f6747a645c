"""Copy fresh images into prebuilt/ and write prebuilt.json beside them: checksum, size, compiler, build number.

python firmware/prebuilt/describe.py BUILD_FOLDER PREBUILT_FOLDER
"""

import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def describe(build: Path, folder: Path) -> None:
    sys.path.insert(0, str(HERE.parent / "protocol"))
    from build_id import build_id

    definition = tomllib.loads((HERE.parent / "protocol" / "protocol.toml").read_text(encoding="utf-8"))
    record: dict[str, object] = {
        "firmware": ".".join(map(str, definition["version"]["firmware"])),
        "protocol": f"{definition['version']['major']}.{definition['version']['minor']}",
        "build": f"{build_id():08x}",
        "compiler": output("avr-gcc", "--version").splitlines()[0],
        "compiler_version": output("avr-gcc", "-dumpversion").strip(),
        "images": {},
    }
    images = {}
    for image in sorted(build.glob("domino_board_*.hex")):
        data = image.read_bytes()
        (folder / image.name).write_bytes(data)
        text, filled, zeroed = map(int, output("avr-size", str(image.with_suffix(".elf"))).splitlines()[1].split()[:3])
        variant = image.stem.removeprefix("domino_board_")
        images[variant] = {
            "file": image.name,
            "chip": "atmega328p",
            "sha256": hashlib.sha256(data).hexdigest(),
            "flash_bytes": text + filled,
            "ram_bytes": filled + zeroed,
        }
    record["images"] = images
    (folder / "prebuilt.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    describe(Path(sys.argv[1]), Path(sys.argv[2]))
