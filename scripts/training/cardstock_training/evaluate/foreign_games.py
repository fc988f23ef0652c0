"""Ten invented games whose layouts no network was trained on: how they look, their words, and how a card is drawn.

The pictures of this file follow these descriptions, which were written first, without knowledge of the reader:

=========  =================================================================================================================
tale       Art on the upper half. A dark bar across the middle has the name and, below it in smaller letters, a subtitle.
           Cost in a hexagon at the top left. The catalog joins name and subtitle. Footer at the left: "12/204 · EN · 3".
banner     Art on the whole card. A slanted banner near the bottom has the name; below it the type. Power at the top right.
           In the lower right corner a code and a rarity: "PD1-009 SR".
spine      The name runs upwards along the left side. Art at the right, rules below. At the bottom right "No. 10 · NLB · U".
corner     The name is at the top right, left of the cost in a disc. At the bottom left the mark of the set and "018/024".
bar        A title with digits stands below the art. At the bottom a black bar has white digits: "SHV · EN · 047/252 · R".
code       An old book: the name in the lower third, centered, in letters of unequal width, over rules in small print. Right
           below the art, at the right, the code with its language: "LOB-EN001".
location   Landscape. The name is written over the art at the bottom left, the kind above it. Points at the right. The number
           "GLD-101" is upright at the bottom right, beside the name of the artist.
poster     Art on the whole card, all text outlined. The name is large at the bottom, centered. "121/138" is at the top left.
dashboard  Figures everywhere: four corners, a row of gauges, a table. The name is in the middle at the left, among them. The
           number "S2-088/120" is at the bottom in the middle, between two further figures.
manual     A page of rules with many numbers ("6/6", "3 of 12"). Name at the left and number "#142" at the right of one line.
=========  =================================================================================================================
"""
from dataclasses import dataclass, replace
from typing import Callable

import numpy as np

from cardstock_training.render.flat import Sheet, art, dark, hue, light

WIDTH, HEIGHT = 63.0, 88.0
SETS, PER_SET = 8, 110  # of each game


@dataclass(frozen=True)
class Card:
    id: int
    game: str
    set: int
    set_name: str
    code: str
    name: str       # as the catalog lists it
    title: str      # as it is printed in large letters
    number: str
    year: int
    rarity: str
    subtitle: str = ""


@dataclass(frozen=True)
class Drawn:
    """A card and the height of its printed number and name, in millimeters."""

    sheet: Sheet
    number_height: float
    name_height: float


@dataclass(frozen=True)
class Game:
    id: int
    name: str
    codes: tuple[str, ...]
    title: Callable[[np.random.Generator], tuple[str, str]]  # title and subtitle
    number: Callable[[str, int, int], str]                   # of a set's code, a number and the total
    draw: Callable[[np.random.Generator, Card], Drawn]


VERBS = ("Draw", "Move", "Reveal", "Discard", "Return", "Exhaust", "Store", "Repair", "Trade", "Shuffle")
THINGS = ("crew", "relics", "coins", "cards", "markers", "allies", "tokens", "lanterns", "seals", "charges")
WHENS = ("At dawn", "When this enters", "Once each turn", "If you lead", "After a clash", "While idle", "Before you pass")


def rules(rng, sentences: int) -> str:
    pick = lambda words: str(rng.choice(words))
    return " ".join(f"{pick(WHENS)}, {pick(VERBS).lower()} {rng.integers(1, 13)} {pick(THINGS)}{pick(('', f' and take {rng.integers(1, 9)}', f' of {rng.integers(4, 20)}'))}." for _ in range(sentences))


def _join(*parts: tuple[str, ...]) -> Callable[[np.random.Generator], tuple[str, str]]:
    return lambda rng: ("".join(str(rng.choice(words)) for words in parts), "")


