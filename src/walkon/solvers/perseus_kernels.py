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
from walkon.solvers.score_kernels import Singles, first, futures, top

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
    columns: Singles,
    Z: int,
    beliefs: Stacked,
    at: int,
) -> tuple[Floats, int]:
    """Return the best one-step plan at one of the beliefs: its vector and its action.

    alpha(x) = r(x, a) + gamma sum_y P_a(y|x) sum_z O_a(z|y) V_i(z)(y), with the action a and the successors i(z)
    that are best at the belief. `vectors` [N, X] are the old vectors, `columns` the same as `in_columns` returns them.
    Observations that are impossible at the belief are followed by the vector that is best without an observation.
    """
    X, A = R.shape
    scores = np.empty((2, Z + 1, columns.shape[1]), np.float32)  # of the best action so far, and of the next one
    tops, rows = np.empty((2, Z + 1), np.int32), np.empty((2, Z), np.int32)
    action, value, best = 0, -np.inf, 0
    for a in range(A):
        here = 1 - best
        total = discount * futures(
            transitions, sensor, a, X, beliefs, at, columns, scores[here], tops[here], rows[here]
        )
        for i in range(beliefs.indptr[at], beliefs.indptr[at + 1]):
            total += beliefs.data[i] * R[beliefs.indices[i], a]
        if total > value:
            action, value, best = a, total, here
    highest = tops[best].view(np.float32)
    tops[best, 0] = top(scores[best].view(np.int32), 0)
    follow = np.full(Z, first(scores[best], 0, highest[0]), np.int32)
    for z in range(Z):
        if rows[best, z] > 0:
            follow[z] = first(scores[best], rows[best, z], highest[rows[best, z]])
    return plan(transitions, sensor, R, discount, vectors, follow, action), action


@kernel
def plan(
    transitions: Stacked, sensor: Stacked, R: Floats, discount: float, vectors: Floats, follow: Follow, a: int
) -> Floats:
    """Return the vector of a plan: action a, then after observation z the vector follow[z] of `vectors` [N, X]."""
    X = R.shape[0]
    after, alpha = np.empty(X), np.empty(X)
    for y in range(X):
        total = 0.0
        for k in range(sensor.indptr[a * X + y], sensor.indptr[a * X + y + 1]):
            total += sensor.data[k] * vectors[follow[sensor.indices[k]], y]
        after[y] = total
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
    columns: Singles,
    actions: Ints,
    Z: int,
    beliefs: Stacked,
    old: Heights,
    new: Heights,
    waiting: Ints,
    left: int,
    rng: np.random.Generator,
    most: int,
    made: Floats,
    chosen: Ints,
    count: int,
) -> tuple[int, int]:
    """Add up to `most` vectors to a new set of `count`, in the rows of `made`, and their actions, in `chosen`.

    Each is the backup at a belief that is drawn from the first `left` of `waiting`, or the old winner there if that is
    better. The beliefs that then still have a lower value than in the old set are moved to the front of `waiting`.
    Returns how many vectors there are now, and how many beliefs wait.
    """
    end = count + most
    while left > 0 and count < end:
        at = waiting[rng.integers(0, left)]
        alpha, action = backup(transitions, sensor, R, discount, vectors, columns, Z, beliefs, at)
        if height(beliefs, at, alpha) < old.value[at]:
            winner = old.winner[at]
            alpha, action = vectors[winner].copy(), int(actions[winner])
        raise_values(beliefs, alpha, count, new.value, new.winner)
        for x in range(alpha.shape[0]):
            made[count, x] = alpha[x]
        chosen[count] = action
        count += 1
        still = 0
        for i in range(left):
            b = waiting[i]
            if new.value[b] < old.value[b]:
                waiting[still] = b
                still += 1
        left = still
    return count, left


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
