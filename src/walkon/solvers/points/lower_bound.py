"""The lower bound of a solver: vectors, and the belief points they are kept for.

Every vector is the value of a plan, so their maximum is nowhere above the optimum. It starts from the simplest plans
and rises with every backup. A vector stays as long as it is the best at some point or a successor of one that stays;
if these are too many, only the best stay, and the missing successors are replaced at the end (see `closing`). If there
are many more points than vectors, or they need too much memory, only the newest points of each vector stay; if the
vectors need too much memory, only the newer half of the points.

Each block has room for the vectors of a walk. If that would take too much memory, because there are many blocks of many
states, room is made where a walk leads.
"""

import math
from collections.abc import Iterator
from functools import cached_property
from time import perf_counter

import numpy as np

from walkon.arrays import Bools, Floats, Ints
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.policies.ties import TOLERANCE
from walkon.solvers.points import storage
from walkon.solvers.points.backup_kernels import Branches, Findings, Model, Search, averages
from walkon.solvers.points.point_kernels import Points, count_wins, find_or_add, newest_of_each_winner
from walkon.solvers.points.vector_kernels import Vectors, add_plan, needed
from walkon.solvers.points.visible import find_blocks, simple_plans
from walkon.solvers.points.walk_kernels import back_up_in_reverse, walk
from walkon.solvers.solution import Budget, Progress
from walkon.solvers.upper_bounds import FastInformedBound
from walkon.solvers.value_iteration import ValueIteration

PRECISION = 1e-9  # relative
INFORMED = 1e-3  # the precision of the fast informed bound
BETWEEN_LOOKS = 0.05  # seconds between two looks at the clock
LONGEST = 300  # steps of a walk
CLOSING = 2.0, 0.2  # the cost per vector of closing the set, in backups, with missing successors and without
FADED = 0.05  # the discount of a step, relative to the first, at which a walk ends
REMEMBERED = 2**20  # observations for which the best vector is remembered
MOST = 2**25  # numbers in vectors, about 0.4 GB, beyond which the older half of the points is dropped
KEPT = 2**27  # numbers in vectors beyond which successors do not stay in any case
FULL = 2**25  # numbers in points, beyond which they are thinned out
ROOMY = 2**19  # numbers, 6 MB: more are not kept free in all blocks for the vectors of a walk, but only where it leads
LARGE, SPARE = 20_000, 2**22  # states of a block beyond which it gets room for so many more numbers only
CROWDED = 3  # vectors for each one that is best at some point, beyond which only these stay
MANY, FEW = 16, 4  # points for each vector: the number that is too many, and the number that then stays


