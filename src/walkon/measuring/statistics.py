"""Means, differences and shares, each with its uncertainty.

The paper's interval is mean +- 1.96 s / sqrt(n): `mean_interval`. Of many numbers it covers the mean of a normal
distribution in 95 % of the cases, of few it does not: of 128 in 94.8 %, of 32 in 94.1 %, of 10 in 91.8 %, of 4 in
85.5 % and of 2 in 70.0 %. The reproduction prints it, because the paper does. Student's covers 95 % of normal numbers,
whatever n is: `student_interval`. Of skewed ones it covers less: if one trial in a hundred is never solved, and counts
as 50 steps where the others take five, Student's interval of 64 trials covers in 58 %. So numbers with known bounds get
`bounded_interval`, which covers at least 93 % of all that were tried. The bootstrap takes the tasks as strata because
every task is played equally often: `bootstrap_interval`. Claims are decided by `Estimate` (Student's t, of n
independent trials) and by the kinds of `walkon.measuring.exact`: each has a value, an interval, and the probability of
such a value if the truth lies beyond a limit.

Agents meet the same luck, so a difference is first taken trial by trial: `estimate(first - second)`; `minus` subtracts
independent estimates. A single trial gives no estimate of the error: intervals and p-values are then NaN.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from walkon.arrays import Floats
from walkon.checks import whole
from walkon.errors import InputError
from walkon.measuring.exact import Bounded

NAN = float("nan")
DRAWS = 10_000  # of a bootstrap: its percentiles then move by about 2 % of the interval from seed to seed
FEW = 10  # if fewer numbers differ from the others, Student's t is not valid
MANY = 16  # of fewer numbers the skewness says nothing
MOST = 1_000_000  # trials in one call
COVERED = 100  # episodes of one policy; of fewer, Student's 95 % interval may cover in 80 % (test_coverage.py)
SAME = 1e-12  # a standard error that is smaller, relative to the mean, is rounding


class Interval(NamedTuple):
    """A mean of n numbers and its interval."""

    mean: float
    low: float
    high: float
    n: int


def known(values: Any) -> Floats:
    """Return the numbers that are not NaN, [n]."""
    numbers = np.asarray(values, dtype=np.float64).ravel()
    return numbers[~np.isnan(numbers)]


def enough(trials: int) -> None:
    """Refuse a number of trials that is too small for an interval, or that no computer would finish."""
    if whole("trials", trials, 0, None) < 2:
        raise InputError(f"trials is {trials}, expected at least 2: an interval needs them")
    if trials > MOST:
        raise InputError(f"trials is {trials}, expected at most {MOST:,} in all")


def mean_interval(values: Any) -> Interval:
    """Return the paper's interval, mean +- 1.96 s / sqrt(n), ignoring NaN. Of few numbers it covers less than 95 %.

    >>> mean_interval([1, 2, 3])
    Interval(mean=2.0, low=0.868393..., high=3.131606..., n=3)
    """
    found = estimate(values)
    half = 1.96 * found.error
    return Interval(found.value, found.value - half, found.value + half, found.n)


def student_interval(values: Any) -> Interval:
    """Return Student's 95 % interval of a mean. For normal numbers it covers the mean as often as that, even if few.

    If all numbers are the same, the interval is a point.

    >>> student_interval([1, 2, 3])
    Interval(mean=2.0, low=-0.484137..., high=4.484137..., n=3)
    """
    found = estimate(values)
    return Interval(found.value, *found.interval(), found.n)


def bounded_interval(values: Any, low: float, high: float) -> Interval:
    """Return an interval of a mean of numbers between two bounds that covers also where they are few or skewed.

    It is Student's interval, with the degrees of freedom of the n numbers, of these numbers and one more at each bound:
    a rare number that did not occur may be as far away as that. Agresti and Caffo (2000) do the same for shares. In
    simulations it covers at least 93 %, and 92.8 % of the worst numbers with two values (test_coverage.py); as n grows
    it becomes Student's. If a bound is NaN, it is Student's at once; if there are no numbers, or one, it is NaN.

    >>> bounded_interval([4] * 30, 0, 50)
    Interval(mean=4.0, low=2.35..., high=8.27..., n=30)
    """
    numbers = known(values)
    n = len(numbers)
    if n < 2 or not low < high:
        return student_interval(numbers)
    more = estimate(np.append(numbers, [low, high]))
    ends = replace(more, freedom=n - 1).interval()
    return Interval(float(numbers.mean()), max(ends[0], low), min(ends[1], high), n)


def interquartile_mean(values: Any) -> float:
    """Return the mean of the middle half of the numbers, which few extreme ones cannot change; NaN are ignored.

    >>> interquartile_mean([1, 2, 3, 4, 5, 6, 7, 100])
    4.5
    """
    numbers = np.sort(known(values))
    n = len(numbers)
    weights = np.clip(np.minimum(np.arange(1, n + 1) - n / 4, 3 * n / 4 - np.arange(n)), 0, 1)
    return float(weights @ numbers / weights.sum()) if n else NAN


def bootstrap_interval(
    values: Any, strata: Any = None, *, level: float = 0.95, draws: int = DRAWS, seed: int = 0
) -> Interval:
    """Return the percentile bootstrap interval of a mean, drawn within strata; NaN are ignored.

    The variance of a mean of m numbers drawn from m is too small by (m - 1) / m, which matters in small strata; the
    draws are spread by the root of the inverse. A stratum of one number cannot be resampled: the interval is then NaN.
    """
    numbers = np.asarray(values, dtype=np.float64).ravel()
    labels = np.zeros(len(numbers)) if strata is None else np.asarray(strata).ravel()
    if len(labels) != len(numbers):
        raise InputError(f"there are {len(labels)} strata for {len(numbers)} numbers, expected one for each")
    labels, numbers = labels[~np.isnan(numbers)], numbers[~np.isnan(numbers)]
    n = len(numbers)
    if not n or not np.isfinite(numbers).all():
        return Interval(estimate(numbers).value, NAN, NAN, n)
    rng = np.random.default_rng(seed)
    total, unknown = np.zeros(draws), False
    for label in np.unique(labels):
        group = numbers[labels == label]
        m, mean = len(group), float(group.mean())
        unknown |= m == 1
        drawn = group[rng.integers(0, m, (draws, m))].mean(axis=1)
        total += m / n * (mean + np.sqrt(m / max(m - 1, 1)) * (drawn - mean))
    low, high = (NAN, NAN) if unknown else percentiles(total, level)
    return Interval(float(numbers.mean()), low, high, n)


@dataclass(frozen=True)
class Estimate:
    """A number with its standard error, judged by Student's t.

    Where the numbers of the trials have a skewness g, t is transformed as Hall (1992) proposes, which removes its own:
    r ((1 + g t / 3r)^3 - 1) / g + g / 6r, with r = sqrt(n). Where all n trials gave the same number, t is undefined,
    and the sign test gives the p-values, 2^-n.
    """

    value: float
    error: float
    n: int
    freedom: float
    skewness: float = 0.0  # 0: t is not transformed

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval's ends."""
        if not self.freedom > 0:
            return NAN, NAN
        reach = float(stdtrit(self.freedom, 0.5 + level / 2))
        high, low = (self._back(t) * self.error for t in (-reach, reach))
        return self.value - low, self.value - high

    def p_below(self, limit: float) -> float:
        """Return the probability of a value this small if the truth were at the limit or above."""
        if not self.freedom > 0 or np.isnan(limit):
            return NAN
        if np.isinf(limit):
            return float(limit < 0)
        if self.error == 0:
            return 0.5**self.n if self.value < limit else 1.0
        return float(stdtr(self.freedom, self._there((self.value - limit) / self.error)))

    def p_above(self, limit: float) -> float:
        """Return the probability of a value this large if the truth were at the limit or below."""
        return Estimate(-self.value, self.error, self.n, self.freedom, -self.skewness).p_below(-limit)

    def often(self, n: int) -> "Estimate":
        """Return what it would be if n trials all gave the same number."""
        return Estimate(self.value, self.error, n, n - 1)

    def _there(self, t: float) -> float:
        """Remove the skewness of t."""
        g, root = self.skewness, np.sqrt(self.n)
        return float(root * ((1 + g * t / root / 3) ** 3 - 1) / g + g / root / 6) if g else t

    def _back(self, t: float) -> float:
        """Return the t from which this comes."""
        g, root = self.skewness, np.sqrt(self.n)
        return float(3 * root / g * (np.cbrt(1 + g * (t - g / root / 6) / root) - 1)) if g else t


