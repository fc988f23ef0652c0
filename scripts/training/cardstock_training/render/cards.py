"""Procedural cards: faces, backs, grading labels and sealed products.

Nothing is copied from a real card. `Family` holds the differences between training and evaluation (fonts,
layouts, colors, kinds of art), so that the networks are evaluated on cards of another design.
"""
import colorsys
import functools
import glob
import os
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from cardstock_training import paths

# A card is 63 x 88 mm; a bank picture has 3.8 px/mm.
WIDTH, HEIGHT = 240, 336

SYLLABLES = ("an ar bel bor cal cor dan dor el en fal fen gar gol hal hel il is jor kal kor lan lor "
             "mar mir nal nor ol or pan pel qua ral rin sal sil tar tor ul um val ver wil wyn xan yor zan").split()


@dataclass(frozen=True)
class Family:
    """Design choices that the cards of one family share."""

    fonts: tuple[str, ...]
    layouts: tuple[str, ...]
    arts: tuple[str, ...]
    border: tuple[float, float]


def _fonts(*names: str) -> tuple[str, ...]:
    files = sorted(glob.glob(f"{paths.FONTS}/**/*.[to]tf", recursive=True))
    found = tuple(f for f in files if any(os.path.basename(f).startswith(n) for n in names))
    if not found:
        raise SystemExit("Fonts are missing. scripts/training/README.md lists the Debian packages.")
    return found


# Functions, so that the module can be imported without the fonts.
@functools.lru_cache
def train_family() -> Family:
    return Family(
        fonts=_fonts("Lato", "Roboto-", "EBGaramond", "LiberationSerif", "GilliusADF-", "Cabin", "DejaVuSans-", "DejaVuSerif"),
        layouts=("classic", "full", "low", "wide", "side", "creature", "plate"),
        arts=("gradient", "shapes", "noise", "rays", "blobs", "texture", "figure"),
        border=(0.0, 0.055),
    )


@functools.lru_cache
def evaluation_family() -> Family:
    return Family(
        fonts=_fonts("OpenSans", "Carlito", "RomandeADF", "Junicode", "Cantarell", "LinLibertine", "BebasNeue"),
        layouts=("arch", "split", "full", "frameless"),
        arts=("waves", "tiles", "scene", "figure", "blobs"),
        border=(0.015, 0.07),
    )


@functools.lru_cache(maxsize=None)
def font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


def color(rng, saturation=(0.0, 1.0), value=(0.1, 1.0)) -> tuple[int, int, int]:
    r, g, b = colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value))
    return int(r * 255), int(g * 255), int(b * 255)


def word(rng) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.integers(1, 4)))


def words(rng, n: int) -> str:
    return " ".join(word(rng) for _ in range(n))


def smooth_noise(rng, h: int, w: int, cells: int, channels: int = 3) -> np.ndarray:
    """Returns values from 0 to 1 that vary over about 1/cells of the picture."""
    small = rng.random((cells + 1, cells + 1, channels), dtype=np.float32)
    return np.clip(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC).reshape(h, w, channels), 0, 1)


