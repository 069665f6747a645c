"""The ways pictures come off a source, with drivers that are made up: the Pi's camera, grey pictures, silence."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from vision.sources import captures
from vision.sources.camera_names import CameraFault, CameraTarget
from vision.sources.captures import PiCapture, Settings, open_capture

PI = CameraTarget("pi", "1", "Pi camera")


class FakePicamera2:
    """Answers as the library does, as far as it is used."""

    made: list[FakePicamera2] = []  # noqa: RUF012
    broken = False

    def __init__(self, number: int) -> None:
        self.number, self.open = number, True
        FakePicamera2.made.append(self)

    def create_video_configuration(self, main: dict[str, object]) -> dict[str, object]:
        return main

    def configure(self, wanted: dict[str, object]) -> None:
        self.size = wanted["size"]
        assert wanted["format"] == "RGB888"

    def start(self) -> None:
        if FakePicamera2.broken:
            raise RuntimeError("Camera __init__ sequence did not complete.")

    def capture_array(self) -> np.ndarray:
        if not self.open:
            raise RuntimeError("closed")
        width, height = self.size  # type: ignore[misc]
        return np.full((height, width, 3), (10, 20, 30), np.uint8)

    def stop(self) -> None: ...

    def close(self) -> None:
        self.open = False


@pytest.fixture
def picamera(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera2]:
    module = ModuleType("picamera2")
    module.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(FakePicamera2, "made", [])
    return FakePicamera2


def test_the_pis_camera(picamera: type[FakePicamera2]) -> None:
    capture = open_capture(PI, (640, 480))
    assert isinstance(capture, PiCapture)
    assert (picamera.made[0].number, capture.settings.size_px) == (1, (640, 480))
    assert capture.wait()
    image = capture.picture()
    assert image is not None
    assert image[0, 0].tolist() == [10, 20, 30]
    picamera.made[0].close()
    assert not capture.wait()
    capture.close()


def test_a_pi_camera_that_does_not_start_is_let_go(
    picamera: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picamera, "broken", True)
    with pytest.raises(CameraFault, match="ribbon cable"):
        open_capture(PI, None)
    assert not picamera.made[0].open


def test_without_its_library_the_pis_camera_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraFault, match="apt install python3-picamera2"):
        open_capture(PI, None)


class FakeDriver:
    """A driver of cv2.VideoCapture's kind."""

    def __init__(self, image: np.ndarray | None) -> None:
        self.image, self.released = image, False
        self.asked: dict[int, float] = {}

    def isOpened(self) -> bool:
        return True

    def set(self, key: int, value: float) -> bool:
        self.asked[key] = value
        return True

    def get(self, key: int) -> float:
        return 0.0

    def grab(self) -> bool:
        return True

    def retrieve(self) -> tuple[bool, np.ndarray | None]:
        return self.image is not None, self.image

    def getBackendName(self) -> str:
        return "FAKE"

    def release(self) -> None:
        self.released = True


USB = CameraTarget("device", "0", "Brio", 0)


def test_settings_are_read_back_from_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = FakeDriver(np.zeros((480, 640), np.uint8))
    monkeypatch.setattr(captures.cv2, "VideoCapture", lambda *_: driver)
    capture = open_capture(USB, (1280, 720))
    assert capture.settings == Settings((640, 480), (1280, 720), None, "", "FAKE")
    assert "640x480 (1280x720 was asked)" in str(capture.settings)
    image = capture.picture()
    assert image is not None
    assert image.shape == (480, 640, 3)
    assert 1280 in driver.asked.values()


def test_a_camera_that_opens_but_gives_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = FakeDriver(None)
    monkeypatch.setattr(captures.cv2, "VideoCapture", lambda *_: driver)
    with pytest.raises(CameraFault, match="gives no picture") as caught:
        open_capture(USB, None)
    assert caught.value.kind == "silent"
    assert driver.released


def test_a_file_that_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "x.mp4"
    path.write_bytes(b"not a video")
    with pytest.raises(CameraFault, match="no video that can be decoded"):
        open_capture(CameraTarget("file", str(path), str(path)), None)
