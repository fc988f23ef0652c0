"""Trains the surface network (foil and stamps).   python -m cardstock_training.train.surface --minutes 30"""
from dataclasses import dataclass, replace

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training.render import cards, finishes, photos, printed_cards
from cardstock_training.render.sample_cache import SampleCache
from cardstock_training.train.embedder import photo_view
from cardstock_training.train.loop import parse_options, train
from cardstock_training.train.sizes import EMBEDDER_SIZE, SURFACE_SCALE

PLACES = EMBEDDER_SIZE[0] // 8, EMBEDDER_SIZE[1] // 8
# Weights of positive places: a stamp fills a few of 280.
WEIGHTS = (2.0, 4.0)
STAMPS_MAX = 7
# Share of the card that shines visibly. Weaker foil looks like print, and would teach to see foil in print.
SHINE_MIN = 0.1
# Share of good photos, and milder damage than for the other networks.
GOOD, HARSH = 0.6, 0.6
# Share of scans among the faces: their art has the variety that the procedural one lacks.
REAL = 0.5
_printed = {side: SampleCache(100, 0.03) for side in (False, True)}
# Drawing takes longer than photographing, and that longer than a training step: each card is photographed
# about three times, and each photo used about three times.
_finished, _photos = SampleCache(size=400, new=0.35), SampleCache(size=400, new=0.35)


@dataclass
class FinishedCard:
    picture: np.ndarray
    foil: str             # kind of foil; empty without foil
    stamp: str            # kind of the last stamp; empty without one
    places: np.ndarray    # 2 x 20 x 14: positions of foil and of stamps

    @property
    def shines(self) -> bool:
        """True if the hue of a tenth of the card shows the foil."""
        return bool(self.places[0].mean() >= SHINE_MIN)


def apply_finish(rng, bare: np.ndarray, held_out: bool, foil: bool, stamps: int) -> FinishedCard:
    """Applies foil and stamps of random kinds to a flat card."""
    foils = finishes.FOILS_HELD_OUT if held_out else finishes.FOILS
    foil_manner, stamp_manner, stamped = _random_key(rng, foils) if foil else "", "", bare
    for _ in range(stamps):
        stamp_manner = _random_key(rng, finishes.STAMPS)
        stamped = finishes.apply_stamp(rng, stamped, stamp_manner, held_out)
    picture = finishes.apply_foil(rng, stamped, foil_manner) if foil else finishes.without_foil(rng, stamped)
    shine = _changed_places(_hue(picture), _hue(stamped), 18, 0.25) if foil else np.zeros(PLACES, np.float32)
    return FinishedCard(picture, foil_manner, stamp_manner, np.stack([shine, _changed_places(stamped, bare, 20, 0.08)]))


def _random_key(rng, kinds) -> str:
    return list(kinds)[rng.integers(len(kinds))]


def _hue(picture: np.ndarray) -> np.ndarray:
    return picture - picture.mean(-1, keepdims=True)


def _changed_places(one: np.ndarray, other: np.ndarray, apart: float, share: float) -> np.ndarray:
    """Returns the positions where a share of the pixels differs."""
    changed = np.abs(one.astype(np.float32) - other).max(-1) > apart
    return (cv2.resize(changed.astype(np.float32), PLACES[::-1], interpolation=cv2.INTER_AREA) > share).astype(np.float32)


def render_unmarked(rng, bank, held_out: bool) -> np.ndarray:
    """Returns a random card without foil and stamps. Cards with realistic text are cached, because drawing them is slow."""
    face = bank.face(rng, REAL) if rng.random() < 0.75 else _printed[held_out].get(rng, lambda: _draw(rng, bank, held_out))
    return finishes.add_symbols(rng, face)


def _draw(rng, bank, held_out: bool) -> np.ndarray:
    words = replace(printed_cards.random_text(rng, held_out), stamp="")
    return printed_cards.face(rng, printed_cards.random_layout(rng, held_out), words, printed_cards.random_picture(rng, bank), cards.HEIGHT / printed_cards.CARD[1]).image


def good_damage(rng) -> photos.Damage:
    """Returns the effects of a photo that is good enough to report a missing stamp: sharp, lit and without glare."""
    return photos.Damage(blur=abs(rng.normal(0, 0.002)), noise=rng.uniform(1, 5), tint=rng.uniform(0, 0.2), gradient=rng.uniform(0, 0.4),
                         jpeg=int(rng.integers(60, 96)), fingers=int(rng.random() < 0.15))


def photograph(rng, bank, picture: np.ndarray, damage: photos.Damage | None = None) -> np.ndarray:
    """Photographs the card and crops it with corner errors of about 1.5 %."""
    damage = damage or (good_damage(rng) if rng.random() < GOOD else replace(photos.Damage.random(rng, HARSH), foil=0))
    return photo_view(rng, bank, picture, abs(rng.normal(0, 0.012)) + 0.003, damage, scale=SURFACE_SCALE)


def _pair(rng, bank) -> tuple[FinishedCard, FinishedCard]:
    """Returns a card twice, with foil and stamp on one of the two, so that only the finish differs."""
    card, foil, stamp = render_unmarked(rng, bank, False), rng.random() < 0.5, rng.random() < 0.5
    return _finish_visibly(rng, card, foil, stamp), _finish_visibly(rng, card, not foil, not stamp)


def _finish_visibly(rng, card: np.ndarray, foil: bool, stamp: bool) -> FinishedCard:
    while True:
        # Several stamps: a card teaches as much as several cards with one each.
        finished = apply_finish(rng, card, False, foil, stamp * int(rng.integers(1, STAMPS_MAX + 1)))
        if not foil or finished.shines:
            return finished


def render(rng, bank, n: int):
    def make():
        pair = _finished.get(rng, lambda: _pair(rng, bank))
        return [(photograph(rng, bank, one.picture), (one.foil != "", one.stamp != ""), one.places) for one in pair]
    images, truth, places = zip(*(view for _ in range(n // 2) for view in _photos.get(rng, make)))
    return np.stack(images), np.array(truth, np.float32), np.stack(places)


def loss_of(outputs, tensors, _progress):
    logits, truth, places = outputs[0].flatten(1), tensors[1], tensors[2]
    right = ((logits > 0) == (truth > 0.5)).float().mean(0)
    whole = F.binary_cross_entropy_with_logits(logits, truth)
    weights = torch.tensor(WEIGHTS, device=places.device)[:, None, None]
    where = F.binary_cross_entropy_with_logits(outputs[1], places, pos_weight=weights)
    return whole + where, {"foil": right[0].item(), "stamped": right[1].item(), "where": where.item()}


if __name__ == "__main__":
    train("surface", parse_options(minutes=30, batch=32, rate=4e-3), render, loss_of)
