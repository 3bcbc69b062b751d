"""All K models in one pass. Kernels: plain arrays in, plain arrays out.

The states of all tasks stand behind one another, task k's from offsets[k] to offsets[k + 1]. Row A * offsets[k] +
a * X_k + x of the matrix holds P_k,a(.|x); below all these rows, those of the sensors stand in the same order. Only
states that have belief and those that they lead to are looked at: the work is linear in K and in the non-zeros.

Where a weight is too small for a float to hold with all its digits, or beliefs come with exponents already, the kernels
of `faint_kernels` take over.
"""

from typing import TypeAlias

import numpy as np

from walkon.agents.faint_kernels import faint_posterior, faint_switch
from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.belief_kernels import entry
from walkon.models.faint_kernels import is_faint
from walkon.models.scaled_kernels import SMALL, shown
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
    """Packed beliefs after an action and its observation, and the probability of the observation.

    A task that gives the observation no probability is refuted; the state belief of a refuted task stays as it was.
    """
    K = offsets.shape[0] - 1
    if not is_faint(beliefs, K):
        after, total, faint = fast_posterior(indptr, indices, data, offsets, beliefs, action, observation)
        if not faint:
            return after, total
    read = np.zeros(observation + 1)
    read[observation] = 1.0
    after, exact, _ = faint_posterior(indptr, indices, data, offsets, beliefs, action, np.zeros(0), read)
    return after, shown(exact)


@kernel
def fast_posterior(
    indptr: Places,
    indices: Places,
    data: Floats,
    offsets: Ints,
    beliefs: Floats,
    action: int,
    observation: int,
) -> tuple[Floats, float, bool]:
    """The same in floats; and whether a weight was too small for them, so that nothing of this counts."""
    rows = Stacked(indptr, indices, data)
    K = offsets.shape[0] - 1
    half = (indptr.shape[0] - 1) // 2
    A = half // offsets[K]
    widest = 0
    for k in range(K):
        widest = max(widest, offsets[k + 1] - offsets[k])
    joint = np.zeros(widest)  # joint_k(y); zero again when a task is done
    most = offsets[K]
    room = np.empty(3 * K + 2 * most + 2)
    before, after = beliefs[3 * K :].reshape((-1, 2)), room[3 * K :].reshape((-1, 2))
    total, faint = 0.0, False  # noted in the loops and asked behind them, which costs less than leaving them at once
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
                        reached = min(reached + 1, most)  # a mass of 0 is met again and again
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
            if rho > 2.0 and after[size:kept, 1].min() < SMALL * rho:  # soft evidence may weigh more than 1
                return room, 0.0, True
            for j in range(size, kept):
                after[j, 1] /= rho
        room[k], room[K + k] = beliefs[k] * rho, 0.0
        if rho == 0.0:
            room[K + k] = 1.0
            kept = min(size + end - begin, most)
            after[size:kept] = before[begin : begin + kept - size]
        faint |= beliefs[k] > 0.0 and rho > 0.0 and room[k] < SMALL
        room[2 * K + k] = kept
        total += room[k]
        begin, size = end, kept
    if faint:
        return room, 0.0, True
    if total > 0.0:
        for k in range(K):
            if room[k] > 0.0 and room[k] / total < SMALL:
                return room, 0.0, True
        room[:K] /= total
    return room[: 3 * K + 2 * size].copy(), total, False


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
    if not is_faint(beliefs, K):
        after, faint = fast_switch(beliefs, first, sizes, hazard, shared)
        if not faint:
            return after
    return faint_switch(beliefs, first, sizes, hazard, shared)


@kernel
def fast_switch(beliefs: Floats, first: Floats, sizes: Ints, hazard: float, shared: bool) -> tuple[Floats, bool]:
    """The same in floats; and whether a weight was too small for them, so that nothing of this counts."""
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
            alone = True
            for i in range(K):
                alone &= i == k or beliefs[i] == 0.0
            for j in range(0 if k == 0 else int(first[2 * K + k - 1]), int(first[2 * K + k])):
                weight = other * (1.0 - beliefs[k]) * starts[j, 1]
                if other > 0.0 and not alone and weight < SMALL:
                    return room, True
                weights[int(starts[j, 0])] = weight
        for i in range(K):
            factor = 1.0 - hazard if i == k else other
            if (shared or i == k) and beliefs[i] > 0.0 and factor > 0.0:
                share = beliefs[i] * factor
                for j in range(0 if i == 0 else int(beliefs[2 * K + i - 1]), int(beliefs[2 * K + i])):
                    weight = share * pairs[j, 1]
                    if weight < SMALL:
                        return room, True
                    weights[int(pairs[j, 0])] += weight
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
    return room[: 3 * K + 2 * size].copy(), False
