"""Tests of the conversion of the pretrained recogniser. They need PyTorch and ONNX."""
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

from cardstock_training.train import pretrained  # noqa: E402
from cardstock_training.train.loop import to_input  # noqa: E402

if not pretrained.SOURCE.exists():
    pytest.skip("The pretrained network is not available.", allow_module_level=True)


@pytest.mark.parametrize("width", [64, 160, 480])
def test_the_recogniser_equals_the_original(width):
    picture = np.random.default_rng(width).integers(0, 256, (48, width)).astype(np.uint8)
    with torch.no_grad():
        text = pretrained.network()(to_input(torch.from_numpy(picture[None, :, :, None])))[0][0, :, 0].T.numpy()
    expected = pretrained.reference([picture])[0]
    assert text.shape == expected.shape == (width // 8, 143)
    # The form of GELU differs.
    assert np.abs(text - expected).max() < 0.2
    assert (text.argmax(1) == expected.argmax(1)).all()
