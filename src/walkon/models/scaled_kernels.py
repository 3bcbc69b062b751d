"""Kernels of numbers too small for a float, as m 2^e: a mantissa m in [1/2, 1) and an integer exponent e.

A power of two is exact. So sums, products and quotients are rounded exactly as those of floats, wherever these do not
underflow; and where they do, nothing is lost. Zero is 0 2^0. Exponents are floats, to share an array with mantissas.
"""

import math
from typing import TypeAlias

from walkon.compiled import kernel

FAINT = -831.0  # weights with this exponent or a lower one are faint: they are kept as m 2^e
SMALL = 2.0**FAINT  # 7e-251: every smaller number has such an exponent. Floats lose digits below 2e-308
LEAST = 5e-324  # the smallest float that is not 0

Scaled: TypeAlias = tuple[float, float]


@kernel
def split(number: float) -> Scaled:
    """Split a float into mantissa and exponent."""
    m, e = math.frexp(number)
    return m, float(e)


@kernel
def times(a: Scaled, b: Scaled) -> Scaled:
    """Return the product of two numbers."""
    if a[0] == 0.0 or b[0] == 0.0:
        return 0.0, 0.0
    m, e = math.frexp(a[0] * b[0])
    return m, a[1] + b[1] + e


@kernel
def over(a: Scaled, b: Scaled) -> Scaled:
    """Return the quotient of two numbers, the second not 0."""
    if a[0] == 0.0:
        return 0.0, 0.0
    m, e = math.frexp(a[0] / b[0])
    return m, a[1] - b[1] + e


@kernel
def plus(a: Scaled, b: Scaled) -> Scaled:
    """Return the sum of two numbers that are not negative."""
    if b[0] == 0.0 or (a[0] != 0.0 and a[1] - b[1] > 100.0):  # too small to matter in 53 bits
        return a
    if a[0] == 0.0 or b[1] - a[1] > 100.0:
        return b
    m, e = math.frexp(a[0] + math.ldexp(b[0], int(b[1] - a[1])))
    return m, a[1] + e


@kernel
def shown(number: Scaled) -> float:
    """Return the nearest float, at least the smallest one if the number is not 0: 0 means impossible."""
    if number[0] == 0.0:
        return 0.0
    if number[1] < -1100.0:
        return LEAST
    return max(math.ldexp(number[0], int(number[1])), LEAST)
