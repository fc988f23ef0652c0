"""The perceptual hash of catalog pictures."""
import cv2
import numpy as np


def perceptual_hash(image: np.ndarray) -> np.ndarray:
    """Returns the hash of 1,024 bits of src/vision/retrieval/perceptual-hash.ts."""
    gray = cv2.resize(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), (128, 128), interpolation=cv2.INTER_AREA)
    low = cv2.dct(gray.astype(np.float32))[:32, :32].flatten()
    return np.packbits(low > np.median(low[1:]), bitorder="little")
