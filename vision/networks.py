"""Loads the nets of vision/weights into cv2.dnn and runs them at a few fixed shapes, with the shapes checked.

One cv2 network a shape: re-shaping one network at every call costs more than running it, and a wrong shape can pass
silently, so every answer's shape is compared with what it must be.
"""

from __future__ import annotations

from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import CROP_SIZE_PX
from vision.normal import crop_input

WINDOWS_PX = (256, 512)
BATCHES = (2, 8, 32)
LOCALISER_MAPS = 9
READER_OUTPUTS = 38


class BrokenWeights(RuntimeError):
    """The weights do not do what they should under this OpenCV; nothing can be read."""


def _load(name: str) -> bytes:
    return resources.files("vision").joinpath("weights", name).read_bytes()


class LocaliserNet:
    """Square RGB windows of one of WINDOWS_PX -> maps (9, s / 4, s / 4)."""

    def __init__(self) -> None:
        self._bytes = np.frombuffer(_load("localiser.onnx"), np.uint8)
        self._nets: dict[int, cv2.dnn.Net] = {}

    def run(self, window: NDArray[np.float32]) -> NDArray[np.float32]:
        """window (3, s, s) as vision.normal.picture_input makes it. Raises BrokenWeights."""
        side = window.shape[1]
        if side not in self._nets:
            self._nets[side] = cv2.dnn.readNetFromONNX(self._bytes)
        net = self._nets[side]
        net.setInput(window[None])
        maps = net.forward()
        if maps.shape != (1, LOCALISER_MAPS, side // 4, side // 4):
            raise BrokenWeights(f"localiser answered {maps.shape} for a window of {side} px")
        return np.asarray(maps[0], np.float32)


class ReaderNet:
    """Crops -> (n, 38) numbers and (n, 16, 28) pip logits."""

    def __init__(self) -> None:
        self._bytes = np.frombuffer(_load("reader.onnx"), np.uint8)
        self._nets: dict[int, tuple[cv2.dnn.Net, list[str]]] = {}

    def run(self, crops: list[NDArray[np.uint8]]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """crops: n of (64, 112, 3) BGR. Raises BrokenWeights."""
        n = len(crops)
        numbers = np.zeros((n, READER_OUTPUTS), np.float32)
        pips = np.zeros((n, CROP_SIZE_PX[1] // 4, CROP_SIZE_PX[0] // 4), np.float32)
        at = 0
        while at < n:
            left = n - at
            size = BATCHES[2] if left > 3 * BATCHES[1] else BATCHES[1] if left > BATCHES[0] else BATCHES[0]
            blob = np.zeros((size, 3, CROP_SIZE_PX[1], CROP_SIZE_PX[0]), np.float32)
            part = crops[at : at + size]
            for i, crop in enumerate(part):
                blob[i] = crop_input(crop)
            found, spots = self._forward(blob)
            numbers[at : at + len(part)] = found[: len(part)]
            pips[at : at + len(part)] = spots[: len(part), 0]
            at += len(part)
        return numbers, pips

    def _forward(self, blob: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        size = len(blob)
        if size not in self._nets:
            net = cv2.dnn.readNetFromONNX(self._bytes)
            self._nets[size] = (net, list(net.getUnconnectedOutLayersNames()))
        net, names = self._nets[size]
        net.setInput(blob)
        found, spots = net.forward(names)
        if spots.ndim == 2:  # the order of unconnected outputs is not promised
            found, spots = spots, found
        if found.shape != (size, READER_OUTPUTS) or spots.shape != (size, 1, blob.shape[2] // 4, blob.shape[3] // 4):
            raise BrokenWeights(f"reader answered {found.shape} and {spots.shape} for {size} crops")
        return np.asarray(found, np.float32), np.asarray(spots, np.float32)
