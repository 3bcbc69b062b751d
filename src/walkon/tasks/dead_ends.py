"""Dead ends: states in which a task is lost, whatever the ad hoc agent does.

Where something is counted, a state is a dead end if no policy of the ad hoc agent adds to the tally again with positive
probability; where a task can be solved, if no policy solves it: no such step or state can be reached along steps that
have any probability with the task's teammates.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from walkon.errors import InputError
from walkon.tasks.task import Task


@lru_cache(maxsize=8)
def dead_ends(task: Task) -> npt.NDArray[np.bool_]:
    """The states [X] from which the tally cannot grow any more, or the task cannot be solved."""
    alive: npt.NDArray[np.bool_]
    if task.tally is not None:
        likely = np.ones((len(task.start), 1)) if task.teammates is None else task.teammates.toarray()  # [X, B]
        alive = ((task.tally.counts > 0) & (likely > 0)[:, None, :]).any(axis=(1, 2))
    elif task.solved is not None:
        alive = task.solved
    else:
        raise InputError(f'task "{task.name}" counts nothing and has no end: it has no dead ends')
    leads = sum(task.pomdp.P[1:], task.pomdp.P[0])  # non-zero where some action may lead
    while True:
        reach = alive | (leads @ alive.astype(float) > 0)
        if (reach == alive).all():
            dead = ~alive
            dead.setflags(write=False)
            return dead
        alive = reach
