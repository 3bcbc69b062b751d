import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from walkon.measuring.statistics import estimate, holm
from walkon.measuring.trends import Orders, Resampled, concordance, exponents, gap_closed, growth, rises

SIZES = [81, 256, 625, 1296]


def test_the_gap_that_is_closed_is_the_mean_of_the_shares_at_the_points():
    ours, worse, best = np.array([8.0, 5.0]), np.array([10.0, 20.0]), np.array([6.0, 0.0])
    found = gap_closed(np.tile(np.array([ours, worse, best]), (5, 1, 1)))
    assert found.value == pytest.approx((0.5 + 0.75) / 2)
    assert found.error == 0


def test_its_error_is_that_of_many_repetitions():
    chance = np.random.default_rng(1)
    means = np.array([[12.0, 9.0], [18.0, 15.0], [7.0, 6.0]])  # [3, P]

    def draw(n):
        return means + chance.normal(0, 2, (n, 1, 1)) + chance.normal(0, 3, (n, 3, 2))

    values = [gap_closed(draw(300)).value for _ in range(400)]
    errors = [gap_closed(draw(300)).error for _ in range(20)]
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.1)
    assert np.mean(values) == pytest.approx((6 / 11 + 6 / 9) / 2, abs=0.01)


def test_where_there_is_no_gap_nothing_can_be_closed():
    assert math.isnan(gap_closed(np.ones((4, 3, 1))).value)
    assert math.isnan(gap_closed(np.empty((0, 3, 0))).value)


@given(st.floats(-2, 3), st.floats(0.01, 100))
def test_a_power_law_gives_its_exponent(exponent, factor):
    y = factor * np.array(SIZES) ** exponent
    found = growth(SIZES, np.array([y, y, y]))
    assert found.value == pytest.approx(exponent, abs=1e-9)
    assert found.error == pytest.approx(0, abs=1e-9)


def test_the_exponent_is_the_slope_through_the_means_and_its_error_that_of_many_repetitions():
    chance = np.random.default_rng(0)
    truth = np.array(SIZES) ** 0.7

    def draw(n):
        shared = chance.gamma(9, 1 / 9, (n, 1))  # the luck of a trial, the same at all points
        return truth * shared * chance.gamma(16, 1 / 16, (n, 4))

    y = draw(30)
    slope = scipy.stats.linregress(np.log(SIZES), np.log(y.mean(axis=0))).slope
    assert growth(SIZES, y).value == pytest.approx(slope)
    again = [growth(SIZES, draw(30)) for _ in range(2000)]
    spread = np.std([each.value for each in again])
    assert np.mean([each.error for each in again]) == pytest.approx(spread, rel=0.05)
    covered = np.mean([each.interval()[0] <= 0.7 <= each.interval()[1] for each in again])
    assert 0.93 < covered < 0.97


def test_the_exponent_of_times_is_the_mean_of_the_trials_own_and_has_their_error():
    y = np.random.default_rng(0).lognormal(0, 0.3, (3, 4)) * np.array(SIZES) ** 1.2
    own = [scipy.stats.linregress(np.log(SIZES), np.log(row)).slope for row in y]
    found = exponents(SIZES, np.log10(y))
    assert (found.value, found.error) == pytest.approx((np.mean(own), np.std(own, ddof=1) / math.sqrt(3)))
    assert math.isnan(exponents([81], np.ones((3, 1))).value)
    assert math.isnan(exponents(SIZES, np.empty((0, 4))).value)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=6), st.integers(0, 99), st.sampled_from([0.25, 0.5, 0.75]))
def test_a_share_of_orders_is_shown_by_holm(apart, seed, limit):
    """More than a limit of N orders are as stated if that many are significant among all of them; or are reversed."""
    chance = np.random.default_rng(seed)
    parts = [estimate(chance.normal(mean, 3, 12)) for mean in apart]
    found, N = Orders(tuple(parts), 12), len(apart)
    right = sorted(holm([part.p_below(0) for part in parts]))
    wrong = sorted(holm([part.p_above(0) for part in parts]))
    shown, turned = (sum(p < 0.025 for p in ps) for ps in (right, wrong))
    assert found.interval() == pytest.approx((shown / N, 1 - turned / N))
    assert (found.p_above(limit) < 0.025) == (shown > limit * N)
    assert (found.p_below(limit) < 0.025) == (N - turned < limit * N)
    assert found.value == pytest.approx(np.mean([part.value < 0 for part in parts]))


