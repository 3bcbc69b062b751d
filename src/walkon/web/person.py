"""A person in the first teammate's seat: the moves, their names and their keys. Others play by their policies."""

import numpy as np

from walkon.arrays import Names
from walkon.errors import InputError
from walkon.models.rules import Rules
from walkon.tasks import Task

KEYS = {
    "Up": "ArrowUp",
    "Down": "ArrowDown",
    "Left": "ArrowLeft",
    "Right": "ArrowRight",
    "Stay": " ",
    "Act": " ",
    "Noop": "n",
}


def move_names(task: Task) -> Names:
    """The names of the first teammate's actions; empty if the teammates are folded into the model."""
    if not task.seats:
        return ()
    size = task.seats[0]
    if isinstance(task.team, Rules):
        joint = (task.team.teammate_actions[replace_first(task, 0, move)] for move in range(size))
        return tuple(str(each[0] if isinstance(each, tuple) else each) for each in joint)
    names: Names | None = getattr(task.team, "teammate_actions", None)
    return names if names and len(task.seats) == 1 else tuple(map(str, range(size)))


def move_keys(task: Task) -> dict[str, int]:
    """The move for each key, as browsers name keys: arrows and the like by name, digits by number."""
    names = move_names(task)
    found = {str(i + 1): i for i in range(min(9, len(names)))}
    return found | {KEYS[name]: i for i, name in enumerate(names) if name in KEYS}


def replace_first(task: Task, teammate_action: int, move: int) -> int:
    """Replace the first teammate's part of a joint action by a person's move."""
    count = task.seats[0] if task.seats else 0
    if not 0 <= move < count:
        raise InputError(f"action {move} does not exist: the teammate has {count}, numbered from 0")
    others = np.unravel_index(teammate_action, task.seats)[1:]
    return int(np.ravel_multi_index((move, *map(int, others)), task.seats))
