"""Greedy CTC decoding, as in src/rules/photos/ctc.ts."""
import numpy as np

from cardstock_training.render.grammars import ALPHABET


def decode_greedily(log: np.ndarray, steps: int) -> tuple[str, float]:
    """Decodes log-probabilities (steps x classes): the best class of each step, without repeats and blanks.

    Returns the text and the confidence of its least certain character."""
    best = log[:steps].argmax(1)
    text, confidence, before = [], [], 0
    for t, c in enumerate(best):
        if c != 0 and c != before:
            text.append(ALPHABET[c - 1])
            confidence.append(log[t, c])
        elif c != 0:  # the confidence of a character is the maximum over its steps
            confidence[-1] = max(confidence[-1], log[t, c])
        before = c
    return "".join(text).strip(), float(np.exp(min(confidence))) if confidence else 0.0
