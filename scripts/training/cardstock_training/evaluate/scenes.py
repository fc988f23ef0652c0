"""Renders evaluation photos for the detector: rooms, full art, slabs, fans, hands and everyday cards.

    python -m cardstock_training.evaluate.scenes FOLDER     # FOLDER/photos/*.jpg, FOLDER/labels.json

All faces are held-out scans. Slabs, fans and hands are drawn by other code than for the training.
"""
import json
import sys
from pathlib import Path

import cv2
import numpy as np

from cardstock_training.evaluate.photos import BLOWN, PHOTO, SLICES, photograph, read, save
from cardstock_training.render import cards, photos
from cardstock_training.render.banks import Bank, scan_files

EACH = 60


def _canvas(rng, bank: Bank) -> np.ndarray:
    h, w = PHOTO if rng.random() < 0.7 else PHOTO[::-1]
    return photos.background(rng, bank, h, w, 0.3)


def _finish(rng, canvas: np.ndarray, quad: np.ndarray, **damage) -> np.ndarray:
    return photos.apply_damage(rng, canvas, quad, photos.Damage(**{**BLOWN, **damage}))


def _upright(rng, canvas, height: float, spread: float = 0.05) -> np.ndarray:
    """Returns the quad of a card about upright near the middle, `height` in shares of the frame's height."""
    h, w = canvas.shape[:2]
    return photos.random_quad(rng, h, w, height * h / min(h, w), angle=rng.normal(0, 0.05), tilt=0.25, center=(w * rng.normal(0.5, spread), h * rng.normal(0.5, spread)))


def slab(rng, bank: Bank, picture: np.ndarray):
    """Draws a case of clear or milky plastic with a printed insert above the card."""
    canvas = _canvas(rng, bank)
    fills = rng.random() < 0.5
    quad = _upright(rng, canvas, rng.uniform(0.64, 0.7) if fills else rng.uniform(0.4, 0.55), 0.0 if fills else 0.05)
    if fills:
        quad = quad + np.array([0, 0.09 * canvas.shape[0]], np.float32)
    case = photos.inset(quad, -0.14, -0.4, 1.14, 1.1) if rng.random() < 0.6 else photos.inset(quad, -0.07, -0.32, 1.07, 1.06)
    milky = rng.random() < 0.5
    photos.paste(canvas, np.full((4, 4, 3), rng.uniform(150, 245), np.uint8), case, 0.04, 0.7 if milky else 0.12)
    for inward, thick in ((0, 5), (0.012, 2)):
        ring = case + (case.mean(0) - case) * inward
        cv2.polylines(canvas, [ring.astype(np.int32)], True, (225, 230, 235) if rng.random() < 0.6 else (40, 40, 45), thick, cv2.LINE_AA)
    ground = [(252, 252, 252), (205, 25, 35), (20, 30, 90), (215, 190, 100), (15, 15, 15)][rng.integers(5)]
    insert = np.full((150, 480, 3), ground, np.uint8)
    ink = (15, 15, 15) if sum(ground) > 400 else (245, 245, 245)
    for row in range(3):
        cv2.putText(insert, cards.words(rng, 3).upper(), (14, 40 + 38 * row), cv2.FONT_HERSHEY_DUPLEX, 0.8, ink, 1, cv2.LINE_AA)
    cv2.putText(insert, str(rng.integers(1, 11)), (400, 100), cv2.FONT_HERSHEY_DUPLEX, 2.4, ink, 4, cv2.LINE_AA)
    if rng.random() < 0.5:
        insert[115:145, 180:340] = (np.repeat(rng.integers(0, 2, 40), 4) * 255).astype(np.uint8)[None, :, None]
    high = rng.uniform(0.17, 0.26)
    photos.paste(canvas, insert, photos.inset(quad, -0.02, -0.05 - high, 1.02, -0.05), 0.02)
    photos.paste(canvas, picture, quad, 0.045)
    return _finish(rng, canvas, quad, glare=int(rng.random() < 0.4), gradient=rng.uniform(0, 0.3)), quad


