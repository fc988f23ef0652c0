"""Converts the text detector of PP-OCRv6 *tiny* (ONNX) to data/model/text-detector.json, .bin and a golden file of onnxruntime.

    python -m cardstock_training.train.text_detector

Reads ../shared/models/ppocrv6/tiny_det.onnx (Apache-2.0, PaddlePaddle/PaddleOCR). Nothing is trained. Normalization is folded into the weights, and the first
layer's weights are summed over the colors (a gray picture has three equal ones). The two transposed convolutions, whose kernels do not overlap, become plain ones
with the channels of each pixel side by side: a cell of the output has the logits of a square of pixels. A convolution of joined maps becomes a sum.
"""
import base64
import hashlib
import json
from collections import defaultdict

import cv2
import numpy as np
import onnx
from onnx import numpy_helper

from cardstock_training import paths

SOURCE = paths.SHARED / "models/ppocrv6/tiny_det.onnx"
# Of the pictures that it was trained with: blue, green, red.
MEAN, DEVIATION = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
HEIGHT, WIDTH = 896, 640
# Pixels along one side of the square that a cell of the output describes.
STRIDE = 4
# Decoding, as in src/vision/ocr/detect-text.ts.
LOGIT_MIN, SCORE_MIN, CORE_MIN, GROWTH, DROP = -0.4, 0.6, 2, 1.13, 0.08


def source_model() -> onnx.ModelProto:
    """Returns the original network with weights in half precision, for gray pictures from -1 to 1. Its output are logits."""
    model = onnx.load(str(SOURCE))
    graph = model.graph
    initial = {one.name: one for one in graph.initializer}
    weights = initial[graph.node[0].input[1]]
    bias = initial[next(node for node in graph.node if node.op_type == "Add").input[1]]
    w, b = (numpy_helper.to_array(one).astype(np.float64) for one in (weights, bias))
    # (x + 1) / 2 is the brightness from 0 to 1.
    shift = (w * ((0.5 - MEAN) / DEVIATION)[:, None, None]).sum((1, 2, 3))
    _replace(weights, (w / (2 * DEVIATION)[:, None, None]).sum(1, keepdims=True))
    _replace(bias, b + shift.reshape(b.shape))
    for one in initial.values():
        if one.data_type == onnx.TensorProto.FLOAT and not one.name.startswith("helper"):
            _replace(one, numpy_helper.to_array(one).astype(np.float16))
    graph.input[0].type.tensor_type.shape.dim[1].dim_value = 1
    sigmoid = graph.node[-1]
    graph.output[0].name = sigmoid.input[0]
    graph.node.remove(sigmoid)
    return model


def _replace(one: onnx.TensorProto, values: np.ndarray) -> None:
    one.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(values, np.float32), one.name))


