"""Dead ends: states in which a task is lost, whatever the ad hoc agent does.

In a task with a tally, a state is a dead end if no policy of the ad hoc agent adds to the tally again with positive
probability; in a task that can be solved, if no policy solves it with positive probability. The teammates are the
task's own.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack
from scipy.sparse.csgraph import breadth_first_order

from walkon.arrays import Bools
from walkon.errors import InputError
from walkon.tasks.given import check_task
from walkon.tasks.task import Task


@lru_cache(maxsize=8)
def dead_ends(task: Task) -> Bools:
    """Find the states [X] from which the tally cannot grow any more, or the task cannot be solved."""
    check_task(task)
    alive: Bools
    if task.tally is not None:
        likely = np.ones((len(task.start), 1)) if task.teammates is None else task.teammates.toarray()  # [X, B]
        alive = ((task.tally.counts > 0) & (likely > 0)[:, None, :]).any(axis=(1, 2))
    elif task.solved is not None:
        alive = task.solved | spread(sum(task.pomdp.P[1:], task.pomdp.P[0]), task.solved)  # solved now, or before
    else:
        raise InputError(f'task "{task.name}" counts nothing and has no end: it has no dead ends')
    dead = ~can_reach(task.pomdp.P, alive)
    dead.setflags(write=False)
    return dead


def can_reach(moves: Sequence[csr_array], goals: Bools) -> Bools:
    """Find the states from which some actions lead to a goal."""
    return spread(sum(moves[1:], moves[0]).T.tocsr(), goals)


def spread(moves: csr_array, first: Any) -> Bools:
    """Find all states that can be reached from the first ones."""
    X = len(first)
    graph = vstack([moves, csr_array(np.asarray(first, dtype=np.float64)[np.newaxis])], format="csr")
    graph.resize((X + 1, X + 1))  # the last row is a state that leads to the first ones
    reached = np.zeros(X + 1, bool)
    reached[breadth_first_order(graph, X, return_predecessors=False)] = True
    return reached[:X]
