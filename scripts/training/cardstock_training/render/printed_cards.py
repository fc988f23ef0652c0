"""Cards and grading labels with the text and the box of every line.

Sizes are in millimeters (a card is 63 x 88, a label about 72 x 20) and are drawn at any density in pixels
per millimeter. `Layout` is the design that the cards of one set share, `CardText` the text of one card.
"""
from dataclasses import dataclass, field

import cv2
import numpy as np

from cardstock_training.render import cards, fonts, grammars, text_lines

CARD = (63.0, 88.0)
# Arrangements of the foot.
FEET = 9


@dataclass
class Line:
    text: str
    kind: str           # one of grammars.KINDS
    quad: np.ndarray    # box of the line (see text_lines.py), in pixels, in reading order
    script: str = "latin"


@dataclass
class PrintedCard:
    image: np.ndarray   # h x w x 3
    lines: list[Line] = field(default_factory=list)
    density: float = 10.0


@dataclass(frozen=True)
class CardText:
    """The text of one card."""

    name: str
    number: str
    code: str
    type: str
    rules: tuple[str, ...]
    points: str
    artist: str
    stamp: str = ""
    script: str = "latin"


@dataclass(frozen=True)
class Layout:
    """The layout that the cards of one set share."""

    held_out: bool
    title: fonts.Face
    body: fonts.Face
    small: fonts.Face
    name_y: float
    name_height: float
    name_right: bool
    bar: bool
    art: tuple[float, float, float, float]
    panel: tuple[float, float, float, float]
    body_height: float
    type_y: float
    foot: int
    foot_height: float
    foot_right: bool
    foot_open: bool     # the foot is printed on the picture, without a panel
    tracking: float     # of the foot, in shares of the font size
    sideways: bool      # some text runs up the card
    border: float
    colors: tuple[tuple[int, int, int], ...]   # border, frame, panel, ink, ink on the border
    seed: int


def random_text(rng, held_out: bool, script: str = "latin", code: str | None = None) -> CardText:
    """Returns random text for a card. Other scripts apply to everything but the number and the code."""
    make = (lambda of: of(rng, held_out)) if script == "latin" else (lambda of: grammars.foreign(rng, script))
    code = code or grammars.code(rng, held_out)
    stamp = grammars.pick(rng, grammars.STAMPS) if rng.random() < 0.12 else ""
    return CardText(make(grammars.name), grammars.number(rng, held_out), code, make(grammars.type_line), tuple(make(grammars.rules_line) for _ in range(rng.integers(2, 11))),
                 grammars.pick(rng, (f"HP {10 * rng.integers(3, 35)}", f"{10 * rng.integers(3, 35)}", f"{rng.integers(0, 13)}/{rng.integers(0, 13)}", f"{rng.integers(1, 13)}000", "")),
                 f"{grammars.pick(rng, grammars.ARTISTS)} {grammars.pick(rng, grammars.FIRST_NAMES)} {cards.word(rng).title()}", stamp, script)


