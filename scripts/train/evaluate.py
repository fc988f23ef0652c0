"""What the networks are worth by themselves, on layouts, fonts and scans that none of them has seen.

    python evaluate.py [detector refiner embedder]

The whole reader, as the service runs it, is judged by `bun run bench identify`.
"""
import sys

import cv2
import numpy as np
import torch

import photos
import train_detector
import train_refiner
from bank import Bank
from nets import DETECTOR_SIZE, MARGIN, REFINER_SIZE, STRIDE, UNIT
from training import load, pixels
from train_embedder import catalog_view, photo_view

SEED = 4242


def run(net, images: list[np.ndarray]) -> list[np.ndarray]:
    """Outputs for all pictures, in batches, as numpy arrays."""
    parts = []
    with torch.inference_mode():
        for at in range(0, len(images), 32):
            parts.append([y.numpy() for y in net(pixels(torch.from_numpy(np.stack(images[at:at + 32]))))])
    return [np.concatenate(column) for column in zip(*parts)]


def interval(right: int, n: int) -> str:
    """A share with its 95 % Wilson interval, in percent."""
    p, z = right / n, 1.96
    middle, half = (p + z * z / 2 / n) / (1 + z * z / n), z * np.sqrt(p * (1 - p) / n + z * z / 4 / n / n) / (1 + z * z / n)
    return f"{100 * p:.1f} % of {n} [{100 * (middle - half):.1f}, {100 * (middle + half):.1f}]"


def best_quad(heat: np.ndarray, quad: np.ndarray) -> tuple[np.ndarray, float, int]:
    """The likeliest thing of one picture: corners in pixels, how sure, which kind."""
    kind, y, x = np.unravel_index(heat.argmax(), heat.shape)
    corners = quad[:, y, x].reshape(4, 2) * UNIT + ((x + 0.5) * STRIDE, (y + 0.5) * STRIDE)
    return corners.astype(np.float32), 1 / (1 + np.exp(-heat[kind, y, x])), int(kind)


def refined(net, image: np.ndarray, quad: np.ndarray, passes: int = 2) -> tuple[np.ndarray, float]:
    """The quad after the refiner has looked, and how sure it was."""
    sure = 0.0
    for _ in range(passes):
        h, w = REFINER_SIZE
        M = cv2.getPerspectiveTransform(quad.astype(np.float32), train_refiner.upright())
        crop = cv2.warpPerspective(image, M, (w, h), flags=cv2.INTER_AREA if photos._height(quad) > 2 * h else cv2.INTER_LINEAR, borderValue=(128, 128, 128))
        found, confidence = train_refiner.corners(run(net, [crop])[0])
        quad = cv2.perspectiveTransform(found[0][None], np.linalg.inv(M))[0]
        sure = float(confidence[0].mean())
    return quad, sure


def judge_refiner(count: int = 400) -> None:
    net, _ = load("refiner")
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    crops = [train_refiner.crop(rng, bank) for _ in range(count)]
    found, sure = train_refiner.corners(run(net, [c[0] for c in crops])[0])
    height = REFINER_SIZE[0] / (1 + 2 * MARGIN)
    error = np.linalg.norm(found - np.stack([c[1] for c in crops]), axis=-1).mean(1) / height * 100
    print(f"refiner, one pass on {count} crops: corner error median {np.median(error):.2f} %, p90 {np.quantile(error, 0.9):.2f} % of the card's height; sure {np.median(sure):.2f}")


