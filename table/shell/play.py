"""`dominoref play`: referees the real table, live."""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from table.shell.faults import DONE, UNUSABLE, WRONG_USAGE, Fault

if TYPE_CHECKING:
    from table import events
    from table.board import Board
    from table.journal.matches import KeptMatch
    from table.shell.recorder import Recorder
    from table.shell.session import Listener, Session
    from table.shell.table_setup import TableSetup
    from table.shell.why import Crops
    from vision.sources.cameras import LiveCamera
    from vision.sources.frames import Frame

WAIT_S = 0.05
"""The longest wait for a picture before the buttons and the typed lines are looked at again."""
TILES_WAIT_S = 30.0
"""How long an uncalibrated table is searched for markers or tiles."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "play",
        help="referee the real table, live",
        description="Referee the real table, live. While it runs, lines can be typed; `help` says which.",
    )
    parser.add_argument("--game", metavar="GAME", help="block, draw, ... or free; `dominoref games` lists them")
    parser.add_argument("--seats", type=int, metavar="N", help="how many play")
    parser.add_argument("--camera", metavar="NAME|INDEX|PATH|URL", help="which camera; `dominoref cameras` lists them")
    parser.add_argument("--table", type=Path, metavar="FILE", help="table.toml, as `dominoref calibrate` writes it")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="a rule that differs")
    parser.add_argument("--board", metavar="auto|none|sim|PORT", help="the board of lights (default: auto)")
    parser.add_argument("--events", metavar="FILE|-", help="write the records as JSON Lines; - is stdout")
    parser.add_argument("--record", type=Path, metavar="DIR", help="record pictures and inputs into this new folder")
    parser.add_argument("--record-full", action="store_true", help="record the whole picture, not the play area alone")
    parser.add_argument("--resume", action="store_true", help="go on with the last match that was not ended")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from table.journal.journal import JournalError
    from vision.sources.pictures import SourceError

    _fill_in(options)
    if options.game is None and not options.resume:
        raise Fault("name a game with --game, or go on with the last match with --resume", WRONG_USAGE)
    if options.record_full and options.record is None:
        raise Fault("--record-full goes with --record DIR", WRONG_USAGE)
    try:
        return _play(options)
    except (JournalError, SourceError) as fault:
        raise Fault(str(fault)) from fault


def _fill_in(options: argparse.Namespace) -> None:
    """What the command line leaves open, from the settings file. Raises Fault."""
    from table.shell.settings import load_settings

    settings = load_settings()
    options.camera = options.camera or settings.camera.name or None
    options.board = options.board or settings.board.port
    if options.table is None and settings.table.file:
        options.table = Path(settings.table.file).expanduser()
    if not options.resume:
        options.game = options.game or settings.game.game or None
        options.seats = options.seats or (settings.game.seats if options.table is None else None)


def _play(options: argparse.Namespace) -> int:
    from table.journal.journal import Journal
    from table.shell.lights import open_lights
    from table.shell.narrate import Narrator
    from table.shell.replay import make_session, open_match
    from table.shell.table_setup import find_table
    from table.shell.why import Crops

    kept, past = _to_resume() if options.resume else (None, [])
    if past:
        _take_over(options, past)
    with _camera(options.camera, _wanted_size(options.table)) as camera:
        table, setup = find_table(options.table, None, _until_found(camera), camera.size_px, options.seats)
        match = _match_of(past) if past else open_match(options, setup)
        kept = kept or _new_match(match.game)
        crops = Crops(kept.crops, setup)
        recorder = _recorder(options, table, setup, past[-1].t if past else 0.0)
        journals = [Journal(kept.journal, durable=True, append=True)]
        if options.events:
            journals.append(Journal(sys.stdout.buffer if options.events == "-" else Path(options.events)))
        narrator = Narrator(_say)
        with open_lights(options.board, match) as lights:
            listeners: list[Listener] = [*(j.append for j in journals), lights, crops, narrator]
            session = make_session(match, setup, listeners + ([recorder] if recorder else []), lights)
            table_now = _Table(camera, session, lights.board, match.seats, crops, recorder, kept)
            _say(f"watching {camera.name}; the match is kept as {kept.id}; type `help` for what can be typed")
            table_now.begin(past)
            try:
                table_now.watch()
            finally:
                if recorder:
                    recorder.close()
                for journal in journals:
                    journal.close()
        _say(narrator.summary())
        return UNUSABLE if camera.fault else DONE


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


class _Table:
    """The loop around a live session: pictures, buttons, typed lines, and what the gear has to say."""

    def __init__(
        self,
        camera: LiveCamera,
        session: Session,
        board: Board,
        seats: int,
        crops: Crops,
        recorder: Recorder | None,
        kept: KeptMatch,
    ) -> None:
        self._camera, self._session, self._board, self._seats = camera, session, board, seats
        self._crops, self._recorder, self._kept = crops, recorder, kept
        self._offset = 0.0
        self._typed = _TypedLines()

    def begin(self, past: Sequence[events.Record] = ()) -> None:
        """Open the match, or go on after these records."""
        if past:
            self._session.resume(past)
        else:
            self._session.begin()
        # The camera may have been looked through for a while, to find the table.
        self._offset = (past[-1].t if past else 0.0) - self._camera.now()

    def now(self) -> float:
        """The match's time in seconds."""
        return self._camera.now() + self._offset

    def watch(self) -> None:
        """Until somebody ends it, the match is over, or a file played as a camera has ended."""
        while not self._session.over:
            early = self._session.due_t - self.now()
            if early > 0:
                # Pictures that nobody looks at need not be decoded.
                time.sleep(min(early, WAIT_S))
            frame = self._camera.newest(WAIT_S) if early <= WAIT_S else None
            if frame is not None:
                self._see(frame)
            elif self._camera.ended:
                self._session.finish()
                return
            else:
                self._session.tick(self.now())
                if self._recorder:
                    self._recorder.tick(self.now())
            self._listen()
            if not self._answer_typed():
                return

    def _see(self, frame: Frame) -> None:
        from vision.sources.frames import Frame

        shifted = Frame(round(max(0.0, frame.t + self._offset), 6), frame.image)
        self._crops.latest = shifted
        if self._recorder:
            self._recorder.frame(shifted)
        self._session.frame(shifted)

    def _listen(self) -> None:
        from table import events
        from table.shell.typed import BUTTONS

        for press in self._board.presses(self.now()):
            self._session.input(events.Button(t=press.t, seat=press.seat, button=BUTTONS[press.button]))
        for event in self._board.events():
            self._session.note(event.code, event.message, dict(event.args), self.now())
        for seen in self._camera.events():
            code = "CAMERA_LOST" if seen.kind == "lost" else "CAMERA_BACK"
            self._session.note(code, seen.message, {}, self.now())

    def _answer_typed(self) -> bool:
        """Do what was typed; False when it was `quit`."""
        from table.journal.journal import JournalError
        from table.shell.typed import HELP, Quit, Why, parse_typed
        from table.shell.why import why_text

        for line in self._typed.take():
            if line.strip() in ("help", "?"):
                _say(HELP)
                continue
            if not line.strip():
                continue
            try:
                said = parse_typed(line, self.now(), self._seats)
                if isinstance(said, Quit):
                    return False
                if isinstance(said, Why):
                    _say("\n".join(why_text(self._kept.records(), said.n, self._kept.crops)))
                else:
                    self._session.input(said)
            except (JournalError, ValueError) as fault:
                _say(f"dominoref: {fault}")
        return True


