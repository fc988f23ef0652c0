"""Renders photos that mislead a detector: sideways prints, full art, backs, slabs of many makes, fans, heaps and hands.

`photos.py` renders the everyday cases. Half of a training batch comes from here.
"""
import cv2
import numpy as np

from cardstock_training.render import cards, photos
from cardstock_training.render.banks import Bank

W, H = cards.WIDTH, cards.HEIGHT
_DARK = ((0, 1), (0.02, 0.3))


def _plain(c) -> np.ndarray:
    picture = np.empty((8, 8, 3), np.uint8)
    picture[:] = c
    return picture


def _write(rng, img: np.ndarray, at: tuple[int, int], size: float, ink, n: int = 2) -> None:
    """Writes words in a stroke font, which is fast; the detector cannot read."""
    face = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    cv2.putText(img, cards.words(rng, n).title(), at, face, size / 22, ink, 1, cv2.LINE_AA)


def _panel(rng, img: np.ndarray, box, light: bool, lines: bool = True, alpha: float = 0.85) -> None:
    x0, y0, x1, y1 = box
    fill = np.array(cards.color(rng, (0, 0.3), (0.75, 1) if light else (0.05, 0.3)), np.float32)
    img[y0:y1, x0:x1] = (img[y0:y1, x0:x1] * (1 - alpha) + fill * alpha).astype(np.uint8)
    ink = (20, 20, 20) if light else (240, 240, 240)
    if not lines:
        _write(rng, img, (x0 + 4, y1 - 5), max(7, (y1 - y0) * 0.6), ink, 2)
        return
    for y in range(y0 + 12, y1 - 3, int(rng.integers(9, 13))):
        if rng.random() < 0.12:
            continue
        _write(rng, img, (x0 + 4, y), 7.5, ink, max(1, (x1 - x0) // 34))


def _art(rng, bank: Bank, h: int, w: int) -> np.ndarray:
    """Draws art, or takes that of a scan."""
    if bank.scans is not None and rng.random() < 0.5:
        scan = bank.scans[rng.integers(len(bank.scans))]
        part = scan[int(0.12 * H):int(0.55 * H), int(0.08 * W):int(0.92 * W)]
        return cv2.resize(np.ascontiguousarray(part), (w, h), interpolation=cv2.INTER_AREA)
    return cards.art(rng, bank.family, h, w, bank.textures)


def doors(rng, bank: Bank) -> np.ndarray:
    """Draws two half cards side by side on one card, printed along its long side; returned upright."""
    lying = np.empty((W, H, 3), np.uint8)
    frame = [(14, 14, 14), (240, 240, 240), cards.color(rng), cards.color(rng, *_DARK)][rng.choice(4, p=(0.5, 0.1, 0.2, 0.2))]
    lying[:] = frame
    edge = int(rng.uniform(0, 0.06) * W)
    gap = int(rng.choice([0, 1, rng.uniform(0.01, 0.06) * H]))
    foot = int(rng.choice([edge, rng.uniform(0.02, 0.09) * W]))
    middle, shared = H // 2 + int(rng.normal(0, 3)), rng.random() < 0.6
    light = rng.random() < 0.6
    tone = cards.color(rng, (0, 0.8), (0.3, 1))
    top, art_y, rule = edge, int(rng.uniform(0.08, 0.16) * W), int(rng.uniform(0.5, 0.7) * W)
    if shared or rng.random() < 0.3:
        lying[top + 2:rule, edge:H - edge] = _art(rng, bank, rule - top - 2, H - 2 * edge)
    for x0, x1 in ((edge, middle - gap // 2), (middle + (gap + 1) // 2, H - edge)):
        inner = 0 if rng.random() < 0.4 else int(rng.integers(2, 9))
        if not shared:
            lying[top:W - foot, x0:x1] = tone if rng.random() < 0.8 else cards.color(rng)
            lying[top + art_y:rule, x0 + inner:x1 - inner] = _art(rng, bank, rule - top - art_y, x1 - x0 - 2 * inner)
        _panel(rng, lying, (x0 + inner, top + 2, x1 - inner, top + max(14, art_y)), light, lines=False)
        _panel(rng, lying, (x0 + inner, rule + 12, x1 - inner, W - foot - 3), light, alpha=rng.uniform(0.6, 1))
        if rng.random() < 0.5:
            cv2.rectangle(lying, (x0 + 1, top + 1), (x1 - 2, W - foot - 2), tone, int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.7:  # a bar with the type, which both halves share
        _panel(rng, lying, (edge, rule, H - edge, rule + 13), light, lines=False)
    for _ in range(int(rng.integers(0, 3))):
        _write(rng, lying, (int(rng.uniform(0.03, 0.7) * H), W - 3), 6, (235, 235, 235), 2)
    card = np.ascontiguousarray(np.rot90(lying, 1 if rng.random() < 0.8 else 3))
    if rng.random() < 0.6:  # a border along the short side, with the number
        bar = int(rng.uniform(0.03, 0.1) * H)
        card[-bar:] = (14, 14, 14) if rng.random() < 0.7 else frame
        for y in (H - bar // 2, H - 3):
            _write(rng, card, (int(rng.uniform(0.05, 0.5) * W), y), 6, (235, 235, 235), 2)
    return card


def landscape(rng, bank: Bank) -> np.ndarray:
    """Draws one print along the long side of a card, such as a battle or a plane."""
    lying = cv2.resize(_art(rng, bank, W, H), (H, W))
    edge, light = int(rng.uniform(0, 0.06) * W), rng.random() < 0.5
    if edge > 0:
        lying[:edge], lying[-edge:], lying[:, :edge], lying[:, -edge:] = ((14, 14, 14) if rng.random() < 0.6 else cards.color(rng),) * 4
    _panel(rng, lying, (edge + 4, edge + 3, H - edge - 4, edge + 19), light, lines=False)
    split = int(rng.uniform(0.55, 0.75) * W)
    _panel(rng, lying, (edge + 4, split, H - edge - 4, W - edge - 5), light, alpha=rng.uniform(0.5, 1))
    return np.ascontiguousarray(np.rot90(lying, 1 if rng.random() < 0.8 else 3))


def full_art(rng, bank: Bank) -> np.ndarray:
    """Draws a front that is almost all art; often dark or nearly symmetric, like a back, with little print."""
    img = cv2.resize(cards.art(rng, bank.family, H // 2, W // 2, bank.textures if rng.random() < 0.5 else None), (W, H))
    if rng.random() < 0.45:  # mirrored halves, rays or rings around the middle
        img[:, W // 2:] = img[:, :W - W // 2][:, ::-1]
        for k in range(int(rng.integers(0, 6))):
            center = (W // 2, int(rng.uniform(0.3, 0.6) * H))
            cv2.ellipse(img, center, (int(rng.uniform(0.1, 0.5) * W), int(rng.uniform(0.1, 0.5) * W)), 0, 0, 360, cards.color(rng), int(rng.integers(1, 9)), cv2.LINE_AA)
    if rng.random() < 0.6:
        cards._figure(rng, img)
    if rng.random() < 0.4:
        img = (img * rng.uniform(0.25, 0.7)).astype(np.uint8)
    if rng.random() < 0.2:  # printed in one metal
        gray = cv2.cvtColor(img, cv2.COLOR_RGB2GRAY)[..., None]
        img = np.clip(gray * (np.array(cards.color(rng, (0.2, 0.8), (0.6, 1))) / 160.0), 0, 255).astype(np.uint8)
    light = rng.random() < 0.4
    if rng.random() < 0.85:
        y = int(rng.uniform(0.01, 0.06) * H)
        _panel(rng, img, (int(rng.uniform(0.02, 0.12) * W), y, int(rng.uniform(0.6, 0.97) * W), y + int(rng.integers(14, 22))), light, lines=False, alpha=rng.uniform(0, 0.9))
    if rng.random() < 0.75:
        y = int(rng.uniform(0.6, 0.85) * H)
        _panel(rng, img, (int(0.06 * W), y, int(0.94 * W), int(rng.uniform(0.9, 0.96) * H)), light, alpha=rng.uniform(0, 0.8))
    elif rng.random() < 0.5:
        _write(rng, img, (int(0.06 * W), int(0.97 * H)), 7, (240, 240, 240), 2)
    edge = int(rng.choice([0, rng.uniform(0.01, 0.05) * W]))
    if edge > 0:
        cv2.rectangle(img, (0, 0), (W - 1, H - 1), (16, 16, 16) if rng.random() < 0.4 else cards.color(rng), edge * 2)
    return img


def portrait(rng, bank: Bank) -> np.ndarray:
    """Draws a sports card: a standing person before a pattern, bars with a name and a team, sometimes a signature."""
    img = np.ascontiguousarray(cv2.resize(cards._pattern(rng, H // 2, W) if rng.random() < 0.35 else cards.art(rng, bank.family, H // 2, W // 2), (W, H)))
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(8, 40))):
            cv2.line(img, (int(rng.uniform(0, W)), 0), (int(rng.uniform(0, W)), H), cards.color(rng, (0, 1), (0.4, 1)), 1, cv2.LINE_AA)
    people = 1 if rng.random() < 0.8 else 2
    for k in range(people):
        cx, s = int(W * (0.5 if people == 1 else 0.3 + 0.4 * k) + rng.normal(0, 8)), rng.uniform(0.16, 0.3) * W / people ** 0.5
        y = int(H * rng.uniform(0.2, 0.4))
        skin, shirt = tuple(int(v) for v in np.array((1, 0.75, 0.6)) * rng.uniform(70, 245)), cards.color(rng)
        cv2.ellipse(img, (cx, int(y + 2.4 * s)), (int(1.2 * s), int(2 * s)), 0, 180, 360, shirt, -1, cv2.LINE_AA)
        cv2.rectangle(img, (int(cx - 0.8 * s), int(y + 1.5 * s)), (int(cx + 0.8 * s), int(y + 4 * s)), shirt, -1)
        for side in (-1, 1):
            cv2.line(img, (int(cx + side * s), int(y + 1.3 * s)), (int(cx + side * s * rng.uniform(0.2, 2)), int(y + rng.uniform(1.5, 3.4) * s)), skin, max(3, int(0.4 * s)), cv2.LINE_AA)
            cv2.line(img, (int(cx + side * 0.4 * s), int(y + 4 * s)), (int(cx + side * s), int(y + 7 * s)), cards.color(rng, (0, 0.3)), max(3, int(0.6 * s)), cv2.LINE_AA)
        cv2.ellipse(img, (cx, y), (int(0.6 * s), int(0.8 * s)), 0, 0, 360, skin, -1, cv2.LINE_AA)
        cv2.ellipse(img, (cx, int(y - 0.3 * s)), (int(0.65 * s), int(0.6 * s)), 0, 180, 360, cards.color(rng, (0, 0.6), (0.05, 0.7)), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 4))):
        y = int(rng.choice([0.02, 0.45, 0.8, 0.87, 0.92]) * H)
        _panel(rng, img, (int(rng.uniform(0, 0.1) * W), y, int(rng.uniform(0.85, 1) * W), y + int(rng.integers(14, 30))), rng.random() < 0.5, lines=False)
    if rng.random() < 0.3:
        y = int(rng.uniform(0.5, 0.85) * H)
        points = np.column_stack([np.linspace(0.25 * W, 0.75 * W, 14), y + rng.normal(0, 12, 14)])
        cv2.polylines(img, [points.astype(np.int32)], False, (40, 40, 150), 2, cv2.LINE_AA)
    edge = int(rng.uniform(0, 0.06) * W)
    if edge > 0:
        cv2.rectangle(img, (0, 0), (W - 1, H - 1), (245, 245, 245) if rng.random() < 0.5 else cards.color(rng), edge * 2)
    return img


def face(rng, bank: Bank) -> np.ndarray:
    """Returns a front of any kind, unusual ones more often than on real tables."""
    pick = rng.random()
    for share, draw in ((0.17, doors), (0.05, landscape), (0.2, full_art), (0.1, portrait)):
        if pick < share:
            return draw(rng, bank)
        pick -= share
    return bank.face(rng, real=0.6)


def back(rng, bank: Bank) -> np.ndarray:
    """Returns the back of a game of its own: half a turn changes little but the words. Some differ less from a front."""
    if rng.random() < 0.35:
        return cards.back(rng, bank.family)
    img = _ground(rng, bank)
    edge = int(rng.choice([0, rng.uniform(0.02, 0.1) * W]))
    if edge > 0:  # a plain frame, often with a line inside
        rim = [(14, 14, 14), (240, 240, 240), cards.color(rng), cards.color(rng, (0.3, 1), (0.1, 0.6))][rng.integers(4)]
        cv2.rectangle(img, (edge // 2, edge // 2), (W - 1 - edge // 2, H - 1 - edge // 2), rim, edge + 1)
        if rng.random() < 0.6:
            cv2.rectangle(img, (edge + 3, edge + 3), (W - edge - 4, H - edge - 4), cards.color(rng, (0, 1), (0.3, 1)), int(rng.integers(1, 5)), cv2.LINE_AA)
    if rng.random() < 0.8:
        _emblem(rng, img)
    ink, y = cards.color(rng, (0, 1), (0.5, 1)), int(rng.uniform(0.1, 0.3) * H)
    if rng.random() < 0.6:  # the game's name at the top, in the middle or at both ends
        size, name = rng.uniform(18, 48), cards.word(rng).upper()
        wide = cv2.getTextSize(name, cv2.FONT_HERSHEY_TRIPLEX, size / 22, 2)[0][0]
        size, left = min(size, size * 0.85 * W / wide), max(int(0.075 * W), (W - wide) // 2)
        at = y if rng.random() < 0.7 else H // 2
        for turned in (True, False) if at == y and rng.random() < 0.5 else (False,):
            if turned:
                img = np.ascontiguousarray(img[::-1, ::-1])
            cv2.putText(img, name, (left, at), cv2.FONT_HERSHEY_TRIPLEX, size / 22, (16, 16, 16), int(rng.integers(4, 9)), cv2.LINE_AA)
            cv2.putText(img, name, (left, at), cv2.FONT_HERSHEY_TRIPLEX, size / 22, ink, 2, cv2.LINE_AA)
    if rng.random() < 0.3:
        _write(rng, img, (int(rng.uniform(0.1, 0.5) * W), H - max(6, edge)), 6, ink, 2)
    return img


def _ground(rng, bank: Bank) -> np.ndarray:
    """Draws a whirl, rays, tiles, leather or art with two equal halves, in two or three colors."""
    pick = rng.random()
    one, other = (np.array(cards.color(rng, (0.2, 1), (0.05, 0.9)), np.float32) for _ in range(2))
    y, x = np.mgrid[0:H, 0:W].astype(np.float32)
    u, v = (x - W / 2) / W, (y - H / 2) / H
    far, angle = np.hypot(u, v), np.arctan2(v, u)
    if pick < 0.3:  # arms around the middle
        wave = np.sin(angle * 2 * int(rng.integers(1, 7)) + far * rng.choice([0, rng.uniform(-30, 30)]))
        share = np.clip(0.5 + wave * rng.uniform(0.3, 3), 0, 1) * np.clip(1.3 - far * rng.uniform(0, 1.6), 0, 1)
    elif pick < 0.5:
        return cards._pattern(rng, H, W)
    elif pick < 0.75:
        share = cards.smooth_noise(rng, H, W, int(rng.integers(3, 30)), 1)[..., 0] * np.clip(1.2 - far, 0, 1)
        if rng.random() < 0.5:
            share = (share + share[::-1, ::-1]) / 2
    else:
        half = _art(rng, bank, H // 2, W)
        flip = half[::-1, ::-1] if rng.random() < 0.8 else half[::-1]
        both = np.vstack([half, flip]).astype(np.float32)
        return np.ascontiguousarray(np.clip(both * rng.uniform(0.4, 1) + one * rng.uniform(0, 0.5), 0, 255).astype(np.uint8))
    return np.ascontiguousarray(np.clip(one * share[..., None] + other * (1 - share[..., None]), 0, 255).astype(np.uint8))


def _emblem(rng, img: np.ndarray) -> None:
    """Draws rings, a star, a diamond or a ball in the middle, and sometimes dots around it."""
    middle, scale = (W // 2, H // 2), rng.uniform(0.12, 0.45) * W
    stretch, kind = rng.uniform(0.8, 1.8), rng.integers(4)
    for k in range(int(rng.integers(1, 5))):
        size = scale * (1 - 0.22 * k)
        c = cards.color(rng, (0, 1), (0.05, 1))
        if kind <= 1:
            cv2.ellipse(img, middle, (int(size), int(size * stretch)), 0, 0, 360, c, -1 if k % 2 == 0 else int(rng.integers(1, 7)), cv2.LINE_AA)
            continue
        n = 4 if kind == 2 else 2 * int(rng.integers(4, 9))
        turn = np.arange(n) * 2 * np.pi / n
        reach = size * (np.ones(n) if kind == 2 else np.where(np.arange(n) % 2, 0.45, 1.0))
        points = np.column_stack([middle[0] + reach * np.sin(turn), middle[1] - reach * np.cos(turn) * stretch])
        cv2.fillPoly(img, [points.astype(np.int32)], c, cv2.LINE_AA)
    if kind == 0 and rng.random() < 0.5:  # a ball of two halves
        cv2.ellipse(img, middle, (int(scale), int(scale * stretch)), 0, 180, 360, cards.color(rng, (0.5, 1), (0.5, 1)), -1, cv2.LINE_AA)
        cv2.circle(img, middle, max(2, int(scale * 0.3)), (240, 240, 240), -1, cv2.LINE_AA)
    elif rng.random() < 0.4:
        n, ring = int(rng.integers(3, 9)), scale * rng.uniform(0.3, 1.2)
        for k in range(n):
            at = (int(middle[0] + ring * np.sin(2 * np.pi * k / n)), int(middle[1] - ring * np.cos(2 * np.pi * k / n)))
            cv2.circle(img, at, max(2, int(scale * 0.12)), cards.color(rng, (0, 1), (0.2, 1)), -1, cv2.LINE_AA)


def _label(rng, bank: Bank, h: int, w: int) -> np.ndarray:
    """Draws a slab's label: lines of text, a grade, and often a logo, a bar code or a square code."""
    if rng.random() < 0.3:
        return cv2.resize(cards.label(rng, bank.family, 220, 66), (w, h))
    dark = rng.random() < 0.35
    img = np.empty((h, w, 3), np.uint8)
    img[:] = cards.color(rng, (0, 1), (0.03, 0.6)) if dark else cards.color(rng, (0, 0.4), (0.75, 1))
    ink = (240, 240, 240) if dark else (20, 20, 25)
    if rng.random() < 0.5:
        cv2.rectangle(img, (1, 1), (w - 2, h - 2), cards.color(rng, (0.4, 1)), int(rng.integers(1, 5)))
    if rng.random() < 0.35:
        img[:, :int(w * rng.uniform(0.1, 0.3))] = cards.color(rng)
    x = int(w * rng.uniform(0.03, 0.3))
    for y in range(12, h - 4, int(rng.integers(11, 17))):
        _write(rng, img, (x, y), rng.uniform(7, 11), ink, int(rng.integers(1, 4)))
    box = int(w * rng.uniform(0.72, 0.9))
    if rng.random() < 0.4:
        cv2.rectangle(img, (box, 3), (w - 3, h - 4), cards.color(rng), -1)
    cv2.putText(img, str(rng.choice(["10", "9", "9.5", "8", "7", "6.5", "5"])), (box, int(h * 0.6)), cv2.FONT_HERSHEY_DUPLEX, h / 60, ink, 2, cv2.LINE_AA)
    pick = rng.random()
    if pick < 0.35:  # a bar code
        at, wide = int(rng.uniform(0.3, 0.6) * w), int(rng.uniform(0.15, 0.3) * w)
        bars = np.repeat(rng.integers(0, 2, wide // 2 + 1) * 255, 2)[:wide]
        img[int(h * 0.72):h - 3, at:at + wide] = bars[None, :, None][:, :max(0, min(wide, w - at))]
    elif pick < 0.55:  # a square code
        side = int(h * rng.uniform(0.4, 0.75))
        at = int(rng.uniform(0, w - side))
        img[3:3 + side, at:at + side] = cv2.resize((rng.integers(0, 2, (12, 12, 1)) * 255).astype(np.uint8).repeat(3, 2), (side, side), interpolation=cv2.INTER_NEAREST)
    return img


def slab(rng, canvas: np.ndarray, bank: Bank) -> photos.Item:
    """Draws a slab and its card on the canvas; many fill the photo or extend beyond it."""
    h, w = canvas.shape[:2]
    side, bottom = rng.uniform(0.03, 0.2), rng.uniform(0.03, 0.16)
    band, over = rng.uniform(0.14, 0.34), rng.uniform(0.02, 0.09)
    top = band + over + rng.uniform(0.01, 0.08)
    wide, high = 63 / 88 * (1 + 2 * side), 1 + top + bottom
    upright = rng.random() < 0.75
    fit = min(w / wide, h / high) if upright else min(h, w) / high
    size = fit * (rng.uniform(0.85, 1.08) if rng.random() < 0.55 else rng.uniform(0.4, 0.85)) / min(h, w)
    angle = rng.normal(0, 0.08) if upright else rng.uniform(0, 2 * np.pi)
    quad = photos.random_quad(rng, h, w, size, angle=angle, tilt=0.5, center=(0, 0))
    outer = photos.inset(quad, -side, -top, 1 + side, 1 + bottom)
    center = np.array([w, h]) * (rng.uniform(0.35, 0.65, 2) if size * min(h, w) < 0.8 * fit else rng.uniform(0.47, 0.53, 2))
    shift = (center - outer.mean(0)).astype(np.float32)
    quad, outer = quad + shift, outer + shift
    if rng.random() < 0.6:
        photos._shadow(rng, canvas, outer, photos.quad_height(quad))
    clear = rng.random() < 0.45
    shell = _plain(cards.color(rng, (0, 0.15), (0.6, 1)) if rng.random() < 0.65 else cards.color(rng, (0, 0.5), (0.02, 0.4)))
    photos.paste(canvas, shell, outer, rng.uniform(0, 0.06), rng.uniform(0.02, 0.25) if clear else rng.uniform(0.4, 1))
    rim = tuple(int(v) for v in np.clip(shell[0, 0].astype(int) + rng.choice([-70, 50]), 0, 255))
    lines = (outer, photos.inset(quad, -side * 0.7, -top + 0.02, 1 + side * 0.7, 1 + bottom * 0.7))
    for line in lines[:int(rng.integers(0, 3))]:
        cv2.polylines(canvas, [np.round(line * 16).astype(np.int32)], True, rim, max(1, int(photos.quad_height(quad) * rng.uniform(0.004, 0.02))), cv2.LINE_AA, 4)
    left, right = rng.uniform(-side * 0.9, 0.12), rng.uniform(0.88, 1 + side * 0.9)
    if rng.random() < 0.12:  # a narrow label
        left, right = sorted(rng.uniform(-side, 1 + side, 2)) if rng.random() < 0.3 else (0.25, 0.75)
        right = max(right, left + 0.4)
    photos.paste(canvas, _label(rng, bank, 72, 230), photos.inset(quad, left, -over - band, right, -over), 0.02)
    if rng.random() < 0.6:
        inner = photos.inset(quad, -rng.uniform(0.01, 0.05), -rng.uniform(0.008, 0.04), 1 + rng.uniform(0.01, 0.05), 1 + rng.uniform(0.008, 0.04))
        photos.paste(canvas, _plain(cards.color(rng, (0, 0.3), (0, 1))), inner, 0.04, rng.uniform(0.2, 1))
    picture = face(rng, bank)
    photos.paste(canvas, picture, quad, float(rng.choice([0.03, 0.045])))
    if rng.random() < 0.5:
        photos.paste(canvas, _plain((235, 235, 235)), outer, 0.03, rng.uniform(0.02, 0.15))
    return photos.Item(picture, 2, quad.astype(np.float32), outer=outer)


# Share of the fans that are staircases: a title above a card looks like the label of a slab.
STAIRCASE = 0.45


def fan(rng, bank: Bank, h: int, w: int) -> list[photos.Item]:
    """Places cards like a hand, a staircase or a heap; all but the top one are partly covered."""
    n = int(rng.integers(2, 7))
    size = rng.uniform(0.35, 0.85)
    pick, turn = rng.random(), rng.normal(0, 0.2) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
    across, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    unit = size * min(h, w)
    items, places = [], []
    for k in range(n):
        if pick < STAIRCASE:  # shows the titles
            places.append(((down * rng.uniform(0.9, 1.1) * 0.16 + across * rng.normal(0, 0.02)) * unit * k, turn + rng.normal(0, 0.03)))
        elif pick < 0.7:  # a hand: rotated around a point below
            spread = (k - (n - 1) / 2) * rng.uniform(0.12, 0.3)
            angle = turn + spread
            places.append((np.array([np.sin(angle), -np.cos(angle)]) * unit * rng.uniform(0.75, 0.9) + across * unit * 0.06 * k, angle))
        else:
            places.append((rng.normal(0, 0.3, 2) * unit, turn + rng.normal(0, 0.6)))
    step = rng.uniform(0.6, 2.4) if pick < STAIRCASE else 1.0
    middle = np.mean([p for p, _ in places], 0) * step
    center = np.array([rng.uniform(0.4, 0.6) * w, rng.uniform(0.4, 0.6) * h])
    same = rng.random() < 0.1
    for place, angle in places:
        quad = photos.random_quad(rng, h, w, size, tilt=0.2, angle=angle, center=center + place * step - middle)
        kind = 1 if same or rng.random() < 0.06 else 0
        items.append(photos.random_item(rng, bank, quad, kind, (face, back)[kind](rng, bank)))
    return items


def finger(rng, canvas: np.ndarray, tip: np.ndarray, root: np.ndarray, width: float, skin: np.ndarray) -> None:
    """Draws a finger, lighter along its middle, with creases and sometimes a nail."""
    along = (root - tip) / (np.linalg.norm(root - tip) + 1e-6)
    bent = tip + along * width * rng.uniform(1.5, 3) + rng.normal(0, 0.15 * width, 2)
    to = lambda p: tuple(np.round(p).astype(int).tolist())
    for share, tone in ((1.0, 0.72), (0.82, 0.9), (0.5, 1.0)):
        wide = max(1, int(width * share))
        c = np.clip(skin * tone, 0, 255).tolist()
        cv2.line(canvas, to(tip), to(bent), c, wide, cv2.LINE_AA)
        cv2.line(canvas, to(bent), to(root), c, max(1, int(wide * rng.uniform(1, 1.15))), cv2.LINE_AA)
    if rng.random() < 0.6:  # a nail
        at, angle = tip + along * width * 0.1, float(np.degrees(np.arctan2(along[1], along[0])))
        nail = np.clip(skin * 0.75 + np.array([65, 50, 50]) * rng.uniform(0.5, 1.2), 0, 255).tolist() if rng.random() < 0.8 else cards.color(rng)
        cv2.ellipse(canvas, to(at), (max(1, int(width * 0.4)), max(1, int(width * 0.3))), angle, 0, 360, nail, -1, cv2.LINE_AA)


def hand(rng, canvas: np.ndarray, quad: np.ndarray) -> None:
    """Draws one to four fingers over an edge or a corner of the card."""
    hgt = photos.quad_height(quad)
    skin = np.array([1.0, rng.uniform(0.62, 0.84), rng.uniform(0.45, 0.75)]) * rng.uniform(60, 250)
    width, edge = hgt * rng.uniform(0.1, 0.19), int(rng.integers(4))
    start = rng.uniform(-0.05, 0.9)
    for k in range(int(rng.choice([1, 1, 2, 3, 4]))):
        t = start + k * width * 1.1 / max(1.0, float(np.linalg.norm(quad[(edge + 1) % 4] - quad[edge])))
        if t > 1.05:
            break
        p = quad[edge] * (1 - t) + quad[(edge + 1) % 4] * t
        inward = quad.mean(0) - p
        side = quad[(edge + 1) % 4] - quad[edge]
        normal = np.array([-side[1], side[0]]) / (np.linalg.norm(side) + 1e-6)
        normal *= np.sign(normal @ inward)
        tip = p + normal * hgt * rng.uniform(-0.02, 0.2)
        finger(rng, canvas, tip, p - normal * hgt * rng.uniform(0.5, 1) + rng.normal(0, 0.15 * hgt, 2), width * rng.uniform(0.85, 1.1), skin)


def damage(rng) -> photos.Damage:
    """Draws effects as usual, but more often darkness."""
    found = photos.Damage.random(rng)
    found.fingers = 0
    if rng.random() < 0.15:
        found.dark = rng.uniform(0.5, 0.95)
    return found


def scene(rng, bank: Bank, h: int, w: int) -> photos.Scene:
    """Renders a photo of an unusual card, a slab, a card in a hand, or of cards that cover each other."""
    canvas = photos.background(rng, bank, h, w, 0.4)
    pick = rng.random()
    if pick < 0.22:
        items = [slab(rng, canvas, bank)]
    elif pick < 0.56:
        items = fan(rng, bank, h, w)
        for item in items:
            photos.draw(rng, canvas, item, bank)
    else:
        size = rng.uniform(0.5, 1.08) if rng.random() < 0.7 else rng.uniform(0.2, 0.5)
        angle = rng.normal(0, 0.2) if rng.random() < 0.6 else None
        quad = photos.random_quad(rng, h, w, size, angle=angle)
        kind = int(rng.choice([0, 1], p=(0.76, 0.24)))
        items = [photos.random_item(rng, bank, quad, kind, (face, back)[kind](rng, bank))]
        photos.draw(rng, canvas, items[0], bank)
    top = items[-1].quad
    if rng.random() < 0.25:
        hand(rng, canvas, top)
    return photos.Scene(photos.apply_damage(rng, canvas, top, damage(rng)), items)
