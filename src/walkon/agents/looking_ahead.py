"""Agents that look ahead: what they will know about the task after the next observation counts in what they do now.

Both value a moment, the belief p over tasks and b_k over states, at V(p, b) = max_a sum_k p(k) q_k(b_k, a): one action
for all tasks, then the task is known. Since the action is chosen after the observation, an observation that tells tasks
apart is worth something. This is what ATPO lacks.

- `atpo-look` looks one step ahead, at every action and every observation:
  Q(a) = sum_k p(k) r_k(b_k, a) + sum_z max_c sum_k gamma_k p(k) P_k(z|b_k, a) q_k(b_k after a and z, c).
- `atpo-search` grows a tree where it matters, within a budget for each decision. It needs no solution of any POMDP:
  V is that of the tasks' MDPs, so models that are too large for alpha vectors will do.
"""

import zlib
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from walkon.agents.atpo_q import ATPOQ
from walkon.agents.memory import Memory
from walkon.agents.needs import Needs
from walkon.agents.search_kernels import look_ahead, search
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.policies.q_values import QValues

FIRST = 64  # simulations of the first tree, where the clock is the budget


@dataclass(frozen=True, eq=False)
class LookingAhead(ATPOQ):
    """ATPO-Q with one step of look-ahead through actions and observations."""

    name: ClassVar[str] = "atpo-look"
    title: ClassVar[str] = "ATPO Look"
    summary: ClassVar[str] = "ATPO-Q with one step of look-ahead through actions and observations."

    def q_values(self, memory: Memory) -> Floats:
        """What each action is worth, [A]."""
        inference = self.inference
        inference.origin.check(memory)
        return look_ahead(
            memory.beliefs, inference.models, self.leaves.columns, self.rewards, self.discounts, inference.Z
        )

    @cached_property
    def leaves(self) -> QValues:
        """What a moment is worth at the end of the look-ahead."""
        return QValues(self.policies, [task.pomdp for task in self.library])

    @cached_property
    def rewards(self) -> Floats:
        """The rewards of all tasks under one another, [X_1 + ... + X_K, A]."""
        return np.concatenate([task.pomdp.R for task in self.library])

    @cached_property
    def discounts(self) -> Floats:
        """Of each task, [K]."""
        return np.array([task.pomdp.discount for task in self.library])


@dataclass(frozen=True)
class Options:
    """How long a search goes on."""

    budget: int = 50  # simulations for each decision
    seconds: float | None = None  # for each decision, in place of `budget`
    explore: float = 0.5  # how wide the confidence bounds are

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise InputError(f"budget is {self.budget}, expected at least one simulation for each decision")
        if self.seconds is not None and not self.seconds > 0:
            raise InputError(f"seconds is {self.seconds}, expected a positive number for each decision")


USUAL = Options()


@dataclass(frozen=True, eq=False)
class Searching(LookingAhead):
    """Looks ahead as far as a budget goes, in a tree of actions and observations. Its seed decides what it tries."""

    options: Options = USUAL

    name: ClassVar[str] = "atpo-search"
    title: ClassVar[str] = "ATPO Search"
    summary: ClassVar[str] = "Looks ahead as far as a budget goes, in a tree of actions and observations."
    needs: ClassVar[Needs] = Needs("mdp")
    Options: ClassVar[type[Any]] = Options

    def q_values(self, memory: Memory) -> Floats:
        """What each action is worth at the root of the tree, [A]. The same memory gives the same tree."""
        self.inference.origin.check(memory)
        seconds = self.options.seconds
        if seconds is None:
            return self._searched(memory, self.options.budget)
        began, budget = perf_counter(), FIRST
        while True:
            before = perf_counter()
            found = self._searched(memory, budget)
            now = perf_counter()
            if now + 2.5 * (now - before) > began + seconds:  # a tree of twice the size would take too long
                return found
            budget *= 2

    def _searched(self, memory: Memory, budget: int) -> Floats:
        seed = zlib.crc32(memory.beliefs.tobytes(), self.seed % 2**32)
        inference = self.inference
        return search(
            memory.beliefs,
            inference.models,
            self.leaves.columns,
            self.rewards,
            self.discounts,
            inference.Z,
            budget,
            self.options.explore,
            np.random.default_rng(seed),
        )
