"""Kernels of beliefs in which some weights are too small for floats.

Weights are m 2^e as in `scaled_kernels`, so that none becomes 0 because it is small: if b(x), P(y|x) and O(z|y) are
positive, so is their product. Sums are in the order of the fast kernels, so beliefs that are not faint are the same to
the last bit.
"""

import numpy as np

from walkon.arrays import Floats
from walkon.compiled import kernel
from walkon.models.scaled_kernels import FAINT, Scaled, over, plus, shown, split, times
from walkon.models.stacked import Stacked


@kernel
def follow(
    transitions: Stacked,  # contains P
    sensor: Stacked,  # contains O
    rows: tuple[int, int],  # the rows of state 0 in both
    X: int,
    belief: Floats,  # [S, 3]: the possible states, with the mantissa and exponent of each; the result has the same form
    taken: Floats,  # c(x), [X]; empty for 1
    weights: Floats,  # w(z); 0 beyond the end
) -> tuple[Floats, Scaled, bool]:
    """Return joint(y) = sum_x b(x) c(x) P(y|x) sum_z O(z|y) w(z), normalised; its sum; whether any term was faint."""
    after, places = np.empty((X, 3)), np.full(X, -1)  # the reached states, and the place of each state among them
    faint, reached = False, 0
    for j in range(belief.shape[0]):
        x, weight = int(belief[j, 0]), (belief[j, 1], belief[j, 2])
        if taken.shape[0] > 0:
            weight = times(weight, split(taken[x]))
        for i in range(transitions.indptr[rows[0] + x], transitions.indptr[rows[0] + x + 1]):
            mass = times(weight, split(transitions.data[i]))
            if mass[0] > 0.0:
                faint |= mass[1] <= FAINT
                y = transitions.indices[i]
                if places[y] < 0:
                    places[y] = reached
                    reached += 1
                else:
                    mass = plus((after[places[y], 1], after[places[y], 2]), mass)
                at = places[y]
                after[at, 0], after[at, 1], after[at, 2] = y, mass[0], mass[1]
    total, kept = (0.0, 0.0), 0
    for j in range(reached):
        row, chance = rows[1] + int(after[j, 0]), (0.0, 0.0)
        for i in range(sensor.indptr[row], sensor.indptr[row + 1]):
            if sensor.indices[i] < weights.shape[0]:
                part = times(split(sensor.data[i]), split(weights[sensor.indices[i]]))
                faint |= part[0] > 0.0 and part[1] <= FAINT
                chance = plus(chance, part)
        mass = times((after[j, 1], after[j, 2]), chance)
        if mass[0] > 0.0:
            faint |= mass[1] <= FAINT
            after[kept, 0], after[kept, 1], after[kept, 2] = after[j, 0], mass[0], mass[1]
            kept += 1
            total = plus(total, mass)
    for j in range(kept):
        share = over((after[j, 1], after[j, 2]), total)
        faint |= share[1] <= FAINT
        after[j, 1], after[j, 2] = share
    return after[:kept].copy(), total, faint


@kernel
def is_faint(beliefs: Floats, K: int) -> bool:
    """Return whether packed beliefs have a tail of mantissas and exponents."""
    return int(beliefs.shape[0]) > 3 * K + 2 * int(beliefs[3 * K - 1])


@kernel
def split_weights(beliefs: Floats, K: int) -> Floats:
    """Return the mantissa and exponent of each weight of packed beliefs: those of tasks, then of pairs, [K + S, 2]."""
    S = int(beliefs[3 * K - 1])
    if is_faint(beliefs, K):
        return beliefs[3 * K + 2 * S :].copy().reshape((-1, 2))
    exact = np.empty((K + S, 2))
    for i in range(K + S):
        exact[i, 0], exact[i, 1] = split(beliefs[i] if i < K else beliefs[3 * K + 2 * (i - K) + 1])
    return exact


@kernel
def pack_exactly(tasks: Floats, refuted: Floats, ends: Floats, pairs: Floats) -> Floats:
    """Pack beliefs, with a tail if a weight is faint: that of a task, or of a state of a task that is not refuted.

    `tasks` [K, 2] and `pairs` [S, 3], after each state, hold mantissas and exponents; the pairs of task k end at
    ends[k].
    """
    K, S = tasks.shape[0], pairs.shape[0]
    room = np.empty(5 * K + 4 * S)
    tail = room[3 * K + 2 * S :].reshape((-1, 2))
    faint, begin = False, 0
    for k in range(K):
        room[K + k], room[2 * K + k] = refuted[k], ends[k]
        tail[k, 0], tail[k, 1] = tasks[k, 0], tasks[k, 1]
        room[k] = shown((tasks[k, 0], tasks[k, 1]))
        faint |= tasks[k, 0] > 0.0 and tasks[k, 1] <= FAINT
        for j in range(begin, int(ends[k])):
            tail[K + j, 0], tail[K + j, 1] = pairs[j, 1], pairs[j, 2]
            room[3 * K + 2 * j] = pairs[j, 0]
            room[3 * K + 2 * j + 1] = shown((pairs[j, 1], pairs[j, 2]))
            faint |= refuted[k] == 0.0 and pairs[j, 2] <= FAINT
        begin = int(ends[k])
    return room if faint else room[: 3 * K + 2 * S].copy()


@kernel
def copy_rows(source: Floats, first: int, target: Floats, begin: int, end: int) -> None:
    """Set target[begin:end] to the rows of the source from `first` on."""
    for i in range(end - begin):
        for j in range(source.shape[1]):
            target[begin + i, j] = source[first + i, j]


@kernel
def exact_pairs(beliefs: Floats, K: int) -> Floats:
    """Return the states of packed beliefs, with the mantissa and exponent of each weight, [S, 3]."""
    exact = split_weights(beliefs, K)[K:]
    pairs = np.empty((exact.shape[0], 3))
    for j in range(exact.shape[0]):
        pairs[j, 0], pairs[j, 1], pairs[j, 2] = beliefs[3 * K + 2 * j], exact[j, 0], exact[j, 1]
    return pairs


@kernel
def with_exact_tasks(beliefs: Floats, tasks: Floats) -> Floats:
    """Replace the belief over tasks in packed beliefs, by mantissas and exponents [K, 2]."""
    K = tasks.shape[0]
    return pack_exactly(tasks, beliefs[K : 2 * K], beliefs[2 * K : 3 * K], exact_pairs(beliefs, K))


@kernel
def with_tasks(beliefs: Floats, tasks: Floats) -> Floats:
    """Replace the belief over tasks in packed beliefs, [K]."""
    K = tasks.shape[0]
    if not is_faint(beliefs, K):
        after = beliefs.copy()
        for k in range(K):
            after[k] = tasks[k]
        return after
    exact = np.empty((K, 2))
    for k in range(K):
        exact[k, 0], exact[k, 1] = split(tasks[k])
    return with_exact_tasks(beliefs, exact)
