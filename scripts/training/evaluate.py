"""What the networks are worth by themselves, on layouts, fonts and scans that none of them has seen.

    python evaluate.py [detector refiner embedder lines recogniser surface]

The whole reader, as the service runs it, is judged by `bun run bench identify`.
"""
import sys

import cv2
import numpy as np
import torch

import lines
import marks
import photos
import train_detector
import train_lines
import train_recogniser
import train_refiner
import train_surface
from bank import Bank
from nets import DETECTOR_SIZE, EMBEDDER_SIZE, MARGIN, REFINER_SIZE, STRIDE, UNIT
from training import load, pixels
from train_embedder import catalog_view, photo_view

SEED = 4242


def run(net, images: list[np.ndarray]) -> list[np.ndarray]:
    """Outputs for all pictures, in batches, as numpy arrays."""
    parts = []
    with torch.inference_mode():
        for at in range(0, len(images), 32):
            parts.append([y.numpy() for y in net(pixels(torch.from_numpy(np.stack(images[at:at + 32]))))])
    return [np.concatenate(column) for column in zip(*parts)]


def interval(right: int, n: int) -> str:
    """A share with its 95 % Wilson interval, in percent."""
    p, z = right / n, 1.96
    middle, half = (p + z * z / 2 / n) / (1 + z * z / n), z * np.sqrt(p * (1 - p) / n + z * z / 4 / n / n) / (1 + z * z / n)
    return f"{100 * p:.1f} % of {n} [{100 * (middle - half):.1f}, {100 * (middle + half):.1f}]"


def best_quad(heat: np.ndarray, quad: np.ndarray) -> tuple[np.ndarray, float, int]:
    """The likeliest thing of one picture: corners in pixels, how sure, which kind."""
    kind, y, x = np.unravel_index(heat.argmax(), heat.shape)
    corners = quad[:, y, x].reshape(4, 2) * UNIT + ((x + 0.5) * STRIDE, (y + 0.5) * STRIDE)
    return corners.astype(np.float32), 1 / (1 + np.exp(-heat[kind, y, x])), int(kind)


def refined(net, image: np.ndarray, quad: np.ndarray, passes: int = 2) -> tuple[np.ndarray, float]:
    """The quad after the refiner has looked, and how sure it was."""
    sure = 0.0
    for _ in range(passes):
        h, w = REFINER_SIZE
        M = cv2.getPerspectiveTransform(quad.astype(np.float32), train_refiner.upright())
        crop = cv2.warpPerspective(image, M, (w, h), flags=cv2.INTER_AREA if photos._height(quad) > 2 * h else cv2.INTER_LINEAR, borderValue=(128, 128, 128))
        found, confidence = train_refiner.corners(run(net, [crop])[0])
        quad = cv2.perspectiveTransform(found[0][None], np.linalg.inv(M))[0]
        sure = float(confidence[0].mean())
    return quad, sure


def judge_refiner(count: int = 400) -> None:
    net, _ = load("refiner")
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    crops = [train_refiner.crop(rng, bank) for _ in range(count)]
    found, sure = train_refiner.corners(run(net, [c[0] for c in crops])[0])
    height = REFINER_SIZE[0] / (1 + 2 * MARGIN)
    error = np.linalg.norm(found - np.stack([c[1] for c in crops]), axis=-1).mean(1) / height * 100
    print(f"refiner, one pass on {count} crops: corner error median {np.median(error):.2f} %, p90 {np.quantile(error, 0.9):.2f} % of the card's height; sure {np.median(sure):.2f}")


