"""Upper bounds on the value of a POMDP, with one vector for each action.

QMDP acts as if the state were known from the next step on (Littman, Cassandra and Kaelbling 1995):

    v(b) = max_a sum_x b(x) q_MDP(x, a)

To know the state can only help, so the value is an upper bound. QMDP never takes an action only for its information.

The fast informed bound (Hauskrecht 2000) solves

    alpha_a(x) = r(x, a) + gamma sum_z max_c sum_y P_a(y|x) O_a(z|y) alpha_c(y)

It lies between the optimum and QMDP, because it takes into account that the next action depends on the observation and
not on the state. The sweep is a contraction and starts above its fixed point, at QMDP, so every iterate is an upper
bound; it stops when no entry falls by more than `epsilon` (1 - gamma), relative to the largest value.
"""

from dataclasses import dataclass
from itertools import count
from time import perf_counter
from typing import ClassVar

import numpy as np

from walkon.arrays import Floats
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.bound_kernels import informed_sweep
from walkon.solvers.solution import Progress, Solution, Watch
from walkon.solvers.value_iteration import ValueIteration


@dataclass(frozen=True, kw_only=True)
class QMDP:
    """Solves the MDP that underlies a POMDP; its vectors are an upper bound on the optimal value."""

    epsilon: float = 1e-12

    solves: ClassVar[type] = POMDP

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Solve the underlying MDP. The seed is not used: nothing here is random."""
        began = perf_counter()
        seen = ValueIteration(epsilon=self.epsilon).solve(problem.mdp, watch=watch)
        A = problem.R.shape[1]
        slack = ((seen.upper or 0) - (seen.lower or 0)) / 2  # the table is in the middle of its bounds
        policy = AlphaVectors(seen.policy.table.T + slack, range(A), A)
        return Solution(
            policy, None, policy.value(problem.start), seen.iterations, perf_counter() - began, seen.stopped
        )


@dataclass(frozen=True, kw_only=True)
class FastInformedBound:
    """Computes one vector for each action: an upper bound on the optimal value, at least as tight as QMDP."""

    epsilon: float = 1e-6

    solves: ClassVar[type] = POMDP

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Sweep until the stopping rule holds. The seed is not used: nothing here is random."""
        began = perf_counter()
        A = problem.R.shape[1]
        first = QMDP(epsilon=1e-3 * self.epsilon).solve(problem, watch=watch)
        old = first.policy.columns.copy()  # [X, A]
        new = np.empty_like(old)
        iteration, stopped = 0, "asked" if first.stopped == "asked" else ""
        while not stopped:
            iteration += 1
            informed_sweep(problem.transitions, problem.sensor_rows, problem.R, problem.discount, old, new)
            fall, rule = (old - new).max(), self.epsilon * (1 - problem.discount) * np.abs(new).max()
            old, new = np.minimum(old, new), old
            if fall <= rule:
                stopped = "converged"
            elif watch:
                upper = float((problem.start @ old).max())
                progress = Progress(iteration, perf_counter() - began, None, upper, A, rule / fall)
                stopped = "asked" if watch(progress) else ""
        policy = AlphaVectors(old.T, range(A), A)
        upper = policy.value(problem.start)
        return Solution(policy, None, upper, iteration, perf_counter() - began, stopped)


def tighten(problem: POMDP, table: Floats, precision: float, watch: Watch) -> None:
    """Lower a table [X, A] of the fast informed bound, in place, until it is within `precision` of the fixed point.

    The operator H of the sweep commutes with constants, H(v + c) = H v + gamma c. So if a sweep lowers every entry by
    at least d, the fixed point is at least gamma/(1-gamma) d below the result (MacQueen 1966), and that is subtracted.
    """
    ahead, new = problem.discount / (1 - problem.discount), np.empty_like(table)
    for iteration in count(1):
        informed_sweep(problem.transitions, problem.sensor_rows, problem.R, problem.discount, table, new)
        fall = np.maximum(table - new, 0.0)
        table -= fall + ahead * fall.min()
        progress = Progress(iteration, 0.0, None, float((problem.start @ table).max()), table.shape[1], 0.0)
        if ahead * np.ptp(fall) <= precision or watch(progress):
            break
