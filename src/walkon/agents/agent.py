"""What every agent is: a rule that does not change, and a memory that is passed through it.

`memory = agent.start()`, then at every step `probabilities = agent.act(memory)` and, when the action was executed and
something was read, `memory = agent.update(memory, action, Percept(observation=z))`.
"""

from typing import Protocol

from walkon.agents.memory import Memory
from walkon.agents.percept import Percept, Sense
from walkon.arrays import Floats
from walkon.tasks import TaskLibrary


class Agent(Protocol):
    """A rule for acting."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def library(self) -> TaskLibrary:
        """The tasks that it holds possible."""
        ...

    @property
    def senses(self) -> frozenset[Sense]:
        """What it is given at each step, and nothing else."""
        ...

    @property
    def identifies(self) -> bool:
        """Whether `Memory.tasks` is a belief that it forms."""
        ...

    def start(self, percept: Percept | None = None) -> Memory:
        """What it remembers before its first action; a percept holds the first state where that is seen."""
        ...

    def act(self, memory: Memory) -> Floats:
        """The probability of each action, [A]."""
        ...

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """What it remembers after an action was executed, whoever chose it, and something was sensed."""
        ...