def random_layout(rng, held_out: bool, script: str = "latin") -> Layout:
    """Returns a random layout. In training names are mostly at the top; in the evaluation as often under the picture."""
    border, frame = [(16, 16, 16), (245, 215, 40), (245, 245, 245), (170, 170, 175), cards.color(rng)][rng.integers(5)], cards.color(rng, (0.1, 0.9), (0.2, 0.95))
    panel = cards.color(rng, (0, 0.35), (0.7, 1)) if rng.random() < 0.75 else cards.color(rng, (0, 0.6), (0.08, 0.35))
    dark = lambda c: (15, 15, 20) if sum(c) > 360 else (245, 245, 240)
    top = rng.random() < (0.45 if held_out else 0.85)
    full = rng.random() < (0.4 if held_out else 0.25)
    art_end = rng.uniform(36, 56) if held_out else rng.uniform(40, 52)
    name_y = rng.uniform(2.8, 6.0) if top else art_end + rng.uniform(0.5, 3)
    panel_y = art_end + rng.uniform(4.5, 7) + (0 if top else 5)
    side = (0.0, 0.0, 63.0, 88.0) if full else (rng.uniform(0, 6), rng.uniform(8, 11) if top else rng.uniform(1, 4), 63 - rng.uniform(0, 6), art_end)
    face = lambda sample: fonts.pick(rng, held_out, sample, script)
    # The font must have every letter that names, numbers and rules need.
    letters = "AZaz09/-'é" if script == "latin" else grammars.foreign(rng, script)
    return Layout(held_out, face(letters), face(letters), fonts.pick(rng, held_out, "AZaz09/-"), name_y, rng.uniform(2.6, 4.4), rng.random() < 0.2, rng.random() < 0.6,
                side, (rng.uniform(2.5, 5), panel_y, 63 - rng.uniform(2.5, 5), rng.uniform(76, 82)), rng.uniform(1.7, 2.6), panel_y - rng.uniform(3.6, 4.2),
                int(rng.integers(FEET)), rng.uniform(1.2, 2.3), rng.random() < 0.5, rng.random() < 0.4, rng.uniform(0.02, 0.16) if rng.random() < 0.3 else 0.0, rng.random() < 0.15, rng.uniform(0, 3.6),
                (border, frame, panel, dark(panel), dark(border)), int(rng.integers(1 << 30)))