def judge_detector(count: int = 400) -> None:
    net, _ = load("detector")
    try:
        refiner, _ = load("refiner")
    except FileNotFoundError:
        refiner = None
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    images, truth, scales = [], [], []
    for i in range(count):
        scale = rng.uniform(0.2, 1.0)
        h, w = (DETECTOR_SIZE, 240) if rng.random() < 0.6 else (240, DETECTOR_SIZE)
        canvas = photos.background(rng, bank, h, w, 0.4)
        quad = photos.place(rng, h, w, scale, tilt=0.8)
        photos.draw(rng, canvas, photos.thing(rng, bank, quad, 0), bank)
        image = np.full((DETECTOR_SIZE, DETECTOR_SIZE, 3), 128, np.uint8)
        image[:h, :w] = photos.wear(rng, canvas, quad, photos.Damage(noise=2, jpeg=88))
        images.append(image), truth.append(quad), scales.append(scale)
    heat, offsets = run(net, images)
    found = turned = 0
    coarse, fine = [], []
    for i, quad in enumerate(truth):
        guess, sure, kind = best_quad(heat[i], offsets[i])
        height = photos._height(quad)
        distance = lambda a: float(np.linalg.norm(a - quad, axis=-1).mean() / height)
        if sure < 0.3 or np.linalg.norm(guess.mean(0) - quad.mean(0)) > 0.2 * height:
            continue
        found += 1
        turned += distance(guess) < 0.25
        coarse.append(distance(guess))
        if refiner is not None:
            fine.append(distance(refined(refiner, images[i], guess)[0]))
    print(f"detector, one card at 0.2 to 1.0 of the frame: found {interval(found, count)}, right way up {interval(turned, count)}")
    print(f"  corner error median {100 * np.median(coarse):.2f} %, p90 {100 * np.quantile(coarse, 0.9):.2f} % of the height")
    if fine:
        print(f"  after the refiner median {100 * np.median(fine):.2f} %, p90 {100 * np.quantile(fine, 0.9):.2f} % (at {DETECTOR_SIZE} px; the service refines at full size)")
    empty = [photos.background(rng, bank, DETECTOR_SIZE, DETECTOR_SIZE, 1.0) for _ in range(200)]
    heat, _ = run(net, empty)
    print(f"  something seen where there is nothing (score over 0.3): {interval(int((heat.reshape(200, -1).max(1) > np.log(0.3 / 0.7)).sum()), 200)}")


def judge_embedder() -> None:
    net, _ = load("embedder")
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


def wilson(right: int, count: int) -> str:
    """As `interval`; a row without any says so."""
    return interval(right, count) if count > 0 else "none"


def judge_lines(count: int = 120) -> None:
    """Lines found at IoU 0.5, by how high they are at the network's size; and what was found that is none."""
    net, _ = load("lines")
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    views = [train_lines.view(rng, bank, held_out=True) for _ in range(count)]
    text, shape, kinds = run(net, [v[0] for v in views])
    found_at, told = {}, [0, 0]
    true = drawn = 0
    for i, (_, wanted) in enumerate(views):
        found = train_lines.boxes(text[i], shape[i], kinds[i])
        # What a line shows of itself is all that can be found of it.
        shown = [np.clip(w.quad, 0, (train_lines.W, train_lines.H)) for w in wanted]
        hits = np.array([[train_lines.overlap(q, f.quad) for f in found] for q in shown]).reshape(len(wanted), len(found))
        for w, row in zip(wanted, hits):
            height = train_lines.height_of(w.quad)
            if height < train_lines.HEIGHT_MIN or w.quad.min() < 0 or (w.quad.max(0) > (train_lines.W, train_lines.H)).any():
                continue
            best = int(row.argmax()) if len(row) > 0 else -1
            hit = best >= 0 and row[best] >= 0.5
            for key in ("all", w.kind, f"{_bin(height, (5, 7, 9, 12, 18, 99))} px"):
                part = found_at.setdefault(key, [0, 0])
                part[0] += hit
                part[1] += 1
            if hit:
                told[0] += found[best].kind == train_lines.KINDS.index(w.kind)
                told[1] += 1
        # Finding print that is too small to count is no invention.
        true += int((hits.max(0) >= 0.5).sum()) if len(wanted) > 0 else 0
        drawn += len(found)
    print(f"lines, {count} views of unseen layouts and fonts, IoU 0.5: precision {wilson(true, drawn)}; kind right {wilson(*told)}")
    for key, part in sorted(found_at.items(), key=lambda kv: (kv[0][0].isdigit(), kv[0] != "all", len(kv[0]), kv[0])):
        print(f"  recall, {key}: {wilson(*part)}")


def _bin(value: float, edges: tuple[int, ...]) -> str:
    at = next(i for i in range(len(edges) - 1) if value < edges[i + 1])
    return f"{edges[at]} to {edges[at + 1]}"


