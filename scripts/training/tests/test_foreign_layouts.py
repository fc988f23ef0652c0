import json
import re
from pathlib import Path

import numpy as np
import pytest

from cardstock_training.evaluate import foreign_games, foreign_layouts, slab_labels
from cardstock_training.evaluate.foreign_games import GAMES, list_cards
from cardstock_training.evaluate.slab_labels import GRADERS, Grade
from cardstock_training.render import flat, fonts

SOURCES = [Path(module.__file__).read_text() for module in (foreign_games, slab_labels)]
USED = sorted({name for source in SOURCES for name in re.findall(r'"([\w-]+\.[ot]tf)"', source)})


@pytest.fixture(scope="session", autouse=True)
def installed():
    try:
        for name in USED:
            flat.font_file(name)
    except SystemExit as error:
        pytest.skip(str(error))


def test_no_font_is_used_for_training():
    assert len(USED) > 15
    assert [name for name in USED if not name.startswith(fonts.FOREIGN)] == []
    assert [file for file in fonts._files() if Path(file).name.startswith(fonts.FOREIGN)] == []


@pytest.mark.parametrize("key", GAMES)
def test_a_card_is_drawn_again_from_the_same_seed(key):
    card = list_cards(1)[key][3]
    draw = lambda: GAMES[key].draw(np.random.default_rng(4), card)
    assert (draw().sheet.pixels() == draw().sheet.pixels()).all()


@pytest.mark.parametrize("key", GAMES)
def test_names_and_numbers_of_all_cards_are_at_least_a_millimeter_high(key):
    # The longest name is set smallest.
    card = max(list_cards(1)[key], key=lambda one: len(one.title))
    drawn = GAMES[key].draw(np.random.default_rng(5), card)
    assert min(drawn.number_height, drawn.name_height) > 1


def test_a_catalog_lists_each_name_of_a_set_once():
    for own in list_cards(2).values():
        assert len({(card.set, card.name) for card in own}) == len(own)
        assert len({card.id for card in own}) == len(own)


def test_cards_that_are_left_out_are_not_in_the_mirror(tmp_path):
    cards = list_cards(3)
    missing = cards["spine"][0]
    foreign_layouts.write_catalog(tmp_path, cards, {missing.id})
    products = [p for file in tmp_path.glob("tcgplayer/*/*/products") for p in json.loads(file.read_text())["results"]]
    assert len(products) == sum(map(len, cards.values())) - 1
    assert missing.id not in {p["productId"] for p in products}
    assert all(p["imageUrl"] is None for p in products)


def test_the_text_of_a_photo_is_legible():
    card = list_cards(4)["location"][0]
    image, known = foreign_layouts.take(np.random.default_rng(6), card)
    assert 1500 <= max(image.shape) and min(known["number_px"], known["name_px"]) >= foreign_layouts.LEGIBLE - 0.1
    corners = np.array(known["corners"])
    assert (corners > 0).all() and (corners < image.shape[1::-1]).all()


@pytest.mark.parametrize("name", GRADERS)
def test_a_label_shows_its_grade(name):
    grader, card = GRADERS[name], list_cards(5)["tale"][0]

    def label(grade):
        sheet = flat.Sheet(70, 22, density=10)
        rng = np.random.default_rng(7)
        grader.draw(rng, sheet, slab_labels.text_of(rng, card), grade)
        return sheet.pixels()

    numbers = list(grader.words)
    pictures = [label(Grade(number, grader.words[number])) for number in numbers] + [label(Grade("", grader.authentic))]
    assert len({picture.tobytes() for picture in pictures}) == len(numbers) + 1


def test_words_stand_alone_only_where_all_scales_agree():
    for grader in GRADERS.values():
        for number in grader.words_only:
            assert grader.words[number] == {"9": "MINT", "8": "NM-MT"}[number]


def test_some_slabs_have_no_grade():
    grades = [slab_labels.random_grade(np.random.default_rng(i), GRADERS["PSA"]) for i in range(200)]
    assert 0 < sum(grade.number == "" for grade in grades) < 40


def test_a_slab_is_clear_around_its_label_and_card():
    card, rng = list_cards(6)["banner"][0], np.random.default_rng(8)
    text, grade = slab_labels.text_of(rng, card), Grade("9", "MINT")
    _, opaque, _ = slab_labels.draw_slab(rng, card, GRADERS["SGC"], text, grade)
    at = lambda x, y: opaque[round(y * 18), round(x * 18)]
    assert at(40, 15) == 1 and at(40, 80) == 1
    assert at(40, 31) < 0.5 and at(4, 80) < 0.5
