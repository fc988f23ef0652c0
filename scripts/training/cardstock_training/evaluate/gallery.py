"""Writes vectors and hashes of 100,000 other cards, among which the evaluation cards have to be found.

    python -m cardstock_training.evaluate.gallery [--count 100000]

Writes to data/run/evaluation: gallery.bin (128 int8 per card), gallery-hashes.bin (128 bytes per card) and
gallery-hashes.npz (hashes of the compared projects). The cards combine the frame of one bank picture with the art
of another, with a hue shift and mirroring. None of them is in the evaluation photos. The vectors are those of the
weights in data/model, as in the service.
"""
import argparse
import sys

import cv2
import numpy as np
import torch

from cardstock_training import paths
from cardstock_training.evaluate.perceptual_hash import perceptual_hash
from cardstock_training.render.banks import Bank
from cardstock_training.train.loop import load_exported, to_input
from cardstock_training.train.sizes import DIMENSIONS, EMBEDDER_SIZE

sys.path.insert(0, str(paths.PEERS))
from identify import peer_hashes  # noqa: E402

H, W = EMBEDDER_SIZE
# VECTOR_SCALE of src/vision/retrieval/embed.ts.
SCALE = 127 / 0.5


def quantize(vectors: torch.Tensor) -> np.ndarray:
    unit = torch.nn.functional.normalize(vectors.flatten(1), dim=1).numpy()
    return np.clip(np.round(unit * SCALE), -127, 127).astype(np.int8)


def all_hashes(image: np.ndarray) -> dict[str, np.ndarray]:
    return {**peer_hashes(image), "own": perceptual_hash(image)}


def combine_cards(rng, pools: list[np.ndarray]) -> np.ndarray:
    pick = lambda: cv2.resize(np.ascontiguousarray((pool := pools[int(rng.integers(len(pools)))])[int(rng.integers(len(pool)))]), (W, H), interpolation=cv2.INTER_AREA)
    card, other = pick(), pick()
    y0, y1 = int(rng.uniform(0.08, 0.16) * H), int(rng.uniform(0.45, 0.62) * H)
    part = other[y0:y1, 8:W - 8]
    if rng.random() < 0.5:
        part = part[:, ::-1]
    card[y0:y1, 8:W - 8] = part
    if rng.random() < 0.6:
        hsv = cv2.cvtColor(card, cv2.COLOR_RGB2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(180))) % 180
        card = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)
    return card


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100_000)
    count = parser.parse_args().count
    net = load_exported("embedder").eval().to(memory_format=torch.channels_last)
    train, evaluation = Bank("train"), Bank("evaluation")
    pools = [p for p in (train.faces, evaluation.faces, train.scans, train.scans) if p is not None]
    rng, out = np.random.default_rng(99), np.empty((count, DIMENSIONS), np.int8)
    # Preallocated, because many small arrays between large temporary ones fragment the heap.
    hashes = {key: np.empty((count, len(value)), np.uint8) for key, value in all_hashes(combine_cards(rng, pools)).items()}
    with torch.inference_mode():
        for at in range(0, count, 128):
            n = min(128, count - at)
            images = np.stack([combine_cards(rng, pools) for _ in range(n)])
            out[at:at + n] = quantize(net(to_input(torch.from_numpy(images)))[0])
            for i, image in enumerate(images):
                for key, value in all_hashes(image).items():
                    hashes[key][at + i] = value
            if at % 12_800 == 0:
                print(f"{at} of {count}", flush=True)
    paths.EVALUATION.mkdir(parents=True, exist_ok=True)
    out.tofile(paths.EVALUATION / "gallery.bin")
    hashes.pop("own").tofile(paths.EVALUATION / "gallery-hashes.bin")
    np.savez(paths.EVALUATION / "gallery-hashes.npz", **hashes)
    print(f"{count} vectors")


if __name__ == "__main__":
    main()
