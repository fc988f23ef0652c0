"""Trains the line detector.   python -m cardstock_training.train.line_detector --minutes 60"""
import functools
import json

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training import paths
from cardstock_training.render import cards, photos, printed_cards
from cardstock_training.render.grammars import KINDS
from cardstock_training.render.sample_cache import SampleCache
from cardstock_training.train.line_decoding import INSET, height_of
from cardstock_training.train.loop import parse_options, train
from cardstock_training.train.sizes import LINES_SIZE
from cardstock_training.train.sizes import LINES_STRIDE as STRIDE
from cardstock_training.train.sizes import LINES_UNIT as UNIT

H, W = LINES_SIZE
# The loss and the evaluation ignore lower lines, in pixels of the input.
HEIGHT_MIN = 5.0
# Core of a line, as a share of its height.
CORE = 0.4
# Name, number, other. Nine of ten cells belong to rules text.
KIND_WEIGHTS = (3.0, 8.0, 1.0)
# Weight of the cores of names and numbers: they are short, and a lost character costs most there.
CORE_WEIGHT = 3.0
# Kinds of lines on scans beside those of `grammars.KINDS`: of no known kind, and of no known extent.
UNKNOWN, IGNORED = "unknown", "ignored"
# Share of the views that show scans, if their lines are known (see render/scan_lines.py).
SCANS = 0.5
# Drawing a card takes as long as everything else: each is used about four times.
_cards = SampleCache(size=60, new=0.25)


def render_view(rng, bank, held_out: bool = False) -> tuple[np.ndarray, list[printed_cards.Line]]:
    """Renders a rectified card or slab, H x W x 1. Returns it with its lines."""
    roll = rng.random()
    if roll < 0.12:
        sheet, quad = _slab(rng, bank, held_out)
    else:
        near = roll < 0.3
        taught = () if held_out or rng.random() > SCANS else _taught_scans()
        sheet = _scan(*taught[rng.integers(len(taught))]) if taught else _card(rng, bank, held_out)
        if taught and rng.random() < 0.2:  # light ink for dark
            sheet.image = 255 - sheet.image
        h, w = sheet.image.shape[:2]
        part = rng.uniform(0.5, 0.95) if near else 1.0  # a close-up of the foot or the head
        y = (0.0 if rng.random() < 0.4 else 1 - part) * h
        x = rng.uniform(0, 1 - part) * w
        quad = np.array([[x, y], [x + w * part, y], [x + w * part, y + h * part], [x, y + h * part]], np.float32)
    spread = rng.uniform(0, 0.012)
    quad = quad + rng.normal(0, spread, (4, 2)) * (quad[2] - quad[0])
    if rng.random() < 0.15:
        center = quad.mean(0)
        angle = np.radians(rng.normal(0, 2.5))
        quad = (quad - center) @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + center
    M = cv2.getPerspectiveTransform(quad.astype(np.float32), np.array([[0, 0], [W, 0], [W, H], [0, H]], np.float32))
    image = sheet.image
    scale = W / float(np.linalg.norm(quad[1] - quad[0]))
    if scale < 0.8:
        image = cv2.blur(image, (2, 2))
    canvas = cv2.warpPerspective(image, M, (W, H), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=cards.color(rng, (0, 0.6), (0, 1)))
    lines = printed_cards.warp_lines(sheet, M)
    whole = np.array([[0, 0], [W, 0], [W, H], [0, H]], np.float32)
    worn = photos.apply_damage(rng, canvas, whole, _damage(rng))
    return cv2.cvtColor(worn, cv2.COLOR_RGB2GRAY)[..., None], lines


def _card(rng, bank, held_out: bool) -> printed_cards.PrintedCard:
    draw = lambda: printed_cards.random_card(rng, bank, held_out, rng.uniform(8, 12))
    return draw() if held_out else _cards.get(rng, draw)


@functools.cache
def _taught_scans() -> tuple[tuple[np.ndarray, dict], ...]:
    """Returns the scans for training with their lines; none if they are missing."""
    file = paths.BANK / "scan-lines.json"
    labels = json.loads(file.read_text()) if file.exists() else {}
    return tuple((cv2.imread(str(paths.SHARED / "scans" / name))[..., ::-1], lines) for name, lines in labels.items())


def _scan(image: np.ndarray, taught: dict) -> printed_cards.PrintedCard:
    h, w = image.shape[:2]
    lines = [printed_cards.Line("", UNKNOWN if kind < 0 else KINDS[kind], np.float32(quad) * np.float32([w, h])) for quad, kind in taught["lines"]]
    lines += [printed_cards.Line("", IGNORED, np.float32(quad) * np.float32([w, h])) for quad in taught["unknown"]]
    return printed_cards.PrintedCard(np.ascontiguousarray(image), lines, w / printed_cards.CARD[0])


def _damage(rng) -> photos.Damage:
    """Returns damage as for photos of cards, but with little blur, so that text stays visible."""
    damage = photos.Damage.random(rng, 0.7)
    damage.blur, damage.motion = min(damage.blur, 0.003), min(damage.motion, 0.006)
    damage.small = max(damage.small, 0.6)
    return damage


