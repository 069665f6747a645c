"""Live cameras: an MJPEG server on this machine stands for a network camera, a scripted capture for a driver."""

import http.server
import threading
import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from vision.sources.camera_names import CameraFault, CameraTarget
from vision.sources.cameras import LiveCamera, open_camera
from vision.sources.captures import Settings


class MjpegServer(http.server.ThreadingHTTPServer):
    """Sends a picture whose grey level counts up, until it is told to hang up, hold still or send another size."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Stream)
        self.hung_up = self.holding = False
        self.size = (320, 180)
        self.sent = 0
        self.address = f"http://127.0.0.1:{self.server_port}/table.mjpg"


class _Stream(http.server.BaseHTTPRequestHandler):
    server: MjpegServer

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.server.hung_up:
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        try:
            while not self.server.hung_up:
                time.sleep(0.01)
                if self.server.holding:
                    continue
                self.server.sent += 1
                width, height = self.server.size
                grey = np.full((height, width, 3), self.server.sent % 200 + 20, np.uint8)
                data = cv2.imencode(".jpg", grey)[1].tobytes()
                head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                self.wfile.write(head.encode() + data + b"\r\n")
        except OSError:
            pass


@pytest.fixture
def server() -> Iterator[MjpegServer]:
    running = MjpegServer()
    thread = threading.Thread(target=running.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield running
    running.hung_up = True
    running.shutdown()
    running.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.sources.cameras.RETRY_S", 0.05)
    monkeypatch.setattr("vision.sources.cameras.STALL_S", 0.3)


def until(happened: Callable[[], bool], limit_s: float = 10.0) -> None:
    end = time.monotonic() + limit_s
    while not happened():
        assert time.monotonic() < end, "did not happen"
        time.sleep(0.01)


def wait_for(camera: LiveCamera, kind: str) -> str:
    """The text of the next event of this kind."""
    found: list[str] = []

    def seen() -> bool:
        camera.newest(0.01)
        found.extend(event.message for event in camera.events() if event.kind == kind)
        return bool(found)

    until(seen)
    return found[0]


def test_an_address_gives_frames_in_time_order(server: MjpegServer) -> None:
    with open_camera(server.address) as camera:
        frames = [frame for frame, _ in zip(camera, range(5), strict=False)]
        assert camera.size_px == (320, 180)
        assert camera.events() == []
    assert [f.image.shape for f in frames] == [(180, 320, 3)] * 5
    times = [f.t for f in frames]
    assert times == sorted(set(times))
    assert not frames[0].settled


def test_a_camera_that_hangs_up_is_lost_and_comes_back(server: MjpegServer) -> None:
    with open_camera(server.address) as camera:
        assert camera.newest(10.0) is not None
        server.hung_up = True
        assert "tried again" in wait_for(camera, "lost")
        assert camera.lost
        server.hung_up = False
        assert "again, after" in wait_for(camera, "back")
        assert camera.newest(10.0) is not None
        assert not camera.lost


def test_another_size_is_refused_and_said(server: MjpegServer) -> None:
    with open_camera(server.address) as camera:
        assert camera.newest(10.0) is not None
        server.hung_up = True
        wait_for(camera, "lost")
        server.size, server.hung_up = (160, 90), False
        assert "gives 160x90 pictures where 320x180" in wait_for(camera, "lost")
        assert camera.newest(0.1) is None


def test_a_size_that_the_table_needs_is_checked_at_once(server: MjpegServer) -> None:
    with pytest.raises(CameraFault, match="gives 320x180 pictures where 1280x720") as caught:
        open_camera(server.address, (1280, 720))
    assert caught.value.kind == "size"


def test_nobody_at_the_address() -> None:
    with pytest.raises(CameraFault, match="cannot be reached") as caught:
        open_camera("http://someone:secret@127.0.0.1:9/none")
    assert "secret" not in str(caught.value)


class Driver:
    """A capture that gives grey pictures and can be made to hang or fail."""

    ends = False
    settings = Settings((64, 48), None, 30.0, "MJPG", "scripted")

    def __init__(self) -> None:
        self.hanging = threading.Event()
        self.hanging.set()
        self.failing = False
        self.missing = 0
        self.decoded = self.waited = 0

    def wait(self) -> bool:
        self.hanging.wait()
        time.sleep(0.002)
        self.waited += 1
        if self.missing:
            self.missing -= 1
            return False
        return not self.failing

    def picture(self) -> np.ndarray:
        self.decoded += 1
        return np.full((48, 64, 3), self.waited % 256, np.uint8)

    def close(self) -> None:
        pass


TARGET = CameraTarget("device", "/dev/video9", "Test camera")


def test_a_driver_that_hangs_is_noticed_from_outside() -> None:
    driver = Driver()
    camera = LiveCamera(TARGET, None, lambda *_: driver)
    assert camera.newest(10.0) is not None
    driver.hanging.clear()
    assert "has sent no picture for" in wait_for(camera, "lost")
    assert camera.newest(0.01) is None
    driver.hanging.set()
    wait_for(camera, "back")
    camera.close()


def test_a_slow_reader_gets_the_newest_picture_not_a_queue() -> None:
    driver = Driver()
    camera = LiveCamera(TARGET, None, lambda *_: driver)
    assert camera.newest(10.0) is not None
    before = driver.waited
    until(lambda: driver.waited > before + 30)
    asked_at = driver.waited
    frame = camera.newest(10.0)
    camera.close()
    assert frame is not None
    # The grey level is the picture's number: it was taken off the camera after it was asked for.
    assert (int(frame.image[0, 0, 0]) - asked_at) % 256 < 128


def test_only_pictures_that_are_asked_for_are_decoded() -> None:
    driver = Driver()
    camera = LiveCamera(TARGET, None, lambda *_: driver)
    until(lambda: driver.waited > 40)
    assert driver.decoded <= 1
    camera.close()
    camera.close()
    assert camera.newest(5.0) is None
    assert list(camera) == []


def test_a_missed_picture_is_no_loss() -> None:
    driver = Driver()
    camera = LiveCamera(TARGET, None, lambda *_: driver)
    assert camera.newest(10.0) is not None
    driver.missing = 2
    until(lambda: not driver.missing)
    assert camera.newest(10.0) is not None
    assert camera.events() == []
    camera.close()


def test_an_unplugged_camera_is_opened_again_until_it_is_there() -> None:
    drivers = [Driver(), Driver()]
    opened = []

    def opener(target: CameraTarget, size: tuple[int, int] | None) -> Driver:
        opened.append(size)
        if len(opened) in (2, 3):
            raise CameraFault("missing", "not there")
        return drivers[len(opened) > 1]

    camera = LiveCamera(TARGET, None, opener)
    assert camera.newest(10.0) is not None
    drivers[0].failing = True
    wait_for(camera, "lost")
    wait_for(camera, "back")
    camera.close()
    assert opened == [(1280, 720), (64, 48), (64, 48), (64, 48)]


def test_a_video_file_plays_in_its_own_time_and_ends(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 50.0, (64, 48))
    for k in range(20):
        writer.write(np.full((48, 64, 3), 10 * k, np.uint8))
    writer.release()
    camera = open_camera(str(path))
    frames = list(camera)
    assert camera.ended
    assert camera.fault is None
    assert 1 <= len(frames) <= 20
    assert frames[-1].t >= 0.2
