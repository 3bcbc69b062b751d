"""Whether a number lies where a claim puts it.

A number is shown to lie beyond a limit if it is significant at 5 %, two-sided, after the adjustment for the other
comparisons of its figure. It is shown to lie within borders if two one-sided tests at 5 % say so (TOST), that is, if
its 90 % interval lies inside; and outside them if that interval lies outside. Else nothing is decided, and what helps
is more trials: enough that, if the truth is what was found, the test would decide with a probability of 80 %.
"""

from typing import Literal, Protocol

import numpy as np
from scipy.special import ndtr, ndtri

Outcome = Literal["holds", "fails", "not decided", "no data"]
LEVEL = 0.05
POWER = 0.8
MOST = 10**7  # a difference that takes more trials than this is none


class Judged(Protocol):
    """What can be judged: an estimate, a share, a resampled number."""

    @property
    def value(self) -> float:
        """What was found."""

    @property
    def error(self) -> float:
        """Its standard error."""

    @property
    def n(self) -> int:
        """In how many trials."""

    def interval(self, level: float) -> tuple[float, float]:
        """From where to where."""

    def p_below(self, limit: float) -> float:
        """The probability of so small a value if the truth does not lie below the limit."""

    def p_above(self, limit: float) -> float:
        """The probability of so large a value if the truth does not lie above the limit."""


def two_sided(found: Judged, limit: float) -> float:
    """The p-value of a difference from the limit, to whichever side."""
    p = np.minimum(found.p_below(limit), found.p_above(limit))  # not a number stays so
    return float(np.minimum(1.0, 2 * p))


def inside(found: Judged, low: float, high: float) -> float:
    """The p-value of lying between two borders: the larger of two one-sided ones."""
    return float(np.maximum(found.p_above(low), found.p_below(high)))


def beyond(found: Judged, limit: float, adjusted: float, *, below: bool) -> Outcome:
    """Whether a number lies below the limit, or above it, by its adjusted p-value."""
    if not adjusted < LEVEL:
        return "not decided"
    return "holds" if (found.value < limit) == below else "fails"


def within(found: Judged, low: float, high: float) -> Outcome:
    """Whether a number lies between two borders."""
    if inside(found, low, high) < LEVEL:
        return "holds"
    outside = np.minimum(found.p_below(low), found.p_above(high))
    return "fails" if outside < LEVEL else "not decided"


def trials_beyond(found: Judged, limit: float, comparisons: int = 1) -> int | None:
    """How many trials would decide on which side of the limit it lies, as one of so many comparisons."""
    reach = ndtri(1 - LEVEL / 2 / comparisons) + ndtri(POWER)
    return _trials(found, abs(found.value - limit), float(reach), LEVEL / 2 / comparisons)


def trials_within(found: Judged, low: float, high: float) -> int | None:
    """How many trials would decide whether it lies between the borders."""
    if not low < found.value < high:
        gap = low - found.value if found.value <= low else found.value - high
        return _trials(found, gap, float(ndtri(1 - LEVEL) + ndtri(POWER)), LEVEL)
    if not found.error > 0:
        return _trials(found, 1.0, 0.0, LEVEL)
    spread, z = found.error * np.sqrt(found.n), ndtri(1 - LEVEL)

    def power(n: int) -> float:
        root = np.sqrt(n) / spread
        return float(ndtr((high - found.value) * root - z) - ndtr((low - found.value) * root + z))

    few, many = found.n, max(2 * found.n, 2)
    while power(many) < POWER:
        few, many = many, 2 * many
        if many > MOST:
            return None
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if power(middle) >= POWER else (middle, many)
    return many


def _trials(found: Judged, gap: float, reach: float, tail: float) -> int | None:
    """Enough that the gap is so many standard errors; where nothing varies, enough for the sign test."""
    if not found.error >= 0 or not gap > 0:
        return None
    if found.error == 0:
        return max(found.n + 1, int(np.ceil(-np.log2(tail))))
    times = reach * found.error / gap
    needed = found.n * times * times  # not by a power, which would raise where this is infinite
    return max(found.n + 1, int(np.ceil(needed))) if needed < MOST else None
