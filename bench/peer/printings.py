"""Identifies printings with the methods of other programs. `bun run bench printings` runs it on the same photos.

    python3 bench/peer/printings.py FOLDER [--photos N]      # needs OpenCV and numpy; tesseract if installed

FOLDER is the output of evaluate/printings.py of scripts/training; the photos are those of the benchmark. Each
method gets its best conditions. Hashes compete only with the 320 cards that have a picture, and all four rotations
of the ten largest contours are tried. Tesseract gets the true corners of the card, and a number counts wherever it is
in the text; the whole catalog competes. Prints JSON: `right` has for each peer and slice the number of photos with the
right card first, and of all photos; `read` has the numbers and names that Tesseract read.
"""
import argparse
import functools
import glob
import json
import os
import re
import shutil
import sys
import unicodedata

import cv2
import numpy as np

from identify import hashes_of, nearest, quads, straightened, tesseract

DENSITY = 12        # pixels per millimeter of the crop for Tesseract
CONTOURS = 10
NUMBER_LENGTH = 7   # a number of this length weighs as much as the name


class Pictures:
    """Returns the hashes of the cards with a picture."""

    def __init__(self, mirror: str):
        files = sorted(glob.glob(os.path.join(mirror, "pictures", "*.webp")))
        self.ids = [int(os.path.basename(file).split(".")[0]) for file in files]
        hashes = [hashes_of(read_photo(file)) for file in files]
        self.galleries = {kind: np.stack([own[kind] for own in hashes]) for kind in hashes[0]}

    def first(self, kind: str, hashes: list[dict[str, np.ndarray]]) -> int | None:
        found = [nearest(own[kind], self.galleries[kind])[::-1] for own in hashes]
        return self.ids[min(found)[1]] if found else None


class Read:
    """Text read on a card: every run of up to six words."""

    def __init__(self, texts: list[str]):
        words = [folded(text).split() for text in texts]
        runs = [own[i:i + n] for own in words for n in range(1, 7) for i in range(len(own) - n + 1)]
        self.runs = {" ".join(run) for run in runs}
        self.joined = {trimmed("".join(run)) for run in runs}
        self.letters = {letters(run) for run in self.runs}

    def number(self, forms: set[str]) -> str:
        """Returns the longest form that was read; empty if none."""
        return max(forms & self.joined, key=len, default="")

    def has_name(self, name: str) -> bool:
        return letters(folded(name)) in self.letters


class Print:
    """Finds cards of the catalog by the text that was read."""

    def __init__(self, mirror: str):
        root = os.path.join(mirror, "tcgplayer")
        codes = {group["groupId"]: group["abbreviation"] for file in glob.glob(f"{root}/*/groups") for group in results_in(file)}
        cards = [card for file in glob.glob(f"{root}/*/*/products") for card in results_in(file)]
        cards.sort(key=lambda card: card["productId"])
        self.ids = [card["productId"] for card in cards]
        self.numbers = [number_forms(card["extendedData"][0]["value"], codes[card["groupId"]]) for card in cards]
        names, self.name_of = np.unique([folded(card["name"]) for card in cards], return_inverse=True)
        self.sizes = np.array([len(trigrams(name)) for name in names])
        self.holders: dict[str, list[int]] = {}
        for i, name in enumerate(names):
            for trigram in trigrams(name):
                self.holders.setdefault(trigram, []).append(i)

    def first(self, read: Read) -> int:
        """Returns the card with the most similar name and number; short numbers weigh less."""
        numbers = np.array([len(read.number(forms)) for forms in self.numbers])
        return self.ids[int(np.argmax(self._likeness(read)[self.name_of] + numbers / NUMBER_LENGTH))]

    def _likeness(self, read: Read) -> np.ndarray:
        """Returns the similarity of each name to its most similar run of words (Dice coefficient of trigrams)."""
        best = np.zeros(len(self.sizes))
        for run in read.runs:
            own = trigrams(run)
            shared = np.bincount([i for t in own for i in self.holders.get(t, ())], minlength=len(best))
            best = np.maximum(best, 2 * shared / (len(own) + self.sizes))
        return best


def folded(text: str) -> str:
    """Converts to capitals without accents and unifies quotes, dashes and bullets."""
    plain = text.upper().translate(str.maketrans("’‘`—–•★*+«»", "'''--      "))
    return "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))


def trimmed(word: str) -> str:
    """Removes characters that result from lines and frames at the edges of a word."""
    return re.sub("^[^A-Z0-9]+|[^A-Z0-9]+$", "", word)


