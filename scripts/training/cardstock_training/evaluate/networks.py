"""Evaluates each network separately, on held-out layouts, fonts and scans.

    python -m cardstock_training.evaluate.networks [detector refiner embedder recognizer surface]

`bun run bench identify` evaluates the whole pipeline as the service runs it.
"""
import sys
from dataclasses import replace

import cv2
import numpy as np
import torch

from cardstock_training.render import photos, text_lines
from cardstock_training.render.banks import Bank
from cardstock_training.render.distractions import distraction
from cardstock_training.train import recognizer, refiner, surface
from cardstock_training.train.ctc import decode_greedily
from cardstock_training.train.embedder import photo_view
from cardstock_training.train.loop import load_network, to_input
from cardstock_training.train.sizes import DETECTOR_SIZE, MARGIN, REFINER_SIZE, STRIDE, UNIT

SEED = 4242


def run(net, images: list[np.ndarray]) -> list[np.ndarray]:
    """Runs the network on all pictures in batches. Returns numpy arrays."""
    parts = []
    with torch.inference_mode():
        for at in range(0, len(images), 32):
            parts.append([y.numpy() for y in net(to_input(torch.from_numpy(np.stack(images[at:at + 32]))))])
    return [np.concatenate(column) for column in zip(*parts)]


def interval(right: int, n: int) -> str:
    """Formats a share with its 95 % Wilson interval, in percent."""
    if n == 0:
        return "none"
    p, z = right / n, 1.96
    middle, half = (p + z * z / 2 / n) / (1 + z * z / n), z * np.sqrt(p * (1 - p) / n + z * z / 4 / n / n) / (1 + z * z / n)
    return f"{100 * p:.1f} % of {n} [{100 * (middle - half):.1f}, {100 * (middle + half):.1f}]"


def best_quad(heat: np.ndarray, quad: np.ndarray) -> tuple[np.ndarray, float, int]:
    """Returns the best detection of one picture: corners in pixels, score, kind."""
    heat = heat[:len(photos.KINDS)]
    kind, y, x = np.unravel_index(heat.argmax(), heat.shape)
    corners = quad[:, y, x].reshape(4, 2) * UNIT + ((x + 0.5) * STRIDE, (y + 0.5) * STRIDE)
    return corners.astype(np.float32), 1 / (1 + np.exp(-heat[kind, y, x])), int(kind)


def refine(net, image: np.ndarray, quad: np.ndarray, passes: int = 2) -> tuple[np.ndarray, float]:
    """Returns the quad after refinement, and its confidence."""
    confidence = 0.0
    for _ in range(passes):
        h, w = REFINER_SIZE
        M = cv2.getPerspectiveTransform(quad.astype(np.float32), refiner.upright_frame())
        crop = cv2.warpPerspective(image, M, (w, h), flags=cv2.INTER_AREA if photos.quad_height(quad) > 2 * h else cv2.INTER_LINEAR, borderValue=(128, 128, 128))
        found, confidence = refiner.decode_corners(run(net, [crop])[0])
        quad = cv2.perspectiveTransform(found[0][None], np.linalg.inv(M))[0]
        confidence = float(confidence[0].mean())
    return quad, confidence


def evaluate_refiner(count: int = 400) -> None:
    net, _ = load_network("refiner")
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    crops = [refiner.render_crop(rng, bank) for _ in range(count)]
    found, confidence = refiner.decode_corners(run(net, [c[0] for c in crops])[0])
    height = REFINER_SIZE[0] / (1 + 2 * MARGIN)
    error = np.linalg.norm(found - np.stack([c[1] for c in crops]), axis=-1).mean(1) / height * 100
    print(f"refiner, one pass on {count} crops: corner error median {np.median(error):.2f} %, p90 {np.quantile(error, 0.9):.2f} % of the card's height; confidence {np.median(confidence):.2f}")


