"""The lower bound of a solver: vectors, and the points that they are kept for.

Every vector is the value of a plan, so their maximum is nowhere above the optimum. It starts from the simplest plans
and rises with every backup. A vector stays as long as it is the best at some point, or another one that stays counts on
it; where these are too many, only the best stay, and the gaps are closed at the end (see `closing`). Where there are
many more points than vectors, only the newest few of each vector's points stay; where the vectors fill the memory, only
the newer half.
"""

import math
from collections.abc import Iterator
from functools import cached_property
from time import perf_counter

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.policies.ties import TOLERANCE
from walkon.solvers.budget import Budget
from walkon.solvers.fast_informed_bound import FastInformedBound
from walkon.solvers.points.backup_kernels import Branches, Findings, Model, Search, averages
from walkon.solvers.points.belief_points import chosen, longer, no_points, roomier
from walkon.solvers.points.point_kernels import Points, count_wins, find_or_add, newest_of_each_winner
from walkon.solvers.points.simple_plans import simple_plans
from walkon.solvers.points.vector_kernels import Vectors, add_vector, count_on, needed
from walkon.solvers.points.vectors import moved, no_vectors, winners
from walkon.solvers.points.visible import blocks as find_blocks
from walkon.solvers.points.walk_kernels import back_up_in_reverse, walk
from walkon.solvers.value_iteration import ValueIteration

PRECISION = 1e-9  # relative
INFORMED = 1e-3  # how far the fast informed bound is brought down
BETWEEN_LOOKS = 0.05  # seconds
LONGEST = 300  # steps of a walk
CLOSING = 2.0, 0.2  # backups that a vector costs as much as at the end, if gaps have to be closed and if not
FADED = 0.05  # of the first step's weight: where a walk ends
REMEMBERED = 2**20  # observations, after which the best vector is remembered
MOST = 2**25  # numbers in vectors, beyond which the older half of the points goes: about 0.4 GB
CROWDED = 3  # vectors for each that is the best at some point, beyond which only these stay
MANY, FEW = 16, 4  # points for each vector: when there are too many, and how many then stay


