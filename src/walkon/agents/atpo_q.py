"""ATPO-Q: the action of the highest expected q-value, in place of a mixture of policies.

argmax_a sum_k p(k) q_k(b_k, a), uniform over ties: q_k by look-ahead on task k's alpha vectors, or its MDP's table
where the state is seen. An action that is second best in every task can win, which no mixture ever chooses. It still
does not act in order to find out: each q_k is that of an agent who knows the task.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from walkon.agents.believing import Believing
from walkon.agents.memory import Memory
from walkon.arrays import Floats
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.policies.ties import best, uniform
from walkon.tasks import Task


@dataclass(frozen=True, eq=False)
class ATPOQ(Believing):
    """Takes the action of the highest expected q-value."""

    policies: tuple[AlphaVectors | TabularPolicy, ...]  # [K]

    name: ClassVar[str] = "atpo-q"

    def act(self, memory: Memory) -> Floats:
        """All probability on the action of highest expected q-value; shared where several are."""
        self.inference.origin.check(memory)
        if memory.step == 0 and np.array_equal(memory.beliefs, self.inference.first):
            return self.opening.copy()
        return self._best(memory)

    @cached_property
    def opening(self) -> Floats:
        """The first decision, [A]. It costs the most, and is always the same."""
        return self._best(self.inference.start())

    def _best(self, memory: Memory) -> Floats:
        q = sum(
            p * _q(policy, task, belief)
            for p, policy, task, belief in zip(memory.tasks, self.policies, self.library, memory.states, strict=True)
            if p > 0
        )
        return uniform(best(np.asarray(q)))


def _q(policy: AlphaVectors | TabularPolicy, task: Task, belief: Floats) -> Floats:
    return policy.q(belief) if isinstance(policy, TabularPolicy) else policy.q(task.pomdp, belief)