def evaluate_detector(count: int = 400) -> None:
    net, _ = load_network("detector")
    try:
        refiner_net, _ = load_network("refiner")
    except FileNotFoundError:
        refiner_net = None
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    images, truth, scales = [], [], []
    for i in range(count):
        scale = rng.uniform(0.2, 1.0)
        h, w = (DETECTOR_SIZE, 240) if rng.random() < 0.6 else (240, DETECTOR_SIZE)
        canvas = photos.background(rng, bank, h, w, 0.4)
        quad = photos.random_quad(rng, h, w, scale, tilt=0.8)
        photos.draw(rng, canvas, photos.random_item(rng, bank, quad, 0), bank)
        image = np.full((DETECTOR_SIZE, DETECTOR_SIZE, 3), 128, np.uint8)
        image[:h, :w] = photos.apply_damage(rng, canvas, quad, photos.Damage(noise=2, jpeg=88))
        images.append(image), truth.append(quad), scales.append(scale)
    heat, offsets = run(net, images)
    found = turned = 0
    coarse, fine = [], []
    for i, quad in enumerate(truth):
        guess, confidence, kind = best_quad(heat[i], offsets[i])
        height = photos.quad_height(quad)
        distance = lambda a: float(np.linalg.norm(a - quad, axis=-1).mean() / height)
        if confidence < 0.3 or np.linalg.norm(guess.mean(0) - quad.mean(0)) > 0.2 * height:
            continue
        found += 1
        turned += distance(guess) < 0.25
        coarse.append(distance(guess))
        if refiner_net is not None:
            fine.append(distance(refine(refiner_net, images[i], guess)[0]))
    print(f"detector, one card at 0.2 to 1.0 of the frame: found {interval(found, count)}, right way up {interval(turned, count)}")
    print(f"  corner error median {100 * np.median(coarse):.2f} %, p90 {100 * np.quantile(coarse, 0.9):.2f} % of the height")
    if fine:
        print(f"  after the refiner median {100 * np.median(fine):.2f} %, p90 {100 * np.quantile(fine, 0.9):.2f} % (at {DETECTOR_SIZE} px; the service refines at full size)")
    empty = [photos.background(rng, bank, DETECTOR_SIZE, DETECTOR_SIZE, 1.0) for _ in range(200)]
    heat, _ = run(net, empty)
    print(f"  something seen where there is nothing (score over 0.3): {interval(int((heat[:, :len(photos.KINDS)].reshape(200, -1).max(1) > np.log(0.3 / 0.7)).sum()), 200)}")


def evaluate_embedder() -> None:
    net, _ = load_network("embedder")
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    others = Bank("train")
    pictures = list(bank.scans if bank.scans is not None else []) + list(bank.faces[:600])
    count = len(bank.scans) if bank.scans is not None else 300
    plain = lambda p: cv2.resize(np.ascontiguousarray(p), (112, 160), interpolation=cv2.INTER_AREA)
    unit = lambda v: (v.reshape(len(v), -1) / np.linalg.norm(v.reshape(len(v), -1), axis=1, keepdims=True))
    gallery = unit(run(net, [plain(p) for p in pictures] + [plain(p) for p in others.faces[::2]] + ([plain(p) for p in others.scans] if others.scans is not None else []))[0])
    D = photos.Damage
    slices = {"corners 1 %": (0.01, D()), "corners 2 %": (0.02, D()), "corners 3.5 %": (0.035, D()), "blur": (0.01, D(blur=0.01)),
              "glare": (0.01, D(glare=3)), "low light": (0.01, D(dark=0.7, noise=8)), "fingers": (0.01, D(fingers=2)), "foil": (0.01, D(foil=0.5))}
    print(f"embedder, top-1 of {count} cards among {len(gallery)}")
    for name, (jitter, damage) in slices.items():
        queries = unit(run(net, [photo_view(rng, bank, pictures[i], jitter, damage) for i in range(count)])[0])
        scores = queries @ gallery.T
        right = int((scores.argmax(1) == np.arange(count)).sum())
        top20 = int((np.argsort(-scores, 1)[:, :20] == np.arange(count)[:, None]).any(1).sum())
        print(f"  {name}: {interval(right, count)}; in the first twenty {100 * top20 / count:.1f} %")


