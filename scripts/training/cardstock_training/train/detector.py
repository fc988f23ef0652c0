"""Trains the detector.

    python -m cardstock_training.train.detector --minutes 80 --size 192    # interrupt after about two thirds,
    python -m cardstock_training.train.detector --minutes 80               # then resume at full size
"""
import functools

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training.render import photos, unusual
from cardstock_training.train.loop import parse_options, train
from cardstock_training.train.sizes import DETECTOR_SIZE, STRIDE, UNIT


def letterboxed(rng, bank, side: int = DETECTOR_SIZE) -> tuple[np.ndarray, list[photos.Item], tuple[int, int]]:
    """Renders a photo of any aspect ratio at the top left of the input square; the rest is gray. Half are unusual."""
    ratio = float(rng.choice([1.0, 0.75, 0.5625, 0.5, 0.716]))
    short = round(side * ratio)
    h, w = (side, short) if rng.random() < 0.6 else (short, side)
    shot = (photos if rng.random() < 0.5 else unusual).scene(rng, bank, h, w)
    image = np.full((side, side, 3), 128, np.uint8)
    image[:h, :w] = shot.image
    return image, shot.items, (h, w)


# Share of an item under other items from which it is learned as covered, and the smallest visible share of it.
HIDDEN, GLIMPSE = 0.25, 0.1


def targets(items: list[photos.Item], size: tuple[int, int], cells: int = DETECTOR_SIZE // STRIDE):
    """Returns the heat per class, corner offsets, weights of the offsets, their scale, and weights of the heat.

    The classes are the kinds and `covered`: a card under other cards, at the middle of its visible part."""
    heat = np.zeros((len(photos.KINDS) + 1, cells, cells), np.float32)
    quad = np.zeros((8, cells, cells), np.float32)
    weight = np.zeros((cells, cells), np.float32)
    scale = np.ones((cells, cells), np.float32)
    counts = np.ones((len(heat), cells, cells), np.float32)
    clear = np.zeros((cells, cells), bool)  # middles of visible cards
    y, x = np.mgrid[0:cells, 0:cells].astype(np.float32)
    px, py = (x + 0.5) * STRIDE, (y + 0.5) * STRIDE
    for t, (mask, visible, inside) in zip(items, photos.visible_masks(items, *size)):
        center, extent = t.quad.mean(0), np.sqrt(max(cv2.contourArea(t.quad), 16.0))
        far = np.hypot(px - center[0], py - center[1])
        if visible <= photos.VISIBLE:  # half hidden: ignored as a card
            counts[:-1, far < 0.3 * extent] = 0
        if visible > photos.VISIBLE:
            sigma = max(0.09 * extent, 0.8 * STRIDE)
            near, place, reach = far < max(0.22 * extent, 1.2 * STRIDE), t.kind, 0.15 * extent
            clear |= near
        else:
            depth = cv2.distanceTransform(np.pad(mask.astype(np.uint8), 1), cv2.DIST_L2, 3)[1:-1, 1:-1]
            my, mx = np.unravel_index(depth.argmax(), depth.shape)
            thick = 2 * depth[my, mx]
            far = np.hypot(px - 2 * mx, py - 2 * my)
            if inside - visible < HIDDEN or visible < GLIMPSE or thick < 0.5 * STRIDE:
                counts[-1, far < 0.2 * extent] = 0
                continue
            sigma = max(0.5 * thick, 0.8 * STRIDE)
            rows, columns = (np.clip(v.astype(int) // 2, 0, n - 1) for v, n in ((py, mask.shape[0]), (px, mask.shape[1])))
            near, place, reach = mask[rows, columns] & (far < max(thick, 1.2 * STRIDE)), -1, thick
        peak = np.exp(-0.5 * (far / sigma) ** 2)
        peak[far == far.min()] = 1.0
        heat[place] = np.maximum(heat[place], peak)
        for k in range(4):
            quad[2 * k][near] = (t.quad[k, 0] - px[near]) / UNIT
            quad[2 * k + 1][near] = (t.quad[k, 1] - py[near]) / UNIT
        weight[near] = np.exp(-0.5 * (far[near] / (reach + STRIDE)) ** 2)
        scale[near] = extent / UNIT
    counts[:-1, clear] = 1  # even where the middle of a hidden card is ignored
    return heat, quad, weight, scale, counts


def render(rng, bank, n: int, side: int = DETECTOR_SIZE):
    images, rest = [], []
    for _ in range(n):
        image, items, size = letterboxed(rng, bank, side)
        images.append(image)
        rest.append(targets(items, size, side // STRIDE))
    return (np.stack(images), *(np.stack(part) for part in zip(*rest)))


# Covered cards are rare and small.
COVERED_WEIGHT = 2


def loss_of(outputs, tensors, _progress):
    logits, offsets = outputs
    _, heat, quad, weight, scale, counts = tensors
    p = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    positive = (heat == 1).float()
    # Penalty-reduced focal loss: false positives near a center cost less.
    focal = -(positive * (1 - p) ** 2 * p.log() + (1 - positive) * (1 - heat) ** 4 * p ** 2 * (1 - p).log()) * counts
    focal[:, -1] *= COVERED_WEIGHT
    found = focal.sum() / positive.sum().clamp(min=1)
    error = F.smooth_l1_loss(offsets, quad, reduction="none", beta=0.05).mean(1) / scale
    placed = (error * weight).sum() / weight.sum().clamp(min=1)
    with torch.no_grad():
        share = ((offsets - quad).abs().mean(1) / scale * weight).sum() / weight.sum().clamp(min=1)
    return found + 8 * placed, {"found": found.item(), "placed": placed.item(), "error": share.item()}


if __name__ == "__main__":
    args = parse_options(minutes=80, batch=16, rate=2e-3, size=DETECTOR_SIZE)
    train("detector", args, functools.partial(render, side=args.size), loss_of)
