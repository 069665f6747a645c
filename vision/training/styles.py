"""Random looks of sets of tiles: bodies, pips, bars, pins, backs. Wide on purpose; no real set is imitated."""

from __future__ import annotations

import colorsys

import numpy as np

from vision.training.faces import Colour, Rng, SetStyle


def hue(rng: Rng, low_value: float, high_value: float, least_sat: float = 0.0, most_sat: float = 1.0) -> Colour:
    """A random BGR colour of the wanted brightness (0..1) and saturation."""
    r, g, b = colorsys.hsv_to_rgb(rng.random(), rng.uniform(least_sat, most_sat), rng.uniform(low_value, high_value))
    return (b * 255, g * 255, r * 255)


def near(colour: Colour, spread: float, rng: Rng) -> Colour:
    """A colour close to the given one."""
    return tuple(float(np.clip(c + rng.normal(0, spread), 0, 255)) for c in colour)  # type: ignore[return-value]


def scaled(colour: Colour, share: float) -> Colour:
    """The colour made darker or brighter."""
    return tuple(float(np.clip(c * share, 0, 255)) for c in colour)  # type: ignore[return-value]


def _body(rng: Rng, chinese: bool) -> tuple[Colour, bool]:
    kind = rng.random()
    if chinese:
        if kind < 0.78:
            return near((32, 30, 30), 9, rng), False
        if kind < 0.88:
            return near((205, 225, 235), 12, rng), True
        return hue(rng, 0.1, 0.35), False
    if kind < 0.36:
        level = rng.uniform(225, 255)
        return near((level, level, level), 4, rng), True
    if kind < 0.58:
        return near((195, 222, 235), 14, rng), True
    if kind < 0.74:
        return near((38, 36, 36), 14, rng), False
    if kind < 0.83:
        return hue(rng, 0.25, 0.6, 0.4, 1.0), False
    if kind < 0.89:
        return hue(rng, 0.75, 1.0, 0.1, 0.6), True
    return near((105, 150, 190), 25, rng) if rng.random() < 0.7 else near((60, 90, 130), 15, rng), True


def random_style(rng: Rng, chinese: bool | None = None, most: int | None = None) -> SetStyle:
    """One set of tiles."""
    if chinese is None:
        chinese = bool(rng.random() < 0.24)
    if most is None:
        most = int(rng.choice([6, 9, 12], p=[0.58, 0.10, 0.32]))
    if chinese:
        most = 6
    body, light = _body(rng, chinese)
    dark_body = sum(body) / 3 < 110
    white: Colour = near((238, 240, 240), 10, rng)
    scheme = rng.random()
    if chinese:
        colours = [white if dark_body else near((25, 25, 25), 12, rng)] * 13
    elif dark_body:
        one = white if scheme < 0.72 else hue(rng, 0.8, 1.0, 0.0, 0.7)
        colours = [one] * 13
    elif scheme < 0.46:
        colours = [near((24, 24, 24), 14, rng)] * 13
    elif scheme < 0.60:
        colours = [hue(rng, 0.15, 0.75, 0.4, 1.0)] * 13
    elif scheme < 0.66:
        colours = [scaled(body, rng.uniform(0.6, 0.78))] * 13
    else:
        colours = [hue(rng, 0.2, 0.98, 0.45, 1.0) for _ in range(13)]
        for k in range(13):
            if rng.random() < 0.16:
                colours[k] = near((rng.uniform(40, 175),) * 3, 6, rng)
    red: Colour = (rng.uniform(15, 70), rng.uniform(10, 60), rng.uniform(130, 235))
    colours = [*colours, red]
    if chinese:
        aspect = rng.uniform(2.1, 2.65)
        pip_radius, spread = rng.uniform(0.095, 0.165), rng.uniform(0.85, 1.2) * 0.5 / 0.72
    else:
        aspect = rng.normal(2.0, 0.07) if rng.random() < 0.8 else rng.uniform(1.55, 2.4)
        pip_radius = rng.uniform(0.075, 0.135)
        spread = rng.uniform(0.48, 0.62)
        if most > 6:
            spread = rng.uniform(0.52, 0.66)
            if rng.random() < 0.6:  # most sets with many pips have small ones on every tile
                pip_radius = rng.uniform(0.06, 0.09)
    bar_draw = rng.random()
    bar = 0.0 if bar_draw < 0.06 else rng.uniform(0.015, 0.085)
    bar_colours = [near((25, 25, 25), 10, rng), colours[1], scaled(body, rng.uniform(0.55, 0.8)), hue(rng, 0.2, 0.9)]
    if dark_body:
        bar_colours = [white, colours[1], scaled(body, rng.uniform(1.6, 2.6)), scaled(body, 0.35)]
    bar_colour = bar_colours[int(rng.choice(4, p=[0.5, 0.22, 0.2, 0.08]))]
    if dark_body and rng.random() < 0.1:
        bar_colour = scaled(body, 0.3)
    two_tone = rng.random()
    side = near(body, 8, rng)
    back = near(body, 4, rng)
    if two_tone < 0.12:
        side = hue(rng, 0.1, 0.7)
        back = side
    elif two_tone < 0.2:
        back = hue(rng, 0.1, 0.9)
    thickness = rng.uniform(0.25, 0.62) if rng.random() < 0.85 else rng.uniform(0.01, 0.15)
    return SetStyle(
        chinese=chinese,
        most=most,
        aspect=float(np.clip(aspect, 1.5, 2.7)),
        thickness=float(thickness),
        body=body,
        side=side,
        back=back,
        pip_colours=colours,
        pip_radius=float(pip_radius),
        spread=float(spread),
        bar=float(bar),
        bar_length=float(rng.uniform(0.6, 1.0)),
        bar_colour=bar_colour,
        pin_radius=float(rng.uniform(0.04, 0.085)) if rng.random() < 0.3 else 0.0,
        corner=float(rng.choice([0.0, rng.uniform(0.03, 0.2)], p=[0.2, 0.8])),
        bevel=float(rng.uniform(0.03, 0.12)) if rng.random() < 0.7 else 0.0,
        engraved=float(rng.uniform(0.2, 1.0)) if rng.random() < 0.65 else 0.0,
        grain=float(rng.uniform(3, 16)) if rng.random() < 0.35 else 0.0,
        film=float(rng.uniform(0.3, 1.0)) if rng.random() < 0.18 else 0.0,
        back_logo=int(rng.integers(1, 6)) if rng.random() < 0.4 else 0,
        turned=bool(rng.random() < 0.12),
        mirrored=bool(rng.random() < 0.5),
        variant=int(rng.integers(0, 16)),
        pitch=float(rng.uniform(0.68, 1.0)) if rng.random() < 0.5 else 1.0,
        crowded=float(rng.uniform(0, 1)),
        ring=bool(rng.random() < 0.03),
        rim=float(rng.uniform(0.0, 1.0)),
        gloss=float(rng.uniform(0.1, 0.9)) if rng.random() < (0.4 if dark_body else 0.25) else 0.0,
        logo_colour=hue(rng, 0.1, 0.9) if rng.random() < 0.5 else scaled(back, 0.5 if light else 2.2),
    )
