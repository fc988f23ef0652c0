"""Tests of the conversion of the pretrained recognizer. They need PyTorch and ONNX."""
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

from cardstock_training.train import pretrained  # noqa: E402
from cardstock_training.train.loop import to_input  # noqa: E402

if not pretrained.SOURCE.exists():
    pytest.skip("The pretrained network is not available.", allow_module_level=True)


@pytest.mark.parametrize("width", [64, 160, 480])
def test_the_recognizer_equals_the_original(width):
    picture = np.random.default_rng(width).integers(0, 256, (48, width)).astype(np.uint8)
    with torch.no_grad():
        text = pretrained.network()(to_input(torch.from_numpy(picture[None, :, :, None])))[0][0, :, 0].T.numpy()
    expected = pretrained.logits(pretrained.source_model(), [picture])[0][:, pretrained.kept_classes()]
    assert text.shape == expected.shape == (width // 8, 143)
    # The form of GELU differs.
    assert np.abs(text - expected).max() < 0.2
    assert (text.argmax(1) == expected.argmax(1)).all()


def test_the_original_takes_the_weights_of_the_recognizer():
    picture = np.random.default_rng(1).integers(0, 256, (48, 160)).astype(np.uint8)
    expected = pretrained.logits(pretrained.source_model(), [picture])[0][:, pretrained.kept_classes()]
    net = pretrained.network()
    same = pretrained.logits(pretrained.with_weights(net), [picture])[0]
    np.testing.assert_allclose(same, expected, atol=1e-3)
    with torch.no_grad():
        net.layers["text"].bias += 1
    np.testing.assert_allclose(pretrained.logits(pretrained.with_weights(net), [picture])[0], same + 1, atol=1e-3)
