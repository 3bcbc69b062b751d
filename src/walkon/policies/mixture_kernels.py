"""The mixture of K alpha-vector policies. Kernels: plain arrays in, plain arrays out.

The values of all vectors at a belief are first summed in float32, which is fast. No such sum is off by more than
`slack`; so every vector that attains the maximum is among those within twice the slack of the best, and only these
are summed again, in float64. What comes out is the float64 answer.
"""

import numpy as np
import numpy.typing as npt

from walkon.compiled import kernel
from walkon.models.belief_kernels import support
from walkon.models.distributions import Floats, Ints

ROUNDING = 2.0**-23  # of float32, relative


@kernel
def mixture(
    weights: Floats,
    belief: Floats,
    offsets: Ints,
    entries: Ints,
    columns: npt.NDArray[np.float32],
    vectors: Floats,
    largest: Floats,
    actions: Ints,
    A: int,
    tolerance: float,
) -> Floats:
    """sum_k weights(k) pi_k(.|b_k), where pi_k is uniform over the distinct actions of the vectors that are best.

    Task k's states stand in belief[offsets[k] : offsets[k + 1]]. Its N_k vectors stand twice, from entries[k] on: in
    `vectors` one after another, [N_k, X_k], and in `columns` turned and in float32, [X_k, N_k]. `largest` is their
    largest absolute entry. The actions of all tasks' vectors stand behind one another.
    """
    mixed = np.zeros(A)
    chosen = np.zeros(A, np.bool_)
    first = 0
    for k in range(weights.shape[0]):
        begin, X = offsets[k], offsets[k + 1] - offsets[k]
        N = (entries[k + 1] - entries[k]) // X
        if weights[k] > 0.0:
            rough = np.zeros(N, np.float32)
            places = np.empty(X, np.int64)
            size = support(belief, begin, begin + X, places)
            for j in range(size):
                weight = np.float32(belief[places[j]])
                at = entries[k] + (places[j] - begin) * N
                row = columns[at : at + N]
                for i in range(N):
                    rough[i] += weight * row[i]
            slack = (size + 2) * ROUNDING * largest[k]
            bar = rough.max() - 2.0 * slack - tolerance * largest[k]
            best = -np.inf
            exact = np.full(N, -np.inf)
            for i in range(N):
                if rough[i] >= bar:
                    vector = vectors[entries[k] + i * X : entries[k] + (i + 1) * X]
                    total = 0.0
                    for j in range(size):
                        total += belief[places[j]] * vector[places[j] - begin]
                    exact[i] = total
                    best = max(best, total)
            chosen[:] = False
            count = 0
            for i in range(N):
                if exact[i] >= best - tolerance * abs(best) and not chosen[actions[first + i]]:
                    chosen[actions[first + i]] = True
                    count += 1
            for a in range(A):
                if chosen[a]:
                    mixed[a] += weights[k] / count
        first += N
    return mixed
