"""One step of a task, and the loop of an episode.

All luck is that of the trial (`walkon.trials.luck`). A draw is the inverse of the cumulative distribution at its
number, over the outcomes in ascending order.

In a step, the teammates' joint action is drawn first, then the next state from P[a][b], then the observation, whether
the teammates are the task's own, learned ones or people. In the loop, the agent acts, the world moves, and the agent
receives its percept and nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeAlias

import numpy as np

from walkon.agents.agent import Agent, M, check_agent
from walkon.agents.memory import Percept
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.chance_kernels import choose
from walkon.models.distributions import stochastic
from walkon.models.mmdp import NO_CHOICE
from walkon.models.rules import Rules
from walkon.models.stacked import Outcomes
from walkon.policies.choice import as_distribution
from walkon.tasks import Task, joint_actions
from walkon.tasks.given import check_task
from walkon.tasks.rule_task import RuleTask
from walkon.trials.luck import Luck, Uniforms
from walkon.trials.rule_stepping import first_value, rule_step, valued

Teammates: TypeAlias = Callable[[int], int | str | Floats]
"""Teammates as a function from a state to their joint action, by number or name, or to a distribution over it [B]."""


def draw(outcomes: Outcomes, number: float) -> int:
    """Return the outcome at which the cumulative distribution first exceeds a number in [0, 1).

    >>> some = Outcomes(np.array([3, 5]), np.array([0.25, 0.75]))
    >>> draw(some, 0.2), draw(some, 0.25), draw(some, 0.99)
    (3, 5, 5)
    """
    passed = int(np.searchsorted(np.cumsum(outcomes.probabilities), number, side="right"))
    if passed == len(outcomes.indices):  # rounding left the sum a little below one
        passed = int(np.flatnonzero(outcomes.probabilities)[-1])
    return int(outcomes.indices[passed])


class Step(NamedTuple):
    """The outcome of one step."""

    teammate_action: Any  # the teammates' joint action: its number, or itself where the task has no tables
    state: Any  # the next state, likewise
    observation: Any  # likewise
    reward: float
    added: int  # to the task's tally


class Happened(NamedTuple, Generic[M]):
    """One step of an episode."""

    state: Any  # before the step
    action: int
    step: Step
    memory: M  # of the agent after the step
    acting: float  # seconds for acting and drawing the action
    updating: float  # seconds for updating the memory


def first_state(task: Task, luck: Luck) -> Any:
    """Draw the state in which an episode begins: its number, or the state itself where the task has no tables."""
    if isinstance(task, RuleTask):
        return first_value(task, luck)
    return choose(task.pomdp.start, luck.start)


def step(task: Task, state: Any, action: int, uniforms: Uniforms, teammate_action: Any = None) -> Step:
    """Play one step; if no joint action is given, the task's own teammates act."""
    if isinstance(task, RuleTask):
        return Step(*rule_step(task, state, action, uniforms, teammate_action))
    b = draw(task.teammate_actions(state), uniforms.teammates) if teammate_action is None else teammate_action
    y = draw(task.outcomes(state, action, b), uniforms.world)
    z = draw(task.observation_outcomes(action, y), uniforms.sensor)
    return Step(b, y, z, task.paid(state, action, b, y), task.counted(state, action, b))


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
    """Play step by step from a state and the agent's memory in it, see `begun`.

    Without `steps`, all steps are played for which there is luck. `teammates` are those of `walkon.play`.
    """
    answer = _teammates(teammates, task)
    for t in range(len(luck)) if steps is None else steps:
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
    """Refuse what is no task or no agent, and a task whose actions or observations are not those of the agent."""
    check_task(task)
    check_agent(agent)
    if not (task.tables and agent.library.tables):
        if task.tables or agent.library.tables or task.actions != agent.library.actions:
            raise InputError(f'{agent.name} was not made for task "{task.name}": they need the same actions and tables')
        return
    ours, its = agent.library[0].pomdp, task.pomdp
    if len(ours.P) != len(its.P) or ours.O[0].shape[1] != its.O[0].shape[1]:
        raise InputError(
            f"{agent.name} knows {len(ours.P)} actions and {ours.O[0].shape[1]} observations, but task "
            f'"{task.name}" has {len(its.P)} and {its.O[0].shape[1]}'
        )


def begun(agent: Agent[M], task: Task, state: int) -> M:
    """Return the agent's memory before its first action; it knows the first state if it can observe it."""
    return agent.start(sensed(agent, task, state, None, None) if "state" in agent.senses or task.observed else None)


def sensed(agent: Agent[Any], task: Task, state: int, observation: int | None, teammate_action: int | None) -> Percept:
    """Return the agent's percept. Before the first action, it has at most the state, if that is observed."""
    senses = agent.senses
    if observation is None and task.observed:
        observation = state
    return Percept(
        observation=observation if "observation" in senses else None,
        state=state if "state" in senses else None,
        teammates=teammate_action if "teammates" in senses else None,
    )


def _teammates(teammates: Any, task: Task) -> Callable[[int, float], int] | None:
    """Turn other teammates into a function from the state and the luck to their joint action."""
    if teammates is None:
        return None
    if isinstance(task, RuleTask):
        return valued(teammates, task)
    B, names = joint_actions.count(task), joint_actions.names(task)
    if not callable(teammates):
        table = stochastic("teammates", teammates, (len(task.pomdp.start), B), task.states, NO_CHOICE).toarray()
        return lambda state, uniform: choose(table[state], uniform)
    own = task.team.teammate_actions if isinstance(task.team, Rules) else ()  # several teammates' actions are tuples

    def answer(state: int, uniform: float) -> int:
        choice = teammates(state)
        if isinstance(choice, tuple) and choice in own:
            return own.index(choice)
        checked = as_distribution(choice, B, names, who=f"the teammates' policy, in state {state},")
        weights = np.asarray(choice, dtype=np.float64) if np.ndim(choice) else checked
        return choose(weights, uniform)

    return answer


def seated(
    task: Task, policies: Mapping[int, Callable[[Any], Any]], *, numbers: bool = False
) -> Callable[[int], Floats]:
    """Make teammates for `walkon.play(..., teammates=...)`, with any function in any of their seats.

    Args:
        task: The task whose teammates are replaced.
        policies: For some seats, numbered from 0, a function from the state to an action of that seat or to a
            probability for each of its actions. The other seats keep the task's own teammates.
        numbers: Whether the functions get the numbers of the state, `task.state_numbers`, in place of its index.
    """
    check_task(task)
    if task.teammates is None:
        raise InputError(f'in task "{task.name}" the teammates are folded in: they cannot be replaced')
    seats, own = task.seats, task.teammates.tocsr()
    for seat, policy in policies.items():
        if not isinstance(seat, int) or not 0 <= seat < len(seats):
            raise InputError(f"seat {seat!r} does not exist: they are numbered 0 to {len(seats) - 1}")
        if not callable(policy):
            raise InputError(f"seat {seat} has {policy!r:.80}, expected a function of the state")

    def joint(state: int) -> Floats:
        """Return the distribution over joint actions [B]; the new teammates act independently."""
        weights = own[[state]].toarray().reshape(seats)
        for seat, policy in policies.items():
            answer = policy(task.state_numbers[state] if numbers else state)
            choice = as_distribution(answer, seats[seat], who=f"seat {seat}")
            shape = [-1 if i == seat else 1 for i in range(len(seats))]
            weights = weights.sum(axis=seat, keepdims=True) * choice.reshape(shape)
        return np.asarray(weights).ravel()

    return joint
