"""N4, the detector of text lines.   python train_lines.py --minutes 60"""
from dataclasses import dataclass

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import cards
import photos
import printed
from grammars import KINDS
from nets import LINES_SIZE, LINES_STRIDE as STRIDE, LINES_UNIT as UNIT
from training import Shelf, options, train

H, W = LINES_SIZE
# A line less high than this at the network's size is neither right nor wrong to find.
HEIGHT_MIN = 5.0
# How much of a line's height its core takes, and how far from its ends it stays (in heights).
CORE, INSET = 0.4, 0.25
# Nine cells of ten are rules'; what is sought would be told too seldom (name, number, other).
KIND_WEIGHTS = (3.0, 8.0, 1.0)
# A grade or a single digit has a core of one column; so has a speck.
LONE_SCORE = 0.7
# Drawing a card takes as long as all that is done to it: each is shown about three times.
KEPT, NEW = 120, 0.35
_cards = Shelf(KEPT, NEW)


def view(rng, bank, held_out: bool = False) -> tuple[np.ndarray, list[printed.Line]]:
    """A card or a slab's front as the refiner hands it over, H x W x 1, and where its lines are."""
    roll = rng.random()
    if roll < 0.12:
        sheet, quad = _slab(rng, bank, held_out)
    else:
        near = roll < 0.3
        sheet = _card(rng, bank, held_out)
        h, w = sheet.image.shape[:2]
        part = rng.uniform(0.5, 0.95) if near else 1.0  # cut out at the photo's own size: foot or head
        y = (0.0 if rng.random() < 0.4 else 1 - part) * h
        x = rng.uniform(0, 1 - part) * w
        quad = np.array([[x, y], [x + w * part, y], [x + w * part, y + h * part], [x, y + h * part]], np.float32)
    spread = rng.uniform(0, 0.012)
    quad = quad + rng.normal(0, spread, (4, 2)) * (quad[2] - quad[0])
    if rng.random() < 0.15:
        centre = quad.mean(0)
        angle = np.radians(rng.normal(0, 2.5))
        quad = (quad - centre) @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + centre
    M = cv2.getPerspectiveTransform(quad.astype(np.float32), np.array([[0, 0], [W, 0], [W, H], [0, H]], np.float32))
    image = sheet.image
    scale = W / float(np.linalg.norm(quad[1] - quad[0]))
    if scale < 0.8:
        image = cv2.blur(image, (2, 2))
    canvas = cv2.warpPerspective(image, M, (W, H), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=cards.colour(rng, (0, 0.6), (0, 1)))
    lines = printed.warped(sheet, M)
    whole = np.array([[0, 0], [W, 0], [W, H], [0, H]], np.float32)
    worn = photos.wear(rng, canvas, whole, _damage(rng))
    return cv2.cvtColor(worn, cv2.COLOR_RGB2GRAY)[..., None], lines


def _card(rng, bank, held_out: bool) -> printed.Printed:
    draw = lambda: printed.card(rng, bank, held_out, rng.uniform(8, 12))
    return draw() if held_out else _cards.take(rng, draw)


def _damage(rng) -> photos.Damage:
    """As the photos of cards, but no blur and no fingers that leave nothing to find."""
    damage = photos.Damage.random(rng, 0.7)
    damage.blur, damage.motion = min(damage.blur, 0.003), min(damage.motion, 0.006)
    damage.small = max(damage.small, 0.6)
    return damage


def _slab(rng, bank, held_out: bool) -> tuple[printed.Printed, np.ndarray]:
    """A label over its card, or the label alone."""
    density = rng.uniform(5.5, 8)
    label = printed.label(rng, held_out, density)
    width = label.image.shape[1]
    card = printed.card(rng, bank, held_out, density * rng.uniform(0.9, 1.0))
    left, gap = (width - card.image.shape[1]) // 2, int(density * rng.uniform(2, 7))
    top = label.image.shape[0] + gap
    sheet = np.full((int(width * H / W), width, 3), cards.colour(rng, (0, 0.2), (0.4, 1)), np.uint8)
    sheet[:label.image.shape[0]] = label.image[:len(sheet)]
    lines = list(label.lines)
    seen = min(card.image.shape[0], len(sheet) - top)
    if rng.random() < 0.7 and left >= 0 and seen > 0:
        sheet[top:top + seen, left:left + card.image.shape[1]] = card.image[:seen]
        lines += [printed.replace(l, quad=l.quad + np.float32((left, top))) for l in card.lines if l.quad[:, 1].max() < seen]
    h, w = sheet.shape[:2]
    rim = rng.uniform(0, 0.06) * w
    return printed.Printed(sheet, lines, density), np.array([[-rim, -rim], [w + rim, -rim], [w + rim, h + rim], [-rim, h + rim]], np.float32)


