"""Play an agent in a task, or a policy in a problem: one episode, or many in a compiled loop; and log episodes."""

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from walkon.agents.agent import Agent, AgentBase, M
from walkon.agents.memory import Unexplained, UnexplainedWarning
from walkon.arrays import Floats, Names
from walkon.checks import drawn_seed, whole
from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.models.rules import Rules
from walkon.models.stacked import Stacked, stack
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.simulation.batch_kernels import episode
from walkon.simulation.return_kernels import discounted_returns
from walkon.simulation.stepping import Happened, Teammates, begun, first_state, fits, stepping
from walkon.tasks import Task, joint_actions
from walkon.tasks.given import check_task
from walkon.tasks.last_states import is_last, last_states
from walkon.tasks.learning.log import Log
from walkon.tasks.naming import name_of
from walkon.trials.episode import Episode
from walkon.trials.luck import MOST_STEPS, Luck

MANY_ROWS = 2**20  # of the matrices of all joint actions: tabulating them takes seconds
ROWS_PER_STEP = 10  # rows that can be tabulated in the time of a step without them


def play(
    task: Task,
    agent: Agent[M],
    *,
    horizon: int | None = None,
    seed: int | None = 0,
    teammates: Teammates | Any = None,
    stop: bool = False,
    switch: tuple[int, Task] | None = None,
    watch: Callable[[M], None] | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Episode:
    """Play one episode.

    Args:
        task: The task that is played; it may lie outside the agent's library.
        agent: The agent that joins the team.
        horizon: The number of steps; the task's own if not given.
        seed: Fixes all luck of the episode; None draws a new one, which the episode records.
        teammates: Other teammates: a policy [X, B], or a function from the state to their joint action, by its number
            or name, or to a distribution over it; the task's own teammates if not given.
        stop: Whether to stop when the task is solved, and the reward for it paid.
        switch: A step, and the task that is played from then on: its world, teammates and sensor, from the state that
            was reached. The tasks must share their states. The episode is solved when the second task is.
        watch: Is called with the agent's memory, before its first action and after every step.
        clock: Times the decisions.
    """
    fits(task, agent)
    luck = Luck.of(drawn_seed(seed), task.horizon if horizon is None else horizon)
    T, seed = luck.horizon, luck.seed
    if T > MOST_STEPS and not stop:
        raise InputError(f"horizon is {T:,}, and {MOST_STEPS:,} steps are the most, unless stop=True ends the episode")
    if switch is not None and (not isinstance(switch, tuple | list) or len(switch) != 2):
        raise InputError(
            f"switch is {switch!r:.60}, expected a step and the task from then on, such as (10, library[1])"
        )
    change, later = switch or (0, task)
    if switch is not None:
        _check_switch(change, later, task, agent, teammates, T)
    state = first_state(task, luck)
    memory = begun(agent, task, state)
    show = watch or (lambda memory: None)
    show(memory)
    states, beliefs, rows = [state], [memory.tasks], list[Happened[Any]]()
    for played, steps in ((task, range(change)), (later, range(change, T))):
        for happened in stepping(played, agent, luck, state, memory, steps=steps, teammates=teammates, clock=clock):
            state, memory = happened.step.state, happened.memory
            show(memory)
            states.append(state)
            beliefs.append(memory.tasks)
            row: Happened[Any] = happened
            rows.append(row._replace(memory=None))  # memories may be large
            if stop and len(rows) > change and is_last(later, state):
                break
    return Episode.of(
        later,
        agent.name,
        seed,
        horizon=T,
        states=states,
        actions=[each.action for each in rows],
        teammate_actions=[each.step.teammate_action for each in rows],
        observations=[each.step.observation for each in rows],
        rewards=[each.step.reward for each in rows],
        counts=[each.step.added for each in rows],
        task_beliefs=beliefs if agent.identifies else None,
        decision_times=[each.acting + each.updating for each in rows],
        events=memory.events,
        task_names=agent.library.names if agent.identifies else (),
        name=task.name if switch is None else f"{task.name}, then {later.name}",
        since=0 if switch is None else change + 1,
    )


def _check_switch(change: int, later: Task, task: Task, agent: Agent[Any], teammates: Any, horizon: int) -> None:
    """Refuse a change of the task that is impossible."""
    whole("the step of the switch", change, 0, None)
    fits(later, agent)
    if teammates is not None:
        raise InputError("a task that changes brings its own teammates: give switch or teammates, not both")
    if later.tables and (len(later.pomdp.start) != len(task.pomdp.start) or later.states != task.states):
        raise InputError(f'tasks "{task.name}" and "{later.name}" do not share their states: no switch between them')
    if not 0 <= change < horizon:
        raise InputError(f"the switch is at step {change}, expected 0 to {horizon - 1}")


def logged(episodes: Sequence[Episode] | Episode, task: Task) -> Log:
    """Return the log of some episodes of one task, in which everything is known."""
    check_task(task)
    if isinstance(episodes, Episode):
        episodes = [episodes]
    teammate_actions = task.mmdp.teammate_actions if task.tables and task.mmdp is not None else None
    moments = [(e, episode, t) for e, episode in enumerate(episodes) for t in range(len(episode.states))]
    return Log.of(
        "the episodes",
        [
            (
                line,
                str(e),
                t,
                _word(task.actions, episode.actions, t),
                _word(task.observations, episode.observations, t),
                _word(task.states, episode.states, t),
                _word(teammate_actions, episode.teammate_actions, t) if not joint_actions.folded(task) else "",
                float(episode.rewards[t]) if t < len(episode.rewards) else np.nan,
            )
            for line, (e, episode, t) in enumerate(moments, start=2)
        ],
    )


def _word(names: Names | None, column: Any, t: int) -> str:
    """Return the word of row t; an empty one after the last step."""
    if t >= len(column):
        return ""
    return names[column[t]] if names else name_of(column[t])


def play_many(
    task: Task,
    agent: Agent[Any],
    seeds: Sequence[int | None],
    *,
    horizon: int | None = None,
    stop: bool = False,
) -> list[Episode]:
    """Play one episode for each seed, each the same as that of `play` except for the decision times.

    With `stop`, an episode ends when its task is solved.

    Agents that allow it (`AgentBase.compiled`: ATPO, its relatives, Perseus) play in one compiled loop, and their
    decision times are NaN; other agents play one episode after the other.
    """
    fits(task, agent)
    if isinstance(seeds, int) or not isinstance(seeds, Iterable):
        such = f"range({seeds})" if isinstance(seeds, int) else "range(10)"
        raise InputError(f"seeds is {seeds!r:.60}, expected a seed for each episode, such as {such}")
    seeds, T = list(seeds), task.horizon if horizon is None else horizon
    compiled = agent.compiled() if isinstance(agent, AgentBase) else None
    world = tables_of(task, len(seeds) * T) if compiled is not None else None
    if world is None or compiled is None:
        return [play(task, agent, seed=seed, horizon=horizon, stop=stop) for seed in seeds]
    over = last_states(task).copy() if stop else np.zeros(len(task.pomdp.start), dtype=np.bool_)
    episodes = []
    for seed in map(drawn_seed, seeds):
        luck = Luck.of(seed, T)
        n, states, actions, teammate_actions, observations, beliefs, unexplained = episode(
            luck.steps, first_state(task, luck), world, over, *compiled
        )
        strange = np.flatnonzero(unexplained[:n]).tolist()
        episodes.append(
            Episode.of(
                task,
                agent.name,
                seed,
                horizon=T,
                states=states[: n + 1],
                actions=actions[:n],
                teammate_actions=teammate_actions[:n],
                observations=observations[:n],
                task_beliefs=beliefs[: n + 1] if agent.identifies else None,
                events=tuple(Unexplained(t, int(actions[t]), int(observations[t])) for t in strange),
                task_names=agent.library.names if agent.identifies else (),
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


def tables_of(task: Task, steps: int) -> tuple[Stacked, Stacked, Stacked] | None:
    """Return the task's matrices for the kernel, or None where those of each joint action would be too large.

    They are not made either if that would take longer than the given number of steps without them. A subclass of `Task`
    may behave differently from its matrices, so it has none either.
    """
    if type(task) is not Task:
        return None
    if isinstance(task.team, Rules) and task.teammates is not None and "mmdp" not in vars(task):
        rows = math.prod((*task.pomdp.R.shape, task.teammates.shape[1]))
        if rows > max(MANY_ROWS, ROWS_PER_STEP * steps):
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


def simulate(
    problem: POMDP,
    policy: AlphaVectors,
    *,
    episodes: int = 1000,
    steps: int | None = None,
    seed: int | None = 0,
    watch: Callable[[int], bool] | None = None,
) -> Floats:
    """Return the discounted return of each episode, [episodes].

    Args:
        problem: The problem that is played; also the model with which the belief is updated.
        policy: The policy. Where several vectors are best, the first of them decides.
        episodes: How many episodes to play.
        steps: The length of each; if not given, until later rewards count for less than 1e-4 of the first step.
        seed: Fixes all chance; None draws a new one.
        watch: Is called after each episode with the number of episodes so far; if it returns True, no more are played.
    """
    whole("episodes", episodes, 1, None)
    if not isinstance(problem, POMDP) or not isinstance(policy, AlphaVectors):
        raise InputError(f"simulate takes a POMDP and its alpha vectors, not {problem!r:.60} and {policy!r:.60}")
    if policy.state_count != len(problem.start) or policy.action_count != problem.R.shape[1]:
        raise InputError(f"{policy!r} was not made for {problem!r}: the numbers of states or actions differ")
    if steps is None and problem.discount == 1:
        raise InputError("the discount is 1, so that an episode has no end: give `steps`, or a discount below 1")
    if steps is None:
        steps = math.ceil(math.log(1e-4) / math.log(problem.discount)) if problem.discount else 1
    if steps > MOST_STEPS:
        raise InputError(f"an episode would have {steps:,} steps, more than {MOST_STEPS:,}: give a smaller `steps`")
    over = (problem.R == 0).all(axis=1) & np.all([p.diagonal() == 1 for p in problem.P], axis=0)
    rng = np.random.default_rng(seed)
    world = (problem.transitions, problem.sensor_rows, problem.R, problem.start, problem.discount)
    played: tuple[Any, ...] = (*world, *policy.stacked[:6], over)  # the arguments of the kernel before the luck
    returns: list[float] = []
    for done in range(1, episodes + 1):
        luck = rng.random((steps + 1, 2))
        returns.append(discounted_returns(*(*played, luck)))
        if watch is not None and watch(done):
            break
    return np.array(returns)