def _syllables(rng) -> tuple[str, str]:
    words = ("Pebb", "Fenn", "Tork", "Glim", "Snor", "Quill", "Bram", "Zeph", "Moss", "Drib", "Cael", "Umbr"), ("o", "a", "i", "el", "ur", "y"), ("lit", "leon", "ark", "mander", "dove", "puff", "tusk", "wing", "mite", "gor")
    return "".join(str(rng.choice(w)) for w in words), ""


def _tale_title(rng) -> tuple[str, str]:
    people = ("Orsolwyn", "Bettany", "Prince Calder", "Mistral", "Old Hob", "Ruan", "Sister Ivo", "Thessaly", "Wick", "The Gander")
    epithets = ("Keeper of Ash", "Lost at Sea", "Second in Line", "Baker's Apprentice", "Under Glass", "Moth Queen", "Reluctant Guard", "Far from Home", "Storm Caller", "Twice Fooled", "On the Mend", "Court Singer")
    return str(rng.choice(people)), str(rng.choice(epithets))


def _unit_title(rng) -> tuple[str, str]:
    return f"{rng.choice(('VX', 'KR', 'Tal', 'OM'))}-{rng.integers(2, 60)} {rng.choice(('Hollow', 'Brass', 'Silent', 'Twin', 'Amber', 'Iron'))} {rng.choice(('Heron', 'Anvil', 'Mantis', 'Lancer', 'Beacon', 'Plough'))}", ""


def _number_title(rng) -> tuple[str, str]:
    if rng.random() < 0.5:
        return f"{rng.choice(('Relay Station', 'Dock', 'Convoy', 'Sector', 'Hangar'))} {rng.integers(2, 90)}", ""
    return f"{rng.choice(('Scrapper', 'Envoy', 'Smuggler', 'Warden', 'Pilot'))}'s {rng.choice(('Skiff', 'Ledger', 'Bargain', 'Beacon', 'Last Stand', 'Toll'))}", ""


def draw_tale(rng, card: Card) -> Drawn:
    s = Sheet(WIDTH, HEIGHT, dark(rng))
    paper, ink = light(rng), dark(rng)
    s.box((3, 48, 60, 81), paper)
    s.picture((3, 3, 60, 48), art(rng, 420, 330))
    s.hexagon(8.5, 8.5, 5, dark(rng))
    s.text(8.5, 10.4, str(rng.integers(1, 10)), "Cardob101.ttf", 4, (255, 255, 255), "ms")
    s.box((2, 45.5, 61, 57), dark(rng))
    name = s.text(5, 50.8, card.title, "Cardob101.ttf", 2.9, (250, 245, 230), most=42)
    s.text(5, 55, card.subtitle, "Cardo104s.ttf", 1.8, (235, 230, 220), most=44)
    for i in range(2):
        s.text(51 + 6 * i, 53.5, str(rng.integers(1, 10)), "Cardob101.ttf", 3.4, (255, 230, 160), "ms")
    s.text(31.5, 60.5, str(rng.choice(("Dreamborn · Hero", "Storyborn · Villain", "Floodborn · Ally", "Song · Action"))), "Cardo104s.ttf", 1.4, ink, "ms")
    s.paragraph((6, 62.5, 57, 80), rules(rng, 5), "Cardo104s.ttf", 1.5, ink, 2)
    number = s.text(4, 84.6, f"{card.number} · EN · {rng.integers(1, 8)}", "BIZUDPGothic-Regular.ttf", 1.35, (240, 240, 240))
    s.text(59, 84.6, "Illus. R. Ferrow", "Cardo104s.ttf", 1.1, (230, 230, 230), "rs")
    return Drawn(s, number, name)


