"""Fixtures shared by the tests: golden files of the service, and a small bank of pictures."""
import base64
import json
from pathlib import Path

import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def golden_print() -> dict:
    """Inputs and expected outputs of OCR, shared with the tests of src/vision/ocr."""
    return json.loads((REPOSITORY / "test/vision/ocr/golden-print.json").read_text())


@pytest.fixture(scope="session")
def golden_hash() -> dict:
    """Perceptual hash of a computed picture, shared with the tests of src/vision/retrieval."""
    return json.loads((REPOSITORY / "test/vision/retrieval/golden-hash.json").read_text())


@pytest.fixture(scope="session")
def decode_bytes():
    return lambda text, dtype=np.uint8: np.frombuffer(base64.b64decode(text), dtype)


class SmallBank:
    """Twelve cards, drawn in memory."""

    def __init__(self, cards, family):
        rng = np.random.default_rng(5)
        self.family, self.scans, self.textures = family, None, None
        self.faces = np.stack([face for _ in range(3) for face in cards.group(rng, family)])
        self.backs = np.stack([cards.back(rng, family)])
        self.sealed = np.stack([cards.sealed(rng, family)])

    def face(self, rng, real=0.0):
        return self.faces[rng.integers(len(self.faces))]


@pytest.fixture(scope="session")
def bank():
    from cardstock_training.render import cards

    try:
        family = cards.train_family()
    except SystemExit as error:
        pytest.skip(str(error))
    return SmallBank(cards, family)
