"""SARSOP: proven lower and upper bounds, tightened where they matter for the start belief.

After Kurniawati, Hsu and Lee (2008) and heuristic search value iteration (Smith and Simmons 2005). The lower bound is a
set of vectors, the upper bound a set of beliefs with values; see `lower_bound` and `upper_bound`. An exploration
follows from the start belief where optimal policies may lead: the action with the highest upper bound, and the
observation after which the bounds are furthest apart, weighted by its probability. It ends where the distance of the
bounds is less than a share of that at the start, divided by gamma^t, since a value t steps away is discounted by
gamma^t. Then both bounds are backed up from its last belief to the first. A large share and a small one take turns:
short explorations lower the upper bound where it matters most, and long ones find beliefs that the lower bound lacks.

Explorations prove bounds, and walks (see `ascent`) find good plans. So each exploration is followed by walks: by fewer,
the less they raise the lower bound compared with what explorations bring the bounds together, each for the same work. A
backup of an exploration can take ten times as long as one of a walk. So kernels count what they read (`Blocks.work`),
which follows the time and is the same on every machine. Now and then all points of the upper bound are backed up from
each other, in sweeps (see `upper_bound`); their gains and their work count with those of the exploration before. And
now and then the best vectors of the lower bound are evaluated together (see `evaluation`). With a time limit,
successors of vectors are kept at first where it would take too long to replace them at the end, as in `ascent`; but not
where walks are cut off while the future still counts, since such evaluations are soon worth more there.

The solver stops when the bounds at the start belief are at most `gap` apart:

    upper - lower <= gap

Both bounds hold whenever it is stopped, with a margin for rounding on either side.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from walkon.checks import above, share
from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.points.closing import close, slow, warm_up
from walkon.solvers.points.evaluation import Evaluation
from walkon.solvers.points.lower_bound import LONGEST, LowerBound
from walkon.solvers.points.upper_bound import UpperBound
from walkon.solvers.points.walk_kernels import GUIDES
from walkon.solvers.solution import Budget, Solution, Watch

ENOUGH = 30_000  # backups, if there is no other limit
WALKED = 1  # the work of walks for each unit of that of explorations and sweeps, at most
LIKELY = 1  # where both gain alike
RARELY = 0.3  # at least, where walks hardly gain anything any more
SMOOTH = 0.2  # the weight of the latest gain in the average
SMALL = 1e-3  # the least gain of a backup, as a share of the distance of the bounds at the start
CLOSED = 1e-2  # the precision of the final evaluation of the vectors, as a share of the same
CLOSER = 0.9, 0.3  # the distances that explorations aim at in turn, as a share of the same


@dataclass(frozen=True, kw_only=True)
class Sarsop:
    """Solves a POMDP from below and above. The same seed gives the same policy, unless `seconds` run out.

    Attributes:
        gap: The distance of the bounds at the start belief at which to stop, in the unit of the rewards.
        backups: The largest number of backups; 30,000 if neither this nor `seconds` is given.
        seconds: The time limit, not counting the compilation of kernels. The last evaluation of the policy may take up
            to a twentieth longer. With a time limit the result depends on the machine: prefer `backups`.
        wide: The share of walks that start from a random belief and not from the start belief; see `Ascent`.
    """

    gap: float = 1e-3
    backups: int | None = None
    seconds: float | None = None
    wide: float = 0.0

    solves: ClassVar[type] = POMDP

    def __post_init__(self) -> None:
        if not (above(self.gap, 0) or self.gap == 0):
            raise InputError(f"gap is {self.gap!r:.60}, expected a number that is not negative")
        share("wide", self.wide)
        Budget(self.backups, self.seconds)

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Explore, walk and back up until the bounds are close enough or a budget has run out."""
        if self.seconds is not None:
            warm_up(Sarsop(backups=200, gap=0))
        backups = ENOUGH if self.backups is None and self.seconds is None else self.backups
        budget, rng = Budget(backups, self.seconds, watch), np.random.default_rng(seed)
        below = LowerBound(problem, budget)
        below.keep = self.seconds is not None and slow(below) and below.steps < LONGEST
        above = UpperBound(below)
        iterations, walks, walked, rise, fall, slowest = 0, 0, 0.0, 0.0, 0.0, 0.0

        def distance() -> float:
            return above.value + below.rounding - (below.value - below.margin)

        first, highest, evaluation = distance(), below.value, Evaluation(below)
        while True:
            while distance() > self.gap and not budget.stopped:
                iterations += 1
                least = SMALL * (1 - problem.discount) * distance()
                evaluation.perhaps(CLOSED * distance())
                above.make_room()
                before, done = distance(), below.work
                if walked > 0 or budget.remaining < slowest:
                    path = below.walk(walks % GUIDES, least, rng, self.wide)
                    gained = below.back_up(path, least, budget)
                    work = below.work - done
                    rise += SMOOTH * ((before - distance()) / work - rise)
                    walked, walks = walked - work if gained > 0 else 0.0, walks + 1
                else:
                    began = budget.seconds
                    path = above.explore(CLOSER[(iterations - walks) % 2] * distance(), least)
                    above.back_up(path, least, budget)
                    if above.due:
                        above.sweep(fall, distance())
                    work = below.work - done
                    slowest = max(slowest, budget.seconds - began)  # as long as the clock is not looked at
                    fall += SMOOTH * ((before - distance()) / work - fall)
                    wanted = LIKELY * rise / fall if fall > 0 else WALKED
                    walked += min(WALKED, max(RARELY, wanted)) * work
                highest = max(highest, below.value)
                done = 1 - np.log(distance() / self.gap) / np.log(first / self.gap) if self.gap else 0.0
                budget.report(iterations, highest, above.value, below.size, done)
            policy = close(below, CLOSED * distance(), 0.0, fewer=budget.stopped != "seconds")
            if distance() <= self.gap or budget.stopped:
                break  # else the closed set has a lower value at the start: continue
        stopped = "converged" if distance() <= self.gap else budget.stopped
        lower, upper = policy.value(problem.start), above.value + below.rounding
        return Solution(policy, lower, upper, iterations, budget.seconds, stopped)
