"""What a person may write after --camera, and what the system's device folders say."""

import os
from pathlib import Path

import pytest

from vision.sources.camera_names import (
    CameraDevice,
    CameraFault,
    CameraTarget,
    default_camera,
    device_fault,
    explain_device,
    find_camera,
    list_cameras,
)

WEB = CameraDevice("HD Web Camera: HD Web Camera", "/dev/video0", 0, "/dev/v4l/by-id/usb-HD_Web-index0")
TOP = CameraDevice("Brio 100", "/dev/video2", 2, "/dev/v4l/by-id/usb-Brio-index0")
TWIN = CameraDevice("Brio 100", "/dev/video4", 4, "/dev/v4l/by-path/pci-usb-2-index0", "permission")


@pytest.mark.parametrize(
    ("spec", "where"),
    [
        ("0", WEB.lasting),
        ("2", TOP.lasting),
        ("/dev/video2", TOP.lasting),
        (TOP.lasting, TOP.lasting),
        ("brio 100", TOP.lasting),
        ("Brio", TOP.lasting),
        ("web", WEB.lasting),
        ("http://10.0.0.7:8080/video", "http://10.0.0.7:8080/video"),
        ("rtsp://table/stream", "rtsp://table/stream"),
        ("pi", "0"),
        ("pi:1", "1"),
    ],
)
def test_a_camera_is_named_in_many_ways(spec: str, where: str) -> None:
    assert find_camera(spec, [WEB, TOP]).where == where


@pytest.mark.parametrize(
    ("spec", "kind", "words"),
    [
        ("Brio 100", "ambiguous", "give a path: /dev/v4l/by-id/usb-Brio-index0, /dev/v4l/by-path"),
        ("Logitech", "missing", "there are: 0 (HD Web"),
        ("7", "missing", "there are: 0 (HD Web"),
        ("/dev/video77", "missing", "no such camera or file"),
        ("", "missing", "none of this name"),
    ],
)
def test_what_fits_no_camera_or_several_is_said(spec: str, kind: str, words: str) -> None:
    with pytest.raises(CameraFault) as caught:
        find_camera(spec, [WEB, TOP, TWIN])
    assert caught.value.kind == kind
    assert words in str(caught.value)


def test_files(tmp_path: Path) -> None:
    film, picture = tmp_path / "game.mp4", tmp_path / "game.jpg"
    film.write_bytes(b"x")
    picture.write_bytes(b"x")
    assert find_camera(str(film), []) == CameraTarget("file", str(film), str(film))
    with pytest.raises(CameraFault, match="is a picture"):
        find_camera(str(picture), [])


def test_passwords_are_never_shown() -> None:
    target = find_camera("rtsp://anna:secret@10.0.0.7/stream", [])
    assert target.where == "rtsp://anna:secret@10.0.0.7/stream"
    assert target.shown == "rtsp://10.0.0.7/stream"


def test_the_default_is_the_first_that_may_be_used() -> None:
    assert default_camera([TWIN, TOP]).where == TOP.lasting
    assert default_camera([TWIN]).where == TWIN.lasting
    with pytest.raises(CameraFault, match="no camera is plugged in"):
        default_camera([])


def _devices(root: Path, names: dict[str, str]) -> tuple[Path, Path]:
    devices, classes = root / "dev", root / "class"
    (devices / "v4l" / "by-id").mkdir(parents=True)
    for node, name in names.items():
        (devices / node).write_bytes(b"")
        (classes / node).mkdir(parents=True)
        (classes / node / "name").write_text(name + "\n")
    return devices, classes


def test_cameras_are_listed_with_their_lasting_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    devices, classes = _devices(tmp_path, {"video0": "Web", "video1": "Web", "video10": "Brio"})
    (devices / "v4l" / "by-id" / "usb-Brio-index0").symlink_to("../../video10")
    asked = {"video0": (True, None), "video1": (False, None), "video10": (True, "permission")}
    monkeypatch.setattr("vision.sources.camera_names._captures", lambda device: asked[device.name])
    found = list_cameras(devices, classes)
    assert [(c.name, c.index, c.fault) for c in found] == [("Web", 0, None), ("Brio", 10, "permission")]
    assert found[0].lasting == str(devices / "video0")
    assert found[1].lasting.endswith("by-id/usb-Brio-index0")


def test_a_node_that_is_no_camera_is_left_out(tmp_path: Path) -> None:
    devices, classes = _devices(tmp_path, {"video0": "A plain file"})
    assert list_cameras(devices, classes) == []


def test_refusals_name_the_cure(tmp_path: Path) -> None:
    gone = CameraTarget("device", str(tmp_path / "video0"), "Brio")
    fault = device_fault(gone)
    assert fault is not None
    assert (fault.kind, "plug it in" in str(fault)) == ("missing", True)
    refused = explain_device(gone, PermissionError(13, "Permission denied"))
    assert refused.kind == "permission"
    assert "usermod -aG video" in str(refused)
    assert explain_device(gone, OSError(16, "busy")).kind == "busy"


def test_who_holds_a_camera_is_named(tmp_path: Path) -> None:
    # Our own process is not the other program, so none is found here.
    path = tmp_path / "video0"
    with path.open("wb"):
        text = str(explain_device(CameraTarget("device", os.fspath(path), "Brio"), OSError(16, "busy")))
    assert "in use by another program" in text
