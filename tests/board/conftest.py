"""What the board's tests share: waiting in real time, and a simulated board."""

import os
import time
from collections.abc import Callable, Iterator

import pytest

from table.board.simulator import Simulator, simulator_available


@pytest.fixture
def wait() -> Callable[..., bool]:
    """Polls a condition; the limit is wide, since this machine may be busy."""

    def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return True
            time.sleep(0.005)
        return condition()

    return wait_until


@pytest.fixture
def needs_simulator() -> None:
    """Skips without a compiler; in CI that is a failure."""
    reason = simulator_available()
    if reason is not None:
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture
def simulator(needs_simulator, tmp_path) -> Iterator[Simulator]:
    """A simulated board behind a stable name."""
    simulator = Simulator(link=tmp_path / "port")
    yield simulator
    simulator.close()