def distance(a: str, b: str) -> int:
    """Characters to insert, remove or replace (Levenshtein)."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def judge_recogniser(each: int = 150) -> None:
    """Exactly read lines by the height of their box in the photo. A number's box is about 1.9 mm high:
    13 pixels are 7 px/mm, 10 are 5.5."""
    net, _ = load("recogniser")
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    print("recogniser, unseen fonts, shapes and words; exact of all, of the legible, wrong of those reported")
    for kind in ("number", "name", "label", "stamp"):
        for height in (6, 8, 10, 12, 14, 18, 26, 38):
            samples = [lines.sample(rng, bank, True, height, kind) for _ in range(each)]
            said = [read(net, s.image) for s in samples]
            exact = [r[0] == s.text for r, s in zip(said, samples)]
            plain = [e for e, s in zip(exact, samples) if s.legible]
            told = [e for e, r in zip(exact, said) if reported(r)]
            wrong = sum(distance(r[0], s.text) for r, s in zip(said, samples) if s.legible)
            letters = sum(len(s.text) for s in samples if s.legible)
            print(f"  {kind}, {height} px: {wilson(sum(exact), each)}; legible {wilson(sum(plain), len(plain))}, CER {100 * wrong / max(letters, 1):.1f} %; "
                  f"reported {len(told)}, wrong {wilson(len(told) - sum(told), len(told))}")
    samples = [lines.sample(rng, bank, True, rng.uniform(12, 40), "foreign" if i % 2 else "name") for i in range(4 * each)]
    said = [read(net, s.image) for s in samples]
    for script in train_recogniser.SCRIPTS:
        own = [r[3] == script for r, s in zip(said, samples) if s.line.script == script]
        print(f"  script, {script}: {wilson(sum(own), len(own))}")


def letters_of(net, image: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Logarithms of probabilities (the steps that the line fills x classes), and what it is as a whole."""
    batch, widths = lines.padded([image])
    steps = torch.from_numpy(-(-widths // lines.STRIDE))
    with torch.no_grad():
        text, about = net(pixels(torch.from_numpy(batch)))
    return torch.log_softmax(text[0, :, 0, :int(steps[0])], 0).T, train_recogniser.about(about, steps)[0]


def read(net, image: np.ndarray) -> tuple[str, float, float, str]:
    """Text, its least sure character, how legible the line seems, and its script."""
    log, whole = letters_of(net, image)
    said, sure = train_recogniser.greedy(log.numpy(), len(log))
    return said, sure, float(torch.sigmoid(whole[-1])), train_recogniser.SCRIPTS[int(whole[:-1].argmax())]


def reported(reading: tuple[str, float, float, str]) -> bool:
    return reading[0] != "" and reading[1] >= 0.98 and reading[2] >= 0.5


def judge_surface(count: int = 2400) -> None:
    """Shares told at several limits, of marks that training never showed. `photos` are of any kind, `good`
    ones those of which the service would say that there is no stamp."""
    net, _ = load("surface")
    rng, bank = np.random.default_rng(SEED), Bank("evaluation")
    good = lambda: photos.Damage(blur=abs(rng.normal(0, 0.002)), noise=rng.uniform(1, 5), tint=rng.uniform(0, 0.2), gradient=rng.uniform(0, 0.4),
                                 jpeg=int(rng.integers(60, 96)), fingers=int(rng.random() < 0.15))
    seen = [train_surface.marked(rng, train_surface.bare(rng, bank, True), True, i % 2 == 0, i % 3 == 0) for i in range(count)]
    for name, damage in (("photos", lambda: None), ("good photos", good)):
        images = [train_surface.photograph(rng, bank, one.picture, damage()) for one in seen]
        foil, stamped = 1 / (1 + np.exp(-run(net, images)[0].reshape(count, 2).T))
        print(f"surface, {count} {name} of unseen layouts and marks")
        _told(foil, np.array([one.foil for one in seen]), (0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999), "told as foil", np.greater_equal)
        _told(stamped, np.array([one.stamp for one in seen]), (0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.002, 0.001), "told to have no stamp", np.less_equal)
    if bank.scans is not None:  # real cards whose art nobody drew for this, none of them foil
        faces = [cv2.resize(np.ascontiguousarray(scan), EMBEDDER_SIZE[::-1], interpolation=cv2.INTER_AREA) for scan in bank.scans]
        foil, stamped = 1 / (1 + np.exp(-run(net, faces)[0].reshape(len(faces), 2).T))
        print(f"surface, {len(faces)} scans without foil: " + "; ".join(f"at {limit} {wilson(int((foil >= limit).sum()), len(faces))}" for limit in (0.9, 0.98, 0.99, 0.995, 0.999)))


def _told(chance: np.ndarray, manners: np.ndarray, limits: tuple[float, ...], what: str, passes) -> None:
    """A row for each limit: of those without any mark, of those with one, and of each manner."""
    print(f"  right at one half {np.mean((chance >= 0.5) == (manners != '')):.3f}; {what}:")
    for limit in limits:
        told = passes(chance, limit)
        share = lambda of: wilson(int(told[of].sum()), int(of.sum()))
        each = ", ".join(f"{manner} {100 * told[manners == manner].mean():.1f} %" for manner in sorted(set(manners) - {""}))
        print(f"    at {limit}: unmarked {share(manners == '')}, marked {share(manners != '')} ({each})")


if __name__ == "__main__":
    torch.set_num_threads(1)
    judges = {"detector": judge_detector, "refiner": judge_refiner, "embedder": judge_embedder, "lines": judge_lines, "recogniser": judge_recogniser, "surface": judge_surface}
    for name in sys.argv[1:] or judges:
        judges[name]()