class Converter:
    """Collects the operations of the service while it follows the nodes of the original."""

    def __init__(self, model: onnx.ModelProto):
        self.same = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Identity"}
        self.nodes = [node for node in model.graph.node if node.op_type != "Identity"]
        self.initial = {one.name: numpy_helper.to_array(one).astype(np.float64) for one in model.graph.initializer}
        self.users = defaultdict(list)
        for node in self.nodes:
            for name in node.input:
                self.users[self._source(name)].append(node)
        self.names = {model.graph.input[0].name: "input"}
        self.operations: list[dict] = []
        self.weights: list[tuple[str, np.ndarray]] = []
        # Outputs of nodes that became part of an earlier operation.
        self.done: set[str] = set()
        # Maps that the original joins, by the name of the whole.
        self.joined: dict[str, list[str]] = {}
        # Pixels along one side of a cell, which transposed convolutions double.
        self.side = 1
        for node in self.nodes:
            if node.output[0] not in self.done:
                getattr(self, f"_{node.op_type}")(node)

    def _source(self, name: str) -> str:
        return self._source(self.same[name]) if name in self.same else name

    def _emit(self, operation: dict, original: str, *inputs: str) -> str:
        names = [self.names[self._source(name)] for name in inputs]
        out = f"t{len(self.operations)}"
        self.operations.append({**operation, "in": names[0] if len(names) == 1 else names, "out": out})
        self.names[original] = out
        return out

    def _Conv(self, node: onnx.NodeProto) -> None:
        settings = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        w = self.initial[node.input[1]]
        # A kernel of two rows and columns reaches down and to the right.
        top, left, bottom, right = settings.get("pads", [0, 0, 1, 1] if w.shape[2] == 2 else [0, 0, 0, 0])
        op = "depthwise" if settings["group"] > 1 else "conv"
        self._layer(op, node, w, settings["strides"][0], [top, bottom, left, right])

    def _ConvTranspose(self, node: onnx.NodeProto) -> None:
        w = self.initial[node.input[1]]  # channels, channels of the result, two rows, two columns
        into, each = w.shape[:2]
        side = self.side
        full = np.zeros((2 * side, 2 * side, each, side, side, into))
        for row, column in np.ndindex(2 * side, 2 * side):
            full[row, column, :, row // 2, column // 2] = w[:, :, row % 2, column % 2].T
        self.side = 2 * side
        self._layer("conv", node, full.reshape(-1, side * side * into, 1, 1), 1, [0, 0, 0, 0], times=4 * side * side)

    def _layer(self, op: str, node: onnx.NodeProto, w: np.ndarray, stride: int, pad: list[int], times: int = 1) -> None:
        original, bias, act, factor = self._followers(node, len(w) // times)
        w, bias = factor * w, factor * np.tile(bias, times)
        settings = {"op": op, "stride": stride, "pad": pad}
        parts = self.joined.get(self._source(node.input[0]))
        if parts is None:
            self._convolve({**settings, "act": act}, original, node.input[0], w, bias)
            return
        # Sums convolutions of the parts: joining large maps takes longer, and more memory.
        each = w.shape[1] // len(parts)
        names = [f"{original}/{index}" for index in range(len(parts))]
        for index, (name, part) in enumerate(zip(names, parts)):
            self._convolve({**settings, "act": "linear"}, name, part, w[:, index * each:(index + 1) * each], bias if index == 0 else 0 * bias)
        total = names[0]
        for index, name in enumerate(names[1:], 2):
            is_last = index == len(parts)
            self._emit({"op": "add", "act": act if is_last else "linear"}, original if is_last else f"{name}/sum", total, name)
            total = f"{name}/sum"

    def _convolve(self, settings: dict, original: str, x: str, w: np.ndarray, bias: np.ndarray) -> None:
        out = self._emit(settings, original, x)
        self.operations[-1] |= {"weights": f"{out}/w", "bias": f"{out}/b"}
        # The layout of the service: rows, columns, channels.
        self.weights += [(f"{out}/w", w.transpose(2, 3, 1, 0) if settings["op"] == "conv" else w.transpose(2, 3, 0, 1)), (f"{out}/b", bias)]

    def _followers(self, node: onnx.NodeProto, channels: int) -> tuple[str, np.ndarray, str, float]:
        """Returns the last tensor of a convolution with its bias and activation, both, and a factor for the weights."""
        name, bias = node.output[0], np.zeros(channels)
        users = self.users[name]
        if len(users) == 1 and users[0].op_type == "Add" and users[0].input[1] in self.initial:
            name, bias = self._skip(users[0]), self.initial[users[0].input[1]].ravel()
            users = self.users[name]
        kinds = sorted(user.op_type for user in users)
        if kinds == ["Relu"]:
            return self._skip(users[0]), bias, "relu", 1
        if kinds == ["HardSigmoid"]:
            # Ours has a slope of a sixth.
            return self._skip(users[0]), bias, "hardsigmoid", 6 * next(a.f for a in users[0].attribute if a.name == "alpha")
        if kinds == ["Div", "Mul"]:  # GELU: x / sqrt(2), erf, + 1, times x, times a half
            last = next(user for user in users if user.op_type == "Div")
            for _ in range(4):
                last = self.users[self._skip(last)][0]
            return self._skip(last), bias, "gelu", 1
        return name, bias, "linear", 1

    def _skip(self, node: onnx.NodeProto) -> str:
        self.done.add(node.output[0])
        return node.output[0]

    def _Add(self, node: onnx.NodeProto) -> None:
        self._emit({"op": "add", "act": "linear"}, node.output[0], *node.input)

    def _Mul(self, node: onnx.NodeProto) -> None:
        self._emit({"op": "mul"}, node.output[0], *node.input)

    def _Concat(self, node: onnx.NodeProto) -> None:
        self.joined[node.output[0]] = list(node.input)

    def _MaxPool(self, node: onnx.NodeProto) -> None:
        self._emit({"op": "maxpool"}, node.output[0], node.input[0])

    def _ReduceMean(self, node: onnx.NodeProto) -> None:
        self._emit({"op": "mean"}, node.output[0], node.input[0])

    _GlobalAveragePool = _ReduceMean

    def _Resize(self, node: onnx.NodeProto) -> None:
        self._emit({"op": "repeat", "times": int(self.initial[node.input[2]][2])}, node.output[0], node.input[0])


class LineFinder:
    """Finds lines of text with the original network in onnxruntime."""

    def __init__(self):
        import onnxruntime
        self.session = onnxruntime.InferenceSession(source_model().SerializeToString(), providers=["CPUExecutionProvider"])

    def logits(self, image: np.ndarray) -> np.ndarray:
        """Returns the logit of each pixel of a gray picture, whose sides are multiples of 32."""
        return self.session.run(None, {"x": image[None, None].astype(np.float32) / 127.5 - 1})[0][0, 0]

    def find(self, image: np.ndarray) -> list[np.ndarray]:
        """Returns upright boxes of lines as quads, without the service's splits and joints."""
        logits = self.logits(image)
        count, labels, boxes, _ = cv2.connectedComponentsWithStats((logits >= LOGIT_MIN).astype(np.uint8), connectivity=8)
        quads = []
        for label, (x, y, length, _, area) in list(enumerate(boxes))[1:]:
            core = labels == label
            thick = area / length
            if thick < CORE_MIN or length < CORE_MIN or thick > 3 * length or (1 / (1 + np.exp(-logits[core]))).mean() < SCORE_MIN:
                continue
            growth = GROWTH * area / (2 * (length + thick))
            half = thick / 2 + growth
            middle = np.nonzero(core)[0].mean() + 0.5 + 2 * half * DROP
            left, right = x - growth, x + length + growth
            quads.append(np.float32([[left, middle - half], [right, middle - half], [right, middle + half], [left, middle + half]]))
        return quads


def picture() -> np.ndarray:
    """Draws the golden input: lines of several sizes on a gradient."""
    image = np.tile(np.linspace(70, 230, 224, dtype=np.float32), (160, 1))
    for text, x, y, size in (("Storm Crow", 12, 34, 1.0), ("025/198", 150, 150, 0.45), ("Creature - Bird", 14, 84, 0.6), ("Flying, and a little more text", 14, 116, 0.4)):
        cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, 10, max(1, round(2 * size)), cv2.LINE_AA)
    return np.clip(image, 0, 255).round().astype(np.uint8)


def main() -> None:
    converted = Converter(source_model())
    operations, weights = converted.operations, converted.weights
    operations[-1]["out"] = "text"
    blob = b"".join(np.ascontiguousarray(w, np.float16).tobytes() for _, w in weights)
    entries = [{"name": n, "shape": list(w.shape), "dtype": "float32", "quantization": {"dtype": "float16"}} for n, w in weights]
    file = {"name": "text-detector", "input": [HEIGHT, WIDTH, 1], "ops": operations, "outputs": ["text"], "weights": entries, "stride": STRIDE}
    (paths.MODEL / "text-detector.bin").write_bytes(blob)
    (paths.MODEL / "text-detector.json").write_text(json.dumps(file, separators=(",", ":")) + "\n")
    image = picture()
    logits = LineFinder().logits(image).astype(np.float32)
    golden = {"width": image.shape[1], "height": image.shape[0], "input": base64.b64encode(image.tobytes()).decode(), "logits": base64.b64encode(logits.tobytes()).decode()}
    (paths.MODEL / "golden/text-detector-onnxruntime.json").write_text(json.dumps(golden) + "\n")
    print(f"text-detector: {len(operations)} operations, {len(blob)} bytes, sha256 {hashlib.sha256(blob).hexdigest()}")


if __name__ == "__main__":
    main()
