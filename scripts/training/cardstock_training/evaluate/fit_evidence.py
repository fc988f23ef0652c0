"""Fits the weights of the evidence (`score` in src/rules/photos/thresholds.ts) to outcomes of the benchmarks.

    python -m cardstock_training.evaluate.fit_evidence [--pull 0.002] [FILE ...]

Reads outcomes.json of `bun run bench printings` (rendered cards, with and without pictures) and `bun run bench scans`
(real cards, also among products without pictures). The model is a softmax over the candidates of a photo and "none of
them", which has the weight 0. Fits on half of the cards and evaluates on the others. No weight may change its sign.
"""
import argparse
import json
import re
from pathlib import Path

import numpy as np
import torch

from cardstock_training import paths
from cardstock_training.evaluate.calibrate_reporting import CATALOGS, is_for_choice

BINS = 10
# Evidence that the photos do not vary: each photographed card has a number and the right type, and has a picture wherever
# any card has one. Its weights stay.
HELD = ("unseen", "numberUnseen", "editionWrong", "productWrong")


def current_weights() -> dict[str, float]:
    with open(paths.THRESHOLDS) as file:
        block = re.search(r"\n  score: \{\n(.*?)\n  \},", file.read(), re.S).group(1)
    return {name: float(value) for name, value in re.findall(r"^    (\w+): (-?[\d.]+),", block, re.M)}


class Photos:
    """Candidates of all photos as one list, each with the index of its photo and whether it is correct."""

    def __init__(self, outcomes: list[dict], names: list[str]):
        lists = [(o["label"].get("card", o[catalog].get("truth")), o[catalog]["scored"]) for o in outcomes for catalog in CATALOGS if catalog in o]
        rows = [(photo, [w["evidence"].get(n, 0) for n in names], w["card"] == card) for photo, (card, cards) in enumerate(lists) for w in cards]
        self.count = len(lists)
        self.photo = torch.tensor([r[0] for r in rows])
        self.evidence = torch.tensor([r[1] for r in rows], dtype=torch.float64)
        self.true = torch.tensor([r[2] for r in rows])
        self.known = torch.zeros(self.count, dtype=torch.bool).index_put_((self.photo[self.true],), torch.tensor(True))

    def log_probabilities(self, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns log-probabilities of each card, and of "none" for each photo."""
        z = self.evidence @ weights
        most = torch.zeros(self.count, dtype=z.dtype).scatter_reduce(0, self.photo, z.detach(), "amax")
        sums = torch.exp(-most).index_add(0, self.photo, torch.exp(z - most[self.photo]))
        all_ = torch.log(sums) + most
        return z - all_[self.photo], -all_

    def loss(self, weights: torch.Tensor) -> torch.Tensor:
        cards, none = self.log_probabilities(weights)
        return -(cards[self.true].sum() + none[~self.known].sum()) / self.count

    def summary(self, weights: torch.Tensor) -> str:
        cards, _ = self.log_probabilities(weights)
        best = torch.full((self.count,), -np.inf, dtype=cards.dtype).scatter_reduce(0, self.photo, cards, "amax")
        top = best[self.photo] == cards
        score, right = torch.exp(cards[top]).numpy(), self.true[top].numpy()
        bins = np.minimum((score * BINS).astype(int), BINS - 1)
        error = sum(abs(score[bins == b].sum() - right[bins == b].sum()) for b in range(BINS)) / max(len(score), 1)
        return f"loss {self.loss(weights).item():.4f}, first {100 * right.sum() / max(int(self.known.sum()), 1):.1f} % of {int(self.known.sum())}, calibration error {error:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pull", type=float, default=0.002, help="regularisation towards the current weights: some evidence is rare")
    parser.add_argument("outcomes", nargs="*", type=Path, default=[paths.PRINTINGS / "outcomes.json", paths.SCANS / "outcomes.json"])
    options = parser.parse_args()
    pull = options.pull
    now = current_weights()
    names = list(now)
    outcomes = [o for file in options.outcomes if file.exists() for o in json.loads(file.read_text())]
    training, test = (Photos([o for o in outcomes if is_for_choice(o) == chosen], names) for chosen in (True, False))
    start = torch.tensor([now[n] for n in names], dtype=torch.float64)
    sign = torch.sign(start)
    scale = start.abs().clamp(min=1)
    held = torch.tensor([n in HELD for n in names])
    weights = start.clone().requires_grad_()
    optimizer = torch.optim.LBFGS([weights], max_iter=500, line_search_fn="strong_wolfe")

    def step():
        optimizer.zero_grad()
        loss = training.loss(torch.where(held, start, weights)) + pull * (((weights - start) / scale) ** 2).sum()
        loss.backward()
        return loss

    for _ in range(5):
        optimizer.step(step)
        with torch.no_grad():
            weights.copy_(torch.where(weights * sign < 0, torch.zeros_like(weights), weights))
            weights.copy_(torch.where(held, start, weights))
    fitted = weights.detach()
    for which, of in (("current", start), ("fitted", fitted)):
        print(f"{which}: training {training.summary(of)}\n{' ' * len(which)}  test     {test.summary(of)}")
    for name, value in zip(names, fitted.tolist()):
        print(f"    {name}: {value:.3g},   // {now[name]:g}")


if __name__ == "__main__":
    main()