def test_without_orders_nothing_is_known_of_them():
    assert math.isnan(Orders((), 0).value)
    assert np.isnan([*Orders((), 0).interval(), Orders((), 0).p_above(0.5)]).all()


@pytest.mark.parametrize(
    ("x", "y"),
    [([81], [[1.0], [2.0]]), ([81, 81], [[1.0, 2.0]]), ([81, 256], [[0.0, 1.0]]), ([81, 256], np.empty((0, 2)))],
)
def test_where_there_is_no_line_there_is_no_exponent(x, y):
    assert math.isnan(growth(x, np.array(y)).value)


def test_one_repeat_has_an_exponent_without_an_interval():
    found = growth([1, 10], np.array([[1.0, 100.0]]))
    assert found.value == pytest.approx(2)
    assert np.isnan(found.interval()).all()


@given(st.lists(st.lists(st.integers(0, 50), min_size=4, max_size=4), min_size=1, max_size=5))
def test_a_rise_is_what_the_fitted_line_gains(y):
    expected = [scipy.stats.linregress(SIZES, row).slope * (1296 - 81) for row in y]
    assert rises(SIZES, np.array(y, float)) == pytest.approx(expected, abs=1e-9)


def test_there_is_no_rise_at_one_point():
    assert np.isnan(rises([4], np.ones((3, 1)))).all()


def slow_concordance(means):
    """Kendall's W with shared ranks and no correction for ties, from its definition."""
    ranks = np.array([scipy.stats.rankdata(column) for column in means.T])  # [P, A]
    P, A = ranks.shape
    sums = ranks.sum(axis=0)
    return 12 * ((sums - sums.mean()) ** 2).sum() / (P**2 * (A**3 - A))


@given(st.integers(0, 10**6))
def test_concordance_is_kendalls_w(seed):
    values = np.random.default_rng(seed).integers(0, 4, (3, 4, 3)).astype(float)
    assert concordance(values, draws=5).value == pytest.approx(slow_concordance(values.mean(axis=0)))


def test_concordance_is_one_if_all_agree_and_nothing_if_they_say_the_opposite():
    order = np.arange(5.0)[:, None] * np.ones(4)
    assert concordance(np.array([order, order])).value == 1
    assert concordance(np.array([order * [1, -1, 1, -1]])).value == 0


def test_the_limit_of_the_claims_is_three_methods_that_change_places_freely():
    """Best and worst stay; the three between them stand once in each order."""
    means = np.array([[1, *order, 5] for order in itertools.permutations([2.0, 3.0, 4.0])]).T
    assert concordance(means[None]).value == pytest.approx(0.8)


def test_the_bootstrap_of_concordance_draws_whole_trials():
    """Two trials that contradict each other: a sample holds one of them twice (W = 1) or both (all tie, W = 0)."""
    order = np.arange(3.0)[:, None] * np.ones(2)
    found = concordance(np.array([order, order[::-1]]), draws=1000)
    assert set(found.drawn.tolist()) == {0.0, 1.0}
    assert found.drawn.mean() == pytest.approx(0.5, abs=0.06)
    assert np.array_equal(found.drawn, concordance(np.array([order, order[::-1]]), draws=1000).drawn)


@pytest.mark.parametrize("shape", [(0, 5, 4), (3, 1, 4), (3, 5, 1), (0, 5, 0)])
def test_without_agents_points_or_trials_there_is_no_concordance(shape):
    found = concordance(np.zeros(shape))
    assert math.isnan(found.value)
    assert found.n == 0


def test_a_resampled_number_is_judged_by_its_samples():
    found = Resampled(0.5, 10, np.arange(1, 100) / 100)
    assert found.p_below(0.9) == pytest.approx(11 / 100)  # 0.90 ... 0.99, and one for what was found
    assert found.p_above(0.1) == pytest.approx(11 / 100)
    assert found.interval(0.9) == pytest.approx((0.059, 0.941))
    assert math.isnan(Resampled(0.5, 1, np.ones(3)).p_below(0.9))
