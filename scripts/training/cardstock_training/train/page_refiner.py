"""Trains the refiner of photos of many cards, from the weights of the refiner.

    python -m cardstock_training.train.page_refiner --minutes 30

It differs in two ways. Corners under other cards are located, too, from those that are visible. Where no card lies
in the frame, its maps are flat, so that their peaks tell cards from gaps between cards.
"""
import cv2
import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training.render import photos, unusual
from cardstock_training.render.banks import Bank
from cardstock_training.train import refiner
from cardstock_training.train.loop import load_exported, parse_options, train
from cardstock_training.train.refiner import CELL, H, W, corner_maps, decode_corners, upright_frame

WIDE, TALL = upright_frame()[2] - upright_frame()[0]


def _face(rng, bank: Bank) -> np.ndarray:
    """Draws a face; six in ten are scans. Half are mirrored or recolored: corners do not depend on it."""
    face = bank.face(rng, 0.6) if rng.random() < 0.85 else unusual.face(rng, bank)
    mirrored = face[:, ::-1] if rng.random() < 0.3 else face
    return np.ascontiguousarray(mirrored[..., rng.permutation(3)]) if rng.random() < 0.3 else mirrored


def _damage(rng) -> photos.Damage:
    """Draws effects that leave corners visible at the resolution of a page."""
    found = photos.Damage.random(rng, 0.6)
    found.fingers, found.small = 0, max(found.small, 0.6)
    return found


def _errors(rng) -> np.ndarray:
    """Returns the quad of a card near the frame: detections are a few percent off, sometimes ten."""
    spread = rng.uniform(0, 0.05) if rng.random() < 0.75 else rng.uniform(0.05, 0.1)
    quad = upright_frame() + rng.normal(0, spread, (4, 2)) * (WIDE, TALL) + rng.normal(0, rng.uniform(0, 0.05), 2) * (WIDE, TALL)
    return quad.astype(np.float32)


def _at(quad: np.ndarray, across: float, down: float) -> np.ndarray:
    """Returns the place of a neighbor, in sides of the card and in its perspective."""
    return photos.inset(quad, across, down, across + 1, down + 1)


def _grid(rng, quad: np.ndarray) -> list[np.ndarray]:
    """Returns a card and those around it, as on a page; the card comes last."""
    gaps = rng.uniform(0, 0.15, 2)
    around = [(c, r) for c in (-1, 0, 1) for r in (-1, 0, 1) if (c, r) != (0, 0) and rng.random() < 0.85]
    return [photos.turned(_at(quad, c * (1 + gaps[0]), r * (1 + gaps[1])), rng.normal(0, 0.01)) for c, r in around] + [quad]


def _fan(rng, quad: np.ndarray) -> list[np.ndarray]:
    """Returns a card of a fan and its neighbors in the order of drawing."""
    step, aside = rng.uniform(0.3, 0.98) * rng.choice([-1, 1]), rng.normal(0, 0.03) if rng.random() < 0.8 else rng.uniform(-0.5, 0.5)
    move = (step, aside) if rng.random() < 0.5 else (aside, step)
    bend = rng.normal(0, 0.06) if rng.random() < 0.5 else 0.0
    cards = []
    for i in range(int(rng.integers(-3, 1)), int(rng.integers(0, 4)) + 1):
        shake = rng.normal(0, 0.012, 2) if i != 0 else (0, 0)
        cards.append(quad if i == 0 else photos.turned(_at(quad, i * move[0] + shake[0], i * move[1] + shake[1]), i * bend))
    return cards


def _gap(rng) -> list[np.ndarray]:
    """Returns cards none of which lies in the frame: it is between them, within one, or around several."""
    frame, pick = upright_frame(), rng.random()
    if pick < 0.1:
        return []
    if pick < 0.55:  # across two or four cards of a page
        pitch = 1 + rng.uniform(0, 0.15, 2)
        off = rng.uniform(0.3, 0.7, 2)
        off[rng.integers(2)] *= rng.integers(2)
        return [_at(frame, (c + off[0]) * pitch[0], (r + off[1]) * pitch[1]) for c in (-2, -1, 0, 1) for r in (-2, -1, 0, 1)]
    if pick < 0.7:  # the upper or the lower half of a lying card has the shape of a card
        left, right = rng.uniform(-0.02, 0.12), rng.uniform(0.88, 1.02)
        top, bottom = (rng.uniform(-0.02, 0.16), rng.uniform(0.42, 0.64)) if rng.random() < 0.6 else (rng.uniform(0.4, 0.6), rng.uniform(0.86, 1.02))
        lying = np.roll(frame, rng.choice([1, -1]), 0)
        across, down = right - left, bottom - top
        return [photos.inset(lying, -left / across, -top / down, (1 - left) / across, (1 - top) / down)]
    if pick < 0.85:  # a part of a card
        scale = rng.uniform(1.5, 3)
        left, top = -rng.uniform(0, scale - 1, 2)
        return [photos.inset(frame, left, top, left + scale, top + scale)]
    # Two cards side by side, at a quarter turn.
    wide, tall = 1.0 / rng.uniform(0.95, 1.1), 0.5 * rng.uniform(0.9, 1.05)
    quads = [photos.inset(frame, 0, k * tall, wide, (k + 0.97) * tall) for k in (-1, 0, 1, 2)]
    return [np.roll(q, 1, 0) for q in quads]


