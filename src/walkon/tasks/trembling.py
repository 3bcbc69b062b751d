"""The same tasks with trembling teammates: at times, their joint action is drawn uniformly."""

from walkon.errors import InputError
from walkon.tasks.library import TaskLibrary
from walkon.tasks.task import Task


def trembling(
    library: TaskLibrary, tremble: float, *, named: str = "{}, trembling", folded: bool = False
) -> TaskLibrary:
    """Return a library like this one, in which the teammates tremble at each step with this probability.

    Args:
        library: The tasks.
        tremble: The probability that the joint action is drawn uniformly instead of from the teammates' policy.
        named: The names of the new tasks; {} is the old name.
        folded: Whether tasks whose teammates are folded in stay as they are; otherwise they are refused.
    """
    if not 0 < tremble <= 1:
        raise InputError(f"tremble is {tremble}, expected a probability above 0")

    def tremble_in(task: Task) -> Task:
        if task.teammates is None:
            if folded:
                return task
            raise InputError(f'the teammates of task "{task.name}" are folded in: they cannot tremble')
        policy = task.teammates.toarray()
        return task.with_teammates((1 - tremble) * policy + tremble / policy.shape[1], named.format(task.name))

    return TaskLibrary([tremble_in(task) for task in library])
