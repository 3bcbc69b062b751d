"""The lower bound of a solver: vectors, and the points that they are kept for.

Every vector is the value of a plan, so their maximum is nowhere above the optimum. It starts from the simplest plans
and rises with every backup. A vector stays as long as it is the best at some point. Where there are many more points
than vectors, only the newest few of each vector's points stay; where the vectors fill the memory, only the newer half.
"""

import math
from collections.abc import Iterator
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from walkon.models.distributions import Floats, Ints
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.backup_kernels import Branches, Findings, Model, averages
from walkon.solvers.budget import Budget
from walkon.solvers.fast_informed_bound import FastInformedBound
from walkon.solvers.point_kernels import count_wins, find_or_add, newest_of_each_winner
from walkon.solvers.points import chosen, longer, no_points, roomier
from walkon.solvers.simple_plans import simple_plans
from walkon.solvers.value_iteration import ValueIteration
from walkon.solvers.vector_kernels import Vectors, add_vector, move_winners, rows_of
from walkon.solvers.visible import blocks as find_blocks
from walkon.solvers.walk_kernels import back_up_in_reverse, walk

PRECISION = 1e-9  # relative
INFORMED = 1e-3  # how far the fast informed bound is brought down
BETWEEN_LOOKS = 0.05  # seconds
LONGEST = 300  # steps of a walk
FADED = 0.05  # of the first step's weight: where a walk ends
REMEMBERED = 2**20  # readings, after which the best vector is remembered
MOST = 2**25  # numbers in vectors, beyond which the older half of the points goes: about 0.4 GB
MANY, FEW = 16, 4  # points for each vector: when there are too many, and how many then stay


