"""Trains one net on the shards of vision.training.samples and writes checkpoints; goes on from one if it is there.

`python -m vision.training.train reader|localiser --pool DIR --out DIR --seconds S [--seed N]`
The learning rate falls to nothing over the given time, so that a run of any length ends well.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from vision.crops import canvas_corners
from vision.training.batches import localiser_batches, reader_batches, shards_in
from vision.training.nets import CORNER_PX, Localiser, Reader
from vision.training.samples import DOWN, NONE, UP


def localiser_loss(maps: Tensor, target: Tensor, heat_weight: Tensor, weight: Tensor) -> Tensor:
    """Cross entropy on centres and insides, smooth L1 on where the centre is and how the tile lies."""
    heat = F.binary_cross_entropy_with_logits(maps[:, 0], target[:, 0], reduction="none")
    heat = heat * heat_weight * (1 + 8 * target[:, 0])
    inside = F.binary_cross_entropy_with_logits(maps[:, 8], target[:, 8], reduction="none") * heat_weight
    total = weight.sum().clamp(min=1)
    shape = F.smooth_l1_loss(maps[:, 1:7], target[:, 1:7], reduction="none", beta=0.03) * weight[:, None]
    face = F.binary_cross_entropy_with_logits(maps[:, 7], target[:, 7], reduction="none") * weight
    return 10 * heat.mean() + inside.mean() + shape.sum() / total + 0.2 * face.sum() / total


def reader_loss(
    out: Tensor, pip_logits: Tensor, labels: Tensor, corners: Tensor, pips: Tensor
) -> tuple[Tensor, dict[str, float]]:
    """Values of readable faces, state of all, corners of all tiles, pips of readable faces."""
    up = labels[:, 2] == UP
    tile = labels[:, 2] != NONE
    loss_value = F.cross_entropy(out[up, :13], labels[up, 0], label_smoothing=0.02) + F.cross_entropy(
        out[up, 13:26], labels[up, 1], label_smoothing=0.02
    )
    loss_state = F.cross_entropy(out[:, 26:30], labels[:, 2])
    wanted = (corners - torch.as_tensor(canvas_corners(), dtype=torch.float32)) / CORNER_PX
    loss_corner = F.smooth_l1_loss(out[tile, 30:38], wanted[tile].flatten(1), beta=0.05)
    readable = up | (labels[:, 2] == DOWN)
    loss_pip = F.binary_cross_entropy_with_logits(pip_logits[readable, 0], pips[readable])
    return loss_value + loss_state + 2.0 * loss_corner + 4.0 * loss_pip, {
        "value": float(loss_value.detach()),
        "state": float(loss_state.detach()),
        "corner": float(loss_corner.detach()),
        "pip": float(loss_pip.detach()),
    }


def check_reader(net: Reader, paths: list[Path]) -> str:
    """Held-out figures."""
    net.eval()
    exact = halves = count = states = whole = 0
    errors = []
    with torch.no_grad():
        for crops, labels, corners, _ in reader_batches(paths, 100, np.random.default_rng(0), False):
            out, _ = net(torch.from_numpy(crops))
            values = out.numpy()
            a, b, state = values[:, :13].argmax(1), values[:, 13:26].argmax(1), values[:, 26:30].argmax(1)
            up = labels[:, 2] == UP
            exact += int(((a == labels[:, 0]) & (b == labels[:, 1]))[up].sum())
            halves += int((a == labels[:, 0])[up].sum() + (b == labels[:, 1])[up].sum())
            count += int(up.sum())
            states += int((state == labels[:, 2]).sum())
            whole += len(labels)
            tile = labels[:, 2] != NONE
            found = values[tile, 30:38].reshape(-1, 4, 2) * CORNER_PX + canvas_corners()
            errors.append(np.abs(found - corners[tile]).mean((1, 2)))
    net.train()
    e = np.concatenate(errors)
    values_text = f"exact {exact / count:.4f} half {halves / count / 2:.4f} state {states / whole:.4f}"
    return f"{values_text} corner px {e.mean():.2f} 95th {np.percentile(e, 95):.2f}"


def check_localiser(net: Localiser, paths: list[Path]) -> str:
    """Held-out recall and precision of centres within a quarter tile width, at a threshold of 0.4."""
    net.eval()
    right = found = wanted = 0
    with torch.no_grad():
        for images, target, heat_weight, _ in localiser_batches(paths, 10, np.random.default_rng(0), False):
            heat = torch.sigmoid(net(torch.from_numpy(images))[:, 0])
            peak = (heat == F.max_pool2d(heat[:, None], 3, 1, 1)[:, 0]) & (heat > 0.4)
            goal = torch.from_numpy(target[:, 0])
            truth = ((goal == F.max_pool2d(goal[:, None], 3, 1, 1)[:, 0]) & (goal > 0.6)).float()
            ignored = torch.from_numpy(heat_weight) < 0.5
            near = F.max_pool2d(truth[:, None], 3, 1, 1)[:, 0] > 0
            right += int((peak & near).sum())
            found += int((peak & ~ignored).sum())
            wanted += int(truth.sum())
    net.train()
    return f"centres: recall {right / wanted:.4f} precision {right / max(found, 1):.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=["reader", "localiser"])
    parser.add_argument("--pool", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--steps", type=int, default=0, help="stop after so many steps instead of seconds")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    reader = options.net == "reader"
    net: Reader | Localiser = Reader() if reader else Localiser()
    net = net.to(memory_format=torch.channels_last)
    path = options.out / f"{options.net}.pt"
    if path.exists():
        kept = torch.load(path)
        own = net.state_dict()
        net.load_state_dict({k: v if v.shape == own[k].shape else own[k] for k, v in kept.items()})
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-2)
    rng = np.random.default_rng(options.seed)
    held_out = shards_in(options.pool, True)[:4]
    batch = options.batch or (64 if reader else 10)
    step, begun, said = 0, time.monotonic(), time.monotonic()
    running: dict[str, float] = {}
    epoch = 0
    while True:
        epoch += 1
        paths = shards_in(options.pool, False)  # shards may still be coming in
        source = (reader_batches if reader else localiser_batches)(paths, batch, rng, True)
        for rows in source:
            done = step / options.steps if options.steps else (time.monotonic() - begun) / options.seconds
            if done >= 1:
                break
            rate = options.rate * min(1.0, (step + 1) / 200) * 0.5 * (1 + np.cos(np.pi * done)) + 1e-5
            for group in optimiser.param_groups:
                group["lr"] = rate
            tensors = [torch.from_numpy(np.ascontiguousarray(r)) for r in rows]
            inputs = tensors[0].to(memory_format=torch.channels_last)
            if isinstance(net, Reader):
                loss, parts = reader_loss(*net(inputs), *tensors[1:])
            else:
                loss = localiser_loss(net(inputs), *tensors[1:])
                parts = {"loss": float(loss.detach())}
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            step += 1
            for key, value in parts.items():
                running[key] = running.get(key, value) * 0.98 + 0.02 * value
            if step % 100 == 0:
                line = " ".join(f"{k} {v:.4f}" for k, v in running.items())
                print(f"{time.monotonic() - begun:6.0f} s step {step} rate {rate:.5f} {line}", flush=True)
            if time.monotonic() - said > 240:
                said = time.monotonic()
                torch.save(net.state_dict(), path)
                if held_out:
                    print(
                        "   ",
                        check_reader(net, held_out) if isinstance(net, Reader) else check_localiser(net, held_out),
                        flush=True,
                    )
            if step % 400 == 0 and not options.steps:
                break  # look for new shards
        if done >= 1:
            break
    torch.save(net.state_dict(), path)
    if held_out:
        print(
            "end",
            check_reader(net, held_out) if isinstance(net, Reader) else check_localiser(net, held_out),
            flush=True,
        )


if __name__ == "__main__":
    main()
