"""Renders photos of graded cards with the labels of six known and three invented graders, and the catalog that lists the cards.

    python -m cardstock_training.evaluate.slab_labels [--share 1.0] [--seed 6121] [--jobs 2]     # data/run/slabs: photos/*.jpg, labels.json, mirror/

The labels follow these descriptions, not pictures:

=========  =================================================================================================================
PSA        White with a red frame. Left: year and game, name, set. Right: number, words, grade. "PSA" and certificate below.
BGS        Silver or gold. Large grade at the right with words below. Four grades of parts in two rows. "BECKETT" on top.
CGC        White with a blue stripe. "CGC" at the left, four lines in the middle, words over the grade at the right.
SGC        Black with white letters. "SGC" at the left, grade large at the right with words, certificate under the text.
TAG        Dark and plain. "TAG" and a score out of 1,000 at the left, grade and words at the right.
ACE        In the color of the card. Name large in the middle, "ACE" at the left, words and grade in a box at the right.
Northgate  Invented. Green; its name in full on top; "GRADE 9.5" at the left, text at the right.
VLM        Invented. Three columns: a monogram, the text, and a disc with the grade; words only on some labels.
Kestrel    Invented. Narrow gray label; everything is centered; "MINT 9" stands between two rules; certificate at both ends.
=========  =================================================================================================================

Some labels say AUTHENTIC and have no grade. The cards are those of `foreign_games.py`. `bun run bench layouts` reads the folder.
"""
from dataclasses import dataclass
from typing import Callable

import cv2
import numpy as np

from cardstock_training import paths
from cardstock_training.evaluate import independent_photos as independent
from cardstock_training.evaluate.foreign_games import GAMES, Card, list_cards
from cardstock_training.evaluate.foreign_layouts import LEGIBLE, parse_arguments, shoot_all, shrink, write_catalog
from cardstock_training.evaluate.independent_photos import Camera, Setting
from cardstock_training.render.flat import Sheet, dark, hue

PER_GRADER, SEED = 24, 6121
SLAB_WIDTH, SLAB_HEIGHT = 81.0, 134.0
LABEL = (5.5, 5.5, 75.5, 27.5)  # left, top, right, bottom
CARD_LEFT, CARD_TOP = 9.0, 35.0
SETTING = Setting(0, tilt=(0, 16), roll=10, extent=(0.7, 0.96))
WHITE, BLACK = (255, 255, 255), (10, 10, 10)
SANS, BOLD, WIDE, BOOK, NARROW = "BIZUDPGothic-Regular.ttf", "BIZUDPGothic-Bold.ttf", "Mplus1-Bold.otf", "cmunbx.ttf", "Harmattan-Bold.ttf"


@dataclass(frozen=True)
class Grade:
    number: str  # empty for AUTHENTIC
    words: str
    has_number: bool = True  # False if only words are printed


@dataclass(frozen=True)
class Text:
    """What a label says besides its grade."""

    game: str
    set: str
    name: str
    number: str
    year: str
    certificate: str


@dataclass(frozen=True)
class Grader:
    words: dict[str, str]  # by grade
    authentic: str
    draw: Callable[[np.random.Generator, Sheet, Text, Grade], float]  # returns the height of the smallest text that counts
    words_only: tuple[str, ...] = ()
    is_invented: bool = False


def draw_psa(rng, s: Sheet, text: Text, grade: Grade) -> float:
    s.box((0, 0, s.width, s.height), (250, 248, 244), (190, 25, 35), 1.2)
    rows = (f"{text.year} {text.game}", text.name, text.set, str(rng.choice(("", "1ST EDITION", "HOLO"))))
    drawn = [s.text(3, 5.2 + 3.4 * i, row, SANS, 1.9, BLACK, most=40) for i, row in enumerate(rows)]
    right = [f"#{text.number}", grade.words, grade.number]
    for i, row in enumerate(filter(None, right)):
        drawn.append(s.text(67, 5.2 + 3.4 * i, row, BOLD if row == grade.number else SANS, 2.3 if row == grade.number else 1.9, BLACK, "rs", most=23))
    s.text(67, 19.5, text.certificate, SANS, 1.7, BLACK, "rs")
    s.text(35, 19.8, "PSA", WIDE, 2.6, (190, 25, 35), "ms")
    for i in range(34):
        s.box((4 + 0.6 * i, 17.4, 4 + 0.6 * i + rng.choice((0.15, 0.3)), 20), BLACK)
    return min(drawn)