def letters(words: str) -> str:
    return re.sub("[^A-Z0-9]", "", words)


def number_forms(number: str, code: str) -> set[str]:
    """Compares numbers as the benchmark does: whole, without the set code, or the word with digits."""
    words = [word for word in re.split(r"[\s•★]+", number) if re.search("[0-9]", word)]
    forms = [number, "".join(words), number.replace(code, ""), *words]
    return {trimmed(folded(form).replace(" ", "")) for form in forms}


@functools.cache
def trigrams(words: str) -> frozenset[str]:
    padded = f"  {words} "
    return frozenset(padded[i:i + 3] for i in range(len(padded) - 2))


def results_in(file: str) -> list[dict]:
    with open(file) as content:
        return json.load(content)["results"]


def read_photo(file: str) -> np.ndarray:
    return np.ascontiguousarray(cv2.imread(file)[..., ::-1])


def read_card(rgb: np.ndarray, corners: np.ndarray) -> Read:
    """Reads the whole card, then its header and its footer at twice the size."""
    card, large = (straightened(rgb, corners, 63 * density, 88 * density) for density in (DENSITY, 2 * DENSITY))
    head, foot = large[:int(0.14 * len(large))], large[int(0.88 * len(large)):]
    return Read([tesseract(card, 11), tesseract(head, 6), tesseract(foot, 6)])


def spread(labels: list[dict], count: int) -> list[dict]:
    """Returns at most `count` items, evenly spaced."""
    count = min(count, len(labels))
    return [labels[i * len(labels) // count] for i in range(count)]


def row_of(label: dict) -> str | None:
    """Returns the row of the benchmark that a photo belongs to."""
    if label["slice"] == "5.5 to 7 px/mm":
        return "at 5.5 to 7 px/mm"
    is_plain = label["slice"] == "good light" or label["slice"].startswith("siblings")
    return "at 7 px/mm and more" if is_plain and label["px_per_mm"] >= 7 else None


class Tally(dict):
    """Counts by method and slice: [right, all]."""

    def count(self, who: str, where: str, is_right: bool) -> None:
        entry = self.setdefault(who, {}).setdefault(where, [0, 0])
        entry[0] += int(is_right)
        entry[1] += 1


def compare_pictures(folder: str, labels: list[dict], right: Tally) -> None:
    pictures = Pictures(os.path.join(folder, "mirror"))
    for label in labels:
        rgb = read_photo(os.path.join(folder, label["photo"]))
        found = [straightened(rgb, quad) for quad in quads(rgb)[:CONTOURS]]
        seen = [hashes_of(np.rot90(card, turn)) for card in found for turn in range(4)]
        true = [hashes_of(straightened(rgb, np.array(label["corners"])))]
        for peer, kind, hashes in (("pHash256", "pHash256", seen), ("RGB pHash", "RGB pHash", seen), ("pHash256 with true corners", "pHash256", true)):
            right.count(peer, label["slice"], pictures.first(kind, hashes) == label["card"])


def read_print(folder: str, labels: list[dict], right: Tally, read: Tally) -> None:
    catalog = Print(os.path.join(folder, "mirror"))
    for label in labels:
        rgb = read_photo(os.path.join(folder, label["photo"]))
        seen = read_card(rgb, np.array(label["corners"]))
        right.count("Tesseract", label["slice"], catalog.first(seen) == label["card"])
        if row := row_of(label):
            read.count("number", row, seen.number(number_forms(label["number"], label["code"])) != "")
            read.count("name", row, seen.has_name(label["name"]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--photos", type=int, default=25, help="at most so many of a slice for tesseract")
    args = parser.parse_args()
    # Every second photo is for fitting thresholds, the others for testing.
    with open(os.path.join(args.folder, "labels.json")) as file:
        labels = [label for label in json.load(file)[1::2] if label["card"] is not None]
    right, read = Tally(), Tally()
    compare_pictures(args.folder, labels, right)
    if shutil.which("tesseract") is None:
        print("Tesseract is not installed. Skipping it.", file=sys.stderr)
    else:
        slices = dict.fromkeys(label["slice"] for label in labels)
        asked = [label for name in slices for label in spread([one for one in labels if one["slice"] == name], args.photos)]
        read_print(args.folder, asked, right, read)
    print(json.dumps({"right": right, "read": read}))


if __name__ == "__main__":
    main()
