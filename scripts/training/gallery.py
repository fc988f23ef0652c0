"""100,000 other cards, among which the evaluation's cards have to be found.

    python gallery.py [--count 100000]     # data/run/evaluation/gallery.bin: int8 vectors, 128 a card;
                                           # gallery-hashes.bin: 128 bytes a card; gallery-hashes.npz: the peers' hashes

They are crossed from the banks: the frame of one card, the art of another, turned in hue, mirrored. No
card of the evaluation's photos is among them.
"""
import argparse
import os
import sys

import cv2
import numpy as np
import torch

from bank import HERE, Bank
from nets import DIMENSIONS, EMBEDDER_SIZE
from render_evaluation import OUT
from training import load, pixels

sys.path.insert(0, os.path.join(HERE, "../../bench/peer"))
from identify import peer_hashes  # noqa: E402

H, W = EMBEDDER_SIZE
# src/vision/retrieval/embed.ts: one scale for all vectors.
SCALE = 127 / 0.5


def quantise(vectors: torch.Tensor) -> np.ndarray:
    unit = torch.nn.functional.normalize(vectors.flatten(1), dim=1).numpy()
    return np.clip(np.round(unit * SCALE), -127, 127).astype(np.int8)


def hash_of(image: np.ndarray) -> np.ndarray:
    """1,024 bits, as src/vision/retrieval/perceptual-hash.ts makes them."""
    grey = cv2.resize(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), (128, 128), interpolation=cv2.INTER_AREA)
    low = cv2.dct(grey.astype(np.float32))[:32, :32].flatten()
    return np.packbits(low > np.median(low[1:]), bitorder="little")


def hashes_of(image: np.ndarray) -> dict[str, np.ndarray]:
    return {**peer_hashes(image), "own": hash_of(image)}


def crossed(rng, pools: list[np.ndarray]) -> np.ndarray:
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
    net, _ = load("embedder")
    net = net.to(memory_format=torch.channels_last)
    train, evaluation = Bank("train"), Bank("evaluation")
    pools = [p for p in (train.faces, evaluation.faces, train.scans, train.scans) if p is not None]
    rng, out = np.random.default_rng(99), np.empty((count, DIMENSIONS), np.int8)
    # Filled in place: many small arrays that are kept between large ones that are not tear the heap apart.
    hashes = {key: np.empty((count, len(value)), np.uint8) for key, value in hashes_of(crossed(rng, pools)).items()}
    with torch.inference_mode():
        for at in range(0, count, 128):
            n = min(128, count - at)
            images = np.stack([crossed(rng, pools) for _ in range(n)])
            out[at:at + n] = quantise(net(pixels(torch.from_numpy(images)))[0])
            for i, image in enumerate(images):
                for key, value in hashes_of(image).items():
                    hashes[key][at + i] = value
            if at % 12_800 == 0:
                print(f"{at} of {count}", flush=True)
    os.makedirs(OUT, exist_ok=True)
    out.tofile(os.path.join(OUT, "gallery.bin"))
    hashes.pop("own").tofile(os.path.join(OUT, "gallery-hashes.bin"))
    np.savez(os.path.join(OUT, "gallery-hashes.npz"), **hashes)
    print(f"{count} vectors")


if __name__ == "__main__":
    main()
