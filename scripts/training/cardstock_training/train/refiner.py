"""Trains the refiner.   python -m cardstock_training.train.refiner --minutes 25"""
import numpy as np
import torch.nn.functional as F

from cardstock_training.render import photos, unusual
from cardstock_training.train.loop import parse_options, train
from cardstock_training.train.sizes import MARGIN, REFINER_SIZE

H, W = REFINER_SIZE
CELL = 4


def upright_frame(margin: float = MARGIN) -> np.ndarray:
    """Returns the quad of the coarse detection in the crop."""
    w, h = W / (1 + 2 * margin), H / (1 + 2 * margin)
    x, y = margin * w, margin * h
    return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)


def render_crop(rng, bank) -> tuple[np.ndarray, np.ndarray]:
    """Renders a crop of a coarse detection: about upright, corners a few percent off, sometimes ten. Half are unusual."""
    quad = upright_frame()
    w, h = quad[2] - quad[0]
    # Large errors occur for cards seen at a steep angle.
    spread = rng.uniform(0, 0.055) if rng.random() < 0.75 else rng.uniform(0.05, 0.11)
    quad = quad + rng.normal(0, spread, (4, 2)) * (w, h) + rng.normal(0, rng.uniform(0, 0.04), 2) * (w, h)
    quad = np.clip(quad, 2, (W - 3, H - 3)).astype(np.float32)
    kind = int(rng.choice(4, p=(0.72, 0.1, 0.12, 0.06)))
    canvas = photos.background(rng, bank, H, W, 0.6)
    if rng.random() < 0.15:  # a neighbor or a card beneath
        beneath = quad + rng.normal(0, 0.3, 2).astype(np.float32) * (w, h) + (w * rng.choice([-1.05, 1.05]), 0)
        photos.draw(rng, canvas, photos.random_item(rng, bank, beneath.astype(np.float32), 0), bank)
    odd = rng.random() < 0.5
    picture = unusual.face(rng, bank) if odd and kind in (0, 2) else None
    photos.draw(rng, canvas, photos.random_item(rng, bank, quad, kind, picture), bank)
    if odd and rng.random() < 0.35:
        unusual.hand(rng, canvas, quad)
    image = photos.apply_damage(rng, canvas, quad, (unusual.damage if odd else photos.Damage.random)(rng))
    if rng.random() < 0.1:  # the edge of the photo
        edge = int(rng.integers(1, int(0.12 * W)))
        side = rng.integers(4)
        image = np.ascontiguousarray(np.rot90(image, side))
        image[:, :edge] = 128
        image = np.ascontiguousarray(np.rot90(image, -side))
    return image, quad


def corner_maps(quad: np.ndarray) -> np.ndarray:
    """Returns a Gaussian peak for each corner; each map sums to one."""
    gy, gx = np.mgrid[0:H // CELL, 0:W // CELL].astype(np.float32)
    out = np.empty((4, H // CELL, W // CELL), np.float32)
    for k, (x, y) in enumerate(quad / CELL - 0.5):
        hill = np.exp(-((gx - x) ** 2 + (gy - y) ** 2) / (2 * 0.8 ** 2))
        out[k] = hill / hill.sum()
    return out


def render(rng, bank, n: int):
    pairs = [render_crop(rng, bank) for _ in range(n)]
    return np.stack([p[0] for p in pairs]), np.stack([corner_maps(p[1]) for p in pairs]), np.stack([p[1] for p in pairs])


def decode_corners(logits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Decodes logits (n x 4 x h x w) to corners in pixels (n x 4 x 2) with their confidence (n x 4)."""
    n, k, h, w = logits.shape
    flat = logits.reshape(n, k, -1)
    p = np.exp(flat - flat.max(-1, keepdims=True))
    p = (p / p.sum(-1, keepdims=True)).reshape(n, k, h, w)
    out, confidence = np.empty((n, k, 2), np.float32), np.empty((n, k), np.float32)
    for i in range(n):
        for c in range(k):
            y, x = divmod(int(p[i, c].argmax()), w)
            y0, y1, x0, x1 = max(0, y - 2), min(h, y + 3), max(0, x - 2), min(w, x + 3)
            part = p[i, c, y0:y1, x0:x1]
            mass = part.sum()
            gy, gx = np.mgrid[y0:y1, x0:x1]
            out[i, c] = (((part * gx).sum() / mass + 0.5) * CELL, ((part * gy).sum() / mass + 0.5) * CELL)
            confidence[i, c] = mass
    return out, confidence


def loss_of(outputs, tensors, _progress):
    logits, (_, target, quad) = outputs[0], tensors
    n = len(logits)
    loss = -(target.flatten(2) * F.log_softmax(logits.flatten(2), -1)).sum(-1).mean()
    found, _ = decode_corners(logits[:8].detach().cpu().numpy())
    error = np.linalg.norm(found - quad[:8].cpu().numpy(), axis=-1).mean() / (H / (1 + 2 * MARGIN))
    return loss, {"error": float(error), "n": n}


if __name__ == "__main__":
    train("refiner", parse_options(minutes=25, batch=48, rate=4e-3), render, loss_of)
