"""Renders photos of cards in layouts, fonts and words that no network was trained on, and the catalog that lists them.

    python -m cardstock_training.evaluate.foreign_layouts [--share 1.0] [--seed 4907] [--jobs 2]     # data/run/layouts: photos/*.jpg, labels.json, mirror/

`foreign_games.py` describes and draws the ten games. The camera is that of `independent_photos.py`. Two cards of each
layout are missing from the catalog (`card` is null). `bun run bench layouts` reads the folder.
"""
import argparse
import json
from multiprocessing import Pool
from pathlib import Path
from typing import Callable

import cv2
import numpy as np

from cardstock_training import paths
from cardstock_training.evaluate import mirror
from cardstock_training.evaluate.foreign_games import GAMES, Card, list_cards
from cardstock_training.evaluate.independent_photos import Camera, Setting, photograph
from cardstock_training.evaluate.mirror import ListedCard, ListedSet

LISTED, UNLISTED, SEED = 12, 2, 4907
SETTING = Setting(0, tilt=(0, 22), roll=12, extent=(0.68, 0.96))
# Text of this many pixels (capitals) can be read by anybody in a sharp photo.
LEGIBLE = 11


def write_catalog(root: Path, cards: dict[str, list[Card]], left_out: set[int]) -> None:
    """Writes a mirror of all games without the cards that are left out."""
    sets = {c.set: ListedSet(GAMES[c.game].id, c.set, c.set_name, c.code, c.year) for own in cards.values() for c in own}
    listed = [ListedCard(c.id, c.set, c.name, c.number, c.rarity) for own in cards.values() for c in own if c.id not in left_out]
    mirror.write(root, {game.id: game.name for game in GAMES.values()}, list(sets.values()), listed)


def shrink(rng, image: np.ndarray, least: float) -> tuple[np.ndarray, float]:
    """Returns a photo of 1,500 to 2,500 pixels, not smaller than a share of its size, and that share."""
    longest = max(image.shape[:2])
    share = min(1.0, max(least, rng.uniform(1500, 2500) / longest))
    return (cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share < 1 else image), share


def take(rng, card: Card) -> tuple[np.ndarray, dict]:
    """Draws and photographs a card. Returns the photo and what is known of it."""
    drawn = GAMES[card.game].draw(rng, card)
    picture, least = drawn.sheet.pixels(), min(drawn.number_height, drawn.name_height)
    is_landscape = drawn.sheet.width > drawn.sheet.height
    if is_landscape:
        picture = np.rot90(picture).copy()
    setting = Setting(0, tilt=SETTING.tilt, roll=SETTING.roll, extent=SETTING.extent, sleeve=bool(rng.random() < 0.25))
    while True:
        camera = Camera(rng, setting)
        density = camera.density()
        if density * least >= LEGIBLE:
            break
    image, share = shrink(rng, photograph(rng, camera, setting, picture), LEGIBLE / (density * least))
    corners = camera.project(camera.corners) * share
    if is_landscape and rng.random() < 0.7:  # the phone is turned with the card
        corners = np.stack([image.shape[0] - 1 - corners[:, 1], corners[:, 0]], 1)
        image = np.rot90(image, -1)
    return image, dict(corners=np.round(corners, 1).tolist(), number_px=round(density * share * drawn.number_height, 1), name_px=round(density * share * drawn.name_height, 1))


def shoot(seed: int, key: str, i: int, card: Card, is_listed: bool) -> dict:
    """Writes a photo, and returns its label."""
    rng, path = np.random.default_rng((seed, list(GAMES).index(key), 2, i)), f"photos/{key}-{i:02d}.jpg"
    image, known = take(rng, card)
    cv2.imwrite(str(paths.LAYOUTS / path), image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 91))])
    return dict(photo=path, layout=key, card=card.id if is_listed else None, name=card.name, title=card.title, number=card.number, code=card.code, **known)


def parse_arguments(seed: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0, help="number of photos, as a share of the usual one")
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args()


def shoot_all(out: Path, shoot: Callable[..., dict], photos: list[tuple], jobs: int) -> None:
    """Writes the photos and labels.json. The first value of each photo is the seed."""
    (out / "photos").mkdir(parents=True, exist_ok=True)
    with Pool(jobs, cv2.setNumThreads, (1,)) as pool:
        labels = pool.starmap(shoot, photos, 4)
    with open(out / "labels.json", "w") as file:
        json.dump(labels, file, indent=1)
    print(f"{len(labels)} photos with the seed {photos[0][0]} in {out}")


def main() -> None:
    args = parse_arguments(SEED)
    cards, left_out, photos = list_cards(args.seed), set(), []
    listed = max(1, round(LISTED * args.share))
    for g, (key, own) in enumerate(cards.items()):
        order = np.random.default_rng((args.seed, g, 1)).permutation(len(own))
        photos += [(args.seed, key, i, own[index], i < listed) for i, index in enumerate(order[:listed + UNLISTED])]
        left_out.update(own[index].id for index in order[listed:listed + UNLISTED])
    write_catalog(paths.LAYOUTS / "mirror", cards, left_out)
    shoot_all(paths.LAYOUTS, shoot, photos, args.jobs)


if __name__ == "__main__":
    main()
