"""Which printing other programs name, on the same photos: `bun run bench printings` runs this beside ours.

    python3 bench/peer/printings.py FOLDER [--photos N]      # needs OpenCV and numpy; tesseract if installed

FOLDER is what scripts/training/render_printings.py wrote; the photos are those that the bench judges. Each
method has the best it could have. Hashes compete only with the 320 cards that have a picture, and all
four turns of the ten largest contours are tried. Tesseract is told the card's true corners, and a number
counts wherever it stands among what was read; the whole catalog competes. Prints JSON: `right` says for
each peer and slice how many of how many photos had the right card first, `read` how many numbers and
names were among what tesseract read.
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

DENSITY = 12        # pixels to a millimetre of the card that tesseract is given
CONTOURS = 10
NUMBER_LENGTH = 7   # a number as long as this says as much as the whole name


class Pictures:
    """The hashes of the cards that have a picture."""

    def __init__(self, mirror: str):
        files = sorted(glob.glob(os.path.join(mirror, "pictures", "*.webp")))
        self.ids = [int(os.path.basename(file).split(".")[0]) for file in files]
        hashes = [hashes_of(read_photo(file)) for file in files]
        self.galleries = {kind: np.stack([own[kind] for own in hashes]) for kind in hashes[0]}

    def first(self, kind: str, hashes: list[dict[str, np.ndarray]]) -> int | None:
        found = [nearest(own[kind], self.galleries[kind])[::-1] for own in hashes]
        return self.ids[min(found)[1]] if found else None


class Read:
    """What was read on a card: every run of up to six words."""

    def __init__(self, texts: list[str]):
        words = [folded(text).split() for text in texts]
        runs = [own[i:i + n] for own in words for n in range(1, 7) for i in range(len(own) - n + 1)]
        self.runs = {" ".join(run) for run in runs}
        self.joined = {trimmed("".join(run)) for run in runs}
        self.letters = {letters(run) for run in self.runs}

    def number(self, forms: set[str]) -> str:
        """The longest form that was read; empty: none was."""
        return max(forms & self.joined, key=len, default="")

    def has_name(self, name: str) -> bool:
        return letters(folded(name)) in self.letters


class Print:
    """What is printed on the cards of the catalog, and which of them was read."""

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
        """The card whose name and number are most like what was read; a short number says little."""
        numbers = np.array([len(read.number(forms)) for forms in self.numbers])
        return self.ids[int(np.argmax(self._likeness(read)[self.name_of] + numbers / NUMBER_LENGTH))]

    def _likeness(self, read: Read) -> np.ndarray:
        """How much each name shares with the run of words that is most like it (Dice's measure of trigrams)."""
        best = np.zeros(len(self.sizes))
        for run in read.runs:
            own = trigrams(run)
            shared = np.bincount([i for t in own for i in self.holders.get(t, ())], minlength=len(best))
            best = np.maximum(best, 2 * shared / (len(own) + self.sizes))
        return best


def folded(text: str) -> str:
    """Capitals without accents, one kind of quote and of dash; what a bullet is taken for parts words, as it does."""
    plain = text.upper().translate(str.maketrans("’‘`—–•★*+«»", "'''--      "))
    return "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))


def trimmed(word: str) -> str:
    """Less what a reader sees at the edge of a word where a line or a frame is."""
    return re.sub("^[^A-Z0-9]+|[^A-Z0-9]+$", "", word)


def letters(words: str) -> str:
    return re.sub("[^A-Z0-9]", "", words)


def number_forms(number: str, code: str) -> set[str]:
    """As the bench counts ours: whole, less the set's code, or its one word that has digits."""
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
    """Where names and numbers stand is not known: the whole card, then its head and its foot twice as large."""
    card, large = (straightened(rgb, corners, 63 * density, 88 * density) for density in (DENSITY, 2 * DENSITY))
    head, foot = large[:int(0.14 * len(large))], large[int(0.88 * len(large)):]
    return Read([tesseract(card, 11), tesseract(head, 6), tesseract(foot, 6)])


def spread(labels: list[dict], count: int) -> list[dict]:
    """At most so many, from all over the list."""
    count = min(count, len(labels))
    return [labels[i * len(labels) // count] for i in range(count)]


def row_of(label: dict) -> str | None:
    """The row of the bench's table in which the photo's number counts."""
    if label["slice"] == "5.5 to 7 px/mm":
        return "at 5.5 to 7 px/mm"
    is_plain = label["slice"] == "good light" or label["slice"].startswith("siblings")
    return "at 7 px/mm and more" if is_plain and label["px_per_mm"] >= 7 else None


class Tally(dict):
    """Who -> where -> how many of how many were right."""

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
    # The thresholds of ours were chosen on every second photo: all are judged on the others.
    with open(os.path.join(args.folder, "labels.json")) as file:
        labels = [label for label in json.load(file)[1::2] if label["card"] is not None]
    right, read = Tally(), Tally()
    compare_pictures(args.folder, labels, right)
    if shutil.which("tesseract") is None:
        print("Tesseract is not installed: it is no peer this time.", file=sys.stderr)
    else:
        slices = dict.fromkeys(label["slice"] for label in labels)
        asked = [label for name in slices for label in spread([one for one in labels if one["slice"] == name], args.photos)]
        read_print(args.folder, asked, right, read)
    print(json.dumps({"right": right, "read": read}))


if __name__ == "__main__":
    main()
