"""Renders evaluation photos of cards with known text, and the catalog that lists them.

    python -m cardstock_training.evaluate.printings [--share 3]     # data/run/printings: photos/*.jpg, labels.json, mirror/

`mirror` is a catalog in the layout of the upstream, with pictures. All layouts, fonts, number formats and words
are held out from training. A quarter of the cards share their art with a card of another set, half of those its
frame as well. `bun run bench printings` reads the folder. `--share 3` renders three times as many photos of the
same catalog, for calibrate_reporting.py.
"""
import argparse
import json

import numpy as np

from cardstock_training import paths
from cardstock_training.evaluate import mirror
from cardstock_training.evaluate.mirror import ListedCard, ListedSet
from cardstock_training.evaluate.photos import BLOWN, PHOTO, save
from cardstock_training.render import grammars, photos, printed_cards
from cardstock_training.render.banks import Bank

GAME, SETS, CARDS, SIBLINGS, OTHERS = 9100, 16, 240, 80, 20_000
DENSITY = 11.0           # px/mm of a photographed card
CATALOG_DENSITY = 4.0    # px/mm of a catalog picture

# slice -> count, damage, share of the frame's shorter side, any rotation
SLICES = {
    "good light": (200, dict(), (0.7, 0.95), False),
    "siblings, another frame": (100, dict(), (0.7, 0.95), False),
    "siblings, the same frame": (100, dict(), (0.7, 0.95), False),
    "5.5 to 7 px/mm": (120, dict(), (0.545, 0.68), False),
    "any turn": (60, dict(), (0.7, 0.9), True),
    "glare": (60, dict(glare=2), (0.7, 0.95), False),
    "low light": (60, dict(dark=0.6, noise=6), (0.7, 0.95), False),
    "blur": (60, dict(blur=0.004), (0.7, 0.95), False),
    "slab": (120, dict(), (0.5, 0.6), False),
}
STRANGERS, FOREIGN = 250, 80


class Catalog:
    """Sets, each with a layout and a code, and their cards."""

    def __init__(self, bank: Bank):
        rng = np.random.default_rng(90)
        self.bank = bank
        self.sets = [dict(code=grammars.code(rng, True), layout=printed_cards.random_layout(rng, True)) for _ in range(SETS)]
        self.cards: list[dict] = []
        for i in range(CARDS):
            rng = np.random.default_rng((91, i))
            of = int(rng.integers(SETS))
            name = grammars.name(rng, True)
            words = printed_cards.random_text(rng, True, code=self.sets[of]["code"])
            self._add(rng, of, i, self.sets[of]["layout"], printed_cards.replace(words, name=name, stamp=""))
        for i in range(SIBLINGS):
            self._reprint(np.random.default_rng((92, i)), self.cards[i], i % 2 == 1, i % 10 == 0)

    def _reprint(self, rng, card: dict, same_frame: bool, same_number: bool) -> None:
        """Adds a reprint in another set: the same text with another code and, except for some, another number."""
        of = (card["set"] + 1 + int(rng.integers(SETS - 1))) % SETS
        number = card["number"] if same_number else grammars.number(rng, True)
        words = printed_cards.replace(card["words"], number=number, code=self.sets[of]["code"])
        self._add(rng, of, card["art"], card["layout"] if same_frame else self.sets[of]["layout"], words)

    def _add(self, rng, of: int, art: int, layout: printed_cards.Layout, words: printed_cards.CardText) -> None:
        taken = {c["number"] for c in self.cards if c["set"] == of}
        while words.number in taken:
            words = printed_cards.replace(words, number=grammars.number(rng, True))
        self.cards.append(dict(id=len(self.cards) + 1, set=of, code=words.code, name=words.name, number=words.number, art=art, layout=layout, words=words))

    def picture(self, card: dict, density: float) -> printed_cards.PrintedCard:
        art = printed_cards.random_picture(np.random.default_rng((93, card["art"])), self.bank)
        return printed_cards.face(np.random.default_rng((94, card["art"])), card["layout"], card["words"], art, density)


def photograph(rng, bank, picture: np.ndarray, damage: dict, scale, turned: bool, label: np.ndarray | None = None):
    h, w = PHOTO if rng.random() < 0.6 else PHOTO[::-1]
    canvas = photos.background(rng, bank, h, w, 0.2)
    quad = photos.random_quad(rng, h, w, rng.uniform(*scale), tilt=0.3, angle=rng.uniform(0, 2 * np.pi) if turned else rng.normal(0, 0.08),
                        center=None if label is None else (w / 2, h * 0.58))
    thing = photos.random_item(rng, bank, quad, 0 if label is None else 2, picture)
    if label is not None:
        thing.label = label
    photos.draw(rng, canvas, thing, bank)
    return photos.apply_damage(rng, canvas, quad, photos.Damage(**{**BLOWN, **damage})), quad


