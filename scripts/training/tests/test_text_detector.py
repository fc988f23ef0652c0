"""Tests of the conversion of the pretrained text detector. They need ONNX."""
import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

from cardstock_training.train import text_detector  # noqa: E402

if not text_detector.SOURCE.exists():
    pytest.skip("The pretrained network is not available.", allow_module_level=True)


def test_finds_each_line_of_the_golden_picture():
    quads = text_detector.LineFinder().find(text_detector.picture())
    assert len(quads) == 4
    tops, bottoms = sorted(quad[0, 1] for quad in quads), sorted(quad[2, 1] for quad in quads)
    for baseline, top, bottom in zip((34, 84, 116, 150), tops, bottoms):
        assert top < baseline < bottom


def test_converts_every_layer():
    converted = text_detector.Converter(text_detector.source_model())
    shapes = [w.shape for name, w in converted.weights if name.endswith("/w")]
    # 83 convolutions, two of them as sums of two and of four, and two transposed ones; the last has the 16 pixels of a square.
    assert len(shapes) == 89
    assert shapes[0] == (3, 3, 1, 16) and shapes[-2:] == [(1, 1, 16, 64), (1, 1, 64, 16)]
