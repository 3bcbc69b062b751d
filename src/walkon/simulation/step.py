"""One step of a task, with the luck that falls to it.

The teammates' joint action is drawn first, then the next state from P[a][b], then the reading: one path for the
teammates of a library, for learned ones and for people.
"""

from typing import NamedTuple

from walkon.models.chance_kernels import choose
from walkon.simulation.luck import Fortune, Luck, draw
from walkon.tasks import Task


class Step(NamedTuple):
    """What happened in one step."""

    reply: int  # the teammates' joint action
    state: int  # arrived in
    observation: int
    reward: float
    soups: int  # delivered


def first_state(task: Task, luck: Luck) -> int:
    """Where the trial begins."""
    return choose(task.pomdp.start, luck.start)


def step(task: Task, state: int, action: int, fortune: Fortune, reply: int | None = None) -> Step:
    """Play one step.

    Args:
        task: What is played.
        state: The state at the step's start.
        action: The ad hoc agent's action.
        fortune: The luck of this step.
        reply: The teammates' joint action where others than the task's own teammates sit there.
    """
    b = draw(task.replies(state), fortune.teammates) if reply is None else reply
    y = draw(task.outcomes(state, action, b), fortune.world)
    z = draw(task.readings(action, y), fortune.sensor)
    return Step(b, y, z, task.paid(state, action, b, y), task.soups(state, action, b))
