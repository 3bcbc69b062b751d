"""Dead ends: states in which a task is lost, whatever the ad hoc agent does.

Where something is counted, a state is a dead end if no policy of the ad hoc agent adds to the tally again with positive
probability; where a task can be solved, if no policy solves it: no such step or state can be reached along steps that
have any probability with the task's teammates.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack
from scipy.sparse.csgraph import breadth_first_order

from walkon.errors import InputError
from walkon.tasks.task import Bools, Task


@lru_cache(maxsize=8)
def dead_ends(task: Task) -> Bools:
    """The states [X] from which the tally cannot grow any more, or the task cannot be solved."""
    alive: Bools
    if task.tally is not None:
        likely = np.ones((len(task.start), 1)) if task.teammates is None else task.teammates.toarray()  # [X, B]
        alive = ((task.tally.counts > 0) & (likely > 0)[:, None, :]).any(axis=(1, 2))
    elif task.solved is not None:
        alive = task.solved
    else:
        raise InputError(f'task "{task.name}" counts nothing and has no end: it has no dead ends')
    dead = ~can_reach(task.pomdp.P, alive)
    dead.setflags(write=False)
    return dead


def can_reach(moves: Sequence[csr_array], goals: Bools) -> Bools:
    """The states from which some actions lead to a goal."""
    return spread(sum(moves[1:], moves[0]).T.tocsr(), goals)


def spread(moves: csr_array, first: Any) -> Bools:
    """All states that can be reached from the first ones."""
    X = len(first)
    graph = vstack([moves, csr_array(np.asarray(first, dtype=np.float64)[np.newaxis])], format="csr")
    graph.resize((X + 1, X + 1))  # the last row is a state before the first
    reached = np.zeros(X + 1, bool)
    reached[breadth_first_order(graph, X, return_predecessors=False)] = True
    return reached[:X]