class _TypedLines:
    """Lines from stdin, read by a thread so that nothing waits for a person."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        threading.Thread(target=self._read, name="typed", daemon=True).start()

    def _read(self) -> None:
        try:
            for line in sys.stdin:
                self._lines.append(line)
        except (OSError, ValueError):
            return

    def take(self) -> list[str]:
        taken = []
        while self._lines:
            taken.append(self._lines.popleft())
        return taken


def _camera(spec: str | None, size_px: tuple[int, int] | None) -> LiveCamera:
    from vision.sources.cameras import open_camera

    return open_camera(spec, size_px)


def _wanted_size(table: Path | None) -> tuple[int, int] | None:
    """The frame size that the table was calibrated for, if it says. Raises Fault."""
    from msgspec import UNSET

    from calibration.table_file import TableFileError, read_table

    if table is None:
        return None
    try:
        camera = read_table(table).camera
    except TableFileError as fault:
        raise Fault(str(fault)) from fault
    return None if camera is UNSET else (camera.size_px[0], camera.size_px[1])


def _until_found(camera: LiveCamera) -> _Searched:
    return _Searched(camera, time.monotonic)


class _Searched:
    """The camera's pictures for as long as an uncalibrated table is searched for markers or tiles."""

    def __init__(self, camera: LiveCamera, clock: Callable[[], float]) -> None:
        self._camera, self._clock = camera, clock

    def __iter__(self) -> Iterator[Frame]:
        begun = self._clock()
        while self._clock() - begun < TILES_WAIT_S and not self._camera.ended:
            frame = self._camera.newest(0.25)
            if frame is not None:
                yield frame


def _recorder(options: argparse.Namespace, table: object, setup: TableSetup, begun_t: float) -> Recorder | None:
    if options.record is None:
        return None
    from calibration.table_file import TableFile
    from table.shell.recorder import Recorder

    assert isinstance(table, TableFile)
    recorder = Recorder(options.record, table, setup, options.record_full, begun_t)
    _say(f"recording into {options.record}: {'the whole picture' if options.record_full else 'the play area'}")
    return recorder


def _new_match(game: str) -> KeptMatch:
    from datetime import datetime

    from table.journal.matches import new_match

    return new_match(game, datetime.now())


def _to_resume() -> tuple[KeptMatch, list[events.Record]]:
    """The last match that has not ended, and its records. Raises Fault when there is none."""
    from table import events
    from table.journal.matches import is_over, kept_matches

    for kept in reversed(kept_matches()):
        records = kept.records()
        if records and isinstance(records[0], events.Match) and not is_over(records):
            return kept, records
    raise Fault("there is no match to go on with; begin one with --game")


def _match_of(past: Sequence[events.Record]) -> events.Match:
    from table import events

    match = past[0]
    assert isinstance(match, events.Match)
    return match


def _take_over(options: argparse.Namespace, past: Sequence[events.Record]) -> None:
    """The match's own game and seats; naming others is a mistake."""
    match = _match_of(past)
    if options.game not in (None, match.game) or options.seats not in (None, match.seats):
        raise Fault(f"the match to go on with is {match.game} with {match.seats} seats; leave --game and --seats out")
    options.game, options.seats = match.game, match.seats
