"""The same tasks with teammates whose hands tremble: now and then their joint action is a uniform one."""

from walkon.errors import InputError
from walkon.tasks.library import TaskLibrary
from walkon.tasks.task import Task


def trembling(
    library: TaskLibrary, tremble: float, *, named: str = "{}, trembling", folded: bool = False
) -> TaskLibrary:
    """A library like this one in which the teammates tremble with this probability, at each step.

    Args:
        library: Its tasks.
        tremble: How likely their joint action is a uniform one in place of their own.
        named: What the tasks are called; {} is the old name.
        folded: Whether tasks whose teammates are folded in may stay as they are; they are refused if not.
    """
    if not 0 < tremble <= 1:
        raise InputError(f"tremble is {tremble}, expected a probability above 0")

    def shaken(task: Task) -> Task:
        if task.teammates is None:
            if folded:
                return task
            raise InputError(f'the teammates of task "{task.name}" are folded in: nobody can make them tremble')
        policy = task.teammates.toarray()
        return task.with_teammates((1 - tremble) * policy + tremble / policy.shape[1], named.format(task.name))

    return TaskLibrary([shaken(task) for task in library])
