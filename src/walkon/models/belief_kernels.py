"""Kernels of the prediction and the update of beliefs, in one pass over the non-zeros.

Beliefs with a weight that is too small for a float are updated by `faint_kernels`.
"""

import numpy as np

from walkon.arrays import Floats
from walkon.compiled import kernel
from walkon.models.faint_kernels import follow
from walkon.models.scaled_kernels import FAINT, SMALL, shown, split, times
from walkon.models.stacked import Stacked


@kernel
def entry(rows: Stacked, row: int, column: int) -> float:
    """Return an entry of a matrix with sorted rows: by bisection, and by linear search in short rows."""
    low, high = np.int64(rows.indptr[row]), np.int64(rows.indptr[row + 1])
    while high - low > 8:
        middle = (low + high) // 2
        if rows.indices[middle] <= column:
            low = middle
        else:
            high = middle
    for i in range(low, high):
        if rows.indices[i] == column:
            return float(rows.data[i])
    return 0.0


@kernel
def condition(
    transitions: Stacked, sensor: Stacked, belief: Floats, exact: Floats, action: int, observation: int
) -> tuple[Floats, Floats, float]:
    """Return the posterior (1/rho) sum_x b(x) P_a(y|x) O_a(z|y) and rho; the prior if rho is zero.

    Beliefs are [X], with the mantissa and exponent of each weight [X, 2] if one of them is faint, else [0, 2].
    """
    X = belief.shape[0]
    if exact.shape[0] == 0:
        joint, least = predict(transitions, belief, action)
        rho = 0.0
        for y in range(X):
            if joint[y] > 0.0:
                chance = entry(sensor, action * X + y, observation)
                joint[y] *= chance
                if chance > 0.0:
                    least = min(least, joint[y])
                rho += joint[y]
        if least >= SMALL:
            return (joint / rho if rho > 0.0 else belief.copy()), exact, rho
    observed = np.zeros(observation + 1)
    observed[observation] = 1.0
    return condition_exactly(transitions, sensor, (action * X, action * X), belief, exact, observed, True)


@kernel
def predict(transitions: Stacked, belief: Floats, action: int) -> tuple[Floats, float]:
    """Return sum_x b(x) P_a(.|x) in floats, and the smallest term."""
    X = belief.shape[0]
    joint, least = np.zeros(X), np.inf
    for x in range(X):
        weight = belief[x]
        if weight > 0.0:
            row = action * X + x
            for i in range(transitions.indptr[row], transitions.indptr[row + 1]):
                mass = weight * transitions.data[i]
                least = min(least, mass)
                joint[transitions.indices[i]] += mass
    return joint, least


@kernel
def predict_exactly(transitions: Stacked, belief: Floats, exact: Floats, action: int) -> tuple[Floats, Floats]:
    """Return the belief after an action without an observation, sum_x b(x) P_a(.|x), in the form of `condition`."""
    after, least = predict(transitions, belief, action)
    if exact.shape[0] == 0 and least >= SMALL:
        return after, exact
    X = belief.shape[0]
    blind = Stacked(np.arange(X + 1).astype(np.uint32), np.zeros(X, np.uint32), np.ones(X))  # a constant sensor
    after, exact, _ = condition_exactly(transitions, blind, (action * X, 0), belief, exact, np.ones(1), False)
    return after, exact


@kernel
def condition_exactly(
    transitions: Stacked,
    sensor: Stacked,
    rows: tuple[int, int],
    belief: Floats,
    exact: Floats,
    weights: Floats,
    normalised: bool,
) -> tuple[Floats, Floats, float]:
    """Condition as `condition` does, on weights over the observations; `rows` are those of state 0 in the matrices.

    Without an observation nothing is normalised: the weights of the belief may have any sum.
    """
    X = belief.shape[0]
    before, size = np.empty((X, 3)), 0
    for x in range(X):
        if belief[x] > 0.0:
            weight = split(belief[x]) if exact.shape[0] == 0 else (exact[x, 0], exact[x, 1])
            before[size, 0], before[size, 1], before[size, 2] = x, weight[0], weight[1]
            size += 1
    after, rho, _ = follow(transitions, sensor, rows, X, before[:size], np.zeros(0), weights)
    if rho[0] == 0.0:
        return belief.copy(), exact, 0.0
    joint, parts, faint = np.zeros(X), np.zeros((X, 2)), False
    for j in range(after.shape[0]):
        y, weight = int(after[j, 0]), (after[j, 1], after[j, 2])
        if not normalised:
            weight = times(weight, rho)
        joint[y] = shown(weight)
        parts[y, 0], parts[y, 1] = weight
        faint |= weight[1] <= FAINT
    return joint, (parts if faint else np.empty((0, 2))), shown(rho)
