"""The thread between a session and a port: opens, reads, writes, and opens again after the cable was pulled.

All waiting happens here. `show` and `take` never block, whatever the board does.
"""

import contextlib
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

from table.board import messages
from table.board.ports import PortFault, explain, open_port
from table.board.protocol import HELLO_PATIENCE_MS
from table.board.session import Down, Happening, Session

_RETRY_S: Final = (0.1, 0.2, 0.5, 1.0)
_READ_MAX: Final = 4096


class Link:
    """Keeps one board connected. `find` names the ports to try, best first; it may take its time and raise PortFault.

    With `probing` a port that does not answer is left again for the next; without, the named one is kept.
    """

    def __init__(
        self,
        find: Callable[[], Iterable[str]],
        *,
        probing: bool = False,
        open_with: Callable[[str], Any] = open_port,
        tap: Callable[[str, bytes], None] | None = None,
    ) -> None:
        self._find = find
        self._probing = probing
        self._open_with = open_with
        self._tap = tap
        self._lock = threading.Lock()
        self._session = Session()
        self._wanted: messages.State | None = None
        self._happenings: list[Happening] = []
        self._state = "looking for the board"
        self._port_name: str | None = None
        self._stopping = False
        self._wake_in, self._wake_out = socket.socketpair()
        self._wake_in.setblocking(False)
        self._wake_out.setblocking(False)
        self._thread = threading.Thread(target=self._run, name="board link", daemon=True)
        self._thread.start()

    # ---- called by the game ----

    @property
    def state(self) -> str:
        """One line: what is connected, or why nothing is."""
        with self._lock:
            return self._state

    @property
    def info(self) -> messages.Info | None:
        """The board that answers now."""
        with self._lock:
            return self._session.info if self._session.up else None

    @property
    def port_name(self) -> str | None:
        """The port that is open now."""
        with self._lock:
            return self._port_name

    @property
    def bad_frames(self) -> tuple[int, int]:
        """Damaged frames so far: those that reached us, those that reached the board."""
        with self._lock:
            return self._session.bad_frames_here, self._session.bad_frames_there

    def show(self, state: messages.State) -> None:
        """Show this from now on, also after the board was gone."""
        with self._lock:
            self._wanted = state
        self._wake()

    def take(self) -> list[Happening]:
        """What happened since the last call."""
        with self._lock:
            happenings, self._happenings = self._happenings, []
            return happenings

    def close(self) -> None:
        """Stop the thread and free the port; the board goes idle by itself."""
        self._stopping = True
        self._wake()
        self._thread.join(timeout=5)
        if not self._thread.is_alive():
            self._wake_in.close()
            self._wake_out.close()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):  # full: it will wake anyway
            self._wake_out.send(b"w")

    # ---- the thread ----

    def _run(self) -> None:
        misses = 0
        while not self._stopping:
            found = False
            try:
                for name in self._find():
                    if self._stopping:
                        return
                    found = self._serve(name) or found
            except PortFault as fault:
                self._say(str(fault), fault=fault)
            else:
                if self._probing and not found:
                    self._say("no board found; see `dominoref board list`")
            misses = 0 if found else misses + 1
            self._pause(_RETRY_S[min(misses, len(_RETRY_S) - 1)])

    def _say(self, state: str, *, fault: PortFault | None = None) -> None:
        with self._lock:
            if fault is not None and state != self._state and not self._probing:
                self._happenings.append(Down(state))
            self._state = state

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._stopping and (left := until - time.monotonic()) > 0:
            select.select([self._wake_in], [], [], left)
            self._drain()

    def _drain(self) -> None:
        with contextlib.suppress(OSError):
            while self._wake_in.recv(256):
                pass

    def _serve(self, name: str) -> bool:
        """Talk through one port until it breaks; True when a board answered there."""
        try:
            port = self._open_with(name)
        except PortFault as fault:
            if self._probing:
                with self._lock:
                    self._state = str(fault)
                return False
            raise
        with self._lock:
            self._port_name = name
            if not self._session.up:
                self._state = f"asking {name}"
            self._session.opened(time.monotonic())
        answered = False
        reason = ""
        try:
            answered = self._talk(port, name)
        except (OSError, TypeError) as error:
            # pyserial's own faults are OSErrors; TypeError when a port vanishes between two of its system calls
            reason = str(explain(name, error))
            answered = self._session.info is not None
        finally:
            with contextlib.suppress(Exception):
                port.close()
            with self._lock:
                self._port_name = None
                if reason and (answered or not self._probing):
                    self._session.closed(f"{name}: the connection broke")
                    self._collect(name)
        return answered

    def _talk(self, port: Any, name: str) -> bool:
        opened_at = time.monotonic()
        answered = False
        while not self._stopping:
            now = time.monotonic()
            with self._lock:
                if self._wanted is not None:
                    self._session.want(self._wanted)
                data = self._session.poll(now)
                wait_s = self._session.next_time() - now
                answered = self._collect(name) or answered
            if data:
                _write(port, data)
                if self._tap:
                    self._tap(">", data)
                continue
            if self._probing and not answered and now - opened_at > HELLO_PATIENCE_MS / 1000:
                return False
            self._wait(port, min(max(wait_s, 0.0), 0.5))
            received = port.read(_READ_MAX)
            if received:
                if self._tap:
                    self._tap("<", received)
                with self._lock:
                    self._session.receive(received, time.monotonic())
        return answered

    def _collect(self, name: str) -> bool:
        """Keep what happened for the game; call with the lock held. True while a board answers."""
        for happening in self._session.take():
            self._happenings.append(happening)
            if isinstance(happening, Down):
                self._state = happening.reason
        if self._session.up and self._session.info is not None:
            info = self._session.info
            version = f"{info.firmware_major}.{info.firmware_minor}.{info.firmware_patch}"
            self._state = f"board on {name}, {info.seats} seats, firmware {version}"
        return self._session.up

    def _wait(self, port: Any, seconds: float) -> None:
        """Until a byte comes, `show` is called or the time is over."""
        try:
            select.select([port.fileno(), self._wake_in], [], [], seconds)
        except (OSError, ValueError, AttributeError, TypeError):
            if getattr(port, "fd", 0) is None or not getattr(port, "is_open", True):
                raise
            # Windows cannot wait for a serial port this way; a person does not notice 4 ms.
            select.select([self._wake_in], [], [], min(seconds, 0.004))
        self._drain()


def _write(port: Any, data: bytes) -> None:
    from serial import SerialTimeoutException

    with contextlib.suppress(SerialTimeoutException):  # a clogged cable: it will be repeated
        port.write(data)
