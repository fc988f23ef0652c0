"""Renders evaluation photos of several cards: binder pages, rows, fans, slabs beside raw cards, scattered cards, hands.

    python -m cardstock_training.evaluate.pages [--share 1.0]     # data/run/pages: photos/*.jpg, labels.json

All faces are held-out scans, and all backgrounds those of the evaluation. `bun run bench pages` reads the folder. It
is not committed, because the scans belong to others.
"""
import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from cardstock_training import paths
from cardstock_training.evaluate.photos import BLOWN, read, save
from cardstock_training.render import photos
from cardstock_training.render.banks import Bank, scan_files, texture_bank

PHOTO = (3000, 4000)  # height and width, 12 megapixels
# The catalog of the bench lacks these cards (LEFT_OUT of bench/photo-catalogs.ts).
LEFT_OUT = "B1a"
UNKNOWN = 0.04  # share of the cards
COUNTS = {"binder 3x3": 16, "binder 4x3": 12, "rows": 16, "fan to 30 %": 20, "fan to 60 %": 20, "slabs": 14, "scattered": 16, "hand": 14, "no card": 20}


@dataclass
class Placed:
    item: photos.Item
    scan: str | None


class Faces:
    """Draws held-out scans, some of which the catalog lacks."""

    def __init__(self):
        files = scan_files(held_out=True)
        is_left_out = lambda file: Path(file).name.startswith(f"{LEFT_OUT}_")
        self.known = [f for f in files if not is_left_out(f) and " __ " not in Path(f).name]
        self.unknown = [f for f in files if is_left_out(f)]

    def draw(self, rng) -> tuple[np.ndarray, str]:
        pool = self.unknown if rng.random() < UNKNOWN else self.known
        file = pool[int(rng.integers(len(pool)))]
        return read(file), "/".join(Path(file).parts[-2:])


def card(rng, bank: Bank, faces: Faces, quad: np.ndarray, kind: int = 0, sleeve: float = 0.0) -> Placed:
    picture, scan = faces.draw(rng)
    item = photos.random_item(rng, bank, quad.astype(np.float32), kind, picture)
    if kind == 0:
        item.sleeve = sleeve
    return Placed(item, scan)


def plane(rng, h: int, w: int, across: float, down: float, turn: float, tilt: float = 0.35) -> np.ndarray:
    """Returns the quad of a sheet of this size in millimeters, which nearly fills the photo."""
    aspect = across / down
    if (aspect > 1) != (w > h):
        turn += np.pi / 2
    scale = min(max(w, h) / max(across, down), min(w, h) / min(across, down)) * down * rng.uniform(0.8, 0.95) / min(h, w)
    return photos.random_quad(rng, h, w, scale, aspect=aspect, tilt=tilt, angle=turn)


def binder(rng, bank, faces, canvas, columns: int, rows: int) -> list[Placed]:
    """A page with a card in most pockets, under plastic that shines."""
    h, w = canvas.shape[:2]
    pocket_w, pocket_h = rng.uniform(67, 72), rng.uniform(92, 98)
    sheet = plane(rng, h, w, columns * pocket_w, rows * pocket_h, rng.normal(0, 0.06) + (np.pi if rng.random() < 0.1 else 0))
    page = np.full((4, 4, 3), rng.choice([25, 60, 215, 240]) + rng.uniform(-15, 15), np.uint8)
    photos.paste(canvas, page, photos.inset(sheet, -0.03, -0.02, 1.03, 1.02), 0.01, rng.uniform(0.75, 1))
    placed = []
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.06:
                continue
            left = (column + (pocket_w - 63) / pocket_w * rng.uniform(0.2, 0.8)) / columns
            top = (row + (pocket_h - 88) / pocket_h * rng.uniform(0.3, 0.95)) / rows
            quad = photos.inset(sheet, left, top, left + 63 / pocket_w / columns, top + 88 / pocket_h / rows)
            placed.append(card(rng, bank, faces, quad, sleeve=0.03 if rng.random() < 0.2 else 0.0))
    for one in placed:
        photos.draw(rng, canvas, one.item, bank)
    for column in range(columns + 1):  # welds between the pockets
        line = photos.inset(sheet, column / columns - 0.002, 0, column / columns + 0.002, 1)
        photos.paste(canvas, np.full((4, 4, 3), 235, np.uint8), line, 0, 0.35)
    for row in range(rows + 1):
        photos.paste(canvas, np.full((4, 4, 3), 235, np.uint8), photos.inset(sheet, 0, row / rows - 0.002, 1, row / rows + 0.002), 0, 0.35)
    for _ in range(int(rng.integers(0, 4))):  # reflections across several cards
        x, y = rng.uniform(0, 0.9, 2)
        shine = photos.inset(sheet, x, y, x + rng.uniform(0.05, 0.3), y + rng.uniform(0.02, 0.12))
        photos.paste(canvas, np.full((4, 4, 3), 250, np.uint8), shine, 0.1, rng.uniform(0.1, 0.5))
    return placed


