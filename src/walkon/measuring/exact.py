"""Tests and intervals that are valid whatever the numbers look like, however few there are.

A share is judged by the binomial distribution, and a median by the share of numbers below it; so both hold for every
distribution. A mean is judged without assumptions only if its numbers have known bounds: `Bounded`.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import bdtr, betaincinv, logsumexp

from walkon.arrays import Floats

NAN = float("nan")
BETS = np.sin((np.arange(64) + 0.5) * np.pi / 128) ** 2  # shares of the capital, after the arcsine law


@dataclass(frozen=True)
class Share:
    """A share of n, with Clopper and Pearson's interval, which covers the truth at least as often as its level says."""

    count: int
    n: int

    @property
    def value(self) -> float:
        """The share."""
        return self.count / self.n if self.n else NAN

    @property
    def error(self) -> float:
        """Its standard error."""
        return float(np.sqrt(self.value * (1 - self.value) / self.n)) if self.n else NAN

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval's ends."""
        if not self.n:
            return NAN, NAN
        k, n, tail = self.count, self.n, (1 - level) / 2
        low = float(betaincinv(k, n - k + 1, tail)) if k else 0.0
        high = float(betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0
        return low, high

    def p_below(self, limit: float) -> float:
        """Return the probability of this count or a smaller one if the true share were the limit."""
        return float(bdtr(self.count, self.n, min(max(limit, 0.0), 1.0))) if self.n else NAN

    def p_above(self, limit: float) -> float:
        """Return the probability of this count or a larger one if the true share were the limit."""
        return Share(self.n - self.count, self.n).p_below(1 - limit)

    def often(self, n: int) -> "Share":
        """Return what it would be if n trials gave the same share."""
        return Share(round(self.value * n), n)


@dataclass(frozen=True, eq=False)
class Median:
    """The median of n numbers, infinite where something never happened, with the interval between two of them.

    It is the smallest number that at least half of them do not exceed: infinite, "not reached", if more than half are.
    """

    numbers: Floats  # sorted

    @property
    def n(self) -> int:
        """How many numbers there are."""
        return len(self.numbers)

    @property
    def value(self) -> float:
        """The median."""
        return float(self.numbers[(self.n - 1) // 2]) if self.n else NAN

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the k-th smallest and the k-th largest, k being the largest with P(B < k) <= (1 - level) / 2.

        B is how many of n numbers lie below the median: binomial with 1/2. Of five or fewer none is certain to 95 %.
        """
        below = bdtr(np.arange(self.n), self.n, 0.5)  # P(B < 1), P(B < 2), ...
        k = int((below <= (1 - level) / 2).sum())
        return (float(self.numbers[k - 1]), float(self.numbers[-k])) if k else (NAN, NAN)

    def below(self, limit: float) -> Share:
        """Return the share of numbers below a limit: more than half of them exactly if the median is."""
        return Share(int((self.numbers < limit).sum()), self.n)

    def p_below(self, limit: float) -> float:
        """Return the probability of so many numbers below the limit if the median were the limit or more."""
        return self.below(limit).p_above(0.5)

    def p_above(self, limit: float) -> float:
        """Return the probability of so many numbers above the limit if the median were the limit or less."""
        return Share(int((self.numbers > limit).sum()), self.n).p_above(0.5)


@dataclass(frozen=True, eq=False)
class Bounded:
    """The mean of n independent numbers between `low` and `high`, judged by bets against a limit.

    If the truth is at the limit m or above, a bet of the share c of one's capital on smaller numbers multiplies it by
    1 - c (x - m) / (high - m), which is never negative and is at most 1 on average. So is the mean over all `BETS` of
    what n numbers make of a capital of 1, and it exceeds 1/p with a probability of at most p (Markov): for every n and
    every distribution, also if it differs from task to task (Waudby-Smith and Ramdas 2024; here bets are mixed, not
    adapted, so that the order of the numbers does not matter).
    """

    numbers: Floats  # those that differ
    counts: Floats  # how often each was found
    low: float
    high: float

    @classmethod
    def of(cls, numbers: Any, low: float, high: float) -> "Bounded":
        """Summarize the numbers."""
        different, counts = np.unique(np.asarray(numbers, dtype=np.float64), return_counts=True)
        return cls(different, counts.astype(np.float64), low, high)

    @property
    def n(self) -> int:
        """How many numbers there are."""
        return int(self.counts.sum())

    @property
    def value(self) -> float:
        """Their mean."""
        return float(self.counts @ self.numbers / self.counts.sum()) if self.n else NAN

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        spread = self.counts @ (self.numbers - self.value) ** 2
        return float(np.sqrt(spread / (self.n - 1) / self.n)) if self.n > 1 else NAN

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval's ends: the limits that the bets just do not refute."""
        tail = (1 - level) / 2
        return -self._mirrored()._top(tail), self._top(tail)

    def p_below(self, limit: float) -> float:
        """Return the chance, at most, of winning as much by bets on smaller numbers if the truth were not below."""
        if self.n < 2 or np.isnan(limit):
            return NAN
        if limit <= self.low or limit >= self.high:
            return float(limit <= self.low or self.value >= limit)
        won = np.log1p(-BETS[:, None] * (self.numbers - limit) / (self.high - limit)) @ self.counts
        return float(np.exp(-max(0.0, logsumexp(won) - np.log(len(BETS)))))

    def p_above(self, limit: float) -> float:
        """Return the chance, at most, of winning as much by bets on larger numbers if the truth were not above."""
        return self._mirrored().p_below(-limit)

    def often(self, n: int) -> "Bounded":
        """Return what it would be if n trials gave the same numbers as often."""
        return replace(self, counts=self.counts * (n / self.n))

    def _mirrored(self) -> "Bounded":
        return Bounded(-self.numbers, self.counts, -self.high, -self.low)

    def _top(self, tail: float) -> float:
        low, high = self.value, self.high if self.n > 1 else NAN
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (low, middle) if self.p_below(middle) < tail else (middle, high)
        return high
