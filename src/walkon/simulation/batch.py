"""Play many episodes in a compiled loop, with the same results as playing them one by one."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from walkon.agents.agent import Agent, AgentBase
from walkon.agents.memory import Unexplained, UnexplainedWarning
from walkon.errors import InputError
from walkon.models.stacked import Stacked, stack
from walkon.simulation.batch_kernels import episode
from walkon.simulation.luck import Luck
from walkon.simulation.play import play
from walkon.simulation.stepping import first_state, fits
from walkon.tasks import Task
from walkon.trials.episode import Episode


def play_many(task: Task, agent: Agent[Any], seeds: Sequence[int], *, horizon: int | None = None) -> list[Episode]:
    """Play one episode for each seed, each the same as that of `play` except for the decision times.

    Agents that allow it (`AgentBase.compiled`: ATPO, its relatives, Perseus) play in one compiled loop, and their
    decision times are NaN; other agents play one episode after the other.
    """
    fits(task, agent)
    compiled = agent.compiled() if isinstance(agent, AgentBase) else None
    world = _world(task) if compiled is not None else None
    if world is None or compiled is None:
        return [play(task, agent, seed=seed, horizon=horizon) for seed in seeds]
    T = task.horizon if horizon is None else horizon
    episodes = []
    for seed in seeds:
        luck = Luck.of(seed, T)
        states, actions, teammate_actions, observations, beliefs, unexplained = episode(
            luck.steps, first_state(task, luck), world, *compiled
        )
        strange = np.flatnonzero(unexplained).tolist()
        episodes.append(
            Episode.of(
                task,
                agent.name,
                seed,
                horizon=T,
                states=states,
                actions=actions,
                teammate_actions=teammate_actions,
                observations=observations,
                task_beliefs=beliefs if agent.identifies else None,
                events=tuple(Unexplained(t, int(actions[t]), int(observations[t])) for t in strange),
            )
        )
    if surprised := sum(bool(each.events) for each in episodes):
        warnings.warn(
            f"{surprised} of {len(episodes)} episodes had observations that no task of the library explains: "
            "the agent started again from its prior",
            UnexplainedWarning,
            stacklevel=2,
        )
    return episodes


def _world(task: Task) -> tuple[Stacked, Stacked, Stacked] | None:
    """Return the task's matrices for the kernel, or None where those of each joint action would be too large.

    A subclass of `Task` may behave differently from its matrices, so it has none either.
    """
    if type(task) is not Task:
        return None
    if task.teammates is None:
        alone = stack([csr_array(np.ones((len(task.pomdp.start), 1)))])
        return task.pomdp.transitions, alone, task.pomdp.sensor_rows
    try:
        mmdp = task.mmdp
    except InputError:
        return None
    assert mmdp is not None
    return mmdp.transitions, stack([task.teammates]), task.pomdp.sensor_rows
