"""One conversation with one board, without port, thread or clock: bytes and time in, bytes and happenings out.

Keeps the rules of PROTOCOL.md: HELLO until INFO, then whole STATEs one at a time, each repeated until its ACK; presses
taken once and in order; a board that answers with another session number has lost its memory and gets the right lights
again.
Start reading at `Session.poll`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from table.board import messages
from table.board.frames import Decoder, encode
from table.board.protocol import (
    ACK_TIMEOUT_MS,
    HEARTBEAT_MS,
    HELLO_MS,
    HELLO_PATIENCE_MS,
    MAGIC,
    PROTOCOL_MAJOR,
    QUIET_MS,
    SILENCE_MS,
    AckFlag,
    ResetCause,
)

_S: Final = 0.001


@dataclass(frozen=True, slots=True)
class Up:
    """The board answered. `restarted`: it is not the life that we knew, so presses may be lost."""

    info: messages.Info
    restarted: bool


@dataclass(frozen=True, slots=True)
class Down:
    """Nothing has been heard for too long, or the port is gone."""

    reason: str


@dataclass(frozen=True, slots=True)
class WrongVersion:
    """A board of another protocol version answered."""

    info: messages.Info


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button: seat, button number, when on the session's clock (seconds), its number in the board's life."""

    seat: int
    button: int
    at: float
    number: int


