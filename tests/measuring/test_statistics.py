import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from walkon import InputError
from walkon.measuring.exact import Bounded
from walkon.measuring.statistics import (
    Estimate,
    bootstrap_interval,
    estimate,
    holm,
    known,
    mean_interval,
    mean_of,
    minus,
    student_interval,
)

numbers = st.lists(st.integers(-50, 50).map(float), min_size=2, max_size=30)
varied = numbers.filter(lambda values: len(set(values)) > 1)


def test_the_papers_interval_by_hand():
    found = mean_interval([2, 4, 4, 4, 5, 5, 7, 9])  # mean 5, s^2 = 32/7
    half = 1.96 * math.sqrt(32 / 7 / 8)
    assert found == pytest.approx((5.0, 5 - half, 5 + half, 8))


def coverage(interval, n, times=4000):
    """How often an interval covers the mean of n normal numbers."""
    samples = np.random.default_rng(n).normal(3.0, 2.0, (times, n))
    return np.mean([found.low <= 3.0 <= found.high for found in map(interval, samples)])


@pytest.mark.parametrize("n", [2, 3, 4, 10, 32])
def test_students_interval_covers_the_mean_as_often_as_it_says_however_few_there_are(n):
    assert coverage(student_interval, n) == pytest.approx(0.95, abs=0.012)


def test_the_papers_interval_covers_what_the_documentation_says():
    for n, share in {2: 0.700, 4: 0.855, 10: 0.918, 32: 0.941, 128: 0.948}.items():
        exact = 1 - 2 * scipy.stats.t.sf(1.96, n - 1)
        assert exact == pytest.approx(share, abs=0.0006)
        assert coverage(mean_interval, n, 2000) == pytest.approx(exact, abs=0.03)


def test_numbers_that_do_not_apply_are_left_out():
    assert mean_interval([1, math.nan, 3]) == mean_interval([1, 3])
    assert known([[1, math.nan], [math.nan, 2]]).tolist() == [1, 2]


@pytest.mark.parametrize("values", [[], [math.nan]])
def test_of_nothing_nothing_is_known(values):
    for found in (mean_interval(values), student_interval(values), bootstrap_interval(values)):
        assert found.n == 0
        assert np.isnan(found[:3]).all()


def test_one_trial_has_a_mean_and_no_interval():
    for found in (mean_interval([3.0]), bootstrap_interval([3.0]), bootstrap_interval([3.0, 3.0, 3.0], [0, 0, 1])):
        assert found.mean == 3.0
        assert np.isnan(found[1:3]).all()
    assert np.isnan(estimate([3.0]).interval()).all()
    assert math.isnan(estimate([3.0]).p_below(4.0))
    assert math.isnan(minus(estimate([3.0]), estimate([4.0, 5.0])).p_below(0.0))
    assert minus(estimate([3.0]), estimate([4.0, 5.0])).value == -1.5


def test_an_infinite_number_leaves_nothing_to_say_about_chance():
    for found in (mean_interval([1.0, math.inf]), bootstrap_interval([1.0, math.inf])):
        assert found.mean == math.inf
        assert np.isnan(found[1:3]).all()


@given(varied, st.integers(-60, 60))
def test_p_values_and_intervals_are_those_of_students_t(values, limit):
    found = estimate(values)
    for ours, side in ((found.p_below(limit), "less"), (found.p_above(limit), "greater")):
        assert ours == pytest.approx(scipy.stats.ttest_1samp(values, limit, alternative=side).pvalue, abs=1e-12)
    theirs = scipy.stats.ttest_1samp(values, limit).confidence_interval(0.9)
    assert found.interval(0.9) == pytest.approx((theirs.low, theirs.high))


@given(varied, varied)
def test_an_unpaired_difference_is_welchs(first, second):
    found = minus(estimate(first), estimate(second))
    theirs = scipy.stats.ttest_ind(first, second, equal_var=False)
    assert found.freedom == pytest.approx(theirs.df)
    assert 2 * min(found.p_below(0), found.p_above(0)) == pytest.approx(theirs.pvalue, abs=1e-12)
    assert found.interval() == pytest.approx(tuple(theirs.confidence_interval()))


def test_where_nothing_varies_the_sign_test_decides():
    found = estimate([0.1 + 0.2] * 6)  # a sum that rounds
    assert found.error == 0
    assert found.interval() == (found.value, found.value)
    assert found.p_above(0.0) == 2**-6
    assert found.p_below(0.0) == 1.0
    assert estimate([0.0] * 6).p_above(0.0) == 1.0
    assert minus(found, found).p_below(1.0) == 2**-6


def test_no_limit_is_no_obstacle():
    assert estimate([1.0, 2.0]).p_above(-math.inf) == 0.0
    assert estimate([1.0, 2.0]).p_below(-math.inf) == 1.0


def test_the_bootstrap_spreads_as_a_stratified_mean_does():
    """Its interval is close to that of the closed form, sum_h (n_h/n)^2 s_h^2 / n_h, even in strata of three."""
    chance = np.random.default_rng(1)
    strata = np.repeat(np.arange(40), 3)
    values = 10.0 * strata + chance.standard_normal(120)
    groups = values.reshape(40, 3)
    error = math.sqrt((groups.var(axis=1, ddof=1) / 3).sum()) / 40
    found = bootstrap_interval(values, strata)
    assert found.mean == pytest.approx(values.mean())
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.05)
    assert bootstrap_interval(values).high - found.mean > 100 * error  # without strata, tasks look like chance


