"""How chance is drawn: a uniform number, and the cumulative distribution inverted in index order.

With the uniform numbers fixed beforehand, the same luck meets every agent that is compared.
"""

from walkon.arrays import Floats
from walkon.compiled import kernel
from walkon.models.stacked import Stacked


@kernel
def draw(rows: Stacked, row: int, uniform: float) -> int:
    """The outcome of a row of a stochastic matrix at a uniform number in [0, 1)."""
    last = rows.indptr[row + 1] - 1
    total = 0.0
    for i in range(rows.indptr[row], last):
        total += rows.data[i]
        if uniform < total:
            return int(rows.indices[i])
    return int(rows.indices[last])


@kernel
def choose(probabilities: Floats, uniform: float) -> int:
    """The outcome of a distribution over 0, 1, 2, ... at a uniform number in [0, 1)."""
    total, last = 0.0, 0
    for a in range(probabilities.shape[0]):
        total += probabilities[a]
        if uniform < total:
            return a
        if probabilities[a] > 0.0:
            last = a
    return last
