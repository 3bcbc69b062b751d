"""The point-based backup. Kernels: plain arrays in, plain arrays out.

Which vector to follow after each observation is chosen in float32, over vectors in contiguous memory; the new vector is
then built in float64 from the vectors that were chosen. A wrong choice in the last digits costs a little value at
one belief, but what is built is the exact value of a plan, so the bound stays a bound.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats
from walkon.compiled import kernel
from walkon.models.belief_kernels import predict
from walkon.models.stacked import Stacked
from walkon.policies.alpha_kernels import successors

Follow: TypeAlias = npt.NDArray[np.int32]


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
    """The best one-step plan at a belief: its vector, and its action.

    alpha(x) = r(x, a) + gamma sum_y P_a(y|x) sum_z O_a(z|y) V_i(z)(y), with the action a and the successors i(z)
    that are best at the belief. `vectors` [N, X] are the old vectors, `columns` [X, N] the same in float32.
    """
    X, A = R.shape
    support = np.flatnonzero(belief)
    action, value = 0, -np.inf
    follow = np.zeros(Z, np.int32)
    for a in range(A):
        chosen, future = successors(sensor, a * X, predict(transitions, belief, a), columns, Z)
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
    """The vector of a plan: action a, then after observation z the vector follow[z] of `vectors` [N, X]."""
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
def height(beliefs: Stacked, row: int, alpha: Floats) -> float:
    """The value of a vector at one of the beliefs. Every comparison uses this sum, so that rounding is the same."""
    total = 0.0
    for i in range(beliefs.indptr[row], beliefs.indptr[row + 1]):
        total += beliefs.data[i] * alpha[beliefs.indices[i]]
    return total


@kernel
def raise_values(beliefs: Stacked, alpha: Floats, index: int, value: Floats, winner: npt.NDArray[np.int64]) -> None:
    """Let a new vector lift the values, and take over as the winner, at all beliefs where it is the best."""
    for b in range(value.shape[0]):
        total = height(beliefs, b, alpha)
        if total > value[b]:
            value[b] = total
            winner[b] = index
