"""Numbers too small for floats, against fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walkon.models.scaled import faint, logarithms, power, product, scaled, shares, shown
from walkon.models.scaled_kernels import LEAST, SMALL, over, plus, split, times
from walkon.models.scaled_kernels import shown as nearest

positive = st.floats(0.0, 1e300)
numbers = st.builds(lambda x, e: (*split(x)[:1], split(x)[1] + e * (x > 0)), positive, st.integers(-9000, 0))


def value(number):
    return Fraction(number[0]) * Fraction(2) ** int(number[1])


def rounded(fraction):
    """The nearest number with 53 bits, as Python rounds when it divides whole numbers."""
    if not fraction:
        return Fraction(0)
    shift = fraction.numerator.bit_length() - fraction.denominator.bit_length()
    return Fraction(float(fraction / Fraction(2) ** shift)) * Fraction(2) ** shift


@given(numbers, numbers)
def test_sums_products_and_quotients_are_the_nearest_of_53_bits(a, b):
    assert value(times(a, b)) == rounded(value(a) * value(b))
    assert value(plus(a, b)) == rounded(value(a) + value(b))
    if b[0]:
        assert value(over(a, b)) == rounded(value(a) / value(b))
    for m, _ in (times(a, b), plus(a, b)):
        assert m == 0 or 0.5 <= m < 1


@given(numbers)
def test_what_is_shown_is_the_nearest_float_and_0_only_for_0(a):
    assert nearest(a) == (max(float(value(a)), LEAST) if a[0] else 0.0)
    assert shown(np.array([a])).tolist() == [nearest(a)]


@given(st.lists(numbers, min_size=1, max_size=5).filter(lambda given: any(m for m, _ in given)))
def test_shares_are_those_of_fractions(weights):
    found, total = shares(np.array(weights))
    exact = [value(w) for w in weights]
    assert float(value(total) / sum(exact)) == pytest.approx(1, abs=1e-14)
    for one, two in zip(found, exact, strict=True):
        assert (one[0] == 0) == (two == 0)
        if two:
            assert float(value(one) * sum(exact) / two) == pytest.approx(1, abs=1e-14)


@given(st.floats(1e-9, 1.0), st.integers(0, 5000))
def test_powers_are_those_of_logarithms(base, exponent):
    assert logarithms(power(np.array([base]), exponent))[0] == pytest.approx(exponent * math.log(base), abs=1e-9)


def test_arrays_are_multiplied_entry_by_entry():
    one, two = scaled(np.array([1e-300, 0.0, 3.0])), scaled(np.array([1e-300, 1e-300, 0.5]))
    assert logarithms(product(one, two)).tolist() == pytest.approx([2 * math.log(1e-300), -math.inf, math.log(1.5)])
    assert shown(product(one, two)).tolist() == [5e-324, 0.0, 1.5]


def test_what_counts_as_faint():
    assert not faint(scaled(np.array([1.0, 0.0, SMALL])))
    assert faint(scaled(np.array([1.0, np.nextafter(SMALL, 0)])))
    assert SMALL < 1e-250
