"""Renders evaluation photos of cards that no network was trained on.

    python -m cardstock_training.evaluate.photos     # data/run/evaluation: photos/*.jpg, labels.json, cards/*.webp

`bun run bench identify` reads the folder. It is not committed, because the art of the scans belongs to others.
"""
import json
import os
import shutil
from pathlib import Path

import cv2
import numpy as np

from cardstock_training import paths
from cardstock_training.render import cards, photos
from cardstock_training.render.banks import Bank, scan_files

PHOTO = (900, 1200)
EACH = int(os.environ.get("EACH", "100"))
BLOWN = dict(noise=1.5, tint=0.05, jpeg=88)

# slice -> damage, scale of the card in the frame, tilt, any rotation, clutter, sleeve
SLICES = {
    "good light": (dict(), (0.55, 0.9), 0.3, False, 0.0, False),
    "any turn": (dict(), (0.45, 0.9), 0.5, True, 0.2, False),
    "perspective": (dict(), (0.5, 0.85), 1.8, False, 0.2, False),
    "blur": (dict(blur=0.01), (0.5, 0.9), 0.4, False, 0.2, False),
    "glare": (dict(glare=3), (0.5, 0.9), 0.4, False, 0.2, False),
    "low light": (dict(dark=0.7, noise=8), (0.5, 0.9), 0.4, False, 0.2, False),
    "sleeve": (dict(gradient=0.2), (0.5, 0.9), 0.4, False, 0.2, True),
    "fingers": (dict(fingers=2), (0.5, 0.9), 0.4, False, 0.2, False),
    "foil": (dict(foil=0.5), (0.5, 0.9), 0.4, False, 0.2, False),
    "clutter": (dict(gradient=0.3), (0.35, 0.8), 0.6, True, 1.0, False),
    "small": (dict(), (0.2, 0.3), 0.5, True, 0.3, False),
}


def photograph(rng, bank: Bank, picture: np.ndarray, setting) -> tuple[np.ndarray, np.ndarray]:
    damage, scale, tilt, turned, clutter, sleeve = setting
    h, w = PHOTO if rng.random() < 0.6 else PHOTO[::-1]
    canvas = photos.background(rng, bank, h, w, clutter)
    angle = rng.uniform(0, 2 * np.pi) if turned else rng.normal(0, 0.1)
    quad = photos.random_quad(rng, h, w, rng.uniform(*scale), tilt=tilt, angle=angle)
    card = photos.random_item(rng, bank, quad, 0, picture)
    card.sleeve = rng.uniform(0.015, 0.05) if sleeve else 0.0
    photos.draw(rng, canvas, card, bank)
    return photos.apply_damage(rng, canvas, quad, photos.Damage(**{**BLOWN, **damage})), quad


def read(path: str) -> np.ndarray:
    return cv2.imread(path)[..., ::-1]


def save(folder: Path, name: str, image: np.ndarray) -> None:
    quality = [cv2.IMWRITE_JPEG_QUALITY, 90] if name.endswith(".jpg") else []
    cv2.imwrite(str(folder / name), np.ascontiguousarray(image[..., ::-1]), quality)


def main() -> None:
    out = paths.EVALUATION
    for folder in ("photos", "cards"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    bank, files, labels = Bank("evaluation"), scan_files(held_out=True), []
    for file in files:
        shutil.copyfile(file, out / "cards" / Path(file).name)
    for s, (name, setting) in enumerate(SLICES.items()):
        for i in range(EACH):
            rng = np.random.default_rng((77, s, i))
            file = files[int(rng.integers(len(files)))] if files else None
            picture = read(file) if file else bank.faces[int(rng.integers(len(bank.faces)))]
            image, quad = photograph(rng, bank, picture, setting)
            path = f"photos/{name.replace(' ', '-')}-{i:03d}.jpg"
            save(out, path, image)
            labels.append({"photo": path, "slice": name, "card": Path(file).name if file else None, "corners": np.round(quad, 2).tolist()})
    # Cards of unseen layouts at any size and rotation, for the corner error.
    for i in range(2 * EACH):
        rng = np.random.default_rng((78, i))
        setting = (dict(), (0.2, 1.0), 0.8, True, 0.4, rng.random() < 0.2)
        image, quad = photograph(rng, bank, bank.faces[int(rng.integers(len(bank.faces)))], setting)
        path = f"photos/unseen-{i:03d}.jpg"
        save(out, path, image)
        labels.append({"photo": path, "slice": "unseen layouts", "card": None, "corners": np.round(quad, 2).tolist()})
    # Not in any catalog: invented cards, and pictures without a card.
    for i in range(250):
        rng = np.random.default_rng((79, i))
        image, quad = photograph(rng, bank, cards.group(rng, cards.evaluation_family())[0], (dict(), (0.5, 0.9), 0.5, True, 0.3, False))
        path = f"photos/stranger-{i:03d}.jpg"
        save(out, path, image)
        labels.append({"photo": path, "slice": "not in the catalog", "card": None, "corners": np.round(quad, 2).tolist()})
    for i in range(250):
        rng = np.random.default_rng((80, i))
        h, w = PHOTO
        image = photos.background(rng, bank, h // 2, w // 2, 1.0) if i % 2 else cards.art(rng, cards.evaluation_family(), h // 2, w // 2)
        path = f"photos/nothing-{i:03d}.jpg"
        save(out, path, photos.apply_damage(rng, np.ascontiguousarray(image), photos.random_quad(rng, h // 2, w // 2, 0.7), photos.Damage(**BLOWN)))
        labels.append({"photo": path, "slice": "no card", "card": None, "corners": None})
    with open(out / "labels.json", "w") as file:
        json.dump(labels, file, indent=1)
    print(f"{len(labels)} photos in {out}")


if __name__ == "__main__":
    main()
