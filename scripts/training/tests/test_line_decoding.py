import numpy as np
import pytest

from cardstock_training.train.line_decoding import decode_lines, height_of, overlap


def square(x: float, y: float, side: float) -> np.ndarray:
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float32)


@pytest.mark.parametrize("shift, expected", [(0, 1), (5, 1 / 3), (10, 0)])
def test_overlap_is_intersection_over_union(shift, expected):
    assert overlap(square(0, 0, 10), square(shift, 0, 10)) == pytest.approx(expected, abs=1e-4)


def test_height_is_perpendicular_to_the_line():
    turn = np.array([[np.cos(0.3), np.sin(0.3)], [-np.sin(0.3), np.cos(0.3)]])
    line = np.array([[0, 0], [80, 0], [80, 12], [0, 12]], np.float32)
    assert height_of(line @ turn) == pytest.approx(12, rel=1e-5)


def test_decodes_the_golden_maps_of_the_service(golden_print, decode_bytes):
    scales, kinds = golden_print["scales"], golden_print["kinds"]
    for maps in golden_print["maps"]:
        shape = maps["rows"], maps["columns"], -1
        part = lambda name: (decode_bytes(maps[name], np.int8).reshape(shape) / scales[name]).transpose(2, 0, 1)
        found = decode_lines(part("text"), part("shape"), part("kind"))
        assert len(found) == len(maps["lines"])
        for line, expected in zip(found, maps["lines"]):
            assert kinds[line.kind] == expected["kind"]
            assert line.score == pytest.approx(expected["score"], abs=1e-3)
            np.testing.assert_allclose(line.quad, np.reshape(expected["quad"], (4, 2)), atol=0.05)