def draw_banner(rng, card: Card) -> Drawn:
    s = Sheet(WIDTH, HEIGHT, dark(rng))
    s.picture((2, 2, 61, 86), art(rng, 420, 600))
    color = hue(rng, (0.15, 0.4), 0.9)
    s.polygon([(2, 67), (61, 64.5), (61, 76), (2, 76)], color)
    s.box((2, 76, 61, 86), light(rng))
    s.disc(8, 8, 5, color, (255, 255, 255))
    s.text(8, 10, str(rng.integers(1, 11)), "RocknRollOne-Regular.ttf", 4, (255, 255, 255), "ms")
    s.text(59, 9.5, f"{rng.integers(2, 13)}000", "RocknRollOne-Regular.ttf", 4, (255, 255, 255), "rs", rim=(10, 10, 10))
    s.box((6, 49, 57, 63.5), (250, 250, 245))
    s.paragraph((7.5, 50, 55.5, 63), rules(rng, 5), "Mplus1-Medium.otf", 1.3, (20, 20, 20), 2)
    name = s.text(31.5, 73.6, card.title, "RocknRollOne-Regular.ttf", 3.6, (255, 255, 255), "ms", most=54)
    s.text(31.5, 80, str(rng.choice(("Tide Folk / Crew", "Ash Court", "Sky Guild / Pilot", "Wanderers"))), "Mplus1-Medium.otf", 1.5, (30, 30, 30), "ms")
    number = s.text(58.5, 84.2, f"{card.number} {card.rarity}", "Mplus1-Bold.otf", 1.5, (20, 20, 20), "rs")
    s.text(4, 84.2, f"Block {rng.integers(1, 5)}", "Mplus1-Medium.otf", 1.1, (40, 40, 40))
    return Drawn(s, number, name)


def draw_spine(rng, card: Card) -> Drawn:
    s = Sheet(WIDTH, HEIGHT, light(rng))
    ink = dark(rng)
    s.box((0, 0, 11, 88), ink)
    s.picture((12, 3, 60, 52), art(rng, 400, 400))
    s.disc(5.5, 82, 4, light(rng))
    s.text(5.5, 83.8, str(rng.integers(0, 9)), "Amiri-Bold.ttf", 3.6, ink, "ms")
    s.text(14, 57, str(rng.choice(("Oath · Rite", "Envoy · Court", "Holding · Farm", "Attachment · Blade"))), "Amiri-Bold.ttf", 1.7, ink)
    s.paragraph((14, 59, 59, 80), rules(rng, 6), "Amiri-Regular.ttf", 1.45, ink, 2.1)
    s.text(14, 85, "Ill. T. Okonjo", "Amiri-Regular.ttf", 1.1, ink)
    number = s.text(60, 85, f"No. {card.number} · {card.code} · {card.rarity}", "Harmattan-Bold.ttf", 1.5, ink, "rs")
    name = s.upward(7.3, 74, card.title, "KleeOne-SemiBold.ttf", 3.4, (250, 245, 235), most=68)
    return Drawn(s, number, name)


def draw_corner(rng, card: Card) -> Drawn:
    s = Sheet(WIDTH, HEIGHT, hue(rng, (0.5, 0.75), 0.8))
    s.box((2.5, 2.5, 60.5, 85.5), hue(rng, (0.8, 0.9), 0.4), radius=2)
    s.picture((5, 13, 58, 50), art(rng, 420, 300))
    s.disc(55.5, 7.6, 4, hue(rng, (0.2, 0.35), 0.8))
    s.text(55.5, 9.4, str(rng.integers(1, 10)), "Mplus2-Black.otf", 3.6, (255, 255, 255), "ms")
    name = s.text(50, 9.6, card.title, "Mplus2-Black.otf", 3.3, (25, 25, 25), "rs", most=34)
    s.text(5, 9.4, f"Tier {rng.integers(1, 4)}", "Mplus2-Medium.otf", 1.7, (40, 40, 40))
    for i in range(2):
        y = 56 + 12 * i
        for k in range(int(rng.integers(1, 4))):
            s.disc(8 + 5 * k, y, 2.1, hue(rng, (0.3, 0.7), 0.9))
        s.text(24, y + 1, str(rng.choice(("Tail Spin", "Mud Slap", "Bright Howl", "Nip", "Rockslide", "Lullaby"))), "Mplus2-Bold.otf", 2.2, (20, 20, 20))
        s.text(57, y + 1, f"{10 * rng.integers(1, 16)}", "Mplus2-Bold.otf", 2.4, (20, 20, 20), "rs")
        s.paragraph((8, y + 2.5, 56, y + 7.5), rules(rng, 1), "Mplus2-Medium.otf", 1.2, (30, 30, 30))
    s.box((5, 80.6, 7.6, 83.2), dark(rng), radius=0.4)
    number = s.text(8.6, 82.7, card.number, "Mplus2-Bold.otf", 1.5, (25, 25, 25))
    s.text(57, 82.7, "art by Lune Abara", "Mplus2-Medium.otf", 1.1, (40, 40, 40), "rs")
    return Drawn(s, number, name)


