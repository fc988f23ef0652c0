"""Renders several photos of each of some scans, of which one is named by a person and the others are found by it.

    python -m cardstock_training.evaluate.learning_photos     # data/run/learning: photos/*.jpg, labels.json

`bun run bench learning` reads the folder. It is not committed, because the scans belong to others.
"""
import json

import cv2
import numpy as np

from cardstock_training import paths
from cardstock_training.evaluate.independent_photos import CORNERS, SLICES, Camera, describe, photograph, pools

CARDS = 60
# The first photo of a card is the one that is named.
LOOKS = ("good", "good", "perspective", "low light", "fingers")
SEED = 4907


def main() -> None:
    cv2.setNumThreads(1)
    folder = paths.LEARNING
    (folder / "photos").mkdir(parents=True, exist_ok=True)
    held = pools()["held out"]
    chosen = np.random.default_rng(SEED).choice(len(held), CARDS, replace=False)
    labels = []
    for card, index in enumerate(chosen):
        file = held[int(index)]
        for look, name in enumerate(LOOKS):
            rng = np.random.default_rng((SEED, card, look))
            setting = SLICES[name]
            camera = Camera(rng, setting)
            path = f"photos/{card:03d}-{look}.jpg"
            if not (folder / path).exists():
                image = photograph(rng, camera, setting, file)
                cv2.imwrite(str(folder / path), image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 93))])
            corners = np.round(camera.project(CORNERS), 2).tolist()
            labels.append({"file": path, "slice": name, **describe(file), "corners": corners})
    with open(folder / "labels.json", "w") as out:
        json.dump(labels, out, indent=1)
    print(f"{len(labels)} photos in {folder}, seed {SEED}")


if __name__ == "__main__":
    main()