class LowerBound:
    """The growing sets of vectors and points of one problem.

    Attributes:
        steps: The largest length of a walk.
        problem, budget: The problem to solve, and the budget for it.
        model, blocks, branches, vectors, points, findings: The arguments of the kernels.
        closing: The cost of closing the set of vectors now, in backups.
        keep: Whether successors stay even if they are many, because there will be no time to replace them.
    """

    def __init__(self, problem: POMDP, budget: Budget) -> None:
        """Start from the simplest plans, and from an upper bound that rules out actions."""
        (X, A), Z = problem.R.shape, problem.O[0].shape[1]
        self.problem, self.budget = problem, budget
        informed = FastInformedBound(epsilon=INFORMED).solve(problem, watch=budget.preparing).policy
        above = informed.columns.copy()
        self.model = Model(problem.transitions, problem.sensor_rows, problem.R.copy(), problem.discount, above)
        self.blocks = find_blocks(problem)
        faded = math.ceil(math.log(FADED) / math.log(problem.discount)) if problem.discount else 1
        self.steps = min(faded, LONGEST)
        self._roomy = len(self.blocks.first) == 2 or self.steps * len(self.blocks.states) <= ROOMY
        entries = X + max(o.nnz for o in problem.O)
        slots = np.empty(entries, np.int32)
        self.branches = Branches(_ints(Z), _ints(Z + 1), slots, np.empty(entries), np.zeros(X), _ints(X), _ints(Z))
        self.vectors = self._simplest()
        self.worst = self._worst()  # [X]: the value of the worst policy that knows the state; no plan has a lower one
        self.points = storage.no_points()
        room = REMEMBERED + Z
        self.findings = Findings(_ints((0, A)), _ints(room), np.empty(room), _ints(room), _ints(1))
        self._pace = 1
        self._most = MOST  # numbers in vectors
        self._held = 0  # the numbers in points after points were last left out
        self._stayed = 0  # the number of points that had to stay when points were last left out
        self.closing, self._gaps, self.keep = 0.0, False, False
        self._known = int(self.blocks.block.max()) + 1  # the number of blocks, without an extra one for the start
        self._largest = int(np.diff(self.blocks.first).max())
        self.make_room()
        seen = np.flatnonzero(problem.start)
        here = self.blocks.states[self.blocks.first[self.blocks.start] : self.blocks.first[self.blocks.start + 1]]
        slots = self.blocks.first[self.blocks.start] + np.flatnonzero(np.isin(here, seen))
        weights = problem.start[self.blocks.states[slots]]
        find_or_add(self.blocks, self.vectors, self.points, self.blocks.start, slots.astype(np.int32), weights)

    @property
    def search(self) -> Search:
        """The current arguments of the kernels."""
        return Search(self.model, self.blocks, self.vectors, self.points, self.findings, self.branches)

    @property
    def value(self) -> float:
        """The bound at the start."""
        return float(self.points.value[0])

    @property
    def large(self) -> bool:
        """Whether there is a block of so many states that memory runs out before time does."""
        return self._largest > LARGE

    @property
    def work(self) -> float:
        """What kernels have done so far, as `Blocks` counts it."""
        return float(self.blocks.work[0])

    @property
    def distance(self) -> float:
        """The distance from the bound at the start to the fast informed bound."""
        return float(averages(self.blocks, self.points, 0, self.model.above).max()) - self.value

    def _worst(self) -> Floats:
        problem = self.problem
        costs = MDP(problem.P, -problem.R, problem.start, problem.discount)
        solution = ValueIteration(epsilon=PRECISION).solve(costs, watch=self.budget.preparing)
        assert solution.upper is not None
        assert solution.lower is not None
        worst: Floats = -solution.policy.table.max(axis=1) - (solution.upper - solution.lower) / 2
        return worst

    @cached_property
    def rounding(self) -> float:
        """A bound on rounding errors: one for each term of a sum, in this step and all later ones."""
        terms = self.model.R.shape[0] + len(self.branches.observation)
        return float(self._largest_value * terms * np.finfo(float).eps / (1 - self.model.discount))

    @cached_property
    def tiny(self) -> float:
        """The least height above the worst plan, somewhere, of a vector that is kept."""
        return self.rounding + PRECISION * float(abs(self.worst).max())

    @cached_property
    def margin(self) -> float:
        """The margin below the vectors that is proven: for rounding, omitted vectors and ties, in all later steps."""
        return self.rounding + (self.tiny + TOLERANCE * self._largest_value) / (1 - self.model.discount)

    @cached_property
    def _largest_value(self) -> float:
        model = self.model
        return float(max(abs(model.above).max(), abs(model.R).max(), abs(self.worst).max()))

    @property
    def size(self) -> int:
        """The number of vectors."""
        return int(self.vectors.held.sum())

    def walk(self, guide: int, least: float, rng: np.random.Generator, wide: float = 0.0) -> Ints:
        """Make a walk, which ends where no gain above `least` is possible, and return its points.

        There must be room for them. With the probability `wide`, it starts from the uniform belief over a random block.
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
        """Back up the points of a path in reverse until the budget runs out; return the sum of the gains."""
        return sum(back_up_in_reverse(self.search, few, least) for few in self.paced(path, budget))

    def paced(self, path: Ints, budget: Budget) -> Iterator[Ints]:
        """Yield a path in parts, the last first, so small that the clock is read every 50 ms."""
        left = path if budget.left is None else path[-budget.left :]
        wanted = np.bincount(self.points.block[left], minlength=len(self.vectors.held))
        if (self.vectors.held + wanted > np.diff(self.vectors.first)).any():
            self._move_vectors(wanted)
            self.forget()
        while len(left) and not budget.stopped:
            left, few = left[: -self._pace], left[-self._pace :]
            began = perf_counter()
            yield few
            budget.reserved = self.closing
            budget.spend(len(few))
            self._pace = max(1, int(len(few) * BETWEEN_LOOKS / (perf_counter() - began)))

    def make_room(self, steps: int = 0, stay: Bools | None = None) -> Ints | None:
        """Make room for a point and a vector in each step, by default those of a walk.

        Return the points that stay, including those that must (`stay`); None for all.
        """
        wanted = steps or self.steps + 1  # the first point of a walk may be new
        self.vectors = storage.with_columns(self.blocks, self.vectors)
        held, size = self.vectors.held, self.points.size[0]
        numbers = int(held @ np.diff(self.blocks.first))
        crowded = held + wanted > np.diff(self.vectors.first)
        short = bool(crowded.any()) if self._roomy else numbers > self._most  # `paced` makes room where a path leads
        always = np.zeros(size, bool) if stay is None else stay[:size]
        kept = None
        entries = self.points.first[size]
        if size > max(MANY * (self.size + wanted), 2 * self._stayed) or entries > max(FULL, 2 * self._held):
            self._stayed = int(always.sum())
            count_wins(self.blocks, self.vectors, self.points)
            kept = newest_of_each_winner(self.vectors, self.points, FEW, always)
        elif short and numbers > MOST:
            kept = np.flatnonzero((np.arange(size) == 0) | (np.arange(size) > size // 2) | always)
        if kept is not None:
            self.points = storage.select_points(self.points, kept)
            self._held = int(self.points.first[len(kept)])
        self.points = storage.extend_points(self.points, wanted, wanted * self._largest)
        if short:
            self._move_vectors(np.full(len(held), wanted if self._roomy else 0))
            self._most = max(MOST, 2 * int(self.vectors.held @ np.diff(self.blocks.first)))
        if len(self.findings.first) < len(self.points.block):
            self.findings = self.findings._replace(
                first=storage.extend(self.findings.first, len(self.points.block), -1)
            )
        if kept is not None or short or self.findings.size[0] > 0.9 * REMEMBERED:
            self.forget()
        return kept

    def copy(self) -> tuple[Vectors, Points]:
        """Copy the vectors and points, as far as kernels change them in place, without the columns."""
        points, vectors = self.points, storage.without_columns(self.vectors)
        known = {name: getattr(points, name).copy() for name in ("value", "winner", "looked", "size")}
        return vectors._replace(held=vectors.held.copy(), wins=vectors.wins.copy()), points._replace(**known)

    def restore(self, copy: tuple[Vectors, Points]) -> None:
        """Return to what was copied; there must have been no walks in between."""
        vectors, self.points = copy
        self.vectors = storage.with_columns(self.blocks, vectors)
        self.forget()

    def replace(self, vectors: Vectors) -> None:
        """Take other vectors, and compare all points with them."""
        self.vectors, n = storage.with_columns(self.blocks, vectors), self.points.size[0]
        self.points.value[:n], self.points.looked[:n] = -np.inf, 0
        self.forget()
        count_wins(self.blocks, self.vectors, self.points)

    def keep_all(self) -> None:
        """Keep all successors from now on, unless they need too much memory; none may be missing."""
        self.keep, self._gaps = True, False

    def forget(self) -> None:
        """Forget which vectors were best after which observations, because their numbers have changed."""
        self.findings.first[:] = -1
        self.findings.size[0] = 0

    def _simplest(self) -> Vectors:
        """Return the vectors of the simplest plans; a start across blocks has none for the plan of the blocks."""
        blocks, problem = self.blocks, self.problem
        sizes = np.diff(blocks.first)
        unknown = blocks.start if blocks.start > blocks.block.max() else None
        base = self.model.above.max(axis=1)[blocks.states]
        simplest = np.full(len(sizes), problem.R.shape[1] + (blocks.block.max() > 0))
        if unknown is not None:
            simplest[unknown] -= 1
        vectors = storage.no_vectors(blocks, simplest + (self.steps + 1 if self._roomy else 1), base, simplest)
        nothing = Progress(0, 0.0, None, None, len(problem.start), 0.0)
        plans = simple_plans(problem, blocks, self.model.above, lambda: self.budget.preparing(nothing))
        for n, (value, action) in enumerate(plans):
            itself = np.full(problem.O[0].shape[1], n)  # the start's own block may lack one, but is never a successor
            for g in range(len(sizes)):
                states = blocks.states[blocks.first[g] : blocks.first[g + 1]]
                if g != unknown or (action == action[0]).all():
                    add_plan(blocks, vectors, g, value[states], action[states[0]], itself)
        return vectors

    def _move_vectors(self, wanted: Ints) -> None:
        """Drop the vectors that are not needed, and make room in blocks with less than is wanted in each."""
        count_wins(self.blocks, self.vectors, self.points)
        stay, best = needed(self.blocks, self.vectors), storage.winners(self.vectors)
        sizes, starts = np.diff(self.blocks.first), self.vectors.first[:-1]
        large = self.large and np.add.reduceat(stay, starts) @ sizes > (KEPT if self.keep else MOST)
        if large or (stay.sum() > CROWDED * best.sum() and not self.keep):
            stay, self._gaps = best, True
        fixed = self.vectors.fixed.sum()  # which need no closing
        self.closing = CLOSING[0] * (best.sum() - fixed) if self._gaps else CLOSING[1] * (stay.sum() - fixed)
        held, rooms = self.vectors.held, np.diff(self.vectors.first)
        alive = np.add.reduceat(stay, starts)
        spare = np.where(sizes > LARGE, np.minimum(alive // 2, SPARE // sizes), alive // 2)
        more = spare + 2 * wanted + 1
        if self._roomy:
            more = np.where(held + wanted > rooms, spare + 2 * wanted, rooms - alive)
        self.vectors = storage.without_columns(self.vectors)
        self.vectors = storage.move_vectors(self.blocks, self.vectors, self.points, stay, more)
        self.vectors = storage.with_columns(self.blocks, self.vectors)


def _ints(shape: int | tuple[int, ...]) -> Ints:
    return np.zeros(shape, np.int64)
