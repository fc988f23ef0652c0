"""Finishes of a card: foil, and stamps of an edition.

Positions are in millimeters of a card (63 x 88), so that a stamp has the same size at any resolution. Some
kinds of foil, shapes, words and fonts are held out for the evaluation.
"""
import cv2
import numpy as np

from cardstock_training.render import cards, fonts, text_lines
from cardstock_training.render.printed_cards import CARD
from cardstock_training.render.sample_cache import SampleCache

# Foils: functions of the position in millimeters that return hue (in turns) and brightness (0 to 1).


def _bands(rng, x, y):
    angle = rng.uniform(0, np.pi)
    wobble = cards.smooth_noise(rng, *x.shape, 4, 1)[..., 0] * rng.uniform(0, 1.2)
    return (x * np.cos(angle) + y * np.sin(angle)) / rng.uniform(7, 40) + wobble, 1.0


def _refractor(rng, x, y):
    across = x + y * rng.normal(0, 0.06)
    return across / rng.uniform(8, 40) + y / rng.uniform(15, 60), 0.55 + 0.45 * np.cos(across * (2 * np.pi / rng.uniform(1.3, 4)))


def _cosmos(rng, x, y):
    """Dots of many sizes and hues."""
    hue, bright = np.zeros(x.shape, np.float32), np.full(x.shape, 0.2, np.float32)
    for _ in range(int(rng.integers(30, 130))):
        at = tuple(int(rng.integers(n)) for n in x.shape[::-1])
        radius = max(1, round(float(np.exp(rng.uniform(np.log(0.5), np.log(4)))) * x.shape[0] / CARD[1]))
        cv2.circle(hue, at, radius, rng.random(), -1), cv2.circle(bright, at, radius, rng.uniform(0.4, 1), -1, cv2.LINE_AA)
    return hue + x / 30, bright


