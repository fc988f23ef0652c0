import numpy as np
import pytest

from cardstock_training.render import scan_crops, text_lines


def test_cuts_a_line_with_its_margins():
    picture = np.full((100, 200), 200, np.uint8)
    picture[40:60, 50:150] = 20
    quad = np.float32([[50, 40], [150, 40], [150, 60], [50, 60]])
    crop = scan_crops.cut(picture, quad)
    assert crop.shape == (26, 120)
    assert (crop[4:22, 11:109] == 20).all()
    assert (crop[[0, -1]] == 200).all() and (crop[:, [0, -1]] == 200).all()


@pytest.mark.parametrize("seed", range(5))
def test_photographs_a_line_no_larger_than_it_is(seed):
    crop = np.random.default_rng(1).integers(0, 255, (20, 90), np.uint8)
    sample = scan_crops.photograph(np.random.default_rng(seed), crop, "12/34")
    assert sample.image.shape[0] == text_lines.HEIGHT
    assert sample.text == "12/34" and sample.line.script == "latin" and sample.legible
    assert sample.height <= 20 / (1 + 2 * text_lines.MARGIN)
