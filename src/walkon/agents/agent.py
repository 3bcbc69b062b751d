"""What every agent is: a rule that does not change, and a memory that is passed through it.

`memory = agent.start()`, then at every step `probabilities = agent.act(memory)` and, when the action was executed and
something was read, `memory = agent.update(memory, action, Percept(observation=z))`.

`Agent` is what `play` and everything that takes an agent asks for, whatever the agent remembers. `AgentBase` is what
an agent that `walkon.agent` makes by its name also declares about itself, so that nobody has to know it by name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from walkon.agents.inference import Inference, Switching
from walkon.agents.inference_kernels import Models
from walkon.agents.memory import Unexplained
from walkon.agents.needs import Needs
from walkon.agents.percept import Percept, Sense
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.policies.mixture import Stacks
from walkon.tasks import TaskLibrary


class Remembered(Protocol):
    """What pages and metrics read of an agent's memory."""

    @property
    def tasks(self) -> Floats:
        """The belief over tasks, [K]; empty where it has none."""
        ...

    @property
    def events(self) -> tuple[Unexplained, ...]:
        """What could not be explained."""
        ...


M = TypeVar("M", bound=Remembered)
Self = TypeVar("Self", bound="AgentBase[Any]")


class Agent(Protocol[M]):
    """A rule for acting. M is what it remembers."""

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
        """Whether its memory's `tasks` are a belief that it forms."""
        ...

    def start(self, percept: Percept | None = None) -> M:
        """What it remembers before its first action; a percept holds the first state where that is seen."""
        ...

    def act(self, memory: M) -> Floats:
        """The probability of each action, [A]."""
        ...

    def update(self, memory: M, action: int, percept: Percept) -> M:
        """What it remembers after an action was executed, whoever chose it, and something was sensed."""
        ...


class Compiled(NamedTuple):
    """What the compiled loop of `play_many` takes of an agent: all that decides what it does."""

    models: Models
    start: Floats  # packed beliefs
    opening: Floats  # [A]
    stacked: Stacks
    tolerance: float  # of ties
    greedy: bool
    frozen: bool  # whether the task belief stays
    switching: Switching


@dataclass(frozen=True)
class NoOptions:
    """What an agent without options has."""


@dataclass(frozen=True, eq=False)
class AgentBase(Agent[M]):
    """An agent that `walkon.agent` makes by its name, from beliefs, policies and options.

    Attributes:
        name: What it is asked for by.
        title: What it is called in tables, figures and claims.
        summary: What it does, in one sentence.
        needs: What has to be solved for it.
        senses: What it is given at each step.
        identifies: Whether it forms a belief over tasks.
        Options: A frozen dataclass of its own options, which refuses bad ones.
    """

    inference: Inference  # the library, the prior, and how beliefs change
    policies: tuple[Any, ...] = ()  # for each problem that it needs solved
    options: Any = NoOptions()
    seed: int = 0  # what its own random choices follow from

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    needs: ClassVar[Needs] = Needs()
    senses: ClassVar[frozenset[Sense]] = frozenset({"observation"})
    identifies: ClassVar[bool] = True
    Options: ClassVar[type[Any]] = NoOptions

    @classmethod
    def build(cls: type[Self], inference: Inference, policies: tuple[Any, ...], options: Any, seed: int) -> Self:
        """The agent, ready to play."""
        return cls(inference, policies, options, seed)

    @classmethod
    def picked(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Those of some values that are options of the agent."""
        return {name: values[name] for name in (field.name for field in fields(cls.Options)) if name in values}

    @classmethod
    def chosen(cls, values: Mapping[str, Any]) -> Any:
        """The options with these values."""
        if unknown := values.keys() - cls.picked(values).keys():
            has = ", ".join(field.name for field in fields(cls.Options))
            raise InputError(f"{cls.name} has no option {min(unknown)!r}: it has {has or 'none'}")
        return cls.Options(**values)

    @property
    def library(self) -> TaskLibrary:
        """The tasks that it holds possible."""
        return self.inference.library

    def compiled(self) -> Compiled | None:
        """What the compiled loop takes, where that does exactly what the agent does; None to be asked at each step."""
        return None
