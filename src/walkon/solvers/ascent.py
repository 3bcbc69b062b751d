"""Ascent: raises a lower bound along simulated walks; the fast way to a good policy.

A walk simulates an episode from the start belief. Three guides take turns in choosing actions: the best action in the
simulated state and the best action on average over the belief, both by the fast informed bound; and the action of the
best vector so far. One step in ten takes a random action among those that may still be optimal. The beliefs of a
walk are backed up from the last to the first, so that a gain at the end reaches the start at once. (Guided by the state
alone, this is forward search value iteration, Shani, Brafman and Shimony 2007.) Vectors that are the best at none of
the visited beliefs are dropped, and so are redundant beliefs; see `lower_bound`.

A round is a hundred walks. The solver stops after a round whose mean gain per backup is so small that, even if gains
continued and shrank only by gamma, their sum would be small compared with the rewards:

    gamma/(1-gamma) mean gain <= tolerance (R_max - R_min)

A backup that gains less than a threshold adds no vector. The threshold is coarse at first and is lowered when
few backups exceed it; the solver stops only once it has reached the value that the tolerance asks for.

With a time limit and a discount close to one, or very many states, vectors are only dropped if no other one relies on
them: to evaluate the others anew at the end would take too long (see `closing`).

Upper bounds on the actions save work: an action that cannot improve the bound is not backed up.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from walkon.checks import above, share
from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.points.closing import close, slow, warm_up
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.walk_kernels import GUIDES
from walkon.solvers.solution import Budget, Solution, Watch

ROUND = 100  # walks
COARSEST = 1e-3  # the first threshold for a gain, as a share of the distance between the bounds at the start
FINEST = 0.1  # the last one, as a share of the tolerance
FINER = 4.0  # the factor by which it falls
SELDOM = 0.25  # it falls when the mean gain is below this share of it
LOSS = 1e-4  # the loss that is accepted for a smaller policy, as a share of the bound at the start


@dataclass(frozen=True, kw_only=True)
class Ascent:
    """Solves a POMDP from below, by guided walks. The same seed gives the same policy, unless `seconds` run out.

    Attributes:
        backups: The largest number of backups; None for as many as it takes to converge.
        tolerance: The convergence criterion, relative to the range of the rewards.
        seconds: The time limit, not counting the compilation of kernels. The last evaluation of the policy may take up
            to a twentieth longer. With a time limit the result depends on the machine: prefer `backups`.
        wide: The share of walks that start from a random belief and not from the start belief. An agent that mixes
            policies reaches beliefs to which none of them alone would lead, and needs policies that are good there. The
            bound refers to the problem's own start nevertheless.
    """

    backups: int | None = None
    tolerance: float = 1e-4
    seconds: float | None = None
    wide: float = 0.0

    solves: ClassVar[type] = POMDP

    def __post_init__(self) -> None:
        if not above(self.tolerance, 0):
            raise InputError(f"tolerance is {self.tolerance!r:.60}, expected a positive number")
        share("wide", self.wide)
        Budget(self.backups, self.seconds)

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Walk and back up until a round gains too little or a budget has run out."""
        if self.seconds is not None:
            warm_up(Ascent(backups=20))
        budget, rng = Budget(self.backups, self.seconds, watch), np.random.default_rng(seed)
        bound = LowerBound(problem, budget)
        bound.keep = self.seconds is not None and slow(bound)
        discount, precision = problem.discount, self.tolerance * np.ptp(problem.R)
        finest = FINEST * (1 - discount) * precision
        least = max(finest, COARSEST * (1 - discount) * bound.distance)
        walks, left = 0, np.inf

        def walk(count: Budget) -> float:
            bound.make_room()
            path = bound.walk(walks % GUIDES, least, rng, self.wide)
            return bound.back_up(path, least, count)

        while (left > precision or least > finest) and not budget.stopped:
            gained, before = 0.0, budget.spent
            for _ in range(ROUND):
                gained += walk(budget)
                walks += 1
                budget.report(walks, bound.value, None, bound.size, precision / max(left, precision))
                if budget.stopped:
                    break
            mean = gained / max(1, budget.spent - before)
            left = discount / (1 - discount) * mean
            if mean < SELDOM * least:
                least = max(finest, least / FINER)

        def repair() -> bool:
            nonlocal walks
            walk(Budget(None, None))
            walks += 1
            return not budget.over

        policy = close(bound, precision, LOSS * abs(bound.value), repair, budget.stopped != "seconds")
        return Solution(policy, policy.value(problem.start), None, walks, budget.seconds, budget.stopped or "converged")