class LowerBound:
    """Vectors and points of one problem, growing.

    Attributes:
        steps: How long a walk is at most.
        model, blocks, branches, vectors, points, findings: What the kernels take.
    """

    def __init__(self, problem: POMDP, budget: Budget) -> None:
        """Start from the simplest plans, and from an upper bound that says which actions can be the best."""
        X, _ = problem.R.shape
        Z = problem.O[0].shape[1]
        self._problem = problem
        informed = FastInformedBound(epsilon=INFORMED).solve(problem, watch=budget.preparing).policy
        above = np.ascontiguousarray(informed.vectors.T)
        self.model = Model(problem.transitions, problem.readings, problem.R.copy(), problem.discount, above)
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
        self._largest = int(np.diff(self.blocks.first).max())
        self.make_room()
        seen = np.flatnonzero(problem.start)
        here = self.blocks.states[self.blocks.first[self.blocks.start] : self.blocks.first[self.blocks.start + 1]]
        slots = self.blocks.first[self.blocks.start] + np.flatnonzero(np.isin(here, seen))
        weights = problem.start[self.blocks.states[slots]]
        find_or_add(self.blocks, self.vectors, self.points, self.blocks.start, slots.astype(np.int32), weights)

    @property
    def value(self) -> float:
        """The bound at the start."""
        return float(self.points.value[0])

    @property
    def distance(self) -> float:
        """How far the bound at the start is from the fast informed bound."""
        return float(averages(self.blocks, self.points, 0, self.model.above).max()) - self.value

    @cached_property
    def rounding(self) -> float:
        """How far the sums behind a bound may be off: a rounding for each term, and again in each step to come."""
        model = self.model
        largest = max(abs(model.above).max(), abs(model.R).max(), abs(self.value))
        terms = model.R.shape[0] + len(self.branches.reading)
        return float(largest * terms * np.finfo(float).eps / (1 - model.discount))

    @property
    def size(self) -> int:
        """How many vectors there are."""
        return int(self.vectors.held.sum())

    def walk(self, guide: int, least: float, rng: np.random.Generator) -> Ints:
        """The points of one walk. There must be room."""
        path = np.empty(self.steps, np.int64)
        luck = rng.random((self.steps, 4))
        length = walk(self.model, self.blocks, self.vectors, self.points, self.branches, guide, least, luck, path)
        return path[:length]

    def back_up(self, path: Ints, least: float, budget: Budget) -> float:
        """Back up the points of a path in reverse, as far as the budget goes; returns the sum of the gains.

        There must be room.
        """
        return sum(
            back_up_in_reverse(
                self.model, self.blocks, self.vectors, self.points, self.findings, self.branches, few, least
            )
            for few in self.paced(path, budget)
        )

    def paced(self, path: Ints, budget: Budget) -> Iterator[Ints]:
        """A path in parts, the last first, so small that the clock is looked at every twentieth of a second."""
        left = path if budget.left is None else path[-budget.left :]
        while len(left) and not budget.stopped:
            left, few = left[: -self._pace], left[-self._pace :]
            began = perf_counter()
            yield few
            budget.spend(len(few))
            self._pace = max(1, int(len(few) * BETWEEN_LOOKS / (perf_counter() - began)))

    def make_room(self, steps: int = 0, stay: npt.NDArray[np.bool_] | None = None) -> Ints | None:
        """Make room for `steps` steps, of a walk if not given; returns which points stayed, None if all did.

        Args:
            steps: How many points and vectors may come.
            stay: Which points have to stay.
        """
        wanted = steps or self.steps
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
            self.findings.first[:] = -1
            self.findings.size[0] = 0
        return kept

    def policy(self) -> AlphaVectors:
        """The vectors that win somewhere and the simplest plans, over all states.

        Outside its block, a vector has the value that no plan can fall below. What is nowhere above that value says
        nothing and is left out, and so are simple plans that are nowhere better than another.
        """
        count_wins(self.blocks, self.vectors, self.points)
        worst = _worst(self._problem)
        tiny = self.rounding + PRECISION * abs(worst).max()
        good_ones: list[tuple[Any, Floats]] = []  # the states of a block, and the vectors there
        actions = []
        for g, held in enumerate(self.vectors.held):
            seat, fixed = self.vectors.seat[g], self.vectors.fixed[g]
            states = self.blocks.states[self.blocks.first[g] : self.blocks.first[g + 1]]
            parts = rows_of(self.blocks, self.vectors, g)[:held]
            good = self.vectors.wins[seat : seat + held] > 0
            good[:fixed] |= _undominated(parts[:fixed])
            good &= (parts > worst[states] + tiny).any(axis=1) | (g == self.blocks.start)
            good_ones.append((states, parts[good]))
            actions.append(self.vectors.actions[seat : seat + held][good])
        whole = np.tile(worst, (sum(len(parts) for _, parts in good_ones), 1))
        row = 0
        for states, parts in good_ones:
            whole[row : row + len(parts), states] = parts
            row += len(parts)
        return AlphaVectors(whole, np.concatenate(actions), self._problem.R.shape[1])

    def _simplest(self) -> Vectors:
        """The vectors of the simplest plans. That of the blocks does not exist where no block is known yet."""
        blocks, problem = self.blocks, self._problem
        sizes = np.diff(blocks.first)
        unknown = blocks.start if blocks.start > blocks.block.max() else None
        base = self.model.above.max(axis=1)[blocks.states]
        simplest = np.full(len(sizes), problem.R.shape[1] + (blocks.block.max() > 0))
        if unknown is not None:
            simplest[unknown] -= 1
        vectors = _empty(sizes, simplest + self.steps, base, simplest)
        for value, action in simple_plans(problem, blocks, self.model.above):
            for g in range(len(sizes)):
                states = blocks.states[blocks.first[g] : blocks.first[g + 1]]
                if g != unknown or (action == action[0]).all():
                    add_vector(blocks, vectors, g, value[states], action[states[0]])
        return vectors

    def _move_vectors(self, wanted: int) -> None:
        """Leave the vectors behind that win nowhere, and make room where it is short."""
        old = self.vectors
        count_wins(self.blocks, old, self.points)
        alive = np.add.reduceat(old.wins > 0, old.seat[:-1])
        rooms = np.diff(old.seat)
        rooms = np.where(old.held + wanted > rooms, old.fixed + alive + alive // 2 + 2 * wanted, rooms)
        self.vectors = _empty(np.diff(self.blocks.first), rooms, old.base, old.fixed)
        moved = move_winners(self.blocks, old, self.vectors)
        n = self.points.size[0]
        self.points.winner[:n] = moved[old.seat[self.points.block[:n]] + self.points.winner[:n]]
        self.points.looked[:n] = self.vectors.held[self.points.block[:n]]


def _empty(sizes: Ints, rooms: Ints, base: Floats, fixed: Ints) -> Vectors:
    """No vectors yet, with that much room for them in each block."""
    offset, seat = np.append(0, np.cumsum(sizes * rooms)), np.append(0, np.cumsum(rooms))
    return Vectors(
        np.empty(offset[-1]),
        np.empty(offset[-1], np.float32),
        offset,
        np.zeros(seat[-1], np.int64),
        np.zeros(seat[-1], np.int64),
        seat,
        np.zeros(len(sizes), np.int64),
        fixed,
        base,
        np.empty(rooms.max(), np.float32),
    )


def _undominated(rows: Floats) -> npt.NDArray[np.bool_]:
    """Which vectors are somewhere better than each other one; of equal ones, the first."""
    good = np.ones(len(rows), bool)
    for i, row in enumerate(rows):
        below = (row <= rows).all(axis=1) & good
        below[i] = False
        good[i] = not (below & ((row < rows).any(axis=1) | (np.arange(len(rows)) < i))).any()
    return good


def _worst(problem: POMDP) -> Floats:
    """What no plan can fall below: the value of the worst policy for one who sees the state, [X]."""
    costs = MDP(problem.P, -problem.R, problem.start, problem.discount)
    solution = ValueIteration(epsilon=PRECISION).solve(costs)
    assert solution.upper is not None
    assert solution.lower is not None
    worst: Floats = -solution.policy.table.max(axis=1) - (solution.upper - solution.lower) / 2
    return worst
