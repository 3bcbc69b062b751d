"""What all agents share that keep a belief over tasks and one over each task's states."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from walkon.agents.agent import AgentBase
from walkon.agents.memory import Memory
from walkon.agents.percept import Percept
from walkon.arrays import Floats

Self = TypeVar("Self", bound="BeliefAgent")
PREPARED = ("mixture", "plan", "q")  # made of the policies alone


@dataclass(frozen=True, eq=False)
class BeliefAgent(AgentBase[Memory]):
    """Starts from the prior, and updates its beliefs by what it reads. How it decides is for others to say."""

    def start(self, percept: Percept | None = None) -> Memory:
        """The prior, and the start beliefs."""
        return self.inference.start(percept)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The posterior after an action and what was read."""
        return self.inference.update(memory, action, percept)

    def act(self, memory: Memory) -> Floats:
        """The probability of each action, [A]."""
        if getattr(memory, "of", None) is not self.inference.origin:
            self.inference.origin.check(memory)
        if memory.step == 0 and np.array_equal(memory.beliefs, self.inference.first):
            return self.opening.copy()
        return self.decide(memory)

    @cached_property
    def opening(self) -> Floats:
        """The first decision, [A]. Beliefs are widest then, so it costs the most; and it is always the same."""
        return self.decide(self.inference.start())

    @abstractmethod
    def decide(self, memory: Memory) -> Floats:
        """The probability of each action, [A], by a memory of its own."""

    def with_prior(self: Self, prior: Any) -> Self:
        """The same with another prior over tasks, [K]. What was prepared of models and policies is shared."""
        other = replace(self, inference=self.inference.with_prior(prior))
        vars(other).update({name: value for name, value in vars(self).items() if name in PREPARED})
        return other
