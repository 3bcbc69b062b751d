"""ATPO-Q, and two agents that also look ahead: the action of the highest expected value, not a mixture of policies.

- `atpo-q` takes argmax_a sum_k p(k) q_k(b_k, a), uniform over ties: q_k by look-ahead on task k's alpha vectors, or its
  MDP's table where the state is seen. An action that is second best in every task can win, which a mixture never
  chooses. But it does not act in order to find out the task: each q_k is that of an agent that knows it.

The other two value beliefs p over tasks and b_k over states at V(p, b) = max_a sum_k p(k) q_k(b_k, a): one action for
all tasks, then the task is known. Since the action is chosen after the observation, an observation that tells tasks
apart is worth something.

- `atpo-look` looks one step ahead, at every action and every observation:
  Q(a) = sum_k p(k) r_k(b_k, a) + sum_z max_c sum_k gamma_k p(k) P_k(z|b_k, a) q_k(b_k after a and z, c).
- `atpo-search` grows a tree where it matters, within a budget for each decision. It needs no solution of any POMDP:
  V is that of the tasks' MDPs, so it also plays models that are too large for alpha vectors.
"""

import zlib
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from walkon.agents.agent import BeliefAgent, Needs
from walkon.agents.inference_kernels import Models
from walkon.agents.memory import Memory
from walkon.agents.search_kernels import look_ahead, search
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.mixture import QValues
from walkon.policies.tabular import TabularPolicy
from walkon.policies.ties import best, uniform
from walkon.tasks import Task

FIRST = 64  # simulations of the first tree, where the budget is a time


@dataclass(frozen=True, eq=False, repr=False)
class ATPOQ(BeliefAgent):
    """Takes the action of the highest expected q-value."""

    policies: tuple[AlphaVectors | TabularPolicy, ...] = ()  # [K]

    name: ClassVar[str] = "atpo-q"
    title: ClassVar[str] = "ATPO Q"
    summary: ClassVar[str] = "Takes the action of the highest expected q-value."

    def decide(self, memory: Memory) -> Floats:
        """The actions of the highest value, each with equal probability, [A]."""
        return uniform(best(self.q_values(memory)))

    def q_values(self, memory: Memory) -> Floats:
        """The value of each action, [A]."""
        q = sum(
            p * _q(policy, task, belief)
            for p, policy, task, belief in zip(memory.tasks, self.policies, self.library, memory.states, strict=True)
            if p > 0
        )
        return np.asarray(q)


def _q(policy: AlphaVectors | TabularPolicy, task: Task, belief: Floats) -> Floats:
    return policy.q(belief) if isinstance(policy, TabularPolicy) else policy.q(task.pomdp, belief)


class LookingAhead(ATPOQ):
    """ATPO-Q with one step of look-ahead through actions and observations."""

    name = "atpo-look"
    title = "ATPO Look"
    summary = "ATPO-Q with one step of look-ahead through actions and observations."

    def q_values(self, memory: Memory) -> Floats:
        """The value of each action, [A]."""
        self.inference.origin.check(memory)
        return look_ahead(memory.beliefs, *self.world)

    @cached_property
    def q(self) -> QValues:
        """The value of beliefs at the end of the look-ahead."""
        return QValues(self.policies, [task.pomdp for task in self.library])

    @cached_property
    def world(self) -> tuple[Models, Any, Floats, Floats, int]:
        """What the kernels take besides beliefs: models, values, rewards [X_1 + ... + X_K, A], discounts [K] and Z."""
        pomdps = [task.pomdp for task in self.library]
        rewards, discounts = np.concatenate([each.R for each in pomdps]), np.array([each.discount for each in pomdps])
        return self.inference.models, self.q.columns, rewards, discounts, self.inference.Z


@dataclass(frozen=True)
class Options:
    """The budget of a search."""

    budget: int = 50  # simulations for each decision
    seconds: float | None = None  # for each decision, in place of `budget`
    explore: float = 0.5  # how wide the confidence bounds are

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise InputError(f"budget is {self.budget}, expected at least one simulation for each decision")
        if self.seconds is not None and not self.seconds > 0:
            raise InputError(f"seconds is {self.seconds}, expected a positive number for each decision")


USUAL = Options()


@dataclass(frozen=True, eq=False, repr=False)
class Searching(LookingAhead):
    """Looks ahead as far as a budget goes, in a tree of actions and observations. Its seed decides what it tries."""

    options: Options = USUAL

    name: ClassVar[str] = "atpo-search"
    title: ClassVar[str] = "ATPO Search"
    summary: ClassVar[str] = "Looks ahead as far as a budget goes, in a tree of actions and observations."
    needs: ClassVar[Needs] = Needs("mdp")
    Options: ClassVar[type[Any]] = Options

    def q_values(self, memory: Memory) -> Floats:
        """The value of each action at the root of the tree, [A]. The same memory gives the same tree."""
        self.inference.origin.check(memory)
        seconds = self.options.seconds
        if seconds is None:
            return self._search(memory, self.options.budget)
        began, budget = perf_counter(), FIRST
        while True:
            before = perf_counter()
            found = self._search(memory, budget)
            now = perf_counter()
            if now + 2.5 * (now - before) > began + seconds:  # a tree of twice the size would take too long
                return found
            budget *= 2

    def _search(self, memory: Memory, budget: int) -> Floats:
        rng = np.random.default_rng(zlib.crc32(memory.beliefs.tobytes(), self.seed % 2**32))
        return search(memory.beliefs, *self.world, budget, self.options.explore, rng)
