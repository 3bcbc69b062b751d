"""The same tasks with teammates whose hands tremble: now and then their joint action is a uniform one."""

import numpy as np

from walkon.errors import InputError
from walkon.tasks.library import TaskLibrary
from walkon.tasks.task import Facts, Task


def trembling(library: TaskLibrary, tremble: float) -> TaskLibrary:
    """A library like this one in which the teammates tremble with this probability, at each step.

    Args:
        library: Tasks whose teammates are known; not folded in already.
        tremble: How likely their joint action is a uniform one in place of their own.
    """
    if not 0 < tremble <= 1:
        raise InputError(f"tremble is {tremble}, expected a probability above 0")
    return TaskLibrary([trembling_task(task, tremble, f"{task.name}, trembling") for task in library])


def unsteady(library: TaskLibrary, tremble: float) -> TaskLibrary:
    """The same tasks by the same names with teammates that tremble; those that are folded in stay as they are."""
    return TaskLibrary(
        [task if task.teammates is None else trembling_task(task, tremble, task.name) for task in library]
    )


def trembling_task(task: Task, tremble: float, name: str) -> Task:
    """One such task, by another name or the same."""
    if task.teammates is None or task.mmdp is None:
        raise InputError(f'the teammates of task "{task.name}" are folded in: nobody can make them tremble')
    X, B = task.teammates.shape
    policy = (1 - tremble) * task.teammates.toarray() + np.full((X, B), tremble / B)
    facts = Facts(
        horizon=task.horizon,
        score=task.score,
        deliveries=task.deliveries,
        state_numbers=task.state_numbers,
        observation_numbers=task.observation_numbers,
    )
    if task.view is not None:
        facts["view"] = task.view
    return Task(task.mmdp, policy, task.sensor, task.start, task.solved, name, observations=task.observations, **facts)
