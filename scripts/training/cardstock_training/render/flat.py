"""Draws flat cards and labels for the evaluation sets, independently of the cards that the networks are trained on.

Lengths are in millimeters. The height of a text is that of its capitals.
"""
import functools
import glob

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from cardstock_training import paths

Box = tuple[float, float, float, float]  # left, top, right, bottom


@functools.lru_cache(maxsize=None)
def font_file(name: str) -> str:
    found = glob.glob(f"{paths.FONTS}/**/{name}", recursive=True)
    if not found:
        raise SystemExit(f"The font {name} is missing. Install the fonts of scripts/training/README.md, or set FONTS to their folder.")
    return found[0]


@functools.lru_cache(maxsize=2000)
def _font(name: str, pixels: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_file(name), pixels, layout_engine=ImageFont.Layout.BASIC)


@functools.lru_cache(maxsize=None)
def _capitals(name: str) -> float:
    """Returns the height of capitals as a share of the font's size."""
    left, top, right, bottom = _font(name, 400).getbbox("H", anchor="ls")
    return (bottom - top) / 400


class Sheet:
    """A picture in millimeters."""

    def __init__(self, width: float, height: float, fill=(255, 255, 255), density: float = 20):
        self.width, self.height, self.density = width, height, density
        self.image = Image.new("RGB", (round(width * density), round(height * density)), fill)
        self._draw = ImageDraw.Draw(self.image)

    def _pixels(self, values) -> list[int]:
        return [round(v * self.density) for v in values]

    def box(self, box: Box, fill=None, line=None, thick: float = 0.3, radius: float = 0) -> None:
        self._draw.rounded_rectangle(self._pixels(box), radius * self.density, fill, line, max(1, round(thick * self.density)))

    def polygon(self, points, fill) -> None:
        self._draw.polygon([tuple(self._pixels(p)) for p in points], fill)

    def disc(self, x: float, y: float, radius: float, fill, line=None) -> None:
        self._draw.ellipse(self._pixels((x - radius, y - radius, x + radius, y + radius)), fill, line, round(0.3 * self.density))

    def hexagon(self, x: float, y: float, radius: float, fill) -> None:
        self.polygon([(x + radius * np.sin(a), y - radius * np.cos(a)) for a in np.arange(6) * np.pi / 3], fill)

    def width_of(self, text: str, font: str, height: float) -> float:
        return _font(font, 400).getlength(text) / 400 * height / _capitals(font)

    def text(self, x: float, y: float, text: str, font: str, height: float, fill, anchor: str = "ls", most: float | None = None, rim=None, rim_width: float = 0.35) -> float:
        """Writes a line with its baseline at y, smaller if it is wider than `most`. Returns the height of its capitals."""
        width = self.width_of(text, font, height)
        if most is not None and width > most:
            height *= most / width
        face = _font(font, max(4, round(height * self.density / _capitals(font))))
        stroke = 0 if rim is None else max(1, round(rim_width * self.density))
        self._draw.text(self._pixels((x, y)), text, fill, face, anchor, stroke_width=stroke, stroke_fill=rim)
        return height

    def upward(self, x: float, y: float, text: str, font: str, height: float, fill, most: float) -> float:
        """Writes a line that runs upwards from y, with its baseline at x."""
        side = Sheet(self.height, self.width, density=self.density)
        side.image = self.image.rotate(-90, expand=True)
        side._draw = ImageDraw.Draw(side.image)
        drawn = side.text(self.height - y, x, text, font, height, fill, most=most)
        self.image.paste(side.image.rotate(90, expand=True))
        return drawn

    def paragraph(self, box: Box, text: str, font: str, height: float, fill, gap: float = 1.75) -> None:
        """Writes lines that fit the box, and leaves out those that do not."""
        left, top, right, bottom = box
        lines, line = [], ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and self.width_of(longer, font, height) > right - left:
                lines.append(line)
                longer = word
            line = longer
        for i, one in enumerate([*lines, line]):
            y = top + height * (1 + i * gap)
            if y <= bottom:
                self.text(left, y, one, font, height, fill)

    def picture(self, box: Box, picture: np.ndarray) -> None:
        left, top, right, bottom = self._pixels(box)
        scaled = cv2.resize(picture, (right - left, bottom - top), interpolation=cv2.INTER_CUBIC if picture.shape[1] < right - left else cv2.INTER_AREA)
        self.image.paste(Image.fromarray(scaled), (left, top))

    def pixels(self) -> np.ndarray:
        """Returns the picture as BGR."""
        return np.asarray(self.image)[..., ::-1].copy()


def hue(rng, lightness: tuple[float, float] = (0.2, 0.8), strength: float = 0.6) -> tuple[int, int, int]:
    """Returns a random color of that lightness (RGB)."""
    tint = rng.uniform(0, 1, 3)
    tint = tint - tint.mean()
    color = rng.uniform(*lightness) + tint / max(1e-6, np.abs(tint).max()) * strength * 0.4
    return tuple(int(255 * c) for c in color.clip(0.02, 0.98))


def dark(rng) -> tuple[int, int, int]:
    return hue(rng, (0.1, 0.25), 0.4)


def light(rng) -> tuple[int, int, int]:
    return hue(rng, (0.85, 0.95), 0.2)


def art(rng, width: int = 400, height: int = 300) -> np.ndarray:
    """Paints a scene: a sky, hills, and a figure of a few shapes (RGB)."""
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    image = (1 - y) * np.array(hue(rng), np.float32) + y * np.array(hue(rng), np.float32) + np.zeros((height, width, 1), np.float32)
    for _ in range(int(rng.integers(2, 5))):  # hills, from far to near
        low = cv2.resize(rng.uniform(0.3, 0.9, (1, 5)).astype(np.float32), (width, 1), interpolation=cv2.INTER_CUBIC)[0] * height
        image[np.arange(height)[:, None] > low] = hue(rng, (0.15, 0.7))
    middle = np.array((width, height)) * rng.uniform(0.35, 0.65, 2)
    for _ in range(int(rng.integers(4, 10))):
        at, size = middle + rng.normal(0, 0.12, 2) * (width, height), np.array((width, height)) * rng.uniform(0.04, 0.2, 2)
        color = hue(rng, (0.15, 0.9), 0.9)
        if rng.random() < 0.5:
            cv2.ellipse(image, at.astype(int).tolist(), np.maximum(size, 2).astype(int).tolist(), rng.uniform(0, 180), 0, 360, color, -1, cv2.LINE_AA)
        else:
            cv2.fillPoly(image, [(at + rng.normal(0, 1, (int(rng.integers(3, 7)), 2)) * size).astype(np.int32)], color, cv2.LINE_AA)
    grain = cv2.resize(rng.normal(0, 12, (height // 3, width // 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    shade = 1 + 0.3 * cv2.resize(rng.normal(0, 1, (4, 4)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return (image * shade[..., None] + grain[..., None]).clip(0, 255).astype(np.uint8)
