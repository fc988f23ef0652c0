"""Writes trained networks for the service: data/model/<name>.json, .bin (float16) and golden tensors.

    python export.py [detector refiner embedder lines recogniser surface]

Normalisation is folded into the weights in float64. The export is then read back, run by an
interpreter of its own (plain numpy weights, the same list of operations) and compared with PyTorch.
"""
import base64
import hashlib
import json
import os
import sys

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import lines
import photos
import train_detector
import train_embedder
import train_lines
import train_refiner
import train_surface
from bank import Bank
from grammars import ALPHABET, KINDS, SCRIPTS
from nets import LINES_STRIDE, LINES_UNIT, MARGIN, STRIDE, UNIT, Graph
from training import load, pixels

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../data/model")
SETTINGS = {
    "detector": {"stride": STRIDE, "unit": UNIT, "kinds": list(photos.KINDS)},
    "refiner": {"margin": MARGIN},
    "embedder": {},
    "lines": {"stride": LINES_STRIDE, "unit": LINES_UNIT, "kinds": list(KINDS)},
    "recogniser": {"alphabet": ALPHABET, "scripts": list(SCRIPTS), "stride": lines.STRIDE, "margin": lines.MARGIN, "gainMax": lines.GAIN_MAX},
    "surface": {},
}
# Weights lose three digits as float16; outputs of real photos stay within this of PyTorch's.
COSINE_AT_LEAST = 0.9999


def fold(net: Graph) -> tuple[list[dict], list[tuple[str, np.ndarray]]]:
    """The operations with explicit padding, and the weights in the service's layout (HWIO; depthwise HWC1)."""
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
        # PyTorch has OIHW; a depthwise kernel's O is the channel.
        w = w.permute(2, 3, 1, 0) if operation["op"] == "conv" else w.permute(2, 3, 0, 1)
        (down, across), (high, wide) = layer.stride, layer.padding
        stride = down if down == across else [down, across]
        operations.append({**operation, "weights": f"{name}/w", "bias": f"{name}/b", "stride": stride, "pad": [high, high, wide, wide]})
        weights += [(f"{name}/w", w.detach().numpy()), (f"{name}/b", b.detach().numpy())]
    return operations, weights


def run(model: dict, blob: bytes, image: torch.Tensor) -> dict[str, torch.Tensor]:
    """The exported list, as the service runs it, NHWC out."""
    weights, at = {}, 0
    for entry in model["weights"]:
        n = int(np.prod(entry["shape"]))
        weights[entry["name"]] = torch.from_numpy(np.frombuffer(blob, np.float16, n, at).astype(np.float32).reshape(entry["shape"]))
        at += 2 * n
    values = {"input": image}
    for o in model["ops"]:
        if o["op"] == "add":
            values[o["out"]] = values[o["in"][0]] + values[o["in"][1]]
        elif o["op"] == "resize":
            values[o["out"]] = F.interpolate(values[o["in"]], size=o["size"], mode="bilinear", align_corners=False)
        else:
            w = weights[o["weights"]]
            w, groups = (w.permute(3, 2, 0, 1), 1) if o["op"] == "conv" else (w.permute(2, 3, 0, 1), w.shape[2])
            y = F.conv2d(values[o["in"]], w, weights[o["bias"]], o["stride"], (o["pad"][0], o["pad"][2]), groups=groups)
            values[o["out"]] = F.relu6(y) if o["act"] == "relu6" else y
    return {name: values[name].permute(0, 2, 3, 1) for name in model["outputs"]}


def sample(name: str) -> np.ndarray:
    """One fixed picture of the network's kind, of unseen layouts."""
    rng, bank = np.random.default_rng(1234), Bank("evaluation")
    bank.scans = None  # committed: so procedural
    if name == "detector":
        return photos.scene(rng, bank, 320, 320, damage=photos.Damage(), scale=(0.5, 0.6)).image
    if name == "refiner":
        return train_refiner.crop(rng, bank)[0]
    if name == "lines":
        return train_lines.view(rng, bank, held_out=True)[0]
    if name == "recogniser":
        image = lines.sample(rng, bank, True, height=24, kind="name").image
        return cv2.copyMakeBorder(image, 0, 0, 0, lines.WIDTH_MAX - image.shape[1], cv2.BORDER_CONSTANT, value=lines.EMPTY)[..., None]
    if name == "surface":
        return train_surface.photograph(rng, bank, train_surface.marked(rng, train_surface.bare(rng, bank, True), True, True, True).picture, photos.Damage())
    return train_embedder.catalog_view(rng, bank.faces[0])


def encode(array: np.ndarray) -> str:
    return base64.b64encode(np.ascontiguousarray(array, np.float32).tobytes()).decode()


def export(name: str) -> None:
    net, state = load(name)
    operations, weights = fold(net)
    entries = [{"name": n, "shape": list(w.shape), "dtype": "float32", "quantization": {"dtype": "float16"}} for n, w in weights]
    blob = b"".join(w.astype(np.float16).tobytes() for _, w in weights)
    model = {"name": name, "input": [*net.input_size, net.channels["input"]], "ops": operations, "outputs": net.outputs, "weights": entries, **SETTINGS[name]}
    picture = np.ascontiguousarray(sample(name))
    image = pixels(torch.from_numpy(picture[None]))
    with torch.no_grad():
        ours = dict(zip(net.outputs, (y.permute(0, 2, 3, 1) for y in net(image))))
    theirs = run(model, blob, image)
    for key in net.outputs:
        a, b = ours[key].flatten(), theirs[key].flatten()
        cosine = F.cosine_similarity(a, b, dim=0).item()
        print(f"{name}/{key}: max difference {(a - b).abs().max():.2e} (range {a.abs().max():.2f}), cosine {cosine:.7f}")
        if cosine < COSINE_AT_LEAST:
            raise SystemExit("The export differs from the trained network.")
    os.makedirs(os.path.join(OUT, "golden"), exist_ok=True)
    with open(os.path.join(OUT, f"{name}.bin"), "wb") as file:
        file.write(blob)
    with open(os.path.join(OUT, f"{name}.json"), "w") as file:
        json.dump(model, file, separators=(",", ":"))
        file.write("\n")
    # What PyTorch makes of the rounded weights, so that the service's own arithmetic is what is held
    # against it. The input as bytes: the service normalises it itself.
    golden = {"input": base64.b64encode(picture.tobytes()).decode(),
              "outputs": {k: {"shape": list(v.shape), "data": encode(v.numpy())} for k, v in theirs.items()}}
    with open(os.path.join(OUT, f"golden/{name}.json"), "w") as file:
        json.dump(golden, file)
        file.write("\n")
    print(f"{name}: {len(blob)} bytes, sha256 {hashlib.sha256(blob).hexdigest()[:16]}, {state['images']} images in {state['steps']} steps, {state['elapsed'] / 60:.0f} minutes")


if __name__ == "__main__":
    for name in sys.argv[1:] or list(SETTINGS):
        export(name)
