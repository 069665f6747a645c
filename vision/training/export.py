"""Writes checkpoints as ONNX the way every OpenCV from 4.10 on runs them, and checks that it does.

`python -m vision.training.export --checkpoints DIR --out vision/weights`: TorchScript exporter, opset 13, fixed shape,
BatchNorm folded in; the answers of cv2.dnn must equal torch's.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.training.nets import Localiser, Reader, ReaderForExport


def export(net: nn.Module, example: torch.Tensor, path: Path, outputs: list[str]) -> None:
    """One file."""
    torch.onnx.export(
        net, (example,), str(path), opset_version=13, dynamo=False, input_names=["x"], output_names=outputs
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoints", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.manual_seed(0)
    reader = Reader()
    reader.load_state_dict(torch.load(options.checkpoints / "reader.pt")["net"])
    reader.eval()
    crops = torch.randn(32, 3, 64, 112)
    export(ReaderForExport(reader).eval(), crops, options.out / "reader.onnx", ["numbers", "pips"])
    localiser = Localiser()
    localiser.load_state_dict(torch.load(options.checkpoints / "localiser.pt")["net"])
    localiser.eval()
    window = torch.randn(1, 3, 512, 512)
    export(localiser, window, options.out / "localiser.onnx", ["maps"])
    with torch.no_grad():
        net = cv2.dnn.readNetFromONNX(str(options.out / "localiser.onnx"))
        for size in (512, 256):
            window = torch.randn(1, 3, size, size)
            net.setInput(window.numpy())
            print(f"localiser {size}: largest difference {np.abs(net.forward() - localiser(window).numpy()).max():.2e}")
        for count in (32, 8, 2):
            net = cv2.dnn.readNetFromONNX(str(options.out / "reader.onnx"))
            net.setInput(crops[:count].numpy())
            numbers, pips = net.forward(["numbers", "pips"])
            want, want_pips = reader(crops[:count])
            worst = max(np.abs(numbers - want.numpy()).max(), np.abs(pips - want_pips.numpy()).max())
            print(f"reader {count}: largest difference {worst:.2e}")


if __name__ == "__main__":
    main()
