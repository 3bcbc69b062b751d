"""The lower bound that an arbitrary set of alpha vectors proves, closed (see `points.closing`) or not.

Let delta be the largest excess of a vector over its own backup: the least number such that, for each vector i, there is
a plan that starts with its action a_i, continues after each observation with one of the vectors or a random one, and is
worth at least alpha_i(x) - delta in every state x. Then the policy that takes the action of the best vector earns at
least V - delta/(1-gamma) at every belief: lower all vectors by delta/(1-gamma), and the set is closed. Ties within eps
cost another eps/(1-gamma). The search for the plans is approximate, so the result may be larger than delta, but never
smaller.
"""

import numpy as np

from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.ties import TOLERANCE
from walkon.solvers.perseus_kernels import largest_excess

ROUNDS = 50  # of the search for each vector's plan


def excess(problem: POMDP, policy: AlphaVectors, *, hopeless: float = np.inf) -> float:
    """Return the smallest delta that was found; infinity if that is above `hopeless`."""
    model = problem.transitions, problem.sensor_rows, problem.R.copy(), problem.discount
    Z = problem.O[0].shape[1]
    return float(largest_excess(*model, policy.columns, policy.actions.copy(), Z, ROUNDS, hopeless))


def proven(problem: POMDP, policy: AlphaVectors) -> float | None:
    """Return a lower bound on the policy's return from the start; None if the lowest reward already proves as much."""
    value, left = policy.value(problem.start), 1 - problem.discount
    if not left:
        return None
    ties = TOLERANCE * float(np.abs(policy.columns).max())
    delta = excess(problem, policy, hopeless=left * value - problem.R.min())
    lower = value - (max(delta, 0.0) + ties) / left
    return lower if lower > problem.R.min() / left else None
