"""The fast informed bound (Hauskrecht 2000).

    alpha_a(x) = r(x, a) + gamma sum_z max_c sum_y P_a(y|x) O_a(z|y) alpha_c(y)

Between the optimum and QMDP: it knows that the next action is chosen on the observation, not on the state. The sweep is
a contraction and is started above its fixed point, at QMDP, so every iterate is an upper bound; it stops when no
entry falls by more than `epsilon` (1 - gamma), relative to the largest value.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np

from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.bound_kernels import informed_sweep
from walkon.solvers.qmdp import QMDP
from walkon.solvers.solution import Progress, Solution, Watch


@dataclass(frozen=True, kw_only=True)
class FastInformedBound:
    """One vector for each action, bounding the optimal value from above and at least as tightly as QMDP."""

    epsilon: float = 1e-6

    solves: ClassVar[type] = POMDP

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Sweep until the stopping rule holds. The seed is not used: nothing here is random."""
        began = perf_counter()
        A = problem.R.shape[1]
        start = QMDP(epsilon=1e-3 * self.epsilon).solve(problem).policy
        old = np.ascontiguousarray(start.vectors.T)  # [X, A]
        new = np.empty_like(old)
        iteration, stopped = 0, ""
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
