import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from walkon.measuring.statistics import Estimate, Share, estimate
from walkon.measuring.verdicts import beyond, inside, trials_beyond, trials_within, two_sided, within

values = st.lists(st.integers(-9, 9).map(float), min_size=2, max_size=20).filter(lambda some: len(set(some)) > 1)


@given(values, st.integers(-5, 5))
def test_a_difference_has_the_p_value_of_a_two_sided_t_test(some, limit):
    assert two_sided(estimate(some), limit) == pytest.approx(scipy.stats.ttest_1samp(some, limit).pvalue, abs=1e-12)


def test_a_difference_holds_or_fails_by_its_side():
    found = estimate([1.0, 1.5, 2.0, 1.2])
    assert beyond(found, 0.0, 0.01, below=False) == "holds"
    assert beyond(found, 0.0, 0.01, below=True) == "fails"
    assert beyond(found, 0.0, 0.05, below=True) == "not decided"
    assert beyond(found, 0.0, math.nan, below=True) == "not decided"


@given(values, st.floats(0.1, 8))
def test_equivalence_is_the_90_percent_interval_inside_the_margin(some, margin):
    found = estimate(some)
    low, high = found.interval(0.9)
    if min(abs(low + margin), abs(low - margin), abs(high - margin), abs(high + margin)) < 1e-9:
        return  # on the border rounding decides
    expected = (
        "holds" if -margin < low and high < margin else "fails" if low > margin or high < -margin else "not decided"
    )
    assert within(found, -margin, margin) == expected
    one_sided = high < margin, low > margin
    expected = {(True, False): "holds", (False, True): "fails"}.get(one_sided, "not decided")
    assert within(found, -math.inf, margin) == expected


def test_equivalence_against_two_one_sided_t_tests():
    some = [0.2, -0.3, 0.4, 0.1, -0.2]
    lower = scipy.stats.ttest_1samp(some, -0.5, alternative="greater").pvalue
    upper = scipy.stats.ttest_1samp(some, 0.5, alternative="less").pvalue
    assert inside(estimate(some), -0.5, 0.5) == pytest.approx(max(lower, upper))


def test_where_all_trials_agree_a_few_of_them_do_not_make_an_equivalence():
    assert within(estimate([0.0] * 4), -1, 1) == "not decided"
    assert trials_within(estimate([0.0] * 4), -1, 1) == 5
    assert within(estimate([0.0] * 5), -1, 1) == "holds"
    assert within(estimate([3.0] * 5), -1, 1) == "fails"


def power_of(test, truth, spread, n, repetitions=3000):
    chance = np.random.default_rng(0)
    decided = 0
    for _ in range(repetitions):
        decided += test(estimate(chance.normal(truth, spread, n)))
    return decided / repetitions


@pytest.mark.parametrize("comparisons", [1, 5])
def test_so_many_trials_decide_a_difference_four_times_in_five(comparisons):
    found = Estimate(1.0, 4.0 / math.sqrt(10), 10, 9)
    needed = trials_beyond(found, 0.0, comparisons)
    power = power_of(lambda each: two_sided(each, 0.0) < 0.05 / comparisons, 1.0, 4.0, needed)
    assert power == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("truth", [0.0, 0.5, 2.0])
def test_so_many_trials_decide_an_equivalence_four_times_in_five(truth):
    found = Estimate(truth, 4.0 / math.sqrt(10), 10, 9)
    needed = trials_within(found, -1.0, 1.0)
    outcome = "fails" if truth > 1 else "holds"
    power = power_of(lambda each: within(each, -1.0, 1.0) == outcome, truth, 4.0, needed)
    assert power == pytest.approx(0.8, abs=0.03)


def test_the_textbook_number_of_trials():
    """n = ((z_0.975 + z_0.8) s / d)^2 = (2.8016 * 2)^2 = 31.4 for a difference of half a standard deviation."""
    assert trials_beyond(Estimate(0.5, 1 / math.sqrt(4), 4, 3), 0.0) == 32


def test_a_gap_that_is_next_to_nothing_takes_more_trials_than_anybody_has():
    assert trials_beyond(estimate([-1.0, 1.0]), 6e-273) is None


@given(values, st.floats(-3, 3))
def test_what_is_not_decided_takes_more_trials_than_there_were(some, limit):
    found = estimate(some)
    if beyond(found, limit, two_sided(found, limit), below=True) == "not decided":
        assert (trials_beyond(found, limit) or math.inf) > found.n
    if within(found, limit - 1, limit + 1) == "not decided":
        assert (trials_within(found, limit - 1, limit + 1) or math.inf) > found.n


def test_no_number_of_trials_decides_between_equals():
    assert trials_beyond(estimate([-1.0, 1.0]), 0.0) is None
    assert trials_within(estimate([0.0, 2.0]), -1.0, 1.0) is None
    assert trials_beyond(Estimate(1e-9, 1.0, 30, 29), 0.0) is None
    assert trials_within(Estimate(1 - 1e-9, 1.0, 30, 29), -1.0, 1.0) is None


def test_from_one_trial_nothing_is_foreseen():
    assert trials_beyond(estimate([1.0]), 0.0) is None
    assert trials_within(estimate([1.0]), 0.0, 2.0) is None
    assert within(estimate([1.0]), 0.0, 2.0) == "not decided"


def test_a_share_without_exceptions_takes_as_many_trials_as_the_sign_test():
    assert two_sided(Share(5, 5), 0.5) > 0.05
    assert trials_beyond(Share(5, 5), 0.5) == 6
    assert two_sided(Share(6, 6), 0.5) < 0.05
