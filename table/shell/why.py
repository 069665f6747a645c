"""Why a record was made: what was seen, the rule, and the picture crop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.plane import Pose
from table import events
from table.shell.narrate import seat_name
from table.shell.table_setup import TableSetup
from vision.sources.frames import Frame

MARGIN_TILES = 0.6
"""A crop shows the tile and so much of a tile around it: its neighbours, no faces."""
HOW_KNOWN = {
    "arm": "its arm was seen",
    "turn": "assumed: it was on turn",
    "button": "a button",
    None: "nobody was seen",
}


class Crops:
    """A listener that keeps the picture of every tile a fact is about."""

    def __init__(self, folder: Path, setup: TableSetup) -> None:
        self._folder, self._setup = folder, setup
        self.latest: Frame | None = None

    def __call__(self, records: Sequence[events.Record]) -> None:
        for record in records:
            if isinstance(record, events.OfTile) and self.latest is not None:
                self._keep(record, self.latest)

    def _keep(self, record: events.OfTile, frame: Frame) -> None:
        length, width, thickness = self._setup.tile_mm
        pose = Pose(record.at.x_mm, record.at.y_mm, record.at.angle_deg)
        quad = self._setup.plane.to_image(pose.corners_mm(length, width), thickness)
        reach = MARGIN_TILES * length * self._setup.plane.px_per_mm((pose.x_mm, pose.y_mm))
        low = np.maximum(np.floor(quad.min(axis=0) - reach), 0).astype(int)
        high = np.ceil(quad.max(axis=0) + reach).astype(int)
        crop = frame.image[low[1] : high[1], low[0] : high[0]]
        if crop.size:
            good, data = cv2.imencode(".jpg", crop)
            path = self._folder / f"{record.n}.jpg"
            if good:
                path.write_bytes(data.tobytes())
                path.chmod(0o600)


def why_text(records: Sequence[events.Record], n: int, crops: Path | None = None) -> list[str]:
    """The answer, line by line: the record in words, the sighting under it, the rule, the crop."""
    record = next((r for r in records if r.n == n), None)
    if record is None:
        return [f"there is no record {n}"]
    names = records[0].names if isinstance(records[0], events.Match) else ()
    lines = [events.encode(record).decode()]
    fact = _fact_behind(records, record)
    if isinstance(record, events.Violation):
        lines.append(f"the rule: {record.message} ({record.code}; {record.status})")
    if isinstance(record, events.Judged) and record.joins:
        lines.append(f"it joins {', '.join(_named(records, k) for k in record.joins)}")
    if fact is not None:
        who = HOW_KNOWN.get(fact.seat_by, str(fact.seat_by))
        lines.append(f"seen at {fact.t:.2f} s: {fact.tile} {fact.face}; {seat_name(fact.seat, names)} ({who})")
        if isinstance(fact, events.Placed):
            others = ", ".join(f"{name} {share:.0%}" for name, share in fact.alternatives[:3])
            lines.append(f"sure to {fact.confidence:.1%}" + (f"; it could be {others}" if others else ""))
        if crops is not None and (crops / f"{fact.n}.jpg").exists():
            lines.append(f"picture: {crops / f'{fact.n}.jpg'}")
    return lines


def _fact_behind(records: Sequence[events.Record], record: events.Record) -> events.OfTile | None:
    if isinstance(record, events.OfTile):
        return record
    if isinstance(record, events.Judged):
        return next((r for r in records if r.n == record.of and isinstance(r, events.OfTile)), None)
    if isinstance(record, events.Violation) and record.id is not None:
        facts = [r for r in records if isinstance(r, events.OfTile) and r.id == record.id and r.n < record.n]
        return facts[-1] if facts else None
    return None


def _named(records: Sequence[events.Record], number: int) -> str:
    named = [r.tile for r in records if isinstance(r, events.OfTile) and r.id == number]
    return named[-1] if named else f"tile {number}"