def draw_bar(rng, card: Card) -> Drawn:
    s = Sheet(WIDTH, HEIGHT, hue(rng, (0.15, 0.3), 0.5))
    s.picture((2.5, 2.5, 60.5, 46), art(rng, 420, 320))
    paper = light(rng)
    s.polygon([(2.5, 47), (52, 47), (60.5, 55), (60.5, 80), (2.5, 80)], paper)
    name = s.text(5, 52.2, card.title, "eurof75.ttf", 2.9, (15, 15, 20), most=44)
    s.text(5, 56.5, str(rng.choice(("Ground unit", "Space unit", "Event", "Upgrade · Item"))), "eurof55.ttf", 1.6, (30, 30, 30))
    s.paragraph((5, 59, 58, 79), rules(rng, 6), "eurof55.ttf", 1.5, (25, 25, 25), 2)
    for x, label in ((6, "PWR"), (50, "HP")):
        s.box((x, 38, x + 8, 46), dark(rng), (255, 255, 255), radius=1)
        s.text(x + 4, 44, str(rng.integers(1, 10)), "eurof75.ttf", 3.6, (255, 255, 255), "ms")
        s.text(x + 4, 40.2, label, "eurof75.ttf", 1.1, (255, 255, 255), "ms")
    s.box((0, 81.5, 63, 86), (5, 5, 5))
    number = s.text(31.5, 84.5, f"{card.code} · EN · {card.number} · {card.rarity}", "tiresias_infofont.ttf", 1.5, (255, 255, 255), "ms")
    return Drawn(s, number, name)


def draw_code(rng, card: Card) -> Drawn:
    s = Sheet(WIDTH, HEIGHT, hue(rng, (0.35, 0.6), 0.5))
    s.box((3, 3, 60, 85), light(rng), dark(rng), 0.6)
    s.picture((6, 6, 57, 50), art(rng, 420, 360))
    ink = dark(rng)
    number = s.text(57, 53.3, card.number, "cmunssdc.ttf", 1.5, ink, "rs")
    s.text(6, 53.3, f"{str(rng.choice(('Sunrise', 'Eclipse', 'Dusk')))} {rng.integers(1, 9)}", "cmunrm.ttf", 1.4, ink)
    name = s.text(31.5, 60, card.title, "cmunbx.ttf", 3, ink, "ms", most=50)
    s.box((8, 61.8, 55, 62.1), ink)
    s.paragraph((7, 63.5, 56, 79), rules(rng, 6), "cmunrm.ttf", 1.3, ink, 1.95)
    s.text(56, 82.6, f"VIM {100 * rng.integers(1, 30)}  ARM {100 * rng.integers(1, 30)}", "cmunsx.ttf", 1.5, ink, "rs")
    s.text(7, 82.6, "First printing", "cmunrm.ttf", 1.1, ink)
    return Drawn(s, number, name)


