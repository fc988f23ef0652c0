"""Renders photos of the shared scans with a camera model that has nothing in common with render/photos.py.

    python -m cardstock_training.evaluate.independent_photos [--share 1.0] [--seed 2311] [--hard]
    # data/run/scans: photos/*.jpg, labels.json. --hard renders hands, steep angles and dark rooms instead.

Each pixel is a ray of a pinhole camera that meets a table in millimeters. The table, the card, its shadow, its
sleeve, the lamps and the fingers are functions of that position. Light is linear until a Bayer sensor records it.
`bun run bench scans` reads the folder. It is not committed, because the scans belong to others.
"""
import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from cardstock_training import paths
from cardstock_training.render.banks import scan_files

WIDTH, HEIGHT, CORNER = 63.0, 88.0, 3.0  # millimeters of a card
# The bench leaves this set out of its catalog, so its cards are unknown.
LEFT_OUT = "B1a"


@dataclass
class Setting:
    """Pose and disturbances of a slice. Angles are in degrees, lengths in shares of the card's height."""

    count: int
    tilt: tuple[float, float] = (0, 9)
    roll: float = 8
    extent: tuple[float, float] = (0.5, 0.95)  # of the frame
    blur: tuple[float, float] = (0, 0)
    light: tuple[float, float] = (0.75, 1.15)
    glare: bool = False
    sleeve: bool = False
    fingers: bool = False
    hand: bool = False  # three or four fingers side by side over the lower third
    brightness: tuple[float, float] | None = None  # mean of the card, 0 to 255; replaces `light` and the camera's gain
    scans: str = "held out"


SLICES = {
    "good": Setting(40),
    "rotation": Setting(30, roll=180),
    "perspective": Setting(30, tilt=(20, 42), roll=25),
    "blur": Setting(25, blur=(0.002, 0.006)),
    "glare": Setting(30, glare=True),
    "low light": Setting(25, light=(0.06, 0.25)),
    "sleeve": Setting(25, sleeve=True),
    "fingers": Setting(25, fingers=True),
    "small": Setting(20, extent=(0.35, 0.45)),
    "rooms": Setting(30, roll=180, scans="rooms"),
    "left out": Setting(40, roll=30, scans="left out"),
    "no card": Setting(30, roll=180, scans="none"),
}
HARD = {
    "hand": Setting(60, hand=True),
    "fingers": Setting(60, fingers=True),
    "perspective": Setting(60, tilt=(25, 40), roll=25),
    "dark room": Setting(60, brightness=(15, 40)),
    "left out, hand": Setting(30, hand=True, scans="left out"),
    "left out, fingers": Setting(30, fingers=True, scans="left out"),
    "left out, perspective": Setting(30, tilt=(25, 40), roll=25, scans="left out"),
    "left out, dark room": Setting(30, brightness=(15, 40), scans="left out"),
    "no card, hand": Setting(30, fingers=True, roll=180, scans="none"),
    "no card, dark room": Setting(30, brightness=(15, 40), roll=180, scans="none"),
}


def pools() -> dict[str, list[str]]:
    """Returns the scans of each kind of slice: held out from training, Magic's rooms, a set that is not indexed, none."""
    held = scan_files(held_out=True)
    is_left_out = lambda file: Path(file).name.startswith(f"{LEFT_OUT}_")
    rooms = [f for f in held + scan_files(held_out=False) if " __ " in Path(f).name]
    return {"held out": [f for f in held if not is_left_out(f)], "rooms": sorted(rooms), "left out": [f for f in held if is_left_out(f)], "none": []}


def to_linear(image: np.ndarray) -> np.ndarray:
    return (image.astype(np.float32) / 255) ** 2.2


