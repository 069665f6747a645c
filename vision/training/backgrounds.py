"""Table tops and the things that lie on tables but are no tiles. Painted flat in image space; no truth to keep."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.faces import Colour, Rng
from vision.training.styles import hue, near, scaled

Image = NDArray[np.float32]


def _noise(size: tuple[int, int], cell: float, rng: Rng, stretch: float = 1.0) -> NDArray[np.float32]:
    """Smooth noise (h, w) of about unit deviation; stretch > 1 draws it out along x."""
    h, w = size
    small = rng.normal(0, 1, (max(2, round(h / cell)), max(2, round(w / (cell * stretch))))).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def table_top(size: tuple[int, int], body: Colour, scale_px: float, rng: Rng) -> Image:
    """A background (h, w, 3) float32 0..255. scale_px is a tile's length, so that patterns get a fitting size."""
    h, w = size
    kind = rng.random()
    if rng.random() < 0.14:
        base = near(scaled(body, rng.uniform(0.8, 1.1)), 10, rng)
    elif rng.random() < 0.25:
        level = rng.uniform(5, 60)
        base = near((level, level, level), 4, rng)
    elif rng.random() < 0.25:
        level = rng.uniform(150, 250)
        base = near((level, level, level), 6, rng)
    else:
        base = hue(rng, 0.1, 0.95, 0.0, 0.35 if rng.random() < 0.55 else 0.9)
    image = np.empty((h, w, 3), np.float32)
    image[:] = base
    if kind < 0.28:
        image += (_noise(size, rng.uniform(2, 40), rng) * rng.uniform(0, 12))[..., None]
    elif kind < 0.52:
        _wood(image, scale_px, rng)
    elif kind < 0.66:
        image += (rng.normal(0, 1, (h, w)).astype(np.float32) * rng.uniform(3, 22))[..., None]
        image += (_noise(size, rng.uniform(8, 60), rng) * rng.uniform(0, 8))[..., None]
    elif kind < 0.74:
        _gingham(image, scale_px, rng)
    elif kind < 0.84:
        _motifs(image, scale_px, rng)
    elif kind < 0.92:
        _grid(image, scale_px, rng)
    else:
        image += (_noise(size, rng.uniform(6, 30), rng)[..., None] * rng.uniform(5, 40, 3)).astype(np.float32)
        image += (_noise(size, 4, rng) * rng.uniform(0, 14))[..., None]
    return image