def pixels_per_mm(quad: np.ndarray) -> float:
    """Returns pixels of the photo per millimeter of the card, as the service measures it."""
    x, y = quad[:, 0], quad[:, 1]
    return float(np.sqrt(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2 / (63 * 88)))


def random_grade(rng, card: dict):
    """Draws the grading label of a card, with one grade. Returns the picture, the grader and the grade."""
    while True:
        sheet = printed_cards.random_label(rng, True, 11, (card["name"], card["number"], card["code"]))
        shown = [line.text for line in sheet.lines]
        grader = next((g for g in ("PSA", "BGS", "BECKETT", "CGC", "SGC", "TAG", "ACE") if any(s == g or s.startswith(g + " ") for s in shown)), None)
        alone = [s for s in shown if s.replace(".", "").isdigit() and len(s) <= 4 and 1 <= float(s) <= 10]
        if grader and len(alone) == 1:
            return sheet.image, "BGS" if grader == "BECKETT" else grader, alone[0]


def write_mirror(catalog: Catalog) -> None:
    """Writes the photographed cards and thousands of others, as a mirror of the upstream."""
    root = paths.PRINTINGS / "mirror"
    rng = np.random.default_rng(98)
    codes, listed = {}, []
    for card in catalog.cards:
        codes.setdefault(card["set"], card["code"])
        listed.append(ListedCard(card["id"], card["set"] + 1, card["name"], card["number"], file=f"pictures/{card['id']}.webp"))
    for i in range(OTHERS):
        of = int(rng.integers(200))
        codes.setdefault(SETS + of, f"Z{of:03d}")
        listed.append(ListedCard(100_000 + i, SETS + of + 1, grammars.name(rng, True), grammars.number(rng, True)))
    mirror.write(root, {GAME: "Printed"}, [ListedSet(GAME, of + 1, f"Set {of + 1}", code, 2010 + of % 16) for of, code in sorted(codes.items())], listed)
    (root / "pictures").mkdir(parents=True, exist_ok=True)
    for card in catalog.cards:
        save(paths.PRINTINGS, f"mirror/pictures/{card['id']}.webp", catalog.picture(card, CATALOG_DENSITY).image)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1, help="number of photos, as a multiple of 1,210")
    share = parser.parse_args().share
    out = paths.PRINTINGS
    (out / "photos").mkdir(parents=True, exist_ok=True)
    bank = Bank("evaluation")
    catalog, labels = Catalog(bank), []
    write_mirror(catalog)

    def shot(of: str, i: int, image, quad, **truth) -> None:
        path = f"photos/{of.replace(', ', '-').replace(' ', '-').replace('/', '')}-{i:03d}.jpg"
        save(out, path, image)
        labels.append(dict(photo=path, slice=of, corners=np.round(quad, 2).tolist(), px_per_mm=round(pixels_per_mm(quad), 2), **truth))

    pairs = list(zip(catalog.cards[:SIBLINGS], catalog.cards[CARDS:]))
    pools = {f"siblings, {frame}": [card for pair in pairs[first::2] for card in pair] for first, frame in enumerate(("another frame", "the same frame"))}
    for s, (name, (count, damage, scale, turned)) in enumerate(SLICES.items()):
        for i in range(round(count * share)):
            rng = np.random.default_rng((95, s, i))
            pool = pools.get(name, catalog.cards)
            card = pool[int(rng.integers(len(pool)))]
            label, grader, grade = random_grade(rng, card) if name == "slab" else (None, None, None)
            image, quad = photograph(rng, bank, catalog.picture(card, DENSITY).image, damage, scale, turned, label)
            shot(name, i, image, quad, card=card["id"], name=card["name"], number=card["number"], code=card["code"], grader=grader, grade=grade)
    for i in range(round(STRANGERS * share)):  # sets that are not in the catalog
        rng = np.random.default_rng((96, i))
        words = printed_cards.random_text(rng, True)
        sheet = printed_cards.face(rng, printed_cards.random_layout(rng, True), words, printed_cards.random_picture(rng, bank), DENSITY)
        image, quad = photograph(rng, bank, sheet.image, dict(), (0.6, 0.95), False)
        shot("not in the catalog", i, image, quad, card=None, name=words.name, number=words.number, code=words.code, grader=None, grade=None)
    for i in range(round(FOREIGN * share)):
        rng = np.random.default_rng((97, i))
        script = grammars.SCRIPTS[1 + i % 4]
        words = printed_cards.random_text(rng, True, script)
        sheet = printed_cards.face(rng, printed_cards.random_layout(rng, True, script), words, printed_cards.random_picture(rng, bank), DENSITY)
        image, quad = photograph(rng, bank, sheet.image, dict(), (0.7, 0.95), False)
        shot(f"in {script} letters", i, image, quad, card=None, name="", number=words.number, code=words.code, grader=None, grade=None)
    with open(out / "labels.json", "w") as file:
        json.dump(labels, file, indent=1)
    print(f"{len(labels)} photos of {len(catalog.cards)} cards in {out}")


if __name__ == "__main__":
    main()
