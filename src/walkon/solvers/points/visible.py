"""The part of the state that is always known: blocks of states, one of which contains the whole belief at any time.

After action a and observation z, a belief within block g moves to the states y with P_a(y|x) O_a(z|y) > 0 for some x in
g. The blocks are the finest partition of the states in which these y are always within one block, for all g, a and z.
They are found by joining such states until no two are left to join.

In Tag the agent observes its own place, so a block consists of the states with one place; where the state is observed,
each state is a block; where nothing is ever certain, there is only one block. Beliefs and vectors then need only the
states of a block. The start belief may lie across several blocks, because no observation came before it. It then has a
block of its own, which is never entered again.

The first lower bound is that of the simplest plans. One plan for each action takes it for ever. Another one takes the
action that is best on average over the states of the current block: a block is always known, so this is a plan too, and
it is optimal if each state is a block. The value of a plan solves v = r + gamma P v. With d the last change of v,
v + gamma/(1-gamma) min d is a lower bound on it (MacQueen 1966), which is returned; the iteration stops when the change
is the same everywhere, to `PRECISION` of the largest value.
"""

from collections.abc import Callable, Iterator

import numpy as np
from scipy.sparse import csr_array, vstack

from walkon.arrays import Floats, Ints
from walkon.models.pomdp import POMDP
from walkon.solvers.points.visible_kernels import Blocks, join, ways_on

PRECISION = 1e-9
IMPROVEMENTS = 20  # of the plan of the blocks, at most


def find_blocks(problem: POMDP) -> Blocks:
    """Find the finest blocks of a problem."""
    X, A = problem.R.shape
    seen = np.flatnonzero(problem.start)
    parent = np.arange(X, dtype=np.int32)
    Z = problem.O[0].shape[1]
    changed = True
    while changed:
        by_block = np.argsort(parent, kind="stable")
        changed = join(problem.transitions, problem.sensor_rows, A, Z, parent, by_block, seen)
    _, block = np.unique(parent, return_inverse=True)
    states = np.argsort(block, kind="stable")
    sizes = np.bincount(block)
    slot = np.empty(X, np.int32)
    slot[states] = np.arange(X)
    start = int(block[seen[0]])
    if (block[seen] != start).any():
        start = len(sizes)
        states, sizes = np.append(states, seen), np.append(sizes, len(seen))
    first = np.append(0, np.cumsum(sizes))
    places = states.astype(np.int32), first.astype(np.int64), block.astype(np.int64)
    ways = ways_on(problem.transitions, problem.sensor_rows, A, Z, *places)
    return Blocks(*places, slot, start, *ways, work=np.zeros(1))


def simple_plans(
    problem: POMDP, blocks: Blocks, table: Floats, late: Callable[[], bool]
) -> Iterator[tuple[Floats, Ints]]:
    """Yield the value [X] and the actions [X] of each of the simplest plans.

    The first plan of the blocks is greedy for the `table` of values of states and actions, [X, A]. Once it is `late`,
    the values are less precise, but still bounds.
    """
    X, A = problem.R.shape
    tall = vstack(problem.P, format="csr")
    sizes = np.bincount(blocks.block)
    if len(sizes) > 1:
        best = np.full(X, -np.inf)
        for _ in range(IMPROVEMENTS):
            average = np.stack([np.bincount(blocks.block, table[:, a]) for a in range(A)], axis=1)  # [blocks, A]
            chosen = average.argmax(axis=1)[blocks.block]
            value = _value(tall[chosen * X + np.arange(X)], problem.R[np.arange(X), chosen], problem.discount, late)
            if value.sum() <= best.sum() + PRECISION * np.abs(value).sum():
                break
            best, actions = value, chosen
            table = problem.R + problem.discount * (tall @ value).reshape(A, X).T
        yield best, actions
    for a, p in enumerate(problem.P):
        yield _value(p, problem.R[:, a], problem.discount, late), np.full(X, a)


def _value(P: csr_array, r: Floats, discount: float, late: Callable[[], bool]) -> Floats:
    """Return a lower bound on the value of a Markov chain with the transitions P and the rewards r."""
    value = np.full(len(r), r.min() / (1 - discount))
    while True:
        after = r + discount * (P @ value)
        change, value = after - value, after
        if discount * np.ptp(change) <= PRECISION * (1 - discount) * np.abs(value).max() or late():
            below: Floats = value + discount / (1 - discount) * change.min()
            return below
