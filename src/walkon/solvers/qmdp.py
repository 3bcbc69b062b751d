"""QMDP: act as if the state were seen from the next step on (Littman, Cassandra and Kaelbling 1995).

    v(b) = max_a sum_x b(x) q_MDP(x, a)

One vector for each action, made from the value iteration of the underlying MDP. Knowing the state can only help,
so the value is an upper bound; it never pays for information.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.solution import Solution, Watch
from walkon.solvers.value_iteration import ValueIteration


@dataclass(frozen=True, kw_only=True)
class QMDP:
    """Solves the MDP under a POMDP; its vectors bound the optimal value from above."""

    epsilon: float = 1e-12

    solves: ClassVar[type] = POMDP

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Solve the underlying MDP. The seed is not used: nothing here is random."""
        began = perf_counter()
        seen = ValueIteration(epsilon=self.epsilon).solve(problem.mdp, watch=watch)
        A = problem.R.shape[1]
        slack = ((seen.upper or 0) - (seen.lower or 0)) / 2  # the table stands in the middle of its bounds
        vectors = seen.policy.table.T + slack
        policy = AlphaVectors(vectors, range(A), A)
        upper = policy.value(problem.start)
        return Solution(policy, None, upper, seen.iterations, perf_counter() - began, seen.stopped)
