import numpy as np

from cardstock_training.render import photos, printed_cards, text_lines


def test_the_same_seed_renders_the_same_photo(bank):
    first, second = (photos.scene(np.random.default_rng(3), bank, 160, 120).image for _ in range(2))
    assert first.shape == (160, 120, 3)
    assert (first == second).all()


def test_quads_start_at_the_top_left_corner_of_the_card(bank):
    quad = photos.random_quad(np.random.default_rng(1), 400, 300, 0.5, tilt=0, angle=0)
    assert quad[0, 0] < quad[1, 0] and quad[0, 1] < quad[3, 1]
    assert photos.quad_height(quad) == np.float32(150)


def test_covered_items_are_not_visible(bank):
    quad = np.array([[10, 10], [60, 10], [60, 80], [10, 80]], np.float32)
    below, above = (photos.random_item(np.random.default_rng(1), bank, quad, 0) for _ in range(2))
    assert photos.visible_items([below, above], 100, 100) == [above]


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