def _wood(image: Image, scale_px: float, rng: Rng) -> None:
    h, w = image.shape[:2]
    if rng.random() < 0.7:
        tone = rng.uniform(0.35, 1.15)
        image[:] = near((105 * tone, 150 * tone, 190 * tone), 14, rng)
    grain = _noise((h, w), rng.uniform(1.5, 5), rng, rng.uniform(10, 40)) * rng.uniform(4, 20)
    grain += _noise((h, w), rng.uniform(8, 30), rng, 8) * rng.uniform(3, 16)
    if rng.random() < 0.5:
        grain = np.ascontiguousarray(cv2.resize(grain.T, (w, h)))
    image += grain[..., None] * np.array([0.8, 1.0, 1.0], np.float32)
    if rng.random() < 0.3:
        step = scale_px * rng.uniform(1.5, 4)
        for k in range(int(max(h, w) / step) + 1):
            y = int(k * step)
            cv2.line(
                image, (0, y), (w, y), tuple(scaled(image[h // 2, w // 2].tolist(), 0.45)), rng.integers(1, 3).item()
            )


def _gingham(image: Image, scale_px: float, rng: Rng) -> None:
    h, w = image.shape[:2]
    step = max(4.0, scale_px * rng.uniform(0.15, 0.6))
    other = np.array(hue(rng, 0.2, 1.0), np.float32)
    xs = ((np.arange(w) + rng.uniform(0, 9)) // step % 2).astype(np.float32)
    ys = ((np.arange(h) + rng.uniform(0, 9)) // step % 2).astype(np.float32)
    share = (xs[None, :] + ys[:, None]) / 2 if rng.random() < 0.7 else np.abs(xs[None, :] - ys[:, None])
    image *= 1 - share[..., None]
    image += share[..., None] * other
    _turn(image, rng)


def _turn(image: Image, rng: Rng) -> None:
    if rng.random() < 0.5:
        h, w = image.shape[:2]
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), rng.uniform(-50, 50), rng.uniform(0.8, 1.3))
        image[:] = cv2.warpAffine(image, turn, (w, h), borderMode=cv2.BORDER_REFLECT)


def _motifs(image: Image, scale_px: float, rng: Rng) -> None:
    h, w = image.shape[:2]
    step = max(7.0, scale_px * rng.uniform(0.3, 1.8))
    size = step * rng.uniform(0.08, 0.32)
    inks = [hue(rng, 0.1, 1.0) for _ in range(3)]
    kind = int(rng.integers(0, 4))
    regular = rng.random() < 0.6
    for y in np.arange(rng.uniform(0, step), h, step):
        for x in np.arange(rng.uniform(0, step), w, step):
            cx, cy = (x, y) if regular else (rng.uniform(0, w), rng.uniform(0, h))
            ink = inks[int(rng.integers(0, 3))]
            at = (int(cx), int(cy))
            if kind == 0:
                cv2.circle(image, at, max(1, int(size)), ink, -1, cv2.LINE_AA)
            elif kind == 1:
                for k in range(5):
                    t = 2 * np.pi * k / 5
                    petal = (int(cx + size * np.cos(t)), int(cy + size * np.sin(t)))
                    cv2.circle(image, petal, max(1, int(size * 0.55)), ink, -1, cv2.LINE_AA)
                cv2.circle(image, at, max(1, int(size * 0.5)), inks[0], -1, cv2.LINE_AA)
            elif kind == 2:
                star = np.array([[cx, cy - size], [cx + size * 0.3, cy], [cx, cy + size], [cx - size * 0.3, cy]])
                cv2.fillPoly(image, [star.astype(np.int32)], ink, cv2.LINE_AA)
                star = np.array([[cx - size, cy], [cx, cy - size * 0.3], [cx + size, cy], [cx, cy + size * 0.3]])
                cv2.fillPoly(image, [star.astype(np.int32)], ink, cv2.LINE_AA)
                _write(
                    image,
                    str(rng.integers(1, 6)),
                    (int(cx - size / 3), int(cy + size / 3)),
                    0,
                    size / 28,
                    (255, 255, 255),
                    1,
                )
            else:
                cv2.line(
                    image,
                    at,
                    (int(cx + rng.uniform(-size, size)), int(cy + rng.uniform(-size, size))),
                    ink,
                    1,
                    cv2.LINE_AA,
                )
    _turn(image, rng)


def _grid(image: Image, scale_px: float, rng: Rng) -> None:
    h, w = image.shape[:2]
    step = max(6.0, scale_px * rng.uniform(0.4, 0.7))
    ink = hue(rng, 0.0, 1.0, 0, 0.3)
    for x in np.arange(rng.uniform(0, step), w, step):
        cv2.line(image, (int(x), 0), (int(x), h), ink, 1)
    for y in np.arange(rng.uniform(0, step), h, step):
        cv2.line(image, (0, int(y)), (w, int(y)), ink, 1)
    if rng.random() < 0.6:
        for _ in range(rng.integers(3, 12)):
            x, y = (
                (rng.integers(0, max(1, int(w / step))) + 0.5) * step,
                (rng.integers(0, max(1, int(h / step))) + 0.5) * step,
            )
            r = step * 0.45
            star = np.array(
                [
                    [x, y - r],
                    [x + r / 4, y - r / 4],
                    [x + r, y],
                    [x + r / 4, y + r / 4],
                    [x, y + r],
                    [x - r / 4, y + r / 4],
                    [x - r, y],
                    [x - r / 4, y - r / 4],
                ]
            )
            cv2.fillPoly(image, [star.astype(np.int32)], hue(rng, 0.1, 1.0), cv2.LINE_AA)
    _turn(image, rng)


def distractor(image: Image, hidden: NDArray[np.int16], scale_px: float, body: Colour, over: bool, rng: Rng) -> None:
    """Paint one thing that is no tile. What it covers is set to -1 in `hidden` (h, w)."""
    h, w = image.shape[:2]
    x, y = rng.uniform(0, w), rng.uniform(0, h)
    kind = rng.choice(
        ["round", "pen", "slab", "paper", "cup", "arm", "box", "marker", "die", "blob"],
        p=[0.2, 0.12, 0.13, 0.1, 0.08, 0.1, 0.09, 0.07, 0.03, 0.08],
    )
    ink = near(body, 12, rng) if rng.random() < 0.3 else hue(rng, 0.05, 1.0)
    angle = rng.uniform(0, 360)

    def rectangle(length: float, width: float, colour: Colour) -> NDArray[np.int32]:
        points = cv2.boxPoints(((x, y), (max(2, length), max(2, width)), angle)).astype(np.int32)
        cv2.fillConvexPoly(image, points, colour, cv2.LINE_AA)
        cv2.fillConvexPoly(hidden, points, -1)
        return points

    if kind == "round":
        radius = scale_px * rng.uniform(0.18, 0.4)
        squash = rng.uniform(0.75, 1.0)
        if not over:
            shade = np.zeros((h, w), np.float32)
            cv2.ellipse(
                shade, ((x + radius * 0.2, y + radius * 0.25), (2.1 * radius, 2.1 * radius * squash), 0), 0.5, -1
            )
            image *= 1 - cv2.GaussianBlur(shade, (0, 0), radius * 0.15 + 0.5)[..., None]
        cv2.ellipse(image, ((x, y), (2 * radius, 2 * radius * squash), 0), ink, -1, cv2.LINE_AA)
        cv2.ellipse(hidden, ((x, y), (2 * radius, 2 * radius * squash), 0), -1, -1)
        for share in rng.uniform(0.2, 0.95, rng.integers(0, 5)):
            ring = scaled(ink, rng.uniform(0.6, 1.4))
            cv2.ellipse(
                image,
                ((x, y), (2 * radius * share, 2 * radius * squash * share), 0),
                ring,
                rng.integers(1, 3).item(),
                cv2.LINE_AA,
            )
    elif kind == "pen":
        rectangle(scale_px * rng.uniform(1.5, 4), scale_px * rng.uniform(0.08, 0.18), ink)
    elif kind == "slab":
        # a plain slab of a tile's size and shape would be the back of a tile
        length = scale_px * rng.uniform(2.0, 4.0)
        points = rectangle(length, length * rng.uniform(0.4, 0.7), ink)
        cv2.polylines(image, [points], True, scaled(ink, rng.uniform(0.5, 1.5)), rng.integers(1, 3).item(), cv2.LINE_AA)
    elif kind == "paper":
        length = scale_px * rng.uniform(1.6, 4.0)
        rectangle(length, length * rng.uniform(0.6, 0.95), near((235, 240, 240), 12, rng))
        _text(image, x, y, scale_px, rng)
    elif kind == "cup":
        radius = scale_px * rng.uniform(0.5, 1.2)
        axes = (2 * radius, 2 * radius * rng.uniform(0.8, 1.0))
        cv2.ellipse(image, ((x, y), axes, 0), ink, -1, cv2.LINE_AA)
        cv2.ellipse(hidden, ((x, y), axes, 0), -1, -1)
        cv2.ellipse(
            image, ((x, y), (axes[0] * 0.88, axes[1] * 0.88), 0), scaled(ink, rng.uniform(0.3, 1.3)), -1, cv2.LINE_AA
        )
    elif kind == "arm":
        tone = rng.uniform(0.3, 1.05)
        skin = near((140 * tone, 175 * tone, 225 * tone), 10, rng)
        edge = [(0.0, y), (float(w), y), (x, 0.0), (x, float(h))][int(rng.integers(0, 4))]
        thick = max(3, round(scale_px * rng.uniform(0.8, 1.8)))
        end = (int(x), int(y))
        for colour, start, size in (
            (skin, end, thick),
            (ink, (int((x + edge[0]) / 2), int((y + edge[1]) / 2)), int(thick * 1.2)),
        ):
            cv2.line(image, (int(edge[0]), int(edge[1])), start, colour, size, cv2.LINE_AA)
            cv2.line(hidden, (int(edge[0]), int(edge[1])), start, -1, size)
        for _ in range(rng.integers(0, 5)):
            tip = (int(x + rng.normal(0, thick * 0.9)), int(y + rng.normal(0, thick * 0.9)))
            cv2.line(image, end, tip, near(skin, 6, rng), max(2, thick // 4), cv2.LINE_AA)
            cv2.line(hidden, end, tip, -1, max(2, thick // 4))
    elif kind == "box":
        length = scale_px * rng.uniform(2.0, 5.0)
        points = rectangle(length, length * rng.uniform(0.25, 0.6), ink)
        cv2.polylines(image, [points], True, scaled(ink, 0.6), 2, cv2.LINE_AA)
        _text(image, x, y, scale_px * 1.5, rng)
    elif kind == "marker":
        side = scale_px * rng.uniform(0.4, 1.0)
        cells = np.zeros((6, 6), np.uint8)
        cells[1:5, 1:5] = rng.integers(0, 2, (4, 4)) * 255
        stamp = np.full((8, 8), 255, np.uint8)
        stamp[1:7, 1:7] = cells
        corners = cv2.boxPoints(((x, y), (side, side), angle)).astype(np.float32)
        move = cv2.getPerspectiveTransform(np.array([[0, 8], [0, 0], [8, 0], [8, 8]], np.float32) * 8, corners)
        big = cv2.resize(stamp, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST).astype(np.float32)
        flat = cv2.warpPerspective(big, move, (w, h))
        mask = np.zeros((h, w), np.uint8)
        cv2.fillConvexPoly(mask, corners.astype(np.int32), 1)
        image[mask > 0] = flat[mask > 0][:, None]
        hidden[mask > 0] = -1
    elif kind == "die":
        side = scale_px * rng.uniform(0.25, 0.42)
        rectangle(side, side, ink)
        for _ in range(rng.integers(1, 6)):
            at = (int(x + rng.uniform(-0.3, 0.3) * side), int(y + rng.uniform(-0.3, 0.3) * side))
            cv2.circle(image, at, max(1, int(side * 0.1)), scaled(ink, 0.3), -1, cv2.LINE_AA)
    else:
        turns = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(4, 9)))
        reach = scale_px * rng.uniform(0.1, 0.8, len(turns))
        points = np.stack([x + reach * np.cos(turns), y + reach * np.sin(turns)], 1).astype(np.int32)
        cv2.fillPoly(image, [points], ink, cv2.LINE_AA)
        cv2.fillPoly(hidden, [points], -1)


def _text(image: Image, x: float, y: float, scale_px: float, rng: Rng) -> None:
    ink = scaled(hue(rng, 0.0, 0.4), 1.0)
    for k in range(int(rng.integers(1, 4))):
        text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVWXYZ0123456789 oe"), rng.integers(3, 10)))
        at = (int(x - scale_px * 0.6), int(y + scale_px * (0.3 * k - 0.2)))
        _write(
            image, text, at, int(rng.integers(0, 5)), scale_px / rng.uniform(70, 160), ink, rng.integers(1, 3).item()
        )


def _write(image: Image, text: str, at: tuple[int, int], font: int, size: float, ink: Colour, line: int) -> None:
    # OpenCV 5 writes into 8-bit pictures only
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.putText(mask, text, at, font, size, 255, line, cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(mask)
    if w and h:
        share = mask[y : y + h, x : x + w, None].astype(np.float32) / 255
        part = image[y : y + h, x : x + w]
        part += share * (np.array(ink, np.float32) - part)
