"""N5, the recogniser.   python train_recogniser.py --minutes 120"""
import numpy as np
import torch
import torch.nn.functional as F

import lines
from grammars import ALPHABET, SCRIPTS
from training import Shelf, options, train

_CLASS = {c: i + 1 for i, c in enumerate(ALPHABET)}
# A line that nobody can read teaches how sure not to be, and little else.
ILLEGIBLE_WEIGHT = 0.25
# The first lines are large and sharp: CTC takes long to leave "all blank" on hard ones.
EASY_LINES = 6000

# Setting a line takes seven times as long as photographing it: each is shown about five times.
KEPT, NEW = 2000, 0.2

_made = {"lines": 0}
_sheets = Shelf(KEPT, NEW)
_waiting: dict[int, list[lines.Sample]] = {}


def render(rng, bank, n: int):
    """n lines of about one width: a batch is as wide as its widest, and half of them are short."""
    while True:
        easy = _made["lines"] < EASY_LINES
        s = lines.photograph(rng, _sheets.take(rng, lambda: lines.sheet(rng, bank, False)), rng.uniform(16, 40) if easy else None)
        if easy and not s.legible:
            continue
        _made["lines"] += 1
        alike = _waiting.setdefault(-(-s.image.shape[1] // 64), [])
        alike.append(s)
        if len(alike) == n:
            arrays = batch(alike)
            alike.clear()
            return arrays


def batch(samples: list[lines.Sample]):
    images, widths = lines.padded([s.image for s in samples])
    steps = -(-widths // lines.STRIDE)
    texts = [[_CLASS[c] for c in s.text] for s in samples]
    targets = np.zeros((len(samples), max(1, max(map(len, texts)))), np.int64)
    for row, text in zip(targets, texts):
        row[:len(text)] = text
    return (images, targets, np.array([len(t) for t in texts], np.int64), steps,
            np.array([SCRIPTS.index(s.line.script) for s in samples], np.int64), np.array([s.legible for s in samples], np.float32))


def about(logits: torch.Tensor, steps: torch.Tensor) -> torch.Tensor:
    """What a line is as a whole: the average over the steps that it fills (n x 6)."""
    inside = torch.arange(logits.shape[3], device=logits.device)[None] < steps[:, None]
    return (logits[:, :, 0] * inside[:, None]).sum(2) / steps[:, None]


def loss_of(outputs, tensors, _progress):
    _, targets, lengths, steps, script, legible = tensors
    log = F.log_softmax(outputs[0][:, :, 0].float(), 1).permute(2, 0, 1)
    weight = legible + (1 - legible) * ILLEGIBLE_WEIGHT
    # Texts that are squeezed below a step a letter cannot be said: `zero_infinity`.
    ctc = F.ctc_loss(log, targets, steps, lengths, reduction="none", zero_infinity=True) / lengths.clamp(min=1)
    read = (ctc * weight).sum() / weight.sum()
    whole = about(outputs[1].float(), steps)
    told = (F.cross_entropy(whole[:, :-1], script, reduction="none") * weight).sum() / weight.sum()
    seen = F.binary_cross_entropy_with_logits(whole[:, -1], legible)
    with torch.no_grad():
        said = [greedy(l, int(n))[0] for l, n in zip(log.permute(1, 0, 2).cpu().numpy(), steps.tolist())] if np.random.random() < 0.1 else None
    figures = {"ctc": read.item(), "script": told.item(), "legible": seen.item()}
    if said is not None:
        wanted = ["".join(ALPHABET[i - 1] for i in row[:n]) for row, n in zip(targets.tolist(), lengths.tolist())]
        figures["exact"] = float(np.mean([a == b for a, b, ok in zip(said, wanted, legible.tolist()) if ok] or [0]))
    return read + 0.2 * told + 0.1 * seen, figures


def greedy(log: np.ndarray, steps: int) -> tuple[str, float]:
    """The likeliest class of each step, repeats and blanks left out, and the least sure of its characters
    (steps x classes, logarithms of probabilities)."""
    best = log[:steps].argmax(1)
    text, sure, before = [], [], 0
    for t, c in enumerate(best):
        if c != 0 and c != before:
            text.append(ALPHABET[c - 1])
            sure.append(log[t, c])
        elif c != 0:  # a character is as sure as the surest of its steps
            sure[-1] = max(sure[-1], log[t, c])
        before = c
    return "".join(text).strip(), float(np.exp(min(sure))) if sure else 0.0


if __name__ == "__main__":
    train("recogniser", options(minutes=120, batch=32, rate=1.5e-3), render, loss_of)
