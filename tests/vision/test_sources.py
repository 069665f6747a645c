"""Pictures, stills, videos and recording folders: what is read, at what time, and what is said about broken ones."""

from __future__ import annotations

import os
import struct
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.painted import SIZE_PX, Table, game_stills, write_stills, write_video
from vision.sources.frames import Stills, Video
from vision.sources.pictures import MOST_PIXELS, Image, SourceError, read_picture, stated_size
from vision.sources.recording import open_recording


def checks(size: tuple[int, int] = (60, 40)) -> Image:
    """A picture whose corners differ: red top left, green top right, blue bottom left, white bottom right."""
    width, height = size
    image = np.zeros((height, width, 3), np.uint8)
    image[: height // 2, : width // 2] = (0, 0, 250)
    image[: height // 2, width // 2 :] = (0, 250, 0)
    image[height // 2 :, : width // 2] = (250, 0, 0)
    image[height // 2 :, width // 2 :] = (250, 250, 250)
    return image


def encoded(ending: str, image: Image) -> bytes:
    good, data = cv2.imencode(ending, image)
    assert good
    return data.tobytes()


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


WIDE = checks().astype(np.uint16) * 257
GREY = np.asarray(cv2.cvtColor(checks(), cv2.COLOR_BGR2GRAY), np.uint8)
CLEAR = np.dstack([checks(), np.zeros((40, 60), np.uint8)])

KINDS = {
    "jpeg": (".jpg", checks()),
    "png": (".png", checks()),
    "16 bit png": (".png", WIDE),
    "16 bit tiff": (".tif", WIDE),
    "transparent": (".png", CLEAR),
    "bmp": (".bmp", checks()),
    "webp": (".webp", checks()),
    "ppm": (".ppm", checks()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_pictures(kind: str, tmp_path: Path) -> None:
    ending, image = KINDS[kind]
    seen = read_picture(written(tmp_path, f"a{ending}", encoded(ending, np.asarray(image))))
    assert seen.dtype == np.uint8
    assert seen.shape == (40, 60, 3)
    assert abs(seen[5, 5].astype(int) - (0, 0, 250)).max() < 25
    assert abs(seen[35, 55].astype(int) - 250).max() < 25


def test_grey_pictures_get_three_channels(tmp_path: Path) -> None:
    for name, image in (("a.png", GREY), ("b.png", GREY.astype(np.uint16) * 257)):
        seen = read_picture(written(tmp_path, name, encoded(".png", np.asarray(image))))
        assert (seen == GREY[..., None]).all()


def turned(jpeg: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF note on how the camera was held."""
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHH", 1, 0x112, 3, 1, orientation, 0) + b"\0\0\0\0"
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


@pytest.mark.parametrize(
    ("orientation", "top_left"), [(1, (0, 0, 250)), (3, (250, 250, 250)), (6, (250, 0, 0)), (8, (0, 250, 0))]
)
def test_the_camera_may_have_been_held_otherwise(
    orientation: int, top_left: tuple[int, int, int], tmp_path: Path
) -> None:
    seen = read_picture(written(tmp_path, "a.jpg", turned(encoded(".jpg", checks()), orientation)))
    assert seen.shape[:2] == ((40, 60) if orientation < 5 else (60, 40))
    assert abs(seen[4, 4].astype(int) - top_left).max() < 25


def cmyk_jpeg(inks: tuple[int, int, int, int]) -> bytes:
    """An 8 x 8 JPEG of four inks (0 to 255) as printers write it, made from the tables of a grey one."""
    good, grey = cv2.imencode(".jpg", np.full((8, 8), 128, np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 100])
    assert good
    data, tables, at = grey.tobytes(), b"", 2
    while data[at + 1] != 0xDA:
        length = 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if data[at + 1] in (0xDB, 0xC4):  # quantisation and Huffman tables
            tables += data[at : at + length]
        at += length
    codes = ["00", "010", "011", "100", "101", "110", "1110", "11110", "111110", "1111110", "11111110", "111111110"]
    bits = ""
    for ink in inks:
        level = 8 * (255 - ink - 128)  # inverted, as Adobe does
        size = abs(level).bit_length()
        bits += codes[size] + (f"{level if level > 0 else level + 2**size - 1:0{size}b}" if size else "") + "1010"
    bits += "1" * (-len(bits) % 8)
    scan = bytes(int(bits[k : k + 8], 2) for k in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
    adobe = b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0"
    frame = b"\xff\xc0\0\x14\x08\0\x08\0\x08\x04" + b"".join(bytes([k, 0x11, 0]) for k in (1, 2, 3, 4))
    start = b"\xff\xda\0\x0e\x04" + b"".join(bytes([k, 0]) for k in (1, 2, 3, 4)) + b"\0\x3f\0"
    return b"\xff\xd8" + adobe + tables + frame + start + scan + b"\xff\xd9"


@pytest.mark.parametrize(
    ("inks", "colour"), [((0, 0, 0, 0), (255, 255, 255)), ((0, 255, 255, 0), (0, 0, 255)), ((0, 0, 0, 255), (0, 0, 0))]
)
def test_four_inks(inks: tuple[int, int, int, int], colour: tuple[int, int, int], tmp_path: Path) -> None:
    seen = read_picture(written(tmp_path, "a.jpg", cmyk_jpeg(inks)))
    assert abs(seen.astype(int) - colour).max() < 12


def test_a_phone_may_append_a_film(tmp_path: Path) -> None:
    seen = read_picture(written(tmp_path, "a.jpg", encoded(".jpg", checks()) + bytes(100_000)))
    assert seen.shape == (40, 60, 3)


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(999))) + chunk(b"IEND", b"")


JPEG = encoded(".jpg", checks())
BROKEN = {
    "empty": ("a.jpg", b"", "empty"),
    "text": ("a.jpg", b"no picture at all\n" * 30, "not a picture"),
    "half a jpeg": ("a.jpg", JPEG[: len(JPEG) * 2 // 3], "breaks off"),
    "the start of a jpeg": ("a.jpg", JPEG[:20], "breaks off"),
    "half a jpeg with a whole thumbnail": (
        "a.jpg",
        JPEG[:2] + b"\xff\xe1\x00\x0aabc\xff\xd9def" + JPEG[2:400],
        "breaks",
    ),
    "half a png": ("a.png", encoded(".png", checks())[:100], "breaks off"),
    "a png without its pixels": ("a.png", png(100, 100), "not a picture"),
    "more pixels than memory": ("a.png", png(60_000, 60_000), "60000x60000 pixels"),
    "half a webp": ("a.webp", encoded(".webp", checks())[:40], "not a picture"),
    "half a tiff": ("a.tif", encoded(".tif", checks())[:200], "not a picture"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_pictures_are_said_in_one_line(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, data, words = BROKEN[name]
    path = written(tmp_path, file, data)
    with pytest.raises(SourceError) as raised:
        read_picture(path)
    assert str(raised.value).startswith(f"{path}: ")
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)
    # What the picture libraries write themselves would come between our lines.
    assert capfd.readouterr().err == ""


def test_no_picture_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="folder"):
        read_picture(tmp_path)
    with pytest.raises(SourceError, match=r"cannot be read \(No such file"):
        read_picture(tmp_path / "none.jpg")


def test_sizes_are_known_before_decoding() -> None:
    assert stated_size(JPEG) == ((60, 40), True)
    assert stated_size(png(12, 34)) == ((12, 34), True)
    assert stated_size(b"RIFF") == (None, True)
    assert MOST_PIXELS > 100_000_000, "a picture of a 100 megapixel camera is read"


# Stills


def test_stills_in_name_order_a_second_apart(tmp_path: Path) -> None:
    pictures = [np.full((30, 40, 3), 10 * k, np.uint8) for k in range(3)]
    for name, picture in zip(("b.png", "a10.png", "a02.png"), pictures, strict=True):
        (tmp_path / name).write_bytes(encoded(".png", picture))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / ".hidden.png").write_bytes(b"not looked at")
    stills = Stills(tmp_path)
    frames = list(stills)
    assert [(f.t, f.settled, int(f.image[0, 0, 0])) for f in frames] == [(0, True, 20), (1, True, 10), (2, True, 0)]
    assert (stills.size_px, stills.length, stills.fault) == ((40, 30), 3, None)
    assert len(list(stills)) == 3, "can be gone through again"


def test_stills_of_different_sizes_are_used_up_to_there(tmp_path: Path) -> None:
    for k, size in enumerate([(40, 30), (40, 30), (30, 40), (40, 30)]):
        (tmp_path / f"{k}.png").write_bytes(encoded(".png", checks(size)))
    stills = Stills(tmp_path)
    assert len(list(stills)) == 2
    assert stills.fault is not None
    assert "2.png: is 30x40 pixels" in stills.fault


def test_a_broken_still_ends_the_recording(tmp_path: Path) -> None:
    (tmp_path / "0.png").write_bytes(encoded(".png", checks()))
    (tmp_path / "1.png").write_bytes(b"nothing")
    stills = Stills(tmp_path)
    assert len(list(stills)) == 1
    assert stills.fault is not None
    assert "1.png" in stills.fault


def test_a_folder_without_pictures(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no pictures"):
        Stills(tmp_path)


# Videos


def film(count: int = 12) -> list[Image]:
    """Frames that are told apart by their brightness."""
    return [np.full((SIZE_PX[1], SIZE_PX[0], 3), 10 + 15 * k, np.uint8) for k in range(count)]


@pytest.mark.parametrize(("name", "code"), [("v.mp4", "mp4v"), ("v.avi", "MJPG"), ("v.mkv", "mp4v")])
def test_video_frames_with_their_times(name: str, code: str, tmp_path: Path) -> None:
    video = Video(write_video(tmp_path / name, film(), rate=10.0, code=code))
    frames = list(video)
    assert [round(float(f.image.mean())) for f in frames] == pytest.approx([10 + 15 * k for k in range(12)], abs=4)
    assert [f.t for f in frames] == pytest.approx([k / 10 for k in range(12)], abs=0.002)
    assert not any(f.settled for f in frames)
    assert (video.size_px, video.fault) == (SIZE_PX, None)
    assert len(list(video)) == 12, "can be gone through again"


def test_of_frames_that_are_passed_over_only_the_time_is_told(tmp_path: Path) -> None:
    video = Video(write_video(tmp_path / "film.avi", film(), rate=10.0))
    whole = list(video)
    due = [0.0]
    told = []
    for step in video.sparing(lambda: due[0]):
        told.append(step)
        if not isinstance(step, float):
            due[0] = step.t + 0.3
    assert [step if isinstance(step, float) else step.t for step in told] == [frame.t for frame in whole]
    pictures = {k: step for k, step in enumerate(told) if not isinstance(step, float)}
    assert list(pictures) == list(range(0, len(whole), 3))
    assert all((step.image == whole[k].image).all() for k, step in pictures.items())


def test_a_video_that_breaks_off_is_used_up_to_there(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "v.avi", film() * 3, code="MJPG").read_bytes()
    video = Video(written(tmp_path, "cut.avi", whole[: len(whole) // 2]))
    seen = len(list(video))
    assert 5 < seen < 30
    assert video.fault is not None
    assert f"({seen} of 36 frames)" in video.fault
    assert "breaks off" in video.fault


NO_VIDEO = {
    "empty": (b"", "empty"),
    "text": (b"no film at all\n" * 30, "not a video"),
    "an index without frames": (None, "not a video"),
}


@pytest.mark.parametrize("name", NO_VIDEO)
def test_what_is_no_video(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    data, words = NO_VIDEO[name]
    if data is None:
        data = write_video(tmp_path / "v.mp4", film()).read_bytes()[:500]
    path = written(tmp_path, "a.mp4", data)
    capfd.readouterr()
    with pytest.raises(SourceError, match=words):
        Video(path)
    assert capfd.readouterr().err == ""


def test_names_that_look_like_something_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_video(tmp_path / "v.avi", film(), code="MJPG").read_bytes()
    monkeypatch.chdir(tmp_path)
    for name in ("12:30.avi", "game %03d.avi", "-x.avi", "süd.avi"):
        assert len(list(Video(written(Path(), name, data)))) == 12


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")
def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"n\xff.avi")
    path.write_bytes(b"x")
    with pytest.raises(SourceError, match="UTF-8"):
        Video(path)


# Recordings


def test_a_recording_folder_brings_its_table_and_inputs(tmp_path: Path) -> None:
    write_stills(tmp_path / "frames", [Table().picture()])
    (tmp_path / "table.toml").write_text("x")
    (tmp_path / "inputs.jsonl").write_text("")
    found = open_recording(tmp_path)
    assert isinstance(found.frames, Stills)
    assert (found.table, found.inputs) == (tmp_path / "table.toml", tmp_path / "inputs.jsonl")


def test_a_video_in_a_recording_folder_comes_first(tmp_path: Path) -> None:
    write_stills(tmp_path / "frames", game_stills()[:1])
    write_video(tmp_path / "video.avi", film(3), code="MJPG")
    found = open_recording(tmp_path)
    assert isinstance(found.frames, Video)
    assert (found.table, found.inputs) == (None, None)


def test_what_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        open_recording(tmp_path / "nowhere")
    with pytest.raises(SourceError, match="holds neither pictures"):
        open_recording(tmp_path)
    picture = written(tmp_path, "one.png", encoded(".png", checks()))
    with pytest.raises(SourceError, match="one picture"):
        open_recording(picture)
