"""Reads candidates: straightens each from the full picture, names its halves, its face, and puts its corners right.

Two rounds: the first on the rough outline tells tile from no tile and corrects the corners, the second reads the
straightened tile both ways round, and again while its corners still move. Pips are counted from the net's pip map
too, and vision.second_reader, which knows nothing of the nets, is asked about what is left; see vision.confidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import canvas_corners, cut
from vision.networks import ReaderNet
from vision.quads import Quad, half_turned, is_convex, length_px
from vision.second_reader import second_look

CORNER_PX = 8.0
UP, DOWN, UNCLEAR, NONE = range(4)
SHARPEST_PX = 150.0  # a tile longer than this in the picture is shrunk before its crop is cut, against aliasing
PIP_SEEN = 0.4
ASKEW_PX = 2.5  # of crop: about a fiftieth of a tile's length
MOST_AGAIN = 3  # times an outline that keeps moving is read again


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader says of one candidate."""

    quad_px: Quad
    values: NDArray[np.float64]  # (13, 13) probability of half a, half b
    states: NDArray[np.float64]  # (4,) up, down, unclear, none
    counted: tuple[int, int]  # pips counted in the two halves
    moved_px: float  # how far the corners moved in the last round, in crop px
    agree: float  # share of probability the two ways round have in common, 0..1


class Reader:
    """Reads outlines of one picture."""

    def __init__(self) -> None:
        self._net = ReaderNet()

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        quads: list[Quad],
        least: float = 0.1,
        fitted: Callable[[Quad], Quad] = lambda quad: quad,
    ) -> list[Reading | None]:
        """A reading for each outline, None where there is no tile (probability of a tile below `least`).

        `fitted` brings an outline to the size it must have, where that is known.
        """
        if not quads:
            return []
        quads = [fitted(q) for q in quads]
        shrunk = _Shrunk(image_bgr)
        numbers, _ = self._net.run([shrunk.cut(q) for q in quads])
        states = _softmax(numbers[:, 26:30])
        alive = [i for i in range(len(quads)) if 1 - states[i, NONE] >= least]
        better = {i: fitted(moved(quads[i], numbers[i, 30:38], 1.0)) for i in alive}
        out: list[Reading | None] = [None] * len(quads)
        for i, reading in zip(alive, self._both_ways(shrunk, [better[i] for i in alive]), strict=True):
            out[i] = reading
        # an outline that still moved was read askew: read it again where it lies now
        askew = alive
        for _ in range(MOST_AGAIN):
            askew = [i for i in askew if (r := out[i]) is not None and r.moved_px > ASKEW_PX and r.states[NONE] < 0.9]
            again = self._both_ways(shrunk, [fitted(r.quad_px) for i in askew if (r := out[i]) is not None])
            for i, reading in zip(askew, again, strict=True):
                out[i] = reading
        return out

    def second_looks(
        self, image_bgr: NDArray[np.uint8], quads: list[Quad], chinese: bool | None
    ) -> list[NDArray[np.float64]]:
        """What the second reader says of each outline, (13, 13) as vision.second_reader.second_look."""
        shrunk = _Shrunk(image_bgr)
        return [second_look(shrunk.cut(quad), chinese) for quad in quads]

    def _both_ways(self, shrunk: _Shrunk, quads: list[Quad]) -> list[Reading]:
        if not quads:
            return []
        numbers, pips = self._net.run([shrunk.cut(q) for quad in quads for q in (quad, half_turned(quad))])
        return [
            _reading(quad, numbers[2 * k], numbers[2 * k + 1], pips[2 * k], pips[2 * k + 1])
            for k, quad in enumerate(quads)
        ]


class _Shrunk:
    """The picture and ever smaller copies of it, made when needed."""

    def __init__(self, image_bgr: NDArray[np.uint8]) -> None:
        self._levels = [image_bgr]

    def cut(self, quad: Quad) -> NDArray[np.uint8]:
        level = max(0, int(np.ceil(np.log2(max(length_px(quad), 1.0) / SHARPEST_PX))))
        while len(self._levels) <= level:
            last = self._levels[-1]
            if min(last.shape[:2]) < 4:
                break
            size = (last.shape[1] // 2, last.shape[0] // 2)
            self._levels.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
        level = min(level, len(self._levels) - 1)
        return cut(self._levels[level], (quad + 0.5) / 2**level - 0.5)


def moved(quad: Quad, shifts: NDArray[np.floating], share: float) -> Quad:
    """The outline with its corners where the reader says they are; unchanged if that would fold it."""
    canvas = canvas_corners()
    back = cv2.getPerspectiveTransform(canvas.astype(np.float32), quad.astype(np.float32))
    target = canvas + share * np.clip(shifts.reshape(4, 2) * CORNER_PX, -24, 24)
    corners = np.asarray(cv2.perspectiveTransform(target.reshape(-1, 1, 2), back)[:, 0], np.float64)
    return corners if is_convex(corners) and np.isfinite(corners).all() else quad


def _reading(
    quad: Quad,
    one: NDArray[np.float32],
    other: NDArray[np.float32],
    pips: NDArray[np.float32],
    pips_other: NDArray[np.float32],
) -> Reading:
    a = (one[:13] + other[13:26]) / 2
    b = (one[13:26] + other[:13]) / 2
    values = _softmax(a[None])[0][:, None] * _softmax(b[None])[0][None, :]
    first = _softmax(one[None, :13])[0][:, None] * _softmax(one[None, 13:26])[0][None, :]
    second = _softmax(other[None, 13:26])[0][:, None] * _softmax(other[None, :13])[0][None, :]
    shift = one[30:38].reshape(4, 2)
    shift_other = -other[30:38].reshape(4, 2)[[2, 3, 0, 1]]
    mean = (shift + shift_other) / 2
    heat = (pips + pips_other[::-1, ::-1]) / 2
    return Reading(
        quad_px=moved(quad, mean.ravel(), 1.0),
        values=values,
        states=_softmax((one[None, 26:30] + other[None, 26:30]) / 2)[0],
        counted=count_pips(heat),
        moved_px=float(np.abs(mean).max() * CORNER_PX),
        agree=float(np.minimum(first, second).sum()),
    )


def count_pips(logits: NDArray[np.floating]) -> tuple[int, int]:
    """Peaks of a pip map (16, 28) left and right of the middle."""
    fine = cv2.resize(1 / (1 + np.exp(-logits)), None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    top = (fine >= cv2.dilate(fine, np.ones((3, 3), np.uint8)) - 1e-7) & (fine > PIP_SEEN)
    columns = np.nonzero(top)[1]
    middle = fine.shape[1] / 2
    return int((columns < middle).sum()), int((columns >= middle).sum())


def _softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    powers = np.exp(shifted)
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True), np.float64)