class Camera:
    """A pinhole camera above the table. The card lies at the origin, y towards its lower edge."""

    def __init__(self, rng, setting: Setting, size: tuple[float, float] = (WIDTH, HEIGHT)):
        self.corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size / 2
        self.w, self.h = [(1500, 2000), (2000, 1500), (2250, 3000), (1500, 2667), (2400, 1800)][rng.choice(5, p=(0.3, 0.2, 0.2, 0.15, 0.15))]
        tilt, towards, roll = np.radians((rng.uniform(*setting.tilt), rng.uniform(0, 360), rng.uniform(-setting.roll, setting.roll)))
        if setting.scans == "rooms" and rng.random() < 0.8:  # a room is read lying on its side or upright
            roll = np.radians(rng.choice((0, 90, -90)) + rng.normal(0, 6))
        axis = np.array([np.cos(towards), np.sin(towards), 0]) * tilt
        self.rotation = cv2.Rodrigues(axis)[0] @ cv2.Rodrigues(np.array([0, 0, roll]))[0]
        self.focal = max(self.w, self.h) * rng.uniform(0.75, 1.6)
        self.bend = rng.uniform(-0.05, 0.03)  # barrel or pincushion
        self.shift = np.zeros(2)
        self.distance = 1000.0
        extent = rng.uniform(*setting.extent)
        for _ in range(6):  # the extent is almost inversely proportional to the distance
            self.distance *= self._extent() / extent
        corners = self.project(self.corners)
        slack = (np.array([self.w, self.h]) - np.ptp(corners, axis=0)) / 2
        offset = rng.uniform(-0.8, 0.8, 2) * np.maximum(slack, 0)
        self.shift = np.array([self.w, self.h]) / 2 + offset - (corners.min(0) + corners.max(0)) / 2

    def _extent(self) -> float:
        return float((np.ptp(self.project(self.corners), axis=0) / (self.w, self.h)).max())

    def density(self) -> float:
        """Returns the pixels per millimeter along the height of the card."""
        corners = self.project(self.corners)
        height = (np.linalg.norm(corners[0] - corners[3]) + np.linalg.norm(corners[1] - corners[2])) / 2
        return height / (self.corners[3, 1] - self.corners[0, 1])

    def project(self, points: np.ndarray) -> np.ndarray:
        """Returns the pixels of points on the table."""
        flat = np.column_stack([points, np.zeros(len(points))]) @ self.rotation.T + (0, 0, self.distance)
        ray = flat[:, :2] / flat[:, 2:]
        ray = ray * (1 + self.bend * (ray ** 2).sum(1, keepdims=True))
        return ray * self.focal + self.shift

    def table(self) -> tuple[np.ndarray, np.ndarray]:
        """Returns the position on the table that each pixel sees."""
        x = ((np.arange(self.w, dtype=np.float32) - self.shift[0]) / self.focal)[None]
        y = ((np.arange(self.h, dtype=np.float32) - self.shift[1]) / self.focal)[:, None]
        scale = 1 / (1 + self.bend * (x * x + y * y))
        x, y = x * scale, y * scale
        # A point of the table is R * (u, v, 0) + (0, 0, distance) = z * (x, y, 1).
        m = np.linalg.inv(np.column_stack([self.rotation[:, 0], self.rotation[:, 1], (0, 0, self.distance)])).astype(np.float32)
        below = m[2, 0] * x + m[2, 1] * y + m[2, 2]
        below = np.maximum(below, 1e-6)
        return (m[0, 0] * x + m[0, 1] * y + m[0, 2]) / below, (m[1, 0] * x + m[1, 1] * y + m[1, 2]) / below


def rounded_box(x, y, half_w: float, half_h: float, radius: float) -> np.ndarray:
    """Returns the distance to a rounded rectangle around the origin, negative inside."""
    qx, qy = np.abs(x) - (half_w - radius), np.abs(y) - (half_h - radius)
    return np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0) - radius


