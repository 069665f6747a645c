"""The journal: what was appended is there, whole lines only, and faults of disk and file are said."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from table import events
from table.journal.journal import Journal, JournalError, read_records

RECORDS: list[events.Record] = [
    events.Match(t=0.0, n=0, game="block", seats=2, tile_set="double-six"),
    events.Turn(t=0.0, n=1, seat=None),
    events.Placed(t=1.5, n=2, id=0, tile="6-4", face="up", at=events.Pose(1.5, 2.5, 90.0), seat=1, seat_by="arm"),
    events.Judged(t=1.5, n=3, of=2, legal=True),
]


def test_what_was_appended_can_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    journal = Journal(path, durable=True)
    journal.append(RECORDS[:2])
    assert read_records(path) == RECORDS[:2], "on the disk before append returns"
    journal.append([])
    journal.append(RECORDS[2:])
    journal.close()
    assert read_records(path) == RECORDS
    assert path.read_bytes().count(b"\n") == len(RECORDS)


def test_an_open_stream_is_not_closed() -> None:
    stream = io.BytesIO()
    journal = Journal(stream)
    journal.append(RECORDS)
    journal.close()
    assert stream.getvalue().splitlines()[0].startswith(b'{"n":0,"t":0.0,"type":"match"')


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_line_that_a_power_cut_broke_off_is_dropped(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    journal.append(RECORDS)
    journal.close()
    path.write_bytes(path.read_bytes()[: -1 - cut])
    assert read_records(path) == RECORDS[:-1]
    again = Journal(path, append=True)
    again.append(RECORDS[-1:])
    again.close()
    assert read_records(path) == RECORDS


def test_a_new_journal_takes_the_place_of_an_old_file(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text("old")
    Journal(path).close()
    assert path.read_bytes() == b""


def test_a_broken_line_inside_is_named(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b'{"n":0,"t":0,"type":"turn","seat":0}\n{"n":1,"t":0,"type":"turned off"}\n\n{"n":2}\n')
    with pytest.raises(JournalError, match=r"j\.jsonl, line 2: .*turned off"):
        read_records(path)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be read"):
        read_records(tmp_path / "none.jsonl")
    for path in (tmp_path, tmp_path / "none" / "j.jsonl"):
        with pytest.raises(JournalError, match=r"cannot be written .*name another file"):
            Journal(path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_said() -> None:
    with Path("/dev/full").open("wb") as full:
        journal = Journal(full)
        with pytest.raises(JournalError, match=r"No space left on device.*nothing after this is kept"):
            journal.append(RECORDS)
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())


def test_a_closed_pipe_is_left_to_the_command() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb", buffering=0) as pipe, pytest.raises(BrokenPipeError):
        Journal(pipe).append(RECORDS)
