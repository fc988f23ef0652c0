"""Lines of text on the scans for training, as PP-OCRv6's *small* text detector finds them.

    python -m cardstock_training.render.scan_lines PP-OCRv6_det_small.onnx     # needs onnxruntime; writes BANK/scan-lines.json

The network ships with the package rapidocr 3.10.0 (Apache-2.0) and is only a teacher: it says where lines begin and
end. Height, middle and kind are those that the exported line detector predicts there, because the teacher's boxes hug
the letters, and ours reach from ascender to descender.
"""
import json
import sys
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import torch

from cardstock_training import paths
from cardstock_training.render.banks import scan_files
from cardstock_training.train.line_decoding import FoundLine, decode_lines, height_of
from cardstock_training.train.loop import load_exported, to_input
from cardstock_training.train.sizes import LINES_SIZE

# Long side of the teacher's input; limits of its map and its boxes.
SIDE, CELL_MIN, SCORE_MIN = 960, 0.3, 0.5
# Growth of the teacher's cores to boxes, as area over perimeter; room beside the letters, in heights of the box.
GROWTH, ROOM = 1.6, 0.12
# Height of our boxes, relative to the teacher's.
HEIGHT = 0.85
# Maximum slope of a line, in degrees; steeper ones are sideways text.
SLOPE_MAX = 15
# Scans that are labeled, of each folder.
PER_FOLDER = 200


@dataclass
class TaughtLine:
    """A line in pixels of the picture: quad, and index of its kind or -1."""

    quad: np.ndarray
    kind: int

    @cached_property
    def length(self) -> float:
        return float(np.linalg.norm(self.quad[1] - self.quad[0]))


def find_cores(teacher, picture: np.ndarray) -> list[tuple[float, ...]]:
    """Returns the cores of the teacher's lines: center (shares of width and height), length, height (shares of the width), degrees."""
    h, w = picture.shape[:2]
    scale = SIDE / max(h, w)
    wide, high = (round(side * scale / 32) * 32 for side in (w, h))
    x = cv2.resize(picture, (wide, high)).astype(np.float32) / 255
    x = ((x - np.float32([0.485, 0.456, 0.406])) / np.float32([0.229, 0.224, 0.225])).transpose(2, 0, 1)[None]
    scores = teacher.run(None, {teacher.get_inputs()[0].name: np.ascontiguousarray(x)})[0][0, 0]
    cores = []
    for contour in cv2.findContours((scores > CELL_MIN).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
        (cx, cy), (length, height), angle = cv2.minAreaRect(contour)
        inside = cv2.fillPoly(np.zeros(scores.shape, np.uint8), [contour], 1) > 0
        if min(length, height) < 3 or scores[inside].mean() < SCORE_MIN:
            continue
        if length < height:
            length, height, angle = height, length, angle - 90
        cores.append((cx / wide, cy / high, length / wide, height / wide, (angle + 90) % 180 - 90))
    return cores


def to_lines(cores: list[tuple[float, ...]], ours: list[FoundLine], size: tuple[int, int]) -> list[TaughtLine]:
    """Converts cores to lines in a picture of this width and height, with the heights and kinds of our own lines."""
    w, h = size
    lines = []
    for cx, cy, length, height, angle in cores:
        if abs(angle) > SLOPE_MAX:
            continue
        length, height = length * w, height * w
        grow = GROWTH * length * height / (length + height)
        length, height = length + grow, height + grow
        u = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        center, half = np.array([cx * w, cy * h]), u * (length / 2 - ROOM * height)
        same = _same_line(ours, center, half, height)
        kind, down = -1, HEIGHT * height
        if same is not None:
            kind, down = same.kind, height_of(same.quad)
            # Moves the center to the middle of our line, which passes below digits.
            middle = same.quad.mean(0)
            slope = (same.quad[1] - same.quad[0])[1] / max((same.quad[1] - same.quad[0])[0], 1e-6)
            center = np.array([center[0], middle[1] + slope * (center[0] - middle[0])])
        v = np.array([-u[1], u[0]]) * down / 2
        lines.append(TaughtLine(np.array([center - half - v, center + half - v, center + half + v, center - half + v], np.float32), kind))
    return lines


def _same_line(ours: list[FoundLine], center: np.ndarray, half: np.ndarray, height: float) -> FoundLine | None:
    """Returns our line that shares most of its length with a taught one, at the same height on the card."""
    best, most = None, 0.25 * 2 * abs(half[0])
    for line in ours:
        left, right = line.quad[[0, 3], 0].mean(), line.quad[[1, 2], 0].mean()
        shared = min(right, center[0] + half[0]) - max(left, center[0] - half[0])
        if shared > most and abs(line.quad[:, 1].mean() - center[1]) < 0.5 * height:
            best, most = line, shared
    return best


def label(net, picture: np.ndarray, cores: list[tuple[float, ...]]) -> dict:
    """Returns the taught lines of a scan, and our lines that the teacher lacks; quads are shares of the card's sides."""
    h, w = LINES_SIZE
    gray = cv2.cvtColor(cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA if picture.shape[1] > w else cv2.INTER_LINEAR), cv2.COLOR_BGR2GRAY)
    with torch.no_grad():
        ours = decode_lines(*(out[0].numpy() for out in net(to_input(torch.from_numpy(gray[None, ..., None])))))
    taught = to_lines(cores, ours, (w, h))
    unknown = [line for line in ours if not any(abs(line.quad[:, 1].mean() - t.quad[:, 1].mean()) < 0.5 * height_of(line.quad) and line.quad[:, 0].max() > t.quad[:, 0].min() and line.quad[:, 0].min() < t.quad[:, 0].max() for t in taught)]
    share = lambda quad: (quad / np.float32([w, h])).round(5).tolist()
    return {"lines": [[share(t.quad), t.kind] for t in taught], "unknown": [share(line.quad) for line in unknown]}


def build(teacher_file: str) -> None:
    import onnxruntime
    teacher, net = onnxruntime.InferenceSession(teacher_file), load_exported("lines").eval()
    labels, folders = {}, {}
    for file in scan_files(held_out=False):
        folder = file.rsplit("/", 2)[-2]
        folders[folder] = folders.get(folder, 0) + 1
        if folders[folder] <= PER_FOLDER:
            picture = cv2.imread(file)
            labels[file.rsplit("scans/", 1)[1]] = label(net, picture, find_cores(teacher, picture))
    (paths.BANK / "scan-lines.json").write_text(json.dumps(labels))


if __name__ == "__main__":
    build(sys.argv[1])