def _slab_gap(rng) -> np.ndarray:
    """Returns the card of a slab whose plastic has the edges of the frame."""
    return photos.inset(upright_frame(), rng.uniform(0.08, 0.13), rng.uniform(0.25, 0.3), rng.uniform(0.87, 0.92), rng.uniform(0.9, 0.95))


def visible_corners(quad: np.ndarray, above: list[np.ndarray]) -> np.ndarray:
    """Returns 1 for each corner of a card that lies under no other, else 0."""
    inner = quad + 0.06 * (quad.mean(0) - quad)  # corners of stacked cards lie on each other's edges
    is_under = lambda point: any(cv2.pointPolygonTest(cover.astype(np.float32), point.tolist(), False) >= 0 for cover in above)
    return np.array([not is_under(point) for point in inner.astype(np.float32)], np.float32)


def render_crop(rng, bank: Bank) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """Renders the crop of a proposal, its quad, and which of its corners are visible; without a card there, no quad."""
    if rng.random() < 0.15:
        return *refiner.render_crop(rng, bank), np.ones(4, np.float32)
    canvas = photos.background(rng, bank, H, W, 0.4)
    pick, quad = rng.random(), _errors(rng)
    is_slab = pick < 0.03 or 0.44 < pick < 0.5
    quads = [_slab_gap(rng)] if pick < 0.03 else _gap(rng) if pick < 0.25 else _grid(rng, quad) if pick < 0.44 else [quad] if is_slab else _fan(rng, quad)
    sleeve = rng.uniform(0.008, 0.05) if rng.random() < 0.25 else 0.0
    for one in quads:
        item = photos.random_item(rng, bank, one.astype(np.float32), 2 if is_slab else 0, _face(rng, bank))
        item.sleeve = sleeve
        photos.draw(rng, canvas, item, bank)
    if rng.random() < 0.06:
        unusual.hand(rng, canvas, quad)
    if rng.random() < 0.2:  # a reflection of the plastic
        x, y = rng.uniform(-0.2, 0.9, 2)
        photos.paste(canvas, np.full((4, 4, 3), 250, np.uint8), photos.inset(quad, x, y, x + rng.uniform(0.1, 1), y + rng.uniform(0.05, 0.4)), 0.1, rng.uniform(0.1, 0.6))
    image = photos.apply_damage(rng, canvas, quad, _damage(rng))
    if pick < 0.25:
        return image, None, np.ones(4, np.float32)
    own = next(i for i, one in enumerate(quads) if one is quad)
    return image, quad, visible_corners(quad, quads[own + 1:])


def _half_turn(image: np.ndarray, quad: np.ndarray | None, visible: np.ndarray):
    """Turns a crop: half of the proposals are upside down."""
    turned = None if quad is None else np.roll((W, H) - quad, 2, 0).astype(np.float32)
    return np.ascontiguousarray(image[::-1, ::-1]), turned, np.roll(visible, 2)


def render(rng, bank: Bank, n: int):
    crops = [render_crop(rng, bank) for _ in range(n)]
    crops = [_half_turn(*crop) if rng.random() < 0.3 else crop for crop in crops]
    flat = np.full((4, H // 4, W // 4), 16 / H / W, np.float32)
    inside = lambda quad: quad is not None and (quad > -4).all() and (quad < (W + 4, H + 4)).all()
    images, found, visible = zip(*crops)
    maps = [corner_maps(np.clip(quad, 2, (W - 3, H - 3))) if inside(quad) else flat for quad in found]
    quads = [quad if inside(quad) else np.full((4, 2), np.nan, np.float32) for quad in found]
    return np.stack(images), np.stack(maps), np.stack(quads), np.stack(visible)


def visibility_loss(logits, quads, visible):
    """Compares the map of each corner with its visibility, at the place of the corner."""
    is_card = ~torch.isnan(quads[:, 0, 0])
    cells = (quads[is_card] / CELL).long()
    column, row = cells[..., 0].clamp(0, W // CELL - 1), cells[..., 1].clamp(0, H // CELL - 1)
    at = logits[is_card].flatten(2).gather(2, (row * (W // CELL) + column)[..., None])[..., 0]
    right = ((at > 0) == (visible[is_card] > 0.5)).float().mean()
    return F.binary_cross_entropy_with_logits(at, visible[is_card]), right


def loss_of(outputs, tensors, _progress):
    (logits, seen), (_, target, quad, visible) = outputs, tensors
    loss = -(target.flatten(2) * F.log_softmax(logits.flatten(2), -1)).sum(-1).mean()
    visibility, right = visibility_loss(seen, quad, visible)
    found, mass = decode_corners(logits[:16].detach().cpu().numpy())
    true = quad[:16].cpu().numpy()
    is_card = ~np.isnan(true[:, 0, 0])
    error = np.linalg.norm(found - true, axis=-1)[is_card].mean() / TALL
    gap = float(mass[~is_card].mean()) if (~is_card).any() else 0.0
    return loss + visibility, {"error": float(error), "card": float(mass[is_card].mean()), "gap": gap, "visible": right.item()}


if __name__ == "__main__":
    train("page-refiner", parse_options(minutes=30, batch=32, rate=3e-3), render, loss_of, lambda: load_exported("refiner"))
