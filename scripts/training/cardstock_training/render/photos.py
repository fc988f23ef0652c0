"""Renders photos of cards on tables, in hands, sleeves and slabs, taken with a poor camera.

Uses only numpy and OpenCV, so it runs on any CPU: about 5 ms for a photo of 320 x 320.
A quad is four points in pixels, in the order of the card's own top left, top right, bottom right and bottom
left corners, whatever its rotation in the photo.
"""
from dataclasses import dataclass, field

import cv2
import numpy as np

from cardstock_training.render import cards
from cardstock_training.render.banks import Bank

KINDS = ("raw", "back", "graded slab", "sealed")
# Share of an item that has to be visible: inside the frame and not under other items.
VISIBLE = 0.66
SIDEWAYS = 0.06  # share of the faces
_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_noise = np.random.default_rng(7).normal(0, 1, (1 << 20,)).astype(np.float32)


@dataclass
class Item:
    picture: np.ndarray
    kind: int
    quad: np.ndarray
    sleeve: float = 0.0
    outer: np.ndarray | None = None
    label: np.ndarray | None = None


@dataclass
class Damage:
    """Effects of the camera and the light on a photo; 0 turns an effect off."""

    blur: float = 0.0      # sigma, share of the card's height
    motion: float = 0.0    # length, share of the card's height
    glare: int = 0         # number of spots
    foil: float = 0.0
    fingers: int = 0
    dark: float = 0.0      # 0 to 1
    noise: float = 0.0     # standard deviation, of 255
    tint: float = 0.0
    gradient: float = 0.0
    jpeg: int = 95
    small: float = 1.0     # scaled down to this share, then up again

    @staticmethod
    def random(rng, harsh: float = 1.0) -> "Damage":
        some = lambda p: rng.random() < p * harsh
        return Damage(
            blur=abs(rng.normal(0, 0.006)) if some(0.6) else 0, motion=rng.uniform(0, 0.025) if some(0.2) else 0,
            glare=int(rng.integers(1, 4)) if some(0.3) else 0, foil=rng.uniform(0.1, 0.6) if some(0.15) else 0,
            fingers=int(rng.integers(1, 3)) if some(0.2) else 0, dark=rng.uniform(0.2, 0.85) if some(0.2) else 0,
            noise=rng.uniform(2, 14) if some(0.4) else 1, tint=rng.uniform(0, 0.25) if some(0.6) else 0.03,
            gradient=rng.uniform(0, 0.6) if some(0.5) else 0, jpeg=int(rng.integers(35, 96)) if some(0.6) else 95,
            small=rng.uniform(0.35, 1) if some(0.25) else 1.0)


def homography(quad: np.ndarray, w: float, h: float) -> np.ndarray:
    return cv2.getPerspectiveTransform(_SQUARE * np.array([w, h], np.float32), quad.astype(np.float32))


def quad_height(quad: np.ndarray) -> float:
    return float(np.linalg.norm(quad[0] - quad[3]) + np.linalg.norm(quad[1] - quad[2])) / 2


