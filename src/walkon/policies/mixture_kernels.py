"""Kernels that mix the alpha-vector policies and the q-values of K tasks."""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.policies.block_kernels import Levels, mark_best_actions


@kernel
def mixture(
    beliefs: Floats,  # packed
    places: Ints,  # this and all others: see `vector_blocks.Stack`
    layouts: Ints | None,
    levels: Levels,
    entries: Floats,
    near: Floats,
    actions: Ints,
    A: int,
    tolerance: float,
) -> Floats:
    """Return sum_k p(k) pi_k(.|b_k), where pi_k is uniform over the distinct actions of the best vectors."""
    K = near.shape[0]
    pairs = beliefs[3 * K :].reshape((-1, 2))
    mixed = np.zeros(A)
    chosen = np.empty(A, np.bool_)
    begin = 0
    for k in range(K):
        end = int(beliefs[2 * K + k])
        if beliefs[k] > 0.0:
            chosen[:] = False
            own = pairs[begin:end]
            count = mark_best_actions(layouts, places[k], levels, entries, own, near[k], actions, tolerance, chosen)
            for a in range(A):
                if chosen[a]:
                    mixed[a] += beliefs[k] / count
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
