"""Kernels that mix the alpha-vector policies and the q-values of K tasks.

For a policy, the values of all vectors at a belief are first approximated: the entries are rounded to LEVELS + 1 equal
steps and summed in float32. The error of such a sum is at most `slack` steps; so every vector that attains the maximum
is among those within twice the slack of the best, and only these are summed again in float64. So the result is the same
as in float64.
"""

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.policies.alpha_kernels import highest

LEVELS = 2**16 - 1
ROUNDING = 2.0**-24  # of float32, relative


@kernel
def rough_values(levels: npt.NDArray[np.uint16], pairs: Floats) -> npt.NDArray[np.float32]:
    """Approximate the values of the vectors, in steps; four states at a time, to load and store the sums less often."""
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
    """Return the vectors whose value at a belief ties with the best."""
    rough = rough_values(levels, pairs)
    top = np.int32(0)
    for bits in rough.view(np.int32):  # floats that are not negative have the order of their bits
        top = max(top, bits)
    slack = 0.5 + 1.01 * (pairs.shape[0] / 4 + 8) * ROUNDING * LEVELS  # the number of successive roundings
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
    best = values[highest(values)]
    ties = 0
    for i in range(count):
        if values[i] >= best - tolerance * abs(best):
            few[ties] = few[i]
            ties += 1
    return few[:ties]


@kernel
def mixture(
    beliefs: Floats,  # packed
    firsts: Ints,  # [K + 1]: the first of each task's N_k vectors
    entries: Ints,  # [K + 1]: the first of their N_k X_k entries
    levels: npt.NDArray[np.uint16],  # the entries in steps, [X_k, N_k] for each task
    vectors: Floats,  # the exact entries
    near: Floats,  # [K]: the tolerance for ties, in steps
    actions: Ints,
    A: int,
    tolerance: float,  # for ties, relative to the best value
) -> Floats:
    """Return sum_k p(k) pi_k(.|b_k), where pi_k is uniform over the distinct actions of the best vectors."""
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
            for a in range(A):
                chosen[a] = False
            ties = 0
            for i in best:
                a = actions[firsts[k] + i]
                ties += not chosen[a]
                chosen[a] = True
            for a in range(A):
                if chosen[a]:
                    mixed[a] += beliefs[k] / ties
        begin = end
    return mixed


@kernel
def q_values(
    beliefs: Floats,  # packed
    scales: Floats,  # [K]: a weight for each task
    firsts: Ints,  # [K + 1]: the first of each task's N_k vectors
    entries: Ints,  # [K + 1]: the first of their N_k X_k entries
    columns: Floats,  # the entries, [X_k, N_k] for each task
    actions: Ints,
    A: int,
) -> Floats:
    """Return sum_k scales(k) p(k) q_k(b_k, a), where q_k is the best of task k's vectors whose first action is a."""
    K = firsts.shape[0] - 1
    pairs = beliefs[3 * K :].reshape((-1, 2))
    total = np.zeros(A)
    best = np.empty(A)
    begin = 0
    for k in range(K):
        end = int(beliefs[2 * K + k])
        if beliefs[k] > 0.0:
            N = firsts[k + 1] - firsts[k]
            X = (entries[k + 1] - entries[k]) // N
            table = columns[entries[k] : entries[k + 1]].reshape((X, N))
            values = np.zeros(N)
            for j in range(begin, end):
                row, weight = table[int(pairs[j, 0])], pairs[j, 1]
                for i in range(N):
                    values[i] += weight * row[i]
            best[:] = -np.inf
            for i in range(N):
                a = actions[firsts[k] + i]
                best[a] = max(best[a], values[i])
            for a in range(A):
                total[a] += scales[k] * beliefs[k] * best[a]
        begin = end
    return total


@kernel
def rewards(beliefs: Floats, scales: Floats, offsets: Ints, R: Floats) -> Floats:
    """Return the expected reward sum_k scales(k) p(k) b_k . r_k(., a) of each action.

    The rewards of all tasks are stacked in R [X_1 + ... + X_K, A], those of task k from row offsets[k] on.
    """
    K = offsets.shape[0] - 1
    pairs = beliefs[3 * K :].reshape((-1, 2))
    total = np.zeros(R.shape[1])
    begin = 0
    for k in range(K):
        end = int(beliefs[2 * K + k])
        if beliefs[k] > 0.0:
            for j in range(begin, end):
                total += scales[k] * beliefs[k] * pairs[j, 1] * R[offsets[k] + int(pairs[j, 0])]
        begin = end
    return total
