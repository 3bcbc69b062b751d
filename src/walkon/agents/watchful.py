"""An agent that notices when nothing it knows is going on, and does something else from then on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.alarm import Alarm
from walkon.agents.memory import Memory
from walkon.agents.percept import Percept, Sense
from walkon.errors import InputError
from walkon.models.distributions import Floats, distribution
from walkon.tasks import TaskLibrary

Fallback: TypeAlias = Literal["go on", "uniform"] | Callable[[Memory], Floats]
"""What is done after an alarm: go on as before, act uniformly, or by a given policy of the memory."""


@dataclass(frozen=True, eq=False)
class Watchful:
    """Acts as another agent does, until the alarm. What was weighed stands in `Memory.suspicion`."""

    agent: Agent
    alarm: Alarm
    fallback: Fallback = "go on"

    def __post_init__(self) -> None:
        if not callable(self.fallback) and self.fallback not in ("go on", "uniform"):
            raise InputError(f'fallback is {self.fallback!r}, expected "go on", "uniform" or a policy of the memory')

    @property
    def name(self) -> str:
        """What the agent is called that acts."""
        return self.agent.name

    @property
    def library(self) -> TaskLibrary:
        """The tasks that it holds possible."""
        return self.agent.library

    @property
    def senses(self) -> frozenset[Sense]:
        """What it is given at each step."""
        return self.agent.senses

    @property
    def identifies(self) -> bool:
        """Whether it forms a belief over tasks."""
        return self.agent.identifies

    def start(self, percept: Percept | None = None) -> Memory:
        """As the agent that acts; and no suspicion."""
        return self.agent.start(percept)._replace(suspicion=self.alarm.start(percept))

    def act(self, memory: Memory) -> Floats:
        """The probability of each action, [A]."""
        alarmed = memory.suspicion is not None and memory.suspicion.alarm is not None
        if not alarmed or self.fallback == "go on":
            return self.agent.act(memory)
        A = self.alarm.inference.A
        if callable(self.fallback):
            return np.array(distribution("what the fallback gave", self.fallback(memory), A))
        return np.full(A, 1 / A)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The agent's beliefs, and what was weighed."""
        after = self.agent.update(memory, action, percept)
        if memory.suspicion is None:
            raise InputError("this memory is not of an agent with an alarm: begin with agent.start()")
        return after._replace(suspicion=self.alarm.update(memory.suspicion, action, percept))
