"""One file of settings, so that the same words need not be typed each day; the command line goes before it.

Every key carries its unit, range and a sentence, from which the checks and `dominoref config --explain` are made. An
unknown key is refused. The file lies where the system keeps such files, never in the current folder.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from table.shell.faults import Fault

ENVIRONMENT = "DOMINOREF_CONFIG"
"""Names another settings file."""


class CameraSettings(Struct, forbid_unknown_fields=True, frozen=True):
    """Which camera looks at the table."""

    name: Annotated[
        str,
        Meta(description="Name, path, number or address, as for --camera; empty: the first.", examples=["Brio 100"]),
    ] = ""
    size_px: Annotated[
        tuple[Annotated[int, Meta(ge=160, le=8192)], Annotated[int, Meta(ge=120, le=8192)]],
        Meta(
            description="Width and height asked of the camera when there is no table.toml that says it.",
            extra={"unit": "pixels", "range": "160 to 8192, 120 to 8192"},
        ),
    ] = (1280, 720)


class TableSettings(Struct, forbid_unknown_fields=True, frozen=True):
    """The calibrated table."""

    file: Annotated[
        str,
        Meta(
            description="The table.toml to use, as for --table; empty: none, look for markers each time.",
            examples=["~/dominoes/table.toml"],
        ),
    ] = ""
    marker_mm: Annotated[
        float,
        Meta(
            ge=5, le=500, description="Side of the corner markers' black square.",
            extra={"unit": "mm", "range": "5 to 500"},
        ),
    ] = 40.0  # fmt: skip
    tile_mm: Annotated[
        tuple[float, ...],
        Meta(
            max_length=3,
            description="Length, width and thickness of the tiles; empty: measured or usual ones.",
            extra={"unit": "mm", "range": "10 to 200 each"},
            examples=[[50.0, 25.0, 8.0]],
        ),
    ] = ()


class BoardSettings(Struct, forbid_unknown_fields=True, frozen=True):
    """The board of lights and buttons."""

    port: Annotated[
        str, Meta(description="auto, none, sim, or a port's name, as for --board.", examples=["/dev/dominoref"])
    ] = "auto"
    second_button: Annotated[
        Literal["done", "challenge"],
        Meta(
            description="What the second button at each seat says; pass is the first.",
            extra={"range": "done or challenge"},
        ),
    ] = "done"
    rim: Annotated[
        int,
        Meta(
            ge=0,
            le=60,
            description="LEDs of the strip round the table, clockwise from the right hand of seat 1; 0: none.",
            extra={"unit": "LEDs", "range": "0 to 60"},
        ),
    ] = 0
    mute: Annotated[bool, Meta(description="The buzzer stays silent, whatever its switch says.")] = False


class GameSettings(Struct, forbid_unknown_fields=True, frozen=True):
    """What is played when the command line does not say it."""

    game: Annotated[str, Meta(description="block, draw, ... as for --game; empty: has to be named.")] = ""
    seats: Annotated[int, Meta(ge=1, le=8, description="How many play.", extra={"range": "1 to 8"})] = 2


class Settings(Struct, forbid_unknown_fields=True, frozen=True):
    """The whole file."""

    camera: CameraSettings = CameraSettings()
    table: TableSettings = TableSettings()
    board: BoardSettings = BoardSettings()
    game: GameSettings = GameSettings()

    def table_path(self) -> Path | None:
        """The table.toml that the settings name."""
        return Path(self.table.file).expanduser() if self.table.file else None


def settings_path() -> Path:
    """Where the file is, or would be: $DOMINOREF_CONFIG, else the system's place for settings."""
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        # The standard says that a relative path here is to be ignored.
        given = os.environ.get("XDG_CONFIG_HOME", "")
        base = Path(given) if os.path.isabs(given) else Path.home() / ".config"
    return base / "dominoref" / "config.toml"


def load_settings(path: Path | None = None) -> Settings:
    """The settings; those that a file does not name have their defaults. Raises Fault naming the key."""
    where = path or settings_path()
    try:
        data = where.read_bytes()
    except FileNotFoundError:
        if path is None and not os.environ.get(ENVIRONMENT):
            return Settings()
        raise Fault(f"{where}: there is no such settings file; `dominoref config --write` makes one") from None
    except OSError as fault:
        raise Fault(f"{where}: cannot be read ({fault.strerror}); give yourself the right to") from fault
    try:
        settings = msgspec.toml.decode(data, type=Settings)
    except msgspec.ValidationError as fault:
        raise Fault(f"{where}: {_with_key(str(fault))}; `dominoref config --explain` lists the keys") from fault
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise Fault(f"{where}: is not valid TOML ({fault}); mend that line") from fault
    if len(settings.table.tile_mm) not in (0, 3) or not all(3 <= side <= 200 for side in settings.table.tile_mm):
        raise Fault(f"{where}: [table.tile_mm] must be three numbers in mm, such as [50, 25, 8], or []")
    return settings


def _with_key(message: str) -> str:
    what, _, where = message.partition(" - at `$")
    key = where.strip("`").lstrip(".")
    what = what.replace("Object contains unknown field", "unknown key")
    return f"{what} in [{key}]" if key else what


def explained(settings: Settings | None = None) -> str:
    """A settings file with every key, its meaning, unit, range and value; it can be used as it is."""
    shown = msgspec.to_builtins(settings or Settings())
    standard = msgspec.to_builtins(Settings())
    lines = ["# Settings of Dominoref. The command line goes before this file; what is left out has its default.", ""]
    for section in msgspec.structs.fields(Settings):
        lines += [f"# {(section.type.__doc__ or '').strip()}", f"[{section.name}]"]
        for field in msgspec.structs.fields(section.type):
            meta = _meta(field.type)
            extra = meta.extra or {}
            facts = [f"{key}: {extra[key]}" for key in ("unit", "range") if key in extra]
            facts.append(f"default: {toml_value(standard[section.name][field.name])}")
            facts += [f"for example: {toml_value(example)}" for example in meta.examples or []]
            lines += [f"# {meta.description}", f"#   {'; '.join(facts)}"]
            lines.append(f"{field.name} = {toml_value(shown[section.name][field.name])}")
        lines.append("")
    return "\n".join(lines)


def _meta(annotated: Any) -> Meta:
    found = [extra for extra in getattr(annotated, "__metadata__", ()) if isinstance(extra, Meta)]
    return found[0] if found else Meta()


def toml_value(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(inner) for inner in value) + "]"
    return str(value).lower() if isinstance(value, bool) else repr(value)
