import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from walkon.measuring.exact import Bounded, Share
from walkon.measuring.statistics import Estimate, estimate
from walkon.measuring.verdicts import inside, outside, trials_needed

values = st.lists(st.integers(-9, 9).map(float), min_size=2, max_size=20).filter(lambda some: len(set(some)) > 1)


def decided(found, low, high, level=0.05):
    """Whether it lies between the borders, or outside, or neither is shown."""
    return "in" if inside(found, low, high) < level else "out" if outside(found, low, high) < level else ""


@given(values, st.integers(-5, 5))
def test_a_difference_has_the_p_values_of_one_sided_t_tests(some, limit):
    less, more = (scipy.stats.ttest_1samp(some, limit, alternative=side).pvalue for side in ("less", "greater"))
    assert inside(estimate(some), -math.inf, limit) == pytest.approx(less, abs=1e-12)
    assert outside(estimate(some), -math.inf, limit) == pytest.approx(more, abs=1e-12)
    assert inside(estimate(some), limit, math.inf) == pytest.approx(more, abs=1e-12)


@given(values, st.floats(0.1, 8))
def test_equivalence_is_the_90_percent_interval_inside_the_margin(some, margin):
    found = estimate(some)
    low, high = found.interval(0.9)
    if min(abs(low + margin), abs(low - margin), abs(high - margin), abs(high + margin)) < 1e-9:
        return  # on the border rounding decides
    expected = "in" if -margin < low and high < margin else "out" if low > margin or high < -margin else ""
    assert decided(found, -margin, margin) == expected
    expected = {(True, False): "in", (False, True): "out"}.get((high < margin, low > margin), "")
    assert decided(found, -math.inf, margin) == expected


def test_equivalence_against_two_one_sided_t_tests():
    some = [0.2, -0.3, 0.4, 0.1, -0.2]
    lower = scipy.stats.ttest_1samp(some, -0.5, alternative="greater").pvalue
    upper = scipy.stats.ttest_1samp(some, 0.5, alternative="less").pvalue
    assert inside(estimate(some), -0.5, 0.5) == pytest.approx(max(lower, upper))


def test_where_all_trials_agree_a_few_of_them_do_not_make_an_equivalence():
    assert decided(estimate([0.0] * 4), -1, 1) == ""
    assert trials_needed(estimate([0.0] * 4), -1, 1) == 5
    assert decided(estimate([0.0] * 5), -1, 1) == "in"
    assert decided(estimate([3.0] * 5), -1, 1) == "out"


def test_with_bounds_it_takes_as_many_as_the_bounds_ask_for():
    needed = trials_needed(Bounded.of(np.zeros(4), -5, 5), -0.25, 0.25)
    assert decided(Bounded.of(np.zeros(needed), -5, 5), -0.25, 0.25) == "in"
    assert decided(Bounded.of(np.zeros(needed - 1), -5, 5), -0.25, 0.25) == ""


def power_of(test, truth, spread, n, repetitions=3000):
    chance = np.random.default_rng(0)
    decided = 0
    for _ in range(repetitions):
        decided += test(estimate(chance.normal(truth, spread, n)))
    return decided / repetitions


@pytest.mark.parametrize("comparisons", [1, 5])
def test_so_many_trials_show_a_failure_four_times_in_five(comparisons):
    found = Estimate(1.0, 4.0 / math.sqrt(10), 10, 9)
    needed = trials_needed(found, -math.inf, 0.0, 0.025, comparisons)
    power = power_of(lambda each: outside(each, -math.inf, 0.0) < 0.025 / comparisons, 1.0, 4.0, needed)
    assert power == pytest.approx(0.8, abs=0.03)
    assert trials_needed(found, 0.0, math.inf, 0.025, comparisons) == trials_needed(found, 0.0, math.inf, 0.025)


@pytest.mark.parametrize("truth", [0.0, 0.5, 2.0])
def test_so_many_trials_decide_an_equivalence_four_times_in_five(truth):
    found = Estimate(truth, 4.0 / math.sqrt(10), 10, 9)
    needed = trials_needed(found, -1.0, 1.0)
    power = power_of(lambda each: decided(each, -1.0, 1.0) == ("out" if truth > 1 else "in"), truth, 4.0, needed)
    assert power == pytest.approx(0.8, abs=0.03)


def test_the_textbook_number_of_trials():
    """34 for a difference of half a standard deviation, by the noncentral t; by the normal distribution it were 32."""
    assert trials_needed(Estimate(0.5, 1 / math.sqrt(4), 4, 3), 0.0, math.inf, 0.025) == 34
    assert trials_needed(Estimate(7.0, 1 / math.sqrt(4), 4, 3), 0.0, math.inf, 0.025, value=0.5) == 34
    power = [scipy.stats.nct.sf(scipy.stats.t.ppf(0.975, n - 1), n - 1, 0.5 * math.sqrt(n)) for n in (33, 34)]
    assert power[0] < 0.8 < power[1]


def test_a_gap_that_is_next_to_nothing_takes_more_trials_than_anybody_has():
    assert trials_needed(estimate([-1.0, 1.0]), 6e-273, math.inf) is None


@given(values, st.floats(-3, 3))
def test_what_is_not_decided_takes_more_trials_than_there_were(some, limit):
    found = estimate(some)
    for low, high in ((-math.inf, limit), (limit - 1, limit + 1)):
        if not decided(found, low, high):
            assert (trials_needed(found, low, high) or math.inf) > found.n


def test_no_number_of_trials_decides_between_equals():
    assert trials_needed(estimate([-1.0, 1.0]), 0.0, math.inf) is None
    assert trials_needed(estimate([0.0, 2.0]), -1.0, 1.0) is None
    assert trials_needed(Estimate(1e-9, 1.0, 30, 29), 0.0, math.inf) is None
    assert trials_needed(Estimate(1 - 1e-9, 1.0, 30, 29), -1.0, 1.0) is None


def test_from_one_trial_nothing_is_foreseen():
    assert trials_needed(estimate([1.0]), 0.0, 2.0) is None
    assert decided(estimate([1.0]), 0.0, 2.0) == ""


def test_a_share_without_exceptions_takes_as_many_trials_as_the_sign_test():
    assert decided(Share(5, 5), 0.5, math.inf, 0.025) == ""
    assert trials_needed(Share(5, 5), 0.5, math.inf, 0.025) == 6
    assert decided(Share(6, 6), 0.5, math.inf, 0.025) == "in"
