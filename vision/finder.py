"""Finds tile outlines: runs the localiser over windows of a scaled picture and turns its maps into candidates.

A candidate is rough (a few per cent of a tile); vision.reader makes it exact or throws it out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.birds_eye import BirdsEye
from vision.networks import WINDOWS_PX, LocaliserNet
from vision.normal import picture_gain
from vision.quads import Quad, is_convex, keep_best, length_px, quad_of

CELL_PX = 4
AXIS_PX = 32.0
OVERLAP_PX = 96
SECOND_SCALE = 0.83
GOOD_LENGTH_PX = 42.0  # length of a tile in the localiser's input at which it finds best
LENGTH_RANGE_PX = (17.0, 90.0)
SWEEP_PX = (72, 144, 288, 576, 1152)  # longest side of the scaled picture while the tiles' size is unknown
LEAST_SCORE = 0.18
SAME_PLACE = 0.45


@dataclass(frozen=True, slots=True)
class Candidate:
    """Perhaps a tile: outline in the full picture's px, score 0..1, probability that it lies face up."""

    quad_px: Quad
    score: float
    up: float


@dataclass(frozen=True, slots=True)
class Found:
    """What the localiser says of one picture."""

    candidates: list[Candidate]  # all peaks, many of them in one place
    inside: NDArray[np.float32]  # (rows, columns): probability that a cell lies on a tile
    to_cells: Callable[[Quad], Quad]  # points of the picture in cells

    def and_also(self, more: list[Candidate]) -> Found:
        """The same with candidates from elsewhere."""
        return Found(self.candidates + more, self.inside, self.to_cells)

    @staticmethod
    def nothing() -> Found:
        """Of a picture without tiles."""
        return Found([], np.zeros((1, 1), np.float32), lambda quad: quad * 0)

    def seen_through(self, view: BirdsEye, corner_px: NDArray[np.float64]) -> Found:
        """The same, found in a view from above, told in px of the picture's part that begins at `corner_px`."""
        candidates = [Candidate(view.to_picture(c.quad_px) - corner_px, c.score, c.up) for c in self.candidates]
        seen = [c for c in candidates if np.isfinite(c.quad_px).all() and is_convex(c.quad_px)]
        return Found(seen, self.inside, lambda quad: self.to_cells(view.from_picture(quad + corner_px)))

    def share_inside(self, quad: Quad) -> float:
        """Mean of `inside` over the outline."""
        return self.shares_inside([quad])[0]

    def shares_inside(self, quads: list[Quad], free: NDArray[np.bool_] | None = None) -> list[float]:
        """Mean of `inside` over each outline, counting only cells that are `free`."""
        if not quads:
            return []
        values = self.inside if free is None else np.where(free, self.inside, 0.0).astype(np.float32)
        all_cells = self.to_cells(np.concatenate(quads)).reshape(-1, 4, 2)
        most = np.array(values.shape[::-1])
        lows = np.clip(np.nan_to_num(np.floor(all_cells.min(1)), nan=0.0), 0, most).astype(int)
        highs = np.clip(np.nan_to_num(np.ceil(all_cells.max(1)), nan=0.0) + 1, 0, most).astype(int)
        out = []
        for cells, low, high in zip(all_cells, lows, highs, strict=True):
            mask = np.zeros((max(0, high[1] - low[1]), max(0, high[0] - low[0])), np.uint8)
            if mask.size:
                cv2.fillConvexPoly(mask, np.round((cells - low) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
            part = values[low[1] : high[1], low[0] : high[0]]
            out.append(float(cv2.mean(part, mask)[0]) if mask.any() else 0.0)
        return out

    def cells_of(self, quad: Quad) -> NDArray[np.bool_]:
        """The cells inside an outline, as a mask of the shape of `inside`."""
        mask = np.zeros(self.inside.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(self.to_cells(quad) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        return np.asarray(mask > 0)


class Finder:
    """Candidates of a picture, at a known tile size or over all sizes."""

    def __init__(self) -> None:
        self._net = LocaliserNet()

    def find(self, image_bgr: NDArray[np.uint8], tile_px: float) -> list[Candidate]:
        """The best candidate of each place; tile_px is the usual length of a tile in the picture."""
        return thinned(self.search(image_bgr, tile_px, picture_gain(image_bgr)).candidates)

    def search(self, image_bgr: NDArray[np.uint8], tile_px: float, gain: float) -> Found:
        """All that the localiser sees, as it is and mirrored at another scale; where they differ the reader decides."""
        scale = GOOD_LENGTH_PX / tile_px
        first = self._at_scale(image_bgr, scale, gain)
        mirrored = np.ascontiguousarray(image_bgr[:, ::-1])
        second = self._at_scale(mirrored, scale * SECOND_SCALE, gain)
        right = image_bgr.shape[1] - 1
        back = [
            Candidate((np.array([right, 0]) + c.quad_px * np.array([-1, 1]))[[3, 2, 1, 0]], c.score, c.up)
            for c in second.candidates
        ]
        return Found(first.candidates + back, first.inside, first.to_cells)

    def sweep(self, image_bgr: NDArray[np.uint8], gain: float) -> list[list[Candidate]]:
        """The best candidates at a few scales, for a picture whose tiles may have any size."""
        out = []
        longest = max(image_bgr.shape[:2])
        for side in SWEEP_PX:
            if side > SWEEP_PX[0] and side > 2.2 * longest:
                break
            out.append(thinned(self._at_scale(image_bgr, side / longest, gain).candidates))
        return out

    def _at_scale(self, image_bgr: NDArray[np.uint8], scale: float, gain: float) -> Found:
        h, w = image_bgr.shape[:2]
        size = (max(8, round(w * scale)), max(8, round(h * scale)))
        shape = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(image_bgr, size, interpolation=shape)
        step = np.array([w / size[0], h / size[1]])
        inside = np.zeros((-(-size[1] // CELL_PX), -(-size[0] // CELL_PX)), np.float32)
        out: list[Candidate] = []
        side = WINDOWS_PX[0] if max(size) <= WINDOWS_PX[0] else WINDOWS_PX[1]
        for y in _starts(size[1], side):
            for x in _starts(size[0], side):
                part = small[y : y + side, x : x + side]
                below, right = side - part.shape[0], side - part.shape[1]
                if below or right:
                    part = cv2.copyMakeBorder(part, 0, below, 0, right, cv2.BORDER_REPLICATE)
                blob = part[..., ::-1].astype(np.float32) * (gain / 255.0) - 0.5
                maps = self._net.run(np.ascontiguousarray(blob.transpose(2, 0, 1)))
                reach = (min(side, size[0] - x), min(side, size[1] - y))
                for middle, u, v, score, up in _peaks(maps, reach):
                    quad = (quad_of(middle + np.array([x, y]), u, v) + 0.5) * step - 0.5
                    out.append(Candidate(quad, score, up))
                into = inside[
                    y // CELL_PX : y // CELL_PX + side // CELL_PX, x // CELL_PX : x // CELL_PX + side // CELL_PX
                ]
                shares = 1.0 / (1.0 + np.exp(-maps[8, : into.shape[0], : into.shape[1]]))
                np.maximum(into, shares, out=into)
        return Found(out, inside, lambda quad: (quad + 0.5) / (step * CELL_PX) - 0.5)


def _starts(length: int, side: int) -> list[int]:
    if length <= side:
        return [0]
    count = int(np.ceil((length - OVERLAP_PX) / (side - OVERLAP_PX)))
    return [round(k * (length - side) / max(1, count - 1) / CELL_PX) * CELL_PX for k in range(count)]


def _peaks(
    maps: NDArray[np.float32], reach_px: tuple[int, int]
) -> list[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float, float]]:
    """Centre, half long axis, half short axis (all in window px), score and face-up probability of each peak."""
    heat = 1.0 / (1.0 + np.exp(-maps[0]))
    top = heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)) - 1e-7
    rows, columns = np.nonzero(top & (heat > LEAST_SCORE))
    smooth = np.stack([cv2.blur(m, (3, 3)) for m in maps])
    out = []
    for r, c in zip(rows.tolist(), columns.tolist(), strict=True):
        values = smooth[:, r, c].astype(np.float64)
        values[1:3] = maps[1:3, r, c]  # the way to the centre differs from cell to cell, the shape does not
        middle = (np.array([c, r]) + 0.5) * CELL_PX - 0.5 + values[1:3] * AXIS_PX
        long, wide = np.hypot(values[3], values[4]) * AXIS_PX, np.hypot(values[5], values[6]) * AXIS_PX
        if not LENGTH_RANGE_PX[0] <= 2 * long <= LENGTH_RANGE_PX[1] or not 0.15 * long < wide < 1.3 * long:
            continue
        if middle[0] > reach_px[0] + 2 or middle[1] > reach_px[1] + 2:
            continue
        tu, tv = np.arctan2(values[4], values[3]) / 2, np.arctan2(values[6], values[5]) / 2
        u = long * np.array([np.cos(tu), np.sin(tu)])
        v = wide * np.array([np.cos(tv), np.sin(tv)])
        if abs(u[0] * v[1] - u[1] * v[0]) < 0.3 * long * wide:
            continue
        out.append((middle, u, v, float(heat[r, c]), float(1 / (1 + np.exp(-values[7])))))
    return out


def thinned(found: Sequence[Candidate], most_shared: float = SAME_PLACE, most: int | None = None) -> list[Candidate]:
    """The best of those that claim one place, `most` at the most."""
    kept = keep_best([c.quad_px for c in found], [c.score for c in found], most_shared, most)
    return [found[i] for i in kept]


def usual_length_px(found: list[Candidate], sure: list[float]) -> float | None:
    """The length the surest candidates agree on: the mode of log length, wide enough for perspective.

    At a wrong scale pips and halves make many doubtful peaks; a few sure ones, and larger ones, count for more.
    """
    if not found or not any(sure):
        return None
    lengths = np.log([length_px(c.quad_px) for c in found])
    weights = np.asarray(sure) ** 3 * np.exp(lengths)
    votes = np.exp(-((lengths[:, None] - lengths[None, :]) ** 2) / (2 * 0.18**2)) @ weights
    near = np.abs(lengths - lengths[int(votes.argmax())]) < 0.4
    return float(np.exp(np.average(lengths[near], weights=weights[near])))
