import pytest

from cardstock_training.evaluate.calibrate_reporting import fields_at, is_for_choice, matched_in, matches_at
from cardstock_training.evaluate.learn_then_test import ERROR, RISK, binomial_tail, proven, upper_bound


def test_binomial_tail_of_a_fair_coin():
    assert binomial_tail(0, 4, 0.5) == pytest.approx(1 / 16)
    assert binomial_tail(2, 4, 0.5) == pytest.approx(11 / 16)
    assert binomial_tail(4, 4, 0.5) == pytest.approx(1)


def test_binomial_tail_does_not_overflow():
    assert 0.4 < binomial_tail(5_000, 10_000, 0.5) < 0.6


@pytest.mark.parametrize("p, expected", [(0, 1), (1, 0)])
def test_binomial_tail_of_certain_events(p, expected):
    assert binomial_tail(3, 10, p) == expected


def test_upper_bound_without_errors_is_the_rule_of_three():
    assert upper_bound(0, 1_000) == pytest.approx(1 - 0.05 ** (1 / 1_000), rel=1e-6)


def test_upper_bound_of_no_photos_is_one():
    assert upper_bound(0, 0) == pytest.approx(1)


def test_598_correct_matches_prove_an_error_below_half_a_percent():
    assert binomial_tail(0, 597, RISK) > ERROR
    assert binomial_tail(0, 598, RISK) <= ERROR
    assert upper_bound(0, 598) <= RISK


def test_limits_are_proven_up_to_the_first_that_fails():
    # Strictest first: too few, enough, more with one error, one error too many, and better again by chance.
    counts = [(0, 500), (0, 700), (1, 1_000), (5, 1_100), (1, 1_200)]
    assert proven(counts) == [1, 2]


def test_too_few_reports_prove_nothing():
    assert proven([(0, 10), (0, 597)]) == []


def test_photos_of_one_card_are_in_one_half():
    photos = [{"label": {"card": 7, "photo": f"{i}.jpg"}} for i in range(20)]
    assert len({is_for_choice(photo) for photo in photos}) == 1
    others = [{"label": {"card": None, "photo": f"{i}.jpg"}} for i in range(200)]
    assert 60 < sum(is_for_choice(photo) for photo in others) < 140


def test_fields_count_at_the_limits_at_which_they_are_reported():
    reported = lambda *read: {"limits": [0.9, 0.5], "numberMin": list(read)}
    slab = {"label": {"grader": "PSA"}, "reported": reported(False, False)}
    outcomes = [{"label": {}, "reported": reported(None, False)}, {"label": {}, "reported": reported(True, True)}, slab, {"label": {}}]
    assert fields_at(outcomes, "numberMin") == ([0.9, 0.5], [[True], [False, True]])


def test_matches_are_right_if_they_name_the_card():
    answer = {"status": "matched", "candidates": [{"card_id": 7, "score": 0.96}]}
    photo = {"label": {"card": 7}, "byPrint": answer, "scans": {"status": "ambiguous"}}
    assert matched_in(photo, "byPrint") == (0.96, True)
    assert matched_in({**photo, "label": {"card": None}}, "byPrint") == (0.96, False)
    assert matched_in(photo, "scans") is None
    assert [len(reports) for reports in matches_at([photo], "byPrint")] == [0] * 6 + [1] * 4
