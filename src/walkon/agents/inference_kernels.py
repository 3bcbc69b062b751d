"""Kernels of the beliefs over all K tasks and their states, in one pass.

The states of all tasks are numbered consecutively, task k's from offsets[k] to offsets[k + 1]. Row A * offsets[k] +
a * X_k + x of the matrix holds P_k,a(.|x); the rows of the sensors follow in the same order. Only possible states and
their successors are visited: the work is linear in K and in the non-zeros.

If a weight is too small for a float, or the beliefs already have exponents, the kernel of `faint_kernels` is used. A
change of the task always uses that arithmetic: it is rare.
"""

from typing import TypeAlias

import numpy as np

from walkon.agents.faint_kernels import faint_posterior
from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.belief_kernels import entry
from walkon.models.faint_kernels import copy_rows, exact_pairs, is_faint, pack_exactly, split_weights
from walkon.models.scaled_kernels import SMALL, over, plus, shown, split, times
from walkon.models.stacked import Places, Stacked

Models: TypeAlias = tuple[Places, Places, Floats, Ints]
"""The indptr, indices and data of the matrix, and the offsets."""


@kernel
def posterior(
    indptr: Places, indices: Places, data: Floats, offsets: Ints, beliefs: Floats, action: int, observation: int
) -> tuple[Floats, float]:
    """Return packed beliefs after an action and its observation, and the probability of the observation.

    A task under which the observation is impossible is refuted; the state belief of a refuted task does not change.
    """
    after, total, faint = fast_posterior(indptr, indices, data, offsets, beliefs, action, observation)
    if not faint:
        return after, total
    weights = np.zeros(observation + 1)
    weights[observation] = 1.0
    after, exact, _ = faint_posterior(indptr, indices, data, offsets, beliefs, action, np.zeros(0), weights)
    return after, shown(exact)


@kernel
def fast_posterior(
    indptr: Places, indices: Places, data: Floats, offsets: Ints, beliefs: Floats, action: int, observation: int
) -> tuple[Floats, float, bool]:
    """Do the same in floats, and return whether a weight is too small: then the result is not valid."""
    rows = Stacked(indptr, indices, data)
    K = offsets.shape[0] - 1
    if is_faint(beliefs, K):
        return beliefs, 0.0, True
    half = (indptr.shape[0] - 1) // 2
    A = half // offsets[K]
    widest = 0
    for k in range(K):
        widest = max(widest, offsets[k + 1] - offsets[k])
    joint = np.zeros(widest)  # joint_k(y); zero again after each task
    most = offsets[K]
    room = np.empty(3 * K + 2 * most + 2)
    before, after = beliefs[3 * K :].reshape((-1, 2)), room[3 * K :].reshape((-1, 2))
    total, faint = 0.0, False  # set in the loops and tested afterwards, which is faster than to leave them
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
                    faint |= mass < SMALL
                    y = indices[i]
                    if joint[y] == 0.0:
                        after[reached, 0] = y
                        reached = min(reached + 1, most)  # a state with mass 0 is added repeatedly
                    joint[y] += mass
            for j in range(size, reached):
                y = int(after[j, 0])
                chance = entry(rows, half + first + y, observation)
                mass = joint[y] * chance
                joint[y] = 0.0
                if chance > 0.0:
                    faint |= mass < SMALL
                    after[kept, 0], after[kept, 1] = y, mass
                    kept += 1
                    rho += mass
            least = SMALL * rho if rho > 2.0 else 0.0  # soft evidence may have weights above 1
            for j in range(size, kept):
                faint |= after[j, 1] < least
                after[j, 1] /= rho
        room[k], room[K + k] = beliefs[k] * rho, 0.0
        if rho == 0.0:
            room[K + k] = 1.0
            kept = min(size + end - begin, most)
            copy_rows(before, begin, after, size, kept)
        faint |= beliefs[k] > 0.0 and rho > 0.0 and room[k] < SMALL
        room[2 * K + k] = kept
        total += room[k]
        begin, size = end, kept
    if faint:
        return room, 0.0, True
    if total > 0.0:
        for k in range(K):
            share = room[k] / total
            if room[k] > 0.0 and share < SMALL:
                return room, 0.0, True
            room[k] = share
    return room[: 3 * K + 2 * size].copy(), total, False


@kernel
def switch(beliefs: Floats, first: Floats, sizes: Ints, hazard: float, shared: bool) -> Floats:
    """Return packed beliefs after a possible change of the task to any other one, with equal probabilities.

    There are at least two tasks, with `sizes` [K] states each. If states are not `shared`, the new task starts from its
    start belief, which is in `first`, the packed beliefs at the start of an episode. The weights of the other tasks are
    summed, because 1 - p(k) loses digits and may round to 0.
    """
    K = sizes.shape[0]
    other, same = over(split(hazard), split(K - 1.0)), split(1.0 - hazard)
    before, tasks, starts = exact_pairs(beliefs, K), split_weights(beliefs, K)[:K], exact_pairs(first, K)
    after = np.empty((sizes.sum(), 3))
    became, refuted, ends = np.empty((K, 2)), np.zeros(K), np.empty(K)
    size = 0
    for k in range(K):
        weights = np.zeros((sizes[k], 2))
        if not shared:
            rest = (0.0, 0.0)
            for i in range(K):
                if i != k:
                    rest = plus(rest, (tasks[i, 0], tasks[i, 1]))
            share = times(other, rest)
            for j in range(0 if k == 0 else int(first[2 * K + k - 1]), int(first[2 * K + k])):
                x = int(starts[j, 0])
                weights[x, 0], weights[x, 1] = times(share, (starts[j, 1], starts[j, 2]))
        for i in range(K):
            if shared or i == k:
                share = times((tasks[i, 0], tasks[i, 1]), same if i == k else other)
                for j in range(0 if i == 0 else int(beliefs[2 * K + i - 1]), int(beliefs[2 * K + i])):
                    x = int(before[j, 0])
                    more = times(share, (before[j, 1], before[j, 2]))
                    weights[x, 0], weights[x, 1] = plus((weights[x, 0], weights[x, 1]), more)
        total, kept = (0.0, 0.0), size
        for x in range(sizes[k]):
            if weights[x, 0] > 0.0:
                after[kept, 0], after[kept, 1], after[kept, 2] = x, weights[x, 0], weights[x, 1]
                total = plus(total, (weights[x, 0], weights[x, 1]))
                kept += 1
        for j in range(size, kept):
            after[j, 1], after[j, 2] = over((after[j, 1], after[j, 2]), total)
        became[k, 0], became[k, 1] = total
        if total[0] == 0.0:
            refuted[k] = beliefs[K + k]
            begin, end = 0 if k == 0 else int(beliefs[2 * K + k - 1]), int(beliefs[2 * K + k])
            kept = size + end - begin
            copy_rows(before, begin, after, size, kept)
        ends[k] = size = kept
    return pack_exactly(became, refuted, ends, after[:size])
