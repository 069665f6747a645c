"""A sheet as the bytes of an SVG, PDF or PNG file, each of them at true scale when printed at 100 %."""

from __future__ import annotations

import struct
import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sheet import Sheet

PNG_PX_PER_MM = 10
"""254 pixels an inch: a whole number of pixels a millimetre."""
_POINT_MM = 25.4 / 72


def sheet_svg(sheet: Sheet) -> bytes:
    """The page as SVG; one unit is a millimetre."""
    width, height = f"{sheet.width_mm:g}", f"{sheet.height_mm:g}"
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        '<g shape-rendering="crispEdges">',
    ]
    for box in sheet.boxes:
        shade = f"#{round(255 * box.grey):02x}" + f"{round(255 * box.grey):02x}" * 2
        lines.append(
            f'<rect x="{box.x:.4f}" y="{box.y:.4f}" width="{box.width:.4f}" height="{box.height:.4f}" fill="{shade}"/>'
        )
    lines.append('</g><g font-family="Helvetica, Arial, sans-serif" fill="#000">')
    for word in sheet.words:
        text = word.text.replace("&", "&amp;").replace("<", "&lt;")
        lines.append(f'<text x="{word.x:.3f}" y="{word.y:.3f}" font-size="{word.size / 0.72:.3f}">{text}</text>')
    lines.append("</g></svg>")
    return "\n".join(lines).encode() + b"\n"


def sheet_pdf(sheet: Sheet) -> bytes:
    """The page as PDF: shapes, not pixels, in points of 1/72 inch; viewers are asked not to scale it in print."""

    def points(millimetres: float) -> str:
        return f"{millimetres / _POINT_MM:.4f}"

    drawn = []
    shade = -1.0
    for box in sheet.boxes:
        if box.grey != shade:
            shade = box.grey
            drawn.append(f"{shade:g} g")
        bottom = sheet.height_mm - box.y - box.height
        drawn.append(f"{points(box.x)} {points(bottom)} {points(box.width)} {points(box.height)} re f")
    drawn.append("0 g BT")
    for word in sheet.words:
        text = word.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        drawn.append(f"/F {word.size / 0.72 / _POINT_MM:.3f} Tf")
        drawn.append(f"1 0 0 1 {points(word.x)} {points(sheet.height_mm - word.y)} Tm ({text}) Tj")
    drawn.append("ET")
    content = zlib.compress("\n".join(drawn).encode("ascii"), 9)
    box_text = f"[0 0 {points(sheet.width_mm)} {points(sheet.height_mm)}]"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box_text} /Contents 4 0 R "
        "/Resources << /Font << /F 5 0 R >> >> >>".encode(),
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(content) + content + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    data = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    starts = []
    for number, body in enumerate(objects, start=1):
        starts.append(len(data))
        data += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % start for start in starts)
    return data + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)


def sheet_image(sheet: Sheet, px_per_mm: float = PNG_PX_PER_MM) -> NDArray[np.uint8]:
    """The page as a grey picture (height, width)."""
    width, height = round(sheet.width_mm * px_per_mm), round(sheet.height_mm * px_per_mm)
    image = np.full((height, width), 255, np.uint8)
    for box in sheet.boxes:
        x0, x1 = (round(v * px_per_mm) for v in (box.x, box.x + box.width))
        y0, y1 = (round(v * px_per_mm) for v in (box.y, box.y + box.height))
        image[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)] = round(255 * box.grey)
    for word in sheet.words:
        place = (round(word.x * px_per_mm), round(word.y * px_per_mm))
        scale = word.size * px_per_mm / 21.0  # the built-in letters are 21 pixels high
        cv2.putText(image, word.text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, 0, 2, cv2.LINE_AA)
    return image


def sheet_png(sheet: Sheet) -> bytes:
    """The page as PNG that says its own size, 254 pixels an inch."""
    good, coded = cv2.imencode(".png", sheet_image(sheet))
    assert good
    data = coded.tobytes()
    # Pixels a metre, right after the header chunk (8 bytes of signature, 25 of header).
    body = b"pHYs" + struct.pack(">IIB", PNG_PX_PER_MM * 1000, PNG_PX_PER_MM * 1000, 1)
    return data[:33] + struct.pack(">I", 9) + body + struct.pack(">I", zlib.crc32(body)) + data[33:]


WRITERS = {".svg": sheet_svg, ".pdf": sheet_pdf, ".png": sheet_png}
"""By the ending of the file's name."""
