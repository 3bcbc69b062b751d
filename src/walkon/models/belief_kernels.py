"""Where actions lead, as one pass over the non-zeros. Kernels: plain arrays in, plain arrays out."""

import numpy as np

from walkon.arrays import Floats
from walkon.compiled import kernel
from walkon.models.stacked import Stacked


@kernel
def predict(transitions: Stacked, belief: Floats, action: int) -> Floats:
    """The belief after an action and before its observation: sum_x b(x) P_a(.|x)."""
    X = belief.shape[0]
    predicted = np.zeros(X)
    for x in range(X):
        weight = belief[x]
        if weight > 0.0:
            row = action * X + x
            for i in range(transitions.indptr[row], transitions.indptr[row + 1]):
                predicted[transitions.indices[i]] += weight * transitions.data[i]
    return predicted


@kernel
def entry(rows: Stacked, row: int, column: int) -> float:
    """One entry of a matrix whose rows are sorted, zero if it is not there: long rows are halved, short ones walked."""
    low, high = np.int64(rows.indptr[row]), np.int64(rows.indptr[row + 1])
    while high - low > 8:
        middle = (low + high) // 2
        if rows.indices[middle] <= column:
            low = middle
        else:
            high = middle
    for i in range(low, high):
        if rows.indices[i] == column:
            return float(rows.data[i])
    return 0.0
