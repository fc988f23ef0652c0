"""Single lines of text as the service crops them from a photo: gray, 48 high, up to 480 wide.

The box of a line reaches from the ascender to the descender of its font, even if the text has neither, so
that a number and a name in one font have boxes of equal height. A crop is the box and MARGIN of its height
above and below. `Sample.height` is the height of the box in pixels of the photo.
"""
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw

from cardstock_training.render import fonts, grammars

HEIGHT, WIDTH_MAX, STRIDE = 48, 480, 8
MARGIN = 0.15
# People can hardly read lines below either limit.
HEIGHT_MIN, CLEAR_MIN = 8.0, 0.5
EMPTY = 128  # gray level right of a line that is shorter than its batch


@dataclass
class Sample:
    image: np.ndarray   # HEIGHT x width, uint8
    line: grammars.Line
    text: str           # expected reading; empty for scripts other than Latin
    height: float       # of the line's box, in pixels of the photo
    blur: float         # sigma, as a share of that height
    contrast: float     # between ink and background, of 255
    clear: float        # see `clearness`
    legible: bool


def extent(face: fonts.Face, size: int, script: str = "latin") -> tuple[float, float]:
    """Returns top and bottom of a line's box, relative to the baseline (anchor "ls" of `ImageDraw`)."""
    _, top, _, bottom = fonts.load(face, size).getbbox(fonts.TALL[script], anchor="ls")
    return top, bottom


def render_ink(text: str, face: fonts.Face, size: int, tracking: float = 0.0, stroke: int = 0, script: str = "latin") -> np.ndarray:
    """Renders the ink of a line, 0 to 1, with a padding of 4 pixels around its box."""
    top, bottom = extent(face, size, script)
    pieces = _pieces(text, face, size, tracking)
    width = int(sum(advance for _, _, advance in pieces)) + 8 + 2 * stroke
    pil = Image.new("L", (max(width, 8), int(bottom - top) + 8), 0)
    draw, x = ImageDraw.Draw(pil), 4.0 + stroke
    for piece, piece_font, advance in pieces:
        draw.text((x, 4 - top), piece, 255, piece_font, anchor="ls", stroke_width=stroke)
        x += advance
    return np.asarray(pil, np.float32) / 255


def _pieces(text: str, face: fonts.Face, size: int, tracking: float):
    """Splits text into runs of one font: missing symbols use the fallback font, spaced letters are single runs."""
    runs: list[list] = []
    for c in text:
        own = face if fonts.covers(face, c) else fonts.fallback()
        if tracking == 0 and runs and runs[-1][1] == own:
            runs[-1][0] += c
        else:
            runs.append([c, own])
    sized = [(piece, fonts.load(own, size)) for piece, own in runs]
    return [(piece, f, f.getlength(piece) + tracking * size * len(piece)) for piece, f in sized]


