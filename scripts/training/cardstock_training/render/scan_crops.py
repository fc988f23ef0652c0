"""Lines of real print on the scans for training, with the text that PP-OCRv6 *small* reads there.

    python -m cardstock_training.render.scan_crops PP-OCRv6_rec_small.onnx     # needs onnxruntime; writes BANK/scan-crops.pkl

The network ships with the package rapidocr 3.10.0 (Apache-2.0). It reads each line at the full resolution of the scan; the
recognizer learns to read the same line in a smaller and worse picture. Readings that are not sure are left out.
"""
import pickle
import sys

import cv2
import numpy as np

from cardstock_training import paths
from cardstock_training.render import grammars, text_lines
from cardstock_training.render.banks import scan_files
from cardstock_training.train.text_detector import HEIGHT, WIDTH, LineFinder

# Scans of each folder; limit of a reading's confidence, as the product over its letters.
PER_FOLDER, SURE = 200, 0.9
# Room beside a line, in heights of its box, as the service cuts it.
ROOM = 0.5


def cut(picture: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """Cuts a line (quad from the top left, clockwise, in pixels) out of a gray picture."""
    top_left, top_right, bottom_right, bottom_left = quad
    along = (top_right - top_left) / np.linalg.norm(top_right - top_left)
    down = bottom_left - top_left
    room, margin = ROOM * np.linalg.norm(down) * along, text_lines.MARGIN * down
    source = np.float32([top_left - room - margin, top_right + room - margin, bottom_right + room + margin, bottom_left - room + margin])
    w, h = (max(4, round(float(np.linalg.norm(source[a] - source[b])))) for a, b in ((1, 0), (3, 0)))
    M = cv2.getPerspectiveTransform(source, np.float32([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5)
    return cv2.warpPerspective(picture, M, (w, h), borderMode=cv2.BORDER_REPLICATE)


class Teacher:
    """Reads lines with the classes of our alphabet."""

    def __init__(self, file: str):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(file, options)
        classes = ["", *self.session.get_modelmeta().custom_metadata_map["character"].splitlines(), " "]
        self.kept = [0] + [classes.index(c) for c in grammars.ALPHABET]

    def read(self, line: np.ndarray) -> tuple[str, float]:
        """Returns text and confidence of a line, as `text_lines.normalize` returns it."""
        batch, _ = text_lines.pad_batch([line])
        x = np.repeat(batch[..., 0][:, None].astype(np.float32) / 127.5 - 1, 3, 1)
        steps = -(-line.shape[1] // text_lines.STRIDE)
        chances = self.session.run(None, {self.session.get_inputs()[0].name: x})[0][0][:steps, self.kept]
        best = chances.argmax(1)
        letters = [grammars.ALPHABET[c - 1] for c, before in zip(best, [0, *best]) if c not in (0, before)]
        return "".join(letters).strip(), float((chances.max(1) / chances.sum(1)).prod())


def build(teacher_file: str) -> None:
    teacher, finder, crops, counts = Teacher(teacher_file), LineFinder(), [], {}
    for file in scan_files(held_out=False):
        folder = file.rsplit("/", 2)[-2]
        counts[folder] = counts.get(folder, 0) + 1
        if counts[folder] > PER_FOLDER:
            continue
        picture = cv2.cvtColor(cv2.imread(file), cv2.COLOR_BGR2GRAY)
        view = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
        for quad in finder.find(view):
            crop = cut(picture, quad * np.float32([picture.shape[1] / WIDTH, picture.shape[0] / HEIGHT]))
            if crop.shape[1] * text_lines.HEIGHT > text_lines.WIDTH_MAX * crop.shape[0]:
                continue
            text, confidence = teacher.read(text_lines.normalize(crop))
            if len(text) > 1 and confidence >= SURE:
                crops.append((crop, text))
        if sum(counts.values()) % 20 == 0:
            print(sum(counts.values()), len(crops), flush=True)
    (paths.BANK / "scan-crops.pkl").write_bytes(pickle.dumps(crops))


def load() -> list[tuple[np.ndarray, str]]:
    """Returns gray crops with their texts; none if they were not built."""
    path = paths.BANK / "scan-crops.pkl"
    return pickle.loads(path.read_bytes()) if path.exists() else []


def photograph(rng, crop: np.ndarray, text: str) -> text_lines.Sample:
    """Photographs a line at a random height, no larger than it is."""
    box = crop.shape[0] / (1 + 2 * text_lines.MARGIN)
    height = min(box, float(np.exp(rng.uniform(np.log(8), np.log(30)))))
    small = cv2.resize(crop, None, fx=height / box, fy=height / box, interpolation=cv2.INTER_AREA)
    blur = abs(rng.normal(0, 0.045)) * height if rng.random() < 0.55 else 0.0
    if blur > 0.25:
        small = cv2.GaussianBlur(small, (0, 0), blur)
    small = text_lines.light(rng, small.astype(np.float32))
    line = grammars.Line(text=text, kind="name", script="latin")
    return text_lines.Sample(text_lines.normalize(small), line, text, height, blur / height, 255.0, 1.0, True)


if __name__ == "__main__":
    build(sys.argv[1])
