import numpy as np
import pytest

from cardstock_training.evaluate import independent_photos as independent


@pytest.fixture
def scan():
    return np.full((440, 315, 3), (40, 90, 200), np.uint8)


def test_the_same_seed_takes_the_same_photo(scan):
    def take():
        rng = np.random.default_rng(5)
        setting = independent.Setting(1, sleeve=True, glare=True, fingers=True)
        return independent.photograph(rng, independent.Camera(rng, setting), setting, scan)

    assert (take() == take()).all()


def test_each_pixel_sees_the_position_that_is_projected_to_it():
    camera = independent.Camera(np.random.default_rng(6), independent.Setting(1, tilt=(30, 40), roll=180))
    x, y = camera.table()
    for at, corner in zip(np.round(camera.project(camera.corners)).astype(int), camera.corners):
        assert np.allclose((x[at[1], at[0]], y[at[1], at[0]]), corner, atol=0.3)


def test_the_card_lies_between_its_corners(scan):
    rng, setting = np.random.default_rng(7), independent.Setting(1)
    camera = independent.Camera(rng, setting)
    image = independent.photograph(rng, camera, setting, scan)
    corners = camera.project(camera.corners)
    assert (corners > 0).all() and (corners < (camera.w, camera.h)).all()
    middle = image[tuple(np.round(corners.mean(0)).astype(int)[::-1])].astype(int)
    assert middle[2] > middle[1] > middle[0]  # in the colors of the scan