def patch(rng) -> tuple[np.ndarray, float]:
    """Returns a picture of the table in linear light, and its pixels per millimeter."""
    textures = sorted((paths.SHARED / "scans/textures").glob("*.webp"))
    pick = rng.random()
    if textures and pick < 0.5:
        image = cv2.imread(str(textures[rng.integers(len(textures))]))
        return to_linear(image) * rng.uniform(0.5, 1.1, 3).astype(np.float32), rng.uniform(1.2, 5)
    n = 512
    color = to_linear((rng.uniform(20, 235) + rng.uniform(-45, 45, 3)).clip(2, 250))
    y, x = np.mgrid[0:n, 0:n].astype(np.float32)
    if pick < 0.7:  # wood: rings cut lengthwise, and pores
        waves = cv2.resize(rng.normal(0, 1, (6, 24)).astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC)
        pattern = 0.75 + 0.25 * np.sin(x * rng.uniform(0.1, 0.5) + 5 * waves) + cv2.blur(rng.normal(0, 0.3, (n, n)).astype(np.float32), (1, 25))
    elif pick < 0.82:  # cloth
        step = rng.uniform(0.6, 1.4)
        pattern = 0.8 + 0.2 * np.sin(x * step) * np.sin(y * step) + rng.normal(0, 0.08, (n, n)).astype(np.float32)
    elif pick < 0.9:  # tiles or a checked cloth
        pattern = 0.55 + 0.45 * (((x // 64) + (y // 64)) % 2) + rng.normal(0, 0.02, (n, n)).astype(np.float32)
    else:  # paper or plastic
        pattern = 1 + cv2.GaussianBlur(rng.normal(0, 1, (n, n)).astype(np.float32), (0, 0), 40) * 2
    return (color * pattern[..., None]).clip(0, 1).astype(np.float32), rng.uniform(1.5, 6)


def sample(image: np.ndarray, u: np.ndarray, v: np.ndarray, border: int = cv2.BORDER_REFLECT) -> np.ndarray:
    return cv2.remap(image, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR, borderMode=border)


def over(scene: np.ndarray, color, alpha: np.ndarray) -> None:
    scene += (color - scene) * alpha[..., None]


def lay_card(rng, scene, x, y, picture: np.ndarray, density: float, sleeve: bool) -> np.ndarray:
    """Puts a card on the table, in a sleeve or bare. Returns where plastic or varnish reflects lamps."""
    lift = rng.uniform(0.3, 3.0)  # height of the card above the table
    light = rng.uniform(-1.2, 1.2, 2) * lift
    half = rng.uniform(1.0, 3.0) + lift / 2
    shade = rounded_box(x - light[0], y - light[1], WIDTH / 2 + (2 if sleeve else 0), HEIGHT / 2 + (2 if sleeve else 0), CORNER)
    scene *= 1 - rng.uniform(0.25, 0.7) * np.clip(0.5 - shade / (2 * half), 0, 1)[..., None]
    edge = lambda distance: np.clip(0.5 - distance * density, 0, 1)
    if sleeve:
        mid = rng.uniform(-0.6, 1.2)
        rim = edge(rounded_box(x, y - mid, WIDTH / 2 + rng.uniform(1.2, 2.2), HEIGHT / 2 + rng.uniform(1.5, 2.6), 1.0))
        back = to_linear(rng.uniform(5, 250, 3)) if rng.random() < 0.6 else np.float32(0.8)
        over(scene, back, rim * (rng.uniform(0.85, 1) if rng.random() < 0.6 else rng.uniform(0.1, 0.3)))
    h, w = picture.shape[:2]
    shrink = HEIGHT * density / h
    if shrink < 0.8:  # a camera integrates the light of a pixel
        picture = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        h, w = picture.shape[:2]
    card = edge(rounded_box(x, y, WIDTH / 2, HEIGHT / 2, CORNER))
    seen = sample(picture, (x / WIDTH + 0.5) * w - 0.5, (y / HEIGHT + 0.5) * h - 0.5, cv2.BORDER_REPLICATE)
    over(scene, seen, card)
    if sleeve:
        over(scene, np.float32(0.75), rim * rng.uniform(0.02, 0.1))
    return card if not sleeve else rim


def touch(rng, scene, x, y, hand: bool) -> None:
    """Holds the card with fingers that come from outside and cover up to 12 mm of its edge, or most of the lower third."""
    count = int(rng.integers(3, 5) if hand else rng.integers(1, 4))
    skin = to_linear(np.array((0.62, 0.74, 1.0)) * rng.uniform(90, 240))
    for i in range(count):
        side, along = (0, -0.38 + 0.26 * i + rng.uniform(-0.06, 0.06)) if hand else (int(rng.integers(4)), rng.uniform(-0.42, 0.42))
        outward = np.array([(0, 1), (1, 0), (-1, 0), (0, -1)][side], np.float32)
        half = (HEIGHT if outward[0] == 0 else WIDTH) / 2
        reach = rng.uniform(16, 29) if hand else rng.uniform(-2, 12)
        tip = outward * (half - reach) + np.array([outward[1], outward[0]]) * along * 2 * (WIDTH if outward[0] == 0 else HEIGHT) / 2
        turn = rng.normal(0, 0.1 if hand else 0.35)
        way = np.array([np.cos(turn) * outward[0] - np.sin(turn) * outward[1], np.sin(turn) * outward[0] + np.cos(turn) * outward[1]])
        radius = rng.uniform(6.5, 10)
        forward = (x - tip[0]) * way[0] + (y - tip[1]) * way[1]
        across = -(x - tip[0]) * way[1] + (y - tip[1]) * way[0]
        thick = radius * (1 + 0.12 * np.clip(forward / 40, 0, 2))
        distance = np.hypot(np.where(forward < 0, forward, 0), across) / thick
        scene *= 1 - 0.35 * np.clip(1.35 - distance, 0, 0.35)[..., None] / 0.35 * (distance > 1)[..., None]
        roundness = np.sqrt(np.clip(1 - distance ** 2, 0, 1))
        body = skin * (0.35 + 0.65 * roundness[..., None] ** 0.7)
        nail = np.clip(4 * (1 - np.hypot((forward - radius * 0.1) / (radius * 0.6), across / (radius * 0.55))), 0, 1) * (rng.random() < 0.6)
        over(body, np.float32(skin * 1.15 + 0.05), nail * 0.6)
        over(scene, body, np.clip((1 - distance) * radius * 4, 0, 1))


def illuminate(rng, scene, x, y, shiny, glare: bool) -> None:
    """Applies a lamp that falls off with distance, the color of its light, and its reflections."""
    lamp = rng.uniform(-220, 220, 2)
    height = rng.uniform(200, 900)
    fall = (1 + ((x - lamp[0]) ** 2 + (y - lamp[1]) ** 2) / height ** 2) ** -1.5
    scene *= (rng.uniform(0.35, 0.7) + fall / fall.max() * 0.6)[..., None] * (1 + rng.uniform(-0.12, 0.12, 3)).astype(np.float32)
    for _ in range(int(rng.integers(1, 4)) if glare else int(rng.random() < 0.25)):
        center = rng.uniform(-0.5, 0.5, 2) * (WIDTH, HEIGHT)
        spread, ratio, turn = rng.uniform(4, 16) if glare else rng.uniform(3, 8), rng.uniform(0.12, 1), rng.uniform(0, np.pi)
        u = ((x - center[0]) * np.cos(turn) + (y - center[1]) * np.sin(turn)) / spread
        v = ((y - center[1]) * np.cos(turn) - (x - center[0]) * np.sin(turn)) / (spread * ratio)
        lobe = np.exp(-((u * u + v * v) ** rng.uniform(0.6, 1.6))) * (rng.uniform(0.5, 2.5) if glare else rng.uniform(0.1, 0.4))
        scene += (lobe * (0.15 + 0.85 * shiny))[..., None]


def blurred(rng, scene, radius: float) -> np.ndarray:
    """Defocuses, shakes, or only softens as every lens does. The radius is in pixels."""
    if radius < 1:
        return cv2.GaussianBlur(scene, (0, 0), rng.uniform(0.5, 1.0))
    size = 2 * int(np.ceil(radius * 1.6)) + 1
    kernel, mid = np.zeros((size, size), np.float32), size // 2
    if rng.random() < 0.5:
        cv2.circle(kernel, (mid, mid), max(1, round(radius)), 1, -1, cv2.LINE_AA)
    else:
        turn = rng.uniform(0, np.pi)
        reach = np.array([np.cos(turn), np.sin(turn)]) * radius * 1.5
        cv2.line(kernel, tuple(np.round(mid - reach).astype(int).tolist()), tuple(np.round(mid + reach).astype(int).tolist()), 1, max(1, round(radius / 4)), cv2.LINE_AA)
    return cv2.filter2D(scene, -1, kernel / kernel.sum())


def expose(rng, scene: np.ndarray, light: float, can_brighten: bool = True) -> np.ndarray:
    """Records the scene with a Bayer sensor of a limited exposure and develops it, in 8 bits."""
    gain = min(1 / light, rng.uniform(2, 6)) if can_brighten and light < 0.5 else 1.0  # the camera brightens a dark photo in part
    raw = np.empty(scene.shape[:2], np.float32)
    for row, column, channel in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        raw[row::2, column::2] = scene[row::2, column::2, channel]
    raw *= light
    full = rng.uniform(1500, 9000)  # electrons of a white pixel
    raw += rng.standard_normal(raw.shape, np.float32) * np.sqrt(np.maximum(raw, 0) / full + (rng.uniform(2, 6) / full) ** 2)
    mosaic = (np.clip(raw * gain, 0, 1) * 65535).astype(np.uint16)
    image = cv2.cvtColor(mosaic, cv2.COLOR_BayerRG2BGR).astype(np.float32) / 65535
    curve = np.linspace(0, 1, 4096, dtype=np.float32) ** (1 / 2.2)
    curve = (1 - (strength := rng.uniform(0, 0.35))) * curve + strength * curve * curve * (3 - 2 * curve)
    image = (curve[np.minimum(image * 4095, 4095).astype(np.int32)] * 255).astype(np.uint8)
    if rng.random() < 0.6:  # sharpening of a phone
        image = cv2.addWeighted(image, 1.5, cv2.GaussianBlur(image, (0, 0), 1.5), -0.5, 0)
    return image


def photograph(rng, camera: Camera, setting: Setting, picture: np.ndarray | None, lay=lay_card) -> np.ndarray:
    """Returns a photo (BGR) of a picture of a card, or of what `lay` makes of it."""
    x, y = camera.table()
    table, per_mm = patch(rng)
    turn = rng.uniform(0, np.pi)
    u, v = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
    scene = sample(table, u * per_mm + rng.uniform(0, 500), v * per_mm + rng.uniform(0, 500))
    shiny = np.zeros_like(x)
    if picture is not None:
        shiny = lay(rng, scene, x, y, to_linear(picture), camera.density(), setting.sleeve)
    if setting.fingers or setting.hand:
        touch(rng, scene, x, y, setting.hand)
    illuminate(rng, scene, x, y, shiny, setting.glare)
    scene = blurred(rng, scene, rng.uniform(*setting.blur) * HEIGHT * camera.density())
    if setting.brightness is None:
        return expose(rng, scene, rng.uniform(*setting.light))
    card = scene[rounded_box(x, y, WIDTH / 2, HEIGHT / 2, CORNER) < 0]
    mean = float((np.clip(card, 0, 1) ** (1 / 2.2)).mean()) * 255
    return expose(rng, scene, (rng.uniform(*setting.brightness) / mean) ** 2.2, can_brighten=False)


def describe(file: str | None) -> dict:
    """Returns the set and the number of a scan, from its name."""
    if file is None:
        return dict(scan=None, set=None, number=None)
    path = Path(file)
    if path.parent.name == "dsk":
        return dict(scan=f"dsk/{path.name}", set="DSK", number=path.stem.split("__DSK_")[1].split("_")[0])
    if path.parent.name == "evolutions":
        return dict(scan=f"evolutions/{path.name}", set="EVO", number=path.stem)
    of, number = path.stem.rsplit("_", 1)
    return dict(scan=f"pocket/{path.name}", set=of, number=number)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0, help="number of photos, as a share of the usual one")
    parser.add_argument("--seed", type=int, default=2311)
    parser.add_argument("--hard", action="store_true", help="photos that a reader must look at twice")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    (paths.SCANS / "photos").mkdir(parents=True, exist_ok=True)
    scans, labels = pools(), []
    for s, (name, setting) in enumerate((HARD if options.hard else SLICES).items()):
        for i in range(max(1, round(setting.count * options.share))):
            rng = np.random.default_rng((options.seed, s, i))
            pool = scans[setting.scans]
            file = pool[int(rng.integers(len(pool)))] if pool else None
            camera = Camera(rng, setting)
            path = f"photos/{name.replace(',', '').replace(' ', '-')}-{i:03d}.jpg"
            if not (paths.SCANS / path).exists():  # an interrupted run continues
                image = photograph(rng, camera, setting, None if file is None else cv2.imread(file))
                cv2.imwrite(str(paths.SCANS / path), image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 93))])
            labels.append({"file": path, "slice": name, **describe(file), "corners": None if file is None else np.round(camera.project(camera.corners), 2).tolist()})
    with open(paths.SCANS / "labels.json", "w") as out:
        json.dump(labels, out, indent=1)
    print(f"{len(labels)} photos in {paths.SCANS}")


if __name__ == "__main__":
    main()
