"""Tasks, libraries and agents as plain data, so that a bundle can hold them.

A task of the worlds is made from rules, which are code. What is kept is what the rules say: its matrices. A loaded task
plays the same, and is drawn with names in place of a picture.
"""

from dataclasses import dataclass
from typing import Any

from walkon.agents.agent import Agent
from walkon.agents.atpo import ATPO
from walkon.agents.atpo_q import ATPOQ
from walkon.agents.bayes import Bayes
from walkon.agents.believing import Believing
from walkon.agents.bopa import BOPA, evidence_of
from walkon.agents.looking_ahead import BUDGET, LookingAhead, Searching
from walkon.agents.registry import AGENTS, TOLD, agent
from walkon.agents.seeing import BestResponse
from walkon.errors import InputError
from walkon.models.mmdp import MMDP
from walkon.models.pomdp import POMDP
from walkon.tasks import Task, TaskLibrary


@dataclass(frozen=True, eq=False)
class TaskRecord:
    """What a task is, without its rules and its picture. `mmdp` and `teammates` are None where they are folded in."""

    pomdp: POMDP
    mmdp: MMDP | None
    teammates: Any
    solved: Any
    name: str
    horizon: int
    score: Any
    deliveries: Any
    state_numbers: Any
    observation_numbers: Any

    @classmethod
    def of(cls, task: Task, joint: bool) -> "TaskRecord":
        """The record of a task; without the matrices of each joint action unless they are wanted."""
        whole = joint and task.mmdp is not None
        return cls(
            task.pomdp,
            task.mmdp if whole else None,
            task.teammates if whole else None,
            task.solved,
            task.name,
            task.horizon,
            task.score if whole or task.deliveries is None else "steps",
            task.deliveries if whole else None,
            task.state_numbers,
            task.observation_numbers,
        )

    def task(self) -> Task:
        """The task again."""
        facts: Any = {
            "horizon": self.horizon,
            "score": self.score,
            "deliveries": self.deliveries,
            "state_numbers": self.state_numbers,
            "observation_numbers": self.observation_numbers,
        }
        if self.mmdp is None:
            return Task.from_pomdp(self.pomdp, self.solved, self.name, **facts)
        pomdp = self.pomdp
        return Task(
            self.mmdp, self.teammates, pomdp.O, pomdp.start, self.solved, self.name,
            observations=pomdp.observations, **facts,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class LibraryRecord:
    """A library as its tasks."""

    tasks: tuple[TaskRecord, ...]

    @classmethod
    def of(cls, library: TaskLibrary, joint: bool = True) -> "LibraryRecord":
        """The record of a library."""
        return cls(tuple(TaskRecord.of(task, joint) for task in library))

    def library(self) -> TaskLibrary:
        """The library again."""
        return TaskLibrary([record.task() for record in self.tasks])


@dataclass(frozen=True, eq=False)
class AgentRecord:
    """An agent as its name, its library, its policies and its prior."""

    name: str
    library: LibraryRecord
    policies: tuple[Any, ...]
    prior: Any
    evidence: str
    hazard: float = 0.0
    budget: int = BUDGET
    seconds: float | None = None
    seed: int = 0

    @classmethod
    def of(cls, made: Agent) -> "AgentRecord":
        """The record of one of walkon's own agents."""
        if type(made) not in AGENTS.values():
            raise InputError(f"cannot save a {type(made).__name__}: expected one of walkon's agents")
        library = LibraryRecord.of(made.library, joint="teammates" in made.senses)
        policies: tuple[Any, ...] = ()
        if isinstance(made, ATPO):
            policies = tuple(made.mixture.policies)
        elif isinstance(made, BOPA | ATPOQ | LookingAhead):
            policies = made.policies
        elif isinstance(made, Bayes):
            policies = tuple(made.plan.policies)
        elif isinstance(made, BestResponse):
            policies = (made.policy,)
        prior = made.inference.prior if isinstance(made, Believing) else None
        hazard = made.inference.hazard if isinstance(made, Believing) else 0.0
        search = (made.budget, made.seconds, made.seed) if isinstance(made, Searching) else ()
        return cls(made.name, library, policies, prior, evidence_of(made), hazard, *search)

    def agent(self) -> Agent:
        """The agent again."""
        evidence: Any = self.evidence
        return agent(
            self.name,
            self.library.library(),
            policies=self.policies or None,
            prior=self.prior,
            target=0 if self.name in TOLD else None,
            evidence=evidence,
            hazard=self.hazard,
            budget=self.budget,
            seconds=self.seconds,
            seed=self.seed,
        )
