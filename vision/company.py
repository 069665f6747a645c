"""Tiles of one set have one colour: what is doubtful alone is surer where its colour is that of one that is sure.

A gap between two tiles has a tile's shape, and two cells of a board's grid have its bar, too; but both have the table's
colour. Measured on 700 held-out drawn scenes (logistic fits of what doubtful places turned out to be): of the backs
said to be 0.3 to 0.8 sure, 78 in 100 were backs where a sure back had their colour, 11 where all sure ones had another.
Whether the other tile lies beside the doubtful one told nothing more. Where the outline is exact, as on a calibrated
table, the edges of a back tell as much again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.confidence import Sureness
from vision.edges import weakest_edge
from vision.places import Place
from vision.quads import Quad
from vision.reader import DOWN, NONE, UP
from vision.sides import filled

SURE, SURELY_TILE = 0.9, 0.7
"""From there on a place needs no company, and is company to others."""
ALIKE, UNLIKE = 12.0, 25.0
"""Distances in CIELAB (8 bit), up to which two colours are one, and from which they are two."""
UNLIKE_HUE = 10.0  # the same without lightness, for backs: polished as they are, each throws back another light
FEWEST_PX = 8  # of an outline that tell its colour
EDGE_BLUR = 0.1  # added to vision.edges.weakest_edge before its logarithm is taken


@dataclass(frozen=True, slots=True)
class _Weights:
    """Log-odds of (what is read, a tile at all)."""

    alike: tuple[float, float]  # to one that is sure
    unlike: tuple[float, float]  # to all that are sure, where there are some
    edge: tuple[float, float] = (0.0, 0.0)  # for each e-fold of the weakest edge


BACK = _Weights((0.4, 0.4), (-3.1, -1.6))
EXACT_BACK = _Weights((1.5, 2.4), (-3.2, -2.4), (0.9, 1.1))
FACE = _Weights((0.3, 0.3), (-0.5, -0.7))
PLAIN = _Weights((-0.5, 0.2), (-1.5, -1.3))  # a face without pips; so is one whose pips the glare hides
EXACT_PLAIN = _Weights((0.7, 1.9), (-2.4, -0.9))


def with_company(image_bgr: NDArray[np.uint8], places: list[Place], gain: float, exact: bool) -> list[Place]:
    """The places, the doubtful ones as sure as the colours of the sure ones make them.

    Outlines are px of the picture, and `exact` where the table's plane and the tiles' size made them; `gain` evens out
    the exposure, see vision.normal.
    """
    doubtful = [_named(p) < SURE and _is_read_so(p) for p in places]
    if not any(doubtful):
        return places
    company = [p for p in places if _named(p) >= SURE and p.sure.tile >= SURELY_TILE]
    colours = {back: _colours(image_bgr, [p for p in company if _is_back(p) == back]) for back in (False, True)}
    return [
        _in_company(image_bgr, p, colours[_is_back(p)], gain, exact) if doubts else p
        for p, doubts in zip(places, doubtful, strict=True)
    ]


def _named(place: Place) -> float:
    return max(place.sure.right, place.sure.back)


def _is_read_so(place: Place) -> bool:
    """Does the reader itself see a back or a face there rather than nothing? A tile's dark side has a back's colour."""
    states = place.reading.states
    return bool(states[DOWN if _is_back(place) else UP] > states[NONE])


def _is_back(place: Place) -> bool:
    return place.sure.back > place.sure.right


def _in_company(
    image_bgr: NDArray[np.uint8], place: Place, others: NDArray[np.float64], gain: float, exact: bool
) -> Place:
    weights, sure = _weights(place, exact), place.sure
    colour = _colour(image_bgr, place.quad_px)
    named = tile = 0.0
    if colour is not None and len(others):
        apart = (others - colour) * gain
        nearest, nearest_hue = np.linalg.norm(apart, axis=1).min(), np.linalg.norm(apart[:, 1:], axis=1).min()
        if nearest < ALIKE:
            named, tile = weights.alike
        elif (nearest_hue > UNLIKE_HUE) if _is_back(place) else (nearest > UNLIKE):
            named, tile = weights.unlike
    if weights.edge != (0.0, 0.0):
        edge = float(np.log(weakest_edge(image_bgr, place.quad_px) + EDGE_BLUR))
        named, tile = named + weights.edge[0] * edge, tile + weights.edge[1] * edge
    right, back = (0.0, named) if _is_back(place) else (named, 0.0)
    return replace(place, sure=Sureness(_moved(sure.right, right), _moved(sure.back, back), _moved(sure.tile, tile)))


def _weights(place: Place, exact: bool) -> _Weights:
    if _is_back(place):
        return EXACT_BACK if exact else BACK
    if place.ranked[0][0] == (0, 0):
        return EXACT_PLAIN if exact else PLAIN
    return FACE


def _colours(image_bgr: NDArray[np.uint8], places: list[Place]) -> NDArray[np.float64]:
    """(n, 3) colours of those places that show one."""
    colours = [c for p in places if (c := _colour(image_bgr, p.quad_px)) is not None]
    return np.array(colours, np.float64).reshape(-1, 3)


def _colour(image_bgr: NDArray[np.uint8], quad: Quad) -> NDArray[np.float64] | None:
    """Median colour within an outline, CIELAB of 8 bit; None where it shows next to nothing."""
    middle = quad.mean(0)
    inner = middle + 0.8 * (quad - middle)
    low = np.maximum(np.floor(inner.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(inner.max(0)).astype(int) + 1, image_bgr.shape[1::-1])
    part = np.ascontiguousarray(image_bgr[low[1] : high[1], low[0] : high[0]])
    if not part.size:
        return None
    seen = cv2.cvtColor(part, cv2.COLOR_BGR2LAB)[filled(inner - low, part.shape[:2])].astype(np.float64)
    return np.asarray(np.median(seen, axis=0)) if len(seen) >= FEWEST_PX else None


def _moved(probability: float, log_odds: float) -> float:
    if log_odds == 0:
        return probability
    odds = probability / max(1e-9, 1 - probability) * np.exp(log_odds)
    return float(odds / (1 + odds))
