"""Tiles of one set have one colour: what is doubtful alone is surer where its colour is that of one that is sure.

A gap between two tiles has a tile's shape, and two cells of a board's grid have its bar, too; but both have the table's
colour. Measured on 700 held-out drawn scenes (logistic fits of what doubtful places turned out to be): of the backs
said to be 0.3 to 0.8 sure, 78 in 100 were backs where a sure back had their colour, 11 where all sure ones had another.
Whether the other tile lies beside the doubtful one told nothing more. Where the outline is exact, as on a calibrated
table, so do a back's edges and what is drawn on it (750 more scenes, 550 doubtful backs).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.confidence import Sureness
from vision.edges import weakest_edge
from vision.likeness import Picture, contrast, likeness, picture_of
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
USUAL_LIKENESS = 0.3  # of two backs' pictures; light alone makes plain ones a little alike


LogOdds = tuple[float, float]
"""Of what is read (a back, or the face), and of a tile at all."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each piece of evidence counts, see `Evidence`; vision.training.company fits them."""

    alike: LogOdds
    unlike: LogOdds
    edge: LogOdds = (0.0, 0.0)
    picture: LogOdds = (0.0, 0.0)
    alone: LogOdds = (0.0, 0.0)


BACK = Weights((0.4, 0.4), (-3.1, -1.6), alone=(0.0, -1.0))
EXACT_BACK = Weights((0.9, 1.6), (-2.9, -2.2), (0.5, 0.55), (3.0, 2.0), alone=(0.0, -1.0))
FACE = Weights((0.3, 0.3), (-0.5, -0.7))
# A face without pips; so is one whose pips the glare hides, and two cells of a board's grid. The weights of being alone
# are for these as fitted, for backs less: often just a part of the table is looked at, which may well show only one.
PLAIN = Weights((-0.5, 0.2), (-1.5, -1.3), alone=(-2.1, -1.6))
EXACT_PLAIN = Weights((0.7, 1.9), (-2.4, -0.9), alone=(-2.5, -1.0))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a doubtful place has in common with the sure ones of its kind."""

    alone: bool  # there are none, or it shows no colour
    alike: bool  # one of them has its colour
    unlike: bool  # all of them have another
    edge: float = 0.0  # logarithm of how its weakest edge shows; exact backs only, as the next
    picture: float = 0.0  # how much more than usual it bears what they bear, times how plainly that shows


def with_company(image_bgr: NDArray[np.uint8], places: list[Place], gain: float, exact: bool) -> list[Place]:
    """The places, the doubtful ones as sure as their likeness to the sure ones makes them.

    Outlines are px of the picture, and `exact` where the table's plane and the tiles' size made them; `gain` evens out
    the exposure, see vision.normal.
    """
    if not any(is_doubtful(p) for p in places):
        return places
    company = Company(image_bgr, places, gain)
    return [_weighed(p, company.evidence(p, exact), weights_of(p, exact)) if is_doubtful(p) else p for p in places]


def is_doubtful(place: Place) -> bool:
    """Does the reader see a back or face rather than nothing, if not surely? A tile's dark side has a back's colour."""
    states = place.reading.states
    return _named(place) < SURE and bool(states[DOWN if is_back(place) else UP] > states[NONE])


def is_back(place: Place) -> bool:
    """Is it rather a back than the face that is read?"""
    return place.sure.back > place.sure.right


def weights_of(place: Place, exact: bool) -> Weights:
    """Those of its kind."""
    if is_back(place):
        return EXACT_BACK if exact else BACK
    if place.ranked[0][0] == (0, 0):
        return EXACT_PLAIN if exact else PLAIN
    return FACE


class Company:
    """What the sure backs and faces of one picture look like."""

    def __init__(self, image_bgr: NDArray[np.uint8], places: list[Place], gain: float) -> None:
        sure = [p for p in places if _named(p) >= SURE and p.sure.tile >= SURELY_TILE]
        self._image, self._gain = image_bgr, gain
        self._of_kind = {back: [p.quad_px for p in sure if is_back(p) == back] for back in (False, True)}

    @cached_property
    def _colours(self) -> dict[bool, list[NDArray[np.float64]]]:
        shown = {back: [_colour(self._image, quad) for quad in quads] for back, quads in self._of_kind.items()}
        return {back: [c for c in colours if c is not None] for back, colours in shown.items()}

    @cached_property
    def _pictures(self) -> list[Picture]:
        return [picture_of(self._image, quad, self._gain) for quad in self._of_kind[True]]

    def evidence(self, place: Place, exact: bool) -> Evidence:
        """What it has in common with the others; with its edges and picture too if it is an exact back."""
        back, quad = is_back(place), place.quad_px
        colour, others = _colour(self._image, quad), self._colours[back]
        if colour is None or not others:
            return Evidence(alone=True, alike=False, unlike=False)
        edge = picture = 0.0
        if back and exact:
            edge = float(np.log(weakest_edge(self._image, quad) + EDGE_BLUR))
            plainly = float(np.log1p(np.median([contrast(one) for one in self._pictures])))
            picture = (likeness(picture_of(self._image, quad, self._gain), self._pictures) - USUAL_LIKENESS) * plainly
        apart = (np.array(others) - colour) * self._gain
        nearest, nearest_hue = np.linalg.norm(apart, axis=1).min(), np.linalg.norm(apart[:, 1:], axis=1).min()
        alike = bool(nearest < ALIKE)
        unlike = not alike and bool(nearest_hue > UNLIKE_HUE if back else nearest > UNLIKE)
        return Evidence(alone=False, alike=alike, unlike=unlike, edge=edge, picture=picture)


def _weighed(place: Place, evidence: Evidence, weights: Weights) -> Place:
    named, tile = (
        evidence.alike * weights.alike[k]
        + evidence.unlike * weights.unlike[k]
        + evidence.edge * weights.edge[k]
        + evidence.picture * weights.picture[k]
        + evidence.alone * weights.alone[k]
        for k in (0, 1)
    )
    sure = place.sure
    if is_back(place):
        return replace(place, sure=Sureness(sure.right, _moved(sure.back, named), _moved(sure.tile, tile)))
    return replace(place, sure=Sureness(_moved(sure.right, named), sure.back, _moved(sure.tile, tile)))


def _named(place: Place) -> float:
    return max(place.sure.right, place.sure.back)


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
