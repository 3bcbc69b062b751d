"""Ascent: a lower bound that rises along walks, the best of both where only a policy is wanted.

A walk begins at the start belief and draws a state and what follows. Four guides take turns: the best action in the
state that was drawn; the best action on average over the belief, both by the fast informed bound; the action of the
best vector so far; and a random one among those that may still be the best. Where a walk ends it turns, and its beliefs
are backed up from the last to the first, so that what was found at the end reaches the start in one go. (Guided by the
state alone this is forward search value iteration, Shani, Brafman and Shimony 2007.) Vectors that are the best at no
belief that was met are dropped, and so are beliefs that say nothing new; see `lower_bound`.

A round is a hundred walks. The ascent ends with a round that gained, on average over its backups, so little that even
if it went on gaining at the rate gamma, it would be small against the rewards:

    gamma/(1-gamma) mean gain <= tolerance (R_max - R_min)

Upper bounds on the actions save work: an action that cannot be better than what is there is not backed up.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.budget import Budget
from walkon.solvers.lower_bound import LowerBound
from walkon.solvers.solution import Solution, Watch
from walkon.solvers.walk_kernels import GUIDES

ROUND = 100  # walks


@dataclass(frozen=True, kw_only=True)
class Ascent:
    """Solves a POMDP from below, by guided walks. The same seed gives the same policy, unless the clock stops it.

    Attributes:
        backups: How many backups to make at most; None for as many as it takes to converge.
        tolerance: When it has converged, relative to the span of the rewards.
        seconds: How long to go on at most. A clock makes the result depend on the machine: prefer `backups`.
    """

    backups: int | None = None
    tolerance: float = 1e-5
    seconds: float | None = None

    solves: ClassVar[type] = POMDP

    def __post_init__(self) -> None:
        if not self.tolerance > 0:
            raise InputError(f"tolerance is {self.tolerance}, expected a positive number")
        Budget(self.backups, self.seconds, None)

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Walk and back up until a round gains too little to matter or a budget has run out."""
        budget, rng = Budget(self.backups, self.seconds, watch), np.random.default_rng(seed)
        bound = LowerBound(problem, budget)
        discount, precision = problem.discount, self.tolerance * np.ptp(problem.R)
        least = 0.1 * (1 - discount) * precision
        walks, left = 0, np.inf
        while left > precision and not budget.stopped:
            gained, before = 0.0, budget.spent
            for _ in range(ROUND):
                bound.make_room()
                path = bound.walk(walks % GUIDES, least, rng)
                gained += bound.back_up(path, least, budget)
                walks += 1
                budget.report(walks, bound.value, None, bound.size, precision / left)
                if budget.stopped:
                    break
            left = discount / (1 - discount) * gained / max(1, budget.spent - before)
        policy = bound.policy()
        lower = bound.value - bound.rounding
        return Solution(policy, lower, None, walks, budget.seconds, budget.stopped or "converged")
