"""`dominoref calibrate`: each way in, what it writes, and what it refuses to overwrite."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.report import Report, quality_of, read_report, report_path, write_report
from calibration.table_file import SeatStrip, even_seats, read_table
from table import events
from table.shell.calibrate import save
from table.shell.corner_window import Corners
from table.shell.main import main
from table.shell.table_looks import find_tiles
from table.shell.table_picture import draw_table, strip_corners_mm
from tests.drawn import BACKS, CHAIN, HAND, drawn
from tests.photographed import Camera, Scene, error_mm, photograph
from vision.training.layouts import TilePose

CAMERA = Camera()
CORNERS = [f"{x:.1f},{y:.1f}" for x, y in CAMERA.corners_px()]


@pytest.fixture(scope="session")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photo") / "table.png"
    cv2.imwrite(str(path), photograph(CAMERA, Scene()))
    return path


@pytest.fixture
def no_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.shell.table_looks.find_tiles", lambda *_: ())


def off_mm(path: Path) -> float:
    points, pixels = CAMERA.grid()
    return error_mm(read_table(path).plane(CAMERA.size_px).to_table(pixels), points)


def test_from_markers_in_a_picture(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, preview = tmp_path / "table.toml", tmp_path / "preview.png"
    given = ["--image", str(photo), "--size-mm", "600x400", "--seats", "3", "--boneyard", "10,10,150,80"]
    assert main(["calibrate", *given, "--out", str(out), "--preview", str(preview)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("good: places on the table are known to 0.")
    assert "from 4 corner markers" in said.out
    assert str(out) in said.err
    assert off_mm(out) < 1.0
    table = read_table(out)
    assert [s.edge for s in table.seats] == ["bottom", "left", "top"]
    assert table.boneyard
    assert table.boneyard.rect_mm == (10, 10, 150, 80)
    report = read_report(report_path(out))
    assert report is not None
    assert (report.quality, report.camera, report.size_px) == ("good", str(photo), (1280, 720))
    assert report.made_at.startswith("20")
    shown = cv2.imread(str(preview))
    assert shown.shape == (720, 1280, 3)
    assert np.any(np.all(shown == (60, 220, 60), axis=2))


def test_from_a_video_and_with_a_given_lens(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frames = tmp_path / "frames"
    frames.mkdir()
    for k in range(3):
        cv2.imwrite(str(frames / f"{k}.png"), photograph(CAMERA, Scene(), seed=k))
    lens, out = tmp_path / "lens.toml", tmp_path / "table.toml"
    rows = [[float(v) for v in row] for row in CAMERA.matrix]
    corners = [[float(x), float(y)] for x, y in CAMERA.corners_px()]
    lens.write_text(
        f"[camera]\nsize_px = [1280, 720]\nmatrix = {rows}\ndistortion = {list(CAMERA.bend)}\n"
        f"[play_area]\nsize_mm = [600, 400]\ncorners_px = {corners}\n"
    )
    given = ["--video", str(frames), "--lens", str(lens), "--size-mm", "600x400", "--json"]
    assert main(["calibrate", *given, "--out", str(out)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["quality"], report["focal_source"], report["written"]) == ("good", "given", True)
    assert report["error_mm"][1] < 0.5
    assert off_mm(out) < 0.4


@pytest.mark.usefixtures("no_tiles")
def test_from_corners_given_without_a_screen(tmp_path: Path) -> None:
    bare, out = tmp_path / "bare.png", tmp_path / "table.toml"
    cv2.imwrite(str(bare), photograph(CAMERA, Scene(markers=())))
    given = ["--image", str(bare), "--corners", *CORNERS, "--size-mm", "600x400"]
    main(["calibrate", *given, "--out", str(out)])
    table = read_table(out)
    assert table.play_area.size_mm == (600, 400)
    assert np.array(table.play_area.corners_px) == pytest.approx(CAMERA.corners_px(), abs=2)
    assert not table.markers


@pytest.mark.usefixtures("no_tiles")
def test_a_table_that_shows_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bare, out = tmp_path / "bare.png", tmp_path / "table.toml"
    cv2.imwrite(str(bare), np.full((360, 640, 3), 100, np.uint8))
    assert main(["calibrate", "--image", str(bare), "--out", str(out), "--no-window"]) == 1
    assert "no corner markers and no tiles are seen" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--corners", "1,1", "9,1", "9,9", "1,9"], "--corners needs --size-mm"),
        (["--size-mm", "60by40"], "WIDTHxHEIGHT"),
        (["--size-mm", "9x9"], "100 to 5000 mm"),
        (["--tile-mm", "25x50x8"], "is no domino"),
        (["--seats", "9"], "1 to 8"),
        (["--marker-mm", "0"], "measure the side"),
        (["--image", "a.jpg", "--video", "b.mp4"], "not allowed with"),
    ],
)
def test_wrong_usage(arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", *arguments, "--out", str(tmp_path / "table.toml")]) == 2
    assert words in capsys.readouterr().err


def test_files_that_cannot_be_used(photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "table.toml")
    assert main(["calibrate", "--image", str(tmp_path / "none.jpg"), "--out", out]) == 1
    assert "cannot be read" in capsys.readouterr().err
    assert main(["calibrate", "--image", str(photo), "--out", str(tmp_path / "no" / "table.toml")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def report_of(error_mm: float) -> Report:
    return Report("markers", (error_mm / 2, error_mm), 0.1, "fit", (1280, 720), (600, 400), 1000, "estimated", 0.5)


def test_the_last_good_one_is_kept(photo: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.toml"
    assert main(["calibrate", "--image", str(photo), "--size-mm", "600x400", "--out", str(out)]) == 0
    good = out.read_bytes()
    table = read_table(out)
    refused = save(out, table, report_of(30.0), force=False)
    assert refused is not None
    assert "is kept" in refused
    assert out.read_bytes() == good
    assert save(out, table, report_of(30.0), force=True) is None
    assert (tmp_path / "table.before.toml").read_bytes() == good
    kept = read_report(report_path(out))
    assert kept is not None
    assert kept.quality == "redo"
    # What was bad already may be replaced by what is bad.
    assert save(out, table, report_of(20.0), force=False) is None


def test_reports_are_read_back_and_rubbish_is_none(tmp_path: Path) -> None:
    path = tmp_path / "table.report.json"
    write_report(path, report_of(1.0))
    assert read_report(path) == report_of(1.0)
    for rubbish in (b"", b"[]", b'{"method": 3}', b"\xff"):
        path.write_bytes(rubbish)
        assert read_report(path) is None
    assert [quality_of(e) for e in (2.0, 2.1, 6.0, 6.1)] == ["good", "usable", "usable", "redo"]


class TestCorners:
    def test_the_near_corner_follows_the_mouse(self) -> None:
        corners = Corners((1000, 600))
        corners.press(155, 95)
        corners.drag(40, 30)
        corners.release()
        corners.drag(500, 500)
        assert corners.points[0] == pytest.approx([40, 30])
        corners.nudge(1, 0)
        assert corners.points[0] == pytest.approx([40.5, 30])

    def test_a_press_far_from_all_corners_holds_none(self) -> None:
        corners = Corners((1000, 600))
        before = corners.points.copy()
        corners.press(500, 300)
        corners.drag(10, 10)
        assert np.array_equal(corners.points, before)

    def test_corners_cannot_be_crossed(self) -> None:
        corners = Corners((1000, 600))
        corners.press(*corners.points[0])
        corners.drag(950, 550)
        assert corners.points[0] == pytest.approx([150, 90])


@pytest.mark.parametrize("seats", range(1, 9))
def test_the_strips_drawn_are_those_the_referee_uses(seats: int) -> None:
    strips = [SeatStrip(s.edge, s.span, 60.0) for s in even_seats(seats)]
    table = events.Table(
        (600, 400), 50, 25, 8, tuple(events.Strip(s.edge, float(s.depth_mm or 0), s.span) for s in strips), None
    )
    for seat, strip in enumerate(strips):
        corners = np.array(strip_corners_mm(strip, (600, 400)))
        middle = corners.mean(axis=0)
        edge = corners[:2].mean(axis=0)
        near_edge = edge + (middle - edge) * 0.2
        assert events.zone_of(float(near_edge[0]), float(near_edge[1]), table) == seat


def test_drawing_leaves_the_picture_alone() -> None:
    picture = photograph(Camera(size_px=(320, 180), focal_px=250.0, centre_px=(160.0, 90.0)), Scene())
    before = picture.copy()
    draw_table(picture, read_plane(), [SeatStrip("bottom", depth_mm=60.0)], (10, 10, 50, 50))
    assert np.array_equal(picture, before)


def read_plane():  # type: ignore[no-untyped-def]
    from calibration.plane import TablePlane

    return TablePlane((320, 180), (600, 400), [[40, 20], [280, 22], [300, 160], [20, 158]])


@pytest.mark.parametrize(("tiles", "count"), [((*CHAIN, *HAND, *BACKS), 10), ((*CHAIN, *BACKS), 9)])
def test_backs_tell_the_tilt_only_where_there_are_few_faces(tiles: tuple[TilePose, ...], count: int) -> None:
    image, _, true = drawn(list(tiles))
    found = find_tiles(image, None)
    assert len(found) == count
    for quad in found:
        assert min(np.abs(quad.mean(0) - q.mean(0)).max() for q in true) < 1.5
