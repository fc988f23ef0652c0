import numpy as np
import pytest

from cardstock_training.render import photos, printed_cards, text_lines, unusual


def test_the_same_seed_renders_the_same_photo(bank):
    first, second = (photos.scene(np.random.default_rng(3), bank, 160, 120).image for _ in range(2))
    assert first.shape == (160, 120, 3)
    assert (first == second).all()


def test_quads_start_at_the_top_left_corner_of_the_card(bank):
    quad = photos.random_quad(np.random.default_rng(1), 400, 300, 0.5, tilt=0, angle=0)
    assert quad[0, 0] < quad[1, 0] and quad[0, 1] < quad[3, 1]
    assert photos.quad_height(quad) == np.float32(150)


def test_an_item_is_visible_inside_the_frame_and_not_under_others(bank):
    quad = np.array([[10, 10], [60, 10], [60, 80], [10, 80]], np.float32)
    items = [photos.random_item(np.random.default_rng(1), bank, quad + np.float32(shift), 0) for shift in ((0, 0), (0, 35), (65, -40))]
    covered, outside, cut = photos.visible_masks(items, 100, 100)
    assert 0.4 < covered[1] < 0.6 and covered[2] > 0.95
    assert 0.75 < outside[1] < 0.9 and outside[1] == outside[2]
    assert cut[1] == cut[2] < 0.5


@pytest.mark.parametrize("draw", [unusual.doors, unusual.landscape, unusual.full_art, unusual.portrait, unusual.back])
def test_unusual_faces_have_the_shape_of_a_card(bank, draw):
    first, second = (draw(np.random.default_rng(3), bank) for _ in range(2))
    assert first.shape == (336, 240, 3) and first.dtype == np.uint8
    assert (first == second).all()


def test_a_slab_has_its_card_and_a_fan_has_several(bank):
    rng = np.random.default_rng(5)
    item = unusual.slab(rng, np.zeros((160, 120, 3), np.uint8), bank)
    assert item.kind == 2 and np.linalg.norm(item.outer - item.quad, axis=1).min() > 1
    assert len(unusual.fan(rng, bank, 160, 120)) >= 2
    assert unusual.scene(rng, bank, 160, 120).image.shape == (160, 120, 3)


def test_every_printed_line_lies_on_the_card(bank):
    rng = np.random.default_rng(2)
    layout, text = printed_cards.random_layout(rng, False), printed_cards.random_text(rng, False)
    card = printed_cards.face(rng, layout, text, printed_cards.random_picture(rng, bank), 8)
    assert card.image.shape == (704, 504, 3)
    assert any(line.kind == "number" for line in card.lines)
    for line in card.lines:
        assert (line.quad > -20).all() and (line.quad < (524, 724)).all()


def test_a_line_is_rendered_at_the_input_height(bank):
    sample = text_lines.sample(np.random.default_rng(4), bank, False, height=20, kind="number")
    assert sample.image.shape[0] == text_lines.HEIGHT
    assert sample.line.kind == "number"
