"""The two nets, small and plain (3x3 convolutions, BatchNorm, ReLU), because cv2.dnn runs those fastest.

`Localiser`: picture -> on a quarter grid 9 maps: centre logit, centre offset (2), half long axis as length and doubled
angle (2), half short axis the same (2), face-up logit,
inside-a-tile logit. `Reader`: crop -> 13 logits for each half, 4 for the
state (up, down, unclear, none), 8 corner shifts, and a map of pip logits.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

LOCALISER_MAPS = 9
AXIS_PX = 32.0  # unit of the axis maps, in input pixels
CORNER_PX = 8.0  # unit of the corner shifts, in crop pixels
VALUES = 13
STATES = 4


def _conv(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class Localiser(nn.Module):
    """(n, 3, h, w) RGB 0..1 minus a half, h and w multiples of 16 -> (n, 9, h / 4, w / 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.s2 = _conv(3, 16, 2)
        self.s4 = _conv(16, 32, 2)
        self.s8 = nn.Sequential(_conv(32, 64, 2), _conv(64, 64))
        self.s16 = nn.Sequential(_conv(64, 96, 2), _conv(96, 96), _conv(96, 96))
        self.up = nn.Upsample(scale_factor=2.0, mode="nearest")
        self.down16 = nn.Conv2d(96, 64, 1)
        self.mix8 = _conv(64, 64)
        self.down8 = nn.Conv2d(64, 32, 1)
        self.mix4 = _conv(32, 40)
        self.out = nn.Conv2d(40, LOCALISER_MAPS, 1)
        nn.init.constant_(self.out.bias, 0.0)
        with torch.no_grad():
            self.out.bias[0] = -4.0

    def forward(self, x: Tensor) -> Tensor:
        s4 = self.s4(self.s2(x))
        s8 = self.s8(s4)
        s16 = self.s16(s8)
        s8 = self.mix8(s8 + self.up(self.down16(s16)))
        s4 = self.mix4(s4 + self.up(self.down8(s8)))
        return self.out(s4)


class Reader(nn.Module):
    """(n, 3, 64, 112) crops, each normalised -> (n, 13 + 13 + 4 + 8) and pip logits (n, 1, 16, 28)."""

    def __init__(self) -> None:
        super().__init__()
        self.s2 = _conv(3, 24, 2)
        self.s4 = nn.Sequential(_conv(24, 48, 2), _conv(48, 48))
        self.pips = nn.Conv2d(48, 1, 1)
        self.s8 = nn.Sequential(_conv(48, 72, 2), _conv(72, 80))
        self.squeeze = nn.Sequential(nn.Conv2d(80, 24, 1, bias=False), nn.BatchNorm2d(24), nn.ReLU(inplace=True))
        self.half_in = nn.Linear(24 * 8 * 7, 96)
        self.half_out = nn.Linear(96, VALUES)
        self.whole_in = nn.Linear(24 * 8 * 14, 64)
        self.state = nn.Linear(64, STATES)
        self.corners = nn.Linear(64, 8)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        s4 = self.s4(self.s2(x))
        s8 = self.squeeze(self.s8(s4))
        left = s8[:, :, :, :7].flatten(1)
        right = s8[:, :, :, 7:].flip((2, 3)).flatten(1)
        a = self.half_out(self.drop(torch.relu(self.half_in(left))))
        b = self.half_out(self.drop(torch.relu(self.half_in(right))))
        whole = self.drop(torch.relu(self.whole_in(s8.flatten(1))))
        return torch.cat([a, b, self.state(whole), self.corners(whole)], 1), self.pips(s4)


class ReaderForExport(nn.Module):
    """The same function as convolutions and two matrices, with zeros where `Reader` slices, turns or branches.

    ONNX has no flip, and OpenCV 4.10 answers NaN to slices feeding a matrix.
    """

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader
        self.inner = nn.Linear(24 * 8 * 14, 96 + 96 + 64)
        self.outer = nn.Linear(96 + 96 + 64, 2 * VALUES + STATES + 8)
        with torch.no_grad():
            half = reader.half_in.weight.view(96, 24, 8, 7)
            weight = torch.zeros(256, 24, 8, 14)
            weight[:96, :, :, :7] = half
            weight[96:192, :, :, 7:] = half.flip((2, 3))
            weight[192:] = reader.whole_in.weight.view(64, 24, 8, 14)
            self.inner.weight.copy_(weight.flatten(1))
            self.inner.bias.copy_(torch.cat([reader.half_in.bias, reader.half_in.bias, reader.whole_in.bias]))
            outer = torch.zeros(2 * VALUES + STATES + 8, 256)
            outer[:13, :96] = reader.half_out.weight
            outer[13:26, 96:192] = reader.half_out.weight
            outer[26:30, 192:] = reader.state.weight
            outer[30:, 192:] = reader.corners.weight
            self.outer.weight.copy_(outer)
            biases = (reader.half_out.bias, reader.half_out.bias, reader.state.bias, reader.corners.bias)
            self.outer.bias.copy_(torch.cat(biases))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        r = self.reader
        s4 = r.s4(r.s2(x))
        s8 = r.squeeze(r.s8(s4))
        return self.outer(torch.relu(self.inner(s8.flatten(1)))), r.pips(s4)
