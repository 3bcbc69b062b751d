"""Random: the paper's agent that knows nothing, and so the lower end of the scale."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from walkon.agents.agent import AgentBase
from walkon.agents.memory import Memory, remember
from walkon.agents.needs import Needs
from walkon.agents.origin import Origin
from walkon.agents.percept import Percept, Sense
from walkon.arrays import Floats


@dataclass(frozen=True, eq=False)
class RandomAgent(AgentBase[Memory]):
    """Takes every action with equal probability and senses nothing."""

    name: ClassVar[str] = "random"
    title: ClassVar[str] = "Random"
    summary: ClassVar[str] = "Takes every action with equal probability and senses nothing."
    needs: ClassVar[Needs] = Needs("")
    senses: ClassVar[frozenset[Sense]] = frozenset()
    identifies: ClassVar[bool] = False

    def start(self, percept: Percept | None = None) -> Memory:
        """Nothing."""
        return remember(np.zeros(0), [], of=self.origin)

    def act(self, memory: Memory) -> Floats:
        """The uniform distribution, [A]."""
        self.origin.check(memory)
        A = self.inference.A
        return np.full(A, 1 / A)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """Still nothing."""
        self.origin.check(memory)
        return memory

    @cached_property
    def origin(self) -> Origin:
        """What its memories are of."""
        return Origin("nothing", (self.library,))
