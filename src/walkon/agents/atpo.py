"""ATPO: ad hoc teamwork under partial observability, the paper's agent; and its relatives.

ATPO keeps a state belief for every task and a belief over tasks, and draws its action from the policies that are best
for each task, mixed by how probable the task is: pi_t(a|h_t) = sum_k pi_k(a|b_k,t) p_t(m_k).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from walkon.agents.believing import Believing
from walkon.agents.memory import Memory
from walkon.agents.percept import Percept
from walkon.arrays import Floats
from walkon.policies.mixture import Mixture
from walkon.policies.ties import best, uniform


@dataclass(frozen=True, eq=False)
class ATPO(Believing):
    """Acts by the mixture of the tasks' policies."""

    mixture: Mixture

    name: ClassVar[str] = "atpo"

    def act(self, memory: Memory) -> Floats:
        """The probability of each action, [A]."""
        if getattr(memory, "of", None) is not self.inference.origin:
            self.inference.origin.check(memory)
        if memory.step == 0 and np.array_equal(memory.beliefs, self.inference.first):
            return self.opening.copy()
        return self.mixture.probabilities(memory.beliefs)

    @cached_property
    def opening(self) -> Floats:
        """The first decision, [A]. Beliefs are widest then, so it costs the most; and it is always the same."""
        return self.mixture.probabilities(self.inference.first)


class GreedyATPO(ATPO):
    """ATPO that takes the most probable action instead of drawing one."""

    name = "atpo-greedy"

    def act(self, memory: Memory) -> Floats:
        """All probability on the most probable action; shared where several are."""
        return uniform(best(super().act(memory)))


class RandomPicker(ATPO):
    """ATPO that never learns the task: it picks one by its prior at every step. What inference is worth, shown."""

    name = "random-picker"
    identifies = False

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The state beliefs move on; the task belief stays at the prior."""
        after = super().update(memory, action, percept)
        return after.believing(self.inference.prior)


class Informed(ATPO):
    """Knows the task and not the state: ATPO with a library of that task alone. The paper's Perseus agent."""

    name = "perseus"
    identifies = False
