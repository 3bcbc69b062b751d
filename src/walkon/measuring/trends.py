"""Trends along a sweep: how a number rises, how it grows, and whether the agents keep their order.

All are functions of whole trials: a trial that met the same luck at every point counts once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from walkon.arrays import Floats
from walkon.measuring.statistics import NAN, SAME, Estimate, estimate, holm, percentiles


@dataclass(frozen=True, eq=False)
class Resampled:
    """A number computed from n trials, and from bootstrap samples of them."""

    value: float
    n: int
    drawn: Floats  # sorted

    @cached_property
    def error(self) -> float:
        """The standard error."""
        return float(self.drawn.std())

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval's ends."""
        return percentiles(self.drawn, level) if self.n > 1 else (NAN, NAN)

    def p_below(self, limit: float) -> float:
        """Return the share of samples that do not lie below the limit."""
        return NAN if self.n < 2 else float(1 + (self.drawn >= limit).sum()) / (len(self.drawn) + 1)

    def p_above(self, limit: float) -> float:
        """Return the share of samples that do not lie above the limit."""
        return Resampled(-self.value, self.n, -self.drawn[::-1]).p_below(-limit)

    def often(self, n: int) -> "Resampled":
        """Return what it would be if n trials gave the same samples."""
        return Resampled(self.value, n, self.drawn)


@dataclass(frozen=True, eq=False)
class Orders:
    """How many of N orders are as stated, each by the mean of n differences that has to be negative.

    Those that are significant after Holm's adjustment for all N are shown: as stated, or reversed. With the confidence
    of the test, the true share lies between the share that is shown and one minus the share that is shown reversed.
    """

    parts: tuple[Any, ...]  # [N]
    n: int

    @property
    def value(self) -> float:
        """The share of means that are negative."""
        return float(np.mean([part.value < 0 for part in self.parts])) if self.parts and self.n else NAN

    def adjusted(self, *, turned: bool = False) -> Floats:
        """Return the adjusted p-value of each order, or of its reverse."""
        return np.array(holm([part.p_above(0.0) if turned else part.p_below(0.0) for part in self.parts]))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval's ends."""
        if self.n < 2:
            return NAN, NAN
        shown, reversed_ = (float((self.adjusted(turned=t) < (1 - level) / 2).mean()) for t in (False, True))
        return shown, 1 - reversed_

    def p_above(self, limit: float) -> float:
        """Return the largest p-value of those orders that make a share above the limit."""
        return self._p(limit, turned=False)

    def p_below(self, limit: float) -> float:
        """Return the largest p-value of those reversed orders that leave a share below the limit."""
        return self._p(1 - limit, turned=True)

    def needed(self, limit: float) -> int:
        """Return how many orders make a share above the limit."""
        return int(np.floor(limit * len(self.parts) + 1e-9)) + 1

    def _p(self, limit: float, *, turned: bool) -> float:
        ps, k = np.sort(self.adjusted(turned=turned)), self.needed(limit)
        return NAN if self.n < 2 else float(ps[k - 1]) if k <= len(ps) else 1.0


def growth(x: Sequence[float] | Floats, y: Floats) -> Estimate:
    """Estimate the exponent c of y ~ x^c, from x > 0, [P], and y, [n, P].

    It is the slope of the line through the points (log x_i, log m_i), m_i being the mean of y at point i:
    sum_i w_i log m_i. To first order, trial j moves it by sum_i w_i y_ji / m_i, whether or not its luck is the same at
    all points; the error is that of the mean of these.
    """
    place = np.log(np.asarray(x, dtype=np.float64))
    n = len(y)
    means = y.mean(axis=0) if n else np.full(len(place), NAN)
    if len(place) < 2 or not np.ptp(place) > 0 or not (means > 0).all():
        return Estimate(NAN, NAN, n, 0)
    weights = _slope_weights(place)
    return Estimate(float(weights @ np.log(means)), estimate(y / means @ weights).error, n, n - 1)


def exponents(x: Sequence[float] | Floats, y: Floats) -> Estimate:
    """Estimate the exponent likewise, from logarithms to base 10, as the mean of the exponents of single trials."""
    place = np.log10(np.asarray(x, dtype=np.float64))
    if len(place) < 2 or not np.ptp(place) > 0 or not len(y):
        return Estimate(NAN, NAN, len(y), 0)
    return estimate(y @ _slope_weights(place))


def rises(x: Sequence[float] | Floats, y: Floats) -> Floats:
    """Return what the line through each trial's points gains from the least x to the greatest, [n], from y [n, P]."""
    place = np.asarray(x, dtype=np.float64)
    if len(place) < 2 or not np.ptp(place) > 0:
        return np.full(len(y), NAN)
    gained: Floats = y @ _slope_weights(place) * np.ptp(place)
    return gained


def concordance(values: Floats, *, draws: int = 2000, seed: int = 0) -> Resampled:
    """Return Kendall's W of values, [n, A, P]: how much the points agree on the order of the agents' means, 0 to 1.

    W = 12 sum_a (R_a - mean R)^2 / (P^2 (A^3 - A)), R_a being the sum of agent a's ranks over P points; ties share
    their ranks. Bootstrap samples draw whole trials, with all agents and points.
    """
    n, A, P = values.shape
    if not n or A < 2 or P < 2:
        return Resampled(NAN, 0, np.empty(0))
    counts = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), draws)  # [draws, n]
    means = np.vstack([values.mean(axis=0)[None], np.tensordot(counts / n, values, 1)])  # [1 + draws, A, P]
    sums = ranks(means.swapaxes(1, 2)).sum(axis=1)  # over the points
    agreed = 12 * (sums**2).sum(axis=1) / (P**2 * (A**3 - A))
    return Resampled(float(agreed[0]), n, np.sort(agreed[1:]))


def ranks(values: Floats) -> Floats:
    """Return the rank of each number in its row, [..., n], less the mean rank; equal numbers share theirs."""
    one, other = values[..., :, None], values[..., None, :]
    above: Floats = ((one > other + SAME).sum(axis=-1) - (one < other - SAME).sum(axis=-1)) / 2
    return above


def gap_closed(numbers: Floats) -> Estimate:
    """Estimate the share of a gap that ours closes, 1 - (ours - best) / (worse - best), of these three, [n, 3, P].

    The share is taken at each point, from the means there, and then averaged over the points. To first order, trial j
    moves it at a point by ((1 - share) (worse_j - best_j) - (ours_j - best_j)) / mean of (worse - best); the error is
    that of the mean of these over the points.
    """
    n, _, P = numbers.shape
    ours, gap = numbers[:, 0] - numbers[:, 2], numbers[:, 1] - numbers[:, 2]  # [n, P]
    mean_gap = gap.mean(axis=0) if n else np.zeros(P)
    if not P or not (mean_gap > 0).all():
        return Estimate(NAN, NAN, n, 0)
    left = ours.mean(axis=0) / mean_gap  # the share of the gap that stays open, [P]
    moved = (1 - left) + (left * gap - ours) / mean_gap  # [n, P]
    return estimate(moved.mean(axis=1))


def _slope_weights(x: Floats) -> Floats:
    """Return the weight of each y in the slope of the least-squares line."""
    centred = x - x.mean()
    weights: Floats = centred / (centred @ centred)
    return weights