def background(rng, bank, h: int, w: int) -> np.ndarray:
    """Renders the background of a line: a panel, a bar or a part of a picture."""
    if rng.random() < 0.35:
        img = np.full((h, w), rng.uniform(0, 255), np.float32)
    else:
        face = bank.face(rng)
        ch = int(rng.integers(6, 40))
        cw = int(np.clip(ch * w / h, 8, face.shape[1]))
        y, x = rng.integers(0, face.shape[0] - ch + 1), rng.integers(0, face.shape[1] - cw + 1)
        part = cv2.cvtColor(np.ascontiguousarray(face[y:y + ch, x:x + cw]), cv2.COLOR_RGB2GRAY)
        img = cv2.resize(part, (w, h), interpolation=cv2.INTER_LINEAR).astype(np.float32)
        # Text is printed on calm areas; blurring also removes the letters of a scan.
        deviation = float(img.std())
        if deviation > 25 or rng.random() < 0.5:
            img = cv2.blur(img, (15, 15))
            img = img.mean() + (img - img.mean()) * min(rng.uniform(0.1, 0.8), 30 / max(deviation, 1))
    if rng.random() < 0.3:  # paper
        img = img + cv2.resize(rng.normal(0, rng.uniform(2, 10), (h // 3 + 1, w // 3 + 1)).astype(np.float32), (w, h))
    return img


def _set(rng, held_out: bool, line: grammars.Line) -> tuple[np.ndarray, str]:
    """Sets the line in a random font. Returns its ink and the expected reading."""
    text = line.text if line.script != "latin" else grammars.readable(line.text)
    tracking = rng.uniform(-0.02, 0.16) if rng.random() < 0.22 else 0.0
    stroke = int(rng.integers(1, 3)) if rng.random() < 0.08 else 0
    face = fonts.pick(rng, held_out, text, line.script)
    if line.kind in ("name", "type") and rng.random() < 0.12:  # small capitals
        capitals = text.upper().replace("ẞ", "ß")
        if grammars.readable(capitals) == capitals:
            text = capitals
            face = fonts.pick(rng, held_out, text)
    drawn = render_ink(text, face, fonts.LINE_SIZE, tracking, stroke, line.script)
    if rng.random() < 0.3:  # narrow and wide variants of a font
        drawn = cv2.resize(drawn, None, fx=rng.uniform(0.7, 1.2), fy=1, interpolation=cv2.INTER_AREA)
    if line.script not in ("latin",):
        return drawn, ""
    return drawn, text


def _print(rng, bank, drawn: np.ndarray) -> tuple[np.ndarray, float]:
    """Prints the ink on a background with some room around it. Returns the picture and its contrast."""
    h, w = drawn.shape
    room = h // 2
    mask = cv2.copyMakeBorder(drawn, room, room, room, room, cv2.BORDER_CONSTANT, value=0)
    img = background(rng, bank, *mask.shape)
    if rng.random() < 0.12:  # a pill or a box behind the line
        inner = int(rng.integers(1, room))
        box = np.zeros_like(mask)
        cv2.rectangle(box, (inner, inner), (mask.shape[1] - inner, mask.shape[0] - inner), 1.0, -1)
        img = img + (rng.uniform(0, 255) - img) * box * rng.uniform(0.5, 1)
    middle = float(img[room:-room, room:-room].mean())
    contrast = rng.uniform(45, 230)
    dark = middle - contrast >= -20 and (middle + contrast > 275 or rng.random() < 0.55)
    level = float(np.clip(middle - contrast if dark else middle + contrast, 0, 255))
    deviation = float(img[room:-room, room:-room].std())
    far = 0.0 if level > middle else 255.0
    roll = rng.random()
    if roll < 0.16 or deviation > 0.4 * abs(level - middle):  # an outline
        reach = 2 * int(rng.integers(1, 4)) + 1
        around = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
        img = img + (far - img) * around * rng.uniform(0.6, 1)
        middle = 0.5 * middle + 0.5 * far
    elif roll < 0.26:  # a shadow
        dx, dy = rng.integers(-4, 5), rng.integers(1, 5)
        shade = cv2.GaussianBlur(np.roll(mask, (dy, dx), (0, 1)), (0, 0), rng.uniform(0.5, 3))
        img = img + (far - img) * shade * rng.uniform(0.3, 0.9)
    # Metallic ink changes from top to bottom.
    change = rng.uniform(-50, 50) if rng.random() < 0.12 else 0.0
    tone = np.clip(level + change * np.linspace(-1, 1, mask.shape[0], dtype=np.float32)[:, None], 0, 255)
    img = img + (tone - img) * mask * rng.uniform(0.85, 1)
    img = np.ascontiguousarray(img, np.float32)
    _beside(rng, img, room, level)
    return np.clip(img, 0, 255), abs(level - middle)


def _beside(rng, img: np.ndarray, room: int, level: float) -> None:
    """Draws marks that are not part of the line: rarity symbols, rules, edges, tops of the next line."""
    h, w = img.shape
    if rng.random() < 0.12:
        x = room // 3 if rng.random() < 0.5 else w - room // 3
        if rng.random() < 0.5:
            cv2.circle(img, (x, h // 2), int(rng.uniform(0.1, 0.3) * room), level, -1, cv2.LINE_AA)
        else:
            r = rng.uniform(0.15, 0.35) * room
            cv2.fillPoly(img, [np.round(np.array([[x, h / 2 - r], [x + r, h / 2], [x, h / 2 + r], [x - r, h / 2]])).astype(np.int32)], level, cv2.LINE_AA)
    if rng.random() < 0.15:
        y = int(room * rng.uniform(0.1, 0.75)) if rng.random() < 0.5 else int(h - room * rng.uniform(0.1, 0.75))
        cv2.line(img, (0, y), (w, y + int(rng.integers(-1, 2))), rng.uniform(0, 255), int(rng.integers(1, 5)), cv2.LINE_AA)
    if rng.random() < 0.2:
        y = rng.choice([-1, 1]) * rng.uniform(0.75, 1.0) * (h / 2) + h / 2
        for _ in range(int(rng.integers(2, 14))):
            x = rng.uniform(0, w)
            cv2.line(img, (int(x), int(y - room * 0.3)), (int(x + rng.normal(0, 5)), int(y + room * 0.3)), level, int(rng.integers(2, 6)), cv2.LINE_AA)
    if rng.random() < 0.05:
        x = int(rng.uniform(0, room * 0.7)) if rng.random() < 0.5 else int(w - rng.uniform(0, room * 0.7))
        img[:, :x] = rng.uniform(0, 255) if x < w / 2 else img[:, :x]
        img[:, x:] = rng.uniform(0, 255) if x >= w / 2 else img[:, x:]


def _photograph(rng, img: np.ndarray, drawn: np.ndarray, height: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Photographs a line: low resolution, tilt, blur, light and compression. Returns the crop, its ink mask and the blur."""
    h, w = img.shape
    room = drawn.shape[0] // 2
    mask = cv2.copyMakeBorder(drawn, room, room, room, room, cv2.BORDER_CONSTANT, value=0)
    box = h - 2 * room - 8
    scale = height / box
    # Errors of the detector: too wide at either end, and off by about a tenth of the height.
    side = rng.uniform(0.05, 1.0, 2) * box
    lift = rng.normal(0, 0.09, 2) * box
    left, right = room + 4 - side[0], w - room - 4 + side[1]
    top, bottom = room + 4 - MARGIN * box + lift[0], h - room - 4 + MARGIN * box + lift[1]
    if rng.random() < 0.04:  # slightly cut off: the recognizer must not invent missing letters
        left, right = left + side[0] * 1.15, right - side[1] * 1.15
    source = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    # The detector measures the slope to about a degree; the remaining error grows with the line's length.
    slope = np.clip(np.tan(np.radians(rng.normal(0, 1.1))) * (right - left), -0.35 * box, 0.35 * box) / 2
    source[[0, 3], 1] -= slope
    source[[1, 2], 1] += slope
    source += rng.normal(0, 0.03, (4, 2)) * box
    source[[0, 1], 0] += rng.normal(0, 0.06) * box  # slant
    size = (max(4, round((right - left) * scale)), max(4, round((bottom - top) * scale)))
    if scale < 1:  # pixels integrate light over their whole area
        grain = (max(1, round(1 / scale)),) * 2
        img, mask = cv2.blur(img, grain), cv2.blur(mask, grain)
    target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32) - 0.5
    M = cv2.getPerspectiveTransform(source, target)
    small, there = (cv2.warpPerspective(each, M, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for each in (img, mask))
    blur = abs(rng.normal(0, 0.045)) * height if rng.random() < 0.55 else 0.0
    if blur > 0.25:
        small = cv2.GaussianBlur(small, (0, 0), blur)
    motion = rng.uniform(0.05, 0.22) * height if rng.random() < 0.12 else 0.0
    if motion >= 2:
        small = cv2.blur(small, (int(motion), 1) if rng.random() < 0.5 else (1, int(motion)))
    small = light(rng, small)
    return small, there, float(np.hypot(blur, 0.3 * motion)) / height


def light(rng, img: np.ndarray) -> np.ndarray:
    """Lights and compresses a crop."""
    h, w = img.shape
    x = np.linspace(-1, 1, w, dtype=np.float32)[None]
    if rng.random() < 0.3:
        img = img * (1 + rng.uniform(-0.4, 0.4) * x)
    if rng.random() < 0.09:  # glare lowers the contrast before it hides the text
        img = img + np.exp(-0.5 * ((x - rng.uniform(-1, 1)) / rng.uniform(0.1, 0.8)) ** 2) * rng.uniform(30, 160)
    if rng.random() < 0.08:  # foil
        y = np.linspace(-1, 1, h, dtype=np.float32)[:, None]
        img = img + 35 * np.sin(x * rng.uniform(3, 30) + y * rng.uniform(-4, 4) + rng.uniform(0, 6)) * rng.random()
    img = np.clip(img, 0, 255)
    if rng.random() < 0.15:
        img = img * rng.uniform(0.2, 0.7)
    elif rng.random() < 0.4:
        img = 255 * (img / 255) ** rng.uniform(0.6, 1.6)
    img = img + rng.normal(0, rng.uniform(0.5, 9) if rng.random() < 0.6 else 1, img.shape).astype(np.float32)
    img = np.clip(img, 0, 255).astype(np.uint8)
    if rng.random() < 0.45:
        img = cv2.imdecode(cv2.imencode(".jpg", img, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 92))])[1], cv2.IMREAD_GRAYSCALE)
    return img


@dataclass
class Sheet:
    """A printed line, before it is photographed."""

    line: grammars.Line
    text: str
    drawn: np.ndarray
    image: np.ndarray
    contrast: float


def sheet(rng, bank, held_out: bool, kind: str | None = None) -> Sheet:
    """Prints a random line; of a given kind for the evaluation."""
    line = grammars.line(rng, held_out)
    while (kind is not None and line.kind != kind) or not (grammars.readable(line.text).strip() or line.script != "latin"):
        line = grammars.line(rng, held_out)
    drawn, text = _set(rng, held_out, line)
    return Sheet(line, text.strip(), drawn, *_print(rng, bank, drawn))


def photograph(rng, of: Sheet, height: float | None = None) -> Sample:
    """Photographs a line at a random height in pixels, or at a given one."""
    # Mostly sizes that are hard but possible to read: at 7 px/mm a number is about 13 pixels high.
    height = float(np.exp(rng.uniform(np.log(7), np.log(36)))) if height is None else height
    small, mask, blur = _photograph(rng, of.image, of.drawn, height)
    clear = clearness(small, mask)
    return Sample(normalize(small), of.line, of.text, height, blur, of.contrast, clear, height >= HEIGHT_MIN and clear >= CLEAR_MIN)


def sample(rng, bank, held_out: bool, height: float | None = None, kind: str | None = None) -> Sample:
    """Renders one line; the evaluation chooses its height and kind."""
    return photograph(rng, sheet(rng, bank, held_out, kind), height)


def clearness(image: np.ndarray, mask: np.ndarray) -> float:
    """Returns the correlation of the picture with its ink mask in the worst part of the line, 0 to 1.

    Blur, noise, glare, a busy background and low contrast all lower it, so none of them has to be known."""
    count = max(1, round(image.shape[1] / (2.5 * image.shape[0])))
    worst = 1.0
    for seen, true in zip(np.array_split(image.astype(np.float32), count, 1), np.array_split(mask, count, 1)):
        a, b = seen - seen.mean(), true - true.mean()
        if (b * b).mean() > 0.005:  # skips a gap between two words
            worst = min(worst, abs(float((a * b).sum())) / np.sqrt(float((a * a).sum() * (b * b).sum()) + 1e-3))
    return worst


def normalize(image: np.ndarray) -> np.ndarray:
    """Scales a crop to the input height of the recognizer. Keeps the aspect ratio up to WIDTH_MAX."""
    h, w = image.shape
    width = int(np.clip(round(w * HEIGHT / h), STRIDE * 2, WIDTH_MAX))
    return cv2.resize(image, (width, HEIGHT), interpolation=cv2.INTER_AREA if h > HEIGHT else cv2.INTER_LINEAR)


def pad_batch(images: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Pads lines of several widths to one batch (NHWC). Returns it with the width of each line."""
    width = -(-max(i.shape[1] for i in images) // 32) * 32
    batch = np.full((len(images), HEIGHT, width, 1), EMPTY, np.uint8)
    for row, image in zip(batch, images):
        row[:, :image.shape[1], 0] = image
    return batch, np.array([i.shape[1] for i in images], np.int64)
