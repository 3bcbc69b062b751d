"""Which tasks can be told apart at all, by some actions and the observations that follow them.

After actions a_1 ... a_t, task k makes the observations z_1 ... z_t with probability start_k M_k,1 ... M_k,t 1, where
M_k,i = P_k,a_i diag(O_k,a_i(z_i|.)). Two tasks cannot be told apart by any agent if these are equal for every sequence.
The probabilities are linear in the vector (start_j M_j,1 ..., start_k M_k,1 ...) of both tasks together, so it is
enough to look at a basis of the vectors that can be reached, at most X_j + X_k of them (Tzeng 1992).

Only vectors outside the span are needed, and there is no need to try each observation: if any of the vectors that
follow an action lies outside, so does almost every weighted sum of them. Each observation is divided by its probability
first, so that rare ones count as much as common ones. The basis grows step by step, so the first step at which the
tasks differ is the smallest number of steps after which an agent can see a difference.

Large tasks that differ in few rows need a large basis although the first difference is simple. So for tasks of the same
number of states, all actions are summed up too, with random weights, and one vector for each task is followed for
`SOON` steps: if any sequence of that length differs, so do almost all such sums. A difference may be a tiny part of
them. It is therefore followed by itself,

    d_t+1 = d_t M_j + r_t (M_j - M_k),

d_t being the difference of the vectors, and r_t the second of them, beside the sum of the sizes of its terms: rounding
errors are small compared with that, and a real difference is not.

Probabilities are equal if they differ by less than 1e-9 of their size.
"""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array, eye_array

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.tasks.given import check_library, check_task
from walkon.tasks.library import TaskLibrary
from walkon.tasks.task import Task

TOLERANCE = 1e-9
LARGEST = 2**30  # bytes of the basis
SOON = 50  # steps in which the sums are followed


def steps_apart(one: Task, two: Task, *, seed: int = 0) -> int | None:
    """Return the number of steps after which an agent can first tell two tasks apart; None if it never can.

    Args:
        one: A task.
        two: Another task with the same actions and observations.
        seed: The seed of the weights of the sums; the answer does not depend on it.
    """
    check_task(one)
    check_task(two)
    first, second = one.pomdp, two.pomdp
    if len(first.P) != len(second.P) or first.O[0].shape[1] != second.O[0].shape[1]:
        raise InputError(f'tasks "{one.name}" and "{two.name}" do not share their actions and observations')
    seen = one.observed and two.observed
    if seen and _differ(first.start, second.start):
        return 0  # the first state is observed before the first action
    if _same(first, second):
        return None
    rng = np.random.default_rng(seed)
    if (soon := _soon_apart(first, second, seen, rng)) is not None:
        return soon
    basis = _Basis(len(first.start) + len(second.start))
    waiting: list[tuple[int, Floats, Floats]] = []  # after so many steps, the vectors [X_j] and [X_k] of both tasks

    def keep(steps: int, vectors: Iterator[tuple[Floats, Floats]]) -> None:
        """Add vectors to the basis, until one adds nothing new."""
        for left, right in vectors:
            if not basis.adds(left, right):
                return
            waiting.append((steps, left, right))

    every = eye_array(len(first.start), format="csr")
    both = first.start, second.start
    keep(0, _sums(*both, every, every, rng) if seen else iter([both]))
    for steps, before_one, before_two in waiting:  # grows during the loop
        for a in range(len(first.P)):
            left, right = before_one @ first.P[a], before_two @ second.P[a]
            if _differ(left @ first.O[a], right @ second.O[a]):
                return steps + 1
            keep(steps + 1, _sums(left, right, first.O[a], second.O[a], rng))
    return None


def alike(library: TaskLibrary) -> tuple[tuple[int, ...], ...]:
    """Return the groups of two or more tasks that no agent can tell apart by its observations."""
    check_library(library)
    groups: list[list[int]] = []
    for k, task in enumerate(library):
        group = next((group for group in groups if steps_apart(library[group[0]], task) is None), [])
        if not group:
            groups.append(group)
        group.append(k)
    return tuple(tuple(group) for group in groups if len(group) > 1)