def draw_location(rng, card: Card) -> Drawn:
    s = Sheet(HEIGHT, WIDTH, dark(rng))
    s.picture((2.5, 2.5, 85.5, 60.5), art(rng, 600, 420))
    s.box((2.5, 2.5, 13, 60.5), dark(rng))
    for i in range(3):
        s.text(7.7, 14 + 17 * i, str(rng.integers(0, 21)), "Amiri-Bold.ttf", 4, (255, 255, 255), "ms")
    s.text(16, 44.5, str(rng.choice(("LOCATION", "HARBOR", "FORTRESS", "VILLAGE"))), "tiresias_infofont_bold.ttf", 1.5, (255, 255, 255), rim=(10, 10, 10))
    name = s.text(16, 51, card.title, "Amiri-Bold.ttf", 4, (255, 255, 255), most=56, rim=(10, 10, 10))
    s.box((54, 6, 83, 26), light(rng))
    s.paragraph((55.5, 7, 81.5, 25.5), rules(rng, 5), "Amiri-Regular.ttf", 1.3, (20, 20, 20), 2)
    s.box((13, 55, 85.5, 60.5), dark(rng))
    s.text(16, 58.7, "Illustration: Wen Harrow", "Amiri-Regular.ttf", 1.3, (235, 235, 235))
    number = s.text(83.5, 58.8, card.number, "tiresias_infofont_bold.ttf", 1.6, (245, 245, 245), "rs")
    return Drawn(s, number, name)


def draw_poster(rng, card: Card) -> Drawn:
    s = Sheet(WIDTH, HEIGHT)
    s.picture((0, 0, 63, 88), art(rng, 450, 630))
    white, ink = (255, 255, 255), dark(rng)
    number = s.text(4, 6.2, card.number, "SmileySans-Oblique.ttf", 1.9, white, rim=ink)
    s.text(59, 7, str(rng.choice(("LIVE", "TOUR", "ENCORE", "SOLO"))), "SmileySans-Oblique.ttf", 2.4, white, "rs", rim=ink)
    name = s.text(31.5, 76, card.title, "SmileySans-Oblique.ttf", 5.6, white, "ms", most=56, rim=ink, rim_width=0.5)
    s.text(31.5, 81, str(rng.choice(("Center · Unit Aurora", "Vocal · Unit Brass", "Dance · Unit Cinder"))), "SmileySans-Oblique.ttf", 1.9, white, "ms", rim=ink)
    s.text(31.5, 85, card.set_name, "SmileySans-Oblique.ttf", 1.5, white, "ms", rim=ink, rim_width=0.25)
    return Drawn(s, number, name)


def draw_dashboard(rng, card: Card) -> Drawn:
    s = Sheet(WIDTH, HEIGHT, dark(rng))
    face, bold, white = "FiraCode-Medium.ttf", "FiraCode-Bold.ttf", (240, 245, 250)
    s.picture((12, 3, 60, 40), art(rng, 400, 320))
    for i, label in enumerate(("ATK", "DEF", "SPD", "RNG")):
        s.text(6.5, 9 + 9 * i, str(rng.integers(1, 100)), bold, 2.6, white, "ms")
        s.text(6.5, 12 + 9 * i, label, face, 1.2, white, "ms")
    s.text(58, 8, f"{rng.integers(10, 99)}", bold, 3, white, "rs", rim=(0, 0, 0))
    s.text(58, 38, f"{rng.integers(1, 9)}/{rng.integers(1, 9)}", bold, 2.6, white, "rs", rim=(0, 0, 0))
    name = s.text(3.5, 46, card.title, bold, 2.5, (255, 220, 120), most=42)
    s.text(59.5, 46, f"COST {rng.integers(1, 15)}", face, 1.6, white, "rs")
    for i in range(5):
        s.box((4 + 11.3 * i, 49, 13.5 + 11.3 * i, 56), hue(rng, (0.25, 0.4)), white, radius=0.8)
        s.text(8.7 + 11.3 * i, 54, str(rng.integers(1, 400)), bold, 2, white, "ms")
    for i in range(6):
        s.text(4, 61 + 3 * i, f"{str(rng.choice(VERBS))} {str(rng.choice(THINGS))}", face, 1.3, white)
        s.text(59, 61 + 3 * i, f"{rng.integers(1, 20)} + {rng.integers(1, 9)}", face, 1.3, white, "rs")
    s.text(4, 84.5, f"LV {rng.integers(1, 99)}", bold, 1.6, white)
    s.text(59, 84.5, f"{rng.integers(100, 999)} kW", bold, 1.6, white, "rs")
    number = s.text(31.5, 84.5, card.number, face, 1.5, white, "ms")
    return Drawn(s, number, name)


