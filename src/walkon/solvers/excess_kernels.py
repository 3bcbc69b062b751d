"""How far vectors lie above their own backups. Kernels: plain arrays in, plain arrays out."""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.belief_kernels import predict
from walkon.models.stacked import Stacked
from walkon.policies.alpha_kernels import successors
from walkon.solvers.perseus_kernels import plan


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
    of them. The best that was found counts. Infinite as soon as it is above `hopeless` for some vector. V [X, N] are
    the vectors, in columns.
    """
    X, N = V.shape
    largest = -np.inf
    for i in range(N):
        least = np.inf
        weights, mean = np.full(X, 1.0 / X), np.zeros(X)
        for n in range(rounds):
            follow, _ = successors(sensor, actions[i] * X, predict(transitions, weights, actions[i]), V, Z)
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