def _slab(rng, bank, held_out: bool) -> tuple[printed_cards.PrintedCard, np.ndarray]:
    """Draws a grading label, usually above a card."""
    density = rng.uniform(5.5, 8)
    label = printed_cards.random_label(rng, held_out, density)
    width = label.image.shape[1]
    card = printed_cards.random_card(rng, bank, held_out, density * rng.uniform(0.9, 1.0))
    left, gap = (width - card.image.shape[1]) // 2, int(density * rng.uniform(2, 7))
    top = label.image.shape[0] + gap
    sheet = np.full((int(width * H / W), width, 3), cards.color(rng, (0, 0.2), (0.4, 1)), np.uint8)
    sheet[:label.image.shape[0]] = label.image[:len(sheet)]
    lines = list(label.lines)
    seen = min(card.image.shape[0], len(sheet) - top)
    if rng.random() < 0.7 and left >= 0 and seen > 0:
        sheet[top:top + seen, left:left + card.image.shape[1]] = card.image[:seen]
        lines += [printed_cards.replace(l, quad=l.quad + np.float32((left, top))) for l in card.lines if l.quad[:, 1].max() < seen]
    h, w = sheet.shape[:2]
    rim = rng.uniform(0, 0.06) * w
    return printed_cards.PrintedCard(sheet, lines, density), np.array([[-rim, -rim], [w + rim, -rim], [w + rim, h + rim], [-rim, h + rim]], np.float32)


def targets(lines: list[printed_cards.Line]):
    """Returns the core of lines, offset and height, kind, and the weight of each cell."""
    h, w = H // STRIDE, W // STRIDE
    text, kind = np.zeros((h, w), np.float32), np.zeros((h, w), np.int64)
    shape = np.zeros((2, h, w), np.float32)
    counts = np.ones((h, w), np.float32)
    for line in lines:
        height = height_of(line.quad)
        center = line.quad.mean(0)
        along = (line.quad[1] + line.quad[2] - line.quad[0] - line.quad[3]) / 2
        length = float(np.linalg.norm(along))
        u = along / max(length, 1e-6)
        reach = 0.5 * abs(along) + height
        x0, y0 = np.clip(np.floor((center - reach) / STRIDE).astype(int), 0, (w, h))
        x1, y1 = np.clip(np.ceil((center + reach) / STRIDE).astype(int) + 1, 0, (w, h))
        if x1 <= x0 or y1 <= y0 or length < 2:
            continue
        y, x = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        px, py = (x + 0.5) * STRIDE - center[0], (y + 0.5) * STRIDE - center[1]
        a, b = px * u[0] + py * u[1], py * u[0] - px * u[1]
        box = (abs(a) < length / 2) & (abs(b) < height / 2)
        area = slice(y0, y1), slice(x0, x1)
        if height < HEIGHT_MIN or line.kind == IGNORED:
            counts[area][box] = 0
            continue
        # At least one row of cells, even for small lines.
        core = (abs(a) < max(length / 2 - INSET * height, STRIDE / 2)) & (abs(b) < max(CORE / 2 * height, 0.51 * STRIDE))
        # Cells around the core weigh less than the gap between two lines.
        counts[area][box & ~core] = 0.4
        text[area][core] = 1
        counts[area][core] = CORE_WEIGHT if line.kind in ("name", "number") else 1
        kind[area][core] = KINDS.index(line.kind) if line.kind in KINDS else -1
        shape[0][area][core] = -(b / u[0])[core] / UNIT
        shape[1][area][core] = np.log(height / UNIT)
    return text, shape, kind, counts


def render(rng, bank, n: int):
    images, rest = [], []
    for _ in range(n):
        image, lines = render_view(rng, bank)
        images.append(image)
        rest.append(targets(lines))
    return (np.stack(images), *(np.stack(part) for part in zip(*rest)))


def loss_of(outputs, tensors, _progress):
    logits, shape, kinds = outputs
    _, text, wanted, kind, counts = tensors
    logits = logits[:, 0]
    p = torch.sigmoid(logits)
    bce = F.binary_cross_entropy_with_logits(logits, text, reduction="none") * counts
    # Positive and negative cells are averaged separately, as nine of ten are empty; the overlap balances both.
    positive = text.sum().clamp(min=1)
    found = 0.5 * (bce * text).sum() / positive + 1.5 * (bce * (1 - text)).sum() / ((1 - text) * counts).sum().clamp(min=1)
    overlap = 1 - (2 * (p * text).sum() + 1) / ((p * counts.clamp(max=1)).sum() + positive + 1)
    error = F.smooth_l1_loss(shape, wanted, reduction="none", beta=0.05).sum(1)
    placed = (error * text).sum() / positive
    kind_loss = F.cross_entropy(kinds, kind, weight=kinds.new_tensor(KIND_WEIGHTS), ignore_index=-1, reduction="none")
    named = (kind_loss * text).sum() / positive
    with torch.no_grad():
        offset = ((shape[:, 0] - wanted[:, 0]).abs() * text).sum() / positive * UNIT
    return found + overlap + 4 * placed + 0.3 * named, {"found": found.item(), "overlap": overlap.item(), "placed": placed.item(), "kind": named.item(), "offset": offset.item()}


if __name__ == "__main__":
    train("lines", parse_options(minutes=60, batch=8, rate=2e-3), render, loss_of)
