"""Chooses the minimum confidence of a whole line (stampMin and labelMin in src/rules/photos/thresholds.ts), by Learn-then-Test.

    python -m cardstock_training.evaluate.calibrate_reading [--lines 12000]

The lines are numbers of 5.5 to 12 px/mm in held-out fonts and formats, cropped with the errors of the service.
A reading is wrong if it differs from the printed text. The sequence starts at the strictest limit and ends at the
first that is not proven safe. learn_then_test.py describes the method.
"""
import argparse

import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training.evaluate.learn_then_test import ERROR, RISK, binomial_tail, upper_bound
from cardstock_training.evaluate.networks import SEED, log_probabilities
from cardstock_training.render import text_lines
from cardstock_training.render.banks import Bank
from cardstock_training.render.grammars import ALPHABET
from cardstock_training.train.ctc import decode_greedily
from cardstock_training.train.loop import load_network

NUMBER_MM = 1.9
LIMITS = (0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.92, 0.9, 0.87, 0.84, 0.8, 0.75, 0.7, 0.6, 0.5)
LEGIBLE_MIN = 0.5


def read(net, image: np.ndarray) -> tuple[str, float, float]:
    """Returns text, probability and legibility of a line, as src/vision/ocr/recognize.ts does."""
    log, whole = log_probabilities(net, image)
    text, _ = decode_greedily(log.numpy(), len(log))
    if not text:
        return "", 0.0, 0.0
    target = torch.tensor([[ALPHABET.index(c) + 1 for c in text]])
    loss = F.ctc_loss(log[:, None], target, torch.tensor([len(log)]), torch.tensor([len(text)]), reduction="sum")
    return text, float(torch.exp(-loss)), float(torch.sigmoid(whole[-1]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=12000)
    count = parser.parse_args().lines
    torch.set_num_threads(1)
    net, _ = load_network("recognizer")
    rng, bank, seen = np.random.default_rng(SEED), Bank("evaluation"), []
    for _ in range(count):
        line = text_lines.sample(rng, bank, True, rng.uniform(5.5, 12) * NUMBER_MM, "number")
        text, confidence, legible = read(net, line.image)
        seen.append((text == line.text, confidence if legible >= LEGIBLE_MIN else 0.0))
    print(f"{count} lines, {100 * np.mean([right for right, _ in seen]):.1f} % read exactly\nlimit  read   wrong  bound")
    safest, shown = None, True
    for limit in LIMITS:
        accepted = [right for right, confidence in seen if confidence >= limit]
        wrong = len(accepted) - sum(accepted)
        print(f"{limit:5.2f}  {len(accepted):5}  {wrong:5}  {100 * upper_bound(wrong, len(accepted)):5.2f} %")
        shown = shown and binomial_tail(wrong, len(accepted), RISK) <= ERROR
        safest = limit if shown else safest
    print("No limit is proven safe." if safest is None else f"Proven safe: limits from {safest}")


if __name__ == "__main__":
    main()
