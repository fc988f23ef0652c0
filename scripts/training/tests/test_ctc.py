import numpy as np
import pytest

from cardstock_training.render.grammars import ALPHABET
from cardstock_training.train.ctc import decode_greedily


def log_probabilities(classes: list[int], best: float = 0.9) -> np.ndarray:
    rest = (1 - best) / len(ALPHABET)
    return np.log([[best if c == wanted else rest for c in range(len(ALPHABET) + 1)] for wanted in classes])


def test_merges_repeats_and_removes_blanks():
    a, b = ALPHABET.index("a") + 1, ALPHABET.index("b") + 1
    assert decode_greedily(log_probabilities([0, a, a, 0, a, b, 0]), 7)[0] == "aab"


def test_ignores_steps_after_the_line():
    a, b = ALPHABET.index("a") + 1, ALPHABET.index("b") + 1
    assert decode_greedily(log_probabilities([a, 0, b]), 2)[0] == "a"


def test_confidence_is_that_of_the_least_certain_character():
    a, b = ALPHABET.index("a") + 1, ALPHABET.index("b") + 1
    steps = np.concatenate([log_probabilities([a], 0.9), log_probabilities([b], 0.6)])
    assert decode_greedily(steps, 2)[1] == pytest.approx(0.6)


def test_only_blanks_have_no_confidence():
    assert decode_greedily(log_probabilities([0, 0]), 2) == ("", 0.0)


def test_reads_the_golden_lines_of_the_service(golden_print, decode_bytes):
    assert golden_print["alphabet"] == ALPHABET
    for reading in golden_print["readings"]:
        logits = decode_bytes(reading["logits"], np.int8).reshape(reading["steps"], -1) / golden_print["scales"]["logits"]
        logs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
        assert decode_greedily(logs, len(logs))[0] == reading["text"]
