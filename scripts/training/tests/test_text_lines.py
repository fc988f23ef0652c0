import numpy as np
import pytest

from cardstock_training.render import text_lines


def test_normalizes_the_golden_crops_of_the_service(golden_print, decode_bytes):
    for crop in golden_print["normals"]:
        image = decode_bytes(crop["data"]).reshape(crop["height"], crop["width"])
        expected = decode_bytes(crop["normal"]["data"]).reshape(text_lines.HEIGHT, crop["normal"]["width"])
        made = text_lines.normalize(image)
        assert made.shape == expected.shape
        assert np.abs(made.astype(int) - expected).max() <= 1


@pytest.mark.parametrize("width, expected", [(3, 16), (64, 64), (4_000, 480)])
def test_limits_the_width(width, expected):
    assert text_lines.normalize(np.zeros((48, width), np.uint8)).shape == (48, expected)


def test_pads_a_batch_to_a_multiple_of_32():
    batch, widths = text_lines.pad_batch([np.zeros((48, 40), np.uint8), np.zeros((48, 70), np.uint8)])
    assert batch.shape == (2, 48, 96, 1)
    assert widths.tolist() == [40, 70]
    assert (batch[0, :, 40:] == text_lines.EMPTY).all()


def test_clearness_falls_with_noise():
    rng = np.random.default_rng(1)
    ink = np.zeros((32, 64), np.float32)
    ink[8:24, 10:54:6] = 1
    clean = 200 - 150 * ink
    noisy = clean + rng.normal(0, 200, clean.shape)
    assert text_lines.clearness(clean, ink) > 0.99
    assert text_lines.clearness(noisy, ink) < 0.6
