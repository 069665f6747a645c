"""Progress of long work: one line on stderr that renews itself, only where a person watches."""

from __future__ import annotations

import sys
import time
from typing import TextIO

RENEW_S = 0.2


class Progress:
    """Shows how far something is. Does nothing when the stream is no terminal."""

    def __init__(self, what: str, total: int | None, stream: TextIO | None = None) -> None:
        self._what, self._total = what, total
        self._stream = stream or sys.stderr
        self._on = self._stream.isatty()
        self._shown = -RENEW_S
        self._width = 0

    def step(self, done: int, note: str = "") -> None:
        """`done` of the total are done."""
        now = time.monotonic()
        if not self._on or now - self._shown < RENEW_S:
            return
        self._shown = now
        share = f"{100 * done // self._total:3d} %" if self._total else f"{done}"
        text = f"{self._what} {share} {note}".rstrip()
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)

    def clear(self) -> None:
        """Take the line away, so that other words can be written."""
        if self._on and self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
            self._width = 0
            self._shown = -RENEW_S
