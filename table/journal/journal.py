"""The journal: records as JSON Lines, appended and flushed one by one, from which a match can be rebuilt.

What `append` returned from survives a crash of the program; a line that a power cut broke off is dropped on reading.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from table import events


class JournalError(Exception):
    """A journal that cannot be written or read; the text says which, why, and what to do."""


class Journal:
    """Appends records to a file, or to an open stream such as stdout."""

    def __init__(self, target: Path | BinaryIO, durable: bool = False, append: bool = False) -> None:
        """`durable`: every record reaches the disk before `append` returns; `append`: go on with a file there is.

        Raises JournalError.
        """
        self._durable = durable
        self._name = str(target) if isinstance(target, Path) else "stdout"
        try:
            if append and isinstance(target, Path):
                _end_last_line(target)
            self._file = target.open("ab" if append else "wb") if isinstance(target, Path) else target
        except OSError as fault:
            raise JournalError(f"{target}: cannot be written ({fault.strerror}); name another file") from fault
        self._own = isinstance(target, Path)

    def append(self, records: Iterable[events.Record]) -> None:
        """Write the records and flush. Raises JournalError when the disk is full, BrokenPipeError on a closed pipe."""
        lines = b"".join(events.encode(record) + b"\n" for record in records)
        if not lines:
            return
        try:
            self._file.write(lines)
            self._file.flush()
            if self._durable:
                os.fsync(self._file.fileno())
        except BrokenPipeError:
            raise
        except OSError as fault:
            text = f"{self._name}: cannot be written ({fault.strerror}); free some space: nothing after this is kept"
            raise JournalError(text) from fault

    def close(self) -> None:
        """Close the file, unless it was handed in open."""
        if self._own:
            self._file.close()


def _end_last_line(path: Path) -> None:
    """Drop a last line that a crash left unfinished, or end it if only its line break is missing."""
    if not path.exists():
        path.touch(mode=0o600)
        return
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole == len(data):
        return
    try:
        events.decode(data[whole:])
    except ValueError:
        os.truncate(path, whole)
    else:
        with path.open("ab") as file:
            file.write(b"\n")


def read_records(path: Path) -> list[events.Record]:
    """All records of a journal. A last line that broke off is dropped; any other fault raises JournalError."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as fault:
        raise JournalError(f"{path}: cannot be read ({fault.strerror}); check the name") from fault
    records: list[events.Record] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            records.append(events.decode(line))
        except ValueError as fault:
            if number == len(lines):
                break
            raise JournalError(f"{path}, line {number}: {fault}; mend or remove that line") from fault
    return records
