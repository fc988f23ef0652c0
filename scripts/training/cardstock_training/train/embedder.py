"""Trains the embedder.   python -m cardstock_training.train.embedder --minutes 90"""
import cv2
import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training.render import photos
from cardstock_training.train.loop import parse_options, train
from cardstock_training.train.sizes import EMBEDDER_SIZE

H, W = EMBEDDER_SIZE
EDGES = np.array([[0, 0], [W, 0], [W, H], [0, H]], np.float32)
TEMPERATURE = 0.07
MEMORY = 4096


def catalog_view(rng, picture: np.ndarray) -> np.ndarray:
    """Renders the picture as in a catalog: rectified and clean, sometimes small or compressed."""
    if rng.random() < 0.3:
        k = rng.uniform(0.5, 1)
        picture = cv2.resize(np.ascontiguousarray(picture), (int(200 * k), int(280 * k)), interpolation=cv2.INTER_AREA)
    image = cv2.resize(np.ascontiguousarray(picture), (W, H), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.3:
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 95))])[1], cv2.IMREAD_COLOR)
    return image


def photo_view(rng, bank, picture: np.ndarray, jitter: float, damage: photos.Damage | None = None, clutter: float = 0.5, scale: int = 1) -> np.ndarray:
    """Photographs the card and crops it with corner errors of `jitter` of its height (standard deviation), at `scale` times the embedder's size."""
    h, w = H * scale, W * scale
    quad = (EDGES * scale + rng.normal(0, jitter, (4, 2)) * h).astype(np.float32)
    kind = 2 if rng.random() < 0.08 else 0
    thing = photos.random_item(rng, bank, quad, kind, picture)
    if rng.random() < 0.85 and kind == 0 and thing.sleeve == 0:
        canvas = np.empty((h, w, 3), np.uint8)
        canvas[:] = rng.integers(0, 256, 3)
        photos.paste(canvas, picture, quad, 0.04)
    else:
        canvas = photos.background(rng, bank, h, w, clutter)
        photos.draw(rng, canvas, thing, bank)
    image = photos.apply_damage(rng, canvas, quad, damage or photos.Damage.random(rng, 1.2))
    if damage is None and rng.random() < 0.06:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return image


_progress = {"value": 0.0}


def render(rng, bank, n: int):
    """Renders n / 2 cards twice: all catalog views, then all photo views. Returns them with the card ids."""
    ids = []
    while len(ids) < n // 2:
        if bank.scans is not None and rng.random() < 0.3:
            ids += [-1 - int(i) for i in rng.choice(len(bank.scans), 4, replace=False)]
        else:
            g = int(rng.integers(len(bank.faces) // 4))
            ids += [4 * g + k for k in range(4)]
    picture = lambda i: bank.faces[i] if i >= 0 else bank.scans[-1 - i]
    # Crops differ each time: the bank has few pictures.
    reach = 0.002 + 0.018 * min(1.0, _progress["value"] * 3)
    clean = [catalog_view(rng, picture(i)) for i in ids]
    shot = [photo_view(rng, bank, picture(i), abs(rng.normal(0, reach)) + 0.001) for i in ids]
    return np.stack(clean + shot), np.array(ids)


class Memory:
    """Vectors of earlier batches: more negatives than fit into a batch on a CPU."""

    def __init__(self):
        self.vectors, self.ids = torch.zeros(0, 128), torch.zeros(0, dtype=torch.long)

    def add(self, vectors, ids) -> None:
        self.vectors = torch.cat([vectors.detach(), self.vectors.to(vectors.device)])[:MEMORY]
        self.ids = torch.cat([ids, self.ids.to(ids.device)])[:MEMORY]


memory = Memory()


def loss_of(outputs, tensors, progress):
    _progress["value"] = progress
    ids = tensors[1]
    vectors = F.normalize(outputs[0].flatten(1), dim=1)
    clean, shot = vectors.chunk(2)
    pool, pool_ids = clean, ids
    if progress > 0.05 and len(memory.ids) > 0:
        pool, pool_ids = torch.cat([clean, memory.vectors.to(clean.device)]), torch.cat([ids, memory.ids.to(ids.device)])
    own = torch.arange(len(ids), device=ids.device)
    same = ids[:, None] == pool_ids[None]
    same[own, own] = False
    there = (shot @ pool.T / TEMPERATURE).masked_fill(same, -1e4)
    back = shot @ clean.T / TEMPERATURE
    back = back.masked_fill(same[:, :len(ids)], -1e4).T
    nce = (F.cross_entropy(there, own) + F.cross_entropy(back, own)) / 2
    # KoLeo: spreads the catalog vectors over the sphere.
    gaps = (clean @ clean.T).masked_fill(ids[:, None] == ids[None], -1).max(1).values
    koleo = -torch.log((2 - 2 * gaps).clamp(min=1e-6).sqrt()).mean()
    memory.add(clean, ids)
    top = (there.argmax(1) == own).float().mean().item()
    return nce + 0.1 * koleo, {"nce": nce.item(), "top1": top, "gap": gaps.mean().item()}


if __name__ == "__main__":
    train("embedder", parse_options(minutes=90, batch=128, rate=2e-3), render, loss_of)
