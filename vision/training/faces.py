"""What a tile face looks like: the drawing of one face or back, edge to edge, as a flat texture. Knows no scene."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pips import pips_of

Rng = np.random.Generator
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class SetStyle:
    """Look of one set of tiles; colours are BGR 0..255, lengths in parts of the tile's width."""

    chinese: bool
    most: int
    aspect: float
    thickness: float
    body: Colour
    side: Colour
    back: Colour
    pip_colours: list[Colour]
    pip_radius: float
    spread: float
    bar: float
    bar_length: float
    bar_colour: Colour
    pin_radius: float
    corner: float
    bevel: float
    engraved: float
    grain: float
    film: float
    back_logo: int
    turned: bool
    mirrored: bool
    variant: int  # bits: other usual figures of 10, 11, Chinese 4-4 and 3-3
    crowded: float
    pitch: float  # Chinese rows, 1 = evenly over the tile
    ring: bool
    rim: float
    logo_colour: Colour = field(default=(60.0, 60.0, 60.0))
    gloss: float = 0.0  # how much of a lamp or window a polished face throws back, 0..1


def _circle(image: NDArray[np.uint8], centre: tuple[float, float], radius: float, colour: Colour) -> None:
    at = (round(centre[0] * 16), round(centre[1] * 16))
    cv2.circle(image, at, max(1, round(radius * 16)), colour, -1, cv2.LINE_AA, 4)


