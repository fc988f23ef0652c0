"""Tests of the training of the recognizer. They need PyTorch and the fonts."""
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from cardstock_training.render import text_lines  # noqa: E402
from cardstock_training.render.distractions import distraction  # noqa: E402
from cardstock_training.render.grammars import ALPHABET, SCRIPTS  # noqa: E402
from cardstock_training.train import recognizer  # noqa: E402


def test_a_batch_has_the_letters_of_its_lines(bank):
    rng = np.random.default_rng(1)
    samples = [text_lines.sample(rng, bank, False, 20, "number"), distraction(rng, bank, False)]
    images, steps, letters, lengths, script, legible = recognizer.batch(samples)
    assert "".join(ALPHABET[c - 1] for c in letters[0][:lengths[0]]) == samples[0].text
    assert lengths[1] == 0 and script[1] == SCRIPTS.index("other") and legible[1] == 0
    assert (steps * text_lines.STRIDE >= [s.image.shape[1] for s in samples]).all() and steps.max() * text_lines.STRIDE <= images.shape[2]


def test_the_loss_falls_with_the_right_text_and_ignores_lines_without_any():
    letters, lengths, steps = torch.tensor([[3, 4], [0, 0]]), torch.tensor([2, 0]), torch.tensor([3, 3])
    right = torch.zeros(2, len(ALPHABET) + 1, 1, 3)
    right[0, 3, 0, 0] = right[0, 0, 0, 1] = right[0, 4, 0, 2] = 9.0
    other = right.clone()
    other[1, 7] = 9.0
    legible = torch.tensor([1.0, 0.0])
    loss = recognizer.text_loss(right, steps, letters, lengths, legible)
    assert loss < 0.1 < recognizer.text_loss(torch.zeros_like(right), steps, letters, lengths, legible)
    assert loss == recognizer.text_loss(other, steps, letters, lengths, legible)
