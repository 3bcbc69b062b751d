"""How far vectors lie above their own backups. Kernels: plain arrays in, plain arrays out."""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.belief_kernels import predict
from walkon.models.stacked import Stacked
from walkon.policies.alpha_kernels import successors


@kernel
def own_backup(
    transitions: Stacked, sensor: Stacked, R: Floats, discount: float, V: Floats, Z: int, belief: Floats, a: int
) -> Floats:
    """The vector of a plan that begins with action a and follows, after each observation, what is best at the belief.

    V [X, N] are the vectors to follow, in columns.
    """
    X = R.shape[0]
    follow, _ = successors(sensor, a * X, predict(transitions, belief, a), V, Z)
    after, plan = np.zeros(X), np.empty(X)
    for y in range(X):
        for k in range(sensor.indptr[a * X + y], sensor.indptr[a * X + y + 1]):
            after[y] += sensor.data[k] * V[y, follow[sensor.indices[k]]]
    for x in range(X):
        total = 0.0
        for i in range(transitions.indptr[a * X + x], transitions.indptr[a * X + x + 1]):
            total += transitions.data[i] * after[transitions.indices[i]]
        plan[x] = R[x, a] + discount * total
    return plan


@kernel
def largest_excess(
    transitions: Stacked,
    sensor: Stacked,
    R: Floats,
    discount: float,
    V: Floats,
    actions: Ints,
    Z: int,
    rounds: int,
    hopeless: float,
) -> float:
    """How far a vector lies above a plan that begins with its action and then follows the vectors, at most.

    Each vector has several rounds to find a good plan. Between them the belief that the plan is made for moves to where
    the vector is furthest above it, by multiplicative weights. The mean of the plans so far is a plan too: it draws one
    of them. The best that was found counts. Infinite as soon as it is above `hopeless` for some vector.
    """
    X, N = V.shape
    largest = -np.inf
    for i in range(N):
        least = np.inf
        weights, mean = np.full(X, 1.0 / X), np.zeros(X)
        for n in range(rounds):
            plan = own_backup(transitions, sensor, R, discount, V, Z, weights, actions[i])
            alone, together, widest = -np.inf, -np.inf, 0.0
            for x in range(X):
                mean[x] += (plan[x] - mean[x]) / (n + 1)
                alone = max(alone, V[x, i] - plan[x])
                together = max(together, V[x, i] - mean[x])
                widest = max(widest, abs(V[x, i] - plan[x]))
            least = min(least, alone, together)
            if widest == 0.0 or least <= largest:
                break
            total = 0.0
            for x in range(X):
                weights[x] = (weights[x] + 1e-6 / X) * np.exp((V[x, i] - plan[x]) / widest)
                total += weights[x]
            weights /= total
        if least > hopeless:
            return np.inf
        largest = max(largest, least)
    return largest
