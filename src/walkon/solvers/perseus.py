"""Perseus: randomised point-based value iteration (Spaan and Vlassis 2005).

The set of vectors V starts as the single vector R_min/(1-gamma), a lower bound on the value of every policy. A stage
builds V' from V: draw one of the beliefs at which V' is still below V, back it up, and add the new vector, or the best
vector of V there if the backup is no better; until V' is at least as good as V at every belief. One vector often
improves many beliefs, so a stage needs far fewer backups than there are beliefs. Every vector is the value of a plan,
so V is always a lower bound on the optimal value. But a stage discards the vectors that the new ones rely on, so the
policy of the last set need not earn V. `excess` computes a lower bound on its return, which often is no better than
the lowest reward for ever; the lower bounds of `Ascent` and `Sarsop` are proven for their policies.

Beliefs are gathered in ten rounds: first on walks that follow QMDP, then, once there are several vectors, on walks
that follow these, so that the beliefs lie where a good policy leads. But where few beliefs earn a reward, all of these
walks may miss them, by chance, and the values stay those of a policy that earns none. On walks that are `sighted`, the
action is the best one in the simulated state, as in forward search value iteration (Shani, Brafman and Shimony 2007),
which leads there. A stage may by chance draw only beliefs that
cannot be improved, so the gain is measured over a pass: consecutive stages with as many backups as there are
beliefs. A round ends after a pass whose mean gain over the beliefs is so small that, even if gains continued and shrank
only by gamma, their sum would be small compared with the rewards:

    gamma/(1-gamma) mean_b (V'(b) - V(b)) <= tolerance (R_max - R_min)

and ten times that in all rounds but the last, because the next round gains the rest at better beliefs.

The beliefs are those that can be reached on simulated walks from the start belief. A walk ends where nothing is left to
decide: where all of the belief is on states that no action leaves and where all actions pay the same. (A state that
only some actions do not leave is no such state.) Otherwise it ends when a step is discounted to less than 5 % of the
first.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from walkon.arrays import Bools, Floats, Ints
from walkon.checks import above, share, whole
from walkon.errors import InputError
from walkon.memory import check_memory
from walkon.models.belief import writable
from walkon.models.pomdp import POMDP
from walkon.models.stacked import Stacked
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.ties import TOLERANCE
from walkon.solvers.excess import proven
from walkon.solvers.gathering_kernels import walk
from walkon.solvers.perseus_kernels import Heights, improve, raise_values
from walkon.solvers.points.closing import warm_up
from walkon.solvers.score_kernels import in_columns
from walkon.solvers.solution import Budget, Solution, Watch
from walkon.solvers.upper_bounds import QMDP
from walkon.solvers.value_iteration import UNDISCOUNTED

ROUNDS = 10
MOST = 20_000  # numbers in vectors for which a bound is computed: for larger sets that takes long and seldom succeeds
EARLY = 10.0  # the tolerance of all rounds but the last is larger by this factor
RANDOM_WALKS = 0.05  # the share of walks with random actions only
RANDOM_ACTIONS = 0.1  # the share of random actions on the others
GIVE_UP = 20  # consecutive walks that find no new belief
BETWEEN_LOOKS = 16  # steps of a walk, or backups, after which the clock and the watch are looked at
GATHERING = 0.5  # the share of a round's seconds in which its beliefs are gathered, if there is a time limit
FEWER = "solve with fewer beliefs, or by walkon.Ascent()"
SAME = 9  # decimals to which two beliefs must agree to count as one


class BeliefSet:
    """A growing set of different beliefs of one problem, the start belief first."""

    def __init__(self, problem: POMDP) -> None:
        self._problem = problem
        self._finished = finished(problem)
        self._known: set[bytes] = set()
        self._rows: list[tuple[Ints, Floats]] = []
        self._add(problem.start)

    def __len__(self) -> int:
        return len(self._rows)

    def grow(
        self,
        wanted: int,
        guide: AlphaVectors,
        rng: np.random.Generator,
        wide: float = 0.0,
        late: Callable[[], bool] = lambda: False,
        sighted: float = 0.0,
        qmdp: AlphaVectors | None = None,
    ) -> None:
        """Follow the guide on walks until there are enough beliefs, no new ones are found, or it is `late`.

        A few walks take random actions only, and so does each walk after one that found nothing new: a deterministic
        guide would visit the same beliefs again. A share `wide` of the walks starts from the uniform belief, and a
        share that is `sighted` does what QMDP does in the simulated state.
        """
        fruitless = 0
        while len(self) < wanted and fruitless < GIVE_UP:
            before = len(self)
            free = fruitless > 0 or rng.random() < RANDOM_WALKS
            uniform = wide > 0 and rng.random() < wide
            seeing = sighted > 0 and rng.random() < sighted
            followed = qmdp if seeing else guide
            for beliefs in self._walk(None if free else followed, rng, uniform, wanted, seeing):
                for belief in beliefs:
                    self._add(belief)
                if late():
                    return
            fruitless = fruitless + 1 if len(self) == before else 0

    def matrix(self) -> Stacked:
        """Return the beliefs as the rows of a matrix."""
        supports, weights = zip(*self._rows, strict=True)
        sizes = np.cumsum([0, *map(len, supports)], dtype=np.uint32)
        return Stacked(sizes, np.concatenate(supports).astype(np.uint32), np.concatenate(weights))

    def _add(self, belief: Floats) -> None:
        support = np.flatnonzero(belief)
        key = support.tobytes() + belief[support].round(SAME).tobytes()
        if key not in self._known:
            self._known.add(key)
            self._rows.append((support, belief[support]))

    def _walk(
        self, guide: AlphaVectors | None, rng: np.random.Generator, uniform: bool, wanted: int, seeing: bool
    ) -> Iterator[Floats]:
        """Yield the beliefs of one walk from the start or the uniform belief, some at a time, while more are wanted.

        There are never more at a time than are wanted, so that no random number is drawn for a belief that is not.
        """
        problem = self._problem
        X, A = problem.R.shape
        belief, exact = np.full(X, 1 / X) if uniform else problem.start, np.empty((0, 2))
        state = int(rng.choice(X, p=belief))
        belief, columns, actions, free = writable(belief), np.zeros((X, 1)), np.zeros(1, dtype=np.int64), 1.0
        if guide is not None:  # Numba would compile the kernel again for read-only arrays
            columns, actions, free = writable(guide.columns), guide.actions.copy(), RANDOM_ACTIONS
        model = problem.transitions, problem.sensor_rows, columns, actions, A, TOLERANCE
        steps = math.ceil(math.log(0.05) / math.log(problem.discount)) if problem.discount else 1
        while steps > 0 and len(self) < wanted:
            found = np.empty((min(steps, wanted - len(self), BETWEEN_LOOKS), X))
            count, state, belief, exact = walk(*model, free, seeing, self._finished, state, belief, exact, rng, found)
            yield found[:count]
            steps -= len(found) if count == len(found) else steps


def finished(problem: POMDP) -> Bools:
    """Return the states in which nothing is left to decide, [X] bool."""
    stays = np.min([p.diagonal() for p in problem.P], axis=0) > 1 - 1e-12
    nothing_left: Bools = stays & (np.ptp(problem.R, axis=1) == 0)
    return nothing_left


@dataclass(frozen=True, kw_only=True)
class Perseus:
    """Solves a POMDP from below. The same seed gives the same policy, unless `seconds` run out.

    Attributes:
        beliefs: The number of different beliefs to gather.
        backups: The largest number of backups; None for as many as it takes to converge.
        tolerance: The convergence criterion of a round, relative to the range of the rewards.
        seconds: The time limit, not counting the compilation of kernels. With it the result depends on the machine:
            prefer `backups`.
        wide: The share of walks that start from the uniform belief and not from the start belief; see `Ascent`.
        sighted: The share of walks on which actions are chosen as if the state were seen. The published algorithm has
            none; 0.5 is recommended where rewards are rare.
    """

    beliefs: int = 1000
    backups: int | None = None
    tolerance: float = 5e-4
    seconds: float | None = None
    wide: float = 0.0
    sighted: float = 0.0

    solves: ClassVar[type] = POMDP

    def __post_init__(self) -> None:
        whole("beliefs", self.beliefs, 1, None)
        if not above(self.tolerance, 0):
            raise InputError(f"tolerance is {self.tolerance!r:.60}, expected a positive number")
        share("wide", self.wide)
        share("sighted", self.sighted)
        Budget(self.backups, self.seconds)

    def solve(self, problem: POMDP, *, seed: int = 0, watch: Watch | None = None) -> Solution[AlphaVectors]:
        """Gather beliefs and back them up until they have converged or a budget has run out."""
        if problem.discount == 1:
            raise InputError(UNDISCOUNTED)
        if self.seconds is not None:
            warm_up(Perseus(beliefs=20, backups=200), closes=False)
        budget, rng = Budget(self.backups, self.seconds, watch), np.random.default_rng(seed)
        X, A = problem.R.shape
        lowest = float(problem.R.min() / (1 - problem.discount))
        guide = QMDP().solve(problem, watch=lambda now: budget.preparing(now._replace(lower=lowest))).policy
        qmdp = guide
        vectors, actions = np.full((1, X), lowest), np.zeros(1, dtype=np.int64)
        beliefs, stages, value, end = BeliefSet(problem), 0, lowest, math.inf

        def late() -> bool:
            budget.report(stages, value, None, len(vectors), (round_ - 1) / ROUNDS)
            return bool(budget.stopped) or budget.seconds >= end

        for round_ in range(1, ROUNDS + 1):
            end = budget.seconds + GATHERING * budget.remaining / (ROUNDS - round_ + 1)
            beliefs.grow(max(1, self.beliefs * round_ // ROUNDS), guide, rng, self.wide, late, self.sighted, qmdp)
            points = beliefs.matrix()
            heights = _heights(points, vectors)
            precision = self.tolerance * np.ptp(problem.R) * (EARLY if round_ < ROUNDS else 1.0)
            left = np.inf
            while left > precision and not budget.stopped:
                before, until = heights.value, budget.spent + len(beliefs)
                while budget.spent < until and not budget.stopped:
                    vectors, actions, heights = _stage(problem, points, vectors, actions, heights, rng, budget)
                    stages += 1
                    done, value = (round_ - 1 + precision / left) / ROUNDS, float(heights.value[0])
                    budget.report(stages, value, None, len(vectors), done)
                left = problem.discount / (1 - problem.discount) * float((heights.value - before).mean())
            if budget.stopped:
                break
            if len(vectors) > 1:  # a single vector always takes the same action: such walks would not explore
                guide = AlphaVectors(vectors, actions, A)
        policy = AlphaVectors(vectors, actions, A)
        lower = proven(problem, policy) if vectors.size <= MOST else None
        return Solution(policy, lower, None, stages, budget.seconds, budget.stopped or "converged")


def _heights(points: Stacked, vectors: Floats) -> Heights:
    size = len(points.indptr) - 1
    heights = Heights(np.full(size, -np.inf), np.zeros(size, dtype=np.int64))
    for i, vector in enumerate(vectors):
        raise_values(points, vector, i, *heights)
    return heights


def _stage(
    problem: POMDP,
    points: Stacked,
    vectors: Floats,
    actions: Ints,
    old: Heights,
    rng: np.random.Generator,
    budget: Budget,
) -> tuple[Floats, Ints, Heights]:
    """Return the next set of vectors, at least as good as the last at every belief, with their actions.

    If the budget runs out during the stage, the old vectors stay for the beliefs that were not reached.
    """
    wanted = 8 * len(old.value) * vectors.shape[1] + 8 * vectors.size
    check_memory(wanted, f"vectors for {len(old.value):,} beliefs over {vectors.shape[1]:,} states", FEWER)
    model = problem.transitions, problem.sensor_rows, problem.R, problem.discount
    before = *model, vectors, in_columns(vectors), actions, problem.O[0].shape[1], points
    new = _heights(points, vectors[:0])
    size, count = len(old.value), 0
    made, chosen = np.empty((size, vectors.shape[1])), np.empty(size, dtype=np.int64)  # no belief needs two vectors
    waiting, left = np.arange(size), size
    while left and not budget.stopped:
        most = BETWEEN_LOOKS if budget.left is None else min(budget.left, BETWEEN_LOOKS)
        begun = count
        count, left = improve(*before, old, new, waiting, left, rng, most, made, chosen, count)
        budget.spend(count - begun)
    for i in np.unique(old.winner[waiting[:left]]):
        raise_values(points, vectors[i], count, *new)
        made[count], chosen[count] = vectors[i], actions[i]
        count += 1
    return made[:count], chosen[:count], new