def art(rng, family: Family, h: int, w: int, textures=None) -> np.ndarray:
    """Draws a picture for the art box, h x w x 3 uint8."""
    kind = rng.choice(family.arts)
    if kind == "texture" and textures is None:
        kind = "noise"
    a, b = np.array(color(rng), np.float32), np.array(color(rng), np.float32)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    angle = rng.uniform(0, np.pi)
    t = np.clip((x * np.cos(angle) + y * np.sin(angle)) / max(h, w), 0, 1)[..., None]
    img = a * (1 - t) + b * t
    if kind in ("noise", "blobs", "scene"):
        n = smooth_noise(rng, h, w, int(rng.integers(2, 9)))
        img = img * 0.4 + 255 * 0.6 * n if kind == "noise" else np.where(n[..., :1] > 0.5, img, 255 - img)
    if kind == "rays":
        cx, cy = rng.uniform(0, w), rng.uniform(0, h)
        wedge = np.sin(np.arctan2(y - cy, x - cx) * rng.integers(4, 16))[..., None]
        img = img + 60 * np.sign(wedge)
    if kind == "waves":
        f, p = rng.uniform(0.03, 0.2), smooth_noise(rng, h, w, 4, 1) * rng.uniform(2, 12)
        img = img + 70 * np.sin(y[..., None] * f + p)
    if kind == "tiles":
        n = int(rng.integers(3, 9))
        grid = rng.integers(0, 256, (n, n, 3)).astype(np.float32)
        img = 0.3 * img + 0.7 * cv2.resize(grid, (w, h), interpolation=cv2.INTER_NEAREST)
    if kind == "texture":
        tex = textures[rng.integers(len(textures))]
        s = int(rng.integers(96, tex.shape[0] + 1))
        oy, ox = rng.integers(0, tex.shape[0] - s + 1), rng.integers(0, tex.shape[1] - s + 1)
        img = cv2.resize(tex[oy:oy + s, ox:ox + s], (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
        img = np.clip(img * rng.uniform(0.6, 1.3, 3) + rng.uniform(-30, 30, 3), 0, 255)
    img = np.ascontiguousarray(np.clip(img, 0, 255).astype(np.uint8))
    for _ in range(int(rng.integers(2, 16))):
        draw_shape(rng, img, color(rng))
    if kind in ("figure", "scene"):
        _figure(rng, img)
    img = cv2.GaussianBlur(img, (0, 0), rng.uniform(0.3, 2.0)) if rng.random() < 0.5 else img
    grain = rng.normal(0, rng.uniform(0, 14), (h, w, 1))
    return np.clip(img + grain, 0, 255).astype(np.uint8)


def draw_shape(rng, img: np.ndarray, c) -> None:
    h, w = img.shape[:2]
    p = lambda: (int(rng.uniform(-0.1, 1.1) * w), int(rng.uniform(-0.1, 1.1) * h))
    pick = rng.integers(5)
    if pick == 0:
        cv2.circle(img, p(), int(rng.uniform(0.03, 0.3) * w), c, -1 if rng.random() < 0.7 else 2, cv2.LINE_AA)
    elif pick == 1:
        cv2.ellipse(img, p(), (int(rng.uniform(0.03, 0.4) * w), int(rng.uniform(0.03, 0.3) * h)), rng.uniform(0, 180), 0, 360, c, -1, cv2.LINE_AA)
    elif pick == 2:
        cv2.fillPoly(img, [np.array([p() for _ in range(int(rng.integers(3, 6)))])], c, cv2.LINE_AA)
    elif pick == 3:
        cv2.line(img, p(), p(), c, int(rng.integers(1, 8)), cv2.LINE_AA)
    else:
        cv2.polylines(img, [np.array([p() for _ in range(6)])], False, c, int(rng.integers(1, 6)), cv2.LINE_AA)


def _figure(rng, img: np.ndarray) -> None:
    """Draws a body with a head in the middle, as in most card art."""
    h, w = img.shape[:2]
    cx, cy, s = w * rng.uniform(0.35, 0.65), h * rng.uniform(0.45, 0.65), min(h, w) * rng.uniform(0.15, 0.3)
    body, head = color(rng, (0.2, 1)), color(rng, (0.2, 1))
    cv2.ellipse(img, (int(cx), int(cy + s * 0.6)), (int(s * rng.uniform(0.6, 1.1)), int(s * rng.uniform(0.8, 1.3))), rng.uniform(-30, 30), 0, 360, body, -1, cv2.LINE_AA)
    for side in (-1, 1):
        end = (int(cx + side * s * rng.uniform(0.8, 2)), int(cy + s * rng.uniform(-1, 1.5)))
        cv2.line(img, (int(cx), int(cy + s * 0.4)), end, body, int(max(2, s * 0.25)), cv2.LINE_AA)
    hx, hy = int(cx + s * rng.uniform(-0.4, 0.4)), int(cy - s * 0.5)
    cv2.circle(img, (hx, hy), int(s * 0.55), head, -1, cv2.LINE_AA)
    for side in (-1, 1):
        cv2.circle(img, (int(hx + side * s * 0.2), hy), max(1, int(s * 0.1)), (20, 20, 20) if sum(head) > 300 else (240, 240, 240), -1, cv2.LINE_AA)


@dataclass
class Design:
    """The design that the cards of one set share."""

    layout: str
    border: float
    border_color: tuple[int, int, int]
    frame: tuple[int, int, int]
    panel: tuple[int, int, int]
    ink: tuple[int, int, int]
    title_font: str
    text_font: str
    seed: int


def design(rng, family: Family) -> Design:
    border_color = [(16, 16, 16), (245, 215, 40), (245, 245, 245), (170, 170, 175), color(rng)][rng.integers(5)]
    panel = color(rng, (0, 0.35), (0.7, 1)) if rng.random() < 0.75 else color(rng, (0, 0.6), (0.08, 0.35))
    ink = (15, 15, 20) if sum(panel) > 330 else (240, 240, 235)
    return Design(str(rng.choice(family.layouts)), rng.uniform(*family.border), border_color, color(rng, (0.1, 0.9), (0.25, 0.95)),
                  panel, ink, str(rng.choice(family.fonts)), str(rng.choice(family.fonts)), int(rng.integers(1 << 30)))


# Boxes as shares of the card: x0, y0, x1, y1.
ART = {"classic": (0.07, 0.11, 0.93, 0.55), "full": (0, 0, 1, 1), "low": (0.05, 0.30, 0.95, 0.70), "wide": (0.0, 0.09, 1.0, 0.50),
        "side": (0.05, 0.10, 0.62, 0.88), "creature": (0.09, 0.12, 0.91, 0.48), "plate": (0.12, 0.16, 0.88, 0.58), "arch": (0.1, 0.06, 0.9, 0.58),
        "split": (0.0, 0.0, 1.0, 0.62), "frameless": (0.03, 0.03, 0.97, 0.66)}
_TEXT = {"classic": (0.07, 0.62, 0.93, 0.92), "full": (0.07, 0.66, 0.93, 0.93), "low": (0.05, 0.72, 0.95, 0.93), "wide": (0.04, 0.56, 0.96, 0.92),
         "side": (0.64, 0.12, 0.96, 0.88), "creature": (0.06, 0.52, 0.94, 0.86), "plate": (0.1, 0.66, 0.9, 0.93), "arch": (0.07, 0.68, 0.93, 0.92),
         "split": (0.05, 0.70, 0.95, 0.93), "frameless": (0.03, 0.70, 0.97, 0.95)}
_NAME_Y = {"low": 0.05, "arch": 0.60, "split": 0.64, "plate": 0.06, "frameless": 0.66}


def face(rng, look: Design, picture: np.ndarray, title: str) -> np.ndarray:
    """Draws a card, HEIGHT x WIDTH x 3 uint8, with the design of its set and its own picture and title."""
    w, h = WIDTH, HEIGHT
    set_rng = np.random.default_rng(look.seed)
    img = np.empty((h, w, 3), np.uint8)
    grain = smooth_noise(set_rng, h, w, 6, 1)
    img[:] = np.clip(np.array(look.frame) * (0.75 + 0.5 * grain), 0, 255)
    x0, y0, x1, y1 = ART[look.layout]
    ax0, ay0, ax1, ay1 = int(x0 * w), int(y0 * h), int(x1 * w), int(y1 * h)
    img[ay0:ay1, ax0:ax1] = cv2.resize(picture, (ax1 - ax0, ay1 - ay0), interpolation=cv2.INTER_AREA)
    pil = Image.fromarray(img)
    draw = ImageDraw.Draw(pil, "RGBA")
    if look.layout not in ("full", "split", "frameless"):
        draw.rectangle((ax0, ay0, ax1, ay1), outline=tuple(int(c * 0.5) for c in look.frame), width=int(set_rng.integers(1, 4)))
    alpha = int(set_rng.integers(120, 256)) if look.layout == "full" else 255
    t = [int(v * s) for v, s in zip(_TEXT[look.layout], (w, h, w, h))]
    draw.rounded_rectangle(t, int(set_rng.integers(0, 10)), fill=(*look.panel, alpha))
    ny = int(_NAME_Y.get(look.layout, 0.035) * h)
    size = int(set_rng.integers(12, 19))
    if set_rng.random() < 0.7:
        draw.rounded_rectangle((int(0.05 * w), ny - 2, int(0.95 * w), ny + size + 5), int(set_rng.integers(0, 9)), fill=(*look.panel, 230))
    draw.text((int(0.08 * w), ny), title, look.ink, font(look.title_font, size))
    corner = set_rng.integers(3)
    if corner == 0:
        for i in range(int(rng.integers(1, 5))):
            draw.ellipse((int(0.93 * w) - 15 * (i + 1), ny + 2, int(0.93 * w) - 15 * i - 2, ny + 15), fill=color(rng, (0.3, 1)))
    elif corner == 1:
        draw.text((int(0.76 * w), ny), f"{rng.integers(3, 34) * 10}", look.ink, font(look.title_font, size))
    _text(rng, draw, look, t)
    if set_rng.random() < 0.7 and look.layout not in ("low", "side"):
        ty = int((t[1] / h - 0.045) * h)
        draw.text((t[0] + 4, ty), words(rng, 2), look.ink if look.layout != "full" else (250, 250, 250), font(look.text_font, 10))
    if set_rng.random() < 0.5:
        draw.rounded_rectangle((int(0.76 * w), int(0.88 * h), int(0.94 * w), int(0.94 * h)), 4, fill=(*look.panel, 255), outline=look.ink)
        draw.text((int(0.79 * w), int(0.885 * h)), f"{rng.integers(0, 10)}/{rng.integers(0, 10)}", look.ink, font(look.title_font, 13))
    foot = (245, 245, 245) if sum(look.frame) < 380 else (20, 20, 20)
    number = f"{rng.integers(1, 300):03d}/{set_rng.integers(100, 300)}"
    code = "".join(chr(65 + set_rng.integers(26)) for _ in range(3))
    fx = int(set_rng.choice([0.06, 0.7]) * w)
    draw.text((fx, int(0.945 * h)), f"{code} {number}" if set_rng.random() < 0.5 else number, foot, font(look.text_font, 8))
    img = np.asarray(pil).copy()
    b = int(look.border * w)
    if b > 0:
        img[:b], img[-b:], img[:, :b], img[:, -b:] = look.border_color, look.border_color, look.border_color, look.border_color
    return img


def _text(rng, draw, look: Design, box) -> None:
    x0, y0, x1, y1 = box
    size = int(rng.integers(8, 12))
    f, y = font(look.text_font, size), y0 + 6
    while y < y1 - size - 2 and rng.random() < 0.9:
        if rng.random() < 0.2:
            draw.text((x0 + 6, y), words(rng, 2), look.ink, font(look.title_font, size + 4))
            draw.text((x1 - 34, y), str(rng.integers(1, 30) * 10), look.ink, font(look.title_font, size + 4))
            y += size + 10
            continue
        line = words(rng, max(1, int((x1 - x0) / size / 3.4)))
        draw.text((x0 + 6, y), line[: int((x1 - x0 - 10) / (size * 0.52))], look.ink, f)
        y += size + 3


def group(rng, family: Family, textures=None) -> list[np.ndarray]:
    """Draws four cards that are easily confused: two of one design, one with the first art in another frame, one recolored."""
    look, other = design(rng, family), design(rng, family)
    first, second = (art(rng, family, 224, 200, textures) for _ in range(2))
    title = words(rng, 2).title()
    recolored = cv2.cvtColor(first, cv2.COLOR_RGB2HSV)
    recolored[..., 0] = (recolored[..., 0].astype(int) + int(rng.integers(30, 150))) % 180
    recolored = cv2.cvtColor(recolored, cv2.COLOR_HSV2RGB)[:, :: int(rng.choice([-1, 1]))]
    return [face(rng, look, first, title), face(rng, look, second, words(rng, 2).title()),
            face(rng, other, first, title), face(rng, look, recolored, words(rng, 2).title())]


def back(rng, family: Family) -> np.ndarray:
    """Draws a card's back: a frame, a pattern with 180 degree symmetry and usually an emblem."""
    img = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    img[:] = color(rng, (0.3, 1), (0.15, 0.8))
    half = art(rng, family, HEIGHT // 2, WIDTH) if rng.random() < 0.55 else _pattern(rng, HEIGHT // 2, WIDTH)
    mix = rng.uniform(0.1, 0.9)
    both = np.vstack([half, half[::-1, ::-1]])
    img = (img * (1 - mix) + both * mix).astype(np.uint8)
    m = int(rng.uniform(0.01, 0.08) * WIDTH)
    line = int(rng.integers(1, 6))
    cv2.rectangle(img, (m, m), (WIDTH - m, HEIGHT - m), color(rng), line if rng.random() < 0.7 else line * 5)
    for k in range(int(rng.integers(0, 4))):
        axes = (int(WIDTH * rng.uniform(0.12, 0.4)), int(HEIGHT * rng.uniform(0.08, 0.3)))
        cv2.ellipse(img, (WIDTH // 2, HEIGHT // 2), axes, 0, 0, 360, color(rng), -1 if k == 0 else 4, cv2.LINE_AA)
    if rng.random() < 0.5:
        pil = Image.fromarray(img)
        ImageDraw.Draw(pil).text((WIDTH // 2, HEIGHT // 2), word(rng).upper(), color(rng, (0, 0.4), (0.8, 1)), font(str(rng.choice(family.fonts)), int(rng.integers(24, 44))), anchor="mm")
        img = np.asarray(pil).copy()
    return img


def _pattern(rng, h: int, w: int) -> np.ndarray:
    """Draws checks, stripes, diamonds or dots in two colors."""
    y, x = np.mgrid[0:h, 0:w]
    n = int(rng.integers(6, 40))
    u, v = (x // n, y // n) if rng.random() < 0.5 else ((x + y) // n, (x - y) // n)
    kind = rng.integers(3)
    if kind == 0:
        mask = (u + v) % 2 == 0
    elif kind == 1:
        mask = u % 2 == 0
    else:
        mask = (x % n - n / 2) ** 2 + (y % n - n / 2) ** 2 < (n * rng.uniform(0.2, 0.45)) ** 2
    return np.where(mask[..., None], color(rng, (0.3, 1)), color(rng, (0.3, 1))).astype(np.uint8)


def sealed(rng, family: Family) -> np.ndarray:
    """Draws the front of a pack or box; the caller stretches it to its shape."""
    img = cv2.resize(art(rng, family, HEIGHT, WIDTH), (WIDTH, HEIGHT))
    pil = Image.fromarray(img)
    draw = ImageDraw.Draw(pil)
    for _ in range(int(rng.integers(2, 5))):
        size = int(rng.integers(16, 52))
        draw.text((int(rng.uniform(0.2, 0.8) * WIDTH), int(rng.uniform(0.05, 0.95) * HEIGHT)), words(rng, 1).upper(), color(rng, (0, 1), (0.6, 1)),
                  font(str(rng.choice(family.fonts)), size), anchor="mm", stroke_width=int(rng.integers(0, 4)), stroke_fill=(10, 10, 10))
    img = np.asarray(pil).copy()
    if rng.random() < 0.5:  # the crimped ends of a pack
        band = int(HEIGHT * 0.05)
        stripes = ((np.arange(WIDTH) // 3) % 2 * 70 + 150).astype(np.uint8)[None, :, None]
        img[:band] = img[-band:] = stripes
    return img


def label(rng, family: Family, w: int, h: int) -> np.ndarray:
    """Draws a grading label: grader, card and grade."""
    ground = [(250, 250, 250), (200, 30, 40), (20, 20, 24), (210, 190, 110), color(rng)][rng.integers(5)]
    ink = (20, 20, 20) if sum(ground) > 400 else (245, 245, 245)
    pil = Image.new("RGB", (w, h), ground)
    draw = ImageDraw.Draw(pil)
    f = str(rng.choice(family.fonts))
    if rng.random() < 0.5:
        draw.rectangle((1, 1, w - 2, h - 2), outline=color(rng, (0.4, 1)), width=3)
    for i in range(3):
        draw.text((int(0.04 * w), int((0.08 + 0.28 * i) * h)), words(rng, 3).upper()[:22], ink, font(f, max(7, int(h * 0.22))))
    draw.text((int(0.9 * w), int(0.4 * h)), str(rng.integers(1, 11)), ink, font(f, max(10, int(h * 0.5))), anchor="mm")
    return np.asarray(pil).copy()