def rows(rng, bank, faces, canvas) -> list[Placed]:
    """Cards side by side on a table."""
    h, w = canvas.shape[:2]
    lines, many = int(rng.integers(1, 5)), int(rng.integers(2, 8))
    gap = rng.uniform(2, 20)
    sheet = plane(rng, h, w, many * (63 + gap), lines * (88 + gap), rng.normal(0, 0.1))
    placed = []
    for row in range(lines):
        for column in range(many):
            left, top = (column + rng.normal(0, 0.01)) / many, (row + rng.normal(0, 0.01)) / lines
            quad = photos.inset(sheet, left, top, left + 63 / (63 + gap) / many, top + 88 / (88 + gap) / lines)
            placed.append(card(rng, bank, faces, quad, sleeve=0.03 if rng.random() < 0.3 else 0.0))
    for one in placed:
        photos.draw(rng, canvas, one.item, bank)
    return placed


def fan(rng, bank, faces, canvas, low: float, high: float) -> list[Placed]:
    """Cards that each cover a share of the one before: stacked downwards or to the side."""
    h, w = canvas.shape[:2]
    many, covered = int(rng.integers(3, 8)), rng.uniform(low, high)
    is_down = rng.random() < 0.5
    step = np.array([0.0, 88 * (1 - covered)]) if is_down else np.array([63 * (1 - covered), 0.0])
    length = (88 if is_down else 63) * (1 + (many - 1) * (1 - covered))
    turn, bend = rng.uniform(0, 2 * np.pi), (0.0 if is_down else rng.uniform(0, 0.07))
    scale = min(min(h, w) * 0.8 / 88, max(h, w) * 0.6 / length, min(h, w) * 0.85 / length)
    c, s = np.cos(turn), np.sin(turn)
    turned = np.array([[c, s], [-s, c]])
    placed = []
    for i in range(many):
        at = (step * (i - (many - 1) / 2) + rng.normal(0, 0.8, 2)) @ turned * scale + (w / 2, h / 2)
        quad = photos.random_quad(rng, h, w, 88 * scale / min(h, w), tilt=0.1, angle=turn + bend * (i - (many - 1) / 2), center=at)
        placed.append(card(rng, bank, faces, quad))
    for one in placed:
        photos.draw(rng, canvas, one.item, bank)
    return placed


def slabs(rng, bank, faces, canvas) -> list[Placed]:
    """Graded slabs beside raw cards."""
    h, w = canvas.shape[:2]
    across, down = int(rng.integers(2, 5)), int(rng.integers(1, 3))
    sheet = plane(rng, h, w, across * 90, down * 145, rng.normal(0, 0.06), 0.25)
    placed = []
    for row in range(down):
        for column in range(across):
            left, top = (column + rng.uniform(0.1, 0.2)) / across, (row + rng.uniform(0.27, 0.3)) / down
            quad = photos.inset(sheet, left, top, left + 63 / 90 / across, top + 88 / 145 / down)
            placed.append(card(rng, bank, faces, quad, kind=2 if rng.random() < 0.5 else 0))
    for one in placed:
        photos.draw(rng, canvas, one.item, bank)
    return placed