def draw_bgs(rng, s: Sheet, text: Text, grade: Grade) -> float:
    s.box((0, 0, s.width, s.height), (200, 200, 205) if rng.random() < 0.6 else (206, 180, 110), BLACK, 0.4)
    s.text(3, 4, "BECKETT", WIDE, 2.0, BLACK)
    drawn = [s.text(3, 7.5 + 3 * i, row, BOLD, 1.7, BLACK, most=46) for i, row in enumerate((f"{text.year} {text.game} {text.set}", f"#{text.number} {text.name}"))]
    if grade.number:
        parts = ("CENTERING", "CORNERS", "EDGES", "SURFACE")
        for i, part in enumerate(parts):
            value = min(10, max(1, float(grade.number) + float(rng.choice((-0.5, 0, 0.5)))))
            s.text(3 + 24 * (i % 2), 14.5 + 2.9 * (i // 2), f"{part} {value:g}", SANS, 1.5, BLACK)
        drawn.append(s.text(59, 13, grade.number, WIDE, 6.5, BLACK, "ms", most=17))
    drawn.append(s.text(59, 17, grade.words, BOLD, 1.7, BLACK, "ms", most=20))
    s.text(3, 20.9, text.certificate, SANS, 1.5, BLACK)
    return min(drawn)


def draw_cgc(rng, s: Sheet, text: Text, grade: Grade) -> float:
    s.box((0, 0, s.width, s.height), (246, 248, 252))
    s.box((0, 0, s.width, 2), (30, 70, 150))
    s.box((0, s.height - 3.4, s.width, s.height), (30, 70, 150))
    s.text(9.5, 13, "CGC", WIDE, 4, (30, 70, 150), "ms", most=15)
    rows = (text.name, f"{text.game} ({text.year})", text.set, f"{text.number}")
    drawn = [s.text(19, 6 + 3.2 * i, row, BOLD if i == 0 else SANS, 1.8, BLACK, most=31) for i, row in enumerate(rows)]
    drawn.append(s.text(60, 6, grade.words, BOLD, 1.9, BLACK, "ms", most=18))
    if grade.number:
        drawn.append(s.text(60, 14.5, grade.number, WIDE, 6, BLACK, "ms", most=17))
    s.text(35, s.height - 0.9, text.certificate, SANS, 1.7, WHITE, "ms")
    return min(drawn)


def draw_sgc(rng, s: Sheet, text: Text, grade: Grade) -> float:
    s.box((0, 0, s.width, s.height), (12, 12, 14))
    s.text(8, 13, "SGC", BOOK, 4, (220, 200, 140), "ms", most=13)
    rows = (f"{text.year} {text.game}", text.set, text.name, f"#{text.number}")
    drawn = [s.text(17, 5 + 3.5 * i, row, NARROW, 1.9, WHITE, most=33) for i, row in enumerate(rows)]
    s.text(17, 20, text.certificate, NARROW, 1.6, WHITE)
    drawn.append(s.text(61, 5.5, grade.words, NARROW, 2, WHITE, "ms", most=17))
    if grade.number:
        drawn.append(s.text(61, 15, grade.number, WIDE, 7, WHITE, "ms", most=17))
    return min(drawn)


def draw_tag(rng, s: Sheet, text: Text, grade: Grade) -> float:
    s.box((0, 0, s.width, s.height), (28, 30, 36))
    s.text(3, 6.5, "TAG", WIDE, 3, WHITE)
    if grade.number:
        s.text(3, 11, f"SCORE {int(min(1000, float(grade.number) * 100 - rng.integers(0, 40)))}", SANS, 1.7, WHITE)
    s.text(3, 19.5, text.certificate, SANS, 1.5, WHITE)
    drawn = [s.text(20, 5.5 + 3.6 * i, row, SANS, 1.8, WHITE, most=32) for i, row in enumerate((text.name, f"{text.year} {text.game}", text.set, f"#{text.number}"))]
    if grade.number:
        drawn.append(s.text(61, 12, grade.number, WIDE, 5.5, WHITE, "ms", most=16))
    drawn.append(s.text(61, 17, grade.words, SANS, 1.9, WHITE, "ms", most=17))
    return min(drawn)


def draw_ace(rng, s: Sheet, text: Text, grade: Grade) -> float:
    s.box((0, 0, s.width, s.height), hue(rng, (0.15, 0.35), 0.9))
    s.text(8, 12, "ACE", WIDE, 3.6, WHITE, "ms", most=13)
    drawn = [s.text(34, 7, text.name, WIDE, 2.5, WHITE, "ms", most=34)]
    drawn += [s.text(34, 11 + 3.2 * i, row, SANS, 1.7, WHITE, "ms", most=34) for i, row in enumerate((text.set, f"{text.game} {text.year}", f"#{text.number}"))]
    s.box((53, 3, 67.5, 19), WHITE, radius=1.5)
    if grade.number:
        drawn.append(s.text(60.2, 13.5, grade.number, WIDE, 5, BLACK, "ms", most=12))
    drawn.append(s.text(60.2, 17.5, grade.words, BOLD, 1.7, BLACK, "ms", most=13))
    s.text(8, 19.5, text.certificate, SANS, 1.4, WHITE, "ms", most=14)
    return min(drawn)


def draw_northgate(rng, s: Sheet, text: Text, grade: Grade) -> float:
    s.box((0, 0, s.width, s.height), (20, 70, 50))
    s.text(35, 4.4, "NORTHGATE CARD AUTHENTICATION", BOOK, 1.8, (240, 230, 200), "ms")
    s.box((2, 6, 24, 20), (240, 236, 222))
    shown = [f"GRADE {grade.number}", grade.words] if grade.number else [grade.words]
    drawn = [s.text(13, 12 + 5 * i, row, BOOK, 2.6 if i == 0 else 1.8, BLACK, "ms", most=20) for i, row in enumerate(shown)]
    rows = (f"{text.name} #{text.number}", text.set, f"{text.game}, {text.year}")
    drawn += [s.text(27, 9.5 + 3.6 * i, row, BOLD if i == 0 else SANS, 1.8, WHITE, most=40) for i, row in enumerate(rows)]
    s.text(27, 20, f"Cert. {text.certificate}", SANS, 1.5, WHITE)
    return min(drawn)


def draw_vlm(rng, s: Sheet, text: Text, grade: Grade) -> float:
    color = hue(rng, (0.25, 0.45), 0.8)
    s.box((0, 0, s.width, s.height), (252, 252, 252), color, 0.8)
    s.disc(10, 11, 7.5, color)
    s.text(10, 12.3, "VLM", BOOK, 2.8, WHITE, "ms")
    rows = (text.set, text.name, f"No. {text.number} ({text.year})", text.certificate)
    drawn = [s.text(21, 5.5 + 4 * i, row, SANS if i != 1 else BOLD, 1.9, BLACK, most=30) for i, row in enumerate(rows)]
    if grade.number and grade.has_number:
        s.disc(60, 9, 6.5, (255, 255, 255), color)
        drawn.append(s.text(60, 10.7, grade.number, WIDE, 3.4, BLACK, "ms", most=9))
    drawn.append(s.text(60, 19.3, grade.words, BOLD, 1.9, color, "ms", most=17))
    return min(drawn)


def draw_kestrel(rng, s: Sheet, text: Text, grade: Grade) -> float:
    s.box((0, 2, s.width, 20), (196, 200, 204), dark(rng), 0.5)
    s.text(35, 5.4, f"{text.year} {text.game} {text.set}", NARROW, 1.7, BLACK, "ms", most=64)
    drawn = [s.text(35, 9, f"{text.name}  No. {text.number}", NARROW, 2, BLACK, "ms", most=64)]
    s.box((10, 10.2, 60, 10.4), BLACK)
    s.box((10, 15.6, 60, 15.8), BLACK)
    shown = f"{grade.words} {grade.number}".strip() if grade.has_number else grade.words
    drawn.append(s.text(35, 14.4, shown, WIDE, 2.8, BLACK, "ms", most=46))
    s.text(35, 18.9, "KESTREL GRADING CO.", NARROW, 1.6, BLACK, "ms")
    s.text(2, 18.9, text.certificate, NARROW, 1.5, BLACK)
    s.text(68, 18.9, text.certificate, NARROW, 1.5, BLACK, "rs")
    return min(drawn)


_PSA = {"10": "GEM MT", "9": "MINT", "8.5": "NM-MT+", "8": "NM-MT", "7": "NM", "6": "EX-MT", "5": "EX", "4": "VG-EX", "3": "VG", "2": "GOOD", "1.5": "FAIR", "1": "PR"}
_LONG = {"10": "GEM MINT", "9.5": "MINT+", "9": "MINT", "8.5": "NM/MINT+", "8": "NM/MINT", "7.5": "NEAR MINT+", "7": "NEAR MINT", "6": "EX/NM", "5": "EXCELLENT", "3.5": "VERY GOOD+", "2": "GOOD"}
_BGS = {"10": "PRISTINE", "9.5": "GEM MINT", "9": "MINT", "8.5": "NM-MT+", "8": "NM-MT", "7.5": "NEAR MINT+", "7": "NEAR MINT", "6": "EX-MT", "4.5": "VG-EX+"}
_SGC = {"10": "GM", "9.5": "MT+", "9": "MT", "8.5": "NM/MT+", "8": "NM/MT", "7": "NM", "6.5": "EX/NM+", "5": "EX", "3": "VG", "1": "PR"}
_PLAIN = {"10": "GEM MINT", "9": "MINT", "8": "NM-MT", "7": "NM", "6": "EX-MT", "5": "EX", "4": "VG-EX", "2": "GOOD"}
_NEW = {"10": "PRISTINE", "9.5": "GEM MINT", "9": "MINT", "8.5": "NM-MT+", "8": "NM-MT", "7": "NM", "6": "EX-MT", "4": "VG-EX"}

GRADERS: dict[str, Grader] = {
    "PSA": Grader(_PSA, "AUTHENTIC", draw_psa),
    "BGS": Grader(_BGS, "AUTHENTIC", draw_bgs),
    "CGC": Grader(_LONG, "AUTHENTIC", draw_cgc),
    "SGC": Grader(_SGC, "AUTHENTIC", draw_sgc),
    "TAG": Grader(_LONG, "AUTHENTIC", draw_tag),
    "ACE": Grader(_PLAIN, "AUTHENTIC", draw_ace),
    "NORTHGATE": Grader(_NEW, "AUTHENTIC", draw_northgate, is_invented=True),
    # Only words whose grade is the same on every scale stand alone.
    "VLM": Grader(_PLAIN, "AUTHENTIC - ALTERED", draw_vlm, ("9", "8"), True),
    "KESTREL": Grader(_NEW, "AUTHENTIC", draw_kestrel, ("9", "8"), True),
}


def random_grade(rng, grader: Grader) -> Grade:
    if rng.random() < 0.08:
        return Grade("", grader.authentic)
    grades = list(grader.words)
    number = str(rng.choice(grades[:3] if rng.random() < 0.55 else grades))
    return Grade(number, grader.words[number], not (number in grader.words_only and rng.random() < 0.3))


def text_of(rng, card: Card) -> Text:
    """Returns the text of a label: capitals, and on most labels only the own part of the number."""
    number = card.number if rng.random() < 0.35 else card.number.split("/")[0]
    digits = int(rng.integers(7, 11))
    return Text(GAMES[card.game].name.upper(), card.set_name.upper(), card.name.upper(), number, str(card.year), "".join(str(d) for d in rng.integers(1, 10, digits)))


def draw_slab(rng, card: Card, grader: Grader, text: Text, grade: Grade) -> tuple[Sheet, np.ndarray, float]:
    """Returns the slab, what of it is opaque (0 to 1), and the height of the smallest text that counts."""
    slab, label = Sheet(SLAB_WIDTH, SLAB_HEIGHT, (225, 228, 230), 18), Sheet(LABEL[2] - LABEL[0], LABEL[3] - LABEL[1], density=18)
    height = grader.draw(rng, label, text, grade)
    drawn = GAMES[card.game].draw(rng, card).sheet.pixels()[..., ::-1]
    if drawn.shape[1] > drawn.shape[0]:
        drawn = np.rot90(drawn)
    slab.picture(LABEL, np.asarray(label.image))
    of_card = (CARD_LEFT, CARD_TOP, CARD_LEFT + independent.WIDTH, CARD_TOP + independent.HEIGHT)
    slab.picture(of_card, drawn)
    opaque = Sheet(SLAB_WIDTH, SLAB_HEIGHT, (30, 30, 30), 18)  # clear plastic hides a little
    opaque.box((1.2, 1.2, SLAB_WIDTH - 1.2, SLAB_HEIGHT - 1.2), None, (110, 110, 110), 0.5, 3)
    opaque.box((CARD_LEFT - 2, CARD_TOP - 2, of_card[2] + 2, of_card[3] + 2), None, (150, 150, 150), 0.6, 3)
    opaque.box((LABEL[0] - 1, LABEL[1] - 1, LABEL[2] + 1, LABEL[3] + 1), None, (130, 130, 130), 0.4, 1)
    opaque.box(LABEL, (255, 255, 255))
    opaque.box(of_card, (255, 255, 255), radius=3)
    return slab, opaque.pixels()[..., 0].astype(np.float32) / 255, height


def lay_slab(opaque: np.ndarray):
    """Returns a function that puts the picture of a slab on the table."""

    def lay(rng, scene, x, y, picture, density, sleeve):
        inside = np.clip(0.5 - independent.rounded_box(x, y, SLAB_WIDTH / 2, SLAB_HEIGHT / 2, 3) * density, 0, 1)
        fall = rng.uniform(-2, 2, 2)
        shade = independent.rounded_box(x - fall[0], y - fall[1], SLAB_WIDTH / 2, SLAB_HEIGHT / 2, 3)
        scene *= 1 - rng.uniform(0.3, 0.6) * np.clip(0.5 - shade / 6, 0, 1)[..., None]
        h, w = opaque.shape
        u, v = (x / SLAB_WIDTH + 0.5) * w - 0.5, (y / SLAB_HEIGHT + 0.5) * h - 0.5
        shrink_by = SLAB_HEIGHT * density / h
        soften = (lambda image: cv2.GaussianBlur(image, (0, 0), 0.4 / shrink_by)) if shrink_by < 0.8 else (lambda image: image)
        independent.over(scene, independent.sample(soften(picture), u, v, cv2.BORDER_REPLICATE), independent.sample(soften(opaque), u, v, cv2.BORDER_REPLICATE) * inside)
        turn, at, width = rng.uniform(0, np.pi), rng.uniform(-70, 70), rng.uniform(4, 20)  # a window that the plastic reflects
        streak = np.exp(-(((x * np.cos(turn) + y * np.sin(turn) - at) / width) ** 4))
        independent.over(scene, np.float32(0.9), streak * inside * rng.uniform(0.0, 0.12))
        return inside

    return lay


def take(rng, card: Card, name: str) -> tuple[np.ndarray, dict]:
    """Draws and photographs a slab. Returns the photo and what is known of it."""
    grader = GRADERS[name]
    text, grade = text_of(rng, card), random_grade(rng, grader)
    slab, opaque, height = draw_slab(rng, card, grader, text, grade)
    while True:
        camera = Camera(rng, SETTING, (SLAB_WIDTH, SLAB_HEIGHT))
        density = camera.density()
        if density * height >= LEGIBLE:
            break
    photo = independent.photograph(rng, camera, SETTING, slab.pixels(), lay_slab(opaque))
    image, share = shrink(rng, photo, LEGIBLE / (density * height))
    return image, dict(grade=grade.number or None, words=grade.words, has_number=bool(grade.number) and grade.has_number, shown_number=text.number, year=text.year, certificate=text.certificate,
                       corners=np.round(camera.project(camera.corners) * share, 1).tolist(), label_px=round(density * share * height, 1))


def shoot(seed: int, name: str, i: int) -> dict:
    """Writes a photo, and returns its label."""
    rng = np.random.default_rng((seed, list(GRADERS).index(name), i))
    pool = [card for own in list_cards(seed).values() for card in own]
    card, path = pool[int(rng.integers(len(pool)))], f"photos/{name.lower()}-{i:02d}.jpg"
    image, known = take(rng, card, name)
    cv2.imwrite(str(paths.SLABS / path), image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 91))])
    return dict(photo=path, grader=name, is_invented=GRADERS[name].is_invented, layout=card.game, card=card.id, name=card.name, title=card.title, number=card.number, code=card.code, set=card.set_name, **known)


def main() -> None:
    args = parse_arguments(SEED)
    photos = [(args.seed, name, i) for name in GRADERS for i in range(max(1, round(PER_GRADER * args.share)))]
    write_catalog(paths.SLABS / "mirror", list_cards(args.seed), set())
    shoot_all(paths.SLABS, shoot, photos, args.jobs)


if __name__ == "__main__":
    main()
