"""The two ends of the paper's scale: Value Iteration knows the task and sees the state, Random knows nothing."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from walkon.agents.agent import AgentBase, Needs
from walkon.agents.memory import Memory, Origin, Percept, Sense, remember
from walkon.agents.naming import first_percept, numbered
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.policies.tabular import TabularPolicy


class RandomAgent(AgentBase[Memory]):
    """Takes every action with equal probability and senses nothing."""

    name = "random"
    title = "Random"
    summary = "Takes every action with equal probability and senses nothing."
    needs = Needs("")
    senses: ClassVar[frozenset[Sense]] = frozenset()
    identifies = False
    plays_rules = True

    def start(self, percept: Percept | None = None) -> Memory:
        """An empty memory."""
        if percept is not None:
            first_percept(self.library, percept, self.senses)
        return remember(np.zeros(0), [], of=self.origin)

    def act(self, memory: Memory) -> Floats:
        """The uniform distribution, [A]."""
        self.origin.check(memory)
        A = self.inference.A
        return np.full(A, 1 / A)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The memory as it was."""
        self.origin.check(memory)
        numbered(self.library, action, percept, self.senses)
        return memory

    @cached_property
    def origin(self) -> Origin:
        """The origin of its memories."""
        return Origin("nothing", (self.library,))


@dataclass(frozen=True, eq=False, repr=False)
class ValueIterationAgent(AgentBase[Memory]):
    """Knows the task and sees the state: the best response to its teammates. Its library is that task alone."""

    policies: tuple[TabularPolicy, ...] = ()  # one

    name: ClassVar[str] = "value-iteration"
    title: ClassVar[str] = "Value Iteration"
    summary: ClassVar[str] = "Knows the task and sees the state: the best response to its teammates."
    needs: ClassVar[Needs] = Needs("mdp", "the told task")
    senses: ClassVar[frozenset[Sense]] = frozenset({"state"})
    identifies: ClassVar[bool] = False

    def start(self, percept: Percept | None = None) -> Memory:
        """The first state."""
        return self._at(None if percept is None else first_percept(self.library, percept, self.senses).state, step=0)

    def act(self, memory: Memory) -> Floats:
        """The best actions in the state, each with equal probability."""
        self.origin.check(memory)
        if memory.state is None:
            raise InputError("Value Iteration sees the state: start it with agent.start(Percept(state=x0))")
        return self.policies[0].choose(memory.state)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The next state; the old one if the percept has none."""
        self.origin.check(memory)
        _, percept = numbered(self.library, action, percept, self.senses)
        return self._at(memory.state if percept.state is None else percept.state, memory.step + 1)

    def _at(self, state: int | None, step: int) -> Memory:
        (X,) = self.inference.sizes
        if state is not None and not 0 <= state < X:
            raise InputError(f"state {state} does not exist: they are numbered 0 to {X - 1}")
        belief = self.library[0].pomdp.start if state is None else np.eye(1, X, state)[0]
        return remember(np.ones(1), [belief], step=step, state=state, of=self.origin)

    @cached_property
    def origin(self) -> Origin:
        """The origin of its memories."""
        return Origin("the state", (self.library,))
