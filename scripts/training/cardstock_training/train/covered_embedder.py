"""Trains the embedder of covered cards, from the weights of the embedder.

    python -m cardstock_training.train.covered_embedder --minutes 30

It maps the visible part of a card to the vector that the embedder has for the whole picture, so that the index stays
as it is. The covered part of its input is filled as in src/vision/image/fill-covered.ts.
"""
import cv2
import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training.render import photos
from cardstock_training.train import embedder
from cardstock_training.train.loop import load_exported, parse_options, to_input, train
from cardstock_training.train.sizes import EMBEDDER_SIZE

H, W = EMBEDDER_SIZE
TEMPERATURE = 0.05
MEMORY = 16384
# Vectors of the same picture in other colors are no negatives.
SAME_PICTURE = 0.9
COVERED_MAX = 0.75


def fill(image: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Fills the pixels of a mask with the mirror image, and with the mean of the others where that is covered, too."""
    mean = image[~mask].mean(0) if not mask.all() else np.full(3, 128)
    mirrored = np.where(mask[:, ::-1, None], mean, image[:, ::-1])
    return np.where(mask[..., None], mirrored, image).astype(np.uint8)


def random_cover(rng) -> np.ndarray:
    """Returns the quad of a card that covers up to three quarters of another, in pixels of that card."""
    share, aside = rng.uniform(0.03, COVERED_MAX), rng.normal(0, 0.04) if rng.random() < 0.7 else rng.uniform(-0.4, 0.4)
    move = np.array([(1 - share) * W * rng.choice([-1, 1]), aside * H]) if rng.random() < 0.5 else np.array([aside * W, (1 - share) * H * rng.choice([-1, 1])])
    angle = rng.normal(0, 0.05) if rng.random() < 0.7 else rng.uniform(-0.6, 0.6)
    return (photos.turned(embedder.EDGES, angle) + move).astype(np.float32)


def mask_of(quads: list[np.ndarray]) -> np.ndarray:
    mask = np.zeros((H, W), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad - 0.5).astype(np.int32), 1)
    return mask > 0


def covered_view(rng, bank, picture: np.ndarray, jitter: float) -> np.ndarray:
    """Photographs a card under others, and fills what the outlines of those cover. Some outlines are a little off."""
    image = embedder.photo_view(rng, bank, picture, jitter)
    if rng.random() < 0.08:
        return image
    covers = [random_cover(rng) for _ in range(1 if rng.random() < 0.85 else 2)]
    for cover in covers:
        photos.paste(image, bank.face(rng, 0.5), cover, 0.04)
    covers = [cover + rng.normal(0, 0.008 * H, (4, 2)).astype(np.float32) for cover in covers]
    mask = mask_of(covers)
    return fill(image, mask) if mask.mean() < 0.85 else embedder.photo_view(rng, bank, picture, jitter)


def recolored(rng):
    """Returns a function that turns pictures into those of other cards: mirrored, with other colors."""
    channels = rng.permutation(3) if rng.random() < 0.5 else [0, 1, 2]
    step = rng.choice([-1, 1]) if rng.random() < 0.4 else 1
    return lambda picture: np.ascontiguousarray(picture[:, ::step, channels])


def render(rng, bank, n: int):
    """Renders n covered cards, and the catalog pictures of the same."""
    shown, clean = [], []
    while len(shown) < n:
        if bank.scans is not None and rng.random() < 0.6:
            pictures = [bank.scans[int(i)] for i in rng.choice(len(bank.scans), 4, replace=False)]
        else:
            g = 4 * int(rng.integers(len(bank.faces) // 4))
            pictures = [bank.faces[g + k] for k in range(4)]
        change = recolored(rng)
        for picture in map(change, pictures):
            shown.append(covered_view(rng, bank, picture, abs(rng.normal(0, 0.018)) + 0.001))
            clean.append(embedder.catalog_view(rng, picture))
    return np.stack(shown[:n]), np.stack(clean[:n])


class Teacher:
    """The embedder, which stays as it is, with its vectors of earlier batches."""

    def __init__(self):
        self.net, self.vectors = None, None

    def vectors_of(self, pictures: torch.Tensor) -> torch.Tensor:
        if self.net is None:
            self.net = load_exported("embedder").eval().to(pictures.device)
        with torch.no_grad():
            return F.normalize(self.net(to_input(pictures))[0].flatten(1), dim=1)

    def remember(self, vectors: torch.Tensor) -> None:
        self.vectors = vectors if self.vectors is None else torch.cat([vectors, self.vectors])[:MEMORY]


teacher = Teacher()


def loss_of(outputs, tensors, _progress):
    shown, whole = F.normalize(outputs[0].flatten(1), dim=1), teacher.vectors_of(tensors[1])
    pool = whole if teacher.vectors is None else torch.cat([whole, teacher.vectors])
    own = torch.arange(len(whole), device=whole.device)
    same = whole @ pool.T > SAME_PICTURE
    same[own, own] = False
    there = (shown @ pool.T).masked_fill(same, -1)
    nce = F.cross_entropy(there / TEMPERATURE, own)
    cosine = (shown * whole).sum(1).mean()
    teacher.remember(whole)
    return nce + 1 - cosine, {"nce": nce.item(), "cosine": cosine.item(), "top1": (there.argmax(1) == own).float().mean().item()}


if __name__ == "__main__":
    train("covered-embedder", parse_options(minutes=30, batch=256, rate=1e-3), render, loss_of, lambda: load_exported("embedder"))
