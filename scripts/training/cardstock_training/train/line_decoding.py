"""Decodes the output of the line detector to lines, as src/vision/ocr/detect-lines.ts does."""
from dataclasses import dataclass

import cv2
import numpy as np

from cardstock_training.train.sizes import LINES_STRIDE as STRIDE
from cardstock_training.train.sizes import LINES_UNIT as UNIT

# Distance of a line's core from its ends, in heights.
INSET = 0.25
# Minimum score beyond the ends of a line, and maximum distance of such a column from the one before it.
END_SCORE, END_STEP = 0.1, 2
# Minimum score of a line of one column: a single digit, or noise.
LONE_SCORE = 0.7


@dataclass
class FoundLine:
    quad: np.ndarray
    score: float
    kind: int


@dataclass
class _LinePart:
    """The part of a line in one column."""

    column: int
    y: float
    height: float
    score: float
    kinds: np.ndarray


def decode_lines(text: np.ndarray, shape: np.ndarray, kinds: np.ndarray, least: float = 0.5) -> list[FoundLine]:
    """Decodes the maps of one picture to lines.

    Cells are joined if they predict the same middle, not if they touch: cells of two close lines touch, but
    predict different middles."""
    chains: list[list[_LinePart]] = []
    open_: list[list[_LinePart]] = []
    score = 1 / (1 + np.exp(-text[0]))
    for column in range(score.shape[1]):
        parts = _line_parts(column, score, shape, kinds, least)
        # A gap of up to 0.8 heights is a space between words; a larger one separates two lines.
        open_ = [c for c in open_ if column - c[-1].column <= max(2, 0.8 * c[-1].height / STRIDE)]
        for part in parts:
            fits = [c for c in open_ if c[-1].column < column and abs(_middle(c) - part.y) < 0.35 * part.height and abs(np.log(c[-1].height / part.height)) < 0.4]
            if fits:
                min(fits, key=lambda c: abs(_middle(c) - part.y)).append(part)
            else:
                chains.append([part])
                open_.append(chains[-1])
    return [line for chain in chains if (line := _line(chain, score, shape, kinds)) is not None]


def _middle(chain: list[_LinePart]) -> float:
    last = chain[-3:]
    return sum(b.y for b in last) / len(last)


def _line_parts(column: int, score: np.ndarray, shape: np.ndarray, kinds: np.ndarray, least: float) -> list[_LinePart]:
    """Returns the line parts in one column; cells above each other with the same middle are merged."""
    groups: list[list[tuple[float, float, float, np.ndarray]]] = []
    for row in np.nonzero(score[:, column] >= least)[0]:
        y = (row + 0.5) * STRIDE + shape[0, row, column] * UNIT
        height = float(np.exp(np.clip(shape[1, row, column], -2, 2.5)) * UNIT)
        cell = (float(y), height, float(score[row, column]), kinds[:, row, column])
        if groups and abs(groups[-1][-1][0] - y) < 0.35 * height:
            groups[-1].append(cell)
        else:
            groups.append([cell])
    return [_merge(cells, column) for cells in groups]


def _merge(cells: list[tuple[float, float, float, np.ndarray]], column: int) -> _LinePart:
    weight = sum(c[2] for c in cells)
    return _LinePart(column, sum(c[0] * c[2] for c in cells) / weight, sum(c[1] * c[2] for c in cells) / weight, max(c[2] for c in cells), sum(c[3] for c in cells))


def _weak_parts_beyond(inner: list[_LinePart], step: int, score: np.ndarray, shape: np.ndarray, kinds: np.ndarray) -> list[_LinePart]:
    """Returns the weak parts beyond the last of `inner`, outwards: the network is less sure of the first and last characters."""
    parts = list(inner)
    column = parts[-1].column + step
    while 0 <= column < score.shape[1] and abs(column - parts[-1].column) <= END_STEP:
        middle, height = _middle(parts), parts[-1].height
        reach = 0.35 * height + STRIDE
        cells = []
        for row in range(max(0, int(np.floor((middle - reach) / STRIDE))), min(len(score), int(np.ceil((middle + reach) / STRIDE)))):
            y = float((row + 0.5) * STRIDE + shape[0, row, column] * UNIT)
            tall = float(np.exp(np.clip(shape[1, row, column], -2, 2.5)) * UNIT)
            if score[row, column] >= END_SCORE and abs(y - middle) < 0.35 * tall and abs(np.log(tall / height)) < 0.4:
                cells.append((y, tall, float(score[row, column]), kinds[:, row, column]))
        if cells:
            parts.append(_merge(cells, column))
        column += step
    return parts[len(inner):]


def _line(chain: list[_LinePart], score_map: np.ndarray, shape: np.ndarray, kind_map: np.ndarray) -> FoundLine | None:
    """Fits a straight box to a chain of line parts and to the weak parts beyond its ends."""
    score = float(np.mean([b.score for b in chain]))
    if len(chain) < 2 and score < LONE_SCORE:
        return None
    kinds = np.sum([b.kinds for b in chain], 0)
    before = _weak_parts_beyond(chain[2::-1], -1, score_map, shape, kind_map)
    chain = before[::-1] + chain + _weak_parts_beyond(chain[-3:], 1, score_map, shape, kind_map)
    x = np.array([(b.column + 0.5) * STRIDE for b in chain])
    y = np.array([b.y for b in chain])
    height = float(np.median([b.height for b in chain]))
    slope = float(np.polyfit(x, y, 1)[0]) if x[-1] - x[0] > 2 * height else 0.0
    slope = float(np.clip(slope, -0.2, 0.2))
    middle = float((y - slope * x).mean())
    # The core is shorter than the line; half a cell at either end is uncertain.
    x0, x1 = x[0] - STRIDE / 2 - INSET * height + 1, x[-1] + STRIDE / 2 + INSET * height - 1
    u = np.array([1, slope]) / np.hypot(1, slope)
    v = np.array([-u[1], u[0]]) * height / 2
    left, right = np.array([x0, middle + slope * x0]), np.array([x1, middle + slope * x1])
    return FoundLine(np.array([left - v, right - v, right + v, left + v], np.float32), score, int(np.argmax(kinds)))


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Returns the intersection over union of two convex quads."""
    common, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return common / max(cv2.contourArea(a.astype(np.float32)) + cv2.contourArea(b.astype(np.float32)) - common, 1e-6)


def height_of(quad: np.ndarray) -> float:
    """Returns the height of a line, perpendicular to its slope."""
    along = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    length = float(np.linalg.norm(along))
    down = (quad[3] + quad[2] - quad[0] - quad[1]) / 2
    return abs(float(along[0] * down[1] - along[1] * down[0])) / max(length, 1e-6)