def _cells(rng, x, y):
    """Cracked ice: cells that reflect the light in different directions."""
    seeds = np.ones(x.shape, np.uint8)
    seeds.ravel()[rng.choice(x.size, int(rng.integers(40, 260)), replace=False)] = 0
    _, cell = cv2.distanceTransformWithLabels(seeds, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    count = int(cell.max()) + 1
    return rng.random(count, dtype=np.float32)[cell], (rng.random(count, dtype=np.float32) ** 1.5)[cell]


def _burst(rng, x, y):
    angle, far = _polar(rng, x, y)
    return angle * rng.integers(1, 4) + far / rng.uniform(15, 60), 0.5 + 0.5 * np.cos(angle * (2 * np.pi * rng.integers(8, 40)))


def _sheen(rng, x, y):
    angle = rng.uniform(0, np.pi)
    return (x * np.cos(angle) + y * np.sin(angle)) / rng.uniform(35, 70), 0.85


def _rings(rng, x, y):
    angle, far = _polar(rng, x, y)
    return far / rng.uniform(8, 35) + angle, 1.0


def _mosaic(rng, x, y):
    side = rng.uniform(1.5, 5)
    u, v = (x // side).astype(int), (y // side).astype(int)
    table = rng.random((2, int(v.max()) + 1, int(u.max()) + 1), dtype=np.float32)
    return table[0][v, u], table[1][v, u]


def _waves(rng, x, y):
    crest = y + rng.uniform(2, 6) * np.sin(x * (2 * np.pi / rng.uniform(10, 30)))
    return crest / rng.uniform(8, 35), 0.5 + 0.5 * np.cos(crest * (2 * np.pi / rng.uniform(3, 10)))


def _lattice(rng, x, y):
    pitch = 2 * np.pi / rng.uniform(2, 6)
    return (x + 2 * y) / rng.uniform(25, 80), np.maximum(np.cos((x + y) * pitch), np.cos((x - y) * pitch)) * 0.5 + 0.5


def _polar(rng, x, y):
    """Returns polar coordinates (turns, distance) around a random point of the card."""
    x, y = x - rng.uniform(0, CARD[0]), y - rng.uniform(0, CARD[1])
    return np.arctan2(y, x) / (2 * np.pi), np.hypot(x, y)


def _glitter(rng, x, y):
    """Sparkling grains, each of its own hue."""
    grains = (max(2, round(CARD[1] * rng.uniform(0.8, 3))), max(2, round(CARD[0] * rng.uniform(0.8, 3))))
    hue, bright = (cv2.resize(rng.random(grains, dtype=np.float32), x.shape[::-1], interpolation=cv2.INTER_NEAREST) for _ in range(2))
    return hue * rng.uniform(0.2, 1) + (x + y) / rng.uniform(20, 80), bright ** rng.uniform(1.5, 5)


def _etched(rng, x, y):
    """Fine hatching, whose direction follows a slow change over the card."""
    turn = cards.smooth_noise(rng, *x.shape, 4, 1)[..., 0] * np.pi
    across = x * np.cos(turn) + y * np.sin(turn)
    return turn / np.pi + across / rng.uniform(20, 60), 0.5 + 0.5 * np.cos(across * (2 * np.pi / rng.uniform(0.8, 2)))


def _spiral(rng, x, y):
    angle, far = _polar(rng, x, y)
    return far / rng.uniform(20, 60) + angle, 0.5 + 0.5 * np.cos(2 * np.pi * (far / rng.uniform(4, 12) + angle * rng.integers(1, 5)))


def _tinsel(rng, x, y):
    """Parallel strips of random width, each of one hue."""
    angle = rng.uniform(0, np.pi)
    strip = ((x * np.cos(angle) + y * np.sin(angle)) / rng.uniform(0.8, 4)).astype(int)
    strip -= strip.min()
    table = rng.random((2, int(strip.max()) + 1), dtype=np.float32)
    return table[0][strip] * rng.uniform(0.2, 1) + (x - y) / rng.uniform(20, 80), table[1][strip]


def _emblems(rng, x, y):
    """A small shape that repeats over the card."""
    side = max(5, round(rng.uniform(4, 12) * x.shape[0] / CARD[1]))
    tile = np.pad(_polygon_mask(random_shape(rng), max(4, round(side * rng.uniform(0.5, 0.9)))), ((0, side), (0, side)))[:side, :side]
    shift = rng.integers(0, side, 2)
    bright = np.tile(tile, (x.shape[0] // side + 2, x.shape[1] // side + 2))[shift[0]:, shift[1]:][:x.shape[0], :x.shape[1]]
    low = rng.uniform(0, 0.5)
    return (x + y * rng.normal(0, 1)) / rng.uniform(15, 60), low + (1 - low) * bright


FOILS = {"bands": _bands, "refractor": _refractor, "cosmos": _cosmos, "cells": _cells, "burst": _burst, "sheen": _sheen,
         "glitter": _glitter, "etched": _etched, "spiral": _spiral, "tinsel": _tinsel, "emblems": _emblems}
FOILS_HELD_OUT = {"rings": _rings, "mosaic": _mosaic, "waves": _waves, "lattice": _lattice}


def apply_foil(rng, picture: np.ndarray, kind: str) -> np.ndarray:
    """Applies foil, lit by one lamp: strong in a part of the card and invisible in another."""
    x, y = _grid(picture)
    hue, bright = (FOILS | FOILS_HELD_OUT)[kind](rng, x, y)
    hue = np.asarray(hue + rng.random(), np.float32)
    rainbow = np.stack([np.cos(2 * np.pi * (hue + k / 3)) for k in range(3)], -1) * 0.5 + 0.5
    rainbow = rainbow.mean(-1, keepdims=True) + (rainbow - rainbow.mean(-1, keepdims=True)) * rng.uniform(0.5, 1.2)
    light = _light(rng, x, y) * _region(rng, x, y)
    base = picture.astype(np.float32)
    # Ink covers the foil: it shines through light inks and hardly through black.
    clear = 0.3 + 0.7 * base.mean(-1) / 255
    shine = (light * bright * clear * rng.uniform(0.5, 1.1))[..., None]
    dull = 1 - rng.uniform(0, 0.25) * (1 - light[..., None])
    return np.clip(base * dull * (1 - 0.5 * shine) + 210 * rainbow * shine, 0, 255).astype(np.uint8)


def _grid(picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    return x * (CARD[0] / w), y * (CARD[1] / h)


def _light(rng, x, y) -> np.ndarray:
    """Returns the light of a lamp (a wide band or spot) and of the ambient light."""
    angle, far = rng.uniform(0, np.pi), rng.uniform(12, 40)
    u = (x - rng.uniform(5, 58)) * np.cos(angle) + (y - rng.uniform(8, 80)) * np.sin(angle)
    patch = np.exp(-0.5 * (u / far) ** 2)
    return np.clip(patch + rng.uniform(0, 0.5), 0, 1) * (0.6 + 0.4 * cards.smooth_noise(rng, *x.shape, 4, 1)[..., 0])


def _region(rng, x, y) -> np.ndarray:
    """Returns the foil area: everywhere, only the art (holo), or everything but the art (reverse holo)."""
    roll = rng.random()
    if roll < 0.4:
        return np.ones_like(x)
    x0, y0, x1, y1 = art_box(rng)
    inside = ((x > x0) & (x < x1) & (y > y0) & (y < y1)).astype(np.float32)
    return inside if roll < 0.75 else 1 - inside


def art_box(rng) -> tuple[float, float, float, float]:
    """Returns a typical art box, in millimeters."""
    boxes = [box for box in cards.ART.values() if box != (0, 0, 1, 1)]
    x0, y0, x1, y1 = boxes[rng.integers(len(boxes))]
    return x0 * CARD[0], y0 * CARD[1], x1 * CARD[0], y1 * CARD[1]


# Bright or colorful effects that are not foil


def without_foil(rng, picture: np.ndarray) -> np.ndarray:
    """Applies a painted rainbow, bright colors, white streaks of a sleeve, lamps of two colors, or nothing."""
    x, y = _grid(picture)
    base = picture.astype(np.float32)
    if rng.random() < 0.2:
        base = _painted(rng, base, x, y)
    if rng.random() < 0.12:
        base = _colorful(rng, base, x, y)
    if rng.random() < 0.2:
        base = base + _streaks(rng, x, y)[..., None]
    if rng.random() < 0.15:
        angle = rng.uniform(0, 2 * np.pi)
        t = (np.cos(angle) * (x / CARD[0] - 0.5) + np.sin(angle) * (y / CARD[1] - 0.5))[..., None]
        base = base * (1 + t * rng.uniform(-0.6, 0.6, 3).astype(np.float32))
    return np.clip(base, 0, 255).astype(np.uint8)


def _painted(rng, base, x, y) -> np.ndarray:
    """Paints opaque arcs or stripes of pure hue within one shape."""
    x0, y0, x1, y1 = art_box(rng)
    cx, cy, far = rng.uniform(x0, x1), rng.uniform(y0, y1 + 15), rng.uniform(8, 30)
    r = np.hypot(x - cx, y - cy)
    u = r / rng.uniform(5, 20) if rng.random() < 0.5 else (x * rng.normal() + y * rng.normal()) / rng.uniform(10, 40)
    inside = (x > x0) & (x < x1) & (y > y0) & (y < y1) & (r < far) & (r > far * rng.uniform(0, 0.8))
    hues = np.stack([np.cos(2 * np.pi * (u + k / 3)) for k in range(3)], -1) * 110 + 128
    return np.where(inside[..., None], base * 0.2 + hues * 0.8, base)


def _colorful(rng, base, x, y) -> np.ndarray:
    """Prints the art in hues that change slowly, as an ink does: dark lines stay dark and white becomes colored."""
    x0, y0, x1, y1 = art_box(rng)
    hue = cards.smooth_noise(rng, *x.shape, int(rng.integers(3, 8)), 1)[..., 0] * rng.uniform(0.5, 2.5) + rng.random()
    ink = np.stack([np.cos(2 * np.pi * (hue + k / 3)) for k in range(3)], -1) * 0.5 + 0.5
    inside = ((x > x0) & (x < x1) & (y > y0) & (y < y1))[..., None]
    return np.where(inside, base.mean(-1, keepdims=True) * (1 - (1 - ink) * rng.uniform(0.4, 1)), base)


def _streaks(rng, x, y) -> np.ndarray:
    """Returns white reflections of a sleeve: long and straight streaks."""
    angle = rng.uniform(0, np.pi)
    u = x * np.cos(angle) + y * np.sin(angle)
    light = np.zeros_like(x)
    for _ in range(int(rng.integers(1, 5))):
        light += rng.uniform(20, 110) * np.exp(-0.5 * ((u - rng.uniform(u.min(), u.max())) / rng.uniform(0.6, 9)) ** 2)
    return light


# Shapes in a square from -1 to 1; y points down


def _wheel(radii, turns: int) -> np.ndarray:
    angles = np.linspace(0, 2 * np.pi, turns, endpoint=False) - np.pi / 2
    return np.column_stack([np.cos(angles), np.sin(angles)]) * np.resize(radii, turns)[:, None]


SHAPES = {
    "disc": [_wheel([1.0], 40)],
    "ball": [_wheel([1.0], 40), np.array([[-1, -0.1], [1, -0.1], [1, 0.1], [-1, 0.1]])],
    "star": [_wheel([1.0, 0.42], 10)],
    "sun": [_wheel([1.0, 0.7], 32)],
    "crest": [np.array([[-0.85, -1], [0.85, -1], [0.85, 0.1], [0.5, 0.7], [0, 1], [-0.5, 0.7], [-0.85, 0.1]])],
    "diamond": [_wheel([1.0, 0.6], 4)],
    "bolt": [np.array([[0.3, -1], [-0.6, 0.15], [-0.05, 0.15], [-0.3, 1], [0.6, -0.2], [0.05, -0.2]])],
    "ring": [_wheel([1.0], 40), _wheel([0.62], 40)],
    "banner": [np.array([[-1, -0.45], [1, -0.45], [0.75, 0], [1, 0.45], [-1, 0.45], [-0.75, 0]])],
    "oval": [_wheel([1.0], 40) * (1, 0.6)],
}
SHAPES_HELD_OUT = {
    "hexagon": [_wheel([1.0], 6)],
    "crown": [np.array([[-1, 0.7], [-1, -0.5], [-0.5, 0.1], [0, -0.8], [0.5, 0.1], [1, -0.5], [1, 0.7]])],
    "paw": [_wheel([0.55], 24) + (0, 0.4), *(_wheel([0.26], 16) + (a, b) for a, b in ((-0.7, -0.2), (-0.28, -0.65), (0.28, -0.65), (0.7, -0.2)))],
    "drop": [np.array([[0, -1], [0.5, -0.1], [0.6, 0.4], [0.35, 0.85], [0, 1], [-0.35, 0.85], [-0.6, 0.4], [-0.5, -0.1]])],
}


def random_shape(rng) -> list[np.ndarray]:
    """Returns a random outline, mostly mirrored or with several arms, sometimes with a gap of the same outline."""
    arms = int(rng.integers(1, 9))
    arc = rng.uniform(0.25, 1, int(rng.integers(3, 9)))
    radii = np.tile(np.concatenate([arc, arc[::-1]]) if rng.random() < 0.7 else arc, arms)
    if len(radii) < 5:
        radii = np.tile(radii, 2)
    outline = _wheel(radii / radii.max(), len(radii))
    return [outline, outline * rng.uniform(0.4, 0.75)] if rng.random() < 0.3 else [outline]


def _shape_mask(name: str, size: int) -> np.ndarray:
    return _polygon_mask((SHAPES | SHAPES_HELD_OUT)[name], size)


def _any_mask(rng, names: list[str], held_out: bool, size: int) -> np.ndarray:
    """Returns the mask of a named shape; for training as often that of a random one."""
    shape = random_shape(rng) if not held_out and rng.random() < 0.5 else (SHAPES | SHAPES_HELD_OUT)[names[rng.integers(len(names))]]
    return _polygon_mask(shape, size)


def _polygon_mask(parts: list[np.ndarray], size: int) -> np.ndarray:
    """Returns the mask of a shape, 0 to 1; overlapping parts are gaps."""
    mask = np.zeros((4 * size, 4 * size), np.uint8)
    for part in parts:
        own = np.zeros_like(mask)
        cv2.fillPoly(own, [np.round((part * 0.96 + 1) * 2 * size).astype(np.int32)], 255)
        mask ^= own
    return cv2.resize(mask, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


# Stamps

WORDS = ("PRERELEASE", "Prerelease", "STAFF", "Staff", "WINNER", "PROMO", "Promo", "1st Edition", "1ST EDITION", "Limited Edition", "TOP 8", "JUDGE", "21/04/2024", "JUNE 2019", "2007")
WORDS_HELD_OUT = ("PRE-RELEASE", "Winner", "FINALIST", "CHAMPION", "LEAGUE", "First Edition", "LIMITED EDITION", "LAUNCH", "8.11.2025", "MARCH 12")
METALS = ((212, 175, 70), (200, 200, 205), (250, 250, 250), (235, 220, 150), (20, 20, 22), (170, 40, 40))
_words = {side: SampleCache(150, 0.05) for side in (False, True)}


def _word(rng, held_out: bool) -> np.ndarray:
    def make():
        words = WORDS_HELD_OUT if held_out else WORDS
        text = words[rng.integers(len(words))]
        return text_lines.render_ink(text, fonts.pick(rng, held_out, text), fonts.LINE_SIZE)
    return _words[held_out].get(rng, make)


def _numeral(rng, held_out: bool, text: str) -> np.ndarray:
    return text_lines.render_ink(text, fonts.pick(rng, held_out, text), fonts.LINE_SIZE)


def _apply_ink(image: np.ndarray, mask: np.ndarray, center: tuple[float, float], ink, slope: float = 0.0) -> None:
    """Applies ink through a mask, centered at a position in millimeters; `slope` brightens one end, as on metal."""
    density = image.shape[0] / CARD[1]
    h, w = mask.shape
    x, y = round(center[0] * density - w / 2), round(center[1] * density - h / 2)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, image.shape[1]), min(y + h, image.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    mask = mask[y0 - y:y1 - y, x0 - x:x1 - x, None]
    tone = np.asarray(ink, np.float32) * (1 + slope * np.linspace(-1, 1, y1 - y0, dtype=np.float32)[:, None, None])
    area = image[y0:y1, x0:x1]
    area[:] = np.clip(area + (tone - area) * mask, 0, 255).astype(np.uint8)


def _scale_mask(mask: np.ndarray, height: float, image: np.ndarray, wide_max: float = 56.0) -> np.ndarray:
    """Scales a mask to a height in millimeters, or less if the line would be too long for the card."""
    scale = min(height / mask.shape[0], wide_max / mask.shape[1]) * image.shape[0] / CARD[1]
    size = (max(2, round(mask.shape[1] * scale)), max(2, round(mask.shape[0] * scale)))
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)


def _rotate_mask(mask: np.ndarray, degrees: float) -> np.ndarray:
    h, w = mask.shape
    side = int(np.ceil(np.hypot(h, w)))
    M = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 1)
    M[:, 2] += ((side - w) / 2, (side - h) / 2)
    return cv2.warpAffine(mask, M, (side, side))


def _stamp_position(rng, reach: float) -> tuple[float, float]:
    """Returns a position for a stamp: mostly a lower corner of the art, sometimes elsewhere."""
    x0, y0, x1, y1 = art_box(rng)
    if rng.random() < 0.25:
        return rng.uniform(reach + 3, CARD[0] - reach - 3), rng.uniform(16, 72)
    x = x0 + reach + rng.uniform(0, 5) if rng.random() < 0.5 else x1 - reach - rng.uniform(0, 5)
    y = y1 - reach - rng.uniform(0, 5) if rng.random() < 0.7 else y0 + reach + rng.uniform(0, 5)
    return float(np.clip(x, 4, 59)), float(np.clip(y, 15, 74))


def _edition(rng, image: np.ndarray, held_out: bool) -> None:
    """Stamps a round edition mark with a numeral, often with a word above."""
    size = rng.uniform(4, 8)
    dark, light = (18, 18, 20), (245, 245, 240)
    ink, numeral = (dark, light) if rng.random() < 0.7 else (light, dark)
    x, y = _stamp_position(rng, size / 2)
    if rng.random() < 0.5:  # left below the art
        x, y = rng.uniform(5, 13), rng.uniform(42, 60)
    shape = _shape_mask("hexagon" if held_out and rng.random() < 0.5 else "disc", max(4, round(size * image.shape[0] / CARD[1])))
    _apply_ink(image, shape, (x, y), ink)
    if rng.random() < 0.4:  # a ring
        _apply_ink(image, _shape_mask("disc", max(3, round(0.8 * size * image.shape[0] / CARD[1]))), (x, y), numeral)
        numeral = ink
    _apply_ink(image, _scale_mask(_numeral(rng, held_out, "1"), size * rng.uniform(0.6, 0.9), image), (x, y), numeral)
    if rng.random() < 0.5:
        word = "Edition" if held_out else "EDITION"
        _apply_ink(image, _scale_mask(_numeral(rng, held_out, word), rng.uniform(1.2, 1.8), image, size * 1.4), (x, y - size * 0.62), ink)


def _logo(rng, image: np.ndarray, held_out: bool) -> None:
    names = list(SHAPES_HELD_OUT if held_out else SHAPES)
    size = rng.uniform(5, 12)
    mask = _rotate_mask(_any_mask(rng, names, held_out, max(6, round(size * image.shape[0] / CARD[1]))), rng.normal(0, 10))
    center = _stamp_position(rng, size / 2)
    ink = METALS[rng.integers(len(METALS))]
    if rng.random() < 0.4:  # an outline in another ink
        _apply_ink(image, cv2.dilate(mask, np.ones((3, 3))), center, METALS[rng.integers(len(METALS))])
    _apply_ink(image, mask, center, ink, rng.uniform(-0.4, 0.4))
    if rng.random() < 0.4:  # a symbol inside
        inner = _any_mask(rng, names, held_out, max(3, round(0.5 * size * image.shape[0] / CARD[1])))
        _apply_ink(image, inner, center, METALS[rng.integers(len(METALS))])
    if rng.random() < 0.4:  # a word across it or below it, such as STAFF
        word = _scale_mask(_word(rng, held_out), rng.uniform(1.4, 3), image, size * 1.5)
        _apply_ink(image, word, (center[0], center[1] + rng.uniform(0, 0.7) * size), METALS[rng.integers(len(METALS))])


def _framed_word(rng, image: np.ndarray, held_out: bool) -> None:
    """Stamps a word in an oval or on a banner."""
    names = ["hexagon"] if held_out else ["oval", "banner"]
    width = rng.uniform(9, 20)
    frame = cv2.resize(_shape_mask(names[rng.integers(len(names))], max(12, round(width * image.shape[0] / CARD[1]))), None, fx=1, fy=rng.uniform(0.5, 0.8) if not held_out else 0.4, interpolation=cv2.INTER_AREA)
    center = _stamp_position(rng, width / 2)
    ink, other = (METALS[i] for i in rng.permutation(len(METALS))[:2])
    _apply_ink(image, frame, center, ink, rng.uniform(-0.3, 0.3))
    if rng.random() < 0.4:  # an outline only
        _apply_ink(image, cv2.erode(frame, np.ones((3, 3))), center, other)
        other = ink
    _apply_ink(image, _scale_mask(_word(rng, held_out), rng.uniform(1.3, 3), image, width * 0.8), center, other)


def _words_stamp(rng, image: np.ndarray, held_out: bool, heights: tuple[float, float]) -> None:
    mask = _scale_mask(_word(rng, held_out), rng.uniform(*heights), image)
    turn = 0.0 if rng.random() < 0.6 else rng.uniform(-50, 50)
    if turn != 0.0:
        mask = _rotate_mask(mask, turn)
    reach = mask.shape[1] / image.shape[1] * CARD[0] / 2
    x = rng.uniform(reach + 2, CARD[0] - reach - 2) if 2 * reach < CARD[0] - 5 else CARD[0] / 2
    center = x, (rng.uniform(16, 52) if rng.random() < 0.8 else _stamp_position(rng, 3)[1])
    ink = METALS[rng.integers(len(METALS))]
    if rng.random() < 0.5:
        _apply_ink(image, cv2.dilate(mask, np.ones((3, 3))), center, (15, 15, 18) if sum(ink) > 360 else (245, 245, 245))
    _apply_ink(image, mask, center, ink, rng.uniform(-0.3, 0.3))


STAMPS = {
    "edition": _edition,
    "logo": _logo,
    "framed word": _framed_word,
    "words": lambda rng, image, held_out: _words_stamp(rng, image, held_out, (2.6, 7)),
    # As in Yu-Gi-Oh! and early Pokemon: ordinary small print, recognizable only by its words.
    "small words": lambda rng, image, held_out: _words_stamp(rng, image, held_out, (1.6, 2.6)),
}


def apply_stamp(rng, picture: np.ndarray, kind: str, held_out: bool) -> np.ndarray:
    image = np.array(picture)
    STAMPS[kind](rng, image, held_out)
    return image


# Printed symbols that resemble stamps


def add_symbols(rng, picture: np.ndarray) -> np.ndarray:
    """Prints costs, energies, attributes, set and rarity symbols and authenticity holograms in their usual positions."""
    image = np.array(picture)
    density = image.shape[0] / CARD[1]
    px = lambda mm: max(3, round(mm * density))
    glyph = lambda size: _any_mask(rng, list(SHAPES), False, px(size))

    def circle(x, y, size):
        _apply_ink(image, _shape_mask("disc", px(size)), (x, y), cards.color(rng) if rng.random() < 0.7 else METALS[rng.integers(len(METALS))])
        if rng.random() < 0.7:
            _apply_ink(image, glyph(size * 0.6), (x, y), (20, 20, 20) if rng.random() < 0.6 else (245, 245, 245))

    def row(x, y, size, step, count):
        for i in range(count):
            circle(x + i * step, y, size)

    if rng.random() < 0.4:  # a cost, at either end of the header
        size = rng.uniform(2.6, 4.5)
        row(58.5 if rng.random() < 0.7 else 5 + 5 * size, rng.uniform(4, 7.5), size, -size * 1.05, int(rng.integers(1, 6)))
    if rng.random() < 0.15:  # an attribute or a cost as large as a stamp
        circle(57 if rng.random() < 0.5 else 6, rng.uniform(5, 8), rng.uniform(5, 9))
    if rng.random() < 0.1:  # a level in stars
        row(56, rng.uniform(10.5, 13), 3.6, -4.2, int(rng.integers(1, 11)))
    if rng.random() < 0.35:  # the cost of a skill
        row(rng.uniform(5, 7), rng.uniform(54, 76), rng.uniform(2.8, 4.2), 4.3, int(rng.integers(1, 5)))
    if rng.random() < 0.4:  # a set's symbol
        _apply_ink(image, glyph(rng.uniform(2.2, 4.5)), (rng.uniform(54, 60), rng.uniform(47, 58)), METALS[rng.integers(len(METALS))])
    if rng.random() < 0.5:  # the foot: rarity, weakness, regulation
        circle(rng.uniform(3, 60), rng.uniform(80, 86), rng.uniform(1.2, 4.5))
    if rng.random() < 0.12:  # an oval hologram marks authenticity, not an edition
        oval = cv2.resize(_shape_mask("disc", px(5)), (px(rng.uniform(4, 7)), px(rng.uniform(2, 4))), interpolation=cv2.INTER_AREA)
        _apply_ink(image, oval, (31.5 + rng.normal(0, 1), rng.uniform(82, 86)), METALS[1], 0.3)
    return image
