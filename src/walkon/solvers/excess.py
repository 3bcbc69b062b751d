"""What alpha vectors from anywhere prove: a set of which nobody knows whether it is closed (see `points.closing`).

Let delta be the largest excess of a vector over its own backup: the least number such that, for each vector i, there is
a plan that begins with its action a_i, follows after each observation one of the vectors, or a draw of them, and is
worth at least alpha_i(x) - delta in every state x. Then V - delta/(1-gamma) is earned at every belief, by the policy
that takes the action of the best vector: lower all vectors by delta/(1-gamma), and the set is closed. Ties within eps
cost eps/(1-gamma) more. A plan is searched for each vector, so what is found may be larger than delta, never smaller.
"""

import numpy as np

from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.ties import TOLERANCE
from walkon.solvers.excess_kernels import largest_excess

ROUNDS = 50  # in which a plan is searched for each vector


def excess(problem: POMDP, policy: AlphaVectors, *, hopeless: float = np.inf) -> float:
    """delta, as small as it was found; infinite where it is above `hopeless`."""
    return float(
        largest_excess(
            problem.transitions,
            problem.sensor_rows,
            problem.R.copy(),
            problem.discount,
            policy.columns,
            policy.actions.copy(),
            problem.O[0].shape[1],
            ROUNDS,
            hopeless,
        )
    )


def proven(problem: POMDP, policy: AlphaVectors) -> float | None:
    """What the policy earns at least from the problem's start; None where delta says no more than the rewards do."""
    value, left = policy.value(problem.start), 1 - problem.discount
    ties = TOLERANCE * float(np.abs(policy.vectors).max())
    delta = excess(problem, policy, hopeless=left * value - problem.R.min())
    lower = value - (max(delta, 0.0) + ties) / left
    return lower if lower > problem.R.min() / left else None