def fan(rng, bank: Bank, files: list[str]):
    """Draws two to five cards, each over the one before: stacked downwards, to the side, or thrown together."""
    canvas = _canvas(rng, bank)
    h, w = canvas.shape[:2]
    n, height = int(rng.integers(2, 6)), rng.uniform(0.4, 0.55)
    way = rng.integers(3)
    step = ((0, rng.uniform(0.12, 0.3)), (rng.uniform(0.15, 0.45), 0.03), (0, 0))[way]
    for i in range(n):
        offset = (np.array(step) * (i - (n - 1) / 2) + (rng.normal(0, 0.18, 2) if way == 2 else rng.normal(0, 0.01, 2))) * height * h
        angle = rng.normal(0, 0.5) if way == 2 else 0.1 * (i - (n - 1) / 2) * (way == 1)
        quad = photos.random_quad(rng, h, w, height * h / min(h, w), angle=angle, tilt=0.1, center=(w / 2 + offset[0], h / 2 + offset[1]))
        photos.draw(rng, canvas, photos.random_item(rng, bank, quad, 0, read(files[rng.integers(len(files))])), bank)
    return _finish(rng, canvas, quad), quad


def held(rng, bank: Bank, picture: np.ndarray, dark: float = 0.0):
    """Draws a card held by its lower part: a thumb in front, skin around it."""
    canvas = _canvas(rng, bank)
    quad = _upright(rng, canvas, rng.uniform(0.5, 0.8))
    photos.draw(rng, canvas, photos.random_item(rng, bank, quad, 0, picture), bank)
    hgt, tone = photos.quad_height(quad), rng.uniform(0.35, 1)
    skin = np.array([235, 185, 155]) * tone
    for edge in ((1, 2), (3, 0)) if rng.random() < 0.5 else ((2, 3),):
        at = quad[edge[0]] + (quad[edge[1]] - quad[edge[0]]) * rng.uniform(0.45, 0.85)
        out = at - quad.mean(0)
        out /= np.linalg.norm(out)
        for k in range(24, -1, -1):  # a row of discs, lighter towards the tip
            center = at + out * hgt * (0.03 * k - 0.1)
            cv2.circle(canvas, tuple(center.astype(int).tolist()), int(hgt * (0.06 + 0.0012 * k)), (skin * (0.8 + 0.2 * (24 - k) / 24)).tolist(), -1, cv2.LINE_AA)
    return _finish(rng, canvas, quad, dark=dark, noise=6 if dark else 1.5), quad


def main() -> None:
    out = Path(sys.argv[1])
    (out / "photos").mkdir(parents=True, exist_ok=True)
    bank, files, labels = Bank("evaluation"), scan_files(held_out=True), []
    rooms = [f for f in files if " __ " in Path(f).name]
    full = [f for f in files if "_borderless_" in f or "_showcase_" in f or "PROMO-B" in f or "B1a" in f]
    usual = [f for f in files if f not in rooms]
    any_of = lambda rng, pool: read(pool[int(rng.integers(len(pool)))])
    makers = {
        "rooms": lambda rng: (*photograph(rng, bank, any_of(rng, rooms), SLICES["good light"]), "raw", 1),
        "rooms, any turn": lambda rng: (*photograph(rng, bank, any_of(rng, rooms), SLICES["clutter"]), "raw", 1),
        "full art": lambda rng: (*photograph(rng, bank, any_of(rng, full), SLICES["any turn"]), "raw", 1),
        "slab": lambda rng: (*slab(rng, bank, any_of(rng, usual)), "graded slab", 1),
        "fan": lambda rng: (*fan(rng, bank, usual), "raw", 2),
        "held": lambda rng: (*held(rng, bank, any_of(rng, usual)), "raw", 1),
        "held in the dark": lambda rng: (*held(rng, bank, any_of(rng, usual), 0.8), "raw", 1),
        "back": lambda rng: (*photograph(rng, bank, bank.backs[rng.integers(len(bank.backs))], SLICES["any turn"]), "back", 1),
        **{name: lambda rng, name=name: (*photograph(rng, bank, any_of(rng, usual), SLICES[name]), "raw", 1) for name in ("good light", "any turn", "perspective", "low light", "sleeve", "clutter", "small")},
    }
    for s, (name, make) in enumerate(makers.items()):
        for i in range(EACH):
            image, quad, kind, items = make(np.random.default_rng((91, s, i)))
            path = f"photos/{name.replace(' ', '-').replace(',', '')}-{i:03d}.jpg"
            save(out, path, image)
            labels.append({"photo": path, "slice": name, "kind": kind, "items": items, "corners": np.round(quad, 2).tolist()})
    (out / "labels.json").write_text(json.dumps(labels, indent=1))
    print(f"{len(labels)} photos in {out}")


if __name__ == "__main__":
    main()
