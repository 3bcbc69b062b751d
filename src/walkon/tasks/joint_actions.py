"""The teammates' joint actions: how many there are, and their names."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from walkon.arrays import Names
from walkon.models.rules import Rules
from walkon.tasks.naming import name_of
from walkon.tasks.rule_task import RuleTask
from walkon.tasks.task import Task


def count(task: Task) -> int:
    """Return how many joint actions there are; one where the teammates are folded in."""
    if not task.tables:
        return math.prod(task.seats)
    return 1 if task.teammates is None else int(task.teammates.shape[1])


def folded(task: Task) -> bool:
    """Whether the teammates are folded in, so that nobody can observe or replace them."""
    return task.tables and task.teammates is None


def names(task: Task) -> Names | None:
    """Return their names, if they have some; without tables, they are values."""
    if not task.tables:
        return None
    if isinstance(task.team, Rules):
        return tuple(map(task.team.teammate_action_name, task.team.teammate_actions))
    return None if task.team is None else task.team.teammate_actions


def names_of_one(task: Task) -> Names | None:
    """Return the names of the actions of a single teammate, if they have some."""
    return tuple(map(name_of, task.outline.theirs)) if isinstance(task, RuleTask) else names(task)


def joined(task: Task, each: Sequence[int]) -> Any:
    """Return the joint action of the teammates' actions, by their numbers: its number, or a value without tables."""
    if not isinstance(task, RuleTask):
        return int(np.ravel_multi_index(each, task.seats))
    values = tuple(task.outline.theirs[b] for b in each)
    return values[0] if task.outline.alone else values
