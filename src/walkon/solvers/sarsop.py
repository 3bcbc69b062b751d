"""SARSOP: proven lower and upper bounds, tightened where they matter for the start belief.

After Kurniawati, Hsu and Lee (2008) and heuristic search value iteration (Smith and Simmons 2005). The lower bound is a
set of vectors, the upper bound a set of beliefs with values; see `lower_bound` and `upper_kernels`. An exploration
follows from the start belief where optimal policies may lead: the action with the highest upper bound, and the
observation after which the bounds are furthest apart, weighted by its probability. It ends where the distance of the
bounds is less than half of that at the start, divided by gamma^t, since a value t steps away is discounted by gamma^t.
Then both bounds are backed up from its last belief to the first.

Explorations prove bounds, and walks (see `ascent`) find good plans. So each backup of an exploration is followed by
several of walks: by fewer, the less a backup of walks raises the lower bound compared with what one of an exploration
brings the bounds together. The solver stops when the bounds at the start belief are at most `gap` apart:

    upper - lower <= gap

Both bounds hold whenever it is stopped, with a margin for rounding on either side.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from walkon.arrays import Ints
from walkon.checks import share
from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.points.closing import close, warm_up
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.storage import extend
from walkon.solvers.points.upper_kernels import Uppers, back_up_both, explore, look, prune
from walkon.solvers.points.walk_kernels import GUIDES
from walkon.solvers.solution import Budget, Solution, Watch

ENOUGH = 30_000  # backups, if there is no other limit
WALKED = 8  # backups of walks for each of an exploration, at most
RARELY = 0.25  # at least, where walks hardly gain anything any more
SMOOTH = 0.5  # the weight of the latest gain in the average
SMALL = 1e-3  # the least gain of a backup, as a share of the distance of the bounds at the start
CLOSED = 1e-2  # the precision of the final evaluation of the vectors, as a share of the same
CLOSER = 0.5  # the distance that an exploration aims at, as a share of the same
DEEPER = 3  # the largest length of an exploration, in lengths of a walk
MOST = 2**22  # observations after all actions at all points of an exploration, at most
PRUNED = 100  # the least number of points before those that others imply are left out
OF_CHANGES = "changed", "before", "after"  # arrays with one entry for each change of a value
OF_POINTS = "q", "hope", "peak", "branch", "latest"  # arrays with one entry for each point, besides `value`


@dataclass(frozen=True, kw_only=True)
class Sarsop:
    """Solves a POMDP from below and above. The same seed gives the same policy, unless `seconds` run out.

    Attributes:
        gap: The distance of the bounds at the start belief at which to stop, in the unit of the rewards.
        backups: The largest number of backups; 30,000 if neither this nor `seconds` is given.
        seconds: The time limit, not counting the compilation of kernels. The last evaluation of the policy may take up
            to a quarter longer. With a time limit the result depends on the machine: prefer `backups`.
        wide: The share of walks that start from a random belief and not from the start belief; see `Ascent`.
    """

    gap: float = 1e-3
    backups: int | None = None
    seconds: float | None = None
    wide: float = 0.0

    solves: ClassVar[type] = POMDP

    def __post_init__(self) -> None:
        if not self.gap >= 0:
            raise InputError(f"gap is {self.gap}, expected a number that is not negative")
        share("wide", self.wide)
        Budget(self.backups, self.seconds)

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Explore, walk and back up until the bounds are close enough or a budget has run out."""
        if self.seconds is not None:
            warm_up(Sarsop(backups=20, gap=0))
        backups = ENOUGH if self.backups is None and self.seconds is None else self.backups
        budget, rng = Budget(backups, self.seconds, watch), np.random.default_rng(seed)
        below = LowerBound(problem, budget)
        above = UpperBound(below)
        iterations, walks, walked, rise, fall = 0, 0, 0.0, 0.0, 0.0

        def distance() -> float:
            return above.value + below.rounding - (below.value - below.margin)

        first = distance()
        while True:
            while distance() > self.gap and not budget.stopped:
                iterations += 1
                least = SMALL * (1 - problem.discount) * distance()
                above.make_room()
                before = distance()
                if walked > 0:
                    path = below.walk(walks % GUIDES, least, rng, self.wide)
                    gained = below.back_up(path, least, budget)
                    rise += SMOOTH * ((before - distance()) / len(path) - rise)
                    walked, walks = walked - len(path) if gained > 0 else 0.0, walks + 1
                else:
                    path = above.explore(CLOSER * distance(), least)
                    above.back_up(path, least, budget)
                    fall += SMOOTH * ((before - distance()) / len(path) - fall)
                    walked += min(
                        WALKED, max(RARELY, WALKED * math.sqrt(max(0.0, rise) / fall) if fall > 0 else WALKED)
                    ) * len(path)
                done = 1 - np.log(distance() / self.gap) / np.log(first / self.gap) if self.gap else 0.0
                budget.report(iterations, below.value, above.value, below.size, done)
            policy = close(below, CLOSED * distance(), 0.0, fewer=budget.stopped != "seconds")
            if distance() <= self.gap or budget.stopped:
                break  # else the closed set has a lower value at the start: continue
        stopped = "converged" if distance() <= self.gap else budget.stopped
        lower, upper = policy.value(problem.start), above.value + below.rounding
        return Solution(policy, lower, upper, iterations, budget.seconds, stopped)


