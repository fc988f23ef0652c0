"""Fits what each piece of evidence weighs (src/rules/photos/thresholds.ts, `score`) to what `bun run bench printings` saw.

    python weigh.py [--pull 0.02]

A photo shows one of the cards that were thought of, or none of them: a softmax over all, in which none weighs nothing.
Every second photo teaches, the others are judged, as in the bench. No piece may come to speak against its sense.
"""
import argparse
import json
import os
import re

import numpy as np
import torch

from render_printings import OUT

THRESHOLDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/rules/thresholds.ts")
BINS = 10


def weights_now() -> dict[str, float]:
    with open(THRESHOLDS) as file:
        block = re.search(r"\n  score: \{\n(.*?)\n  \},", file.read(), re.S).group(1)
    return {name: float(value) for name, value in re.findall(r"^    (\w+): (-?[\d.]+),", block, re.M)}


class Photos:
    """All photos' cards as one list, with the photo that each belongs to; the truth, or where none is."""

    def __init__(self, outcomes: list[dict], names: list[str]):
        lists = [(o["label"]["card"], o[way]["weighed"]) for o in outcomes for way in ("withPictures", "byPrint")]
        rows = [(photo, [w["evidence"].get(n, 0) for n in names], w["card"] == card) for photo, (card, cards) in enumerate(lists) for w in cards]
        self.count = len(lists)
        self.photo = torch.tensor([r[0] for r in rows])
        self.evidence = torch.tensor([r[1] for r in rows], dtype=torch.float64)
        self.true = torch.tensor([r[2] for r in rows])
        self.known = torch.zeros(self.count, dtype=torch.bool).index_put_((self.photo[self.true],), torch.tensor(True))

    def chances(self, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms: of each card, and of none for each photo."""
        z = self.evidence @ weights
        most = torch.zeros(self.count, dtype=z.dtype).scatter_reduce(0, self.photo, z.detach(), "amax")
        sums = torch.exp(-most).index_add(0, self.photo, torch.exp(z - most[self.photo]))
        all_ = torch.log(sums) + most
        return z - all_[self.photo], -all_

    def loss(self, weights: torch.Tensor) -> torch.Tensor:
        cards, none = self.chances(weights)
        return -(cards[self.true].sum() + none[~self.known].sum()) / self.count

    def judge(self, weights: torch.Tensor) -> str:
        cards, _ = self.chances(weights)
        best = torch.full((self.count,), -np.inf, dtype=cards.dtype).scatter_reduce(0, self.photo, cards, "amax")
        top = best[self.photo] == cards
        score, right = torch.exp(cards[top]).numpy(), self.true[top].numpy()
        bins = np.minimum((score * BINS).astype(int), BINS - 1)
        error = sum(abs(score[bins == b].sum() - right[bins == b].sum()) for b in range(BINS)) / max(len(score), 1)
        return f"loss {self.loss(weights).item():.4f}, first {100 * right.sum() / max(int(self.known.sum()), 1):.1f} % of {int(self.known.sum())}, calibration error {error:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pull", type=float, default=0.002, help="towards the weights in force: few photos say nothing of some pieces")
    pull = parser.parse_args().pull
    now = weights_now()
    names = list(now)
    with open(os.path.join(OUT, "outcomes.json")) as file:
        outcomes = json.load(file)
    taught, judged = Photos(outcomes[::2], names), Photos(outcomes[1::2], names)
    start = torch.tensor([now[n] for n in names], dtype=torch.float64)
    sign = torch.sign(start)
    scale = start.abs().clamp(min=1)
    weights = start.clone().requires_grad_()
    optimiser = torch.optim.LBFGS([weights], max_iter=500, line_search_fn="strong_wolfe")

    def step():
        optimiser.zero_grad()
        loss = taught.loss(weights) + pull * (((weights - start) / scale) ** 2).sum()
        loss.backward()
        return loss

    for _ in range(5):
        optimiser.step(step)
        with torch.no_grad():
            weights.copy_(torch.where(weights * sign < 0, torch.zeros_like(weights), weights))
    fitted = weights.detach()
    for which, of in (("in force", start), ("fitted", fitted)):
        print(f"{which}: taught {taught.judge(of)}\n{' ' * len(which)}  judged {judged.judge(of)}")
    for name, value in zip(names, fitted.tolist()):
        print(f"    {name}: {value:.3g},   // {now[name]:g}")


if __name__ == "__main__":
    main()
