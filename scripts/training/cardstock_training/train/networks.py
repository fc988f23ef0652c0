"""The networks, defined as the flat list of operations that the service runs.

PyTorch trains a `Graph` with batch normalization after each convolution. `export.py` folds the normalization
into the weights and writes the list for src/vision/runtime/model.ts.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

from cardstock_training.render.grammars import ALPHABET, SCRIPTS
from cardstock_training.train.sizes import DETECTOR_SIZE, DIMENSIONS, EMBEDDER_SIZE, RECOGNIZER_SIZE, REFINER_SIZE, SURFACE_SCALE

# `gelu` is the form with tanh, as in the service.
ACTIVATIONS = {"linear": lambda y: y, "relu": F.relu, "relu6": F.relu6, "gelu": lambda y: F.gelu(y, approximate="tanh"), "hardsigmoid": F.hardsigmoid, "hardswish": F.hardswish}


def compute(operation: dict, values: dict[str, torch.Tensor], share: float = 1.0) -> torch.Tensor:
    """Computes an operation without weights. `share` is the size of the picture, relative to that of the network."""
    first, *others = (values[name] for name in ([operation["in"]] if isinstance(operation["in"], str) else operation["in"]))
    if operation["op"] == "add":
        return first + others[0]
    if operation["op"] == "mul":
        return first * others[0]
    if operation["op"] == "mean":
        return first.mean((2, 3), keepdim=True)
    if operation["op"] == "avgpool":
        return F.avg_pool2d(first, operation["size"])
    return F.interpolate(first, size=[round(n * share) for n in operation["size"]], mode="bilinear", align_corners=False)


class Graph(nn.Module):
    """A network as a list of named operations; each reads earlier tensors and writes a new one."""

    def __init__(self, name: str, input_size: tuple[int, int], input_channels: int = 3):
        super().__init__()
        self.name, self.input_size = name, input_size
        self.operations: list[dict] = []
        self.layers = nn.ModuleDict()
        self.channels = {"input": input_channels}
        self.outputs: list[str] = []

    def _add(self, operation: dict, channels: int, out: str | None) -> str:
        name = out or f"t{len(self.operations)}"
        self.operations.append({**operation, "out": name})
        self.channels[name] = channels
        return name

    def conv(self, x: str, channels: int, k: int | tuple[int, int] = 3, s: int | tuple[int, int] = 1, act: str = "relu6", out: str | None = None, plain: bool = False) -> str:
        """Adds a convolution. `plain` has a bias and no normalization (output layers). Pairs are (down, across)."""
        k, s = ((n, n) if isinstance(n, int) else n for n in (k, s))
        pad = tuple(a // 2 if b < a else 0 for a, b in zip(k, s))
        layer = nn.Conv2d(self.channels[x], channels, k, s, pad, bias=plain)
        return self._layer("conv", x, layer, channels, act, out, plain)

    def depthwise(self, x: str, kernel: tuple[int, int], act: str = "linear", out: str | None = None, pad: tuple[int, int] = (0, 0), plain: bool = False) -> str:
        """Adds a depthwise convolution. Over the whole map, without padding, each position has its own weights."""
        layer = nn.Conv2d(self.channels[x], self.channels[x], kernel, padding=pad, groups=self.channels[x], bias=plain)
        return self._layer("depthwise", x, layer, self.channels[x], act, out, plain)

    def _layer(self, op: str, x: str, layer: nn.Conv2d, channels: int, act: str, out: str | None, plain: bool) -> str:
        name = self._add({"op": op, "in": x, "act": act}, channels, out)
        self.layers[name] = layer
        if not plain:
            self.layers[name + "_norm"] = nn.BatchNorm2d(channels)
        return name

    def add(self, a: str, b: str) -> str:
        return self._add({"op": "add", "in": [a, b]}, self.channels[a], None)

    def multiply(self, a: str, b: str) -> str:
        """Multiplies two maps; the second may have one value per channel."""
        return self._add({"op": "mul", "in": [a, b]}, self.channels[a], None)

    def mean(self, x: str) -> str:
        """Averages each channel over the map."""
        return self._add({"op": "mean", "in": x}, self.channels[x], None)

    def average(self, x: str, size: tuple[int, int], out: str | None = None) -> str:
        """Averages areas of this size."""
        return self._add({"op": "avgpool", "in": x, "size": list(size)}, self.channels[x], out)

    def resize(self, x: str, size: tuple[int, int]) -> str:
        return self._add({"op": "resize", "in": x, "size": list(size)}, self.channels[x], None)

    def residual(self, x: str, k: int | tuple[int, int] = 3) -> str:
        c = self.channels[x]
        return self.add(x, self.conv(self.conv(x, c, k), c, k))

    def fold(self) -> "Graph":
        """Replaces each normalization by a bias, as in an export; the weights are then to be loaded. Returns the network."""
        for name in [n for n in self.layers if n.endswith("_norm")]:
            layer = self.layers[name.removesuffix("_norm")]
            layer.bias = nn.Parameter(torch.zeros(layer.out_channels))
            del self.layers[name]
        return self

    def forward(self, image: torch.Tensor) -> list[torch.Tensor]:
        """Maps pixels (-1 to 1, NCHW) to the outputs, in order."""
        values = {"input": image}
        # The input may be smaller (faster training) or, for lines of text, of any length.
        share = image.shape[2] / self.input_size[0]
        for operation in self.operations:
            source, out = operation["in"], operation["out"]
            if operation["op"] in ("conv", "depthwise"):
                y = self.layers[out](values[source])
                if out + "_norm" in self.layers:
                    y = self.layers[out + "_norm"](y)
                values[out] = ACTIVATIONS[operation["act"]](y)
            else:
                values[out] = compute(operation, values, share)
        return [values[name] for name in self.outputs]


def detector() -> Graph:
    """Finds cards with their kind and corners.

    Dense 3x3 convolutions are faster to train on a CPU, and faster in WASM, than depthwise blocks of the same
    quality."""
    g = Graph("detector", (DETECTOR_SIZE, DETECTOR_SIZE))
    x = g.conv("input", 24, k=4, s=4)             # 80
    x = g.conv(x, 48, s=2)                        # 40
    fine = g.residual(x)
    x = g.conv(fine, 80, s=2)                     # 20
    middle = g.residual(x)
    x = g.conv(middle, 128, s=2)                  # 10
    x = g.residual(g.residual(x))
    x = g.resize(g.conv(x, 80, k=1), (20, 20))
    x = g.conv(g.add(x, middle), 80)
    x = g.resize(g.conv(x, 48, k=1), (40, 40))
    x = g.conv(g.add(x, fine), 64)
    g.conv(x, 5, k=1, act="linear", out="heat", plain=True)
    g.conv(g.conv(x, 64), 8, k=1, act="linear", out="quad", plain=True)
    # Almost every cell is empty: a negative bias saves the first minutes of training.
    nn.init.constant_(g.layers["heat"].bias, -4.6)
    g.outputs = ["heat", "quad"]
    return g


def refiner(name: str = "refiner") -> Graph:
    """Locates the four corners of an upright crop, one heat map each."""
    g = Graph(name, REFINER_SIZE)
    x = g.conv("input", 16, s=2)                  # 96 x 72
    x = g.conv(x, 32, s=2)                        # 48 x 36
    fine = g.conv(x, 32)
    x = g.conv(fine, 48, s=2)                     # 24 x 18
    middle = g.residual(x)
    x = g.residual(g.conv(middle, 64, s=2))       # 12 x 9
    x = g.resize(g.conv(x, 48, k=1), (24, 18))
    x = g.conv(g.add(x, middle), 48)
    x = g.resize(g.conv(x, 32, k=1), (48, 36))
    x = g.conv(g.add(x, fine), 32)
    g.conv(x, 4, k=1, act="linear", out="corners", plain=True)
    g.outputs = ["corners"]
    return g


def page_refiner() -> Graph:
    """The refiner, which also tells for each place whether a corner would be visible there or under another card."""
    g = refiner("page-refiner")
    x = g.operations[-2]["out"]
    g.conv(g.conv(x, 16), 4, k=1, act="linear", out="visible", plain=True)
    g.outputs.append("visible")
    return g


def embedder(name: str = "embedder") -> Graph:
    """Maps a rectified card to a vector of 128 numbers.

    The head has separate weights for each position: average pooling loses 20 points of top-1 accuracy."""
    g = Graph(name, EMBEDDER_SIZE)
    x = g.conv("input", 24, s=2)                  # 80 x 56
    x = g.residual(g.conv(x, 48, s=2))            # 40 x 28
    x = g.residual(g.conv(x, 96, s=2))            # 20 x 14
    x = g.residual(g.conv(x, 160, s=2))           # 10 x 7
    x = g.depthwise(g.conv(x, 256, k=1), (10, 7))
    g.conv(x, DIMENSIONS, k=1, act="linear", out="vector", plain=True)
    g.outputs = ["vector"]
    return g


def recognizer() -> Graph:
    """Maps a line of text to characters (CTC, class 0 is blank), one step per eight columns.

    The layers up to `text` are those of PP-OCRv6 *tiny* (PaddleOCR), with folded normalization, for gray pictures
    and our characters; `train/pretrained.py` loads its weights. Its depthwise layers halve the height; here the layer
    after each does, which is equal, because TensorFlow knows no depthwise layer with two strides.

    `about`, averaged over the steps, has a logit for each script and one for legibility. Its two layers are our own,
    and the only ones that train. The width may be any multiple of 16."""
    g = Graph("recognizer", RECOGNIZER_SIZE, 1)
    x = g.conv("input", 24, s=2, act="gelu", plain=True)          # 24 x 240
    x = g.conv(x, 48, s=2, act="linear", plain=True)              # 12 x 120
    for channels, blocks in ((48, ("squeeze", "", "halve")), (96, ("squeeze", "", "halve")), (160, ("squeeze", "", ""))):
        for kind in blocks:
            x = _mix(g, x, channels, kind)                        # 6, then 3 x 120
    x = g.average(x, (3, 2), out="seen")                          # 1 x 60
    text = g.depthwise(x, (1, 5), pad=(0, 2), act="hardswish", plain=True)
    text = g.conv(text, 160, k=1, act="hardswish", plain=True)
    text = g.conv(text, 80, k=1, act="linear", plain=True)
    g.conv(text, 1 + len(ALPHABET), k=1, act="linear", out="text", plain=True)
    g.conv(x, 48, k=(1, 5), out="look", plain=True)
    g.conv("look", len(SCRIPTS) + 1, k=1, act="linear", out="about", plain=True)
    g.outputs = ["text", "about"]
    return g


def _mix(g: Graph, x: str, channels: int, kind: str) -> str:
    """Adds a block of PP-OCRv6: mixes neighbors, then channels; may weight the channels by their means, or halve the height."""
    x = g.depthwise(x, (3, 3), pad=(1, 1), plain=True)
    if kind == "squeeze":
        weights = g.conv(g.mean(x), channels // 4, k=1, act="relu", plain=True)
        x = g.multiply(x, g.conv(weights, channels, k=1, act="hardsigmoid", plain=True))
    halve = kind == "halve"
    mixed = g.conv(x, 2 * channels, k=1, s=(2, 1) if halve else 1, act="gelu", plain=True)
    if halve:
        return g.conv(mixed, {48: 96, 96: 160}[channels], k=1, act="linear", plain=True)
    return g.add(x, g.conv(mixed, channels, k=1, act="linear", plain=True))


def surface() -> Graph:
    """Classifies the finish of a rectified card: two logits, foil and stamped.

    The input has 3.6 px/mm, twice the crop of the embedder: fine foils blur at 1.8. Each position has its own
    weights, because a circle in the header is a cost and a circle in the art is a stamp. `places` has both logits
    for each 16 x 16 pixels; it speeds up training. The service reads the logit of foil only."""
    g = Graph("surface", (EMBEDDER_SIZE[0] * SURFACE_SCALE, EMBEDDER_SIZE[1] * SURFACE_SCALE))
    x = g.conv("input", 16, s=2)                  # 160 x 112
    x = g.conv(x, 24, s=2)                        # 80 x 56
    x = g.residual(g.conv(x, 32, s=2))            # 40 x 28
    x = g.residual(g.conv(x, 48, s=2))            # 20 x 14
    g.conv(x, 2, k=1, act="linear", out="places", plain=True)
    nn.init.constant_(g.layers["places"].bias, -2.2)
    x = g.conv(x, 48, s=2)                        # 10 x 7
    x = g.depthwise(x, (10, 7), act="relu6")
    # Equal initial weights: a stamp learned in one corner is then known in the others.
    nn.init.constant_(g.layers[x].weight, 1 / 70)
    g.conv(x, 2, k=1, act="linear", out="marks", plain=True)
    g.outputs = ["marks", "places"]
    return g


NETS = {"detector": detector, "refiner": refiner, "page-refiner": page_refiner, "embedder": embedder, "covered-embedder": lambda: embedder("covered-embedder"), "recognizer": recognizer, "surface": surface}
