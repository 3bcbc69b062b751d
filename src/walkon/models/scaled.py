"""Arrays of numbers too small for floats: mantissas and exponents, m 2^e, along the last axis [..., 2].

See `walkon.models.scaled_kernels` for single numbers.
"""

import numpy as np

from walkon.arrays import Floats
from walkon.models.scaled_kernels import FAINT, LEAST


def scaled(numbers: Floats) -> Floats:
    """Split floats into mantissas and exponents.

    >>> scaled(np.array([0.75, 4.0, 0.0])).tolist()
    [[0.75, 0.0], [0.5, 3.0], [0.0, 0.0]]
    """
    return np.stack(np.frexp(numbers), axis=-1)


def product(one: Floats, two: Floats) -> Floats:
    """Multiply two arrays entry by entry."""
    m, e = np.frexp(one[..., 0] * two[..., 0])
    return np.stack([m, np.where(m == 0.0, 0.0, e + one[..., 1] + two[..., 1])], axis=-1)


def power(base: Floats, exponent: int) -> Floats:
    """Raise floats in (0, 1] to a power, as mantissas and exponents.

    >>> power(np.array([0.5, 1.0]), 9999).tolist()
    [[0.5, -9998.0], [0.5, 1.0]]
    """
    return _power_of_two(exponent * np.log2(base))


def powers(logs: Floats) -> Floats:
    """Return the numbers with the given natural logarithms, as mantissas and exponents.

    >>> powers(np.array([-6931.0, -np.inf, 0.0])).round(2).tolist()
    [[0.8, -9999.0], [0.0, 0.0], [0.5, 1.0]]
    """
    return _power_of_two(logs / np.log(2.0))


def _power_of_two(logs: Floats) -> Floats:
    whole = np.where(logs > -np.inf, np.floor(logs) + 1.0, 0.0)
    return np.stack([2.0 ** (logs - whole), whole], axis=-1)


def shares(weights: Floats) -> tuple[Floats, Floats]:
    """Divide weights, not all 0, by their sum; return the shares and the sum [2]."""
    m, e = weights[:, 0], weights[:, 1]
    top = e[m > 0].max()
    total = np.array(np.frexp(np.ldexp(m, np.maximum(e - top, -1100.0).astype(np.int64)).sum()))
    total[1] += top
    m, e = np.frexp(m / total[0])
    return np.stack([m, np.where(m == 0.0, 0.0, e + weights[:, 1] - total[1])], axis=-1), total


def shown(numbers: Floats) -> Floats:
    """Return the nearest floats, at least the smallest one for numbers that are not 0.

    >>> shown(np.array([[0.5, -9999.0], [0.0, 0.0], [0.5, 0.0]])).tolist()
    [5e-324, 0.0, 0.5]
    """
    m, e = numbers[..., 0], np.maximum(numbers[..., 1], -1100.0).astype(np.int64)
    return np.where(m == 0.0, 0.0, np.maximum(np.ldexp(m, e), LEAST))


def faint(numbers: Floats) -> bool:
    """Return whether one of the numbers is not 0 but below 1e-250."""
    return bool(((numbers[..., 0] > 0.0) & (numbers[..., 1] <= FAINT)).any())


def logarithms(numbers: Floats) -> Floats:
    """Return the natural logarithms.

    >>> logarithms(np.array([[0.5, -9999.0], [0.0, 0.0]])).round(2).tolist()
    [-6931.47, -inf]
    """
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(numbers[..., 0]) + np.log(2.0) * numbers[..., 1]
    return logs
