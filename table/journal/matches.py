"""The matches kept on this machine: a folder each, with the journal and the crops that answer "why".

    MATCHES/2026-11-29-2030-block/journal.jsonl   and   crops/N.jpg

Readable by the owner only. Nothing is sent anywhere.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from table import events
from table.journal.journal import JournalError, read_records

GEAR_CODES = ("CAMERA_", "BOARD_")
"""Codes of attention records that the shell wrote about its own gear begin with these."""


def matches_folder() -> Path:
    """Where matches are kept (XDG state folder)."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "dominoref" / "matches"


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """One match on this machine."""

    id: str
    folder: Path

    @property
    def journal(self) -> Path:
        return self.folder / "journal.jsonl"

    @property
    def crops(self) -> Path:
        return self.folder / "crops"

    def records(self) -> list[events.Record]:
        """All its records. Raises JournalError."""
        return read_records(self.journal)


def new_match(game: str, now: datetime, root: Path | None = None) -> KeptMatch:
    """Make the folder of a new match. Raises JournalError."""
    root = root or matches_folder()
    stem = f"{now:%Y-%m-%d-%H%M}-{game}"
    try:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        for number in range(1, 1000):
            name = stem if number == 1 else f"{stem}-{number}"
            try:
                (root / name).mkdir(mode=0o700)
            except FileExistsError:
                continue
            (root / name / "crops").mkdir(mode=0o700)
            return KeptMatch(name, root / name)
    except OSError as fault:
        raise JournalError(f"{root}: cannot be written ({fault.strerror}); matches are kept there") from fault
    raise JournalError(f"{root}: holds too many matches of this minute; delete some with `dominoref history --delete`")


def kept_matches(root: Path | None = None) -> list[KeptMatch]:
    """All matches, oldest first."""
    root = root or matches_folder()
    if not root.is_dir():
        return []
    found = [KeptMatch(p.name, p) for p in root.iterdir() if (p / "journal.jsonl").exists()]
    return sorted(found, key=lambda match: match.id)


def kept_match(name: str, root: Path | None = None) -> KeptMatch:
    """The match of that id. Raises JournalError."""
    for match in kept_matches(root):
        if match.id == name:
            return match
    raise JournalError(f"there is no match '{name}'; `dominoref history` lists them")


def delete_match(name: str, root: Path | None = None) -> None:
    """Delete a match with its crops. Raises JournalError."""
    match = kept_match(name, root)
    try:
        shutil.rmtree(match.folder)
    except OSError as fault:
        raise JournalError(f"{match.folder}: cannot be deleted ({fault.strerror})") from fault


def is_over(records: Iterable[events.Record]) -> bool:
    """Has the match ended by its rules?"""
    over = False
    for record in records:
        over = isinstance(record, events.MatchEnded) or (over and not isinstance(record, events.Fact))
    return over


def refold(records: Iterable[events.Record]) -> list[events.Fact | events.Attention | events.Advice]:
    """What a referee has to be fed again, in order, to come to the same records: facts, and notes about the gear."""
    return [
        record
        for record in records
        if isinstance(record, events.Fact)
        or (isinstance(record, events.Attention | events.Advice) and record.code.startswith(GEAR_CODES))
    ]
