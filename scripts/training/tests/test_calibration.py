import pytest

from cardstock_training.evaluate.calibrate_matching import ERROR, RISK, binomial_tail, upper_bound


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