def distance(a: str, b: str) -> int:
    """Returns the Levenshtein distance."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def evaluate_recognizer(each: int = 150) -> None:
    """Prints the share of exact readings by the height of the box in the photo.

    The box of a number is about 1.9 mm high: 13 pixels at 7 px/mm, 10 at 5.5."""
    net, _ = load_network("recognizer")
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    print("recognizer, unseen fonts, formats and words; exact of all, exact of the legible, wrong of the reported")
    for kind in ("number", "name", "label", "stamp"):
        for height in (6, 8, 10, 12, 14, 18, 26, 38):
            samples = [text_lines.sample(rng, bank, True, height, kind) for _ in range(each)]
            readings = [read(net, s.image) for s in samples]
            exact = [r[0] == s.text for r, s in zip(readings, samples)]
            plain = [e for e, s in zip(exact, samples) if s.legible]
            accepted = [e for e, r in zip(exact, readings) if reported(r)]
            wrong = sum(distance(r[0], s.text) for r, s in zip(readings, samples) if s.legible)
            letters = sum(len(s.text) for s in samples if s.legible)
            print(f"  {kind}, {height} px: {interval(sum(exact), each)}; legible {interval(sum(plain), len(plain))}, CER {100 * wrong / max(letters, 1):.1f} %; "
                  f"reported {len(accepted)}, wrong {interval(len(accepted) - sum(accepted), len(accepted))}")
    samples = [distraction(rng, bank, True) if i % 3 == 2 else text_lines.sample(rng, bank, True, rng.uniform(12, 40), "foreign" if i % 3 else "name") for i in range(6 * each)]
    readings = [read(net, s.image) for s in samples]
    for script in recognizer.SCRIPTS:
        own = [r for r, s in zip(readings, samples) if s.line.script == script]
        foreign = [r[3] not in ("latin", "other", script) and r[2] >= 0.5 for r in own]
        print(f"  script, {script}: {interval(sum(r[3] == script for r in own), len(own))}; legible {interval(sum(r[2] >= 0.5 for r in own), len(own))}; "
              f"legible and of a wrong foreign script {interval(sum(foreign), len(own))}")


def log_probabilities(net, image: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns log-probabilities (steps of the line x classes) and the averaged logits of script and legibility."""
    batch, widths = text_lines.pad_batch([image])
    steps = torch.from_numpy(-(-widths // text_lines.STRIDE))
    with torch.no_grad():
        text, about = net(to_input(torch.from_numpy(batch)))
    return torch.log_softmax(text[0, :, 0, :int(steps[0])], 0).T, recognizer.average_over_line(about, steps)[0]


def read(net, image: np.ndarray) -> tuple[str, float, float, str]:
    """Returns text, confidence of the least certain character, legibility and script."""
    log, whole = log_probabilities(net, image)
    readings, confidence = decode_greedily(log.numpy(), len(log))
    return readings, confidence, float(torch.sigmoid(whole[-1])), recognizer.SCRIPTS[int(whole[:-1].argmax())]


def reported(reading: tuple[str, float, float, str]) -> bool:
    return reading[0] != "" and reading[1] >= 0.98 and reading[2] >= 0.5


def evaluate_surface(plain: int = 420, foils: int = 300) -> None:
    """Prints the shares classified as foil at several limits, with held-out foils, layouts and scans.

    Each limit is chosen on the first set (Learn-then-Test: the one-sided 95 % bound of the false positives is below
    0.5 %) and confirmed on the second. Half of the photos are good, the others of any quality."""
    net, _ = load_network("surface")
    for name, seed in (("calibration", 301), ("test", 302)):
        photographed, kinds, shines = _finished_photos(np.random.default_rng(seed), seed % 2, plain, foils)
        foil = 1 / (1 + np.exp(-run(net, photographed)[0].reshape(len(kinds), 2)[:, 0]))
        print(f"surface, {name}, {len(kinds)} photos of unseen layouts, scans and foils")
        for limit in (0.9, 0.98, 0.99, 0.993, 0.995, 0.998):
            accepted = foil >= limit
            share = lambda of: interval(int(accepted[of].sum()), int(of.sum()))
            each = ", ".join(f"{manner} {100 * accepted[kinds == manner].mean():.1f} %" for manner in sorted(set(kinds) - {""}))
            print(f"    at {limit}: without foil {share(kinds == '')}, with {share(kinds != '')}, shining {share(shines)} ({each})")


def _finished_photos(rng, side: int, plain: int, foils: int):
    """Returns photos with the kind of foil of each (empty without), and whether it shines. The scans are split in two sides."""
    bank, photographed, kinds, shines = Bank("evaluation"), [], [], []
    poor = lambda: replace(photos.Damage.random(rng, surface.HARSH), foil=0)

    def add(picture, foil: str, shining: bool, each: int):
        for make in [lambda: surface.good_damage(rng)] * each + [poor] * each:
            photographed.append(surface.photograph(rng, bank, picture, make()))
            kinds.append(foil), shines.append(shining)

    for _ in range(plain):
        add(surface.apply_finish(rng, surface.render_unmarked(rng, bank, True), True, False, 0).picture, "", False, 2)
    scans = np.random.default_rng(5).permutation(len(bank.scans)) if bank.scans is not None else []
    for i in scans[:len(scans) // 2] if side else scans[len(scans) // 2:]:
        add(np.ascontiguousarray(bank.scans[i]), "", False, 3)
    for _ in range(foils):
        card = surface.apply_finish(rng, surface.render_unmarked(rng, bank, True), True, True, 0)
        add(card.picture, card.foil, card.shines, 1)
    return photographed, np.array(kinds), np.array(shines)


if __name__ == "__main__":
    torch.set_num_threads(1)
    evaluations = {"detector": evaluate_detector, "refiner": evaluate_refiner, "embedder": evaluate_embedder, "recognizer": evaluate_recognizer, "surface": evaluate_surface}
    for name in sys.argv[1:] or evaluations:
        evaluations[name]()
