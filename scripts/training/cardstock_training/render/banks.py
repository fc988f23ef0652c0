"""Banks of pictures that photos are rendered from: procedural cards and, if present, real scans, as arrays on disk.

    python -m cardstock_training.render.banks     # builds the banks that the training needs, once
"""
import hashlib
from pathlib import Path

import cv2
import numpy as np

from cardstock_training import paths
from cardstock_training.render import cards

# Whole sets of scans are held out: no network sees one of their cards before the evaluation.
HELD_OUT_SETS = ("A3b", "A4a", "B1a", "PROMO-B")


def _open(name: str, count: int) -> np.memmap:
    return np.lib.format.open_memmap(paths.BANK / f"{name}.npy", "w+", np.uint8, (count, cards.HEIGHT, cards.WIDTH, 3))


def _build_faces(name: str, family: cards.Family, groups: int, seed: int, textures) -> None:
    out = _open(name, groups * 4)
    for g in range(groups):
        rng = np.random.default_rng((seed, g))
        out[g * 4:g * 4 + 4] = cards.group(rng, family, textures)
    out.flush()


def _build_others(name: str, family: cards.Family, make, count: int, seed: int) -> None:
    out = _open(name, count)
    for i in range(count):
        out[i] = make(np.random.default_rng((seed, i)), family)
    out.flush()


def _read(path: str) -> np.ndarray:
    image = cv2.imread(path)[..., ::-1]
    return cv2.resize(image, (cards.WIDTH, cards.HEIGHT), interpolation=cv2.INTER_AREA)


def _shared_files(pattern: str) -> list[str]:
    return sorted(str(file) for file in paths.SHARED.glob(pattern))


def scan_files(held_out: bool) -> list[str]:
    """Returns the scans for training, or the ones held out for the evaluation; split by set or by card name."""
    pocket = [f for f in _shared_files("scans/pocket/*.webp") if Path(f).name.rsplit("_", 1)[0].startswith(HELD_OUT_SETS) == held_out]
    # All printings of a name belong to the same split.
    side = lambda f: hashlib.sha256(Path(f).name.split("__DSK")[0].encode()).digest()[0] < 128
    dsk = [f for f in _shared_files("scans/dsk/*.webp") if side(f) == held_out]
    return pocket + dsk + (_shared_files("scans/evolutions/*.webp") if held_out else [])


def build() -> None:
    paths.BANK.mkdir(parents=True, exist_ok=True)
    textures = texture_bank()
    if textures is not None:
        np.save(paths.BANK / "textures.npy", textures)
    for held_out in (False, True):
        files = scan_files(held_out)
        if files:
            np.save(paths.BANK / ("scans-evaluation.npy" if held_out else "scans-train.npy"), np.stack([_read(f) for f in files]))
    for name, family, seed in (("train", cards.train_family(), 1), ("evaluation", cards.evaluation_family(), 2)):
        n = 1 if name == "train" else 4
        _build_others(f"backs-{name}", family, cards.back, 240 // n, seed * 10 + 1)
        _build_others(f"sealed-{name}", family, cards.sealed, 240 // n, seed * 10 + 2)
        _build_faces(f"faces-{name}", family, 2000 // n // (2 if n > 1 else 1), seed * 10, textures if name == "train" else None)


def texture_bank() -> np.ndarray | None:
    files = _shared_files("scans/textures/*.webp")
    if not files:
        return None
    return np.stack([cv2.resize(cv2.imread(f)[..., ::-1], (256, 256), interpolation=cv2.INTER_AREA) for f in files])


class Bank:
    """The pictures that photos are rendered from."""

    def __init__(self, name: str):
        load = lambda part: np.load(file, mmap_mode="r") if (file := paths.BANK / f"{part}.npy").exists() else None
        self.family = cards.train_family() if name == "train" else cards.evaluation_family()
        self.faces, self.backs, self.sealed = load(f"faces-{name}"), load(f"backs-{name}"), load(f"sealed-{name}")
        self.scans, self.textures = load(f"scans-{name}"), load("textures")
        if self.textures is not None:  # half of the textures for each split
            half = len(self.textures) // 2
            self.textures = self.textures[:half] if name == "train" else self.textures[half:]

    def face(self, rng, real: float = 0.3) -> np.ndarray:
        pool = self.scans if self.scans is not None and rng.random() < real else self.faces
        return pool[rng.integers(len(pool))]


if __name__ == "__main__":
    build()