def height_of(quad: np.ndarray) -> float:
    """Across the line, whatever its slope."""
    along = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    length = float(np.linalg.norm(along))
    down = (quad[3] + quad[2] - quad[0] - quad[1]) / 2
    return abs(float(along[0] * down[1] - along[1] * down[0])) / max(length, 1e-6)


def targets(lines: list[printed.Line]):
    """Core of lines, offset and height, kind, and how much a cell counts."""
    h, w = H // STRIDE, W // STRIDE
    text, kind = np.zeros((h, w), np.float32), np.zeros((h, w), np.int64)
    shape = np.zeros((2, h, w), np.float32)
    counts = np.ones((h, w), np.float32)
    for line in lines:
        height = height_of(line.quad)
        centre = line.quad.mean(0)
        along = (line.quad[1] + line.quad[2] - line.quad[0] - line.quad[3]) / 2
        length = float(np.linalg.norm(along))
        u = along / max(length, 1e-6)
        reach = 0.5 * abs(along) + height
        x0, y0 = np.clip(np.floor((centre - reach) / STRIDE).astype(int), 0, (w, h))
        x1, y1 = np.clip(np.ceil((centre + reach) / STRIDE).astype(int) + 1, 0, (w, h))
        if x1 <= x0 or y1 <= y0 or length < 2:
            continue
        y, x = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        px, py = (x + 0.5) * STRIDE - centre[0], (y + 0.5) * STRIDE - centre[1]
        a, b = px * u[0] + py * u[1], py * u[0] - px * u[1]
        box = (abs(a) < length / 2) & (abs(b) < height / 2)
        area = slice(y0, y1), slice(x0, x1)
        if height < HEIGHT_MIN:
            counts[area][box] = 0
            continue
        # At least one row of cells, however small the line.
        core = (abs(a) < max(length / 2 - INSET * height, STRIDE / 2)) & (abs(b) < max(CORE / 2 * height, 0.51 * STRIDE))
        # The rim of a line is no line, but it matters less than the gap between two.
        counts[area][box & ~core] = 0.4
        text[area][core] = 1
        counts[area][core] = 1
        kind[area][core] = KINDS.index(line.kind)
        shape[0][area][core] = -(b / u[0])[core] / UNIT
        shape[1][area][core] = np.log(height / UNIT)
    return text, shape, kind, counts


def render(rng, bank, n: int):
    images, rest = [], []
    for _ in range(n):
        image, lines = view(rng, bank)
        images.append(image)
        rest.append(targets(lines))
    return (np.stack(images), *(np.stack(part) for part in zip(*rest)))


def loss_of(outputs, tensors, _progress):
    logits, shape, kinds = outputs
    _, text, wanted, kind, counts = tensors
    logits = logits[:, 0]
    p = torch.sigmoid(logits)
    bce = F.binary_cross_entropy_with_logits(logits, text, reduction="none") * counts
    # Averaged apart, as nine cells of ten have no line; the overlap as a whole keeps the two in balance.
    positive = text.sum().clamp(min=1)
    found = 0.5 * (bce * text).sum() / positive + 1.5 * (bce * (1 - text)).sum() / ((1 - text) * counts).sum().clamp(min=1)
    overlap = 1 - (2 * (p * text).sum() + 1) / ((p * counts).sum() + positive + 1)
    error = F.smooth_l1_loss(shape, wanted, reduction="none", beta=0.05).sum(1)
    placed = (error * text).sum() / positive
    told = F.cross_entropy(kinds, kind, weight=kinds.new_tensor(KIND_WEIGHTS), reduction="none")
    named = (told * text).sum() / positive
    with torch.no_grad():
        offset = ((shape[:, 0] - wanted[:, 0]).abs() * text).sum() / positive * UNIT
    return found + overlap + 4 * placed + 0.3 * named, {"found": found.item(), "overlap": overlap.item(), "placed": placed.item(), "kind": named.item(), "offset": offset.item()}


