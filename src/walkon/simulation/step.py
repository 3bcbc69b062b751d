"""One step of a task, with the luck that falls to it.

The teammates' joint action is drawn first, then the next state from P[a][b], then the observation: one path for the
teammates of a library, for learned ones and for people.
"""

from typing import NamedTuple

from walkon.models.chance_kernels import choose
from walkon.simulation.luck import Luck, Uniforms, draw
from walkon.tasks import Task


class Step(NamedTuple):
    """What happened in one step."""

    teammate_action: int  # the teammates' joint action
    state: int  # arrived in
    observation: int
    reward: float
    added: int  # to the task's tally


def first_state(task: Task, luck: Luck) -> int:
    """Where the trial begins."""
    return choose(task.pomdp.start, luck.start)


def step(task: Task, state: int, action: int, uniforms: Uniforms, teammate_action: int | None = None) -> Step:
    """Play one step.

    Args:
        task: What is played.
        state: The state at the step's start.
        action: The ad hoc agent's action.
        uniforms: The luck of this step.
        teammate_action: The teammates' joint action where others than the task's own teammates sit there.
    """
    b = draw(task.teammate_actions(state), uniforms.teammates) if teammate_action is None else teammate_action
    y = draw(task.outcomes(state, action, b), uniforms.world)
    z = draw(task.observation_outcomes(action, y), uniforms.sensor)
    return Step(b, y, z, task.paid(state, action, b, y), task.counted(state, action, b))
