"""All K models in one pass. Kernels: plain arrays in, plain arrays out.

The states of all tasks stand behind one another, task k's from offsets[k] to offsets[k + 1]. Row A * offsets[k] +
a * X_k + x of the matrix holds P_k,a(.|x); below all these rows, those of the sensors stand in the same order. Only
states that have belief and those that they lead to are looked at: the work is linear in K and in the non-zeros.
"""

from typing import TypeAlias

import numpy as np

from walkon.compiled import kernel
from walkon.models.belief_kernels import entry
from walkon.models.distributions import Floats, Ints
from walkon.models.stacked import Places, Stacked

Models: TypeAlias = tuple[Places, Places, Floats, Ints]
"""The matrix as its indptr, indices and data, and the offsets."""


@kernel
def posterior(
    indptr: Places,
    indices: Places,
    data: Floats,
    offsets: Ints,
    beliefs: Floats,
    action: int,
    observation: int,
) -> tuple[Floats, float]:
    """Packed beliefs after an action and its reading, and the probability of the reading.

    A task that gives the reading no probability is refuted; the state belief of a refuted task stays as it was.
    """
    rows = Stacked(indptr, indices, data)
    K = offsets.shape[0] - 1
    half = (indptr.shape[0] - 1) // 2
    A = half // offsets[K]
    widest = 0
    for k in range(K):
        widest = max(widest, offsets[k + 1] - offsets[k])
    joint = np.zeros(widest)  # joint_k(y); zero again when a task is done
    room = np.empty(3 * K + 2 * offsets[K])
    before, after = beliefs[3 * K :].reshape((-1, 2)), room[3 * K :].reshape((-1, 2))
    total = 0.0
    begin = size = 0
    for k in range(K):
        end, kept, rho = int(beliefs[2 * K + k]), size, 0.0
        if beliefs[K + k] == 0.0:
            first = A * offsets[k] + action * (offsets[k + 1] - offsets[k])
            reached = size
            for j in range(begin, end):
                row = first + int(before[j, 0])
                for i in range(indptr[row], indptr[row + 1]):
                    mass = before[j, 1] * data[i]
                    if mass > 0.0:
                        y = indices[i]
                        if joint[y] == 0.0:
                            after[reached, 0] = y
                            reached += 1
                        joint[y] += mass
            for j in range(size, reached):
                y = int(after[j, 0])
                mass = joint[y] * entry(rows, half + first + y, observation)
                joint[y] = 0.0
                if mass > 0.0:
                    after[kept, 0], after[kept, 1] = y, mass
                    kept += 1
                    rho += mass
            for j in range(size, kept):
                after[j, 1] /= rho
        room[k], room[K + k] = beliefs[k] * rho, 0.0
        if rho == 0.0:
            room[K + k] = 1.0
            kept = size + end - begin
            after[size:kept] = before[begin:end]
        room[2 * K + k] = kept
        total += room[k]
        begin, size = end, kept
    if total > 0.0:
        room[:K] /= total
    return room[: 3 * K + 2 * size].copy(), total


@kernel
def switch(beliefs: Floats, first: Floats, sizes: Ints, hazard: float, shared: bool) -> Floats:
    """Packed beliefs when each task may have become any other one, with equal chances.

    Args:
        beliefs: Those over tasks and their states, packed; at least two tasks.
        first: The same at the start of an episode: where states begin that are not shared.
        sizes: How many states each task has, [K].
        hazard: How likely the task changes.
        shared: Whether a state stays what it is when the task changes.
    """
    K = sizes.shape[0]
    other = hazard / (K - 1)
    pairs, starts = beliefs[3 * K :].reshape((-1, 2)), first[3 * K :].reshape((-1, 2))
    room = np.empty(3 * K + 2 * sizes.sum())
    after = room[3 * K :].reshape((-1, 2))
    weights = np.empty(sizes.max())
    begin = size = 0
    for k in range(K):
        end = int(beliefs[2 * K + k])
        weights[:] = 0.0
        if not shared:
            for j in range(0 if k == 0 else int(first[2 * K + k - 1]), int(first[2 * K + k])):
                weights[int(starts[j, 0])] = other * (1.0 - beliefs[k]) * starts[j, 1]
        for i in range(K):
            if shared or i == k:
                share = beliefs[i] * (1.0 - hazard if i == k else other)
                for j in range(0 if i == 0 else int(beliefs[2 * K + i - 1]), int(beliefs[2 * K + i])):
                    weights[int(pairs[j, 0])] += share * pairs[j, 1]
        total, kept = 0.0, size
        for x in range(sizes[k]):
            if weights[x] > 0.0:
                after[kept, 0], after[kept, 1] = x, weights[x]
                total += weights[x]
                kept += 1
        for j in range(size, kept):
            after[j, 1] /= total
        room[k], room[K + k] = total, 0.0
        if total == 0.0:
            room[K + k] = beliefs[K + k]
            kept = size + end - begin
            after[size:kept] = pairs[begin:end]
        room[2 * K + k] = kept
        begin, size = end, kept
    return room[: 3 * K + 2 * size].copy()
