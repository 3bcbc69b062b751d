"""Value iteration for MDPs.

    v_{n+1}(x) = max_a q_n(x, a)      q_n(x, a) = r(x, a) + gamma sum_y P_a(y|x) v_n(y)

With d = v_{n+1} - v_n, the optimal value lies between v_{n+1} + gamma/(1-gamma) min d and
v_{n+1} + gamma/(1-gamma) max d (MacQueen 1966). The iteration stops when these bounds are at most `epsilon` apart,
relative to the largest value:

    gamma/(1-gamma) (max d - min d) <= epsilon max|v_{n+1}|

The greedy policy for v_n is then within that distance of the optimum in every state (Puterman 2005, proposition
6.6.5). If the discount is so close to one that rounding prevents this, the iteration stops when d is as small as
rounding errors. The result is the table q_n, shifted to the middle of the bounds.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np
from scipy.sparse import vstack

from walkon.checks import above
from walkon.errors import InputError
from walkon.models.mdp import MDP
from walkon.policies.tabular import TabularPolicy
from walkon.solvers.solution import SECONDS_BETWEEN_REPORTS, Progress, Solution, Watch

ROUNDING = 2.0**-48  # relative; sixteen units in the last place
UNDISCOUNTED = (
    "the discount is 1, so that the problem needs a horizon, by --horizon 20 or problem.with_horizon(20), "
    "or another discount, by --discount 0.95 or problem.with_discount(0.95)"
)


@dataclass(frozen=True, kw_only=True)
class ValueIteration:
    """Solves an MDP to `epsilon`, relative to its largest value.

    >>> forever = MDP(P=[[[1.0]]], R=[[1.0]], discount=0.9)
    >>> round(ValueIteration().solve(forever).lower, 9)
    10.0
    """

    epsilon: float = 1e-12

    solves: ClassVar[type] = MDP

    def __post_init__(self) -> None:
        if not above(self.epsilon, 0):
            raise InputError(f"epsilon is {self.epsilon!r:.60}, expected a positive number")

    def solve(self, problem: MDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[TabularPolicy]:
        """Iterate until the stopping rule holds. The seed is not used: nothing here is random."""
        began = perf_counter()
        if problem.discount == 1:  # every solver of a POMDP begins with this one
            raise InputError(UNDISCOUNTED)
        X, A = problem.R.shape
        tall = vstack(problem.P, format="csr")  # [A X, X]
        rewards = np.ascontiguousarray(problem.R.T)  # [A, X]: the maximum over actions then reads contiguous memory
        discount, v, iteration, stopped, looked = problem.discount, np.zeros(X), 0, "", began
        while not stopped:
            iteration += 1
            q = rewards + discount * (tall @ v).reshape(A, X)
            d = q.max(axis=0) - v
            v = v + d
            gap = discount / (1 - discount) * np.ptp(d)
            scale = np.abs(v).max()
            if gap <= self.epsilon * scale or np.ptp(d) <= ROUNDING * scale:
                stopped = "converged"
            elif watch and (iteration % 100 == 0 or perf_counter() - looked > SECONDS_BETWEEN_REPORTS):
                looked = perf_counter()
                progress = Progress(iteration, perf_counter() - began, None, None, X, self.epsilon * scale / gap)
                stopped = "asked" if watch(progress) else ""
        shift = discount / (1 - discount) * np.array([d.min(), d.max()])
        lower, upper = problem.start @ v + shift
        policy = TabularPolicy(np.ascontiguousarray(q.T) + shift.mean())
        return Solution(policy, float(lower), float(upper), iteration, perf_counter() - began, stopped)
