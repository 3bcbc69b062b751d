"""An episode: what happened in one trial, as columns."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from walkon.agents.memory import Unexplained
from walkon.agents.task_belief import entropy
from walkon.arrays import Floats, Ints
from walkon.tasks import Task


@dataclass(frozen=True, eq=False, repr=False)
class Episode:
    """One trial from its first state to its horizon. T is the number of steps, K that of the agent's tasks."""

    task: str
    agent: str
    seed: int
    horizon: int
    states: Ints  # [T + 1]
    actions: Ints  # [T]
    teammate_actions: Ints  # [T], the teammates' joint actions
    observations: Ints  # [T]
    rewards: Floats  # [T]
    deliveries: Ints  # [T], soups delivered in each step
    solved_at: int | None  # the number of steps after which it was solved; None if never
    task_beliefs: Floats | None  # [T + 1, K]; None for agents without one
    decision_times: Floats  # [T], seconds for acting, drawing the action and updating
    events: tuple[Unexplained, ...] = ()

    def __repr__(self) -> str:
        return f"Episode({self.agent} in {self.task}, seed {self.seed}: {self.steps} steps, {self.soups} soups)"

    def until(self, step: int) -> "Episode":
        """Its first steps, as if the horizon had been there."""
        beliefs = None if self.task_beliefs is None else self.task_beliefs[: step + 1]
        solved = self.solved_at if self.solved_at is not None and self.solved_at <= step else None
        columns = ("actions", "teammate_actions", "observations", "rewards", "deliveries", "decision_times")
        return replace(
            self,
            horizon=min(self.horizon, step),
            states=self.states[: step + 1],
            solved_at=solved,
            task_beliefs=beliefs,
            events=tuple(event for event in self.events if event.step < step),
            **{name: getattr(self, name)[:step] for name in columns},
        )

    @property
    def solved(self) -> bool:
        """Whether it was solved."""
        return self.solved_at is not None

    @property
    def steps(self) -> int:
        """The number of actions until it was solved; the horizon if it never was."""
        return self.horizon if self.solved_at is None else self.solved_at

    @property
    def soups(self) -> int:
        """How many soups were delivered."""
        return int(self.deliveries.sum())

    @cached_property
    def entropies(self) -> Floats | None:
        """The normalised entropy of the task belief, [T + 1]; None for agents without one."""
        return None if self.task_beliefs is None else entropy(self.task_beliefs)


def solved_at(task: Task, states: Any, since: int = 0) -> int | None:
    """After how many steps the task was first solved, of those from `since` on; None if it never was."""
    if task.solved is None:
        return None
    times = since + np.flatnonzero(task.solved[np.asarray(states)[since:]])
    return int(times[0]) if len(times) else None
