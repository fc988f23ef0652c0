"""N7, the surface: foil and stamps.   python train_surface.py --minutes 12"""
from dataclasses import dataclass, replace

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import cards
import marks
import photos
import printed
from nets import EMBEDDER_SIZE
from train_embedder import photo_view
from training import Shelf, options, train

# A card before its foil: a little more than the network's own pixels, so that fine foils flicker as in a camera.
H, W = round(EMBEDDER_SIZE[0] * 1.1), round(EMBEDDER_SIZE[1] * 1.1)
PLACES = EMBEDDER_SIZE[0] // 8, EMBEDDER_SIZE[1] // 8
# Of 280 places a stamp fills one or two.
WEIGHTS = (2.0, 12.0)
# Drawing a card and its marks takes longer than a photo of it, and that longer than a step of so small a
# network: each card is photographed about three times, and each photo shown about three times.
KEPT, NEW = 400, 0.35
# Milder photos than the others learn from: of a bad one nothing is told.
HARSH = 0.6
_printed = {side: Shelf(100, 0.03) for side in (False, True)}
_marked, _photos = Shelf(KEPT, NEW), Shelf(KEPT, NEW)


@dataclass
class Marked:
    picture: np.ndarray
    foil: str             # the manner; empty: none
    stamp: str
    places: np.ndarray    # 2 x 20 x 14: where foil shines and where a stamp lies


def marked(rng, bare: np.ndarray, held_out: bool, foil: bool, stamp: bool) -> Marked:
    """A card with marks of some manner, flat."""
    foils = marks.FOILS_HELD_OUT if held_out else marks.FOILS
    foil_manner, stamp_manner = _one(rng, foils) if foil else "", _one(rng, marks.STAMPS) if stamp else ""
    stamped = marks.stamp(rng, bare, stamp_manner, held_out) if stamp else bare
    flat = cv2.resize(stamped, (W, H), interpolation=cv2.INTER_AREA)
    picture = marks.foil(rng, flat, foil_manner) if foil else marks.no_foil(rng, flat)
    shine = _where(_hue(picture), _hue(flat), 18, 0.25) if foil else np.zeros(PLACES, np.float32)
    return Marked(picture, foil_manner, stamp_manner, np.stack([shine, _where(stamped, bare, 20, 0.08)]))


def _one(rng, manners) -> str:
    return list(manners)[rng.integers(len(manners))]


def _hue(picture: np.ndarray) -> np.ndarray:
    return picture - picture.mean(-1, keepdims=True)


def _where(one: np.ndarray, other: np.ndarray, apart: float, share: float) -> np.ndarray:
    """The places of which a share differs."""
    changed = np.abs(one.astype(np.float32) - other).max(-1) > apart
    return (cv2.resize(changed.astype(np.float32), PLACES[::-1], interpolation=cv2.INTER_AREA) > share).astype(np.float32)


def bare(rng, bank, held_out: bool) -> np.ndarray:
    """Any card without a mark; those with print like real cards' take long to draw."""
    face = bank.face(rng) if rng.random() < 0.7 else _printed[held_out].take(rng, lambda: _draw(rng, bank, held_out))
    return marks.symbols(rng, face)


def _draw(rng, bank, held_out: bool) -> np.ndarray:
    words = replace(printed.text(rng, held_out), stamp="")
    return printed.face(rng, printed.look(rng, held_out), words, printed.picture(rng, bank), cards.HEIGHT / printed.CARD[1]).image


def photograph(rng, bank, picture: np.ndarray, damage: photos.Damage | None = None) -> np.ndarray:
    """As the refiner hands it over, its corners off by some 1.5 %."""
    damage = damage or replace(photos.Damage.random(rng, HARSH), foil=0)
    return photo_view(rng, bank, picture, abs(rng.normal(0, 0.012)) + 0.003, damage)


def _pair(rng, bank) -> tuple[Marked, Marked]:
    """One card twice, each mark on one of them: what is not the mark then teaches nothing."""
    card, foil, stamp = bare(rng, bank, False), rng.random() < 0.5, rng.random() < 0.5
    return marked(rng, card, False, foil, stamp), marked(rng, card, False, not foil, not stamp)


def render(rng, bank, n: int):
    def make():
        pair = _marked.take(rng, lambda: _pair(rng, bank))
        return [(photograph(rng, bank, one.picture), (one.foil != "", one.stamp != ""), one.places) for one in pair]
    images, truth, places = zip(*(view for _ in range(n // 2) for view in _photos.take(rng, make)))
    return np.stack(images), np.array(truth, np.float32), np.stack(places)


def loss_of(outputs, tensors, _progress):
    logits, truth, places = outputs[0].flatten(1), tensors[1], tensors[2]
    right = ((logits > 0) == (truth > 0.5)).float().mean(0)
    whole = F.binary_cross_entropy_with_logits(logits, truth)
    weights = torch.tensor(WEIGHTS, device=places.device)[:, None, None]
    where = F.binary_cross_entropy_with_logits(outputs[1], places, pos_weight=weights)
    return whole + where, {"foil": right[0].item(), "stamped": right[1].item(), "where": where.item()}


if __name__ == "__main__":
    train("surface", options(minutes=12, batch=32, rate=4e-3), render, loss_of)
