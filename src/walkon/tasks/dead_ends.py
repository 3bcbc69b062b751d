"""Dead ends: kitchens from which no soup will ever leave again, whatever the ad hoc agent does.

Counters and hands can be full of the wrong things. Under one task, a state is a dead end if no policy of the ad hoc
agent delivers again with positive probability: no delivery can be reached along steps that have any probability.
"""

import numpy as np
import numpy.typing as npt

from walkon.errors import InputError
from walkon.tasks import Task


def dead_ends(task: Task) -> npt.NDArray[np.bool_]:
    """The states [X] from which no delivery can be reached with this teammate."""
    if task.deliveries is None or task.teammates is None:
        raise InputError(f'task "{task.name}" counts no deliveries: dead ends are known for Overcooked only')
    likely = task.teammates.toarray() > 0  # [X, B]
    alive: npt.NDArray[np.bool_] = (task.deliveries & likely[:, None, :]).any(axis=(1, 2))
    leads = sum(task.pomdp.P[1:], task.pomdp.P[0])  # non-zero where some action may lead
    while True:
        reach = alive | (leads @ alive.astype(float) > 0)
        if (reach == alive).all():
            return ~alive
        alive = reach
