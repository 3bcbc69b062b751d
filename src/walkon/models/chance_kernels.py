"""Kernels of random draws: the cumulative distribution, in index order, is inverted at a uniform number.

If the uniform numbers are fixed beforehand, all compared agents have the same luck (common random numbers).
"""

from walkon.arrays import Floats
from walkon.compiled import kernel
from walkon.models.stacked import Stacked


@kernel
def place(rows: Stacked, row: int, uniform: float) -> int:
    """Draw from a row of a stochastic matrix, and return where in its arrays the outcome is."""
    last = rows.indptr[row + 1] - 1
    total = 0.0
    for i in range(rows.indptr[row], last):
        total += rows.data[i]
        if uniform < total:
            return int(i)
    return int(last)


@kernel
def draw(rows: Stacked, row: int, uniform: float) -> int:
    """Draw from a row of a stochastic matrix by a uniform number in [0, 1)."""
    return int(rows.indices[place(rows, row, uniform)])


@kernel
def choose(probabilities: Floats, uniform: float) -> int:
    """Draw from a distribution over 0, 1, 2, ... by a uniform number in [0, 1)."""
    total, last = 0.0, 0
    for a in range(probabilities.shape[0]):
        total += probabilities[a]
        if uniform < total:
            return a
        if probabilities[a] > 0.0:
            last = a
    return last
