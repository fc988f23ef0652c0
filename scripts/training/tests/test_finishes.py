import numpy as np

from cardstock_training.render import finishes
from cardstock_training.train import surface


def test_every_foil_changes_the_hue_of_a_card():
    card = np.full((336, 240, 3), 200, np.uint8)
    for kind in finishes.FOILS | finishes.FOILS_HELD_OUT:
        shining = finishes.apply_foil(np.random.default_rng(1), card, kind).astype(int)
        assert np.ptp(shining, axis=-1).max() > 30, kind


def test_a_card_without_a_finish_has_no_positions(bank):
    plain = surface.apply_finish(np.random.default_rng(2), bank.faces[0], False, False, 0)
    assert plain.places.shape == (2, 20, 14)
    assert not plain.places.any() and not plain.shines


def test_each_stamp_of_a_card_has_a_position(bank):
    stamped = surface.apply_finish(np.random.default_rng(3), bank.faces[0], False, False, 3)
    assert stamped.places[1].any() and not stamped.places[0].any()


def test_photos_have_the_size_of_the_input(bank):
    photo = surface.photograph(np.random.default_rng(4), bank, bank.faces[0])
    assert photo.shape == (320, 224, 3)