def estimate(values: Any) -> Estimate:
    """Estimate the mean of independent numbers. If one is infinite, the error is NaN."""
    numbers = known(values)
    n = len(numbers)
    mean = float(numbers.mean()) if n else NAN
    if not np.isfinite(mean):
        return Estimate(mean, NAN, n, 0)
    error = float(numbers.std(ddof=1) / np.sqrt(n)) if n > 1 else NAN
    return Estimate(mean, 0.0 if error <= SAME * abs(mean) else error, n, n - 1)


def mean_of(numbers: Floats, low: float, high: float, *, counts: bool = False) -> Estimate | Bounded:
    """Estimate a mean of numbers between two bounds, which are NaN if they are not known, in a way that is valid.

    Student's t is not if the numbers, at least 16, have a skewness g and n < 50 g^2 (Cochran says 25, but one-sided
    tests need more): it is transformed. If even n < 6 g^2, or if fewer than ten numbers differ from the most frequent
    one, which is most of them or, for tallies, any, nothing but their bounds counts.
    """
    n, found = len(numbers), estimate(numbers)
    if n < 2:
        return found
    common = int(np.unique(numbers, return_counts=True)[1].max())
    few = n - common < FEW and (counts or 2 * common > n)
    spread = float(numbers.std())
    skewness = float(((numbers - numbers.mean()) ** 3).mean()) / spread**3 if n >= MANY and found.error > 0 else 0.0
    if low < high and (few or n < 6 * skewness**2):
        return Bounded.of(numbers, low, high)
    return replace(found, skewness=skewness) if n < 50 * skewness**2 else found


def minus(a: Estimate, b: Estimate) -> Estimate:
    """Subtract two independent estimates; degrees of freedom after Welch and Satterthwaite."""
    error = float(np.hypot(a.error, b.error))
    n = min(a.n, b.n)
    if not (a.freedom > 0 and b.freedom > 0):
        return Estimate(a.value - b.value, NAN, n, 0)
    if error == 0:
        return Estimate(a.value - b.value, 0.0, n, a.freedom + b.freedom)
    parts = (a.error / error) ** 4 / a.freedom + (b.error / error) ** 4 / b.freedom
    return Estimate(a.value - b.value, error, n, 1 / parts)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values after Holm: the smallest level at which each is still significant among all; NaN do not count.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    ps = np.array(p_values, dtype=np.float64)
    order = np.argsort(ps)[: np.count_nonzero(~np.isnan(ps))]  # NaN come last
    ps[order] = np.maximum.accumulate(np.minimum(1.0, np.arange(len(order), 0, -1) * ps[order]))
    return list(map(float, ps))


def percentiles(drawn: Floats, level: float) -> tuple[float, float]:
    """Return the borders of the middle part of the draws."""
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
