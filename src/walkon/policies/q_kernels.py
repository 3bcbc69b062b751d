"""Q-values where the task is not known. Kernels: plain arrays in, plain arrays out."""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel


@kernel
def q_values(
    beliefs: Floats, scales: Floats, firsts: Ints, entries: Ints, columns: Floats, actions: Ints, A: int
) -> Floats:
    """sum_k scales(k) p(k) q_k(b_k, a) for each action, where q_k is the best of task k's vectors that begin with it.

    Args:
        beliefs: Those over tasks and their states, packed.
        scales: A weight for each task, [K].
        firsts: Where the N_k vectors of each task begin among all vectors, [K + 1].
        entries: Where their N_k X_k entries begin, [K + 1].
        columns: The entries, [X_k, N_k] for each task.
        actions: The actions of all vectors.
        A: The number of actions.
    """
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
def gains(beliefs: Floats, scales: Floats, offsets: Ints, R: Floats) -> Floats:
    """sum_k scales(k) p(k) b_k . r_k(., a) for each action: what it pays at once.

    Args:
        beliefs: Those over tasks and their states, packed.
        scales: A weight for each task, [K].
        offsets: Where each task's states begin among all states, [K + 1].
        R: The rewards of all tasks under one another, [X_1 + ... + X_K, A].
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