def paste(canvas: np.ndarray, picture: np.ndarray, quad: np.ndarray, radius: float = 0.0, opacity: float = 1.0) -> None:
    """Pastes a picture into a quad of the canvas; `radius` rounds its corners, as a share of its width."""
    h, w = picture.shape[:2]
    scale = max(1.0, h / max(quad_height(quad), 8.0))
    if scale > 1.2:
        w, h = max(4, round(w / scale)), max(4, round(h / scale))
        picture = cv2.resize(np.ascontiguousarray(picture), (w, h), interpolation=cv2.INTER_AREA)
    H, W = canvas.shape[:2]
    x0, y0 = np.floor(quad.min(0)).astype(int) - 2
    x1, y1 = np.ceil(quad.max(0)).astype(int) + 3
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, W), min(y1, H)
    if x1 <= x0 or y1 <= y0:
        return
    M = homography(quad - (x0, y0), w, h) @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]], np.float64)
    M = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]], np.float64) @ M
    size = (int(x1 - x0), int(y1 - y0))
    warped = cv2.warpPerspective(np.ascontiguousarray(picture), M, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((size[1] * 2, size[0] * 2), np.uint8)
    outline = _rounded(radius)
    points = cv2.perspectiveTransform((outline * (w, h) - 0.5).astype(np.float64)[None], M)[0]
    cv2.fillPoly(mask, [np.round((points + 0.5) * 2 * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    alpha = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)[..., None].astype(np.float32) * (opacity / 255)
    area = canvas[y0:y1, x0:x1]
    area[:] = (area + (warped.astype(np.float32) - area) * alpha).astype(np.uint8)


_outlines: dict[float, np.ndarray] = {}


def _rounded(radius: float) -> np.ndarray:
    if radius <= 0:
        return _SQUARE.astype(np.float64)
    key = round(radius, 3)
    if key not in _outlines:
        rx, ry, points = key, key * 63 / 88, []
        for cx, cy, a in ((rx, ry, 180), (1 - rx, ry, 270), (1 - rx, 1 - ry, 0), (rx, 1 - ry, 90)):
            for t in np.radians(np.linspace(a, a + 90, 6)):
                points.append((cx + rx * np.cos(t), cy + ry * np.sin(t)))
        _outlines[key] = np.array(points)
    return _outlines[key]


def background(rng, bank: Bank, h: int, w: int, clutter: float) -> np.ndarray:
    pick = rng.random()
    if pick < 0.3 or (bank.textures is None and pick < 0.6):
        img = np.empty((h, w, 3), np.uint8)
        img[:] = cards.color(rng, (0, 0.6), (0.03, 1))
        img = (img * (0.85 + 0.3 * cards.smooth_noise(rng, h, w, int(rng.integers(1, 30)), 1)).clip(0, 1.0)).astype(np.uint8)
    elif pick < 0.6:
        tex = bank.textures[rng.integers(len(bank.textures))]
        k = rng.uniform(0.5, 2.5)
        s = int(min(256, 256 / k)) if k > 1 else 256
        part = tex[:s, :s]
        if k < 1:
            part = np.tile(cv2.resize(np.ascontiguousarray(part), None, fx=k, fy=k, interpolation=cv2.INTER_AREA), (2, 2, 1))
        img = cv2.resize(np.ascontiguousarray(part), (w, h), interpolation=cv2.INTER_LINEAR)
        img = np.clip(img * rng.uniform(0.4, 1.2) + rng.uniform(-20, 20, 3), 0, 255).astype(np.uint8)
    elif pick < 0.75:  # planks
        base, n = np.array(cards.color(rng, (0.2, 0.7), (0.3, 0.9)), np.float32), int(rng.integers(2, 8))
        grain = cv2.resize(rng.random((h // 2, 6, 1), dtype=np.float32), (w, h), interpolation=cv2.INTER_CUBIC)[..., None]
        img = np.clip(base * (0.7 + 0.5 * grain), 0, 255).astype(np.uint8)
        for i in range(1, n):
            cv2.line(img, (0, i * h // n), (w, i * h // n + int(rng.integers(-3, 4))), (base * 0.4).tolist(), int(rng.integers(1, 3)))
        if rng.random() < 0.5:
            img = np.ascontiguousarray(np.rot90(cv2.resize(img, (h, w))))
    else:
        n = cards.smooth_noise(rng, h, w, int(rng.integers(2, 12)))
        a, b = np.array(cards.color(rng, (0, 1), (0, 1)), np.float32), np.array(cards.color(rng, (0, 0.6), (0, 1)), np.float32)
        img = (a * n + b * (1 - n)).astype(np.uint8)
    if rng.random() < clutter:
        for _ in range(int(rng.integers(1, 10))):
            cards.draw_shape(rng, img, cards.color(rng))
        if rng.random() < 0.5:
            for _ in range(int(rng.integers(1, 4))):  # rectangles that are not cards
                q = random_quad(rng, h, w, rng.uniform(0.1, 0.6), aspect=rng.uniform(0.2, 1), tilt=0.5)
                plain = np.empty((40, 40, 3), np.uint8)
                plain[:] = cards.color(rng)
                paste(img, plain, q)
    return np.ascontiguousarray(img)


def random_quad(rng, h: int, w: int, scale: float, aspect: float = 63 / 88, tilt: float = 1.0, angle: float | None = None, center=None) -> np.ndarray:
    """Returns a quad whose longer side is `scale` of the frame's shorter side, tilted by up to 45 degrees."""
    angle = rng.uniform(0, 2 * np.pi) if angle is None else angle
    ch = scale * min(h, w)
    cw = ch * aspect
    p = (_SQUARE - 0.5) * (cw, ch)
    yaw, pitch = (np.radians(rng.normal(0, 14) * tilt) for _ in range(2))
    yaw, pitch = np.clip([yaw, pitch], -0.78, 0.78)
    c, s = np.cos(angle), np.sin(angle)
    p3 = np.column_stack([p @ np.array([[c, s], [-s, c]]), np.zeros(4)])
    rx = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    ry = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
    p3 = p3 @ (rx @ ry).T
    focal = max(ch, min(h, w)) * rng.uniform(1.2, 4)
    q = p3[:, :2] * (focal / (focal + p3[:, 2:]))
    lo, hi = q.min(0), q.max(0)
    if center is None:
        # Anywhere in the frame; large cards may extend slightly beyond it.
        room = np.array([w, h]) - (hi - lo)
        slack = 0.04 * np.array([w, h])
        low, high = np.minimum(0, room) - (slack if scale > 0.9 else 0), np.maximum(room, 0) + (slack if scale > 0.9 else 0)
        offset = np.array([rng.uniform(a, b) if b > a else (a + b) / 2 for a, b in zip(low, high)]) - lo
    else:
        offset = np.array(center) - (lo + hi) / 2
    return (q + offset).astype(np.float32)


def inset(quad: np.ndarray, left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """Returns a rectangle in the plane of a quad, in shares of it; negative values extend beyond it."""
    box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    return cv2.perspectiveTransform(box[None], homography(quad, 1, 1))[0]


def turned(quad: np.ndarray, angle: float) -> np.ndarray:
    """Turns a quad about its middle."""
    c, s = np.cos(angle), np.sin(angle)
    return (quad - quad.mean(0)) @ np.array([[c, s], [-s, c]]) + quad.mean(0)


def draw(rng, canvas: np.ndarray, item: Item, bank: Bank) -> None:
    quad, hgt = item.quad, quad_height(item.quad)
    outermost = item.quad if item.outer is None else item.outer
    if rng.random() < 0.5:
        _shadow(rng, canvas, outermost, hgt)
    if item.outer is not None:  # a slab: clear plastic, a rim and a label above the card
        plain = np.empty((8, 8, 3), np.uint8)
        plain[:] = cards.color(rng, (0, 0.15), (0.55, 1)) if rng.random() < 0.7 else cards.color(rng, (0, 0.3), (0.05, 0.3))
        paste(canvas, plain, item.outer, 0.05, rng.uniform(0.35, 0.95))
        edge = np.clip(plain.astype(int) + 40, 0, 255).astype(np.uint8)
        cv2.polylines(canvas, [np.round(item.outer * 16).astype(np.int32)], True, edge[0, 0].tolist(), max(1, int(hgt * 0.012)), cv2.LINE_AA, 4)
        paste(canvas, item.label, inset(quad, rng.uniform(-0.05, 0.03), -0.33, rng.uniform(0.97, 1.05), -0.07), 0.02)
        if rng.random() < 0.6:
            rim = inset(quad, -0.03, -0.022, 1.03, 1.022)
            paste(canvas, plain, rim, 0.05, rng.uniform(0.2, 0.8))
    elif item.sleeve > 0:
        rim = inset(quad, -item.sleeve, -item.sleeve * 0.6, 1 + item.sleeve, 1 + item.sleeve * rng.uniform(0.3, 1.2))
        plain = np.empty((8, 8, 3), np.uint8)
        plain[:] = cards.color(rng, (0, 0.8), (0.05, 1))
        paste(canvas, plain, rim, 0.03, rng.uniform(0.15, 1.0))
    radius = 0.0 if item.kind == 3 else float(rng.choice([0.03, 0.04, 0.045, 0.05])) if rng.random() < 0.92 else 0.0
    paste(canvas, item.picture, quad, radius)
    if item.outer is not None or item.sleeve > 0:
        if rng.random() < 0.5:  # haze of the plastic
            haze = np.full((4, 4, 3), 235, np.uint8)
            paste(canvas, haze, quad if item.outer is None else item.outer, 0.03, rng.uniform(0.02, 0.15))


def _shadow(rng, canvas, quad, hgt) -> None:
    mask = np.zeros(canvas.shape[:2], np.uint8)
    shift = rng.normal(0, 0.04 * hgt, 2)
    cv2.fillConvexPoly(mask, np.round(quad + shift).astype(np.int32), 255)
    sigma = max(0.6, hgt * rng.uniform(0.005, 0.05))
    mask = cv2.blur(cv2.blur(mask, (int(sigma * 2) | 1,) * 2), (int(sigma * 2) | 1,) * 2)
    dim = 1 - mask[..., None].astype(np.float32) * (rng.uniform(0.2, 0.7) / 255)
    canvas[:] = (canvas * dim).astype(np.uint8)


def apply_damage(rng, canvas: np.ndarray, quad: np.ndarray, damage: Damage) -> np.ndarray:
    """Applies light, camera and compression effects. Returns a new picture."""
    h, w = canvas.shape[:2]
    hgt = quad_height(quad)
    at = lambda margin: cv2.perspectiveTransform(np.array([[[rng.uniform(-margin, 1 + margin), rng.uniform(-margin, 1 + margin)]]], np.float32), homography(quad, 1, 1))[0, 0]
    if damage.foil > 0:
        _foil(rng, canvas, quad, damage.foil)
    for _ in range(damage.fingers):
        _finger(rng, canvas, quad, hgt)
    img = canvas.astype(np.float32)
    if damage.gradient > 0:
        a = rng.uniform(0, 2 * np.pi)
        t = (np.cos(a) * np.linspace(-1, 1, w, dtype=np.float32)[None] + np.sin(a) * np.linspace(-1, 1, h, dtype=np.float32)[:, None])
        img *= (1 + damage.gradient * 0.7 * t)[..., None]
    for _ in range(damage.glare):
        c, spread = at(0.0), hgt * rng.uniform(0.04, 0.22)
        angle, ratio = rng.uniform(0, np.pi), rng.uniform(0.15, 1)
        y, x = np.ogrid[0:h, 0:w]
        u = ((x - c[0]) * np.cos(angle) + (y - c[1]) * np.sin(angle)) / spread
        v = (-(x - c[0]) * np.sin(angle) + (y - c[1]) * np.cos(angle)) / (spread * ratio)
        spot = np.exp(-0.5 * (u * u + v * v) ** rng.uniform(0.7, 2)).astype(np.float32)
        img += spot[..., None] * rng.uniform(90, 330)
    if damage.tint > 0:
        img *= 1 + rng.uniform(-damage.tint, damage.tint, 3).astype(np.float32)
    img = np.clip(img, 0, 255)
    if damage.dark > 0:
        img = 255 * (img / 255) ** (1 + 0.6 * damage.dark) * (1 - 0.82 * damage.dark)
    elif rng.random() < 0.5:
        img = 255 * (img / 255) ** rng.uniform(0.7, 1.4)
    img = img.astype(np.float32)
    if damage.blur * hgt > 0.25:
        img = cv2.GaussianBlur(img, (0, 0), damage.blur * hgt)
    if damage.motion * hgt >= 2:
        n = int(damage.motion * hgt) | 1
        kernel = np.zeros((n, n), np.float32)
        a = rng.uniform(0, np.pi)
        d = np.array([np.cos(a), np.sin(a)]) * (n // 2)
        c = n // 2
        cv2.line(kernel, tuple(np.round(c - d).astype(int).tolist()), tuple(np.round(c + d).astype(int).tolist()), 1)
        img = cv2.filter2D(img, -1, kernel / kernel.sum())
    if damage.small < 1:
        small = cv2.resize(img, (max(8, int(w * damage.small)), max(8, int(h * damage.small))), interpolation=cv2.INTER_AREA)
        img = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
    sigma = damage.noise * (1 + 1.5 * damage.dark)
    if sigma > 0.5:
        start = int(rng.integers(0, len(_noise) // 2))
        grain = np.resize(_noise[start:], (h, w, 1))
        img = img + grain * sigma
    img = np.clip(img, 0, 255).astype(np.uint8)
    if damage.dark > 0 and rng.random() < 0.5:  # the camera brightens a dark photo, and its noise
        img = cv2.convertScaleAbs(img, alpha=1 / (1 - 0.6 * damage.dark))
    if damage.jpeg < 93:
        img = cv2.imdecode(cv2.imencode(".jpg", img, [cv2.IMWRITE_JPEG_QUALITY, damage.jpeg])[1], cv2.IMREAD_COLOR)
    return img


def _foil(rng, canvas, quad, strength) -> None:
    h, w = canvas.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    a, f = rng.uniform(0, np.pi), rng.uniform(2, 12) / max(quad_height(quad), 1)
    phase = (x * np.cos(a) + y * np.sin(a)) * f * 2 + cards.smooth_noise(rng, h, w, 5, 1)[..., 0] * 6
    rainbow = np.stack([np.sin(phase + k) for k in (0, 2.1, 4.2)], -1) * 0.5 + 0.5
    mask = np.zeros((h, w), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 255, cv2.LINE_AA)
    gloss = cards.smooth_noise(rng, h, w, 4, 1)
    alpha = mask[..., None].astype(np.float32) / 255 * strength * gloss
    canvas[:] = np.clip(canvas * (1 - alpha * 0.5) + rainbow * 200 * alpha, 0, 255).astype(np.uint8)


def _finger(rng, canvas, quad, hgt) -> None:
    edge = rng.integers(4)
    t = rng.uniform(0.1, 0.9)
    p = quad[edge] * (1 - t) + quad[(edge + 1) % 4] * t
    inward = quad.mean(0) - p
    inward /= np.linalg.norm(inward) + 1e-6
    tip, root = p + inward * hgt * rng.uniform(0.0, 0.1), p - inward * hgt * 0.6 + rng.normal(0, 0.1 * hgt, 2)
    skin = np.array([rng.uniform(120, 245), 0, 0])
    skin[1] = skin[0] * rng.uniform(0.65, 0.85)
    skin[2] = skin[1] * rng.uniform(0.7, 0.95)
    width = max(2, int(hgt * rng.uniform(0.1, 0.2)))
    cv2.line(canvas, tuple(np.round(tip).astype(int).tolist()), tuple(np.round(root).astype(int).tolist()), (skin * 0.85).tolist(), width, cv2.LINE_AA)
    cv2.line(canvas, tuple(np.round(tip).astype(int).tolist()), tuple(np.round(root).astype(int).tolist()), skin.tolist(), max(1, int(width * 0.8)), cv2.LINE_AA)


def random_item(rng, bank: Bank, quad: np.ndarray, kind: int, picture: np.ndarray | None = None) -> Item:
    """Draws an item to photograph. The quad is that of the card, also in a slab."""
    if kind == 1:
        return Item(bank.backs[rng.integers(len(bank.backs))] if picture is None else picture, 1, quad, sleeve=_sleeve(rng))
    if kind == 3:
        return Item(bank.sealed[rng.integers(len(bank.sealed))], 3, quad)
    if picture is None:
        picture = bank.face(rng) if rng.random() > SIDEWAYS else sideways(rng, bank)
    if kind == 2:
        outer = inset(quad, -rng.uniform(0.08, 0.16), -rng.uniform(0.38, 0.5), 1 + rng.uniform(0.08, 0.16), 1 + rng.uniform(0.06, 0.13))
        return Item(picture, 2, quad, outer=outer, label=cards.label(rng, bank.family, 220, 66))
    return Item(picture, 0, quad, sleeve=_sleeve(rng))


def sideways(rng, bank: Bank) -> np.ndarray:
    """Draws a card whose text runs along its long side, such as a battle or split card: one face or two, rotated."""
    h, w = cards.HEIGHT, cards.WIDTH
    parts = int(rng.integers(1, 3))
    lying = np.hstack([cv2.resize(np.ascontiguousarray(bank.face(rng)), (h // parts, w), interpolation=cv2.INTER_AREA) for _ in range(parts)])
    return np.ascontiguousarray(np.rot90(lying))


def _sleeve(rng) -> float:
    return rng.uniform(0.008, 0.05) if rng.random() < 0.3 else 0.0


@dataclass
class Scene:
    image: np.ndarray
    items: list[Item] = field(default_factory=list)


def scene(rng, bank: Bank, h: int, w: int, clutter: float = 0.5, single: float = 0.6, damage: Damage | None = None, scale=None) -> Scene:
    """Renders a photo with one item, several, or none."""
    canvas = background(rng, bank, h, w, clutter)
    items: list[Item] = []
    pick = rng.random()
    if pick < 0.06 and scale is None:
        if rng.random() < 0.5:  # art without a card
            part = cards.art(rng, bank.family, h // 2, w // 2, None)
            canvas = cv2.resize(part, (w, h))
    elif pick < 0.06 + single or scale is not None:
        kind = int(rng.choice(4, p=(0.72, 0.1, 0.1, 0.08)))
        size = rng.uniform(*(scale or ((0.15, 0.5) if rng.random() < 0.35 else (0.5, 1.03))))
        items.append(_placed(rng, bank, h, w, kind, size))
    else:
        items = _several(rng, bank, h, w)
    for t in items:
        draw(rng, canvas, t, bank)
    main = max(items, key=lambda t: quad_height(t.quad)).quad if items else random_quad(rng, h, w, 0.6)
    return Scene(apply_damage(rng, canvas, main, damage or Damage.random(rng)), items)


def _placed(rng, bank, h, w, kind, size) -> Item:
    # Most photos are about upright; the others have any rotation.
    angle = rng.normal(0, 0.2) if rng.random() < 0.35 else None
    if kind == 2:
        size *= 0.72 if rng.random() < 0.7 else 0.85  # the slab, not the card, has to fit roughly
    aspect = rng.uniform(0.5, 1.3) if kind == 3 else 63 / 88
    quad = random_quad(rng, h, w, size, aspect=aspect, angle=angle)
    if kind == 2:
        mid = inset(quad, 0.0, -0.45, 1.0, 1.1).mean(0)
        quad = quad + np.clip(mid, [w * 0.3, h * 0.3], [w * 0.7, h * 0.7]) - mid
    return random_item(rng, bank, quad.astype(np.float32), kind)


def _several(rng, bank, h, w) -> list[Item]:
    return _heap(rng, bank, h, w) if rng.random() < 0.3 else _grid(rng, bank, h, w)


def _heap(rng, bank, h, w) -> list[Item]:
    """Places cards that partly cover each other, the last on top."""
    size = rng.uniform(0.3, 0.75)
    center, turn = np.array([rng.uniform(0.3, 0.7) * w, rng.uniform(0.3, 0.7) * h]), rng.uniform(0, 2 * np.pi)
    items = []
    for _ in range(int(rng.integers(2, 6))):
        quad = random_quad(rng, h, w, size, tilt=0.4, angle=turn + rng.normal(0, 0.3), center=center + rng.normal(0, 0.35 * size * min(h, w), 2))
        items.append(random_item(rng, bank, quad, int(rng.choice(2, p=(0.85, 0.15)))))
    return items


def _grid(rng, bank, h, w) -> list[Item]:
    cols, rows = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    if cols * rows == 1:
        cols = 2
    kind = int(rng.choice(4, p=(0.75, 0.12, 0.08, 0.05)))
    turn, items = rng.normal(0, 0.15), []
    jitter = rng.uniform(0, 0.6)
    for r in range(rows):
        for c in range(cols):
            center = ((c + 0.5) * w / cols + rng.normal(0, 0.02 * w), (r + 0.5) * h / rows + rng.normal(0, 0.02 * h))
            size = min(w / cols / (63 / 88), h / rows) / min(h, w) * rng.uniform(0.75, 1.05)
            if kind == 2:
                size *= 0.62
            quad = random_quad(rng, h, w, size, tilt=0.4, angle=turn + rng.normal(0, jitter), center=center)
            items.append(random_item(rng, bank, quad, kind))
    return items


def visible_masks(items: list[Item], h: int, w: int) -> list[tuple[np.ndarray, float, float]]:
    """Returns for each item, at half size: its visible pixels, and the shares of it that are visible and inside the frame."""
    ids = np.zeros((h // 2, w // 2), np.uint8)
    inside, areas = [], []
    for i, t in enumerate(items):
        outline = np.round(t.quad / 2).astype(np.int32)
        own = cv2.fillConvexPoly(np.zeros_like(ids), outline, 1)
        ids[own > 0] = i + 1
        inside.append(int(own.sum()))
        areas.append(max(1.0, cv2.contourArea((t.quad / 2).astype(np.float32))))
    masks = [ids == i + 1 for i in range(len(items))]
    return [(m, m.sum() / a, n / a) for m, a, n in zip(masks, areas, inside)]
