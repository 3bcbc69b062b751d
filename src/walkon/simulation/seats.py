"""Replace some teammates, while the others follow the task's own policy."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.policies.choice import chosen
from walkon.tasks import Task


def seated(
    task: Task, policies: Mapping[int, Callable[[Any], Any]], *, numbers: bool = False
) -> Callable[[int], Floats]:
    """Make teammates for `walkon.play(..., teammates=...)`, with any function in any of their seats.

    Args:
        task: The task whose teammates are replaced.
        policies: For some seats, numbered from 0, a function from the state to an action of that seat or to a
            probability for each of its actions. The other seats keep the task's own teammates.
        numbers: Whether the functions get the numbers of the state, `task.state_numbers`, in place of its index.
    """
    if task.teammates is None:
        raise InputError(f'in task "{task.name}" the teammates are folded in: they cannot be replaced')
    seats, own = task.seats, task.teammates.tocsr()
    for seat, policy in policies.items():
        if not isinstance(seat, int) or not 0 <= seat < len(seats):
            raise InputError(f"seat {seat!r} does not exist: they are numbered 0 to {len(seats) - 1}")
        if not callable(policy):
            raise InputError(f"seat {seat} has {policy!r:.80}, expected a function of the state")

    def joint(state: int) -> Floats:
        """Return the distribution over joint actions [B]; the new teammates act independently."""
        weights = own[[state]].toarray().reshape(seats)
        for seat, policy in policies.items():
            answer = policy(task.state_numbers[state] if numbers else state)
            choice = chosen(answer, seats[seat], who=f"seat {seat}")
            shape = [-1 if i == seat else 1 for i in range(len(seats))]
            weights = weights.sum(axis=seat, keepdims=True) * choice.reshape(shape)
        return np.asarray(weights).ravel()

    return joint
