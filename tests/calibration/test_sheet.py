"""The printed sheet: true scale in all three formats, markers where they belong, everything on the paper."""

import re
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration.markers import find_markers
from calibration.sheet import (
    BOARD_SQUARE_MM,
    BOARD_SQUARES,
    PAPERS_MM,
    RULER_MM,
    Box,
    Paper,
    Sheet,
    Words,
    lens_board,
    marker_sheet,
)
from calibration.sheet_files import sheet_image, sheet_pdf, sheet_png, sheet_svg
from table.shell.main import main

POINT_MM = 25.4 / 72


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_everything_lies_within_what_printers_print(paper: Paper) -> None:
    sheet = marker_sheet(paper)
    assert (sheet.width_mm, sheet.height_mm) == PAPERS_MM[paper]
    for box in sheet.boxes:
        assert min(box.x, box.y) >= 6.35
        assert box.x + box.width <= sheet.width_mm - 6.35
        assert box.y + box.height <= sheet.height_mm - 6.35
    for words in sheet.words:
        assert words.text.isascii()
        # Letters of a sans-serif face are on the average half as wide as their body is high.
        assert words.x + len(words.text) * words.size / 0.72 * 0.5 <= sheet.width_mm - 4


@pytest.mark.parametrize("marker_mm", [40.0, 24.0])
def test_markers_are_found_with_their_size_and_place(marker_mm: float) -> None:
    px_per_mm = 5
    image = cv2.cvtColor(sheet_image(marker_sheet("a4", marker_mm), px_per_mm), cv2.COLOR_GRAY2BGR)
    found = find_markers(np.asarray(image, np.uint8))
    assert sorted(found) == [0, 1, 2, 3]
    for corners in found.values():
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        assert sides == pytest.approx([marker_mm * px_per_mm] * 4, abs=1.0)  # edges fall on whole pixels
    middles = np.array([found[k].mean(axis=0) for k in range(4)])
    assert middles[1, 0] > middles[0, 0]
    assert middles[2, 1] > middles[1, 1]
    assert middles[3, 0] == pytest.approx(middles[0, 0], abs=0.5)


def test_the_lens_board_is_found_whole() -> None:
    corners, ids, _, _ = cv2.aruco.CharucoDetector(lens_board()).detectBoard(sheet_image(marker_sheet(), 5))
    assert len(ids) == (BOARD_SQUARES[0] - 1) * (BOARD_SQUARES[1] - 1)
    row = np.asarray(corners).reshape(-1, 2)[: BOARD_SQUARES[0] - 1]
    assert np.diff(row[:, 0]) == pytest.approx([BOARD_SQUARE_MM * 5] * (BOARD_SQUARES[0] - 2), abs=0.3)


def _pdf_boxes(data: bytes) -> list[tuple[float, float, float, float]]:
    stream = re.search(rb"stream\n(.*?)\nendstream", data, re.DOTALL)
    assert stream is not None
    text = zlib.decompress(stream.group(1)).decode()
    numbers = re.findall(r"^([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re f$", text, re.MULTILINE)
    return [tuple(float(v) * POINT_MM for v in row) for row in numbers]  # type: ignore[misc]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_pdf_is_at_true_scale(paper: Paper) -> None:
    sheet = marker_sheet(paper)
    data = sheet_pdf(sheet)
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert box is not None
    assert [float(v) * POINT_MM for v in box.groups()] == pytest.approx(PAPERS_MM[paper], abs=1e-3)
    assert b"/PrintScaling /None" in data
    boxes = _pdf_boxes(data)
    assert len(boxes) == len(sheet.boxes)
    for (x, y, width, height), drawn in zip(boxes, sheet.boxes, strict=True):
        expected = (drawn.x, sheet.height_mm - drawn.y - drawn.height, drawn.width, drawn.height)
        assert (x, y, width, height) == pytest.approx(expected, abs=1e-4)
    assert any(width == pytest.approx(RULER_MM, abs=1e-4) for _, _, width, _ in boxes)
    # The top row of marker 0 is a black bar of the whole side.
    assert sum(width == pytest.approx(40.0, abs=1e-4) for _, _, width, _ in boxes) >= 8


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_pdf_measured_as_it_is_drawn(paper: Paper) -> None:
    """Drawn by somebody else's program at 20 dots a millimetre, a ruler laid to it; edges fall on whole dots."""
    px_per_mm, dot_mm = 20.0, 0.05
    page = pypdfium2.PdfDocument(sheet_pdf(marker_sheet(paper)))[0]
    assert [side * POINT_MM for side in page.get_size()] == pytest.approx(PAPERS_MM[paper], abs=0.01)
    image = np.asarray(page.render(scale=px_per_mm * POINT_MM, grayscale=True).to_numpy(), np.uint8).squeeze()
    found = find_markers(np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8))
    assert sorted(found) == [0, 1, 2, 3]
    for corners in found.values():
        sides_mm = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1) / px_per_mm
        assert sides_mm == pytest.approx([40.0] * 4, abs=dot_mm)
    # From marker to marker: 60 mm, each with 10 mm of white round it.
    across = (found[1] - found[0]) / px_per_mm
    assert across == pytest.approx(np.tile([60.0, 0.0], (4, 1)), abs=dot_mm)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(lens_board()).detectBoard(image)
    assert len(ids) == (BOARD_SQUARES[0] - 1) * (BOARD_SQUARES[1] - 1)
    row = np.asarray(corners).reshape(-1, 2)[: BOARD_SQUARES[0] - 1] / px_per_mm
    assert row[-1, 0] - row[0, 0] == pytest.approx(BOARD_SQUARE_MM * (BOARD_SQUARES[0] - 2), abs=dot_mm)


def test_the_pdfs_table_of_objects_points_at_the_objects() -> None:
    data = sheet_pdf(marker_sheet())
    start = int(data.rsplit(b"startxref\n", 1)[1].split()[0])
    assert data[start : start + 4] == b"xref"
    for number, offset in enumerate(re.findall(rb"^(\d{10}) 00000 n ", data[start:], re.MULTILINE), start=1):
        assert data[int(offset) :].startswith(b"%d 0 obj" % number)


def test_the_png_says_its_scale() -> None:
    data = sheet_png(Sheet(50, 30, (Box(10, 5, 20, 10),), (Words(1, 28, 2, "x"),)))
    assert data[37:41] == b"pHYs"
    assert struct.unpack(">II", data[41:49]) == (10000, 10000)
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert image.shape == (300, 500)
    rows, columns = np.nonzero(image[:200] == 0)
    assert (columns.min(), columns.max() + 1, rows.min(), rows.max() + 1) == (100, 300, 50, 150)


def test_the_svg_counts_in_millimetres() -> None:
    text = sheet_svg(marker_sheet("letter")).decode()
    assert 'width="215.9mm" height="279.4mm" viewBox="0 0 215.9 279.4"' in text
    assert f'width="{RULER_MM:.4f}"' in text


def test_markers_too_large_for_the_sheet_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        marker_sheet("a4", 60)


@pytest.mark.parametrize(("name", "begins"), [("m.svg", b"<svg"), ("m.pdf", b"%PDF"), ("m.PNG", b"\x89PNG")])
def test_the_command_writes_the_format_of_the_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, begins: bytes
) -> None:
    assert main(["markers", "--out", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_bytes().startswith(begins)
    assert "100 %" in capsys.readouterr().err


def test_another_ending_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["markers", "--out", str(tmp_path / "m.doc")]) == 2
    assert "must end in .pdf, .svg or .png" in capsys.readouterr().err
    assert main(["markers", "--out", str(tmp_path / "none" / "m.pdf")]) == 1
