import numpy as np

from cardstock_training.evaluate.perceptual_hash import perceptual_hash

# OpenCV rounds gray levels to integers, which can flip bits next to the median.
BITS_MAX = 8


def test_equals_the_hash_of_the_service(golden_hash, decode_bytes):
    y, x = np.mgrid[0:128, 0:128]
    image = np.stack([(3 * x + y * y // 7) % 256, (x * y // 5) % 256, (2 * x + 5 * y) % 256], -1).astype(np.uint8)
    differing = np.unpackbits(perceptual_hash(image) ^ decode_bytes(golden_hash["hash"])).sum()
    assert differing <= BITS_MAX
