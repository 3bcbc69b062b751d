"""Tasks, libraries and agents as plain data, so that a bundle can hold them.

A task of the worlds is made from rules, which are code. What is kept is what the rules say: its matrices. A loaded task
plays the same, and is drawn with names in place of a picture.
"""

from dataclasses import InitVar, asdict, dataclass
from typing import Any

from walkon.agents.agent import Agent, AgentBase
from walkon.agents.registry import AGENTS, agent, told
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
