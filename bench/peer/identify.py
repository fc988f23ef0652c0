"""Identifies cards with the methods of other programs. `bun run bench identify` runs it on the same photos.

    python3 bench/peer/identify.py FOLDER [--photos N]      # needs OpenCV and numpy; tesseract if installed

FOLDER is the output of evaluate/photos.py and evaluate/gallery.py of scripts/training. Prints JSON: for each peer
and slice the number of photos with the right card first, and of all photos. Each method gets its best conditions:
all four rotations are tried, and the hashes of the gallery are of clean pictures.
"""
import argparse
import difflib
import json
import os
import shutil
import subprocess
import time

import cv2
import numpy as np


def _dct_hash(gray: np.ndarray, size: int, bits: int) -> np.ndarray:
    low = cv2.dct(cv2.resize(gray, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32))[:bits, :bits].flatten()
    return np.packbits(low > np.median(low[1:]))


def peer_hashes(rgb: np.ndarray) -> dict[str, np.ndarray]:
    """Returns a pHash of 64 bits (as imagehash), one of 256 bits, and three of 256 bits for the color channels."""
    gray = cv2.cvtColor(np.ascontiguousarray(rgb), cv2.COLOR_RGB2GRAY)
    return {"pHash64": _dct_hash(gray, 32, 8), "pHash256": _dct_hash(gray, 64, 16),
            "RGB pHash": np.concatenate([_dct_hash(rgb[..., c], 64, 16) for c in range(3)])}


def hashes_of(picture: np.ndarray) -> dict[str, np.ndarray]:
    return peer_hashes(cv2.resize(np.ascontiguousarray(picture), (112, 160), interpolation=cv2.INTER_AREA))


def rectify(rgb: np.ndarray, corners: np.ndarray, w: int = 252, h: int = 352) -> np.ndarray:
    """Rectifies the quad (top left first, clockwise) to this size."""
    target = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    turn = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return cv2.warpPerspective(rgb, turn, (w, h), flags=cv2.INTER_AREA)


def quads(rgb: np.ndarray) -> list[np.ndarray]:
    """Returns all quadrilateral contours, largest first, as most scanners do."""
    scale = 800 / max(rgb.shape[:2])
    gray = cv2.cvtColor(cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
    found = []
    for edges in (cv2.Canny(cv2.GaussianBlur(gray, (5, 5), 0), 40, 120),
                  cv2.adaptiveThreshold(cv2.GaussianBlur(gray, (5, 5), 0), 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, cv2.THRESH_BINARY_INV, 51, 5)):
        for contour in cv2.findContours(cv2.dilate(edges, np.ones((3, 3))), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            hull = cv2.convexHull(contour)
            polygon = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)
            if len(polygon) == 4 and cv2.contourArea(polygon) > 0.01 * gray.size:
                found.append(polygon.reshape(4, 2).astype(np.float32))
    return [_upright(quad) / scale for quad in sorted(found, key=cv2.contourArea, reverse=True)]


def _upright(quad: np.ndarray) -> np.ndarray:
    """Orders corners clockwise, starting with a short side."""
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
    if ax * by - ay * bx < 0:
        quad = quad[::-1]
    first, second = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    return np.roll(quad, 1, axis=0) if first > second else quad


_BITS = np.array([bin(i).count("1") for i in range(256)], np.uint8)


def nearest(hash_: np.ndarray, gallery: np.ndarray) -> tuple[int, int]:
    distance = _BITS[np.bitwise_xor(gallery, hash_)].sum(1, dtype=np.int32)
    i = int(distance.argmin())
    return i, int(distance[i])


class Orb:
    """Matches key points with every card, and fits a homography to the five cards with the most votes."""

    def __init__(self, pictures: list[np.ndarray]):
        self.orb = cv2.ORB_create(500)
        found = [self.orb.detectAndCompute(p, None) for p in pictures]
        self.points = [[k.pt for k in kp] for kp, _ in found]
        self.owner = np.concatenate([np.full(len(d), i) for i, (_, d) in enumerate(found)])
        self.local = np.concatenate([np.arange(len(d)) for _, d in found])
        self.matcher = cv2.FlannBasedMatcher({"algorithm": 6, "table_number": 6, "key_size": 12, "multi_probe_level": 1}, {"checks": 50})
        self.matcher.add([np.concatenate([d for _, d in found])])
        self.matcher.train()

    def find(self, rgb: np.ndarray) -> int | None:
        scale = 800 / max(rgb.shape[:2])
        kp, d = cv2.ORB_create(1500).detectAndCompute(cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), None)
        if d is None:
            return None
        good = [m[0] for m in self.matcher.knnMatch(d, k=2) if len(m) == 2 and m[0].distance < 0.8 * m[1].distance]
        if not good:
            return None
        votes = np.bincount([self.owner[m.trainIdx] for m in good])
        best, inliers = None, 0
        for card in votes.argsort()[::-1][:5]:
            own = [m for m in good if self.owner[m.trainIdx] == card]
            if len(own) < 4:
                continue
            a = np.float32([kp[m.queryIdx].pt for m in own])
            b = np.float32([self.points[card][self.local[m.trainIdx]] for m in own])
            _, mask = cv2.findHomography(a, b, cv2.RANSAC, 5.0)
            if mask is not None and mask.sum() > inliers:
                best, inliers = int(card), int(mask.sum())
        return best


