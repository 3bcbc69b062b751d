"""A task with tables as a simulator: its states are numbers, and the teammates are folded into its matrices."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from walkon.models.stacked import Outcomes, row
from walkon.tasks.chances import Chances
from walkon.tasks.rule_task import RuleTask
from walkon.tasks.simulator import Luck, Outcome, Simulator
from walkon.tasks.task import Task


class TableSimulator:
    """The matrices of a task."""

    def __init__(self, task: Task) -> None:
        """Find the states that nothing leaves and that pay nothing."""
        self.pomdp = task.pomdp
        self.discount, self.action_count = task.discount, task.action_count
        stays = np.all([p.diagonal() == 1 for p in self.pomdp.P], axis=0)
        self._over = (stays & (self.pomdp.R == 0).all(axis=1)).tolist()
        self._outcomes: dict[tuple[int, int], tuple[list[Outcome], list[float]]] = {}
        self._sensor: dict[tuple[int, int], tuple[list[int], list[float], dict[int, float]]] = {}

    def start(self) -> Chances:
        """The first states with their probabilities."""
        return [(int(x), float(self.pomdp.start[x])) for x in np.flatnonzero(self.pomdp.start)]

    def draw_start(self, luck: Luck) -> int:
        """Draw a first state."""
        states = np.flatnonzero(self.pomdp.start)
        return int(states[min(bisect_right(np.cumsum(self.pomdp.start[states]), luck()), len(states) - 1)])

    def outcomes(self, x: int, a: int) -> Sequence[Outcome]:
        """Each next state with its probability and the reward that is expected in x."""
        return self._listed(x, a)[0]

    def step(self, x: int, a: int, luck: Luck) -> tuple[int, float]:
        """Draw the next state, and return it with the reward that is expected in x."""
        listed, upto = self._listed(x, a)
        y, _, reward = listed[min(bisect_right(upto, luck()), len(listed) - 1)]
        return y, reward

    def observe(self, a: int, y: int, luck: Luck) -> int:
        """Draw an observation."""
        seen, upto, _ = self._sensed(a, y)
        return seen[min(bisect_right(upto, luck()), len(seen) - 1)]

    def log_likelihood(self, a: int, y: int, z: Any) -> float:
        """The logarithm of the probability of an observation; -inf if it is impossible."""
        return self._sensed(a, y)[2].get(z, -math.inf)

    def solved(self, x: int) -> bool:
        """Whether nothing moves or is paid any more."""
        return bool(self._over[x])

    def advice(self, x: int) -> None:
        """None: tables come without advice."""

    def _listed(self, x: int, a: int) -> tuple[list[Outcome], list[float]]:
        if (x, a) not in self._outcomes:
            moves, paid = _pairs(row(self.pomdp.P[a], x)), float(self.pomdp.R[x, a])
            self._outcomes[x, a] = [(y, p, paid) for y, p in moves], list(accumulate(p for _, p in moves))
        return self._outcomes[x, a]

    def _sensed(self, a: int, y: int) -> tuple[list[int], list[float], dict[int, float]]:
        if (a, y) not in self._sensor:
            seen = _pairs(row(self.pomdp.O[a], y))
            logs = {z: math.log(p) for z, p in seen}
            self._sensor[a, y] = [z for z, _ in seen], list(accumulate(p for _, p in seen)), logs
        return self._sensor[a, y]


def _pairs(outcomes: Outcomes) -> list[tuple[int, float]]:
    """The outcomes with positive probability."""
    pairs = zip(outcomes.indices.tolist(), outcomes.probabilities.tolist(), strict=True)
    return [(i, p) for i, p in pairs if p > 0]


def simulator(task: Task) -> Simulator:
    """The simulator of a task, with tables or without."""
    return task.simulator if isinstance(task, RuleTask) else TableSimulator(task)
