"""Chooses how sure a line must be that is told (SURE_MIN in src/rules/photos/read-fields.ts), by Learn-then-Test as calibrate.py has it.

    python calibrate_reading.py [--lines 4000]

The lines are numbers of 5.5 to 12 px/mm in fonts and shapes that no training saw, cut out as crookedly as
the service cuts them. A limit is wrong where it tells another text than the one that is printed. The
sequence begins at the strictest limit and ends at the first that cannot be shown to be safe.
"""
import argparse

import numpy as np
import torch
import torch.nn.functional as F

import lines
from bank import Bank
from calibrate import ERROR, RISK, binomial_tail, bound
from evaluate import SEED, letters_of
from grammars import ALPHABET
from training import load
from train_recogniser import greedy

NUMBER_MM = 1.9
LIMITS = (0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.92, 0.9, 0.87, 0.84, 0.8, 0.75, 0.7, 0.6, 0.5)
LEGIBLE_MIN = 0.5


def read(net, image: np.ndarray) -> tuple[str, float, float]:
    """Text, how likely it is the whole of the line, and how legible the line seems: as src/vision/ocr/recognise.ts."""
    log, whole = letters_of(net, image)
    said, _ = greedy(log.numpy(), len(log))
    if not said:
        return "", 0.0, 0.0
    target = torch.tensor([[ALPHABET.index(c) + 1 for c in said]])
    loss = F.ctc_loss(log[:, None], target, torch.tensor([len(log)]), torch.tensor([len(said)]), reduction="sum")
    return said, float(torch.exp(-loss)), float(torch.sigmoid(whole[-1]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=12000)
    count = parser.parse_args().lines
    torch.set_num_threads(1)
    net, _ = load("recogniser")
    rng, bank, seen = np.random.default_rng(SEED), Bank("evaluation"), []
    for _ in range(count):
        line = lines.sample(rng, bank, True, rng.uniform(5.5, 12) * NUMBER_MM, "number")
        said, sure, legible = read(net, line.image)
        seen.append((said == line.text, sure if legible >= LEGIBLE_MIN else 0.0))
    print(f"{count} lines, {100 * np.mean([right for right, _ in seen]):.1f} % read exactly\nlimit  told   wrong  bound")
    safest, shown = None, True
    for limit in LIMITS:
        told = [right for right, sure in seen if sure >= limit]
        wrong = len(told) - sum(told)
        print(f"{limit:5.2f}  {len(told):5}  {wrong:5}  {100 * bound(wrong, len(told)):5.2f} %")
        shown = shown and binomial_tail(wrong, len(told), RISK) <= ERROR
        safest = limit if shown else safest
    print("no limit can be shown to be safe" if safest is None else f"shown to be safe: limits from {safest} on")


if __name__ == "__main__":
    main()
