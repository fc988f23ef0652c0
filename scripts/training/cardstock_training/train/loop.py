"""The training loop: rendered batches, a learning-rate schedule by the clock, checkpoints."""
import argparse
import copy
import json
import math
import os
import time
from pathlib import Path

import cv2
import numpy as np
import torch

from cardstock_training import paths
from cardstock_training.render.banks import Bank
from cardstock_training.train.networks import NETS

cv2.setNumThreads(0)


def parse_options(minutes: float, batch: int, rate: float, size: int | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    if size is not None:
        parser.add_argument("--size", type=int, default=size, help="side of the input, a multiple of 32")
    parser.add_argument("--minutes", type=float, default=minutes, help="length of the schedule, including earlier runs that are resumed")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate, help="maximum learning rate")
    parser.add_argument("--renderers", type=int, default=0, help="rendering processes; 0 renders in this process")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="ignore an existing checkpoint")
    parser.add_argument("--exported", action="store_true", help="start from the weights in data/model, without normalization")
    return parser.parse_args()


class _Rendered(torch.utils.data.IterableDataset):
    def __init__(self, render, seed: int, batch: int):
        self.render, self.seed, self.batch = render, seed, batch

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        bank = Bank("train")
        rng = np.random.default_rng((self.seed, info.id if info else 0, int(time.time())))
        while True:
            yield self.render(rng, bank, self.batch)


def train(name: str, args: argparse.Namespace, render, loss_of, untrained=None) -> None:
    """Trains one network.

    render(rng, bank, n) returns a tuple of arrays, the pictures first (uint8, NHWC).
    loss_of(outputs, tensors, progress) returns the loss and a dict of metrics to print.
    untrained() returns the network to start from; without it, its weights are random.
    """
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    path = paths.BANK / f"{name}.pt"
    saved = torch.load(path, map_location=device) if path.exists() and not args.fresh else None
    first = (lambda: load_exported(name)) if args.exported else untrained or NETS[name]
    net = first() if saved is None else _network_for(name, saved["net"])
    net = net.to(device, memory_format=torch.channels_last)
    average = copy.deepcopy(net).eval()
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    state = {"elapsed": 0.0, "images": 0, "steps": 0}
    if saved is not None:
        net.load_state_dict(saved["net"]), average.load_state_dict(saved["average"]), optimizer.load_state_dict(saved["optimizer"])
        state = saved["state"]
    loader = torch.utils.data.DataLoader(_Rendered(render, args.seed + state["steps"], args.batch), batch_size=None, num_workers=args.renderers)
    began, averages, last = time.time() - state["elapsed"], {}, 0.0
    for arrays in loader:
        state["elapsed"] = time.time() - began
        progress = state["elapsed"] / (args.minutes * 60)
        if progress >= 1:
            break
        warm = min(1.0, (state["steps"] + 1) / 200)
        for group in optimizer.param_groups:
            group["lr"] = args.rate * warm * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * progress)))
        tensors = [torch.as_tensor(a).to(device, non_blocking=True) for a in arrays]
        images = to_input(tensors[0])
        net.train()
        loss, metrics = loss_of(net(images), tensors, progress)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        state["steps"] += 1
        state["images"] += len(images)
        _update_average(average, net, min(0.998, (state["steps"] + 1) / (state["steps"] + 10)))
        for key, value in {"loss": loss.item(), **metrics}.items():
            averages[key] = 0.98 * averages.get(key, value) + 0.02 * value
        if time.time() - last > 60:
            last = time.time()
            _save(path, net, average, optimizer, state)
            print(json.dumps({**{k: round(v, 1) for k, v in state.items()}, **{k: round(v, 4) for k, v in averages.items()}}), flush=True)
    _save(path, net, average, optimizer, state)
    print("done", json.dumps(state), flush=True)


def to_input(images: torch.Tensor) -> torch.Tensor:
    """Converts pixels (uint8, NHWC) to the input of a network (-1 to 1, NCHW)."""
    return (images.permute(0, 3, 1, 2).float() / 127.5 - 1).contiguous(memory_format=torch.channels_last)


def _update_average(average, net, keep: float) -> None:
    with torch.no_grad():
        for a, b in zip(average.state_dict().values(), net.state_dict().values()):
            if a.dtype.is_floating_point:
                a.lerp_(b, 1 - keep)
            else:
                a.copy_(b)


def _save(path: Path, net, average, optimizer, state: dict) -> None:
    torch.save({"net": net.state_dict(), "average": average.state_dict(), "optimizer": optimizer.state_dict(), "state": state}, f"{path}.new")
    os.replace(f"{path}.new", path)


def load_network(name: str):
    """Loads the averaged network of a checkpoint in evaluation mode, and the state of its training."""
    saved = torch.load(paths.BANK / f"{name}.pt", map_location="cpu")
    net = _network_for(name, saved["average"])
    net.load_state_dict(saved["average"])
    return net.eval(), saved["state"]


def _network_for(name: str, weights: dict):
    """Returns a network with the layers of some weights: folded if they have no normalization."""
    net = NETS[name]()
    return net if any("_norm" in key for key in weights) else net.fold()


def load_exported(name: str):
    """Loads the weights in data/model, whose normalization is folded. Outputs that are new keep their initial weights."""
    net = NETS[name]().fold()
    model = json.loads((paths.MODEL / f"{name}.json").read_text())
    values, at = np.fromfile(paths.MODEL / f"{name}.bin", np.float16).astype(np.float32), 0
    with torch.no_grad():
        for entry in model["weights"]:
            layer, part = entry["name"].split("/")
            n = int(np.prod(entry["shape"]))
            w = torch.from_numpy(values[at:at + n].reshape(entry["shape"]).copy())
            at += n
            target = net.layers[layer].weight if part == "w" else net.layers[layer].bias
            if part == "w":  # OIHW; the O of a depthwise kernel is its third axis
                w = w.permute(2, 3, 0, 1) if net.layers[layer].groups > 1 else w.permute(3, 2, 0, 1)
            target[:len(w)].copy_(w)
    return net
