"""Trains the recognizer: the text of a line (CTC), its script, and whether it can be read.

    python -m cardstock_training.train.recognizer --renderers 1 [--exported]

Starts from the published weights (train/pretrained.py), or with --exported from those in data/model. All layers learn, at a low
rate: their normalization is folded, and at 5e-4 the network forgets more than it learns. Rendered lines alone make it forget real
print (decision 26): at the end the weights go a part of the way back to those from which the training started. Training continued
with --exported sees lines of real print too, if render/scan_crops.py has read them."""
from functools import cache

import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training import paths
from cardstock_training.render import scan_crops, text_lines
from cardstock_training.render.distractions import distraction
from cardstock_training.render.grammars import ALPHABET, SCRIPTS
from cardstock_training.render.sample_cache import SampleCache
from cardstock_training.train import pretrained
from cardstock_training.train.loop import load_exported, load_network, parse_options, train

# Shares of pictures that are no line of text, and of lines in another script; share of collector numbers in the rest,
# beyond those that the grammar draws itself.
DISTRACTIONS, FOREIGN, NUMBERS = 0.08, 0.15, 0.5
# The script of an illegible line is hardly known; its letters are a little.
ILLEGIBLE_SCRIPT, ILLEGIBLE_TEXT = 0.25, 0.3
# Share of lines of real print, if render/scan_crops.py has read any.
REAL = 0.3
# Weight of script and legibility against the text.
ABOUT = 0.25
# Share of what the layers up to the text have learned that is kept: of rendered lines alone, and with real print.
LEARNED_RENDERED, LEARNED_REAL = 0.8, 0.5
# Limit of the loss of a letter: a line that nobody can read teaches nothing.
LETTER_LOSS_MAX = 6

# Setting a line takes seven times as long as photographing it: each is used about three times.
_sheets = {kind: SampleCache(size=size, new=0.3) for kind, size in (("number", 1500), ("foreign", 500), (None, 1500))}
_distractions = SampleCache(size=500, new=0.3)
_crops = cache(scan_crops.load)
_waiting: dict[int, list[text_lines.Sample]] = {}


def render_line(rng, bank) -> text_lines.Sample:
    """Renders one picture of the mix."""
    crops = _crops()
    if crops and rng.random() < REAL:
        return scan_crops.photograph(rng, *crops[rng.integers(len(crops))])
    roll = rng.random()
    if roll < DISTRACTIONS:
        return _distractions.get(rng, lambda: distraction(rng, bank, False))
    kind = "foreign" if roll < DISTRACTIONS + FOREIGN else "number" if rng.random() < NUMBERS else None
    return text_lines.photograph(rng, _sheets[kind].get(rng, lambda: text_lines.sheet(rng, bank, False, kind)))


def render(rng, bank, n: int):
    """Renders n lines of similar width: a batch is as wide as its widest line, and half of all lines are short."""
    while True:
        sample = render_line(rng, bank)
        alike = _waiting.setdefault(-(-sample.image.shape[1] // 64), [])
        alike.append(sample)
        if len(alike) == n:
            arrays = batch(alike)
            alike.clear()
            return arrays


def batch(samples: list[text_lines.Sample]):
    """Returns pictures, steps of each line, classes and count of its letters, script, and whether it is legible."""
    images, widths = text_lines.pad_batch([s.image for s in samples])
    lengths = np.array([len(s.text) for s in samples], np.int64)
    letters = np.zeros((len(samples), max(1, lengths.max())), np.int64)
    for row, s in zip(letters, samples):
        row[:len(s.text)] = [ALPHABET.index(c) + 1 for c in s.text]
    return (images, -(-widths // text_lines.STRIDE), letters, lengths, np.array([SCRIPTS.index(s.line.script) for s in samples], np.int64),
            np.array([s.legible for s in samples], np.float32))


def average_over_line(logits: torch.Tensor, steps: torch.Tensor) -> torch.Tensor:
    """Averages the logits over the steps that the line fills (n x 7)."""
    inside = torch.arange(logits.shape[3], device=logits.device)[None] < steps[:, None]
    return (logits[:, :, 0] * inside[:, None]).sum(2) / steps[:, None]


def text_loss(logits: torch.Tensor, steps, letters, lengths, legible) -> torch.Tensor:
    """Returns the CTC loss of a letter, over the lines that have any."""
    log = torch.log_softmax(logits[:, :, 0], 1).permute(2, 0, 1)
    losses = F.ctc_loss(log, letters, steps, lengths, reduction="none", zero_infinity=True) / lengths.clamp(min=1)
    weights = (lengths > 0).float() * (legible + (1 - legible) * ILLEGIBLE_TEXT)
    return (losses.clamp(max=LETTER_LOSS_MAX) * weights).sum() / weights.sum().clamp(min=1)


def about_loss(logits: torch.Tensor, steps, script, legible) -> torch.Tensor:
    whole = average_over_line(logits, steps)
    # An illegible line may be of any script, but a picture without one is not.
    known = torch.where(script == SCRIPTS.index("other"), 1.0, legible + (1 - legible) * ILLEGIBLE_SCRIPT)
    script_loss = (F.cross_entropy(whole[:, :-1], script, reduction="none") * known).sum() / known.sum()
    return script_loss + F.binary_cross_entropy_with_logits(whole[:, -1], legible)


def loss_of(outputs, tensors, _progress):
    text, about = outputs
    _, steps, letters, lengths, script, legible = tensors
    reading = text_loss(text, steps, letters, lengths, legible)
    looking = about_loss(about, steps, script, legible)
    return reading + ABOUT * looking, {"text": reading.item(), "about": looking.item()}


def blend(start, kept: float) -> None:
    """Moves the averaged weights of the checkpoint towards those that the training started from."""
    path = paths.BANK / "recognizer.pt"
    net, _ = load_network("recognizer")
    for learned, before in zip(pretrained.text_layers(net), pretrained.text_layers(start), strict=True):
        learned.weight.data.lerp_(before.weight.data, 1 - kept)
        learned.bias.data.lerp_(before.bias.data, 1 - kept)
    torch.save({**torch.load(path), "average": net.state_dict()}, path)


if __name__ == "__main__":
    options = parse_options(minutes=70, batch=48, rate=1.5e-4)
    train("recognizer", options, render, loss_of, pretrained.network)
    if options.exported:
        blend(load_exported("recognizer"), LEARNED_REAL)
    else:
        blend(pretrained.network(), LEARNED_RENDERED)
