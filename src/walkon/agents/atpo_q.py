"""ATPO-Q: the action of the highest expected q-value, in place of a mixture of policies.

argmax_a sum_k p(k) q_k(b_k, a), uniform over ties: q_k by look-ahead on task k's alpha vectors, or its MDP's table
where the state is seen. An action that is second best in every task can win, which no mixture ever chooses. It still
does not act in order to find out: each q_k is that of an agent who knows the task.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from walkon.agents.belief_agent import BeliefAgent
from walkon.agents.memory import Memory
from walkon.arrays import Floats
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.policies.ties import best, uniform
from walkon.tasks import Task


@dataclass(frozen=True, eq=False)
class ATPOQ(BeliefAgent):
    """Takes the action of the highest expected q-value."""

    policies: tuple[AlphaVectors | TabularPolicy, ...] = ()  # [K]

    name: ClassVar[str] = "atpo-q"
    title: ClassVar[str] = "ATPO Q"
    summary: ClassVar[str] = "Takes the action of the highest expected q-value."

    def decide(self, memory: Memory) -> Floats:
        """All probability on the action of the highest q-value; shared where several are."""
        return uniform(best(self.q_values(memory)))

    def q_values(self, memory: Memory) -> Floats:
        """What each action is worth, [A]."""
        q = sum(
            p * _q(policy, task, belief)
            for p, policy, task, belief in zip(memory.tasks, self.policies, self.library, memory.states, strict=True)
            if p > 0
        )
        return np.asarray(q)


def _q(policy: AlphaVectors | TabularPolicy, task: Task, belief: Floats) -> Floats:
    return policy.q(belief) if isinstance(policy, TabularPolicy) else policy.q(task.pomdp, belief)
