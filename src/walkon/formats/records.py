"""Tasks, libraries and agents as plain data, so that a bundle can hold them.

A task of the worlds is made from rules, which are code. What is kept is what the rules say: its matrices. A loaded task
plays the same, and is drawn with names in place of a picture.
"""

from dataclasses import InitVar, asdict, dataclass, fields
from typing import Any

from walkon.agents.agent import Agent, AgentBase
from walkon.agents.registry import AGENTS, agent, told
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
    """An agent as its name, its library, its policies, its prior and its options.

    Older files have some options beside the others: `evidence`, `budget` and `seconds`, whatever the agent.
    """

    name: str
    library: LibraryRecord
    policies: tuple[Any, ...]
    prior: Any
    hazard: float = 0.0
    seed: int = 0
    options: tuple[tuple[str, Any], ...] = ()
    evidence: InitVar[str | None] = None
    budget: InitVar[int | None] = None
    seconds: InitVar[float | None] = None

    def __post_init__(self, evidence: str | None, budget: int | None, seconds: float | None) -> None:
        old = {"evidence": "observations" if evidence == "readings" else evidence, "budget": budget, "seconds": seconds}
        if given := AGENTS[self.name].picked({name: value for name, value in old.items() if value is not None}):
            object.__setattr__(self, "options", tuple(given.items()))

    @classmethod
    def of(cls, made: AgentBase[Any]) -> "AgentRecord":
        """The record of an agent that is known by its name."""
        if made.name not in AGENTS or AGENTS[made.name] is not type(made):
            raise InputError(f"cannot save a {type(made).__name__}: expected an agent that `walkon list` knows")
        library, inference = LibraryRecord.of(made.library, joint="teammates" in made.senses), made.inference
        options = tuple(asdict(made.options).items())
        return cls(made.name, library, made.policies, inference.prior, inference.hazard, made.seed, options)

    def agent(self) -> Agent[Any]:
        """The agent again."""
        return agent(
            self.name,
            self.library.library(),
            policies=self.policies,
            prior=self.prior,
            target=told(self.name, 0),
            hazard=self.hazard,
            seed=self.seed,
            **dict(self.options),
        )