@dataclass
class Found:
    quad: np.ndarray
    score: float
    kind: int


@dataclass
class _Bead:
    """What one column says of one line."""

    column: int
    y: float
    height: float
    score: float
    kinds: np.ndarray


def boxes(text: np.ndarray, shape: np.ndarray, kinds: np.ndarray, least: float = 0.5) -> list[Found]:
    """The maps of one picture to lines. Cells are strung by the middle that each of them tells, not by
    touching: two close lines of small print touch, and still say different middles."""
    chains: list[list[_Bead]] = []
    open_: list[list[_Bead]] = []
    sure = 1 / (1 + np.exp(-text[0]))
    for column in range(sure.shape[1]):
        beads = _beads(column, sure, shape, kinds, least)
        # A gap of most of a height still is one between words; more parts a name from what stands beside it.
        open_ = [c for c in open_ if column - c[-1].column <= max(2, 0.8 * c[-1].height / STRIDE)]
        for bead in beads:
            fits = [c for c in open_ if c[-1].column < column and abs(_middle(c) - bead.y) < 0.35 * bead.height and abs(np.log(c[-1].height / bead.height)) < 0.4]
            if fits:
                min(fits, key=lambda c: abs(_middle(c) - bead.y)).append(bead)
            else:
                chains.append([bead])
                open_.append(chains[-1])
    return [line for line in map(_line, chains) if line is not None]


def _middle(chain: list[_Bead]) -> float:
    last = chain[-3:]
    return sum(b.y for b in last) / len(last)


def _beads(column: int, sure: np.ndarray, shape: np.ndarray, kinds: np.ndarray, least: float) -> list[_Bead]:
    """The lines that pass through one column; cells above each other that mean one line are one bead."""
    groups: list[list[tuple[float, float, float, np.ndarray]]] = []
    for row in np.nonzero(sure[:, column] >= least)[0]:
        y = (row + 0.5) * STRIDE + shape[0, row, column] * UNIT
        height = float(np.exp(np.clip(shape[1, row, column], -2, 2.5)) * UNIT)
        cell = (float(y), height, float(sure[row, column]), kinds[:, row, column])
        if groups and abs(groups[-1][-1][0] - y) < 0.35 * height:
            groups[-1].append(cell)
        else:
            groups.append([cell])
    out = []
    for cells in groups:
        weight = sum(c[2] for c in cells)
        out.append(_Bead(column, sum(c[0] * c[2] for c in cells) / weight, sum(c[1] * c[2] for c in cells) / weight, max(c[2] for c in cells), sum(c[3] for c in cells)))
    return out


def _line(chain: list[_Bead]) -> Found | None:
    """A straight box through a string of beads."""
    x = np.array([(b.column + 0.5) * STRIDE for b in chain])
    y = np.array([b.y for b in chain])
    height = float(np.median([b.height for b in chain]))
    score = float(np.mean([b.score for b in chain]))
    if len(chain) < 2 and score < LONE_SCORE:
        return None
    slope = float(np.polyfit(x, y, 1)[0]) if x[-1] - x[0] > 2 * height else 0.0
    slope = float(np.clip(slope, -0.2, 0.2))
    middle = float((y - slope * x).mean())
    # The core ends before the line does; half a cell at either end is not known.
    x0, x1 = x[0] - STRIDE / 2 - INSET * height + 1, x[-1] + STRIDE / 2 + INSET * height - 1
    u = np.array([1, slope]) / np.hypot(1, slope)
    v = np.array([-u[1], u[0]]) * height / 2
    left, right = np.array([x0, middle + slope * x0]), np.array([x1, middle + slope * x1])
    kinds = np.sum([b.kinds for b in chain], 0)
    return Found(np.array([left - v, right - v, right + v, left + v], np.float32), score, int(np.argmax(kinds)))


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Intersection over union of two convex quads."""
    common, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return common / max(cv2.contourArea(a.astype(np.float32)) + cv2.contourArea(b.astype(np.float32)) - common, 1e-6)


if __name__ == "__main__":
    train("lines", options(minutes=60, batch=8, rate=2e-3), render, loss_of)
