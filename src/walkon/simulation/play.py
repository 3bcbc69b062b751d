"""Playing: an agent in a task, from the first state to the horizon.

The agent is handed exactly what it senses, and nothing else. All chance comes from the trial's luck, which the seed
fixes before the first step.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np

from walkon.agents.agent import Agent, M
from walkon.agents.percept import Percept
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.chance_kernels import choose
from walkon.models.distributions import stochastic
from walkon.models.mmdp import NO_CHOICE
from walkon.simulation.luck import Luck
from walkon.simulation.step import first_state, step
from walkon.tasks import Task
from walkon.trials.episode import Episode, solved_at

Teammates: TypeAlias = Callable[[int], int | Floats]
"""Who sits in the teammates' seats: from a state to their joint action, or to a distribution over it [B]."""


def play(
    task: Task,
    agent: Agent[M],
    *,
    horizon: int | None = None,
    seed: int = 0,
    teammates: Teammates | Any = None,
    stop: bool = False,
    switch: tuple[int, Task] | None = None,
    watch: Callable[[M], None] | None = None,
) -> Episode:
    """Play one episode.

    Args:
        task: What is going on; it may lie outside the agent's library.
        agent: Who joins the team.
        horizon: How many steps; the task's own if not given.
        seed: What all luck follows from.
        teammates: Who plays the teammates: a policy [X, B], or a function from the state to their joint action or to a
            distribution over it; the task's own teammates if not given.
        stop: Whether to stop when the task is solved.
        switch: A step, and the task that is going on from then on: its world, teammates and sensor, in the state that
            was reached. The tasks must share their states. The episode is solved when the second task is.
        watch: Is given what the agent remembers, before its first action and after every step.
    """
    fits(task, agent)
    T = task.horizon if horizon is None else horizon
    luck = Luck.of(seed, T)
    change, later = (T, task) if switch is None else _switched(switch, task, agent, teammates, T)
    answer = _seated(teammates, task)
    name = task.name if switch is None else f"{task.name}, then {later.name}"
    x = first_state(task, luck)
    memory = begun(agent, task, x)
    tell = watch or (lambda memory: None)
    tell(memory)
    states, beliefs, rows, times = [x], [memory.tasks], [], []
    for t in range(T):
        if t == change:
            task = later
        uniforms = luck[t]
        began = perf_counter()
        action = choose(agent.act(memory), uniforms.agent)
        spent = perf_counter() - began
        happened = step(task, x, action, uniforms, None if answer is None else answer(x, uniforms.teammates))
        x = happened.state
        percept = sensed(agent, task, x, happened.observation, happened.teammate_action)
        began = perf_counter()
        memory = agent.update(memory, action, percept)
        times.append(spent + perf_counter() - began)
        tell(memory)
        states.append(x)
        beliefs.append(memory.tasks)
        rows.append((action, happened.teammate_action, happened.observation, happened.reward, happened.soups))
        if stop and (switch is None or t >= change) and task.solved is not None and task.solved[x]:
            break
    actions, teammate_actions, observations, rewards, soups = (np.array(column) for column in zip(*rows, strict=True))
    return Episode(
        task=name,
        agent=agent.name,
        seed=seed,
        horizon=T,
        states=np.array(states),
        actions=actions,
        teammate_actions=teammate_actions,
        observations=observations,
        rewards=rewards.astype(np.float64),
        deliveries=soups,
        solved_at=solved_at(later, states, 0 if switch is None else change + 1),
        task_beliefs=np.array(beliefs) if agent.identifies else None,
        decision_times=np.array(times),
        events=memory.events,
    )


def fits(task: Task, agent: Agent[Any]) -> None:
    """Refuse a task that the agent cannot act or sense in."""
    ours, its = agent.library[0].pomdp, task.pomdp
    if len(ours.P) != len(its.P) or ours.O[0].shape[1] != its.O[0].shape[1]:
        raise InputError(
            f"{agent.name} knows {len(ours.P)} actions and {ours.O[0].shape[1]} observations, but task "
            f'"{task.name}" has {len(its.P)} and {its.O[0].shape[1]}'
        )


def _switched(
    switch: tuple[int, Task], task: Task, agent: Agent[Any], teammates: Any, horizon: int
) -> tuple[int, Task]:
    """A change of the task in the middle, if it makes sense."""
    change, later = switch
    fits(later, agent)
    if teammates is not None:
        raise InputError("a task that changes brings its own teammates: give switch or teammates, not both")
    if len(later.pomdp.start) != len(task.pomdp.start) or later.states != task.states:
        raise InputError(f'tasks "{task.name}" and "{later.name}" do not share their states: no switch between them')
    if not 0 <= change < horizon:
        raise InputError(f"the switch is at step {change}, expected 0 to {horizon - 1}")
    return change, later


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
