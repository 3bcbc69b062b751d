"""The teammates' joint actions: how many there are, and their names."""

from walkon.arrays import Names
from walkon.models.rules import Rules
from walkon.tasks.task import Task


def count(task: Task) -> int:
    """Return how many joint actions there are; one where the teammates are folded in."""
    return 1 if task.teammates is None else int(task.teammates.shape[1])


def names(task: Task) -> Names | None:
    """Return their names, if they have some."""
    if isinstance(task.team, Rules):
        return tuple(map(task.team.teammate_action_name, task.team.teammate_actions))
    return None if task.team is None else task.team.teammate_actions
