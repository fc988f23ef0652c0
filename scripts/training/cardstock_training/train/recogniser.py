"""Trains the recogniser.   python -m cardstock_training.train.recogniser --minutes 120"""
import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training.render import text_lines
from cardstock_training.render.grammars import ALPHABET, SCRIPTS
from cardstock_training.render.sample_cache import SampleCache
from cardstock_training.train.ctc import decode_greedily
from cardstock_training.train.loop import parse_options, train

_CLASS = {c: i + 1 for i, c in enumerate(ALPHABET)}
# An illegible line teaches low confidence, and little else.
ILLEGIBLE_WEIGHT = 0.25
# The first lines are large and sharp: on hard ones CTC predicts only blanks for a long time.
EASY_LINES = 6000

# Setting a line takes seven times as long as photographing it: each is used about five times.
_sheets = SampleCache(size=2000, new=0.2)
_made = {"lines": 0}
_waiting: dict[int, list[text_lines.Sample]] = {}


def render(rng, bank, n: int):
    """Renders n lines of similar width: a batch is as wide as its widest line, and half of all lines are short."""
    while True:
        easy = _made["lines"] < EASY_LINES
        s = text_lines.photograph(rng, _sheets.get(rng, lambda: text_lines.sheet(rng, bank, False)), rng.uniform(16, 40) if easy else None)
        if easy and not s.legible:
            continue
        _made["lines"] += 1
        alike = _waiting.setdefault(-(-s.image.shape[1] // 64), [])
        alike.append(s)
        if len(alike) == n:
            arrays = batch(alike)
            alike.clear()
            return arrays


def batch(samples: list[text_lines.Sample]):
    images, widths = text_lines.pad_batch([s.image for s in samples])
    steps = -(-widths // text_lines.STRIDE)
    texts = [[_CLASS[c] for c in s.text] for s in samples]
    targets = np.zeros((len(samples), max(1, max(map(len, texts)))), np.int64)
    for row, text in zip(targets, texts):
        row[:len(text)] = text
    return (images, targets, np.array([len(t) for t in texts], np.int64), steps,
            np.array([SCRIPTS.index(s.line.script) for s in samples], np.int64), np.array([s.legible for s in samples], np.float32))


def average_over_line(logits: torch.Tensor, steps: torch.Tensor) -> torch.Tensor:
    """Averages the logits over the steps that the line fills (n x 6)."""
    inside = torch.arange(logits.shape[3], device=logits.device)[None] < steps[:, None]
    return (logits[:, :, 0] * inside[:, None]).sum(2) / steps[:, None]


def loss_of(outputs, tensors, _progress):
    _, targets, lengths, steps, script, legible = tensors
    log = F.log_softmax(outputs[0][:, :, 0].float(), 1).permute(2, 0, 1)
    weight = legible + (1 - legible) * ILLEGIBLE_WEIGHT
    # `zero_infinity`: texts with fewer steps than letters have no path.
    ctc = F.ctc_loss(log, targets, steps, lengths, reduction="none", zero_infinity=True) / lengths.clamp(min=1)
    read = (ctc * weight).sum() / weight.sum()
    whole = average_over_line(outputs[1].float(), steps)
    script_loss = (F.cross_entropy(whole[:, :-1], script, reduction="none") * weight).sum() / weight.sum()
    legible_loss = F.binary_cross_entropy_with_logits(whole[:, -1], legible)
    with torch.no_grad():
        texts_read = [decode_greedily(l, int(n))[0] for l, n in zip(log.permute(1, 0, 2).cpu().numpy(), steps.tolist())] if np.random.random() < 0.1 else None
    metrics = {"ctc": read.item(), "script": script_loss.item(), "legible": legible_loss.item()}
    if texts_read is not None:
        wanted = ["".join(ALPHABET[i - 1] for i in row[:n]) for row, n in zip(targets.tolist(), lengths.tolist())]
        metrics["exact"] = float(np.mean([a == b for a, b, ok in zip(texts_read, wanted, legible.tolist()) if ok] or [0]))
    return read + 0.2 * script_loss + 0.1 * legible_loss, metrics


if __name__ == "__main__":
    train("recogniser", parse_options(minutes=120, batch=32, rate=1.5e-3), render, loss_of)