def judge_detector(count: int = 400) -> None:
    net, _ = load("detector")
    try:
        refiner, _ = load("refiner")
    except FileNotFoundError:
        refiner = None
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    images, truth, scales = [], [], []
    for i in range(count):
        scale = rng.uniform(0.2, 1.0)
        h, w = (DETECTOR_SIZE, 240) if rng.random() < 0.6 else (240, DETECTOR_SIZE)
        canvas = photos.background(rng, bank, h, w, 0.4)
        quad = photos.place(rng, h, w, scale, tilt=0.8)
        photos.draw(rng, canvas, photos.thing(rng, bank, quad, 0), bank)
        image = np.full((DETECTOR_SIZE, DETECTOR_SIZE, 3), 128, np.uint8)
        image[:h, :w] = photos.wear(rng, canvas, quad, photos.Damage(noise=2, jpeg=88))
        images.append(image), truth.append(quad), scales.append(scale)
    heat, offsets = run(net, images)
    found = turned = 0
    coarse, fine = [], []
    for i, quad in enumerate(truth):
        guess, sure, kind = best_quad(heat[i], offsets[i])
        height = photos._height(quad)
        distance = lambda a: float(np.linalg.norm(a - quad, axis=-1).mean() / height)
        if sure < 0.3 or np.linalg.norm(guess.mean(0) - quad.mean(0)) > 0.2 * height:
            continue
        found += 1
        turned += distance(guess) < 0.25
        coarse.append(distance(guess))
        if refiner is not None:
            fine.append(distance(refined(refiner, images[i], guess)[0]))
    print(f"detector, one card at 0.2 to 1.0 of the frame: found {interval(found, count)}, right way up {interval(turned, count)}")
    print(f"  corner error median {100 * np.median(coarse):.2f} %, p90 {100 * np.quantile(coarse, 0.9):.2f} % of the height")
    if fine:
        print(f"  after the refiner median {100 * np.median(fine):.2f} %, p90 {100 * np.quantile(fine, 0.9):.2f} % (at {DETECTOR_SIZE} px; the service refines at full size)")
    empty = [photos.background(rng, bank, DETECTOR_SIZE, DETECTOR_SIZE, 1.0) for _ in range(200)]
    heat, _ = run(net, empty)
    print(f"  something seen where there is nothing (score over 0.3): {interval(int((heat.reshape(200, -1).max(1) > np.log(0.3 / 0.7)).sum()), 200)}")


def judge_embedder() -> None:
    net, _ = load("embedder")
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    others = Bank("train")
    pictures = list(bank.scans if bank.scans is not None else []) + list(bank.faces[:600])
    count = len(bank.scans) if bank.scans is not None else 300
    plain = lambda p: cv2.resize(np.ascontiguousarray(p), (112, 160), interpolation=cv2.INTER_AREA)
    unit = lambda v: (v.reshape(len(v), -1) / np.linalg.norm(v.reshape(len(v), -1), axis=1, keepdims=True))
    gallery = unit(run(net, [plain(p) for p in pictures] + [plain(p) for p in others.faces[::2]] + ([plain(p) for p in others.scans] if others.scans is not None else []))[0])
    D = photos.Damage
    slices = {"corners 1 %": (0.01, D()), "corners 2 %": (0.02, D()), "corners 3.5 %": (0.035, D()), "blur": (0.01, D(blur=0.01)),
              "glare": (0.01, D(glare=3)), "low light": (0.01, D(dark=0.7, noise=8)), "fingers": (0.01, D(fingers=2)), "foil": (0.01, D(foil=0.5))}
    print(f"embedder, top-1 of {count} cards among {len(gallery)}")
    for name, (jitter, damage) in slices.items():
        queries = unit(run(net, [photo_view(rng, bank, pictures[i], jitter, damage) for i in range(count)])[0])
        scores = queries @ gallery.T
        right = int((scores.argmax(1) == np.arange(count)).sum())
        top20 = int((np.argsort(-scores, 1)[:, :20] == np.arange(count)[:, None]).any(1).sum())
        print(f"  {name}: {interval(right, count)}; in the first twenty {100 * top20 / count:.1f} %")


if __name__ == "__main__":
    torch.set_num_threads(1)
    judges = {"detector": judge_detector, "refiner": judge_refiner, "embedder": judge_embedder}
    for name in sys.argv[1:] or judges:
        judges[name]()
