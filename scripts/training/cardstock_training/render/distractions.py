"""Pictures that the text detector may take for a line, and that nobody reads as one: text on its side or upside down, and art."""
import cv2
import numpy as np

from cardstock_training.render import grammars, text_lines
from cardstock_training.render.text_lines import Sample


def distraction(rng, bank, held_out: bool) -> Sample:
    """Renders one of them, as the service crops it."""
    roll = rng.random()
    if roll < 0.3:
        image = _upside_down(rng, bank, held_out)
    elif roll < 0.7:
        image = _sideways(rng, bank, held_out)
    else:
        image = _art(rng, bank)
    height = float(rng.uniform(9, 40))
    size = (max(4, round(image.shape[1] * height / image.shape[0])), round(height))
    image = text_lines.light(rng, cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32))
    return Sample(text_lines.normalize(image), grammars.Line("", "distraction", "other"), "", height, 0.0, 0.0, 0.0, False)


# Digits and most capitals are legible either way up.
UPRIGHT_LETTERS = 3


def _upside_down(rng, bank, held_out: bool) -> np.ndarray:
    return np.rot90(_line(rng, bank, held_out, UPRIGHT_LETTERS), 2)


def _line(rng, bank, held_out: bool, lower_case: int = 0) -> np.ndarray:
    """Renders a line in Latin script, with at least some lower-case letters, without the room around it."""
    sheet = text_lines.sheet(rng, bank, held_out)
    while sheet.line.script != "latin" or sum(c.islower() for c in sheet.text) < lower_case:
        sheet = text_lines.sheet(rng, bank, held_out)
    room = sheet.drawn.shape[0] // 2
    return sheet.image[room:-room, room:-room]


def _sideways(rng, bank, held_out: bool) -> np.ndarray:
    """Renders a part of a paragraph, turned by a quarter."""
    high = 40
    lines = [_line(rng, bank, held_out) for _ in range(int(rng.integers(2, 7)))]
    lines = [cv2.resize(np.ascontiguousarray(one), (max(high, round(one.shape[1] * high / one.shape[0])), high), interpolation=cv2.INTER_AREA) for one in lines]
    width = max(one.shape[1] for one in lines)
    block = np.vstack([np.tile(one, (1, -(-width // one.shape[1])))[:, :width] for one in lines])
    turned = np.rot90(block, 1 if rng.random() < 0.5 else 3)
    tall = min(turned.shape[0], round(rng.uniform(0.6, 3.5) * high))
    wide = min(turned.shape[1], round(tall * rng.uniform(1.5, 8)))
    y, x = rng.integers(0, turned.shape[0] - tall + 1), rng.integers(0, turned.shape[1] - wide + 1)
    return turned[y:y + tall, x:x + wide]


def _art(rng, bank) -> np.ndarray:
    """Returns a part of the art of a card."""
    face = bank.face(rng)
    tall = int(rng.integers(8, 48))
    wide = min(face.shape[1], round(tall * rng.uniform(1.5, 8)))
    top, bottom = round(0.16 * face.shape[0]), round(0.5 * face.shape[0]) - tall
    y, x = rng.integers(top, max(top + 1, bottom)), rng.integers(0, face.shape[1] - wide + 1)
    return cv2.cvtColor(np.ascontiguousarray(face[y:y + tall, x:x + wide]), cv2.COLOR_RGB2GRAY)
