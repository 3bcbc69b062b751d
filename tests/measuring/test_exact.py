"""Shares, medians and means of bounded numbers, each against the definition by brute force."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from walkon.measuring.exact import BETS, Bounded, Median, Share

NAN = float("nan")


@given(st.integers(0, 12), st.integers(1, 12), st.sampled_from([0.0, 0.05, 0.5, 0.9, 1.0]))
def test_a_share_is_judged_by_the_binomial_distribution(count, n, limit):
    found = Share(min(count, n), n)
    law = [math.comb(n, k) * limit**k * (1 - limit) ** (n - k) for k in range(n + 1)]
    assert found.p_below(limit) == pytest.approx(sum(law[: found.count + 1]))
    assert found.p_above(limit) == pytest.approx(sum(law[found.count :]))
    theirs = scipy.stats.binomtest(found.count, n).proportion_ci(0.95, method="exact")
    assert found.interval() == pytest.approx((theirs.low, theirs.high))


def test_the_interval_of_a_share_covers_the_truth_at_least_as_often_as_it_says():
    for truth in (0.03, 0.4, 0.97):
        covered = 0.0
        for k in range(21):
            low, high = Share(k, 20).interval()
            covered += math.comb(20, k) * truth**k * (1 - truth) ** (20 - k) * (low <= truth <= high)
        assert covered >= 0.95


def test_a_share_of_nothing_is_not_known():
    assert np.isnan([Share(0, 0).value, Share(0, 0).error, *Share(0, 0).interval(), Share(0, 0).p_above(0.5)]).all()


def chances(values, law, n, refuted):
    """The probability that n independent numbers are refuted, over all samples."""
    total = 0.0
    for sample in itertools.combinations_with_replacement(range(len(values)), n):
        counts = np.bincount(sample, minlength=len(values))
        ways = math.factorial(n) / math.prod(math.factorial(k) for k in counts.tolist())
        if refuted(np.repeat(values, counts)):
            total += ways * float(np.prod(np.array(law) ** counts))
    return total


@pytest.mark.parametrize("law", [(0.5, 0.2, 0.3), (0.1, 0.4, 0.5), (0.3, 0.2, 0.5), (0.49, 0.02, 0.49)])
def test_a_median_is_covered_and_refuted_as_often_as_it_says_whatever_is_never_reached(law):
    """Over all samples of ten: the time is 3, 8, or it never comes."""
    values, truth = np.array([3.0, 8.0, np.inf]), [3.0, 8.0, np.inf][int(np.searchsorted(np.cumsum(law), 0.5))]
    missed = chances(values, law, 10, lambda x: not Median(x).interval()[0] <= truth <= Median(x).interval()[1])
    assert missed <= 0.05
    assert chances(values, law, 10, lambda x: Median(x).p_below(truth) <= 0.05) <= 0.05
    assert chances(values, law, 10, lambda x: Median(x).p_above(truth) <= 0.05) <= 0.05


def test_a_median_is_not_reached_if_more_than_half_never_get_there():
    assert Median(np.array([2.0, 5.0, np.inf, np.inf])).value == 5.0
    assert Median(np.array([2.0, np.inf, np.inf])).value == np.inf
    assert math.isnan(Median(np.empty(0)).value)
    assert np.isnan(Median(np.arange(5.0)).interval()).all()
    assert Median(np.arange(6.0)).interval() == (0.0, 5.0)
    assert Median(np.array([1.0] * 8 + [np.inf] * 12)).interval()[1] == np.inf


def test_the_interval_of_a_median_is_that_of_the_textbook():
    """For n = 20 the sixth and the fifteenth, with 95.9 %."""
    found = Median(np.arange(1.0, 21.0))
    assert found.interval() == (6.0, 15.0)
    assert 1 - 2 * scipy.stats.binom.cdf(5, 20, 0.5) == pytest.approx(0.9586, abs=1e-4)


def slow_p_below(numbers, limit, high):
    capital = []
    for share in BETS:
        held = 1.0
        for x in numbers:
            held *= 1 - share * (x - limit) / (high - limit)
        capital.append(held)
    return min(1.0, 1 / np.mean(capital))


@given(st.lists(st.integers(-5, 5).map(float), min_size=2, max_size=20), st.integers(-9, 9).map(lambda i: i / 2))
def test_a_bounded_mean_is_judged_by_what_bets_win(numbers, limit):
    found = Bounded.of(numbers, -5.0, 5.0)
    assert found.value == pytest.approx(np.mean(numbers))
    assert found.error == pytest.approx(np.std(numbers, ddof=1) / math.sqrt(len(numbers)))
    assert found.p_below(limit) == pytest.approx(slow_p_below(numbers, limit, 5.0))
    assert found.p_above(limit) == pytest.approx(slow_p_below([-x for x in numbers], -limit, 5.0))


@given(st.lists(st.integers(-5, 5).map(float), min_size=2, max_size=20), st.floats(-4.9, 4.9))
def test_its_interval_holds_the_limits_that_are_not_refuted(numbers, limit):
    found = Bounded.of(numbers, -5.0, 5.0)
    low, high = found.interval(0.9)
    assert -5 <= low <= found.value + 1e-9
    assert found.value - 1e-9 <= high <= 5
    if min(abs(limit - low), abs(limit - high)) > 1e-9:
        assert (min(found.p_below(limit), found.p_above(limit)) >= 0.05) == (low < limit < high)


@pytest.mark.parametrize(
    ("law", "n"), [((0.02, 0.97, 0.01), 12), ((0.0, 0.9, 0.1), 12), ((0.4, 0.2, 0.4), 9), ((0.5, 0.0, 0.5), 12)]
)
def test_a_bounded_mean_is_refuted_no_more_often_than_it_says_over_all_samples(law, n):
    values = np.array([-5.0, 0.0, 5.0])
    truth = float(values @ law)
    for level in (0.025, 0.05, 0.2):
        assert chances(values, law, n, lambda x, a=level: Bounded.of(x, -5, 5).p_below(truth) <= a) <= level
        assert chances(values, law, n, lambda x, a=level: Bounded.of(x, -5, 5).p_above(truth) <= a) <= level


def test_beyond_the_bounds_nothing_can_lie_and_one_number_says_nothing():
    found = Bounded.of([0.0, 5.0], -5, 5)
    assert (found.p_below(6.0), found.p_below(5.0), found.p_below(-5.0), found.p_above(-6.0)) == (0, 0, 1, 0)
    assert Bounded.of([5.0, 5.0], -5, 5).p_below(5.0) == 1
    assert np.isnan([*Bounded.of([3.0], -5, 5).interval(), Bounded.of([3.0], -5, 5).p_below(0.0)]).all()


def test_many_that_agree_say_much_and_few_say_little():
    few, many = (Bounded.of(np.zeros(n), -5, 5).interval(0.9) for n in (8, 192))
    assert few[1] > 1
    assert -0.25 < many[0] <= 0 <= many[1] < 0.25
    assert Bounded.of(np.zeros(8), -5, 5).often(192).interval(0.9) == pytest.approx(many)
