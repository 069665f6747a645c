"""Painted tables that are filmed and tracked, on plain, flowered and unmarked cloth."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.table_file import SeatStrip
from table import events
from table.tracking import Tracker
from tests.painted import CLOTH, STRIPS, TILE_MM, PaintedEye, Table, plane
from vision.sources.frames import Frame
from vision.sources.pictures import Image

Arm = tuple[tuple[float, float], tuple[float, float]]
Tiles = tuple[tuple[str, float, float, float], ...]
RATE = 10.0
BOTTOM, TOP = (300.0, 480.0), (300.0, -40.0)


class Film:
    """A painted table that is filmed at ten frames a second and tracked."""

    def __init__(
        self,
        strips: Sequence[SeatStrip] = STRIPS,
        yard_mm: tuple[float, float, float, float] | None = None,
        once: bool = True,
    ) -> None:
        self.table, self.eye = Table(), PaintedEye("auto", plane(), TILE_MM)
        self.tracker = Tracker(self.eye, plane(), TILE_MM, strips, yard_mm, once)
        self.facts: list[events.Fact] = []
        self._count = 0

    @property
    def t(self) -> float:
        """The time of the next frame."""
        return self._count / RATE

    def show(self, *arms: Arm, noise: float = 1.0) -> list[events.Fact]:
        """One frame; what it made certain."""
        self.table.arms = list(arms)
        new = self.tracker.observe(Frame(self.t, self.table.picture(noise, self._count)))
        self._count += 1
        self.facts += new
        return new

    def rest(self, seconds: float = 1.2) -> list[events.Fact]:
        """Nothing happens for a while."""
        return [fact for _ in range(round(seconds * RATE)) for fact in self.show()]

    def reach(self, start: tuple[float, float], to: tuple[float, float], lay: str | None = None) -> list[events.Fact]:
        """An arm comes in, lays (or, with -, takes) a tile where it gets to, and leaves."""
        new = []
        steps = [start[1] + (to[1] - start[1]) * k / 4 for k in range(1, 5)]
        for y in steps:
            new += self.show((start, (to[0], y)))
        if lay and lay.startswith("-"):
            self.table.take(lay[1:])
        elif lay:
            self.table.lay(lay, to[0], to[1], 0)
        for y in reversed(steps):
            new += self.show((start, (to[0], y)))
        return new


def kinds(facts: Sequence[events.Fact]) -> list[tuple[str, str]]:
    return [(f.type, f.tile if isinstance(f, events.OfTile) else "") for f in facts]


def seats(facts: Sequence[events.Fact]) -> list[tuple[int | None, str | None]]:
    return [(f.seat, f.seat_by) for f in facts if isinstance(f, events.OfTile)]


def started(*tiles: tuple[str, float, float, float], yard_mm: tuple[float, float, float, float] | None = None) -> Film:
    """A film whose first settled picture shows these tiles."""
    film = Film(yard_mm=yard_mm)
    for face, x, y, angle in tiles:
        film.table.lay(face, x, y, angle)
    film.rest()
    return film


LINE = (("6-6", 250.0, 220.0, 90.0), ("6-4", 290.0, 220.0, 0.0), ("4-1", 342.0, 220.0, 0.0))


def _on_a_cloth(picture: Image, cloth: Image, shift_px: tuple[float, float]) -> Image:
    """A picture whose bare table shows a cloth, moved as a bumped camera sees it, right to the rim."""
    bare = (picture < 120).all(axis=2, keepdims=True)
    out = np.where(bare, cloth, picture)
    move = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], np.float32)
    return np.asarray(cv2.warpAffine(out, move, (320, 240), borderMode=cv2.BORDER_REPLICATE), np.uint8)


class _ClothTable(Table):
    def unmoved(self) -> Image:
        """The picture before any bump."""
        shift, self.shift_px = self.shift_px, (0.0, 0.0)
        image = super().picture().copy()
        self.shift_px = shift
        return image


class PatternedTable(_ClothTable):
    """Lies on a cloth with flowers."""

    def picture(self, noise: float = 0.0, seed: int = 0) -> Image:
        image = self.unmoved()
        flowers = np.zeros(image.shape[:2], np.uint8)
        for x, y, size in np.random.default_rng(8).integers([0, 0, 3], [320, 240, 8], (160, 3)).tolist():
            cv2.circle(flowers, (x, y), size, 90, -1)
        cloth = np.where(flowers[..., None] > 0, np.array([90, 110, 100], np.uint8), image)
        return _on_a_cloth(image, cloth, self.shift_px)


class BareTable(_ClothTable):
    """Lies on a cloth without any mark."""

    def picture(self, noise: float = 0.0, seed: int = 0) -> Image:
        image = self.unmoved()
        moved = _on_a_cloth(image, np.full_like(image, CLOTH), self.shift_px)
        grain = np.random.default_rng(seed).normal(0, noise, moved.shape)
        return np.asarray(np.clip(moved + grain, 0, 255), np.uint8)


MORE = (*LINE, ("5-2", 150.0, 350.0, 30.0), ("3-0", 450.0, 100.0, 0.0))


def over(table: Table, *tiles: tuple[str, float, float, float]) -> Film:
    """A film of this table, with an eye that knows where the camera is; its first settled picture shows the tiles."""
    film = Film()
    film.table = table
    film.tracker = Tracker(film.eye, plane(), TILE_MM, STRIPS, eye_for=lambda moved: PaintedEye("auto", moved, TILE_MM))
    for face, x, y, angle in tiles:
        film.table.lay(face, x, y, angle)
    film.rest()
    return film


def still(table: Table, t: float) -> Frame:
    return Frame(t, table.picture(), settled=True)
