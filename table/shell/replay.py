"""`dominoref replay`: referees a recording: a video file, a folder of stills, or a recording folder."""

from __future__ import annotations

import argparse
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from table.shell.faults import DONE, UNUSABLE, WRONG_USAGE, Fault, complain, one_line

if TYPE_CHECKING:
    from calibration.plane import TablePlane
    from table import events
    from table.journal.journal import Journal
    from table.shell.lights import Lights
    from table.shell.progress import Progress
    from table.shell.session import Listener, Session
    from table.shell.table_setup import TableSetup
    from vision.sources.frames import Frame, FrameSource
    from vision.sources.recording import Recording


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "replay",
        help="referee a recording",
        description="Referee a recording: a video file, a folder of stills in name order, or a recording folder.",
    )
    parser.add_argument("recording", metavar="RECORDING", type=Path)
    parser.add_argument("--game", required=True, help="block, draw, ... or free; `dominoref games` lists them")
    parser.add_argument("--seats", type=int, metavar="N", help="how many play (default: the table's, else 2)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="a rule that differs; may be given again"
    )
    parser.add_argument("--table", type=Path, metavar="FILE", help="table.toml (default: the recording's)")
    parser.add_argument("--board", default="none", metavar="none|sim|PORT", help="show the lights on a board")
    parser.add_argument("--events", metavar="FILE|-", help="write the records as JSON Lines; - is stdout")
    parser.add_argument("--until", type=float, metavar="S", help="stop after this second")
    parser.add_argument("--speed", type=float, metavar="X", help="play at this speed (default: as fast as it can)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from table.shell.narrate import Narrator
    from table.shell.progress import Progress

    if options.speed is not None and not options.speed > 0:
        raise Fault("--speed must be more than 0", WRONG_USAGE)
    if options.until is not None and not options.until >= 0:
        raise Fault("--until is a number of seconds, 0 or more", WRONG_USAGE)
    recording = open_recording_or_fault(options.recording)
    progress = Progress("replay", recording.frames.length)

    def say(sentence: str) -> None:
        progress.clear()
        print(one_line(sentence), file=sys.stderr)

    narrator = Narrator((lambda _: None) if options.events == "-" else say)
    status = replay(recording, options, [narrator], progress)
    say(f"{options.recording}: {narrator.summary()}")
    return status


def open_recording_or_fault(path: Path) -> Recording:
    """The recording at `path`. Raises Fault."""
    from vision.sources.pictures import SourceError
    from vision.sources.recording import open_recording

    try:
        return open_recording(path)
    except SourceError as fault:
        raise Fault(str(fault)) from fault


def replay(
    recording: Recording,
    options: argparse.Namespace,
    listeners: Sequence[Listener],
    progress: Progress | None = None,
    on_setup: Callable[[TableSetup], None] | None = None,
) -> int:
    """Referee a recording to its end or to `options.until`; return the exit status. Raises Fault.

    `on_setup` is told the table once it is known, before the first record.
    """
    from table.journal.journal import JournalError
    from table.shell.lights import open_lights
    from table.shell.table_setup import find_setup

    frames = recording.frames
    setup = find_setup(options.table, recording.table, frames, frames.size_px, options.seats)
    if on_setup:
        on_setup(setup)
    match = open_match(options, setup, recording.is_stills)
    inputs = _inputs(recording, match.seats)
    told: list[Listener] = []
    session = make_session(match, setup, told)
    try:
        # Last of all, so that a wrong option does not cost the records of an earlier run.
        journal = _journal(options, recording)
        with open_lights(options.board, match) as lights:
            told += [*([journal.append] if journal else []), lights, *listeners]
            whole = _feed(session, recording, inputs, options, progress, lights)
        if journal:
            journal.close()
    except JournalError as fault:
        raise Fault(str(fault)) from fault
    finally:
        if progress:
            progress.clear()
    if frames.fault:
        complain(frames.fault)
    return DONE if whole and not frames.fault else UNUSABLE


def _journal(options: argparse.Namespace, recording: Recording) -> Journal | None:
    """Where the records go, if they are wanted. Raises JournalError, and Fault where they would overwrite an input."""
    from table.journal.journal import Journal

    if not options.events:
        return None
    if options.events == "-":
        return Journal(sys.stdout.buffer)
    path = Path(options.events)
    for read in (recording.inputs, recording.table, options.table, Path(recording.frames.name)):
        if read and path.exists() and read.exists() and path.samefile(read):
            raise Fault(f"--events {path}: that is what is refereed; name another file", WRONG_USAGE)
    return Journal(path)


def open_match(options: argparse.Namespace, setup: TableSetup, stills: bool = False) -> events.Match:
    """The match record for what the user asked. Raises Fault for an unknown game or a malformed option."""
    from datetime import UTC, datetime

    from table import events
    from table.rules.games import GAMES
    from table.shell.version import program_version

    if options.game not in GAMES:
        raise Fault(f"there is no game '{options.game}'; there are {', '.join(GAMES)}", WRONG_USAGE)
    given: dict[str, str] = {}
    for text in options.option:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise Fault(f"--option {text}: write KEY=VALUE, such as starter_method=first", WRONG_USAGE)
        given[key.strip()] = value.strip()
    game_set = GAMES[options.game].set_name
    return events.Match(
        t=0.0,
        game=options.game,
        options=given,
        seats=len(setup.strips),
        tile_set=(setup.set_name or game_set) if options.game == "free" else game_set,
        version=program_version(),
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        source="stills" if stills else "moving",
        table=setup.as_events(),
    )


def make_session(
    match: events.Match, setup: TableSetup, listeners: Sequence[Listener], show_lights: Listener | None = None
) -> Session:
    """The referee, the tracker and the eye for a match, joined. Raises Fault."""
    from table.referee import Referee
    from table.shell.session import Session
    from table.tracking import Tracker
    from vision.eye import Eye

    try:
        referee = Referee(match)
    except ValueError as fault:
        raise Fault(str(fault), WRONG_USAGE) from fault
    set_name = setup.set_name or ("auto" if match.game == "free" else match.tile_set)

    def eye_for(plane: TablePlane) -> Eye:
        return Eye(set_name, plane, setup.tile_mm)

    tracker = Tracker(
        eye_for(setup.plane),
        setup.plane,
        setup.tile_mm,
        setup.strips,
        setup.boneyard_mm,
        each_face_once=set_name != "chinese",
        eye_for=eye_for,
    )
    return Session(referee, tracker, listeners, show_lights)


def _inputs(recording: Recording, seats: int) -> list[events.Fact]:
    from table.journal.inputs import InputsError, read_inputs

    if recording.inputs is None:
        return []
    try:
        return read_inputs(recording.inputs, seats)
    except InputsError as fault:
        raise Fault(str(fault)) from fault


def frames_due(frames: FrameSource, session: Session) -> Iterable[Frame | float]:
    """The frames of a recording; of those that the session passes over, where they cost work, only their times, s."""
    from vision.sources.frames import Video

    return frames.sparing(lambda: session.due_t) if isinstance(frames, Video) else frames


def _feed(
    session: Session,
    recording: Recording,
    inputs: Sequence[events.Fact],
    options: argparse.Namespace,
    progress: Progress | None,
    lights: Lights,
) -> bool:
    """Frames and inputs in the order of their times, an input at the time of a frame after it; were all understood?"""
    whole = True

    def give(fact: events.Fact) -> None:
        nonlocal whole
        try:
            session.input(fact)
        except ValueError as fault:
            complain(f"{recording.inputs}: what was put in at {fact.t:g} s is left out: {fault}")
            whole = False

    session.begin()
    until = float("inf") if options.until is None else options.until
    begun, waiting, ended = time.monotonic(), deque(inputs), True
    for number, step in enumerate(frames_due(recording.frames, session), start=1):
        t = step if isinstance(step, float) else step.t
        if t > until:
            ended = False
            break
        while waiting and waiting[0].t < t:
            give(waiting.popleft())
        if options.speed:
            time.sleep(max(0.0, begun + t / options.speed - time.monotonic()))
        if isinstance(step, float):
            session.tick(step)
        else:
            session.frame(step)
        lights.poll()
        if progress:
            progress.step(number, f"{t:.1f} s")
    while waiting and waiting[0].t <= until:
        give(waiting.popleft())
    if ended and not waiting:
        session.finish()
    return whole
