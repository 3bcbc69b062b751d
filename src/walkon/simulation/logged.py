"""Episodes as a log, in the words of their task."""

from collections.abc import Sequence

import numpy as np

from walkon.arrays import Ints, Names
from walkon.tasks import Task
from walkon.tasks.learning.log import Log
from walkon.trials.episode import Episode


def logged(episodes: Sequence[Episode], task: Task) -> Log:
    """Return the log of some episodes of one task, in which everything is known."""
    teammate_actions = None if task.mmdp is None else task.mmdp.teammate_actions
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
                _word(teammate_actions, episode.teammate_actions, t) if task.teammates is not None else "",
                float(episode.rewards[t]) if t < len(episode.rewards) else np.nan,
            )
            for line, (e, episode, t) in enumerate(moments, start=2)
        ],
    )


def _word(names: Names | None, column: Ints, t: int) -> str:
    """Return the word of row t; an empty one after the last step."""
    if t >= len(column):
        return ""
    return names[column[t]] if names else str(column[t])