def face(rng, style: Layout, words: CardText, picture: np.ndarray, density: float) -> PrintedCard:
    """Draws a card at `density` pixels per millimeter."""
    w, h = round(CARD[0] * density), round(CARD[1] * density)
    own = np.random.default_rng(style.seed)
    border, frame, panel, ink, foot_ink = style.colors
    image = np.clip(np.array(frame, np.float32) * (0.75 + 0.5 * cards.smooth_noise(own, h, w, 6, 1)), 0, 255).astype(np.uint8)
    sheet = PrintedCard(np.ascontiguousarray(image), [], density)
    x0, y0, x1, y1 = (round(v * density) for v in style.art)
    image = sheet.image
    image[y0:y1, x0:x1] = cv2.resize(np.ascontiguousarray(picture), (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
    _panel(sheet, style.panel, panel, own.uniform(0.55, 1) if style.art[3] == 88 else 1.0)
    b = round(style.border * density)
    if b > 0:
        image[:b], image[-b:], image[:, :b], image[:, -b:] = border, border, border, border
    if (style.border < 2.0 or style.foot == 2) and not style.foot_open:
        _panel(sheet, (2, 81.5, 61, 87), border, 0.8)
    _head(sheet, style, words, ink, panel)
    _body(rng, sheet, style, words, ink)
    _foot(rng, sheet, style, words, foot_ink)
    if style.sideways:
        _sideways(rng, sheet, style, words)
    if words.stamp:
        put(sheet, words.stamp, style.title, (style.art[0] + style.art[2]) / 2 + own.uniform(-3, 8), style.panel[1] - own.uniform(8, 10), own.uniform(1.6, 2.8), (235, 220, 150) if own.random() < 0.5 else (20, 20, 20), room=20)
    return sheet


def _panel(sheet: PrintedCard, box, fill, opacity: float) -> None:
    x0, y0, x1, y1 = (max(0, round(v * sheet.density)) for v in box)
    area = sheet.image[y0:y1, x0:x1]
    area[:] = (area + (np.array(fill, np.float32) - area) * opacity).astype(np.uint8)


def _head(sheet: PrintedCard, style: Layout, words: CardText, ink, panel) -> None:
    if style.bar:
        _panel(sheet, (3, style.name_y - 0.8, 60, style.name_y + style.name_height + 0.8), panel, 0.92)
        outline = 0
    else:
        outline = 2
    at = 59.0 if style.name_right else 4.5
    width = put(sheet, words.name, style.title, at, style.name_y, style.name_height, ink, room=40, right=style.name_right, kind="name", outline=outline, script=words.script)
    if words.points and "/" not in words.points and width < 38:
        put(sheet, words.points, style.title, 4.5 if style.name_right else 59.0, style.name_y + 0.1, style.name_height * 0.9, ink, room=14, right=not style.name_right, outline=outline)


def _body(rng, sheet: PrintedCard, style: Layout, words: CardText, ink) -> None:
    x0, y0, x1, y1 = style.panel
    put(sheet, words.type, style.title, x0 + 1, style.type_y, min(style.name_height, 2.9), ink if style.art[3] < 88 else (250, 250, 250), room=x1 - x0 - 12, outline=2 if style.art[3] == 88 else 0, script=words.script)
    y, pitch = y0 + 1.2, style.body_height * rng.uniform(1.05, 1.35)
    for rule in words.rules:
        if y + style.body_height > y1 - 0.6:
            break
        if rng.random() < 0.15 and y + 4 < y1:  # an attack or a skill: larger, with its power at the right
            put(sheet, rule.split()[0].title() if words.script == "latin" else rule[:4], style.title, x0 + 6, y, style.body_height * 1.3, ink, room=24, script=words.script)
            put(sheet, str(10 * rng.integers(1, 33)), style.title, x1 - 1.5, y, style.body_height * 1.3, ink, right=True)
            y += style.body_height * 1.3 + 0.6
            continue
        put(sheet, rule, style.body, x0 + 1.2, y, style.body_height, ink, room=x1 - x0 - 2.4, script=words.script)
        y += pitch
    if "/" in words.points:
        _panel(sheet, (51, y1 - 2.5, 60, y1 + 2.5), style.colors[2], 1.0)
        put(sheet, words.points, style.title, 55.5, y1 - 1.6, 3.2, ink, room=8, middle=True)


def _foot(rng, sheet: PrintedCard, style: Layout, words: CardText, ink) -> None:
    """Prints the foot with the number, in one of the arrangements of real games."""
    f, h, right = style.small, style.foot_height, style.foot_right
    outline = int(style.foot_open and style.border < 2.0)
    print_line = lambda text, x, y, height=h, kind="other", right=False: put(sheet, text, f, x, y, height, ink, room=34, right=right, kind=kind, outline=outline, tracking=style.tracking if kind == "number" else 0.0)
    low = min(86.6 - h, 85.0)
    edge = 59.5 if right else 3.5
    notice = f"© {rng.integers(1993, 2027)} {cards.word(rng).title()}"
    if style.foot == 0:
        print_line(words.number, edge, low, kind="number", right=right)
        print_line(words.artist, 3.5 if right else 59.5, low + 0.1, h * 0.8, right=not right)
    elif style.foot == 1:
        h = min(h, 1.8)
        print_line(words.number, 3.5, low - h - 0.5, h, "number")
        print_line(f"{words.code} • EN", 3.5, low, h, "number")
        print_line(words.artist, 16, low, h)
        print_line(notice, 59.5, low, 1.2, right=True)
    elif style.foot == 2:
        print_line(f"{words.code} EN {words.number}", edge, low, kind="number", right=right)
    elif style.foot == 3:
        print_line(words.number, 59.5, low, kind="number", right=True)
        print_line(words.artist, 3.5, low, h * 0.85)
        put(sheet, f"TM & {notice}", f, 31.5, low + h * 0.3, 1.1, ink, room=20, middle=True)
    elif style.foot == 4:
        print_line(f"{words.number} • EN • {rng.integers(1, 12)}", 3.5, low, kind="number")
        print_line(words.artist, 59.5, low, h * 0.8, right=True)
    elif style.foot == 5:  # the number is under the picture; the foot has an unrelated number
        put(sheet, words.number, f, style.art[2] - 1, style.panel[1] - 0.4 - h, h, style.colors[3] if style.art[3] < 88 else (250, 250, 250), room=24, right=True, kind="number", outline=1)
        print_line(f"{rng.integers(10 ** 7, 10 ** 8)}", 3.5, low)
    elif style.foot == 6:  # an old frame: the number ends the line of the copyright
        h = min(h, 1.8)
        print_line(words.artist, edge, low - 1.3 * h, h * 1.1, right=right)
        put(sheet, f"™ & {notice} {cards.word(rng).title()}, Inc. {words.number}", f, 31.5 if right else 4.0, low, h, ink, room=50, middle=right, kind="number", outline=outline)
    elif style.foot == 7:  # the rarity and the number, the code and the artist below
        h = min(h, 1.6)
        print_line(f"{'CURMLST'[rng.integers(7)]} {words.number}", 3.5, low - 1.15 * h, h, "number")
        width = print_line(f"{words.code} • EN", 3.5, low, h, "number")
        print_line(words.artist, 3.5 + width + h * rng.uniform(1.2, 2.5), low, h)
        print_line(f"™ & {notice}", 59.5, low - (1.15 * h if right else 0), h * 0.9, right=True)
    else:  # a mark of the rarity beside the number, which the copyright almost touches
        mark = h * rng.uniform(0.3, 0.9)
        width = print_line(words.number, 59.5 - (h if right else 0), low, kind="number", right=True)
        x = 59.5 - 0.5 * h if right else 59.5 - width - 0.7 * h
        cv2.circle(sheet.image, (round(x * sheet.density), round((low + h / 2) * sheet.density)), max(2, round(mark * sheet.density / 2)), tuple(int(c) for c in ink), -1, cv2.LINE_AA)
        print_line(f"{notice} {cards.word(rng).title()}", 59.5 - width - h * rng.uniform(2.2, 4.0), low + h * 0.1, h * 0.8, right=True)


def _sideways(rng, sheet: PrintedCard, style: Layout, words: CardText) -> None:
    """Prints text that runs up the card and is not to be found: the service reads upright lines."""
    own = np.random.default_rng(style.seed + 1)
    x, y, height = own.uniform(2, 58), own.uniform(8, 30), own.uniform(1.2, 3.5)
    for text in (words.name, *words.rules[:int(own.integers(0, 4))]):
        size = height * sheet.density
        drawn = text_lines.render_ink(text, style.body, fonts.LINE_SIZE, script=words.script)
        scale = size / (drawn.shape[0] - 8)
        drawn = cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        drawn = np.ascontiguousarray(np.rot90(drawn, 1 if own.random() < 0.8 else 3))[:round(50 * sheet.density)]
        _ink(sheet.image, drawn, round(x * sheet.density), round(y * sheet.density), style.colors[3], 1)
        x += 1.3 * height


def put(sheet: PrintedCard, text: str, face: fonts.Face, x: float, y: float, height: float, ink, room: float | None = None, right: bool = False, middle: bool = False,
        kind: str = "other", outline: int = 0, script: str = "latin", tracking: float = 0.0) -> float:
    """Sets a line with a box of this height and its top at y; x is its left, right or middle. Returns its width."""
    if script == "latin" and not all(fonts.covers(face, c) for c in text if c not in "★•™®©—"):
        text = "".join(c for c in text if fonts.covers(face, c) or c in "★•™®©—")
    if not text.strip():
        return 0.0
    own = "latin" if text.isascii() else script
    size = fonts.LINE_SIZE if height * sheet.density <= 1.3 * fonts.LINE_SIZE else 2 * fonts.LINE_SIZE
    drawn = text_lines.render_ink(text, face, size, tracking, script=own)
    scale = height * sheet.density / (drawn.shape[0] - 8)
    width = (drawn.shape[1] - 8) * scale
    squeeze = 1.0 if room is None else min(1.0, room * sheet.density / width)
    width *= squeeze
    drawn = cv2.resize(drawn, (max(2, round(drawn.shape[1] * scale * squeeze)), max(2, round(drawn.shape[0] * scale))), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    left = x * sheet.density - (width if right else width / 2 if middle else 0)
    top = y * sheet.density
    _ink(sheet.image, drawn, round(left - 4 * scale * squeeze), round(top - 4 * scale), ink, outline)
    bottom = top + height * sheet.density
    sheet.lines.append(Line(text, kind, np.array([[left, top], [left + width, top], [left + width, bottom], [left, bottom]], np.float32), own))
    return width / sheet.density


def _ink(image: np.ndarray, mask: np.ndarray, x: int, y: int, ink, outline: int) -> None:
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + mask.shape[1], image.shape[1]), min(y + mask.shape[0], image.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    area, mask = image[y0:y1, x0:x1], mask[y0 - y:y1 - y, x0 - x:x1 - x, None]
    # Chooses an ink that is visible on the background.
    middle = float(area.mean())
    if outline == 0 and abs(sum(ink) / 3 - middle) < 55:
        ink = (15, 15, 20) if middle > 120 else (245, 245, 240)
    if outline > 0:
        around = cv2.dilate(mask[..., 0], np.ones((2 * outline + 1, 2 * outline + 1), np.uint8))[..., None]
        area[:] = (area + ((0.0 if sum(ink) > 360 else 255.0) - area) * around).astype(np.uint8)
    area[:] = (area + (np.array(ink, np.float32) - area) * mask).astype(np.uint8)


def random_card(rng, bank, held_out: bool, density: float) -> PrintedCard:
    """Draws a random card in one of five scripts."""
    script = grammars.SCRIPTS[1 + rng.integers(4)] if rng.random() < 0.15 else "latin"
    return face(rng, random_layout(rng, held_out, script), random_text(rng, held_out, script), random_picture(rng, bank), density)


def random_picture(rng, bank) -> np.ndarray:
    """Returns a picture for the art box. Of a scan only the usual art area: its letters have no ground truth."""
    if bank.scans is not None and rng.random() < 0.2:
        scan = bank.scans[rng.integers(len(bank.scans))]
        return scan[50:150, 20:220]
    return cards.art(rng, bank.family, 224, 200, bank.textures if bank.family != cards.evaluation_family() else None)


def random_label(rng, held_out: bool, density: float, card: tuple[str, str, str] | None = None) -> PrintedCard:
    """Draws a grading label: lines at the left and the grade at the right, or the grade among the lines.

    `card` is the name, the number and the code of the card in the slab; by default it is another one.
    """
    w, h = rng.uniform(66, 76), rng.uniform(16, 24)
    ground = [(250, 250, 250), (235, 235, 240), (20, 20, 24), (205, 190, 130), cards.color(rng)][rng.integers(5)]
    ink = (20, 20, 20) if sum(ground) > 380 else (245, 245, 245)
    sheet = PrintedCard(np.full((round(h * density), round(w * density), 3), ground, np.uint8), [], density)
    if rng.random() < 0.5:
        cv2.rectangle(sheet.image, (2, 2), (sheet.image.shape[1] - 3, sheet.image.shape[0] - 3), cards.color(rng, (0.4, 1)), max(2, round(density * rng.uniform(0.4, 1.4))))
    style = fonts.pick(rng, held_out, "AZaz09/-+#é")
    said = grammars.label(rng, held_out, card)
    grade = next((s for s in said if s.replace(".", "").isdigit() and len(s) <= 4), None)
    rest = [s for s in said if s is not grade]
    big = rng.random() < 0.6 and grade is not None
    if big:
        put(sheet, grade, style, w - 7, h * rng.uniform(0.15, 0.4), h * rng.uniform(0.3, 0.5), ink, room=11, middle=True)
    columns = 1 if len(rest) <= 4 or rng.random() < 0.3 else 2
    rows = -(-len(rest) // columns)
    pitch = (h - 2.4) / max(rows, 1)
    height = min(pitch * 0.85, rng.uniform(2.2, 4.0))
    for i, line in enumerate(rest if big or grade is None else rest + [grade]):
        column, row = divmod(i, rows)
        if column >= columns + 1:
            break
        width = (w - 4 - (13 if big else 0)) / columns
        put(sheet, line, style, 2 + column * width, 1.4 + row * pitch, height, ink, room=width - 1, kind="number" if "#" in line else "other")
    return sheet
