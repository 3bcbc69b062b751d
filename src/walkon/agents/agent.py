"""The definition of an agent: a rule that does not change, and a memory that is passed through it.

`memory = agent.start()`, then at every step `probabilities = agent.act(memory)` and, after the action was executed,
`memory = agent.update(memory, action, Percept(observation=z))`.

`Agent` is the protocol that `play` and everything else that takes an agent asks for. `AgentBase` adds the declarations
of the agents that `walkon.agent` makes by name. `BeliefAgent` is their base where they keep a belief over tasks.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from walkon.agents.inference import Inference, Switching
from walkon.agents.inference_kernels import Models
from walkon.agents.memory import Memory, Percept, Sense, Unexplained
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.saying import briefly
from walkon.solvers.defaults import Effort, Kind, default_perseus, default_solver
from walkon.solvers.solution import Solution
from walkon.solvers.solve import Solver, check_solver
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.union import Union

Scope: TypeAlias = Literal["each task", "the told task", "all at once"]


class Remembered(Protocol):
    """The part of an agent's memory that pages and metrics use."""

    @property
    def tasks(self) -> Floats:
        """The belief over tasks, [K]; empty for an agent without one."""

    @property
    def events(self) -> tuple[Unexplained, ...]:
        """The observations that no task explained."""


M = TypeVar("M", bound=Remembered)
Believer = TypeVar("Believer", bound="BeliefAgent")


class Agent(Protocol[M]):
    """A rule for acting, with a memory of type M."""

    @property
    def name(self) -> str:
        """The agent's name."""

    @property
    def library(self) -> TaskLibrary:
        """The tasks that it holds possible."""

    @property
    def senses(self) -> frozenset[Sense]:
        """The fields of a percept that it is given, and no others."""

    @property
    def identifies(self) -> bool:
        """Whether its memory's `tasks` are a belief that it forms."""

    def start(self, percept: Percept | None = None) -> M:
        """The memory before the first action; a percept holds the first state for an agent that sees it."""

    def act(self, memory: M) -> Floats:
        """The probability of each action, [A]."""

    def update(self, memory: M, action: int, percept: Percept) -> M:
        """The memory after an action was executed, even one that the agent did not choose, and a percept."""


def check_agent(given: Any) -> None:
    """Refuse what is no agent, and say how to make one of it."""
    if all(hasattr(given, part) for part in ("library", "start", "act", "update")):
        return
    remedy = "make one with walkon.agent(name, library)"
    if isinstance(given, str):
        remedy = f"walkon.agent({given!r:.60}, library)"
    elif callable(given):
        remedy = "walkon.player(function, library)"
    elif isinstance(given, AlphaVectors | TabularPolicy | Solution):
        remedy = 'walkon.agent("atpo", library, policies=[...]), with one policy for each task'
    elif isinstance(given, Task | TaskLibrary):
        remedy = "the task comes before the agent, as in walkon.play(task, agent)"
    raise InputError(f"agent is {briefly(given)}, expected an agent: {remedy}")


@dataclass(frozen=True)
class Needs:
    """Which problems an agent has policies for.

    Attributes:
        model: Whether they are the tasks' POMDPs or MDPs; empty if the agent has no policies. Where the state is
            observed, a task's MDP takes the place of its POMDP.
        scope: One policy for each task; one for the task that the agent is told; or one for the union of all tasks.
        perseus: Whether Perseus solves them where no solver is named.
    """

    model: Literal["", "mdp", "pomdp"] = "pomdp"
    scope: Scope = "each task"
    perseus: bool = False

    @property
    def informed(self) -> bool:
        """Whether the agent is told the task."""
        return self.scope == "the told task"

    def kind(self, observed: bool = False) -> Kind | None:
        """The kind of the problems, in a library whose states are observed or not; None where there are none."""
        if not self.model:
            return None
        if self.scope == "all at once":
            return "union"
        return "mdp" if observed else self.model

    def places(self, K: int, target: int | None = None) -> tuple[int | None, ...]:
        """The tasks of a library of K whose problems are solved; None stands for the union of all."""
        if not self.model:
            return ()
        if self.scope == "all at once":
            return (None,)
        return (target,) if self.informed else tuple(range(K))

    def problems(self, library: TaskLibrary, prior: Any = None, target: int | None = None) -> tuple[MDP, ...]:
        """The problems for a library, a prior over its tasks [K] (uniform if not given) and a told task."""
        kind = self.kind(library.observed)
        return tuple(problem_of(library, place, kind, prior) for place in self.places(len(library), target))

    def solver(self, problems: Sequence[MDP], solver: Solver | None = None, effort: Effort = "usual") -> Solver:
        """The solver for these problems: for POMDPs the one that was named, else the default."""
        observed = not isinstance(problems[0], POMDP)
        if solver is not None:
            check_solver(solver)
        if solver is not None and not observed:
            return solver
        states = max(len(each.start) for each in problems)
        if self.perseus and not observed:
            return default_perseus(effort, states)
        return default_solver(self.kind(observed) or "mdp", states, effort)