def scattered(rng, bank, faces, canvas) -> list[Placed]:
    """Cards at any rotation, which do not touch."""
    h, w = canvas.shape[:2]
    size, placed, taken = rng.uniform(0.25, 0.4), [], np.zeros((h // 10, w // 10), np.uint8)
    for _ in range(60):
        if len(placed) >= 12:
            break
        quad = photos.random_quad(rng, h, w, size * rng.uniform(0.9, 1.1), tilt=0.4)
        mask = np.zeros_like(taken)
        cv2.fillConvexPoly(mask, np.round(photos.inset(quad, -0.04, -0.04, 1.04, 1.04) / 10).astype(np.int32), 1)
        if (mask & taken).any() or quad.min() < 0 or (quad > (w, h)).any():
            continue
        taken |= mask
        placed.append(card(rng, bank, faces, quad, sleeve=0.03 if rng.random() < 0.3 else 0.0))
    for one in placed:
        photos.draw(rng, canvas, one.item, bank)
    return placed


def hand(rng, bank, faces, canvas) -> list[Placed]:
    """A row of cards, some of which fingers hold."""
    placed = rows(rng, bank, faces, canvas)
    for one in placed:
        if rng.random() < 0.3:
            photos._finger(rng, canvas, one.item.quad, photos.quad_height(one.item.quad))
    return placed


MAKERS = {
    "binder 3x3": lambda *a: binder(*a, 3, 3), "binder 4x3": lambda *a: binder(*a, 4, 3), "rows": rows,
    "fan to 30 %": lambda *a: fan(*a, 0.05, 0.3), "fan to 60 %": lambda *a: fan(*a, 0.3, 0.6),
    "slabs": slabs, "scattered": scattered, "hand": hand, "no card": lambda *a: [],
}


def labels(placed: list[Placed], h: int, w: int) -> list[dict]:
    shares = photos.visible_masks([one.item for one in placed], h, w)
    return [
        {"scan": one.scan, "corners": np.round(one.item.quad, 1).tolist(), "visible": round(float(shown), 3), "inside": round(float(inside), 3)}
        for one, (_, shown, inside) in zip(placed, shares)
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    share = parser.parse_args().share
    (paths.PAGES / "photos").mkdir(parents=True, exist_ok=True)
    bank, faces, found = Bank("evaluation"), Faces(), []
    textures = texture_bank()
    bank.textures = None if textures is None else textures[len(textures) // 2:]
    for s, (name, make) in enumerate(MAKERS.items()):
        for i in range(max(1, round(COUNTS[name] * share))):
            rng = np.random.default_rng((83, s, i))
            h, w = PHOTO if rng.random() < 0.5 else PHOTO[::-1]
            canvas = photos.background(rng, bank, h, w, 1.0 if name == "no card" else 0.15)
            placed = make(rng, bank, faces, canvas)
            largest = max((one.item.quad for one in placed), key=photos.quad_height, default=photos.random_quad(rng, h, w, 0.3))
            damage = photos.Damage(**{**BLOWN, "gradient": rng.uniform(0, 0.35), "blur": rng.uniform(0, 0.003), "glare": int(rng.random() < 0.25)})
            path = f"photos/{name.replace(' ', '-').replace('%', 'percent')}-{i:03d}.jpg"
            save(paths.PAGES, path, photos.apply_damage(rng, canvas, largest, damage))
            found.append({"photo": path, "layout": name, "cards": labels(placed, h, w)})
    (paths.PAGES / "labels.json").write_text(json.dumps(found))
    print(f"{len(found)} photos in {paths.PAGES}")


if __name__ == "__main__":
    main()
