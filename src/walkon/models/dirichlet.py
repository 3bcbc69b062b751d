"""Tables of probabilities that were estimated from counts, with their uncertainty.

A row of a table is an unknown distribution. Its prior is a Dirichlet distribution with pseudo-counts alpha(i); after
outcome i was seen n(i) times, the posterior is one with alpha(i) + n(i). A model uses its mean,

    p(i) = (alpha(i) + n(i)) / sum_j (alpha(j) + n(j)),

and the marginal of p(i) is Beta(alpha(i) + n(i), sum over the others): its quantiles are the credible interval. An
outcome with alpha(i) = n(i) = 0 is impossible.

Expected counts are less certain than observed ones: there, p(i) is worth w(i) observed outcomes, fewer than
sum_j (alpha(j) + n(j)), and its marginal is Beta(w(i) p(i), w(i) (1 - p(i))).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.special import betaincinv, ndtri

from walkon.arrays import Bools, Floats
from walkon.errors import InputError

DETERMINED = 1 - 1e-9  # a row is determined by observations that are worth at least one
RARE = 0.5  # the fewest pseudo-counts of an inferred outcome for the bound away from it, as in Jeffreys' interval

Scalar = TypeVar("Scalar", bound=np.generic)


class Sureness(NamedTuple):
    """A summary of the certainty of a table."""

    rows: int
    seen: int  # rows with counts
    determined: int  # see `DirichletTable.determined`; all below is of these rows
    least: float  # the smallest number of observations that determine a row
    median: float
    most: float
    widest: float  # the widest 95 % interval of a probability; see `DirichletTable.interval`
    mean_width: float  # the mean width of these intervals


@dataclass(frozen=True, eq=False)
class DirichletTable:
    """Rows of probabilities that were estimated from counts.

    >>> coin = DirichletTable(csr_array([[0.5, 0.5]]), csr_array([[7.0, 1.0]]))
    >>> coin.mean.toarray().round(3)
    array([[0.833, 0.167]])
    >>> low, high = coin.interval(0.9)
    >>> low.toarray().round(2), high.toarray().round(2)
    (array([[0.6 , 0.02]]), array([[0.98, 0.4 ]]))
    """

    prior: csr_array  # [R, C]: the pseudo-counts
    counts: csr_array  # [R, C]: the counts of the outcomes, or their expectations
    worth: Floats | None = None  # [non-zeros of `posterior`]: the w(i) of expected counts; None for observed counts

    def __repr__(self) -> str:
        R, C = self.prior.shape
        return f"DirichletTable({R} rows, {C} columns, {self.effective.sum():,.6g} observations)"

    @cached_property
    def effective(self) -> Floats:
        """The total count of each row, [R]."""
        return np.asarray(self.counts.sum(axis=1)).ravel()

    @cached_property
    def posterior(self) -> csr_array:
        """The sum of the pseudo-counts and the counts, [R, C]."""
        total = csr_array(self.prior + self.counts)
        total.sum_duplicates()
        total.eliminate_zeros()
        return total

    @cached_property
    def mean(self) -> csr_array:
        """The probabilities that a model uses, [R, C]."""
        mean = self.posterior.copy()
        mean.data /= self._along(self._totals)
        return mean

    @cached_property
    def observations(self) -> Floats:
        """The number of observed outcomes that the counts of each row are worth, [R].

        For observed counts, it is their total; for expected counts, the mean over the outcomes, weighted by variance.
        """
        if self.worth is None:
            return self.effective
        spread = self.mean.data * (1 - self.mean.data)
        rows = np.repeat(np.arange(len(self._totals)), np.diff(self.posterior.indptr))
        whole, parts = (np.bincount(rows, each, len(self._totals)) for each in (spread, spread / self.worth))
        before = np.asarray(self.prior.sum(axis=1)).ravel()
        found = np.minimum.reduceat(self.worth, self.posterior.indptr[:-1])
        np.divide(whole, parts, out=found, where=parts > 0)
        return np.asarray(np.maximum(found - before, 0.0))

    @property
    def determined(self) -> Bools:
        """Whether the counts of each row are worth at least one observation, so that it is not just the prior, [R]."""
        return self.observations >= DETERMINED

    def interval(self, level: float = 0.95) -> tuple[csr_array, csr_array]:
        """Return the bounds of the credible interval of each probability, [R, C] each.

        In rows that are not determined, they are 0 and 1. So that outcomes that never or always occur are inside, a
        bound is 0 or 1 where the density is infinite there, and for expected counts, of which none is sure to have
        occurred, where the normal interval reaches it.
        """
        if not 0 < level < 1:
            raise InputError(f"level is {level!r}, expected a number between 0 and 1")
        own, others = self.posterior.data, np.maximum(self._along(self._totals) - self.posterior.data, 0.0)
        open_ = others > 1e-12 * own  # else it is the only possible outcome
        least, never, always = 0.0, own < 1, others < 1
        if self.worth is not None:
            own, others = own * self.worth / (own + others), others * self.worth / (own + others)
            least, far = RARE, ndtri((1 + level) / 2) ** 2
            never, always = own * self.worth < far * others, others * self.worth < far * own
        known = self._along(self.determined)
        low, high = self.posterior.copy(), self.posterior.copy()
        low.data, high.data = np.ones_like(own), np.ones_like(own)
        low.data[open_] = betaincinv(own[open_], np.maximum(others[open_], least), (1 - level) / 2)
        high.data[open_] = betaincinv(np.maximum(own[open_], least), others[open_], (1 + level) / 2)
        low.data[never & open_ | ~known] = 0.0
        high.data[always | ~known] = 1.0
        return low, high

    @property
    def sureness(self) -> Sureness:
        """A summary of the certainty."""
        rows, seen = len(self.effective), int((self.effective > 0).sum())
        worth = self.observations[self.determined]
        if not len(worth):
            return Sureness(rows, seen, 0, 0.0, 0.0, 0.0, 1.0, 1.0)
        low, high = self.interval()
        wide = (high.data - low.data)[self._along(self.determined)]
        numbers = worth.min(), np.median(worth), worth.max(), wide.max(), wide.mean()
        return Sureness(rows, seen, len(worth), *map(float, numbers))

    def _along(self, rows: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        """Repeat a value of each row for each of its possible outcomes."""
        return np.repeat(rows, np.diff(self.posterior.indptr))

    @cached_property
    def _totals(self) -> Floats:
        totals: Floats = np.asarray(self.posterior.sum(axis=1)).ravel()
        if (totals <= 0).any():
            raise InputError(f"row {int(np.argmin(totals))} of the table has neither pseudo-counts nor counts")
        return totals