class _Basis:
    """Orthonormal vectors that span all vectors that were added."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.count = 0
        self.rows = np.empty((min(size, 16), size))

    def adds(self, left: Floats, right: Floats) -> bool:
        """Add a vector of both tasks, and return whether it was outside the span."""
        vector = np.concatenate([left, right])
        length = np.linalg.norm(vector)
        if length == 0 or self.count == self.size:
            return False
        rest = vector / length
        for _ in range(2):  # twice, because of rounding
            known = self.rows[: self.count]
            rest = rest - (known @ rest) @ known
        length = np.linalg.norm(rest)
        if length <= TOLERANCE:
            return False
        if self.count == len(self.rows):
            more = min(2 * self.count, self.size)
            if more * self.size * 8 > LARGEST:
                needed = f"more than {self.count:,} vectors are needed to compare them: that takes too much memory"
                raise InputError(f"the tasks have {self.size:,} states together, and {needed}")
            self.rows = np.concatenate([self.rows, np.empty((more - self.count, self.size))])
        self.rows[self.count] = rest / length
        self.count += 1
        return True


def _sums(
    left: Floats, right: Floats, first: csr_array, second: csr_array, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats]]:
    """Yield weighted sums of the vectors that follow each observation, without end; both have the same scale."""
    made: Floats = left @ first
    possible = made > 0
    while True:
        weights = np.where(possible, rng.random(len(made)) / np.where(possible, made, 1.0), 0.0)
        one, two = left * (first @ weights), right * (second @ weights)
        total = one.sum() or 1.0
        yield one / total, two / total


def _soon_apart(first: POMDP, second: POMDP, seen: bool, rng: np.random.Generator) -> int | None:
    """The number of steps after which weighted sums over all actions and observations differ; None if not `SOON`."""
    if first.start.shape != second.start.shape:
        return None
    moves = list(zip(first.P, second.P, map(_gap, first.P, second.P), strict=True))
    sensors = list(zip(first.O, second.O, map(_gap, first.O, second.O), strict=True))
    weights = rng.random(len(first.start)) if seen else 1.0
    r, d = second.start * weights, (first.start - second.start) * weights
    m = np.abs(d)  # the sum of the sizes of the terms of d
    for step in range(1, SOON + 1):
        after = np.zeros((3, len(r)))
        for (P, Q, gap), (O, U, misfit) in zip(moves, sensors, strict=True):
            there, apart, size = r @ Q, d @ P + r @ gap, m @ P + r @ abs(gap)
            made = there @ U
            if (np.abs(apart @ O + there @ misfit) > TOLERANCE * (size @ O + there @ abs(misfit))).any():
                return step
            w = np.where(made > 0, rng.random(len(made)) / np.where(made > 0, made, 1.0), 0.0)
            after += (
                there * (U @ w),
                apart * (O @ w) + there * (misfit @ w),
                size * (O @ w) + there * (abs(misfit) @ w),
            )
        r, d, m = after / (after[0].sum() or 1.0)
    return None


def _gap(one: csr_array, two: csr_array) -> csr_array:
    """The difference of two matrices; 0 where their entries are equal."""
    gap = csr_array(one - two)
    sizes = one.maximum(two)
    real = abs(gap) > TOLERANCE * sizes
    return csr_array(gap.multiply(real))


def _differ(made: Floats, other: Floats) -> bool:
    """Whether the probabilities of some observation differ, relative to the larger one."""
    return bool((np.abs(made - other) > TOLERANCE * np.maximum(made, other)).any())


def _same(one: POMDP, two: POMDP) -> bool:
    """Whether the numbers are the same, rewards aside."""
    if one.start.shape != two.start.shape or (one.start != two.start).any():
        return False
    pairs = [*zip(one.P, two.P, strict=True), *zip(one.O, two.O, strict=True)]
    return all(a is b or (a.shape == b.shape and (a != b).nnz == 0) for a, b in pairs)