def draw_manual(rng, card: Card) -> Drawn:
    s = Sheet(WIDTH, HEIGHT, light(rng))
    ink = dark(rng)
    s.box((2, 2, 61, 86), None, ink, 0.5)
    name = s.text(4.5, 8.3, card.title, "tiresias_signfont_bold.ttf", 2.5, ink, most=42)
    number = s.text(58.5, 8.3, f"#{card.number}", "tiresias_signfont_bold.ttf", 2, ink, "rs")
    s.box((4, 10, 59, 10.3), ink)
    s.picture((4.5, 12, 28, 34), art(rng, 300, 280))
    s.paragraph((30, 12.5, 58.5, 34), rules(rng, 5), "tiresias_infofont.ttf", 1.4, ink, 2)
    s.paragraph((4.5, 37, 58.5, 70), f"{rules(rng, 6)} A {rng.integers(2, 9)}/{rng.integers(2, 9)} counts as {rng.integers(1, 6)} of {rng.integers(8, 16)}. {rules(rng, 5)}", "tiresias_infofont.ttf", 1.5, ink, 2.05)
    s.text(4.5, 83.5, f"Chapter {rng.integers(1, 20)}, page {rng.integers(2, 300)}", "Manjari-Bold.otf", 1.3, ink)
    s.text(58.5, 83.5, f"{card.set_name}", "Manjari-Bold.otf", 1.3, ink, "rs")
    return Drawn(s, number, name)


SLASHED: Callable[[str, int, int], str] = lambda code, i, total: f"{i:03d}/{total:03d}"
_COURT = _join(("Oath of", "Song of", "Debt to", "Gift from", "Envoy of", "Trial by"), (" the ",), ("Reeds", "Lantern", "Ninth Gate", "Magistrate", "Willow", "Quiet River", "Salt Road", "Old Bridge", "Crane", "Empty Chair"))
_CREW = _join(("Tamaro", "Velluna", "Dr. Hisk", "Captain Orrel", "Pim", "Saika", "Baron Quade", "Juno", "Mother Gale", "Little Brask"), (" ",), ("the Third", "of the Tides", "& Crew", "Mk. II", "Redwater", "Ironhand", "Nightjar", "Halfmoon", "Lowell", "Bright-Eyes"))
_BEAST = _join(("Grave-Lantern", "Brass", "Hollow", "Seven-Tailed", "Weeping", "Moonlit", "Dread", "Sleepless", "Crystal", "Gilded"), (" ",), ("Wyrm", "Basilisk", "Knight", "Archivist", "Hydra", "Automaton", "Sphinx", "Gatekeeper", "Oracle", "Djinn"))
_PLACE = _join(("The Sunken", "Old", "Upper", "The Burning", "Port", "Castle", "The Last", "Forgotten", "Saint Elwin's", "North"), (" ",), ("Orchard", "Ember", "Causeway", "Mill", "Observatory", "Hollow", "Vineyard", "Quarry", "Chapel", "Lighthouse"))
_PERSON = _join(("Mira", "Jonas", "Adaeze", "Tomoe", "Luca", "Freya", "Idris", "Noor", "Pavel", "Celia"), (" ",), ("Castellan", "Okafor", "Lindqvist", "Moreau", "Tanager", "Vance", "Ishikawa", "Delacroix", "Birch", "Santoro"))
_CRAFT = _join(("Sap", "Mend", "Forge", "Break", "Copy", "Bury", "Weigh", "Unmake", "Balance", "Audit"), (" the ",), ("Ledger", "Hourglass", "Anvil", "Contract", "Compass", "Bell", "Loom", "Census", "Vault", "Almanac"))