def problem_of(library: TaskLibrary, place: int | None, kind: Kind | None = "pomdp", prior: Any = None) -> MDP:
    """One task of a library as a problem of a kind; the union of all where the place is None."""
    if place is None:
        K = len(library)
        return Union.of(library, np.full(K, 1 / K) if prior is None else prior).pomdp
    return library[place].mdp if kind == "mdp" else library[place].pomdp


class Compiled(NamedTuple):
    """Everything that decides what an agent does, for the compiled loop of `play_many`."""

    models: Models
    start: Floats  # packed beliefs
    opening: Floats  # [A]
    stacked: tuple[Any, ...]  # its policies' `Stack`
    tolerance: float  # of ties
    greedy: bool
    frozen: bool  # whether the task belief stays
    switching: Switching


@dataclass(frozen=True)
class NoOptions:
    """The options of an agent that has none."""


@dataclass(frozen=True, eq=False, repr=False)
class AgentBase(Agent[M]):
    """An agent that `walkon.agent` makes by its name, from beliefs, policies and options.

    Attributes:
        name: The name for `walkon.agent`.
        title: The name in tables, figures and claims.
        summary: One sentence about what it does.
        needs: The problems that have to be solved for it.
        senses: The fields of a percept that it is given.
        identifies: Whether it forms a belief over tasks.
        plays_rules: Whether it also plays libraries without tables; its beliefs are then those of `Tracking`.
        Options: A frozen dataclass of its own options, which refuses bad ones.
    """

    inference: Inference  # the library, the prior, and how beliefs change
    policies: tuple[Any, ...] = ()  # for each problem that it needs solved
    options: Any = NoOptions()
    seed: int = 0  # of its own random choices

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    needs: ClassVar[Needs] = Needs()
    senses: ClassVar[frozenset[Sense]] = frozenset({"observation"})
    identifies: ClassVar[bool] = True
    plays_rules: ClassVar[bool] = False
    Options: ClassVar[type[Any]] = NoOptions

    def __repr__(self) -> str:
        options = [f"{name}={value!r:.60}" for name, value in vars(self.options).items()]
        return f"{type(self).__name__}({', '.join([f'{self.name} for {self.library!r:.200}', *options])})"

    @classmethod
    def picked(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Pick the values that are options of the agent."""
        return {field.name: values[field.name] for field in fields(cls.Options) if field.name in values}

    @classmethod
    def chosen(cls, values: Mapping[str, Any]) -> Any:
        """Make the agent's options from these values."""
        if unknown := values.keys() - cls.picked(values).keys():
            has = ", ".join(field.name for field in fields(cls.Options))
            raise InputError(f"{cls.name} has no option {min(unknown)!r}: it has {has or 'none'}")
        return cls.Options(**values)

    @property
    def library(self) -> TaskLibrary:
        """The tasks that it holds possible."""
        return self.inference.library

    def compiled(self) -> Compiled | None:
        """The input of the compiled loop, if that does exactly what the agent does; else None."""
        return None


@dataclass(frozen=True, eq=False, repr=False)
class BeliefAgent(AgentBase[Memory]):
    """Keeps a belief over tasks and one over the states of each. Subclasses define how it decides."""

    def start(self, percept: Percept | None = None) -> Memory:
        """The prior and the start beliefs."""
        return self.inference.start(percept)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The posterior after an action and an observation."""
        return self.inference.update(memory, action, percept)

    def act(self, memory: Memory) -> Floats:
        """The probability of each action, [A]."""
        if getattr(memory, "of", None) is not self.inference.origin:
            self.inference.origin.check(memory)
        if memory.step == 0 and self.library.tables and np.array_equal(memory.beliefs, self.inference.first):
            return self.opening.copy()
        return self.decide(memory)

    @cached_property
    def opening(self) -> Floats:
        """The first decision, [A]: always the same, and the most expensive, because beliefs are widest then."""
        return self.decide(self.inference.start())

    @abstractmethod
    def decide(self, memory: Memory) -> Floats:
        """The probability of each action, [A], for a memory of its own."""

    def with_prior(self: Believer, prior: Any) -> Believer:
        """The same agent with another prior over tasks, [K], sharing what was prepared of models and policies."""
        other = replace(self, inference=self.inference.with_prior(prior))
        prepared = ("mixture", "plan", "q")  # made of the policies alone
        vars(other).update({name: value for name, value in vars(self).items() if name in prepared})
        return other
