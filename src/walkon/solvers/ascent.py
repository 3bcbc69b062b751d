"""Ascent: a lower bound that rises along walks; the fast way to a good policy.

A walk begins at the start belief and draws a state and what follows. Three guides take turns: the best action in the
state that was drawn, and the best action on average over the belief, both by the fast informed bound; and the action
of the best vector so far. One step in ten takes any action that may still be the best. Where a walk ends it turns, and
its beliefs are backed up from the last to the first, so that what was found at the end reaches the start in one go.
(Guided by the state alone this is forward search value iteration, Shani, Brafman and Shimony 2007.) Vectors that are
the best at no belief that was met are dropped, and so are beliefs that say nothing new; see `lower_bound`.

A round is a hundred walks. The ascent ends with a round that gained, on average over its backups, so little that even
if it went on gaining at the rate gamma, it would be small against the rewards:

    gamma/(1-gamma) mean gain <= tolerance (R_max - R_min)

A backup whose gain is too small to be worth a vector is dropped. What is too small is coarse at first, and finer when
few backups gain more; a round counts only once it is as fine as the tolerance asks for.

Upper bounds on the actions save work: an action that cannot be better than what is there is not backed up.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.budget import Budget, check_share
from walkon.solvers.points.closing import close
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.walk_kernels import GUIDES
from walkon.solvers.points.warm_up import warm_up
from walkon.solvers.solution import Solution, Watch

ROUND = 100  # walks
COARSEST = 1e-3  # what a vector has to gain at first, of what is left to gain at the start
FINEST = 0.1  # and at last, of the tolerance
FINER = 4.0  # by how much it falls
SELDOM = 0.25  # when the mean gain is so much smaller
LOSS = 1e-4  # of the bound at the start: what a policy with fewer vectors may cost


@dataclass(frozen=True, kw_only=True)
class Ascent:
    """Solves a POMDP from below, by guided walks. The same seed gives the same policy, unless the clock stops it.

    Attributes:
        backups: How many backups to make at most; None for as many as it takes to converge.
        tolerance: When it has converged, relative to the span of the rewards.
        seconds: How long to go on at most, once the kernels are compiled. A clock makes the result depend on the
            machine: prefer `backups`.
        wide: The share of walks that begin anywhere and not at the start. An agent that mixes policies comes to beliefs
            to which none of them alone would lead; there it needs policies that know them. The bound is at the
            problem's own start all the same.
    """

    backups: int | None = None
    tolerance: float = 1e-4
    seconds: float | None = None
    wide: float = 0.0

    solves: ClassVar[type] = POMDP

    def __post_init__(self) -> None:
        if not self.tolerance > 0:
            raise InputError(f"tolerance is {self.tolerance}, expected a positive number")
        check_share("wide", self.wide)
        Budget(self.backups, self.seconds)

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Walk and back up until a round gains too little to matter or a budget has run out."""
        if self.seconds is not None:
            warm_up(Ascent(backups=20))
        budget, rng = Budget(self.backups, self.seconds, watch), np.random.default_rng(seed)
        bound = LowerBound(problem, budget)
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