class LowerBound:
    """Vectors and points of one problem, growing.

    Attributes:
        steps: How long a walk is at most.
        problem: What is solved.
        model, blocks, branches, vectors, points, findings: What the kernels take.
        closing: How many backups it costs as much as to close the set of vectors now.
    """

    def __init__(self, problem: POMDP, budget: Budget) -> None:
        """Start from the simplest plans, and from an upper bound that says which actions can be the best."""
        X, _ = problem.R.shape
        Z = problem.O[0].shape[1]
        self.problem = problem
        informed = FastInformedBound(epsilon=INFORMED).solve(problem, watch=budget.preparing).policy
        above = np.ascontiguousarray(informed.vectors.T)
        self.model = Model(problem.transitions, problem.sensor_rows, problem.R.copy(), problem.discount, above)
        self.blocks = find_blocks(problem)
        faded = math.ceil(math.log(FADED) / math.log(problem.discount)) if problem.discount else 1
        self.steps = min(faded, LONGEST)
        entries = X + max(o.nnz for o in problem.O)
        self.branches = Branches(
            np.empty(Z, np.int64),
            np.empty(Z + 1, np.int64),
            np.empty(entries, np.int32),
            np.empty(entries),
            np.zeros(X),
            np.empty(X, np.int64),
            np.zeros(Z, np.int64),
        )
        self.vectors = self._simplest()
        self.points = no_points()
        remembered = REMEMBERED + Z
        self.findings = Findings(
            np.zeros((0, problem.R.shape[1]), np.int64),
            np.empty(remembered, np.int64),
            np.empty(remembered),
            np.empty(remembered, np.int64),
            np.zeros(1, np.int64),
        )
        self._pace = 1
        self.closing, self._gaps = 0.0, False
        self._known = int(self.blocks.block.max()) + 1  # blocks, without one of the start's own
        self._largest = int(np.diff(self.blocks.first).max())
        self.make_room()
        seen = np.flatnonzero(problem.start)
        here = self.blocks.states[self.blocks.first[self.blocks.start] : self.blocks.first[self.blocks.start + 1]]
        slots = self.blocks.first[self.blocks.start] + np.flatnonzero(np.isin(here, seen))
        weights = problem.start[self.blocks.states[slots]]
        find_or_add(self.blocks, self.vectors, self.points, self.blocks.start, slots.astype(np.int32), weights)

    @property
    def search(self) -> Search:
        """What the kernels take, as it is now."""
        return Search(self.model, self.blocks, self.vectors, self.points, self.findings, self.branches)

    @property
    def value(self) -> float:
        """The bound at the start."""
        return float(self.points.value[0])

    @property
    def distance(self) -> float:
        """How far the bound at the start is from the fast informed bound."""
        return float(averages(self.blocks, self.points, 0, self.model.above).max()) - self.value

    @cached_property
    def worst(self) -> Floats:
        """What no plan can fall below: the value of the worst policy for one who sees the state, [X]."""
        problem = self.problem
        costs = MDP(problem.P, -problem.R, problem.start, problem.discount)
        solution = ValueIteration(epsilon=PRECISION).solve(costs)
        assert solution.upper is not None
        assert solution.lower is not None
        worst: Floats = -solution.policy.table.max(axis=1) - (solution.upper - solution.lower) / 2
        return worst

    @cached_property
    def rounding(self) -> float:
        """How far the sums behind a bound may be off: a rounding for each term, and again in each step to come."""
        terms = self.model.R.shape[0] + len(self.branches.observation)
        return float(self._largest_value * terms * np.finfo(float).eps / (1 - self.model.discount))

    @cached_property
    def tiny(self) -> float:
        """How far above the worst a vector has to be somewhere, in order to say something."""
        return self.rounding + PRECISION * float(abs(self.worst).max())

    @cached_property
    def margin(self) -> float:
        """What is proven less than the vectors say: for rounding, vectors left out, and ties, in each step to come."""
        return self.rounding + (self.tiny + TOLERANCE * self._largest_value) / (1 - self.model.discount)

    @cached_property
    def _largest_value(self) -> float:
        model = self.model
        return float(max(abs(model.above).max(), abs(model.R).max(), abs(self.worst).max()))

    @property
    def size(self) -> int:
        """How many vectors there are."""
        return int(self.vectors.held.sum())

    def walk(self, guide: int, least: float, rng: np.random.Generator, wide: float = 0.0) -> Ints:
        """The points of one walk. There must be room.

        Args:
            guide: Who says what to do.
            least: What has to be left to gain for the walk to go on.
            rng: For all chance.
            wide: How likely the walk begins anywhere: in a block at random, all of whose states are equally probable.
        """
        at = 0
        if wide and rng.random() < wide:
            blocks, slot = self.blocks, rng.integers(self.blocks.first[self._known])
            g = int(np.searchsorted(blocks.first, slot, side="right")) - 1
            slots = np.arange(blocks.first[g], blocks.first[g + 1], dtype=np.int32)
            weights = np.full(len(slots), 1 / len(slots))
            at = find_or_add(blocks, self.vectors, self.points, g, slots, weights)
        path = np.empty(self.steps, np.int64)
        luck = rng.random((self.steps, 4))
        return path[: walk(self.search, at, guide, least, luck, path)]

    def back_up(self, path: Ints, least: float, budget: Budget) -> float:
        """Back up the points of a path in reverse, as far as the budget goes; returns the sum of the gains.

        There must be room.
        """
        return sum(back_up_in_reverse(self.search, few, least) for few in self.paced(path, budget))

    def paced(self, path: Ints, budget: Budget) -> Iterator[Ints]:
        """A path in parts, the last first, so small that the clock is looked at every twentieth of a second."""
        left = path if budget.left is None else path[-budget.left :]
        while len(left) and not budget.stopped:
            left, few = left[: -self._pace], left[-self._pace :]
            began = perf_counter()
            yield few
            budget.reserved = self.closing
            budget.spend(len(few))
            self._pace = max(1, int(len(few) * BETWEEN_LOOKS / (perf_counter() - began)))

    def make_room(self, steps: int = 0, stay: npt.NDArray[np.bool_] | None = None) -> Ints | None:
        """Make room for `steps` steps, of a walk if not given; returns which points stayed, None if all did.

        Args:
            steps: How many points and vectors may come.
            stay: Which points have to stay.
        """
        wanted = steps or self.steps + 1  # a walk may bring its first point
        vectors, size = self.vectors, self.points.size[0]
        short = (vectors.held + wanted > np.diff(vectors.seat)).any()
        always = np.zeros(size, bool) if stay is None else stay[:size]
        kept = None
        if size > MANY * (self.size + wanted):
            count_wins(self.blocks, vectors, self.points)
            kept = newest_of_each_winner(vectors, self.points, FEW, always)
        elif short and vectors.held @ np.diff(self.blocks.first) > MOST:
            kept = np.flatnonzero((np.arange(size) == 0) | (np.arange(size) > size // 2) | always)
        if kept is not None:
            self.points = chosen(self.points, kept)
        self.points = roomier(self.points, wanted, wanted * self._largest)
        if short:
            self._move_vectors(wanted)
        if len(self.findings.first) < len(self.points.block):
            self.findings = self.findings._replace(first=longer(self.findings.first, len(self.points.block), -1))
        if kept is not None or short or self.findings.size[0] > 0.9 * REMEMBERED:
            self.forget()
        return kept

    def copy(self) -> tuple[Vectors, Points]:
        """The vectors, and the points with what they know about them: both are changed in place."""
        points, vectors = self.points, self.vectors
        known = {name: getattr(points, name).copy() for name in ("value", "winner", "looked", "size")}
        return vectors._replace(held=vectors.held.copy(), wins=vectors.wins.copy()), points._replace(**known)

    def forget(self) -> None:
        """Forget which vectors were best after which observations: they have other numbers now."""
        self.findings.first[:] = -1
        self.findings.size[0] = 0

    def _simplest(self) -> Vectors:
        """The vectors of the simplest plans. That of the blocks does not exist where no block is known yet."""
        blocks, problem = self.blocks, self.problem
        sizes = np.diff(blocks.first)
        unknown = blocks.start if blocks.start > blocks.block.max() else None
        base = self.model.above.max(axis=1)[blocks.states]
        simplest = np.full(len(sizes), problem.R.shape[1] + (blocks.block.max() > 0))
        if unknown is not None:
            simplest[unknown] -= 1
        vectors = no_vectors(blocks, simplest + self.steps + 1, base, simplest)
        for n, (value, action) in enumerate(simple_plans(problem, blocks, self.model.above)):
            itself = np.full(problem.O[0].shape[1], n)  # nothing leads into the block of the start, where it may miss
            for g in range(len(sizes)):
                states = blocks.states[blocks.first[g] : blocks.first[g + 1]]
                if g != unknown or (action == action[0]).all():
                    number = add_vector(blocks, vectors, g, value[states], action[states[0]])
                    count_on(blocks, vectors, g, number, itself)
        return vectors

    def _move_vectors(self, wanted: int) -> None:
        """Leave vectors behind that are not needed, and make room where it is short."""
        count_wins(self.blocks, self.vectors, self.points)
        stay, best = needed(self.blocks, self.vectors), winners(self.vectors)
        if stay.sum() > CROWDED * best.sum():
            stay, self._gaps = best, True
        self.closing = CLOSING[0] * best.sum() if self._gaps else CLOSING[1] * stay.sum()
        held, rooms = self.vectors.held, np.diff(self.vectors.seat)
        alive = np.add.reduceat(stay, self.vectors.seat[:-1])
        more = np.where(held + wanted > rooms, alive // 2 + 2 * wanted, rooms - alive)
        self.vectors = moved(self.blocks, self.vectors, self.points, stay, more)
