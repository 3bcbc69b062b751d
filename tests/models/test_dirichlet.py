"""Counted probabilities and their intervals, against Beta distributions."""

import numpy as np
import pytest
from hypothesis import given
from scipy.sparse import csr_array
from scipy.stats import beta

from random_models import seeds
from walkon.errors import InputError
from walkon.models.dirichlet import DirichletTable


@given(seeds)
def test_mean_and_interval_are_those_of_the_posterior(seed):
    rng = np.random.default_rng(seed)
    prior, counts = rng.random((3, 4)), rng.integers(0, 20, size=(3, 4)).astype(float)
    table = DirichletTable(csr_array(prior), csr_array(counts))
    after = prior + counts
    total = after.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(table.mean.toarray(), after / total)
    np.testing.assert_allclose(table.effective, counts.sum(axis=1))
    low, high = beta.ppf(0.1, after, total - after), beta.ppf(0.9, after, total - after)
    low[after < 1], high[total - after < 1] = 0, 1  # the density is infinite there
    low[counts.sum(axis=1) == 0], high[counts.sum(axis=1) == 0] = 0, 1  # nothing was seen
    for found, wanted in zip(table.interval(0.8), (low, high), strict=True):
        np.testing.assert_allclose(found.toarray(), wanted, rtol=1e-7, atol=1e-12)


def test_the_interval_holds_the_truth_as_often_as_it_says():
    """Truths drawn from the prior, and tables of ten draws from each: 90 % of the intervals hold the truth."""
    rng = np.random.default_rng(5)
    truth = rng.dirichlet([0.5, 0.5, 0.5], size=4000)
    counts = np.array([rng.multinomial(10, p) for p in truth], dtype=float)
    low, high = DirichletTable(csr_array(np.full((4000, 3), 0.5)), csr_array(counts)).interval(0.9)
    held = ((low.toarray() <= truth) & (truth <= high.toarray())).mean()
    assert held == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / 4000))


def test_what_is_held_impossible_stays_so_until_it_is_seen():
    prior = csr_array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    table = DirichletTable(prior, csr_array([[2.0, 0.0], [0.0, 3.0], [0.0, 0.0]]))
    assert table.mean.toarray().tolist() == [[1, 0], [0.25, 0.75], [1, 0]]
    low, high = table.interval()
    assert (low[0, 0], high[0, 0]) == (1, 1)  # nothing else is held possible
    assert (low[2, 0], high[2, 0]) == (0, 1)  # nothing was seen
    assert 0 < low[1, 1] < 0.75 < high[1, 1] < 1


def test_sureness_tells_how_much_was_seen():
    table = DirichletTable(csr_array(np.full((3, 2), 0.5)), csr_array([[4.0, 0.0], [0.0, 0.0], [8.0, 12.0]]))
    sure = table.sureness
    assert sure[:6] == (3, 2, 2, 4.0, 12.0, 20.0)
    wide, narrow = beta.ppf(0.975, 0.5, 4.5), np.subtract(*beta.ppf([0.975, 0.025], 8.5, 12.5))
    assert (sure.widest, sure.mean_width) == pytest.approx((wide, (wide + narrow) / 2))
    assert DirichletTable(csr_array([[1.0]]), csr_array((1, 1))).sureness == (1, 0, 0, 0.0, 0.0, 0.0, 1.0, 1.0)


def test_bad_levels_and_empty_rows_are_refused():
    with pytest.raises(InputError, match=r"level is 1.5, expected a number between 0 and 1"):
        DirichletTable(csr_array([[1.0]]), csr_array((1, 1))).interval(1.5)
    with pytest.raises(InputError, match="row 1 of the table has neither pseudo-counts nor counts"):
        _ = DirichletTable(csr_array([[1.0], [0.0]]), csr_array((2, 1))).mean
