"""Tasks, libraries and agents as plain data, so that a bundle can hold them.

A task of the worlds is made from rules, which are code. What is kept is what the rules say: its matrices. A loaded task
plays the same, and is drawn with names in place of a picture.
"""

from dataclasses import InitVar, dataclass, fields
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
from walkon.tasks import Tally, Task, TaskLibrary


@dataclass(frozen=True, eq=False)
class TaskRecord:
    """What a task is, without its rules and its picture. `mmdp` and `teammates` are None where they are folded in."""

    pomdp: POMDP
    mmdp: MMDP | None
    teammates: Any
    solved: Any
    name: str
    horizon: int
    state_numbers: Any
    observation_numbers: Any
    tally: Any = None
    score: InitVar[Any] = None  # what bundles of version 1 have in place of a tally
    deliveries: InitVar[Any] = None

    def __post_init__(self, score: Any, deliveries: Any) -> None:
        if deliveries is not None:
            object.__setattr__(self, "tally", Tally(score, deliveries, "delivered"))

    @classmethod
    def of(cls, task: Task, joint: bool) -> "TaskRecord":
        """The record of a task; without the matrices of each joint action unless they are wanted."""
        whole = joint and task.mmdp is not None
        known = {field.name: getattr(task, field.name) for field in fields(Task) if field.name not in ("team", "view")}
        return cls(mmdp=task.mmdp, **known) if whole else cls(mmdp=None, **known | {"teammates": None, "tally": None})

    def task(self) -> Task:
        """The task again."""
        known = {field.name: getattr(self, field.name) for field in fields(Task) if field.name not in ("team", "view")}
        if self.mmdp is None:
            return Task(**known)
        pomdp = known.pop("pomdp")
        return Task(self.mmdp, sensor=pomdp.O, start=pomdp.start, observations=pomdp.observations, **known)


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
        evidence: Any = "observations" if self.evidence == "readings" else self.evidence  # as it was called once
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
