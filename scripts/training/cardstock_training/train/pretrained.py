"""Loads the weights of PP-OCRv6 *tiny* into the recognizer, for train/recognizer.py.

Reads ../shared/models/ppocrv6 (ONNX, Apache-2.0, PaddlePaddle/PaddleOCR). Normalization is folded into the weights, the first layer's weights are summed over the
colors (a gray picture has three equal ones), and the classifier keeps the characters of our alphabet.
"""
import json

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from cardstock_training import paths
from cardstock_training.render.grammars import ALPHABET
from cardstock_training.train.networks import NETS, Graph

SOURCE = paths.SHARED / "models/ppocrv6"
# The last tensor before the softmax.
LOGITS = "p2o.pd_op.add.41.0"
# Nodes that change the shape of a map, but not its values.
PASSIVE = ("Identity", "Squeeze", "Unsqueeze", "Transpose")


def source_model() -> onnx.ModelProto:
    """Returns the original network, with the logits of all its classes as a second output."""
    model = onnx.load(str(SOURCE / "tiny_rec.onnx"))
    model.graph.output.append(onnx.helper.make_tensor_value_info(LOGITS, onnx.TensorProto.FLOAT, None))
    return model


def kept_classes() -> list[int]:
    """Returns the class of the blank and of each character of our alphabet."""
    classes = json.loads((SOURCE / "tiny_classes.json").read_text())
    return [0, *(classes.index(c) for c in ALPHABET)]


class _Weights:
    """Weights of a model, by the node that uses them."""

    def __init__(self, model: onnx.ModelProto):
        self.nodes = model.graph.node
        self.initial = {one.name: one for one in model.graph.initializer}
        self.following = {name: node for node in reversed(self.nodes) for name in node.input}

    def array(self, name: str) -> np.ndarray:
        return numpy_helper.to_array(self.initial[name]).astype(np.float64)

    def replace(self, name: str, values: np.ndarray) -> None:
        self.initial[name].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(values, np.float32), name))

    def after(self, node: onnx.NodeProto) -> onnx.NodeProto:
        """Returns the node that adds the bias or normalizes."""
        found = self.following[node.output[0]]
        while found.op_type in PASSIVE:
            found = self.following[found.output[0]]
        return found

    def convolutions(self):
        return [(node, self.after(node)) for node in self.nodes if node.op_type == "Conv"]

    def dense(self):
        return [(node, self.after(node)) for node in self.nodes if node.op_type == "MatMul"]


def folded(weights: _Weights, node: onnx.NodeProto, after: onnx.NodeProto) -> tuple[np.ndarray, np.ndarray]:
    """Returns the weights and the bias of a convolution and of the normalization or addition after it."""
    w = weights.array(node.input[1])
    if after.op_type == "Add":
        return w, weights.array(after.input[1]).ravel()
    scale, bias, mean, variance = (weights.array(name) for name in after.input[1:])
    scale = scale / np.sqrt(variance + next(a.f for a in after.attribute if a.name == "epsilon"))
    return w * scale[:, None, None, None], bias - mean * scale


def load(net: Graph, model: onnx.ModelProto) -> None:
    """Sets the layers up to `text`."""
    weights = _Weights(model)
    pairs = [folded(weights, *pair) for pair in weights.convolutions()]
    pairs[0] = (pairs[0][0].sum(1, keepdims=True), pairs[0][1])
    kept = kept_classes()
    for last, (node, after) in zip((False, True), weights.dense()):
        w, b = weights.array(node.input[1]), weights.array(after.input[1])
        w, b = (w[:, kept], b[kept]) if last else (w, b)
        pairs.append((w.T[:, :, None, None], b))
    for layer, (w, b) in zip(text_layers(net), pairs, strict=True):
        assert layer.weight.shape == w.shape
        layer.weight.data = torch.from_numpy(w).float()
        layer.bias.data = torch.from_numpy(b).float()


def text_layers(net: Graph) -> list[torch.nn.Conv2d]:
    """Returns the layers up to `text`, in the order of the original."""
    names = [o["out"] for o in net.operations if o["out"] in net.layers]
    return [net.layers[name] for name in names[:names.index("text") + 1]]


def with_weights(net: Graph) -> onnx.ModelProto:
    """Returns the original network with the weights of a recognizer in place of its own, and with our classes."""
    model = source_model()
    weights = _Weights(model)
    layers = iter(text_layers(net))
    for node, after in [*weights.convolutions(), *weights.dense()]:
        layer = next(layers)
        w, b = layer.weight.detach().numpy(), layer.bias.detach().numpy()
        weights.replace(node.input[1], _in_original_shape(w, node, weights.array(node.input[1]).shape))
        if after.op_type == "Add":
            weights.replace(after.input[1], b.reshape([-1 if n > 1 else 1 for n in weights.array(after.input[1]).shape]))
        else:  # a normalization that changes nothing but adds the bias
            epsilon = next(a.f for a in after.attribute if a.name == "epsilon")
            for name, values in zip(after.input[1:], (np.ones_like(b), b, np.zeros_like(b), np.full_like(b, 1 - epsilon))):
                weights.replace(name, values)
    return model


def _in_original_shape(w: np.ndarray, node: onnx.NodeProto, shape: tuple[int, ...]) -> np.ndarray:
    """Returns the weights of a layer as the original has them: a matrix, or one third for each color in the first layer."""
    if node.op_type == "MatMul":
        return w[:, :, 0, 0].T
    return np.repeat(w / 3, 3, 1) if shape[1] == 3 * w.shape[1] else w


def logits(model: onnx.ModelProto, pictures: list[np.ndarray]) -> list[np.ndarray]:
    """Returns the logits (steps x classes) that onnxruntime computes with the original or `with_weights`."""
    import onnxruntime

    session = onnxruntime.InferenceSession(model.SerializeToString())
    colors = [np.repeat(picture[None, None].astype(np.float32) / 127.5 - 1, 3, 1) for picture in pictures]
    return [session.run([LOGITS], {"x": image})[0][0] for image in colors]


def network() -> Graph:
    """Returns the recognizer with the published weights; the layers of `about` are untrained."""
    net = NETS["recognizer"]()
    load(net, source_model())
    return net.eval()