def test_the_bootstrap_of_two_numbers_by_brute_force():
    """All four samples of {0, 1} with their probabilities, spread by sqrt(2)."""
    found = bootstrap_interval([0.0, 1.0], level=0.9)
    outcomes = sorted(0.5 + math.sqrt(2) * (sum(pair) / 2 - 0.5) for pair in itertools.product([0, 1], repeat=2))
    assert (found.low, found.high) == pytest.approx((outcomes[0], outcomes[-1]))


@given(numbers, st.integers(0, 3))
def test_the_bootstrap_is_repeatable_and_forgets_what_the_strata_are_called(values, groups):
    labels = np.arange(len(values)) % (groups + 1)
    found = bootstrap_interval(values, labels, draws=50, seed=7)
    again = bootstrap_interval(values, [f"task {label}" for label in labels], draws=50, seed=7)
    assert np.array_equal(found, again, equal_nan=True)


def test_a_stratum_for_each_number_is_needed():
    with pytest.raises(InputError, match="2 strata for 3 numbers"):
        bootstrap_interval([1, 2, 3], [0, 1])


def slow_holm(ps, level):
    """Which hypotheses Holm rejects: step down while the smallest of those left is below level / how many are left."""
    left, rejected = dict(enumerate(ps)), set()
    while left:
        i = min(left, key=left.get)
        if left[i] > level / len(left):
            break
        rejected.add(i)
        del left[i]
    return rejected


@given(st.lists(st.integers(0, 64).map(lambda i: i / 64), max_size=8), st.sampled_from([1 / 32, 1 / 16, 1 / 4]))
def test_holm_rejects_what_the_stepwise_rule_rejects(ps, level):
    assert {i for i, p in enumerate(holm(ps)) if p <= level} == slow_holm(ps, level)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_lies_between_no_adjustment_and_bonferronis_and_keeps_the_order(ps):
    adjusted = holm(ps)
    assert all(p <= a <= min(1, len(ps) * p) for p, a in zip(ps, adjusted, strict=True))
    assert all(adjusted[i] <= adjusted[j] for i in range(len(ps)) for j in range(len(ps)) if ps[i] < ps[j])


def test_holm_does_not_count_comparisons_without_a_p_value():
    assert holm([0.03, math.nan, 0.01]) == pytest.approx([0.03, math.nan, 0.02], nan_ok=True)
    assert holm([]) == []


def test_pairing_removes_the_luck_that_both_share():
    chance = np.random.default_rng(0)
    luck, own = chance.normal(0, 10, 50), chance.normal(0, 1, (2, 50))
    paired, apart = estimate(luck + own[0] - luck - own[1]), minus(estimate(luck + own[0]), estimate(luck + own[1]))
    assert paired.value == pytest.approx(apart.value)
    assert paired.error < apart.error / 5


@given(st.lists(st.integers(0, 9).map(lambda i: float(2**i)), min_size=16, max_size=40), st.floats(-0.9, 0.9))
def test_a_skewed_mean_is_judged_by_halls_transformation(values, place):
    """From its polynomial: t + g t^2 / 3r + g^2 t^3 / 27 r^2 + g / 6r."""
    numbers = np.array(values)
    found = mean_of(numbers, math.nan, math.nan)
    skewness = float(scipy.stats.skew(numbers)) if numbers.std() > 0 else 0.0
    if not len(numbers) < 50 * skewness**2:
        assert found == estimate(numbers)
        return
    root, limit = math.sqrt(len(numbers)), found.value + place * found.error
    t = (found.value - limit) / found.error
    turned = t + skewness * t**2 / root / 3 + skewness**2 * t**3 / root**2 / 27 + skewness / root / 6
    assert found.p_below(limit) == pytest.approx(scipy.stats.t.cdf(turned, len(numbers) - 1))
    assert found.p_above(limit) == pytest.approx(scipy.stats.t.sf(turned, len(numbers) - 1))
    low, high = found.interval(0.9)
    assert found.p_above(low) == pytest.approx(0.05)
    assert found.p_below(high) == pytest.approx(0.05)


def test_numbers_that_hardly_differ_or_are_extremely_skewed_are_judged_by_their_bounds_if_these_are_known():
    rare, soups = np.repeat([0.0, 45.0], [30, 2]), np.repeat([0.0, 1.0, 2.0, 3.0], [3, 3, 3, 3])
    assert isinstance(mean_of(rare, -50, 50), Bounded)
    assert isinstance(mean_of(rare, math.nan, math.nan), Estimate)
    assert isinstance(mean_of(soups, 0, 5, counts=True), Bounded)
    assert mean_of(soups, 0, 5) == estimate(soups)
    many = np.concatenate([np.linspace(0, 1, 60), [40.0]])
    assert isinstance(mean_of(many, -50, 50), Bounded)
    assert mean_of(np.array([3.0]), 0, 5).n == 1


def test_an_estimate_is_plain_data():
    assert estimate([1.0, 3.0]) == Estimate(2.0, 1.0, 2, 1)
