"""Numbers too small for a float, as m 2^e: a mantissa m in [1/2, 1) and a whole exponent e. Kernels: plain numbers.

A power of two is exact. So sums, products and quotients are rounded as those of floats are, bit by bit, wherever floats
are not too small; and where they are, nothing is lost. Zero is 0 2^0. Exponents are floats, to stand beside mantissas.
"""

import math
from typing import TypeAlias

from walkon.compiled import kernel

FAINT = -831.0  # the exponent from which on down a weight is faint, and carries it along
SMALL = 2.0**FAINT  # 7e-251: every smaller number has such an exponent. Floats lose digits from 2e-308 on
LEAST = 5e-324  # the smallest float that is not 0

Scaled: TypeAlias = tuple[float, float]


@kernel
def split(number: float) -> Scaled:
    """A float as mantissa and exponent."""
    m, e = math.frexp(number)
    return m, float(e)


@kernel
def times(a: Scaled, b: Scaled) -> Scaled:
    """The product."""
    if a[0] == 0.0 or b[0] == 0.0:
        return 0.0, 0.0
    m, e = math.frexp(a[0] * b[0])
    return m, a[1] + b[1] + e


@kernel
def over(a: Scaled, b: Scaled) -> Scaled:
    """The quotient, by something that is not 0."""
    if a[0] == 0.0:
        return 0.0, 0.0
    m, e = math.frexp(a[0] / b[0])
    return m, a[1] - b[1] + e


@kernel
def plus(a: Scaled, b: Scaled) -> Scaled:
    """The sum of two numbers that are not negative."""
    if b[0] == 0.0 or (a[0] != 0.0 and a[1] - b[1] > 100.0):  # too far below to be seen in 53 bits
        return a
    if a[0] == 0.0 or b[1] - a[1] > 100.0:
        return b
    m, e = math.frexp(a[0] + math.ldexp(b[0], int(b[1] - a[1])))
    return m, a[1] + e


@kernel
def shown(number: Scaled) -> float:
    """The nearest float; at least the smallest one if the number is not 0, so that 0 still says impossible."""
    if number[0] == 0.0:
        return 0.0
    if number[1] < -1100.0:
        return LEAST
    return max(math.ldexp(number[0], int(number[1])), LEAST)
