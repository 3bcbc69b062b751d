"""The teammate's seat: which actions a person has there, what they are called, and which keys stand for them.

Where there are several teammates, a person takes the first seat; the others play as their task says.
"""

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


def choices(task: Task) -> Names:
    """The names of what a person can do as the first teammate; empty where the teammates are folded in."""
    if not task.seats:
        return ()
    size = task.seats[0]
    if isinstance(task.team, Rules):
        firsts = (task.team.teammate_actions[_joint(task, own, 0)] for own in range(size))
        return tuple(
            str(teammate_action[0] if isinstance(teammate_action, tuple) else teammate_action)
            for teammate_action in firsts
        )
    names: Names | None = getattr(task.team, "teammate_actions", None)
    return names if names and len(task.seats) == 1 else tuple(map(str, range(size)))


def keys(task: Task) -> dict[str, int]:
    """From a key, as browsers name it, to an action: arrows and the like by name, and digits by number."""
    found = {str(i + 1): i for i in range(min(9, len(choices(task))))}
    return found | {KEYS[name]: i for i, name in enumerate(choices(task)) if name in KEYS}


def taken(task: Task, teammate_action: int, own: int) -> int:
    """A joint action of the teammates with the first one's part replaced by a person's own."""
    count = task.seats[0] if task.seats else 0
    if not 0 <= own < count:
        raise InputError(f"action {own} does not exist: the teammate has {count}, numbered from 0")
    return _joint(task, own, teammate_action)


def _joint(task: Task, own: int, teammate_action: int) -> int:
    parts = [int(part) for part in np.unravel_index(teammate_action, task.seats)]
    return int(np.ravel_multi_index((own, *parts[1:]), task.seats))
