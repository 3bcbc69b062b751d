"""Kernels of the point-based backup, and of the excess of vectors over their own backups.

The vector to follow after each observation is chosen in float32, over vectors in contiguous memory; the new vector is
then built in float64 from the chosen ones. A wrong choice because of rounding costs a little value at one belief, but
the new vector is the exact value of a plan, so the bound remains a bound.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.belief_kernels import predict
from walkon.models.stacked import Stacked
from walkon.policies.alpha_kernels import successors

Follow: TypeAlias = npt.NDArray[np.int32]


class Heights(NamedTuple):
    """The value of a set of vectors at each belief, and the best vector there."""

    value: Floats  # [beliefs]
    winner: Ints  # [beliefs]


@kernel
def backup(
    transitions: Stacked,
    sensor: Stacked,
    R: Floats,
    discount: float,
    vectors: Floats,
    columns: npt.NDArray[np.float32],
    Z: int,
    belief: Floats,
) -> tuple[Floats, int]:
    """Return the best one-step plan at a belief: its vector and its action.

    alpha(x) = r(x, a) + gamma sum_y P_a(y|x) sum_z O_a(z|y) V_i(z)(y), with the action a and the successors i(z)
    that are best at the belief. `vectors` [N, X] are the old vectors, `columns` [X, N] the same in float32.
    """
    X, A = R.shape
    support = np.flatnonzero(belief)
    action, value = 0, -np.inf
    follow = np.zeros(Z, np.int32)
    for a in range(A):
        chosen, future = successors(sensor, a * X, predict(transitions, belief, a)[0], columns, Z)
        total = discount * future
        for j in support:
            total += belief[j] * R[j, a]
        if total > value:
            action, value, follow = a, total, chosen
    return plan(transitions, sensor, R, discount, vectors, follow, action), action


@kernel
def plan(
    transitions: Stacked, sensor: Stacked, R: Floats, discount: float, vectors: Floats, follow: Follow, a: int
) -> Floats:
    """Return the vector of a plan: action a, then after observation z the vector follow[z] of `vectors` [N, X]."""
    X = R.shape[0]
    after, alpha = np.zeros(X), np.empty(X)
    for y in range(X):
        for k in range(sensor.indptr[a * X + y], sensor.indptr[a * X + y + 1]):
            after[y] += sensor.data[k] * vectors[follow[sensor.indices[k]], y]
    for x in range(X):
        total = 0.0
        for i in range(transitions.indptr[a * X + x], transitions.indptr[a * X + x + 1]):
            total += transitions.data[i] * after[transitions.indices[i]]
        alpha[x] = R[x, a] + discount * total
    return alpha


@kernel
def improve(
    transitions: Stacked,
    sensor: Stacked,
    R: Floats,
    discount: float,
    vectors: Floats,
    columns: npt.NDArray[np.float32],
    actions: Ints,
    Z: int,
    beliefs: Stacked,
    at: int,
    old: Heights,
    new: Heights,
    index: int,
    waiting: Ints,
    count: int,
) -> tuple[Floats, int, int]:
    """Add vector number `index` to a new set: the backup at a belief, or the old winner there if that is better.

    Returns the vector, its action, and how many of the first `count` beliefs of `waiting` still have a lower value than
    in the old set; these are moved to its front.
    """
    belief = np.zeros(R.shape[0])
    for i in range(beliefs.indptr[at], beliefs.indptr[at + 1]):
        belief[beliefs.indices[i]] = beliefs.data[i]
    alpha, action = backup(transitions, sensor, R, discount, vectors, columns, Z, belief)
    if height(beliefs, at, alpha) < old.value[at]:
        winner = old.winner[at]
        alpha, action = vectors[winner].copy(), int(actions[winner])
    raise_values(beliefs, alpha, index, new.value, new.winner)
    left = 0
    for i in range(count):
        b = waiting[i]
        if new.value[b] < old.value[b]:
            waiting[left] = b
            left += 1
    return alpha, action, left


@kernel
def height(beliefs: Stacked, row: int, alpha: Floats) -> float:
    """Return the value of a vector at one of the beliefs. All comparisons use this sum, with the same rounding."""
    total = 0.0
    for i in range(beliefs.indptr[row], beliefs.indptr[row + 1]):
        total += beliefs.data[i] * alpha[beliefs.indices[i]]
    return total


@kernel
def raise_values(beliefs: Stacked, alpha: Floats, index: int, value: Floats, winner: Ints) -> None:
    """Update the values and the best vectors at all beliefs where a new vector is the best."""
    for b in range(value.shape[0]):
        total = height(beliefs, b, alpha)
        if total > value[b]:
            value[b] = total
            winner[b] = index


@kernel
def largest_excess(
    transitions: Stacked,
    sensor: Stacked,
    R: Floats,
    discount: float,
    V: Floats,  # [X, N]: the vectors, in columns
    actions: Ints,
    Z: int,
    rounds: int,
    hopeless: float,
) -> float:
    """Return the largest excess of a vector over a plan that starts with its action and continues with the vectors.

    Each vector has several rounds to find a good plan. Between them, multiplicative weights move the belief that the
    plan is made for to the states where the vector is furthest above it. The mean of the plans so far is a plan too,
    which draws one of them. The best one counts. The result is infinite once it is above `hopeless` for some vector.
    """
    X, N = V.shape
    largest = -np.inf
    for i in range(N):
        least = np.inf
        weights, mean = np.full(X, 1.0 / X), np.zeros(X)
        for n in range(rounds):
            follow, _ = successors(sensor, actions[i] * X, predict(transitions, weights, actions[i])[0], V, Z)
            found = plan(transitions, sensor, R, discount, V.T, follow, actions[i])
            alone, together, widest = -np.inf, -np.inf, 0.0
            for x in range(X):
                mean[x] += (found[x] - mean[x]) / (n + 1)
                alone = max(alone, V[x, i] - found[x])
                together = max(together, V[x, i] - mean[x])
                widest = max(widest, abs(V[x, i] - found[x]))
            least = min(least, alone, together)
            if widest == 0.0 or least <= largest:
                break
            total = 0.0
            for x in range(X):
                weights[x] = (weights[x] + 1e-6 / X) * np.exp((V[x, i] - found[x]) / widest)
                total += weights[x]
            weights /= total
        if least > hopeless:
            return np.inf
        largest = max(largest, least)
    return largest
