"""Records a match while it is played: the pictures and the inputs, as a recording folder that `replay` takes.

The video runs at a steady rate, each picture repeated until the next one came, so its time is the match's time. Only
the play area and a margin are kept unless everything is asked for. A recording cut off by a crash can still be read.
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
from vision.sources.frames import Frame
from vision.sources.pictures import Image

RATE_HZ = 15.0
"""Fine enough to see an arm leave, and half of what most webcams give."""
MARGIN_MM = 40.0
"""So much around the play area is kept: where arms come in."""


class Recorder:
    """Writes DIR/video.mkv, DIR/table.toml and DIR/inputs.jsonl; also a listener for records (the inputs)."""

    def __init__(self, folder: Path, table: TableFile, setup: TableSetup, everything: bool) -> None:
        """Raises Fault when the folder is not empty or cannot be written."""
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
        fourcc = cv2.VideoWriter.fourcc(*"mp4v")
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

    def frame(self, frame: Frame) -> None:
        """Keep a frame at its time."""
        image = frame.image if self._mask is None else np.asarray(frame.image * self._mask, np.uint8)
        # At least once each: what was judged must be in the recording.
        while self._written == 0 or self._written / RATE_HZ <= frame.t:
            self._video.write(image)
            self._written += 1

    def __call__(self, records: Sequence[events.Record]) -> None:
        for record in records:
            line = self._input_line(record)
            if line:
                self._inputs.write(line + b"\n")
                self._inputs.flush()

    @staticmethod
    def _input_line(record: events.Record) -> bytes | None:
        if isinstance(record, events.Button):
            return msgspec.json.encode({"t": record.t, "type": "button", "seat": record.seat, "button": record.button})
        if isinstance(record, events.Correction):
            return msgspec.json.encode({"t": record.t, "type": "correction", "of": record.of, "change": record.change})
        return None

    def close(self) -> None:
        """Finish the files."""
        self._video.release()
        self._inputs.close()
