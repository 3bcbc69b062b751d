"""Episodes as a log, in the words of their task: what others would have written down."""

from collections.abc import Sequence

import numpy as np

from walkon.arrays import Ints, Names
from walkon.tasks import Task
from walkon.tasks.learning.log import Log
from walkon.trials.episode import Episode


def logged(episodes: Sequence[Episode], task: Task) -> Log:
    """The log of some episodes of one task, everything known."""
    teammate_actions = None if task.mmdp is None else task.mmdp.teammate_actions
    rows = [
        (
            str(e),
            t,
            _word(task.actions, episode.actions, t),
            _word(task.observations, episode.observations, t),
            _word(task.states, episode.states, t),
            _word(teammate_actions, episode.teammate_actions, t) if task.teammates is not None else "",
            float(episode.rewards[t]) if t < len(episode.rewards) else np.nan,
        )
        for e, episode in enumerate(episodes)
        for t in range(len(episode.states))
    ]
    names, steps, actions, observations, states, teammates, rewards = zip(*rows, strict=True)
    return Log(
        source="the episodes",
        lines=np.arange(len(rows)) + 2,
        episodes=names,
        steps=np.array(steps, dtype=np.int64),
        actions=actions,
        observations=observations,
        states=states,
        teammates=teammates,
        rewards=np.array(rewards, dtype=np.float64),
    )


def _word(names: Names | None, column: Ints, t: int) -> str:
    """The word of row t; nothing after the last step."""
    if t >= len(column):
        return ""
    return names[column[t]] if names else str(column[t])
