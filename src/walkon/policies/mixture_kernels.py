"""The mixture of K alpha-vector policies. Kernels: plain arrays in, plain arrays out.

The values of all vectors at a belief are first summed roughly, which is fast: the vectors' entries are rounded to
LEVELS + 1 equal steps, and the sums are in float32. No such sum is off by more than `slack` steps; so every vector that
attains the maximum is among those within twice the slack of the best, and only these are summed again, in float64. What
comes out is the float64 answer.
"""

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel

LEVELS = 2**16 - 1
ROUNDING = 2.0**-24  # of float32, relative


@kernel
def roughly(levels: npt.NDArray[np.uint16], pairs: Floats) -> npt.NDArray[np.float32]:
    """The values of the vectors in steps. Four states at a time: so sums are loaded and stored a quarter as often."""
    N, size = levels.shape[1], pairs.shape[0]
    total = np.zeros(N, np.float32)
    fours = size // 4 * 4
    for j in range(0, fours, 4):
        a, b = np.float32(pairs[j, 1]), np.float32(pairs[j + 1, 1])
        c, d = np.float32(pairs[j + 2, 1]), np.float32(pairs[j + 3, 1])
        p, q = levels[int(pairs[j, 0])], levels[int(pairs[j + 1, 0])]
        r, s = levels[int(pairs[j + 2, 0])], levels[int(pairs[j + 3, 0])]
        for i in range(N):
            total[i] += a * np.float32(p[i]) + b * np.float32(q[i]) + (c * np.float32(r[i]) + d * np.float32(s[i]))
    for j in range(fours, size):
        a, p = np.float32(pairs[j, 1]), levels[int(pairs[j, 0])]
        for i in range(N):
            total[i] += a * np.float32(p[i])
    return total


@kernel
def best_vectors(levels: npt.NDArray[np.uint16], vectors: Floats, pairs: Floats, near: float, tolerance: float) -> Ints:
    """The vectors whose value at a belief is as good as the best."""
    rough = roughly(levels, pairs)
    top = np.int32(0)
    for bits in rough.view(np.int32):  # floats that are not negative are in the order of their bits
        top = max(top, bits)
    slack = 0.5 + 1.01 * (pairs.shape[0] / 4 + 8) * ROUNDING * LEVELS  # so many roundings follow one another
    bar = np.array([top]).view(np.float32)[0] - 2.0 * slack - near
    few = np.empty(rough.shape[0], np.int64)
    count = 0
    for i in range(rough.shape[0]):
        if rough[i] >= bar:
            few[count] = i
            count += 1
    values = np.zeros(count)
    for j in range(pairs.shape[0]):
        x, weight = int(pairs[j, 0]), pairs[j, 1]
        for i in range(count):
            values[i] += weight * vectors[x, few[i]]
    best = values.max()
    chosen: Ints = few[:count][values >= best - tolerance * abs(best)]
    return chosen


@kernel
def mixture(
    beliefs: Floats,
    firsts: Ints,
    entries: Ints,
    levels: npt.NDArray[np.uint16],
    vectors: Floats,
    near: Floats,
    actions: Ints,
    A: int,
    tolerance: float,
) -> Floats:
    """sum_k p(k) pi_k(.|b_k), where pi_k is uniform over the distinct actions of the vectors that are best.

    Args:
        beliefs: Those over tasks and their states, packed.
        firsts: Where the N_k vectors of each task begin among all vectors, [K + 1].
        entries: Where their N_k X_k entries begin, [K + 1].
        levels: The entries in steps, [X_k, N_k] for each task.
        vectors: The entries themselves, likewise.
        near: How many steps below the best may still be a tie, [K].
        actions: The actions of all vectors.
        A: The number of actions.
        tolerance: How close to the best, relative to it, is a tie.
    """
    K = firsts.shape[0] - 1
    pairs = beliefs[3 * K :].reshape((-1, 2))
    mixed = np.zeros(A)
    chosen = np.empty(A, np.bool_)
    begin = 0
    for k in range(K):
        end = int(beliefs[2 * K + k])
        if beliefs[k] > 0.0:
            N = firsts[k + 1] - firsts[k]
            X = (entries[k + 1] - entries[k]) // N
            best = best_vectors(
                levels[entries[k] : entries[k + 1]].reshape((X, N)),
                vectors[entries[k] : entries[k + 1]].reshape((X, N)),
                pairs[begin:end],
                near[k],
                tolerance,
            )
            chosen[:] = False
            for i in best:
                chosen[actions[firsts[k] + i]] = True
            for a in range(A):
                if chosen[a]:
                    mixed[a] += beliefs[k] / chosen.sum()
        begin = end
    return mixed
