"""The states with which an episode that stops at its task's end is over.

They are those in which the task is solved. But where a solved state still pays, and then leads to states that are
solved too and pay nothing, the episode goes on to these, so that no reward is lost. Nothing here changes the world: one
that goes on after its task was solved does so, and `Episode.steps` counts up to the first solved state.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from walkon.arrays import Bools
from walkon.tasks.task import Task


def is_last(task: Task, x: Any) -> bool:
    """Whether an episode is over with a state. Without tables, nothing is paid once the task is solved."""
    return bool(last_states(task)[x]) if task.tables else task.is_solved(x)


@lru_cache(maxsize=8)
def last_states(task: Task) -> Bools:
    """Find the states [X] with which an episode is over; none if the task has no end."""
    if task.solved is None:
        return np.zeros(len(task.start), dtype=np.bool_)
    silent = task.solved & (task.pomdp.R == 0).all(axis=1)
    loud = (~silent).astype(np.float64)
    leads_to_silence = np.sum([p @ loud for p in task.pomdp.P], axis=0) == 0
    last: Bools = silent | (task.solved & ~leads_to_silence)
    last.setflags(write=False)
    return last
