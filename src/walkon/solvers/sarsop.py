"""SARSOP: proven bounds from both sides, drawn together where they matter for the start.

In the manner of Kurniawati, Hsu and Lee (2008) and of heuristic search value iteration (Smith and Simmons 2005). The
lower bound is a set of vectors, the upper bound a set of beliefs with values; see `lower_bound` and `upper_kernels`. An
exploration goes from the start belief where optimal policies may lead: to the action with the highest upper bound, and
to the reading after which the bounds are furthest apart, weighted by its probability. It turns where they are closer
than half their distance at the start, divided by gamma^t, since what is t steps away counts gamma^t as much. Then both
bounds are backed up from its last belief to the first.

Explorations are good at proof, and walks (see `ascent`) at finding good plans. So for every backup of an exploration
there are some of walks. It stops when the bounds at the start belief are at most `gap` apart:

    upper - lower <= gap

and both bounds hold whenever it is stopped. A margin for rounding is left on either side.
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
from walkon.solvers.points.upper_bound import UpperBound
from walkon.solvers.points.walk_kernels import GUIDES
from walkon.solvers.points.warm_up import warm_up
from walkon.solvers.solution import Solution, Watch

ENOUGH = 30_000  # backups, if nobody says how many
WALKED = 8  # backups on walks for each on an exploration, which costs about as much
SMALL = 1e-3  # what a backup has to gain, of the distance of the bounds at the start
CLOSED = 1e-2  # how precisely vectors are evaluated at the end, of the same
CLOSER = 0.5  # what an exploration aims at, of the distance of the bounds at the start


@dataclass(frozen=True, kw_only=True)
class Sarsop:
    """Solves a POMDP from both sides. The same seed gives the same policy, unless the clock stops it.

    Attributes:
        gap: How close the bounds at the start belief have to come, in the unit of the rewards.
        backups: How many backups to make at most; 30,000 if neither this nor `seconds` is given.
        seconds: How long to go on at most, once the kernels are compiled. A clock makes the result depend on the
            machine: prefer `backups`.
        wide: The share of walks that begin anywhere and not at the start; see `Ascent`.
    """

    gap: float = 1e-3
    backups: int | None = None
    seconds: float | None = None
    wide: float = 0.0

    solves: ClassVar[type] = POMDP

    def __post_init__(self) -> None:
        if not self.gap >= 0:
            raise InputError(f"gap is {self.gap}, expected a number that is not negative")
        check_share("wide", self.wide)
        Budget(self.backups, self.seconds)

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Explore, walk and back up until the bounds are close enough or a budget has run out."""
        if self.seconds is not None:
            warm_up(Sarsop(backups=20, gap=0))
        backups = ENOUGH if self.backups is None and self.seconds is None else self.backups
        budget, rng = Budget(backups, self.seconds, watch), np.random.default_rng(seed)
        below = LowerBound(problem, budget)
        above = UpperBound(below)
        iterations, walks, walked = 0, 0, 0

        def distance() -> float:
            return above.value + below.rounding - (below.value - below.margin)

        first = distance()
        while True:
            while distance() > self.gap and not budget.stopped:
                iterations += 1
                least = SMALL * (1 - problem.discount) * distance()
                above.make_room()
                if walked > 0:
                    path = below.walk(walks % GUIDES, least, rng, self.wide)
                    gained = below.back_up(path, least, budget)
                    walked, walks = walked - len(path) if gained > 0 else 0, walks + 1
                else:
                    path = above.explore(CLOSER * distance(), least)
                    above.back_up(path, least, budget)
                    walked += WALKED * len(path)
                done = 1 - np.log(distance() / self.gap) / np.log(first / self.gap) if self.gap else 0.0
                budget.report(iterations, below.value, above.value, below.size, done)
            policy = close(below, CLOSED * distance(), 0.0, fewer=budget.stopped != "seconds")
            if distance() <= self.gap or budget.stopped:
                break  # else the closed set was worth less at the start: go on
        stopped = "converged" if distance() <= self.gap else budget.stopped
        lower, upper = policy.value(problem.start), above.value + below.rounding
        return Solution(policy, lower, upper, iterations, budget.seconds, stopped)
