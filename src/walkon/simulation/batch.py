"""Many episodes at full speed: the same as playing them one by one."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from walkon.agents.agent import Agent
from walkon.agents.atpo import ATPO, GreedyATPO, Informed, RandomPicker
from walkon.agents.believing import Believing
from walkon.agents.inference import Inference
from walkon.agents.memory import Unexplained, UnexplainedWarning
from walkon.errors import InputError
from walkon.models.stacked import Stacked, stack
from walkon.policies.mixture import Mixture
from walkon.policies.ties import TOLERANCE
from walkon.simulation.batch_kernels import episode
from walkon.simulation.luck import Luck
from walkon.simulation.play import fits, play
from walkon.simulation.step import first_state
from walkon.tasks import Task
from walkon.trials.episode import Episode, solved_at

SHARPENED, FROZEN = GreedyATPO.act, RandomPicker.update
PARTS = ("start", "act", "update", "opening", "senses", "library", "inference", "mixture", "__getattribute__")
COMPILED: dict[type, dict[str, Any]] = {  # what the compiled loop does, by the classes that do it
    kind: {part: vars(kind).get(part) for part in PARTS}
    for kind in (Believing, ATPO, GreedyATPO, RandomPicker, Informed, object)
}


def play_many(task: Task, agent: Agent, seeds: Sequence[int], *, horizon: int | None = None) -> list[Episode]:
    """One episode for each seed, each the same as `play` gives, decision times aside.

    Agents that mix alpha vectors (ATPO, its relatives, Perseus) play in one compiled loop, and their decision times are
    not a number; other agents are played one by one. So are agents that are made from these and do anything otherwise.
    """
    fits(task, agent)
    stacked = agent.mixture.stacked if isinstance(agent, ATPO) and known(agent) else None
    world = _world(task) if stacked is not None else None
    if world is None or stacked is None or not isinstance(agent, ATPO):
        return [play(task, agent, seed=seed, horizon=horizon) for seed in seeds]
    models, start = agent.inference.models, agent.start().beliefs
    opening = agent.mixture.probabilities(start)
    style = (TOLERANCE, type(agent).act is SHARPENED, type(agent).update is FROZEN)
    hazard = agent.inference.switching
    if len(agent.library) == 1:
        hazard = (*hazard[:2], 0.0, hazard[3])
    T = task.horizon if horizon is None else horizon
    episodes = []
    for seed in seeds:
        luck = Luck.of(seed, T)
        columns = episode(luck.steps, first_state(task, luck), world, models, start, opening, stacked, *style, hazard)
        states, actions, teammate_actions, observations, beliefs, unexplained = columns
        moments = list(
            zip(states.tolist(), actions.tolist(), teammate_actions.tolist(), states[1:].tolist(), strict=False)
        )
        episodes.append(
            Episode(
                task=task.name,
                agent=agent.name,
                seed=seed,
                horizon=T,
                states=states,
                actions=actions,
                teammate_actions=teammate_actions,
                observations=observations,
                rewards=np.array([task.paid(*moment) for moment in moments]),
                deliveries=np.array([task.soups(x, a, b) for x, a, b, _ in moments]),
                solved_at=solved_at(task, states),
                task_beliefs=beliefs if agent.identifies else None,
                decision_times=np.full(T, np.nan),
                events=tuple(
                    Unexplained(int(t), int(actions[t]), int(observations[t])) for t in np.flatnonzero(unexplained)
                ),
            )
        )
    if strange := sum(bool(each.events) for each in episodes):
        warnings.warn(
            f"{strange} of {len(episodes)} episodes had observations that no task of the library explains: "
            "the agent began anew from its prior",
            UnexplainedWarning,
            stacklevel=2,
        )
    return episodes


def known(agent: ATPO) -> bool:
    """Whether the compiled loop does all that the agent does: the very functions that it was made from, and no others.

    A class of one's own may be made from these, as long as it does nothing otherwise.
    """
    return (
        all(vars(kind).get(part) is COMPILED.get(kind, {}).get(part) for kind in type(agent).__mro__ for part in PARTS)
        and not vars(agent).keys() & {"start", "act", "update"}
        and type(agent.inference) is Inference
        and type(agent.mixture) is Mixture
        and not agent.library.observed
    )


def _world(task: Task) -> tuple[Stacked, Stacked, Stacked] | None:
    """The task's matrices for the kernel; None where those of each joint action would be too large, or nobody looks.

    A task of a class of its own may do other things than its matrices say.
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
