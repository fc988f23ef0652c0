"""Exports trained networks: data/model/<name>.json, .bin (float16) and golden tensors.

    python -m cardstock_training.train.export [detector refiner page-refiner embedder covered-embedder recognizer surface]

Normalization is folded into the weights in float64. A separate interpreter then runs the exported operations
with the exported weights, and the result is compared with PyTorch.
"""
import base64
import hashlib
import json
import sys

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from cardstock_training import paths
from cardstock_training.render import photos, text_lines
from cardstock_training.render.banks import Bank
from cardstock_training.render.grammars import ALPHABET, SCRIPTS
from cardstock_training.train import embedder, pretrained, refiner, surface
from cardstock_training.train.loop import load_exported, load_network, to_input
from cardstock_training.train.networks import ACTIVATIONS, Graph, compute
from cardstock_training.train.sizes import MARGIN, STRIDE, UNIT

SETTINGS = {
    "detector": {"stride": STRIDE, "unit": UNIT, "kinds": [*photos.KINDS, "covered"]},
    "refiner": {"margin": MARGIN},
    "page-refiner": {"margin": MARGIN},
    "embedder": {},
    "covered-embedder": {},
    "recognizer": {"alphabet": ALPHABET, "scripts": list(SCRIPTS), "stride": text_lines.STRIDE, "margin": text_lines.MARGIN},
    "surface": {},
}
# Minimum cosine between the outputs of PyTorch and of the float16 export.
COSINE_MIN = 0.9999


def fold(net: Graph) -> tuple[list[dict], list[tuple[str, np.ndarray]]]:
    """Returns the operations with explicit padding and the weights in the layout of the service (HWIO; depthwise HWC1)."""
    operations, weights = [], []
    for operation in net.operations:
        if operation["op"] not in ("conv", "depthwise"):
            operations.append(operation)
            continue
        name = operation["out"]
        layer = net.layers[name]
        w = layer.weight.detach().double()
        b = layer.bias.detach().double() if layer.bias is not None else torch.zeros(len(w), dtype=torch.float64)
        if name + "_norm" in net.layers:
            norm = net.layers[name + "_norm"]
            scale = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
            w, b = w * scale[:, None, None, None], (b - norm.running_mean.double()) * scale + norm.bias.double()
        # PyTorch uses OIHW; O of a depthwise kernel is the channel.
        w = w.permute(2, 3, 1, 0) if operation["op"] == "conv" else w.permute(2, 3, 0, 1)
        (down, across), (high, wide) = layer.stride, layer.padding
        stride = down if down == across else [down, across]
        operations.append({**operation, "weights": f"{name}/w", "bias": f"{name}/b", "stride": stride, "pad": [high, high, wide, wide]})
        weights += [(f"{name}/w", w.detach().numpy()), (f"{name}/b", b.detach().numpy())]
    return operations, weights


def run(model: dict, blob: bytes, image: torch.Tensor) -> dict[str, torch.Tensor]:
    """Runs the exported operations as the service does; outputs are NHWC."""
    weights, at = {}, 0
    for entry in model["weights"]:
        n = int(np.prod(entry["shape"]))
        weights[entry["name"]] = torch.from_numpy(np.frombuffer(blob, np.float16, n, at).astype(np.float32).reshape(entry["shape"]))
        at += 2 * n
    values = {"input": image}
    for o in model["ops"]:
        if o["op"] not in ("conv", "depthwise"):
            values[o["out"]] = compute(o, values)
        else:
            w = weights[o["weights"]]
            w, groups = (w.permute(3, 2, 0, 1), 1) if o["op"] == "conv" else (w.permute(2, 3, 0, 1), w.shape[2])
            y = F.conv2d(values[o["in"]], w, weights[o["bias"]], o["stride"], (o["pad"][0], o["pad"][2]), groups=groups)
            values[o["out"]] = ACTIVATIONS[o["act"]](y)
    return {name: values[name].permute(0, 2, 3, 1) for name in model["outputs"]}


