"""The part of the state that is always known: blocks of states, one of which contains the whole belief at any time.

After action a and observation z, a belief within block g moves to the states y with P_a(y|x) O_a(z|y) > 0 for some x in
g. The blocks are the finest partition of the states in which these y are always within one block, for all g, a and z.
They are found by joining such states until no two are left to join.

In Tag the agent observes its own place, so a block consists of the states with one place; where the state is observed,
each state is a block; where nothing is ever certain, there is only one block. Beliefs and vectors then need only the
states of a block. The start belief may lie across several blocks, because no observation came before it. It then has a
block of its own, which is never entered again.
"""

import numpy as np

from walkon.models.pomdp import POMDP
from walkon.solvers.points.visible_kernels import Blocks, join, ways_on


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
    return Blocks(*places, slot, start, *ways)
