import numpy as np

from cardstock_training.render import text_lines
from cardstock_training.render.distractions import distraction


def test_distractions_have_the_size_of_lines_and_nothing_to_read(bank):
    rng = np.random.default_rng(3)
    for _ in range(12):
        made = distraction(rng, bank, False)
        assert made.image.shape[0] == text_lines.HEIGHT
        assert 2 * text_lines.STRIDE <= made.image.shape[1] <= text_lines.WIDTH_MAX
        assert (made.text, made.line.script, made.legible) == ("", "other", False)