def sample(name: str) -> np.ndarray:
    """Renders one fixed input for a network, with held-out layouts."""
    rng, bank = np.random.default_rng(1234), Bank("evaluation")
    bank.scans = None  # the golden input is committed: procedural cards only
    if name == "detector":
        return photos.scene(rng, bank, 320, 320, damage=photos.Damage(), scale=(0.5, 0.6)).image
    if name in ("refiner", "page-refiner"):
        return refiner.render_crop(rng, bank)[0]
    if name == "recognizer":
        image = text_lines.sample(rng, bank, True, height=24, kind="name").image
        return cv2.copyMakeBorder(image, 0, 0, 0, text_lines.WIDTH_MAX - image.shape[1], cv2.BORDER_CONSTANT, value=text_lines.EMPTY)[..., None]
    if name == "surface":
        return surface.photograph(rng, bank, surface.apply_finish(rng, surface.render_unmarked(rng, bank, True), True, True, True).picture, photos.Damage())
    return embedder.catalog_view(rng, bank.faces[0])


def encode(array: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(array, np.float32).tobytes()).decode()


def export(name: str) -> None:
    net, state = load_network(name)
    operations, weights = fold(net)
    entries = [{"name": n, "shape": list(w.shape), "dtype": "float32", "quantization": {"dtype": "float16"}} for n, w in weights]
    blob = b"".join(w.astype(np.float16).tobytes() for _, w in weights)
    model = {"name": name, "input": [*net.input_size, net.channels["input"]], "ops": operations, "outputs": net.outputs, "weights": entries, **SETTINGS[name]}
    picture = np.ascontiguousarray(sample(name))
    image = to_input(torch.from_numpy(picture[None]))
    with torch.no_grad():
        expected = dict(zip(net.outputs, (y.permute(0, 2, 3, 1) for y in net(image))))
    exported = run(model, blob, image)
    for key in net.outputs:
        a, b = expected[key].flatten(), exported[key].flatten()
        cosine = F.cosine_similarity(a, b, dim=0).item()
        print(f"{name}/{key}: max difference {(a - b).abs().max():.2e} (range {a.abs().max():.2f}), cosine {cosine:.7f}")
        if cosine < COSINE_MIN:
            raise SystemExit("The export differs from the trained network.")
    (paths.MODEL / "golden").mkdir(parents=True, exist_ok=True)
    with open(paths.MODEL / f"{name}.bin", "wb") as file:
        file.write(blob)
    with open(paths.MODEL / f"{name}.json", "w") as file:
        json.dump(model, file, separators=(",", ":"))
        file.write("\n")
    # Outputs of PyTorch with the rounded weights: the test of the service then compares arithmetic only.
    # The input is stored as bytes, because the service normalizes it.
    golden = {"input": base64.b64encode(picture.tobytes()).decode(),
              "outputs": {k: {"shape": list(v.shape), "data": encode(v.numpy())} for k, v in exported.items()}}
    with open(paths.MODEL / f"golden/{name}.json", "w") as file:
        json.dump(golden, file)
        file.write("\n")
    print(f"{name}: {len(blob)} bytes, sha256 {hashlib.sha256(blob).hexdigest()[:16]}, {state['images']} images in {state['steps']} steps, {state['elapsed'] / 60:.0f} minutes")


def write_reference() -> None:
    """Writes lines of several widths with the output of the original network in onnxruntime, with the exported weights."""
    rng, bank = np.random.default_rng(77), Bank("evaluation")
    bank.scans = None
    drawn = [text_lines.sample(rng, bank, True, height, kind) for kind, height in (("number", 12), ("number", 24), ("stamp", 16), ("name", 16), ("label", 20), ("name", 30))]
    pictures = [text_lines.pad_batch([one.image])[0][0, :, :, 0] for one in drawn]
    lines = [{"width": picture.shape[1], "input": base64.b64encode(picture.tobytes()).decode(), "logits": encode(logits)}
             for picture, logits in zip(pictures, pretrained.logits(pretrained.with_weights(load_exported("recognizer")), pictures))]
    with open(paths.MODEL / "golden/recognizer-onnxruntime.json", "w") as file:
        json.dump(lines, file)
        file.write("\n")


if __name__ == "__main__":
    for name in sys.argv[1:] or list(SETTINGS):
        export(name)
        if name == "recognizer":
            write_reference()
