"""A log: episodes as rows of words, with empty words where something is not known."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from walkon.arrays import Floats, Ints

Words: TypeAlias = tuple[str, ...]  # [N]; "" where it is not known
Row: TypeAlias = tuple[int, str, int, str, str, str, str, float]  # in the order of the fields of `Log`


@dataclass(frozen=True, eq=False)
class Log:
    """N rows in the order of their episodes and steps.

    A row describes one step of an episode: the state before it, the actions of the agent and of its teammates, the
    observation after it, and its reward. The last row of an episode may have only the state in which it ended.

    Attributes:
        source: Where the log comes from, for error messages.
        lines: The line of each row in its file.
        episodes: The episode of each row; the rows of one episode are consecutive.
        steps: The step; a gap means that the steps in between are missing.
        actions: The agent's action.
        observations: The observation after the action.
        states: The state before the action.
        teammates: The teammates' joint action.
        rewards: The reward; NaN where it is not known.
    """

    source: str
    lines: Ints  # [N]
    episodes: Words
    steps: Ints  # [N]
    actions: Words
    observations: Words
    states: Words
    teammates: Words
    rewards: Floats  # [N]

    @classmethod
    def of(cls, source: str, rows: Sequence[Row]) -> "Log":
        """Make a log of rows that are in the right order."""
        lines, episodes, steps, actions, observations, states, teammates, rewards = zip(*rows, strict=True)
        line, step = np.array(lines, np.int64), np.array(steps, np.int64)
        return cls(source, line, episodes, step, actions, observations, states, teammates, np.array(rewards))

    def __len__(self) -> int:
        return len(self.steps)

    def runs(self) -> list[range]:
        """Return the stretches of rows that follow one another without a gap."""
        runs, begin = [], 0
        for i in range(1, len(self) + 1):
            if i == len(self) or self.episodes[i] != self.episodes[i - 1] or self.steps[i] != self.steps[i - 1] + 1:
                runs.append(range(begin, i))
                begin = i
        return runs