GAMES: dict[str, Game] = {
    "tale": Game(9301, "Hearthtale", ("EMB", "TID", "GLS", "MTH", "ORC", "FRN", "WLD", "LNT"), _tale_title, lambda code, i, total: f"{i}/{total}", draw_tale),
    "banner": Game(9302, "Tidecrown", ("PD1", "PD2", "ST3", "ST4", "EB1", "EB2", "PX5", "PX6"), _CREW, lambda code, i, total: f"{code}-{i:03d}", draw_banner),
    "spine": Game(9303, "Five Courts", ("NLB", "ORD", "VSK", "TGR", "PLM", "CRN", "JAD", "SUN"), _COURT, lambda code, i, total: str(i), draw_spine),
    "corner": Game(9304, "Critterfolk", ("MDW", "CAV", "REF", "SNO", "DUN", "JUN", "SKY", "FEN"), _syllables, SLASHED, draw_corner),
    "bar": Game(9305, "Outer Lanes", ("SHV", "JMP", "DRF", "CMT", "RNG", "VOI", "PLS", "ION"), _number_title, SLASHED, draw_bar),
    "code": Game(9306, "Duskbound", ("LOB", "MRH", "PSV", "GRV", "DCR", "IOC", "AST", "FET"), _BEAST, lambda code, i, total: f"{code}-EN{i:03d}", draw_code),
    "location": Game(9307, "Realm Atlas", ("GLD", "SLV", "BRZ", "CPR", "TIN", "ZNC", "LED", "MRC"), _PLACE, lambda code, i, total: f"{code}-{i}", draw_location),
    "poster": Game(9308, "Encore Stars", ("TR1", "TR2", "TR3", "TR4", "SP1", "SP2", "AN1", "AN2"), _PERSON, SLASHED, draw_poster),
    "dashboard": Game(9309, "Frame Assault", ("S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8"), _unit_title, lambda code, i, total: f"{code}-{i:03d}/{total}", draw_dashboard),
    "manual": Game(9310, "Ledger of Crafts", ("CRF", "GLD", "ALM", "CNS", "LOM", "BEL", "VLT", "HRG"), _CRAFT, lambda code, i, total: str(i), draw_manual),
}
_SET_NAMES = ("Rising Dawn", "Broken Seal", "Long Winter", "Second Wind", "Deep Roots", "High Tide", "Paper Crowns", "Open Gates")


def list_cards(seed: int) -> dict[str, list[Card]]:
    """Returns all cards of each game. A name may recur with another number, and a number with another name."""
    cards: dict[str, list[Card]] = {}
    for g, (key, game) in enumerate(GAMES.items()):
        rng = np.random.default_rng((seed, g))
        own = cards[key] = []
        for s, code in enumerate(game.codes):
            total = int(rng.integers(PER_SET - 40, PER_SET))
            names: set[str] = set()
            for i in range(1, total + 1):
                title, subtitle = game.title(rng)
                name = f"{title} - {subtitle}" if subtitle else title
                if name in names:  # a set has a name once
                    continue
                names.add(name)
                card = Card(0, key, game.id * 100 + s, _SET_NAMES[s], code, name, title, game.number(code, i, total), 2016 + s, str(rng.choice(("C", "U", "R", "SR"))), subtitle)
                own.append(replace(card, id=(g + 1) * 100_000 + s * 1_000 + i))
    return cards
