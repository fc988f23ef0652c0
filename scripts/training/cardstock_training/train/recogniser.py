"""Trains what the recogniser tells about a line: its script and whether it can be read.

    python -m cardstock_training.train.recogniser

The layers that read are those of train/pretrained.py and stay as they are."""
import argparse
import time

import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training import paths
from cardstock_training.render import text_lines
from cardstock_training.render.banks import Bank
from cardstock_training.render.distractions import distraction
from cardstock_training.render.grammars import SCRIPTS
from cardstock_training.render.sample_cache import SampleCache
from cardstock_training.train import pretrained
from cardstock_training.train.loop import to_input

# The script of an illegible line is hardly known.
ILLEGIBLE_WEIGHT = 0.25
# Share of pictures that are no line of text.
DISTRACTIONS = 0.15
# Additional share of lines in another script.
FOREIGN = 0.35

# Setting a line takes seven times as long as photographing it: each is used about five times.
_sheets = SampleCache(size=2000, new=0.2)
_distractions = SampleCache(size=1000, new=0.2)
_waiting: dict[int, list[text_lines.Sample]] = {}


def render(rng, bank, n: int):
    """Renders n lines of similar width: a batch is as wide as its widest line, and half of all lines are short."""
    while True:
        if rng.random() < DISTRACTIONS:
            s = _distractions.get(rng, lambda: distraction(rng, bank, False))
        else:
            s = text_lines.photograph(rng, _sheets.get(rng, lambda: text_lines.sheet(rng, bank, False, "foreign" if rng.random() < FOREIGN else None)))
        alike = _waiting.setdefault(-(-s.image.shape[1] // 64), [])
        alike.append(s)
        if len(alike) == n:
            arrays = batch(alike)
            alike.clear()
            return arrays


def batch(samples: list[text_lines.Sample]):
    images, widths = text_lines.pad_batch([s.image for s in samples])
    return (images, -(-widths // text_lines.STRIDE), np.array([SCRIPTS.index(s.line.script) for s in samples], np.int64),
            np.array([s.legible for s in samples], np.float32))


def average_over_line(logits: torch.Tensor, steps: torch.Tensor) -> torch.Tensor:
    """Averages the logits over the steps that the line fills (n x 7)."""
    inside = torch.arange(logits.shape[3], device=logits.device)[None] < steps[:, None]
    return (logits[:, :, 0] * inside[:, None]).sum(2) / steps[:, None]


def loss_of(logits: torch.Tensor, steps, script, legible) -> torch.Tensor:
    whole = average_over_line(logits, steps)
    # An illegible line may be of any script, but a picture without one is not.
    known = torch.where(script == SCRIPTS.index("other"), 1.0, legible + (1 - legible) * ILLEGIBLE_WEIGHT)
    script_loss = (F.cross_entropy(whole[:, :-1], script, reduction="none") * known).sum() / known.sum()
    return script_loss + F.binary_cross_entropy_with_logits(whole[:, -1], legible)


def collect(net, lines: int, size: int, seed: int) -> list[tuple[torch.Tensor, ...]]:
    """Renders lines and computes the pretrained features of each once: the layers before them do not learn."""
    rng, bank, batches = np.random.default_rng(seed), Bank("train"), []
    net.outputs = ["seen"]
    with torch.no_grad():
        while size * len(batches) < lines:
            images, *about = (torch.from_numpy(a) for a in render(rng, bank, size))
            batches.append((net(to_input(images))[0].half(), *about))
            if len(batches) % 10 == 0:
                print(f"{size * len(batches)} lines", flush=True)
    net.outputs = ["text", "about"]
    return batches


def learn(net, batches: list[tuple[torch.Tensor, ...]], epochs: int, rate: float) -> None:
    """Trains the two layers of `about` on the features."""
    look, about = net.layers["look"], net.layers["about"]
    optimiser = torch.optim.AdamW([*look.parameters(), *about.parameters()], lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=epochs * len(batches), pct_start=0.1)
    for epoch in range(epochs):
        losses = []
        for at in torch.randperm(len(batches)):
            seen, *wanted = batches[at]
            # Without some channels, because each line is seen many times.
            seen = F.dropout1d(seen[:, :, 0].float(), 0.1)[:, :, None]
            loss = loss_of(about(F.relu6(look(seen))), *wanted)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=4000)
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="ignore an existing checkpoint")
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    began, net = time.time(), pretrained.network()
    path = paths.BANK / "recogniser.pt"
    if path.exists() and not args.fresh:
        net.load_state_dict(torch.load(path)["average"])
    learn(net, collect(net, args.lines, args.batch, args.seed), args.epochs, args.rate)
    state = {"elapsed": time.time() - began, "images": args.lines, "steps": args.epochs * args.lines // args.batch}
    torch.save({"average": net.state_dict(), "state": state}, path)


if __name__ == "__main__":
    main()
