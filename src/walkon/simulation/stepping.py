"""The loop of an episode: the agent decides, the world moves, the agent is handed what it senses, and nothing else."""

from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeAlias

import numpy as np

from walkon.agents.agent import Agent, M
from walkon.agents.percept import Percept
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.chance_kernels import choose
from walkon.models.distributions import stochastic
from walkon.models.mmdp import NO_CHOICE
from walkon.simulation.luck import Luck
from walkon.simulation.step import Step, step
from walkon.tasks import Task

Teammates: TypeAlias = Callable[[int], int | Floats]
"""Who sits in the teammates' seats: from a state to their joint action, or to a distribution over it [B]."""


class Happened(NamedTuple, Generic[M]):
    """One step of an episode."""

    state: int  # in which the agent decided
    action: int
    step: Step
    memory: M  # what the agent remembers afterwards
    acting: float  # seconds for acting and drawing the action
    updating: float  # seconds for updating the memory


def stepping(
    task: Task,
    agent: Agent[M],
    luck: Luck,
    state: int,
    memory: M,
    *,
    steps: Iterable[int] | None = None,
    teammates: Teammates | Any = None,
    clock: Callable[[], float] = perf_counter,
) -> Iterator[Happened[M]]:
    """Play step by step, for as long as somebody asks for the next one.

    Args:
        task: What is played.
        agent: Who joins the team.
        luck: The luck of each step.
        state: Where it begins.
        memory: What the agent remembers there, see `begun`.
        steps: The numbers of the steps that are played; all for which there is luck if not given.
        teammates: Who plays the teammates, see `walkon.play`; the task's own if not given.
        clock: What the agent's time is measured by.
    """
    answer = _seated(teammates, task)
    for t in range(len(luck.steps)) if steps is None else steps:
        uniforms = luck[t]
        began = clock()
        action = choose(agent.act(memory), uniforms.agent)
        acting = clock() - began
        moved = step(task, state, action, uniforms, None if answer is None else answer(state, uniforms.teammates))
        percept = sensed(agent, task, moved.state, moved.observation, moved.teammate_action)
        began = clock()
        memory = agent.update(memory, action, percept)
        yield Happened(state, action, moved, memory, acting, clock() - began)
        state = moved.state


def fits(task: Task, agent: Agent[Any]) -> None:
    """Refuse a task that the agent cannot act or sense in."""
    ours, its = agent.library[0].pomdp, task.pomdp
    if len(ours.P) != len(its.P) or ours.O[0].shape[1] != its.O[0].shape[1]:
        raise InputError(
            f"{agent.name} knows {len(ours.P)} actions and {ours.O[0].shape[1]} observations, but task "
            f'"{task.name}" has {len(its.P)} and {its.O[0].shape[1]}'
        )


def begun(agent: Agent[M], task: Task, state: int) -> M:
    """What the agent remembers before its first action: the first state, where that is seen."""
    return agent.start(sensed(agent, task, state, None, None) if "state" in agent.senses or task.observed else None)


def sensed(agent: Agent[Any], task: Task, state: int, observation: int | None, teammate_action: int | None) -> Percept:
    """What the agent senses of this moment. Before the first action, only a state that is seen can be."""
    senses = agent.senses
    if observation is None and task.observed:
        observation = state
    return Percept(
        observation=observation if "observation" in senses else None,
        state=state if "state" in senses else None,
        teammates=teammate_action if "teammates" in senses else None,
    )


def _seated(teammates: Any, task: Task) -> Callable[[int, float], int] | None:
    """Whoever plays the teammates, as a function of the state and the luck."""
    if teammates is None:
        return None
    B = 1 if task.teammates is None else task.teammates.shape[1]
    if callable(teammates):
        ask = teammates
    else:
        table = stochastic("teammates", teammates, (len(task.pomdp.start), B), task.states, NO_CHOICE).toarray()
        ask = table.__getitem__

    def answer(state: int, uniform: float) -> int:
        said = ask(state)
        teammate_action = choose(np.asarray(said, dtype=np.float64), uniform) if np.ndim(said) else int(said)
        if not 0 <= teammate_action < B:
            raise InputError(f"the teammates' joint action is {teammate_action}, expected a number from 0 to {B - 1}")
        return teammate_action

    return answer