def tesseract(rgb: np.ndarray, psm: int) -> str:
    """Reads text with Tesseract; `psm` is 6 for a block, 7 for a line, 11 for sparse text."""
    png = cv2.imencode(".png", cv2.cvtColor(np.ascontiguousarray(rgb), cv2.COLOR_RGB2GRAY))[1].tobytes()
    # More threads are not faster for pictures of this size.
    env = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    return subprocess.run(["tesseract", "-", "-", "--psm", str(psm)], input=png, capture_output=True, env=env).stdout.decode(errors="ignore").strip()


def read_name(card: np.ndarray) -> str:
    return tesseract(cv2.resize(card[int(0.03 * len(card)):int(0.115 * len(card))], None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), 7)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--photos", type=int, default=10_000, help="at most so many of a slice")
    parser.add_argument("--slow", type=int, default=8, help="at most so many of a slice for ORB and tesseract")
    args = parser.parse_args()
    labels = [l for l in json.load(open(os.path.join(args.folder, "labels.json"))) if l["card"] is not None]
    names = sorted(os.listdir(os.path.join(args.folder, "cards")))
    pictures = [cv2.imread(os.path.join(args.folder, "cards", n))[..., ::-1] for n in names]
    own = [hashes_of(p) for p in pictures]
    rest = np.load(os.path.join(args.folder, "gallery-hashes.npz"))
    galleries = {key: np.concatenate([np.stack([h[key] for h in own]), rest[key]]) for key in own[0]}
    orb = Orb([np.ascontiguousarray(cv2.resize(p, (252, 352), interpolation=cv2.INTER_AREA)) for p in pictures])
    titles = {i: n.split("__DSK")[0] for i, n in enumerate(names) if "__DSK" in n}
    reads = shutil.which("tesseract") is not None
    tally: dict[str, dict[str, list[int]]] = {}
    seconds: dict[str, list[float]] = {}

    def count(peer: str, slice_: str, right: bool, took: float) -> None:
        entry = tally.setdefault(peer, {}).setdefault(slice_, [0, 0])
        entry[0] += int(right)
        entry[1] += 1
        seconds.setdefault(peer, []).append(took)

    seen: dict[str, int] = {}
    for label in labels:
        slice_ = label["slice"]
        seen[slice_] = seen.get(slice_, 0) + 1
        if seen[slice_] > args.photos:
            continue
        rgb = np.ascontiguousarray(cv2.imread(os.path.join(args.folder, label["photo"]))[..., ::-1])
        truth = names.index(label["card"])
        began = time.time()
        card = next((rectify(rgb, quad) for quad in quads(rgb)), None)
        found = time.time() - began
        hashes = [] if card is None else [hashes_of(np.rot90(card, k)) for k in (0, 2)]
        for key, gallery in galleries.items():
            began = time.time()
            best = min((nearest(h[key], gallery)[::-1] for h in hashes), default=(0, -1))
            count(key, slice_, best[1] == truth, found + time.time() - began)
        if seen[slice_] <= args.slow:
            began = time.time()
            count("ORB + RANSAC (own cards only)", slice_, orb.find(rgb) == truth, time.time() - began)
            if reads and truth in titles:
                began = time.time()
                texts = [read_name(np.ascontiguousarray(np.rot90(card, k))) for k in (0, 2)] if card is not None else []
                close = [(difflib.SequenceMatcher(None, t.lower(), title.lower()).ratio(), i) for t in texts for i, title in titles.items()]
                best_title = titles[max(close)[1]] if close else None
                count("tesseract + search (name)", slice_, best_title == titles[truth], time.time() - began)
    print(json.dumps({"right": tally, "milliseconds": {k: round(1000 * float(np.median(v)), 1) for k, v in seconds.items()}}))


if __name__ == "__main__":
    main()
