"""An agent that notices when nothing it knows is going on, and does something else from then on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.alarm import Alarm
from walkon.agents.memory import Memory
from walkon.agents.origin import REMEDY
from walkon.agents.percept import Percept, Sense
from walkon.agents.suspicion import Suspicion
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.distributions import distribution
from walkon.tasks import TaskLibrary

Fallback: TypeAlias = Literal["go on", "uniform"] | Callable[[Memory], Floats]
"""What is done after an alarm: go on as before, act uniformly, or by a given policy of the memory."""


@dataclass(frozen=True, eq=False)
class WithAlarm:
    """Acts as another agent does, until the alarm. What was weighed stands in `Memory.suspicion`."""

    agent: Agent[Memory]
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
        suspicion = self._suspicion(memory)
        if suspicion.alarm is None or self.fallback == "go on":
            return self.agent.act(memory)
        A = self.alarm.inference.A
        if callable(self.fallback):
            return np.array(distribution("what the fallback gave", self.fallback(memory), A))
        return np.full(A, 1 / A)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The agent's beliefs, and what was weighed."""
        suspicion = self._suspicion(memory)
        after = self.agent.update(memory, action, percept)
        return after._replace(suspicion=self.alarm.update(suspicion, action, percept))

    def _suspicion(self, memory: Memory) -> Suspicion:
        """What was weighed so far, of a memory of its own."""
        self.alarm.inference.origin.check(memory)
        if memory.suspicion is None:
            raise InputError(f"this memory is not of an agent with an alarm: {REMEDY}")
        self.alarm.origin.check(memory.suspicion)
        return memory.suspicion