def _body(style: SetStyle, colour: Colour, length: int, width: int, rng: Rng) -> NDArray[np.uint8]:
    image = np.empty((width, length, 3), np.float32)
    image[:] = colour
    if style.grain > 0:
        grain = rng.normal(0, style.grain, (max(2, width // 3), max(2, length // 14), 1)).astype(np.float32)
        image += cv2.resize(grain, (length, width), interpolation=cv2.INTER_CUBIC)[..., None]
    if style.bevel > 0:
        edge = max(1, round(style.bevel * width))
        lift = rng.uniform(-70, 70, 4) * np.array([1, 1, 1, 1])
        for k in range(edge):
            share = (1 - k / edge) ** 2
            image[k, k : length - k] += lift[0] * share
            image[width - 1 - k, k : length - k] += lift[1] * share
            image[k : width - k, k] += lift[2] * share
            image[k : width - k, length - 1 - k] += lift[3] * share
    return np.clip(image, 0, 255).astype(np.uint8)


def draw_face(style: SetStyle, a: int, b: int, length_px: int, light_deg: float, rng: Rng) -> NDArray[np.uint8]:
    """The face as a (width, length, 3) uint8 BGR texture, half a at the left."""
    length, width = length_px, max(8, round(length_px / style.aspect))
    image = _body(style, style.body, length, width, rng)
    lx, ly = np.cos(np.radians(light_deg)), np.sin(np.radians(light_deg))
    if not style.chinese and style.bar > 0:
        half = max(0.5, style.bar * width / 2)
        reach = style.bar_length * width / 2
        corners = np.array(
            [
                [length / 2 - half, width / 2 - reach],
                [length / 2 + half, width / 2 - reach],
                [length / 2 + half, width / 2 + reach],
                [length / 2 - half, width / 2 + reach],
            ]
        )
        cv2.fillPoly(image, [np.round((corners - 0.5) * 16).astype(np.int32)], style.bar_colour, cv2.LINE_AA, 4)
    busiest = max(a, b)
    for u, v, value, red in pips_of(style, a, b):
        radius = style.pip_radius * width
        if not style.chinese and busiest > 9:
            radius = min(radius, 0.085 * width)
        elif not style.chinese and busiest > 6:
            radius = min(radius, 0.105 * width)
        x, y = u * length - 0.5, v * width - 0.5
        colour = style.pip_colours[13 if red else value]
        _circle(image, (x, y), radius, colour)
        if style.engraved > 0:
            shade = style.engraved
            dark = tuple(c * (1 - 0.6 * shade) for c in colour)
            _circle(image, (x + lx * radius * 0.15, y + ly * radius * 0.15), radius * 0.8, dark)  # type: ignore[arg-type]
            _circle(image, (x - lx * radius * 0.1, y - ly * radius * 0.1), radius * 0.68, colour)
            if rng.random() < 0.6 * shade:
                bright = tuple(min(255.0, c + 150 * shade) for c in colour)
                spot = (x - lx * radius * 0.4, y - ly * radius * 0.4)
                _circle(image, spot, radius * rng.uniform(0.15, 0.38), bright)  # type: ignore[arg-type]
        elif style.ring:
            _circle(image, (x, y), radius * 0.45, style.body)
    if not style.chinese and style.pin_radius > 0:
        centre = (length / 2 - 0.5, width / 2 - 0.5)
        _circle(image, centre, style.pin_radius * width, (70, 140 + rng.uniform(-30, 50), 180 + rng.uniform(-30, 50)))
        spot = (centre[0] - lx * style.pin_radius * width * 0.4, centre[1] - ly * style.pin_radius * width * 0.4)
        _circle(image, spot, style.pin_radius * width * 0.45, (150, 220, 245))
    if style.film > 0 and rng.random() < 0.5:
        _film(image, style.film, rng)
    return _polished(image, style.gloss, rng)


def draw_back(style: SetStyle, length_px: int, rng: Rng) -> NDArray[np.uint8]:
    """A back: plain, framed, or with a logo; (width, length, 3) uint8 BGR."""
    length, width = length_px, max(8, round(length_px / style.aspect))
    image = _body(style, style.back, length, width, rng)
    centre = (length // 2, width // 2)
    ink = style.logo_colour
    line = max(1, round(width * 0.04))
    if style.back_logo == 1:
        cv2.circle(image, centre, round(width * 0.3), ink, line, cv2.LINE_AA)
        cv2.circle(image, centre, round(width * 0.17), ink, rng.choice([line, -1]).item(), cv2.LINE_AA)
    elif style.back_logo == 2:
        text = "".join(rng.choice(list("ABDEGKMNORSTX"), rng.integers(2, 6)))
        (tw, th), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 1.0, 2)
        along = rng.random() < 0.5
        room = (length if along else width) * 0.78
        size = min(room / max(tw, 1), (width if along else length) * 0.45 / max(th, 1))
        stamp = np.zeros((th + 16, tw + 16), np.uint8)
        cv2.putText(stamp, text, (8, th + 8), cv2.FONT_HERSHEY_DUPLEX, 1.0, 255, 3, cv2.LINE_AA)
        stamp = cv2.resize(stamp, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
        if not along:
            stamp = np.ascontiguousarray(stamp.T[::-1])
        sy, sx = min(stamp.shape[0], width), min(stamp.shape[1], length)
        stamp = stamp[:sy, :sx]
        y, x = (width - sy) // 2, (length - sx) // 2
        share = stamp[..., None] / 255.0
        part = image[y : y + sy, x : x + sx]
        part[:] = (part * (1 - share) + np.array(ink) * share).astype(np.uint8)
        if rng.random() < 0.5:
            cv2.line(
                image, (round(length * 0.62), round(width * 0.1)), (round(length * 0.62), round(width * 0.9)), ink, line
            )
    elif style.back_logo == 3:
        cv2.rectangle(image, (line * 2, line * 2), (length - line * 2, width - line * 2), ink, line)
    elif style.back_logo == 4:
        for k in range(-width, length, max(4, width // 4)):
            cv2.line(image, (k, 0), (k + width, width), ink, 1, cv2.LINE_AA)
            cv2.line(image, (k + width, 0), (k, width), ink, 1, cv2.LINE_AA)
    elif style.back_logo == 5:
        axes = (round(length * 0.3), round(width * 0.3))
        cv2.ellipse(image, centre, axes, 0, 0, 360, ink, rng.choice([line, -1]).item(), cv2.LINE_AA)
    if style.film > 0 and rng.random() < 0.5:
        _film(image, style.film, rng)
    return _polished(image, style.gloss, rng)


def _polished(image: NDArray[np.uint8], gloss: float, rng: Rng) -> NDArray[np.uint8]:
    """A window's light over the whole face: faces lie a little askew, so each throws back another part of it."""
    if gloss <= 0:
        return image
    h, w = image.shape[:2]
    clouds = rng.normal(0, 1, (int(rng.integers(2, 4)), int(rng.integers(2, 6)))).astype(np.float32)
    light = rng.uniform(-0.3, 1.0) + rng.uniform(0.0, 0.5) * cv2.resize(clouds, (w, h), interpolation=cv2.INTER_CUBIC)
    return np.clip(image + (230 * gloss * np.clip(light, 0, 1))[..., None], 0, 255).astype(np.uint8)


def _film(image: NDArray[np.uint8], strength: float, rng: Rng) -> None:
    """White streaks as a lamp makes on clear film or gloss; some run across pips."""
    width, length = image.shape[:2]
    layer = np.zeros((width, length), np.float32)
    for _ in range(rng.integers(1, 4)):
        x, y = rng.uniform(0, length), rng.uniform(0, width)
        angle = rng.uniform(0, np.pi)
        reach = rng.uniform(0.05, 0.5) * width
        ends = np.array(
            [
                [x - np.cos(angle) * reach, y - np.sin(angle) * reach],
                [x + np.cos(angle) * reach, y + np.sin(angle) * reach],
            ]
        )
        thick = max(1, round(rng.uniform(0.01, 0.07) * width))
        cv2.line(layer, *np.round(ends).astype(int).tolist(), rng.uniform(0.3, 1.0), thick, cv2.LINE_AA)
    layer = cv2.GaussianBlur(layer, (0, 0), max(0.5, 0.012 * width)) * strength
    image[:] = np.clip(image + (255 - image.astype(np.float32)) * layer[..., None], 0, 255).astype(np.uint8)
