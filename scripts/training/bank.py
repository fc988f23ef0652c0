"""Picture banks: procedural cards and, where they are at hand, real scans, kept as plain arrays on disk.

    python bank.py build            # makes the banks that the trainers need, once
"""
import glob
import hashlib
import os
import sys

import cv2
import numpy as np

import cards

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.environ.get("BANK", os.path.join(HERE, "../../data/run/train"))
SHARED = os.environ.get("SHARED", os.path.join(HERE, "../../../shared"))

# Whole sets of the scans are kept apart: no network sees a card of them before the evaluation.
HELD_OUT_SETS = ("A3b", "A4a", "B1a", "PROMO-B")


def _build_faces(name: str, family: cards.Family, groups: int, seed: int, textures) -> None:
    out = np.lib.format.open_memmap(os.path.join(FOLDER, name + ".npy"), "w+", np.uint8, (groups * 4, cards.HEIGHT, cards.WIDTH, 3))
    for g in range(groups):
        rng = np.random.default_rng((seed, g))
        out[g * 4:g * 4 + 4] = cards.group(rng, family, textures)
    out.flush()


def _build_others(name: str, family: cards.Family, make, count: int, seed: int) -> None:
    out = np.lib.format.open_memmap(os.path.join(FOLDER, name + ".npy"), "w+", np.uint8, (count, cards.HEIGHT, cards.WIDTH, 3))
    for i in range(count):
        out[i] = make(np.random.default_rng((seed, i)), family)
    out.flush()


def _read(path: str) -> np.ndarray:
    img = cv2.imread(path)[..., ::-1]
    return cv2.resize(img, (cards.WIDTH, cards.HEIGHT), interpolation=cv2.INTER_AREA)


def scan_files(held_out: bool) -> list[str]:
    """Scans for training or, the other ones, for the evaluation; by whole set or by name."""
    files = sorted(glob.glob(os.path.join(SHARED, "scans/pocket/*.webp")))
    pocket = [f for f in files if os.path.basename(f).rsplit("_", 1)[0].startswith(HELD_OUT_SETS) == held_out]
    dsk = sorted(glob.glob(os.path.join(SHARED, "scans/dsk/*.webp")))
    # All printings of one name stay on one side.
    side = lambda f: hashlib.sha256(os.path.basename(f).split("__DSK")[0].encode()).digest()[0] < 128
    dsk = [f for f in dsk if side(f) == held_out]
    return pocket + dsk + (sorted(glob.glob(os.path.join(SHARED, "scans/evolutions/*.webp"))) if held_out else [])


def build() -> None:
    os.makedirs(FOLDER, exist_ok=True)
    textures = texture_bank()
    if textures is not None:
        np.save(os.path.join(FOLDER, "textures.npy"), textures)
    for held_out in (False, True):
        files = scan_files(held_out)
        if files:
            np.save(os.path.join(FOLDER, "scans-evaluation.npy" if held_out else "scans-train.npy"), np.stack([_read(f) for f in files]))
    for name, family, seed in (("train", cards.TRAIN, 1), ("evaluation", cards.EVALUATION, 2)):
        n = 1 if name == "train" else 4
        _build_others(f"backs-{name}", family, cards.back, 240 // n, seed * 10 + 1)
        _build_others(f"sealed-{name}", family, cards.sealed, 240 // n, seed * 10 + 2)
        _build_faces(f"faces-{name}", family, 2000 // n // (2 if n > 1 else 1), seed * 10, textures if name == "train" else None)


def texture_bank() -> np.ndarray | None:
    files = sorted(glob.glob(os.path.join(SHARED, "scans/textures/*.webp")))
    if not files:
        return None
    return np.stack([cv2.resize(cv2.imread(f)[..., ::-1], (256, 256), interpolation=cv2.INTER_AREA) for f in files])


class Bank:
    """The pictures that photos are rendered from."""

    def __init__(self, name: str):
        load = lambda part: np.load(os.path.join(FOLDER, f"{part}.npy"), mmap_mode="r") if os.path.exists(os.path.join(FOLDER, f"{part}.npy")) else None
        self.family = cards.TRAIN if name == "train" else cards.EVALUATION
        self.faces, self.backs, self.sealed = load(f"faces-{name}"), load(f"backs-{name}"), load(f"sealed-{name}")
        self.scans, self.textures = load(f"scans-{name}"), load("textures")
        if self.textures is not None:  # one half of the textures belongs to each side
            half = len(self.textures) // 2
            self.textures = self.textures[:half] if name == "train" else self.textures[half:]

    def face(self, rng, real: float = 0.3) -> np.ndarray:
        pool = self.scans if self.scans is not None and rng.random() < real else self.faces
        return pool[rng.integers(len(pool))]


if __name__ == "__main__":
    if sys.argv[1:] != ["build"]:
        raise SystemExit(__doc__)
    build()
