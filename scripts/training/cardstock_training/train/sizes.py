"""Input sizes (height, width) and output scales of the networks, in pixels."""
DETECTOR_SIZE, STRIDE, UNIT = 320, 8, 64
REFINER_SIZE, MARGIN = (192, 144), 0.18
EMBEDDER_SIZE, DIMENSIONS = (160, 112), 128
SURFACE_SCALE = 2
RECOGNIZER_SIZE = (48, 480)
