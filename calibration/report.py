"""How good a calibration is, and how that is known: written beside table.toml and shown to people."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

Quality = Literal["good", "usable", "redo"]
GOOD_MM, USABLE_MM = 2.0, 6.0
"""95th percentile of the error: 2 mm is a twelfth of a tile's width; beyond a quarter a tile seems to have moved."""


class Report(Struct, forbid_unknown_fields=True):
    """What is known about a calibration."""

    method: str
    """What it rests on, in words."""
    error_mm: tuple[float, float]
    """Expected error of a place on the table, median and 95th percentile over the play area."""
    misfit_px: float
    """What is left between the picture and the fitted camera, root mean square."""
    estimated_by: str
    """How the error was estimated, in words."""
    size_px: tuple[int, int]
    area_mm: tuple[float, float]
    focal_px: float
    focal_source: str
    """"given", "estimated" or "assumed"."""
    coverage: float
    """Share of the picture that the play area fills."""
    camera: str = ""
    made_at: str = ""
    """UTC, ISO 8601."""
    notes: tuple[str, ...] = ()
    """What could be better, each with what to do."""

    @property
    def quality(self) -> Quality:
        """One word for people."""
        return quality_of(self.error_mm[1])


def quality_of(error_95_mm: float) -> Quality:
    """good, usable or redo, by the error that 95 % of the places stay below."""
    return "good" if error_95_mm <= GOOD_MM else "usable" if error_95_mm <= USABLE_MM else "redo"


def report_path(table: Path) -> Path:
    """Where the report of a table.toml lies."""
    return table.with_name(table.stem + ".report.json")


def write_report(path: Path, report: Report) -> None:
    """Write the report at once. Raises OSError."""
    content = {**msgspec.to_builtins(report), "quality": report.quality}
    scratch = path.with_name(path.name + ".new")
    scratch.write_bytes(msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n")
    scratch.replace(path)


def read_report(path: Path) -> Report | None:
    """The report at `path`; None when there is none or it cannot be understood."""
    try:
        content = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        content.pop("quality", None)  # for people; it follows from the error
        return msgspec.convert(content, Report)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
