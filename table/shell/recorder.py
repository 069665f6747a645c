"""Records a match while it is played: the pictures and the inputs, as a recording folder that `replay` takes.

The video has a picture for each slot of time in which the tracker looks at one: the very picture that was judged, or
the one before where there was none. So its time is the match's time, or of a match gone on with the time since then.
Only the play area and a margin are kept unless everything is asked for. A recording cut off by a crash can be read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from calibration.table_file import TableFile, write_table
from table import events
from table.shell.faults import Fault
from table.shell.table_setup import TableSetup
from table.tracking.tracker import SLOT_S, SLOT_SLACK
from vision.sources.frames import Frame
from vision.sources.pictures import Image

RATE_HZ = 1 / SLOT_S
CODEC = "mp4v"
MARGIN_MM = 40.0
"""So much around the play area is kept: where arms come in."""


class Recorder:
    """Writes DIR/video.mkv, DIR/table.toml and DIR/inputs.jsonl; also a listener for records (the inputs)."""

    def __init__(
        self, folder: Path, table: TableFile, setup: TableSetup, everything: bool, begun_t: float = 0.0
    ) -> None:
        """`begun_t`: the match's time at which the recording begins. Raises Fault when the folder is not empty or
        cannot be written."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if any(folder.iterdir()):
                raise Fault(f"{folder}: is not empty; name a new folder for --record")
            write_table(folder / "table.toml", table)
            self._inputs = (folder / "inputs.jsonl").open("wb")
        except OSError as fault:
            raise Fault(f"{folder}: cannot be written ({fault.strerror}); name another folder for --record") from fault
        self._path = folder / "video.mkv"
        self._size = setup.plane.size_px
        fourcc = cv2.VideoWriter.fourcc(*CODEC)
        self._video = cv2.VideoWriter(str(self._path), cv2.CAP_FFMPEG, fourcc, RATE_HZ, self._size)
        if not self._video.isOpened():
            raise Fault(f"{self._path}: no video can be written here; play without --record")
        for name in ("video.mkv", "table.toml", "inputs.jsonl"):
            os.chmod(folder / name, 0o600)
        self._mask: Image | None = None
        if not everything:
            self._mask = np.zeros((self._size[1], self._size[0], 3), np.uint8)
            cv2.fillConvexPoly(self._mask, np.round(setup.plane.corners_px(MARGIN_MM)).astype(np.int32), (1, 1, 1))
        self._written = 0
        self._latest: Image | None = None
        self._begun_t = begun_t

    def frame(self, frame: Frame) -> None:
        """Keep a frame of the match at its time."""
        before = self._latest
        self._latest = frame.image if self._mask is None else np.asarray(frame.image * self._mask, np.uint8)
        slot = self._slot(frame.t)
        self._write(self._latest if before is None else before, slot)
        self._write(self._latest, slot + 1)

    def tick(self, t: float) -> None:
        """It is this late in the match: the picture that came last stands until then."""
        if self._latest is not None:
            self._write(self._latest, self._slot(t))

    def _slot(self, t: float) -> int:
        return int((t - self._begun_t) * RATE_HZ + SLOT_SLACK)

    def _write(self, image: Image, until: int) -> None:
        while self._written < until:
            self._video.write(image)
            self._written += 1

    def __call__(self, records: Sequence[events.Record]) -> None:
        for record in records:
            line = self._input_line(record)
            if line:
                self._inputs.write(line + b"\n")
                self._inputs.flush()

    def _input_line(self, record: events.Record) -> bytes | None:
        line: dict[str, object] = {"t": max(0.0, round(record.t - self._begun_t, 6)), "type": record.type}
        if isinstance(record, events.Button):
            return msgspec.json.encode(line | {"seat": record.seat, "button": record.button})
        if isinstance(record, events.Correction):
            return msgspec.json.encode(line | {"of": record.of, "change": record.change})
        if isinstance(record, events.Paused | events.Resumed):
            return msgspec.json.encode(line)
        return None

    def close(self) -> None:
        """Finish the files."""
        self._video.release()
        self._inputs.close()