@dataclass(frozen=True, slots=True)
class Lost:
    """Presses that will never come: how many, or None when nobody can know; and why."""

    count: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A STATE was acknowledged: `revision` as given to `want`, and seconds since it was first sent."""

    revision: int
    after: float


@dataclass(frozen=True, slots=True)
class Muted:
    """The switch on the board was moved."""

    muted: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """The board will not show what it was told; `reason` is a protocol.Refusal. A fault of this program."""

    reason: int


Happening = Up | Down | WrongVersion | Pressed | Lost | Shown | Muted | Refusal

_CAUSES: Final[dict[int, str]] = {
    ResetCause.POWER: "the board lost power",
    ResetCause.WATCHDOG: "the board hung and restarted itself",
    ResetCause.BROWN_OUT: "the board's supply broke down",
}
_BLANK: Final = messages.State(0, 0, (messages.Light(),))


class Session:
    """The state of the conversation. All times are seconds of one monotonic clock that the caller keeps."""

    def __init__(self) -> None:
        self.info: messages.Info | None = None  # the board as it last introduced itself
        self.bad_frames_there = 0
        self._decoder = Decoder()
        self._wanted = _BLANK
        self._revision = 0
        self._happenings: list[Happening] = []
        self._sequence = 0
        self._seen = 0
        self._dropped = 0
        self._muted = False
        self._reported_up: bool | None = None  # what the caller was told last about this port
        self._said_wrong = False
        self._reset(0.0)

    @property
    def bad_frames_here(self) -> int:
        """Damaged frames that came from the board."""
        return self._decoder.bad_frames

    @property
    def up(self) -> bool:
        """Whether a board answers."""
        return self._reported_up is True

    def _reset(self, now: float) -> None:
        self._greeted = False  # INFO has come: STATE may be sent
        self._heard_at = now
        self._hello_at = now
        self._sent: dict[int, int] = {}  # sequence -> revision of the STATEs sent and not acknowledged
        self._sent_at = now
        self._first_sent_at = now
        self._sent_revision = -1
        self._shown_revision = -1
        self._beat_at = now
        self._quiet_until = now
        self._seen_due = False

    def opened(self, now: float) -> None:
        """A port was opened: start over with HELLO, but remember which board and which presses we knew."""
        self._decoder = Decoder()
        self._reset(now)
        self._reported_up = None
        self._said_wrong = False

    def closed(self, reason: str) -> None:
        """The port is gone."""
        if self._reported_up is not False:
            self._happenings.append(Down(reason))
        self._reported_up = False
        self._greeted = False

    def want(self, state: messages.State) -> int:
        """What shall be shown from now on; session and seen numbers are filled in here. Returns its revision."""
        state = replace(state, session=0, seen=0)
        if state != self._wanted:
            self._wanted = state
            self._revision += 1
        return self._revision

    def take(self) -> list[Happening]:
        """What happened since the last call, in order."""
        happenings, self._happenings = self._happenings, []
        return happenings

    # ---- from the board ----

    def receive(self, data: bytes, now: float) -> None:
        """Bytes came."""
        for frame in self._decoder.feed(data):
            message = messages.unpack(frame)
            if isinstance(message, messages.Info):
                if message.magic == MAGIC:
                    self._greet(message, now)
            elif self._greeted and self.info is not None:
                if isinstance(message, messages.Ack | messages.Refused | messages.Events):
                    if message.session != self.info.session:
                        self._greeted = False  # the board began a new life without our noticing: ask who it is
                        self._hello_at = now
                        continue
                    self._hear(now, self.info, restarted=False)
                if isinstance(message, messages.Ack):
                    self._acknowledged(frame.sequence, message, now)
                elif isinstance(message, messages.Refused):
                    if frame.sequence in self._sent:
                        self._sent.clear()  # not shown; asked again with the next heartbeat
                        self._happenings.append(Refusal(message.reason))
                elif isinstance(message, messages.Events):
                    self._pressed(message, now)

    def _hear(self, now: float, info: messages.Info, *, restarted: bool) -> None:
        self._heard_at = now
        if not self._reported_up:
            self._reported_up = True
            self._happenings.append(Up(info, restarted))

    def _greet(self, info: messages.Info, now: float) -> None:
        if info.major != PROTOCOL_MAJOR:
            if not self._said_wrong:
                self._happenings.append(WrongVersion(info))
            self._said_wrong = True
            return
        known = self.info
        self.info = info
        restarted = known is not None and known.session != info.session
        if known is None or restarted:
            self._seen = 0
            self._dropped = 0
        if restarted:
            self._happenings.append(Lost(None, _CAUSES.get(info.reset_cause, "the board restarted")))
            self._reported_up = None
        if restarted or not self._greeted:
            self._reset(now)
            self._greeted = True
        self._hear(now, info, restarted=restarted)
        self._note_dropped(info.dropped)

    def _note_dropped(self, dropped: int) -> None:
        if dropped > self._dropped:
            self._happenings.append(Lost(dropped - self._dropped, "pressed faster than the board could report"))
        self._dropped = dropped

    def _acknowledged(self, sequence: int, ack: messages.Ack, now: float) -> None:
        self.bad_frames_there = ack.bad_frames
        self._note_dropped(ack.dropped)
        muted = bool(ack.flags & AckFlag.MUTED)
        if muted != self._muted:
            self._muted = muted
            self._happenings.append(Muted(muted))
        # A slow answer to an earlier try counts too when that try said the same.
        if self._sent.get(sequence) != self._sent_revision:
            return
        self._sent.clear()
        self._quiet_until = now
        if self._shown_revision != self._sent_revision:
            self._shown_revision = self._sent_revision
            self._happenings.append(Shown(self._shown_revision, now - self._first_sent_at))

    def _pressed(self, events: messages.Events, now: float) -> None:
        for offset, press in enumerate(events.presses):
            number = (events.first + offset) & 0xFFFF
            ahead = (number - self._seen) & 0xFFFF
            if not 0 < ahead < 0x8000:
                continue  # had it already
            if ahead > 1:
                self._happenings.append(Lost(ahead - 1, "the board skipped their numbers"))
            self._seen = number
            self._happenings.append(Pressed(press.seat, press.button, now - press.age_ms * _S, number))
        self._seen_due = True

    # ---- to the board ----

    def poll(self, now: float) -> bytes:
        """What must be sent now; call again at `next_time`, after `receive` and after `want`."""
        self._notice_silence(now)
        if not self._greeted or self.info is None:
            return self._hello(now) if now >= self._hello_at else b""
        if self._state_due(now):
            if not self._sent or self._sent_revision != self._revision:
                self._first_sent_at = now
            data = self._build(_fitted(self._wanted, self.info, self._seen))
            self._sent[self._sequence] = self._sent_revision = self._revision
            self._sent_at = now
            self._beat_at = now + HEARTBEAT_MS * _S
            self._quiet_until = now + QUIET_MS * _S
            self._seen_due = False
            return data
        if now >= self._quiet_until:
            if self._seen_due:
                self._seen_due = False
                return self._build(messages.Seen(self.info.session, self._seen))
            if not self._reported_up and now >= self._hello_at:
                return self._hello(now)  # silent for long: it may have become another
        return b""

    def _notice_silence(self, now: float) -> None:
        patience_ms = SILENCE_MS if self._reported_up else HELLO_PATIENCE_MS
        if self._reported_up is not False and now - self._heard_at > patience_ms * _S:
            was_up = self._reported_up
            self._reported_up = False
            self._happenings.append(Down("the board stopped answering" if was_up else "no board answers"))

    def _state_due(self, now: float) -> bool:
        if self._sent:
            return now >= self._sent_at + ACK_TIMEOUT_MS * _S
        return self._shown_revision != self._revision or now >= self._beat_at

    def next_time(self) -> float:
        """When `poll` will next have something to do, if nothing comes before."""
        if not self._greeted:
            return self._hello_at
        times = [self._sent_at + ACK_TIMEOUT_MS * _S if self._sent else self._beat_at]
        if self._seen_due:
            times.append(self._quiet_until)
        if not self._reported_up:
            times.append(max(self._hello_at, self._quiet_until))
        return min(times)

    def _hello(self, now: float) -> bytes:
        self._hello_at = now + HELLO_MS * _S
        return self._build(messages.Hello())

    def _build(self, message: messages.Message) -> bytes:
        self._sequence = self._sequence % 255 + 1
        self._sent.pop(self._sequence, None)  # that answer will not come any more
        return encode(messages.pack(message, self._sequence))


def _fitted(state: messages.State, info: messages.Info, seen: int) -> messages.State:
    """`state` for this board: it may have fewer seats or a shorter rim than the table."""
    lights = state.lights
    if len(lights) - 1 > info.seats:
        lights = (*lights[: info.seats], lights[-1])
    rim = min(state.rim, info.rim)
    spans = tuple(span for span in state.spans if span.start < rim >= span.length)
    return replace(state, session=info.session, seen=seen, lights=lights, rim=rim, spans=spans)


def presses(happenings: Iterable[Happening]) -> list[Pressed]:
    """Only the button presses among what happened."""
    return [happening for happening in happenings if isinstance(happening, Pressed)]
