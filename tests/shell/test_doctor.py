"""`dominoref doctor` and `cameras`: every fault they know made once, and the line that answers it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import cv2
import msgspec
import numpy as np
import pytest

from calibration.report import Report, report_path, write_report
from calibration.table_file import TableFile
from table.board.ports import PortFault
from table.shell import health, health_gear
from table.shell.health import Health
from table.shell.main import main
from tests.photographed import Camera, Scene, photograph
from vision.sources.camera_names import CameraDevice, CameraFault

SIZE = (640, 360)
CAMERA = Camera(SIZE, 500.0, (318.0, 181.0))


def table_text(size: tuple[int, int] = SIZE, dx_px: float = 0.0) -> str:
    corners = [[float(x) + dx_px, float(y)] for x, y in CAMERA.corners_px()]
    rows = [[float(v) for v in row] for row in CAMERA.matrix]
    return (
        f"[camera]\nsize_px = {list(size)}\nmatrix = {rows}\ndistortion = {list(CAMERA.bend)}\n"
        f"[play_area]\nsize_mm = [600, 400]\ncorners_px = {corners}\n[markers]\nsize_mm = 40\n"
    )


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, SIZE)
    picture = photograph(CAMERA, Scene())
    for _ in range(30):
        writer.write(picture)
    writer.release()
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(table_text())
    return path


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_gear, "WATCH_S", 0.5)
    monkeypatch.setattr(health_gear, "BOARD_WAIT_S", 0.1)
    monkeypatch.setattr("table.shell.cameras.MEASURE_S", 0.3)


def of(checks: Iterator[Health], what: str) -> Health:
    found = [check for check in checks if check.what == what]
    assert found, what
    return found[0]


def gear(film: Path | str | None, table: Path | None, what: str) -> Health:
    return of(health_gear.camera_and_table(None if film is None else str(film), table, SIZE), what)


def test_a_camera_that_is_well(film: Path, table: Path) -> None:
    checks = list(health_gear.camera_and_table(str(film), table, SIZE))
    assert [c.what for c in checks if c.level == "fault"] == []
    said = {c.what: c for c in checks}
    assert "640x360" in said["camera"].text
    assert said["camera position"].text.startswith("as calibrated")


def test_no_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.sources.camera_names.list_cameras", list)
    monkeypatch.setattr("sys.platform", "linux")
    found = gear(None, None, "camera")
    assert (found.level, found.text) == ("fault", "no camera is plugged in")
    assert "plug one in" in found.advice


def test_a_camera_that_may_not_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    device = CameraDevice("Brio", "/dev/video9", 9, "/dev/video9", "permission")
    monkeypatch.setattr("vision.sources.camera_names.list_cameras", lambda: [device])
    monkeypatch.setattr(
        "vision.sources.captures.device_fault",
        lambda _: CameraFault("permission", "camera Brio: no permission for /dev/video9; run `sudo usermod`"),
    )
    found = gear("Brio", None, "camera")
    assert (found.level, found.advice) == ("fault", "run `sudo usermod`")


def test_a_camera_of_another_size(film: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(table_text((1280, 720)))
    found = gear(film, other, "camera")
    assert found.level == "fault"
    assert "gives 640x360, the table was calibrated for 1280x720" in found.text


def test_a_camera_that_was_moved(film: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.toml"
    moved.write_text(table_text(dx_px=12.0))
    found = gear(film, moved, "camera position")
    assert found.level == "fault"
    assert "calibrate" in found.advice


def test_a_dark_picture(tmp_path: Path) -> None:
    path = tmp_path / "dark.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, SIZE)
    for _ in range(10):
        writer.write(np.full((360, 640, 3), 8, np.uint8))
    writer.release()
    assert gear(path, None, "picture, light").level == "fault"


def seen(what: str, *pictures: np.ndarray, text: str | None = None) -> Health:
    """What is said of these pictures of the table."""
    read = read_table_text(text or table_text())
    return of(health_gear._picture([np.asarray(p, np.uint8) for p in pictures], read), what)


def read_table_text(text: str) -> TableFile:
    return msgspec.toml.decode(text, type=TableFile)


GOOD = photograph(CAMERA, Scene())


def with_spot(radius_px: int) -> np.ndarray:
    return cv2.circle(GOOD.copy(), (320, 180), radius_px, (255, 255, 255), -1)


def blurred(sigma_px: float) -> np.ndarray:
    return cv2.GaussianBlur(GOOD, (0, 0), sigma_px)


def with_bands(phase: float) -> np.ndarray:
    rows = 1 + 0.1 * np.sin(np.arange(SIZE[1]) / 15 + phase)
    return np.clip(GOOD * rows[:, None, None], 0, 255)


def with_tiles_of(length_mm: float) -> str:
    return table_text() + f"[tiles]\nlength_mm = {length_mm}\nwidth_mm = {length_mm / 2}\n"


BARE = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)

PICTURES: dict[str, tuple[str, tuple[np.ndarray, ...], str | None, str, str, str]] = {
    "well lit": ("light", (GOOD,), None, "ok", "bright enough", ""),
    "dusk": ("light", (GOOD * 0.22,), None, "warning", "dark", "more light"),
    "night": ("light", (GOOD * 0.05,), None, "fault", "too dark", "turn a lamp on"),
    "a small glare": ("glare", (with_spot(15),), None, "warning", "burnt-out spot", "move the lamp"),
    "a large glare": ("glare", (with_spot(60),), None, "fault", "burnt-out spot", "move the lamp"),
    "soft": ("focus", (blurred(4.0),), None, "warning", "a little out of focus", ""),
    "blurred": ("focus", (blurred(7.0),), None, "fault", "out of focus", "focus the camera"),
    "nothing to see": ("focus", (BARE,), None, "warning", "nothing with an edge", ""),
    "mains flicker": ("flicker", (with_bands(0.0), with_bands(3.0)), None, "warning", "bands", "power line frequency"),
    "steady light": ("flicker", (GOOD, GOOD), None, "ok", "steady", ""),
    "small tiles": ("size", (GOOD,), with_tiles_of(34), "warning", "hardly enough", "nearer"),
    "tiny tiles": ("size", (GOOD,), with_tiles_of(20), "fault", "too small to read", "nearer"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(name: str) -> None:
    what, pictures, text, level, words, advice = PICTURES[name]
    found = seen(f"picture, {what}", *pictures, text=text)
    assert (found.level, words in found.text, advice in found.advice) == (level, True, True), found


def test_the_cameras_position_without_markers() -> None:
    assert (seen("camera position", BARE).level, seen("camera position", BARE).advice) == (
        "warning",
        "uncover the markers",
    )
    unmarked = table_text().partition("[markers]")[0]
    assert seen("camera position", BARE, text=unmarked).text == "not checked: the table has no markers"


@pytest.mark.parametrize(
    ("lost", "rate_hz", "level", "words"),
    [(True, 15.0, "fault", "stopped giving pictures"), (False, 2.0, "warning", "2 a second"), (False, 15.0, "ok", "")],
)
def test_what_a_camera_delivers(lost: bool, rate_hz: float, level: str, words: str) -> None:
    camera = SimpleNamespace(name="Brio", settings="640x360", size_px=SIZE, lost=lost, measured_rate_hz=lambda: rate_hz)
    found = health_gear._delivery(camera, SIZE)  # type: ignore[arg-type]
    assert (found.level, words in found.text) == (level, True)
    assert bool(found.advice) == (level != "ok")


def test_an_eye_without_its_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    def blind(*_: object) -> None:
        raise FileNotFoundError("finder.npz")

    monkeypatch.setattr("vision.eye.Eye", blind)
    found = of(health.eye(), "eye")
    assert (found.level, "finder.npz" in found.text, found.advice) == ("fault", True, "install dominoref again")


def test_calibrations(tmp_path: Path, table: Path) -> None:
    def calibration(path: Path | None) -> Health:
        return gear("none", path, "calibration")

    assert calibration(None).level == "warning"
    assert calibration(tmp_path / "none.toml").level == "fault"
    assert "its error is unknown" in calibration(table).text
    now = datetime.now(UTC)
    for error, days, level in ((1.0, 2, "ok"), (1.0, 90, "warning"), (9.0, 2, "fault")):
        made = (now - timedelta(days=days)).isoformat()
        report = Report("markers", (error, error), 0.1, "fit", SIZE, (600, 400), 500, "given", 0.5, made_at=made)
        write_report(report_path(table), report)
        found = calibration(table)
        assert found.level == level
        assert f"{days} days old" in found.text
    table.write_text("[play_area]\n")
    assert "size_mm" in calibration(table).text


@contextmanager
def silent_board(*_: object) -> Iterator[SimpleNamespace]:
    yield SimpleNamespace(up=False, events=list)


@contextmanager
def speaking_board(*_: object) -> Iterator[SimpleNamespace]:
    yield SimpleNamespace(up=True, events=list)


@contextmanager
def foreign_board(*_: object) -> Iterator[SimpleNamespace]:
    said = SimpleNamespace(code="BOARD_WRONG_VERSION", args={"major": 9, "minor": 2})
    yield SimpleNamespace(up=False, events=lambda: [said])


def test_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    def board(which: str, what: str = "board") -> Health:
        return of(health_gear.board(which), what)

    monkeypatch.setattr("table.board.ports.candidates", list)
    monkeypatch.setattr("table.board.ports.meddlers", lambda: ["ModemManager is running; it probes ports"])
    assert board("none").level == "ok"
    assert (board("auto").level, "plug it in" in board("auto").advice) == ("warning", True)
    for kind, words in (("permission", "no permission"), ("busy", "in use by screen"), ("missing", "no such port")):
        fault = PortFault(kind, f"/dev/ttyUSB9: {words}; do this")

        def refuse(*_: object, fault: PortFault = fault) -> None:
            raise fault

        monkeypatch.setattr("table.board.ports.open_port", refuse)
        found = board("/dev/ttyUSB9", "port /dev/ttyUSB9")
        assert (found.level, found.text, found.advice) == ("fault", words, "do this")
    assert board("/dev/ttyUSB9", "ports").level == "warning"
    monkeypatch.setattr("table.board.ports.open_port", lambda *_: SimpleNamespace(close=lambda: None))
    monkeypatch.setattr("table.board.board.open_board", silent_board)
    assert "nothing that speaks like a board" in board("/dev/ttyUSB9").text
    monkeypatch.setattr("table.board.board.open_board", foreign_board)
    found = board("/dev/ttyUSB9")
    assert (found.level, "protocol 9.2" in found.text, "flash" in found.advice) == ("fault", True, True)
    monkeypatch.setattr("table.board.board.open_board", speaking_board)
    assert board("/dev/ttyUSB9").level == "ok"
    monkeypatch.setattr("table.board.simulator.simulator_available", lambda: "no compiler")
    assert (board("sim").level, "no compiler" in board("sim").text) == ("fault", True)


def test_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    assert of(health.versions(), "versions").level == "ok"
    monkeypatch.setattr(health, "_version", lambda name: None if name == "pyserial" else "1.0")
    assert "missing: pyserial" in of(health.versions(), "versions").text
    monkeypatch.setattr(health, "_version", lambda name: "1.0")
    found = of(health.versions(), "versions")
    assert (found.level, "overwrite each other" in found.text) == ("warning", True)
    monkeypatch.setattr("sys.version_info", (3, 10))
    assert of(health.versions(), "versions").level == "fault"


def test_clock_and_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert of(health.clock(0.0), "clock").level == "warning"
    monkeypatch.setattr(health, "_synchronised", lambda: False)
    assert "not set by the network" in of(health.clock(), "clock").text
    monkeypatch.setattr(health, "_synchronised", lambda: True)
    assert of(health.clock(), "clock").level == "ok"
    for free_mb, level in ((10, "fault"), (100, "warning"), (5000, "ok")):
        monkeypatch.setattr("shutil.disk_usage", lambda _, mb=free_mb: SimpleNamespace(free=mb * 2**20))
        assert of(health.disk(tmp_path / "not" / "there"), "disk").level == level

    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    found = of(health.disk(tmp_path), "disk")
    assert (found.level, "chown" in found.advice) == ("fault", True)


def test_the_command_speaks_json_and_tells_by_its_status(
    film: Path, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(health, "eye", lambda: iter([Health("eye", "ok", "sees")]))
    asked = ["doctor", "--camera", str(film), "--table", str(table), "--board", "none"]
    assert main([*asked, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["check"] for line in lines][:4] == ["versions", "settings", "eye", "calibration"]
    assert all(set(line) == {"check", "level", "text", "advice"} for line in lines)
    (tmp_path / "dominoref").mkdir(exist_ok=True)
    (tmp_path / "dominoref" / "config.toml").write_text("[nonsense]\n")
    assert main(asked) == 1
    said = capsys.readouterr().out
    assert "FAULT   settings" in said
    assert "unknown key `nonsense`" in said


class TestCameras:
    def test_an_opened_one_is_measured(self, film: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["cameras", "--camera", str(film), "--json"]) == 0
        line = json.loads(capsys.readouterr().out)
        mode = line["modes"][0]
        assert (mode["size_px"], mode["said_hz"]) == ([640, 360], 10.0)
        assert mode["measured_hz"] > 0

    def test_none(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.setattr("vision.sources.camera_names.list_cameras", list)
        assert main(["cameras"]) == 1
        assert "no camera" in capsys.readouterr().err

    def test_names_and_lasting_paths(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        device = CameraDevice("Brio 100", "/dev/video2", 2, "/dev/v4l/by-id/usb-Brio-index0")
        monkeypatch.setattr("vision.sources.camera_names.list_cameras", lambda: [device])
        assert main(["cameras", "--no-open"]) == 0
        assert capsys.readouterr().out == "2: Brio 100\n   --camera '/dev/v4l/by-id/usb-Brio-index0'\n"
        assert main(["cameras"]) == 1
        assert "FAULT: camera Brio 100: is not plugged in" in capsys.readouterr().out