class UpperBound:
    """Upper bounds at the points of a lower bound, interpolated at all other beliefs.

    They start from the fast informed bound and fall with every backup; see `upper_kernels`.
    """

    def __init__(self, below: LowerBound) -> None:
        A = below.model.R.shape[1]
        blocks = len(below.blocks.first) - 1
        self._below, self._many = below, PRUNED
        self.steps = max(1, min(DEEPER * below.steps, MOST // (A * len(below.branches.observation))))
        self.uppers = Uppers(
            value=np.full(0, np.inf),
            q=np.zeros((0, A)),
            hope=np.zeros((0, A)),
            peak=np.zeros(0),
            branch=np.zeros((0, A), np.int64),
            worth=np.zeros(0),
            stamp=np.zeros(0, np.int64),
            changed=np.zeros(0, np.int64),
            before=np.zeros(0, np.int64),
            after=np.zeros(0, np.int64),
            newest=np.zeros(blocks, np.int64),
            latest=np.zeros(0, np.int64),
            size=np.array([0, 1, 0]),
            weights=np.zeros(len(below.blocks.states)),
        )
        self.make_room()
        look(below.model, below.blocks, below.points, self.uppers, 0)

    @property
    def value(self) -> float:
        """The bound at the start."""
        return float(self.uppers.value[0])

    def explore(self, aim: float, least: float) -> Ints:
        """Make an exploration and return its points. There must be room for them."""
        if self.uppers.size[2] > self._many:
            prune(self._below.points, self.uppers, least)
            self._many = 2 * self.uppers.size[2] + PRUNED
        path = np.empty(self.steps, np.int64)
        return path[: explore(self._below.search, self.uppers, aim, least, path)]

    def back_up(self, path: Ints, least: float, budget: Budget) -> None:
        """Back up both bounds at the points of a path in reverse until the budget runs out."""
        for few in self._below.paced(path, budget):
            back_up_both(self._below.search, self.uppers, few, least)

    def make_room(self) -> None:
        """Make room for an exploration, the backups of its points, and their upper bounds."""
        uppers, below = self.uppers, self._below
        kept = below.make_room(self.steps, extend(uppers.latest > 0, len(below.points.block)))
        if kept is not None:
            number = np.zeros(len(uppers.value), np.int64)  # the new number of each point; all that are listed are kept
            number[kept] = np.arange(len(kept))
            fewer = {name: getattr(uppers, name)[kept] for name in ("value", *OF_POINTS)}
            uppers = uppers._replace(changed=number[uppers.changed], **fewer)
            uppers.branch[:] = -1  # what is known of their observations is worked out again
            uppers.size[0] = 0
        room = len(below.points.block)
        if len(uppers.value) < room:
            more = {name: extend(getattr(uppers, name), room) for name in OF_POINTS}
            uppers = uppers._replace(value=extend(uppers.value, room, np.inf), **more)
        wanted = uppers.size[0] + self.steps * uppers.q.shape[1] * len(below.branches.observation)
        if len(uppers.worth) < wanted:
            uppers = uppers._replace(worth=extend(uppers.worth, 2 * wanted), stamp=extend(uppers.stamp, 2 * wanted))
        wanted = uppers.size[1] + 2 * self.steps
        if len(uppers.changed) < wanted:
            more = {name: extend(getattr(uppers, name), 2 * wanted) for name in OF_CHANGES}
            uppers = uppers._replace(**more)
        self.uppers = uppers
