"""Trains one net on the shards of vision.training.samples.

`python -m vision.training.train reader|localiser --pool DIR --out DIR --steps N --shards M [--seed S]`
The learning rate falls to nothing over the steps. A shard that is not there yet is waited for. Stopped half-way,
the same command goes on from the last state it left.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from vision.crops import canvas_corners
from vision.training.batches import localiser_batches, reader_batches, shards_of
from vision.training.nets import CORNER_PX, Localiser, Reader
from vision.training.samples import DOWN, NONE, UP

RATE = 1.5e-3
BATCH = {"reader": 40, "localiser": 6}


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


def train(name: str, pool: Path, out: Path, *, seed: int, steps: int, shards: int) -> None:
    """Train one net for so many steps and leave it in `out`/NAME.pt, half-way states too.

    The same pool, seed, steps and processor give the same net: one thread, no clock. A run that goes on from a half-way
    state sees the scenes in another order from there.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    net: Reader | Localiser = Reader() if name == "reader" else Localiser()
    net = net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-2)
    done = _resume(out / f"{name}.pt", net, optimiser, {"seed": seed, "steps": steps})
    batches = (reader_batches if name == "reader" else localiser_batches)(
        shards_of(pool, seed, shards, False), BATCH[name], np.random.default_rng([seed, done]), True
    )
    begun, running = time.monotonic(), dict[str, float]()
    for step in range(done + 1, steps + 1):
        now = RATE * min(1.0, step / 200) * 0.5 * (1 + math.cos(math.pi * step / steps)) + 1e-5
        for group in optimiser.param_groups:
            group["lr"] = now
        tensors = [torch.from_numpy(np.ascontiguousarray(r)) for r in next(batches)]
        inputs = tensors[0].to(memory_format=torch.channels_last)
        if isinstance(net, Reader):
            loss, parts = reader_loss(*net(inputs), *tensors[1:])
        else:
            loss = localiser_loss(net(inputs), *tensors[1:])
            parts = {"loss": float(loss.detach())}
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        for key, value in parts.items():
            running[key] = running.get(key, value) * 0.98 + 0.02 * value
        if step % 100 == 0 or step == steps:
            line = " ".join(f"{k} {v:.4f}" for k, v in running.items())
            print(f"{time.monotonic() - begun:6.0f} s step {step} rate {now:.5f} {line}", flush=True)
        if step % 500 == 0 or step == steps:
            run = {"seed": seed, "steps": steps, "step": step}
            torch.save({"net": net.state_dict(), "optimiser": optimiser.state_dict(), "run": run}, out / f"{name}.part")
            (out / f"{name}.part").replace(out / f"{name}.pt")
        if step % 1000 == 0 or step == steps:
            held_out = [p for p in shards_of(pool, seed, shards, True) if p.exists()]
            if held_out:
                print(
                    "held out:",
                    check_reader(net, held_out) if isinstance(net, Reader) else check_localiser(net, held_out),
                    flush=True,
                )


def _resume(path: Path, net: torch.nn.Module, optimiser: torch.optim.Optimizer, run: dict[str, int]) -> int:
    """The steps already done; the net and its optimiser as they were then. SystemExit for the state of another run."""
    if not path.exists():
        return 0
    state = torch.load(path)
    if {key: state["run"][key] for key in run} != run:
        raise SystemExit(f"{path} is of a run with another seed or length ({state['run']}); use another folder")
    net.load_state_dict(state["net"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["run"]["step"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=["reader", "localiser"])
    parser.add_argument("--pool", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--shards", type=int, required=True, help="how many the pool has, or is going to have")
    o = parser.parse_args()
    train(o.net, o.pool, o.out, seed=o.seed, steps=o.steps, shards=o.shards)


if __name__ == "__main__":
    main()
