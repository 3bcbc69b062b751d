"""The belief update as one pass over the non-zeros. Kernels: plain arrays in, plain arrays out."""

import numpy as np

from walkon.compiled import kernel
from walkon.models.distributions import Floats
from walkon.models.stacked import Stacked


@kernel
def predict(transitions: Stacked, belief: Floats, action: int) -> Floats:
    """The belief after an action and before its reading: sum_x b(x) P_a(.|x)."""
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
def condition(
    transitions: Stacked, sources: Stacked, belief: Floats, action: int, observation: int
) -> tuple[Floats, float]:
    """The unnormalised posterior sum_x b(x) P_a(y|x) O_a(z|y) over y, and its sum."""
    Z = (sources.indptr.shape[0] - 1) // ((transitions.indptr.shape[0] - 1) // belief.shape[0])
    predicted = predict(transitions, belief, action)
    joint = np.zeros(belief.shape[0])
    total = 0.0
    row = action * Z + observation
    for i in range(sources.indptr[row], sources.indptr[row + 1]):
        y = sources.indices[i]
        joint[y] = predicted[y] * sources.data[i]
        total += joint[y]
    return joint, total
