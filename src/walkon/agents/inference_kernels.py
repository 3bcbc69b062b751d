"""All K models in one pass. Kernels: plain arrays in, plain arrays out.

The states of all tasks stand behind one another, task k's from offsets[k] to offsets[k + 1], and so do the rows of
their matrices. The work is linear in K and in the non-zeros.
"""

import numpy as np
import numpy.typing as npt

from walkon.compiled import kernel
from walkon.models.distributions import Floats, Ints
from walkon.models.stacked import Stacked


@kernel
def predict_all(
    transitions: Stacked, offsets: Ints, A: int, skip: npt.NDArray[np.bool_], belief: Floats, action: int
) -> Floats:
    """The beliefs of all tasks after an action and before its reading; zero for the tasks to skip."""
    predicted = np.zeros(belief.shape[0])
    for k in range(offsets.shape[0] - 1):
        if skip[k]:
            continue
        begin, end = offsets[k], offsets[k + 1]
        first = A * begin + action * (end - begin) - begin
        for x in range(begin, end):
            weight = belief[x]
            if weight > 0.0:
                for i in range(transitions.indptr[first + x], transitions.indptr[first + x + 1]):
                    predicted[transitions.indices[i]] += weight * transitions.data[i]
    return predicted


@kernel
def condition_all(
    transitions: Stacked,
    sources: Stacked,
    offsets: Ints,
    A: int,
    refuted: npt.NDArray[np.bool_],
    belief: Floats,
    action: int,
    observation: int,
) -> tuple[Floats, Floats]:
    """The beliefs of all tasks after an action and its reading, and the likelihood of the reading under each.

    Where it is zero, and for tasks that are refuted already, the belief stays as it was.
    """
    K = offsets.shape[0] - 1
    Z = (sources.indptr.shape[0] - 1) // (K * A)
    predicted = predict_all(transitions, offsets, A, refuted, belief, action)
    after = np.zeros(belief.shape[0])
    likelihood = np.zeros(K)
    for k in range(K):
        row = (k * A + action) * Z + observation
        total = 0.0
        if not refuted[k]:
            for i in range(sources.indptr[row], sources.indptr[row + 1]):
                y = sources.indices[i]
                after[y] = predicted[y] * sources.data[i]
                total += after[y]
        if total > 0.0:
            for i in range(sources.indptr[row], sources.indptr[row + 1]):
                after[sources.indices[i]] /= total
            likelihood[k] = total
        else:
            after[offsets[k] : offsets[k + 1]] = belief[offsets[k] : offsets[k + 1]]
    return after, likelihood
