"""The episode of a trial, as columns."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from walkon.agents.memory import Unexplained
from walkon.agents.task_belief import entropy
from walkon.arrays import Bools, Floats, Ints, Names, things
from walkon.deprecated import renamed
from walkon.saying import count
from walkon.tasks import Task, joint_actions
from walkon.tasks.naming import name_of


def _named(names: Names | None, thing: Any) -> str | int:
    """Name a thing by its number, or a value, which is its own name."""
    if names:
        return names[int(thing)]
    return int(thing) if isinstance(thing, int | np.integer) else name_of(thing)


def _solved(task: Task) -> Bools:
    return np.zeros(len(task.start), dtype=np.bool_) if task.solved is None else task.solved


def _counts(task: Task, x: Any, a: Ints, b: Any) -> Any:
    """Compute how much each step adds to the task's tally."""
    if task.tally is None:
        return np.zeros(len(a))
    if task.tables:
        return task.tally.counts[x[:-1], a, b]
    return [task.counted(*step) for step in zip(x[:-1], a.tolist(), b, strict=True)]


@dataclass(frozen=True, eq=False, repr=False)
class Episode:
    """One trial from its first state to its end. T is the number of steps, K the number of the agent's tasks."""

    task: str
    agent: str
    seed: int
    horizon: int
    states: Any  # [T + 1], numbers; the values themselves where the task has no tables
    actions: Ints  # [T]
    teammate_actions: Any  # [T], the teammates' joint actions, as the states
    observations: Any  # [T], as the states
    rewards: Floats  # [T]
    counts: Ints  # [T], the tally of each step; zeros if the task has none
    counted: str  # the tally's name; empty if the task has none
    discount: float
    solved_at: int | None  # the number of steps after which the task was solved; None if never
    task_beliefs: Floats | None  # [T + 1, K]; None for agents without one
    decision_times: Floats  # [T], seconds for acting, drawing the action and updating
    events: tuple[Unexplained, ...] = ()
    task_names: tuple[str, ...] = ()  # [K], of the agent's tasks; empty where they are not known
    played: Task | None = None  # the task that was played last; None where it is not known, as in another process

    @classmethod
    def of(
        cls,
        task: Task,
        agent: str,
        seed: int,
        *,
        states: Any,
        actions: Any,
        teammate_actions: Any,
        observations: Any,
        horizon: int | None = None,
        rewards: Any = None,
        counts: Any = None,
        task_beliefs: Any = None,
        decision_times: Any = None,
        events: tuple[Unexplained, ...] = (),
        task_names: tuple[str, ...] = (),
        name: str = "",
        since: int = 0,
    ) -> "Episode":
        """Complete an episode from its columns: whether it was solved, and by default its rewards and counts.

        The arguments are as the fields. The horizon and the name default to the task's. If the task changed during the
        episode, `task` is the last one, and it counts as solved no earlier than after `since` steps.
        """
        kept = (lambda column: np.asarray(column, dtype=np.int64)) if task.tables else things
        x, a, b = kept(states), np.asarray(actions, dtype=np.int64), kept(teammate_actions)
        if rewards is None:
            moves = zip(x.tolist(), a.tolist(), b.tolist(), x[1:].tolist(), strict=False)
            rewards = [task.paid(*move) for move in moves]
        if counts is None:
            counts = _counts(task, x, a, b)
        solved = _solved(task)[x[since:]] if task.tables else list(map(task.is_solved, x[since:]))
        ends = since + np.flatnonzero(solved)
        return cls(
            task=name or task.name,
            agent=agent,
            seed=seed,
            horizon=task.horizon if horizon is None else horizon,
            states=x,
            actions=a,
            teammate_actions=b,
            observations=kept(observations),
            rewards=np.asarray(rewards, dtype=np.float64),
            counts=np.asarray(counts, dtype=np.int64),
            counted="" if task.tally is None else task.tally.name,
            discount=task.discount,
            solved_at=int(ends[0]) if len(ends) else None,
            task_beliefs=None if task_beliefs is None else np.asarray(task_beliefs),
            decision_times=np.full(len(a), np.nan) if decision_times is None else np.asarray(decision_times),
            events=events,
            task_names=task_names,
            played=task,
        )

    def __repr__(self) -> str:
        steps = count(len(self.actions), "step")
        ended = f"solved after {count(self.steps, 'step')}" if self.solved else steps
        if self.played is not None and self.played.ends and not self.solved:
            ended = f"not solved in {steps}"
        counted = "".join(f", {count} {name}" for name, count in self.tally.items())
        return f"Episode({self.agent} in {self.task}, seed {self.seed}: {ended}{counted}, return {self.ret:.4g})"

    def _repr_html_(self) -> str:
        from walkon.trials.notebook import episode_html  # which imports this module

        return episode_html(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "played"}  # it may hold functions

    def steps_as_names(self) -> list[dict[str, Any]]:
        """Return each step with names: its state, both actions, the observation, the reward and the next state.

        Things without names appear as their numbers; the teammates' action is None where they are folded in.
        """
        task, x = self.played, self.states
        names = (None, None, None) if task is None else (task.states, task.actions, task.observations)
        folded, joint = (False, None) if task is None else (joint_actions.folded(task), joint_actions.names(task))
        states, actions, observations = names
        return [
            {
                "step": t,
                "state": _named(states, x[t]),
                "action": _named(actions, self.actions[t]),
                "teammates": None if folded else _named(joint, self.teammate_actions[t]),
                "observation": _named(observations, self.observations[t]),
                "reward": float(self.rewards[t]),
                "next_state": _named(states, x[t + 1]),
            }
            for t in range(len(self.actions))
        ]

    def until(self, step: int) -> "Episode":
        """The first steps, as if the horizon had been there."""
        columns = ("actions", "teammate_actions", "observations", "rewards", "counts", "decision_times")
        cut: dict[str, Any] = {name: getattr(self, name)[:step] for name in columns}
        cut |= {"horizon": min(self.horizon, step), "states": self.states[: step + 1]}
        cut["task_beliefs"] = None if self.task_beliefs is None else self.task_beliefs[: step + 1]
        cut["solved_at"] = self.solved_at if self.solved and self.steps <= step else None
        cut["events"] = tuple(event for event in self.events if event.step < step)
        return replace(self, **cut)

    @property
    def solved(self) -> bool:
        """Whether the task was solved."""
        return self.solved_at is not None

    @property
    def steps(self) -> int:
        """The number of actions until the task was solved; the horizon if it never was."""
        return self.horizon if self.solved_at is None else self.solved_at

    @property
    def ret(self) -> float:
        """The discounted return."""
        return float(self.discount ** np.arange(len(self.rewards)) @ self.rewards)

    @property
    def tally(self) -> dict[str, int]:
        """The total count, by the tally's name; empty if the task has no tally."""
        return {self.counted: int(self.counts.sum())} if self.counted else {}

    replies = renamed("replies", "teammate_actions")
    deliveries = renamed("deliveries", "counts")

    @property
    def soups(self) -> int:
        """The number of soups delivered; 0 if the task counts none."""
        return self.tally.get("soups", 0)

    @cached_property
    def entropies(self) -> Floats | None:
        """The normalised entropy of the task belief, [T + 1]; None for agents without one."""
        return None if self.task_beliefs is None else entropy(self.task_beliefs)
