"""What all agents share that keep a belief over tasks and one over each task's states."""

from dataclasses import dataclass
from typing import ClassVar

from walkon.agents.inference import Inference
from walkon.agents.memory import Memory
from walkon.agents.percept import Percept, Sense
from walkon.tasks import TaskLibrary


@dataclass(frozen=True, eq=False)
class Believing:
    """Starts from the prior, and updates its beliefs by what it reads. How it acts is for others to say."""

    inference: Inference

    senses: ClassVar[frozenset[Sense]] = frozenset({"observation"})
    identifies: ClassVar[bool] = True

    @property
    def library(self) -> TaskLibrary:
        """The tasks that it holds possible."""
        return self.inference.library

    def start(self, percept: Percept | None = None) -> Memory:
        """The prior, and the start beliefs."""
        return self.inference.start(percept)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The posterior after an action and what was read."""
        return self.inference.update(memory, action, percept)
