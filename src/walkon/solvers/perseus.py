"""Perseus: randomised point-based value iteration (Spaan and Vlassis 2005).

The set of vectors V starts as the single vector R_min/(1-gamma), which no policy can fall below. A stage makes V'
from V: of the beliefs whose value V' does not yet reach, draw one, back it up, and add the new vector, or V's own
best vector there if the backup is no better; until V' is at least as good as V at every belief. One vector often
lifts many beliefs, so a stage needs far fewer backups than there are beliefs. Every vector is the value of a plan:
V is a lower bound on the optimal value, always. But a stage forgets the vectors that the new ones count on, so the
policy that the last set stands for need not earn V. What it earns at least is found by `excess`, and often that is no
more than the rewards say; `Ascent` and `Sarsop` prove what they promise.

Beliefs are gathered in ten rounds: first on walks that follow QMDP, then, once there are several vectors, on walks
that follow these, so that they lie where a good policy goes. A stage may by chance try only beliefs where nothing is
to be gained, so stages are judged together: those that follow one another until there were as many backups as there
are beliefs. A round ends when such a pass gained, on average over the beliefs, so little that even if it went on
gaining at the rate gamma, it would be small against the rewards:

    gamma/(1-gamma) mean_b (V'(b) - V(b)) <= tolerance (R_max - R_min)

and ten times that in all rounds but the last: what a round would still gain, the next gains at better beliefs.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.models.stacked import Stacked
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.belief_set import BeliefSet
from walkon.solvers.budget import Budget, check_share
from walkon.solvers.excess import proven
from walkon.solvers.perseus_kernels import backup, height, raise_values
from walkon.solvers.qmdp import QMDP
from walkon.solvers.solution import Solution, Watch

ROUNDS = 10
MOST = 20_000  # numbers in vectors for which a proof is looked for: of larger sets it is seldom found, and takes long
EARLY = 10.0  # how much sooner a round ends that is not the last


@dataclass(frozen=True, kw_only=True)
class Perseus:
    """Solves a POMDP from below. The same seed gives the same policy, unless the clock stops it.

    Attributes:
        beliefs: How many different beliefs to gather.
        backups: How many backups to make at most; None for as many as it takes to converge.
        tolerance: When a round has converged, relative to the span of the rewards.
        seconds: How long to go on at most. A clock makes the result depend on the machine: prefer `backups`.
        wide: The share of walks that begin with a belief spread over all states, and not at the start; see `Ascent`.
    """

    beliefs: int = 1000
    backups: int | None = None
    tolerance: float = 5e-4
    seconds: float | None = None
    wide: float = 0.0

    solves: ClassVar[type] = POMDP

    def __post_init__(self) -> None:
        if self.beliefs < 1:
            raise InputError(f"beliefs is {self.beliefs}, expected at least 1")
        if not self.tolerance > 0:
            raise InputError(f"tolerance is {self.tolerance}, expected a positive number")
        check_share("wide", self.wide)
        Budget(self.backups, self.seconds)

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Gather beliefs and back them up until they have converged or a budget has run out."""
        budget, rng = Budget(self.backups, self.seconds, watch), np.random.default_rng(seed)
        X, A = problem.R.shape
        guide = QMDP().solve(problem).policy
        lowest = problem.R.min() / (1 - problem.discount)
        policy = AlphaVectors(np.full((1, X), lowest), [0], A)
        beliefs, stages = BeliefSet(problem), 0
        for round_ in range(1, ROUNDS + 1):
            beliefs.grow(max(1, self.beliefs * round_ // ROUNDS), guide, rng, self.wide)
            points = beliefs.matrix()
            heights = _heights(points, policy.vectors)
            precision = self.tolerance * np.ptp(problem.R) * (EARLY if round_ < ROUNDS else 1.0)
            left = np.inf
            while left > precision and not budget.stopped:
                before, until = heights.value, budget.spent + len(beliefs)
                while budget.spent < until and not budget.stopped:
                    policy, heights = _stage(problem, beliefs, points, policy, heights, rng, budget)
                    stages += 1
                    done = (round_ - 1 + precision / left) / ROUNDS
                    budget.report(stages, float(heights.value[0]), None, len(policy.vectors), done)
                left = problem.discount / (1 - problem.discount) * float((heights.value - before).mean())
            if len(policy.vectors) > 1:  # one vector always does the same: such walks would lead nowhere
                guide = policy
        lower = proven(problem, policy) if policy.vectors.size <= MOST else None
        return Solution(policy, lower, None, stages, budget.seconds, budget.stopped or "converged")


class _Heights(NamedTuple):
    """What a set of vectors is worth at each belief, and which of them is the best there."""

    value: Floats  # [beliefs]
    winner: npt.NDArray[np.int64]  # [beliefs]


def _heights(points: Stacked, vectors: Floats) -> _Heights:
    size = len(points.indptr) - 1
    heights = _Heights(np.full(size, -np.inf), np.zeros(size, dtype=np.int64))
    for i, vector in enumerate(vectors):
        raise_values(points, vector, i, *heights)
    return heights


def _stage(
    problem: POMDP,
    beliefs: BeliefSet,
    points: Stacked,
    policy: AlphaVectors,
    old: _Heights,
    rng: np.random.Generator,
    budget: Budget,
) -> tuple[AlphaVectors, _Heights]:
    """The next set of vectors, at least as good as the last at every belief.

    If the budget runs out in the middle, the vectors whose beliefs were not reached are kept as they are.
    """
    columns = np.ascontiguousarray(policy.vectors.T, dtype=np.float32)
    new = _heights(points, policy.vectors[:0])
    vectors: list[Floats] = []
    actions: list[int] = []

    def add(vector: Floats, action: int) -> None:
        raise_values(points, vector, len(vectors), *new)
        vectors.append(vector)
        actions.append(action)

    open_ = np.arange(len(beliefs))
    while len(open_) and not budget.stopped:
        at = int(open_[rng.integers(len(open_))])
        vector, action = backup(
            problem.transitions,
            problem.sensor_rows,
            problem.R,
            problem.discount,
            policy.vectors,
            columns,
            problem.O[0].shape[1],
            beliefs[at],
        )
        budget.spend()
        if height(points, at, vector) >= old.value[at]:
            add(vector, action)
        else:
            add(policy.vectors[old.winner[at]], int(policy.actions[old.winner[at]]))
        open_ = open_[new.value[open_] < old.value[open_]]
    for i in np.unique(old.winner[open_]):
        add(policy.vectors[i], int(policy.actions[i]))
    return AlphaVectors(vectors, actions, policy.action_count), new
