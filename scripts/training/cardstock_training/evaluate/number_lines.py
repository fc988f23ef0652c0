"""Renders crops of collector numbers in held-out fonts and formats, as the service cuts them from a photo.

    python -m cardstock_training.evaluate.number_lines     # data/run/lines: *.png, labels.json

`bun run bench lines` reads them with the recognizer of the service.
"""
import json

import cv2
import numpy as np

from cardstock_training import paths
from cardstock_training.evaluate.networks import SEED
from cardstock_training.render import text_lines
from cardstock_training.render.banks import Bank

COUNTS = {10: 300, 14: 600, 20: 300, 38: 300}  # lines by height of the box, in pixels


def main() -> None:
    paths.LINES.mkdir(parents=True, exist_ok=True)
    bank, labels = Bank("evaluation"), []
    for height, count in COUNTS.items():
        for i in range(count):
            rng = np.random.default_rng((SEED, height, i))
            printed = text_lines.sheet(rng, bank, True, "number")
            crop, _, _ = text_lines._photograph(rng, printed.image, printed.drawn, height)
            file = f"{height}-{i:03d}.png"
            cv2.imwrite(str(paths.LINES / file), np.clip(crop, 0, 255).astype(np.uint8))
            labels.append({"file": file, "height": height, "text": printed.text})
    with open(paths.LINES / "labels.json", "w") as out:
        json.dump(labels, out, indent=1)
    print(f"{len(labels)} lines in {paths.LINES}")


if __name__ == "__main__":
    main()
