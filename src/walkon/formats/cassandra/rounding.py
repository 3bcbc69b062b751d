"""Rows that miss one because their numbers were rounded when they were printed.

A number with d digits after the point stands for any number within half a unit of its last digit, so a row may miss one
by the sum of these halves. Zeros, whole numbers, keywords and numbers with one digit are taken as exact: a row that
misses one by a tenth has lost a case, and so has any row that misses it by more than `MOST`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Bools, Floats
from walkon.models.distributions import ROUNDING, ROW_SUM_TOLERANCE

FEWEST_DIGITS = 2
MOST = 0.05
START = "the start"


class Divided(NamedTuple):
    """Rows that were divided by their sums."""

    what: str  # "the start", or what the rows are of: "T", "O", or the name of a variable
    rows: int
    largest: float  # the largest difference of a sum from one


def least(token: bytes) -> float:
    """Return the least number that is printed like this.

    >>> least(b"0.333"), least(b"25e-4"), least(b"0.9"), least(b"0.000"), least(b"1")
    (0.3325, 0.00245, 0.9, 0.0, 1.0)
    """
    value = float(token)
    mantissa, _, exponent = token.lower().partition(b"e")
    digits = len(mantissa.partition(b".")[2]) - float(exponent or 0)
    return value - 0.5 * 10.0**-digits if value and digits >= FEWEST_DIGITS else value


def divide_start(start: Floats, tokens: Sequence[bytes]) -> tuple[Floats, Divided | None]:
    """Divide the start by its sum if its digits explain what it misses."""
    total = float(start.sum())
    if not _explained(np.array([total]), np.array([sum(map(least, tokens))])).any():
        return start, None
    return start / total, Divided(START, 1, abs(total - 1))


def is_off(matrices: Sequence[csr_array]) -> bool:
    """Tell whether a row misses one by more than any model may, but by so little that its digits may explain it."""
    off = (np.abs(_sums(matrix) - 1) for matrix in matrices)
    return any(((each > ROW_SUM_TOLERANCE) & (each <= MOST)).any() for each in off)


def divide_rows(what: str, matrices: Sequence[csr_array], lowest: Sequence[csr_array]) -> Divided | None:
    """Divide the rows whose digits explain what they miss by their sums, in place.

    `lowest` are the same matrices, with the least number that each entry may stand for.
    """
    rows, largest = 0, 0.0
    for matrix, low in zip(matrices, lowest, strict=True):
        sums = _sums(matrix)
        chosen = _explained(sums, _sums(low))
        if chosen.any():
            rows, largest = rows + int(chosen.sum()), max(largest, float(np.abs(sums - 1)[chosen].max()))
            matrix.data *= np.repeat(np.where(chosen, 1 / np.where(chosen, sums, 1), 1), np.diff(matrix.indptr))
    return Divided(what, rows, largest) if rows else None


def sentence(divided: Sequence[Divided]) -> str:
    """Say what was divided.

    >>> sentence([Divided("the start", 1, 5e-6), Divided("T", 12, 1e-6)])
    'the start and 12 rows of T miss 1 by up to 5e-06, as their digits explain, and were divided by their sums'
    """
    parts = [f"{d.rows:,} row{'s' * (d.rows > 1)} of {d.what}" if d.what != START else d.what for d in divided]
    several = sum(d.rows for d in divided) > 1
    verbs = (
        ("miss", "by up to", "their", "were", "their sums") if several else ("misses", "by", "its", "was", "its sum")
    )
    miss, by, their, were, sums = verbs
    largest = f"{max(d.largest for d in divided):.2g}"
    said = f"{' and '.join(parts)} {miss} 1 {by} {largest}, as {their} digits explain"
    return f"{said}, and {were} divided by {sums}"


def _sums(matrix: csr_array) -> Floats:
    return np.asarray(matrix.sum(axis=1)).ravel()


def _explained(sums: Floats, lowest: Floats) -> Bools:
    """Tell which sums miss one by more than a model may, and by no more than the digits of their numbers explain."""
    off = np.abs(sums - 1)
    explained: Bools = (off > ROW_SUM_TOLERANCE) & (off <= np.minimum(sums - lowest, MOST) + ROUNDING)
    return explained
