"""Tests of the networks and their export. They need PyTorch."""
import json

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from cardstock_training import paths  # noqa: E402
from cardstock_training.render import photos  # noqa: E402
from cardstock_training.train import covered_embedder, detector, page_refiner, refiner  # noqa: E402
from cardstock_training.train.export import fold, run  # noqa: E402
from cardstock_training.train.loop import load_exported  # noqa: E402
from cardstock_training.train.networks import NETS  # noqa: E402


@pytest.mark.parametrize("name", NETS)
def test_the_exported_operations_equal_the_network(name):
    torch.manual_seed(1)
    net = NETS[name]().eval()
    operations, weights = fold(net)
    model = {"ops": operations, "outputs": net.outputs, "weights": [{"name": n, "shape": list(w.shape)} for n, w in weights]}
    image = torch.rand(1, net.channels["input"], *net.input_size) * 2 - 1
    exported = run(model, b"".join(w.astype(np.float16).tobytes() for _, w in weights), image)
    with torch.no_grad():
        expected = dict(zip(net.outputs, net(image)))
    for key, value in expected.items():
        np.testing.assert_allclose(exported[key].permute(0, 3, 1, 2), value, atol=0.02)


@pytest.mark.parametrize("name", NETS)
def test_the_committed_model_has_the_same_operations(name):
    model = json.loads((paths.MODEL / f"{name}.json").read_text())
    operations, weights = fold(NETS[name]().eval())
    assert model["ops"] == json.loads(json.dumps(operations))
    assert [entry["shape"] for entry in model["weights"]] == [list(w.shape) for _, w in weights]


def test_refiner_maps_decode_to_their_corners():
    quad = np.array([[30, 40], [110, 38], [112, 150], [28, 152]], np.float32)
    found, confidence = refiner.decode_corners(np.log(refiner.corner_maps(quad)[None] + 1e-9))
    np.testing.assert_allclose(found[0], quad, atol=0.5)
    assert (confidence > 0.95).all()


def test_the_letterbox_keeps_the_photo_at_the_top_left(bank):
    image, _, (height, width) = detector.letterboxed(np.random.default_rng(1), bank, 192)
    assert image.shape == (192, 192, 3)
    assert max(height, width) == 192
    assert (image[height:] == 128).all() and (image[:, width:] == 128).all()


def test_a_covered_card_is_learned_where_it_is_visible(bank):
    rng = np.random.default_rng(1)
    quad = np.array([[60, 40], [186, 40], [186, 216], [60, 216]], np.float32)
    below, above = (photos.random_item(rng, bank, quad + np.float32((0, down)), 0) for down in (0, 60))
    heat, offsets, weight, _, counts = detector.targets([below, above], (320, 320))
    y, x = np.unravel_index(heat[-1].argmax(), heat[-1].shape)
    assert heat[-1].max() == 1 and 40 < (y + 0.5) * 8 < 100 and weight[y, x] > 0
    np.testing.assert_allclose(offsets[:2, y, x] * 64 + ((x + 0.5) * 8, (y + 0.5) * 8), quad[0], atol=0.01)
    assert (heat[0] == 1).sum() == 1 and heat[1:-1].max() == 0
    alone = detector.targets([above], (320, 320))
    assert alone[0][-1].max() == 0 and alone[4].min() == 1


def test_learns_a_card_whose_middle_is_near_that_of_one_below():
    square = np.array([[90, 60], [230, 60], [230, 256], [90, 256]], np.float32)
    below, above = (photos.Item(np.zeros((4, 4, 3), np.uint8), 0, square + np.float32((0, 40 * k))) for k in range(2))
    heat, _, _, _, counts = detector.targets([below, above], (320, 320))
    row, column = np.unravel_index(heat[0].argmax(), heat[0].shape)
    assert counts[:-1, row, column].all()


def test_corners_under_other_cards_are_not_visible():
    quad = np.array([[30, 40], [110, 40], [110, 152], [30, 152]], np.float32)
    assert page_refiner.visible_corners(quad, []).tolist() == [1, 1, 1, 1]
    assert page_refiner.visible_corners(quad, [quad + np.float32((50, 0))]).tolist() == [1, 0, 0, 1]
    assert page_refiner.visible_corners(quad, [quad + np.float32((0, 70))]).tolist() == [1, 1, 0, 0]


def test_the_covered_part_is_filled_with_the_mirror_image():
    image = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    mask = np.zeros((4, 6), bool)
    mask[:, 4:] = mask[0] = True
    filled = covered_embedder.fill(image, mask)
    assert (filled[~mask] == image[~mask]).all()
    assert (filled[1:, 4:] == image[1:, 1::-1]).all()
    assert (filled[0] == image[~mask].mean(0).astype(np.uint8)).all()


@pytest.mark.parametrize("name", ["refiner", "embedder"])
def test_training_can_start_from_the_exported_weights(name):
    model = json.loads((paths.MODEL / f"{name}.json").read_text())
    net = load_exported(name).eval()
    image = torch.rand(1, net.channels["input"], *net.input_size) * 2 - 1
    with torch.no_grad():
        found = net(image)
    for key, value in zip(net.outputs, found):
        np.testing.assert_allclose(run(model, (paths.MODEL / f"{name}.bin").read_bytes(), image)[key].permute(0, 3, 1, 2), value, atol=1e-3)
